/* Three versions of a function, for x86-64-v4 (AVX-512), -v3 (AVX2) and any x86-64, chosen when
 * the program starts; what is inlined into it is in all of them. Results are the same. The
 * resolvers run before the sanitizers are ready, so not there. */
#ifndef EVGPU_BASE_CLONES_H
#define EVGPU_BASE_CLONES_H

#if defined(__x86_64__) && defined(__linux__) && !defined(__SANITIZE_ADDRESS__) &&                 \
    !defined(__SANITIZE_THREAD__) && !defined(__clang__)
#define CPU_CLONES __attribute__((target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default")))
#else
#define CPU_CLONES
#endif

/* Whole files can be compiled for these processors, too: #pragma GCC target. */
#if defined(__x86_64__) && defined(__linux__) && !defined(__clang__)
#define CPU_VERSIONS
#endif

/* A part of such a function. */
#define CLONED_PART static inline __attribute__((always_inline))

#endif
