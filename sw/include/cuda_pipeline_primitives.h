/* Asynchronous copies of device memory to shared memory, as C (CUDA C++ Programming Guide, pipeline
 * primitives interface). From sm_80 on they are cp.async; below, the thread copies at once. */
#ifndef EVGPU_SW_CUDA_PIPELINE_PRIMITIVES_H
#define EVGPU_SW_CUDA_PIPELINE_PRIMITIVES_H
#define _CUDA_PIPELINE_PRIMITIVES_H_

#include "cuda_awbarrier_primitives.h"
#include "cuda_runtime.h"

#ifdef __CUDA__

#define EVGPU_PIPELINE static __device__ __inline__ __attribute__((always_inline, nodebug, unused))
#define EVGPU_PIPELINE_PRIOR                                                                       \
    8 /* groups that may go on at most; the instruction's number is fixed */

#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
#define EVGPU_PIPELINE_COPY(cache, bytes)                                                          \
    __asm__ volatile("cp.async." cache ".shared.global [%0], [%1], " #bytes ", %2;" ::"r"(at),     \
                     "l"(from), "r"((unsigned int)(bytes - zfill))                                 \
                     : "memory")
#endif

/* size bytes, 4, 8 or 16, of which the last zfill are zeros and not read. */
EVGPU_PIPELINE void __pipeline_memcpy_async(void *__restrict__ to, const void *__restrict__ from,
                                            size_t size, size_t zfill = 0)
{
#ifdef EVGPU_PIPELINE_COPY
    unsigned int at = (unsigned int)__cvta_generic_to_shared(to);
    if (size == 16)
        EVGPU_PIPELINE_COPY("cg", 16);
    else if (size == 8)
        EVGPU_PIPELINE_COPY("ca", 8);
    else
        EVGPU_PIPELINE_COPY("ca", 4);
#else
    for (size_t i = 0; i < size; i++)
        ((char *)to)[i] = i < size - zfill ? ((const char *)from)[i] : 0;
#endif
}

/* Closes the group of the copies since the last one. */
EVGPU_PIPELINE void __pipeline_commit()
{
#ifdef EVGPU_PIPELINE_COPY
    __asm__ volatile("cp.async.commit_group;" ::: "memory");
#endif
}

/* All groups but the last `prior` are there. */
EVGPU_PIPELINE void __pipeline_wait_prior(size_t prior)
{
#ifdef EVGPU_PIPELINE_COPY
#define EVGPU_PIPELINE_WAIT(groups)                                                                \
    case groups:                                                                                   \
        __asm__ volatile("cp.async.wait_group " #groups ";" ::: "memory");                         \
        break;
    switch (prior < EVGPU_PIPELINE_PRIOR ? prior : EVGPU_PIPELINE_PRIOR) {
        EVGPU_PIPELINE_WAIT(0)
        EVGPU_PIPELINE_WAIT(1)
        EVGPU_PIPELINE_WAIT(2)
        EVGPU_PIPELINE_WAIT(3)
        EVGPU_PIPELINE_WAIT(4)
        EVGPU_PIPELINE_WAIT(5)
        EVGPU_PIPELINE_WAIT(6)
        EVGPU_PIPELINE_WAIT(7)
        EVGPU_PIPELINE_WAIT(8)
    }
#undef EVGPU_PIPELINE_WAIT
#else
    (void)prior;
#endif
}

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800
/* The barrier's phase waits for the thread's copies, too. */
EVGPU_PIPELINE void __pipeline_arrive_on(__mbarrier_t *barrier)
{
    __asm__ volatile("cp.async.mbarrier.arrive.shared.b64 [%0];" ::"r"(evgpu_mbarrier_at(barrier))
                     : "memory");
}
#endif

#undef EVGPU_PIPELINE_COPY

#endif
#endif
