/* Every host compiler that clang stands for is supported. */
#ifndef EVGPU_CUDA_CRT_HOST_CONFIG_H
#define EVGPU_CUDA_CRT_HOST_CONFIG_H

#include "host_defines.h"

/* clang has a built-in function where g++ lets programs define theirs. A template gives way to
 * that. */
#if defined(__clang__) && defined(__cplusplus) && defined(__CUDA__)
template <int = 0> static inline unsigned long long evgpu_rdtsc(void)
{
    return __builtin_ia32_rdtsc();
}
#define __rdtsc evgpu_rdtsc
#endif

#endif
