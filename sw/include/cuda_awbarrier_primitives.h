/* Barriers in shared memory, as C (CUDA C++ Programming Guide, asynchronous barrier primitives
 * interface): PTX's mbarrier, from sm_80 on. */
#ifndef EVGPU_SW_CUDA_AWBARRIER_PRIMITIVES_H
#define EVGPU_SW_CUDA_AWBARRIER_PRIMITIVES_H
#define _CUDA_AWBARRIER_PRIMITIVES_H_

#include <stdbool.h>
#include <stdint.h>

#include "cuda_runtime.h"

typedef uint64_t __mbarrier_t;
typedef uint64_t __mbarrier_token_t;

#if defined(__CUDA__) && (!defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800)

#define EVGPU_MBARRIER static __device__ __inline__ __attribute__((always_inline, nodebug, unused))

EVGPU_MBARRIER unsigned int evgpu_mbarrier_at(const __mbarrier_t *barrier)
{
    return (unsigned int)__cvta_generic_to_shared(barrier);
}

EVGPU_MBARRIER uint32_t __mbarrier_maximum_count()
{
    return (1u << 20) - 1;
}
EVGPU_MBARRIER void __mbarrier_init(__mbarrier_t *barrier, uint32_t expected)
{
    __asm__ volatile("mbarrier.init.shared.b64 [%0], %1;" ::"r"(evgpu_mbarrier_at(barrier)),
                     "r"(expected)
                     : "memory");
}
EVGPU_MBARRIER void __mbarrier_inval(__mbarrier_t *barrier)
{
    __asm__ volatile("mbarrier.inval.shared.b64 [%0];" ::"r"(evgpu_mbarrier_at(barrier))
                     : "memory");
}
EVGPU_MBARRIER __mbarrier_token_t __mbarrier_arrive(__mbarrier_t *barrier)
{
    __mbarrier_token_t token;
    __asm__ volatile("mbarrier.arrive.shared.b64 %0, [%1];"
                     : "=l"(token)
                     : "r"(evgpu_mbarrier_at(barrier))
                     : "memory");
    return token;
}
EVGPU_MBARRIER __mbarrier_token_t __mbarrier_arrive_and_drop(__mbarrier_t *barrier)
{
    __mbarrier_token_t token;
    __asm__ volatile("mbarrier.arrive_drop.shared.b64 %0, [%1];"
                     : "=l"(token)
                     : "r"(evgpu_mbarrier_at(barrier))
                     : "memory");
    return token;
}
EVGPU_MBARRIER bool __mbarrier_test_wait(__mbarrier_t *barrier, __mbarrier_token_t token)
{
    int over;
    __asm__ volatile("{ .reg .pred p; mbarrier.test_wait.shared.b64 p, [%1], %2;\n"
                     "selp.s32 %0, 1, 0, p; }"
                     : "=r"(over)
                     : "r"(evgpu_mbarrier_at(barrier)), "l"(token)
                     : "memory");
    return over;
}
EVGPU_MBARRIER bool __mbarrier_test_wait_parity(__mbarrier_t *barrier, bool parity)
{
    int over;
    __asm__ volatile("{ .reg .pred p; mbarrier.test_wait.parity.shared.b64 p, [%1], %2;\n"
                     "selp.s32 %0, 1, 0, p; }"
                     : "=r"(over)
                     : "r"(evgpu_mbarrier_at(barrier)), "r"((uint32_t)parity)
                     : "memory");
    return over;
}
EVGPU_MBARRIER uint32_t __mbarrier_token_pending_count(__mbarrier_token_t token)
{
    uint32_t count;
    __asm__("mbarrier.pending_count.b64 %0, %1;" : "=r"(count) : "l"(token));
    return count;
}

#endif
#endif
