/* Elementary functions and memory of half precision, for device code; included by cuda_fp16.h. */
#ifndef EVGPU_SW_HALF_MATH_H
#define EVGPU_SW_HALF_MATH_H

#include "half_memory.h"

/* --- elementary functions: through float
 * ------------------------------------------------------------ */
#define EVGPU_HALF_FUNCTION(name, expression)                                                      \
    EVGPU_HD __half h##name(const __half a)                                                        \
    {                                                                                              \
        float x = __half2float(a);                                                                 \
        return __float2half(expression);                                                           \
    }                                                                                              \
    EVGPU_HD __half2 h2##name(const __half2 a)                                                     \
    {                                                                                              \
        return __half2(h##name(a.x), h##name(a.y));                                                \
    }
EVGPU_HALF_FUNCTION(sqrt, sqrtf(x))
EVGPU_HALF_FUNCTION(rsqrt, rsqrtf(x))
EVGPU_HALF_FUNCTION(rcp, 1.0f / x)
EVGPU_HALF_FUNCTION(log, logf(x))
EVGPU_HALF_FUNCTION(log2, log2f(x))
EVGPU_HALF_FUNCTION(log10, log10f(x))
EVGPU_HALF_FUNCTION(exp, expf(x))
EVGPU_HALF_FUNCTION(exp2, exp2f(x))
EVGPU_HALF_FUNCTION(exp10, exp10f(x))
EVGPU_HALF_FUNCTION(sin, sinf(x))
EVGPU_HALF_FUNCTION(cos, cosf(x))
EVGPU_HALF_FUNCTION(ceil, ceilf(x))
EVGPU_HALF_FUNCTION(floor, floorf(x))
EVGPU_HALF_FUNCTION(trunc, truncf(x))
EVGPU_HALF_FUNCTION(rint, rintf(x))
#undef EVGPU_HALF_FUNCTION

/* --- memory and lanes
 * ------------------------------------------------------------------------------- */
EVGPU_16_MEMORY(__half, unsigned short)
EVGPU_16_MEMORY(__half2, unsigned int)
EVGPU_16_SHUFFLES(__half, unsigned short)
EVGPU_16_SHUFFLES(__half2, unsigned int)
EVGPU_HD __half atomicAdd(__half *address, const __half value)
{
    unsigned short old;
    __asm__ volatile("atom.add.noftz.f16 %0, [%1], %2;"
                     : "=h"(old)
                     : "l"(address), "h"(value.__x)
                     : "memory");
    return evgpu_half_of(old);
}
EVGPU_HD __half2 atomicAdd(__half2 *address, const __half2 value)
{
    unsigned int old;
    __asm__ volatile("atom.add.noftz.f16x2 %0, [%1], %2;"
                     : "=r"(old)
                     : "l"(address), "r"(evgpu_half2_bits(value))
                     : "memory");
    return evgpu_half2_of(old);
}

#endif
