/* Built-in functions of device code; included by cuda_runtime.h. */
#ifndef EVGPU_CUDA_CRT_DEVICE_CODE_H
#define EVGPU_CUDA_CRT_DEVICE_CODE_H

#include "evgpu_cuda.h"

#include "crt/texture_fetch.h"

/* What <__clang_cuda_cmath.h> builds upon and no header of CUDA's declares. */
#define EVGPU_CLASS(T, name, expression)                                                           \
    static __inline__ __attribute__((device, always_inline, unused)) int name(T x)                 \
    {                                                                                              \
        return expression;                                                                         \
    }
EVGPU_CLASS(float, __isnanf, __builtin_isnan(x))
EVGPU_CLASS(double, __isnan, __builtin_isnan(x))
EVGPU_CLASS(float, __isinff, __builtin_isinf(x))
EVGPU_CLASS(double, __isinf, __builtin_isinf(x))
EVGPU_CLASS(float, __finitef, __builtin_isfinite(x))
EVGPU_CLASS(double, __finite, __builtin_isfinite(x))
EVGPU_CLASS(double, __isfinited, __builtin_isfinite(x))
EVGPU_CLASS(float, __signbitf, __builtin_signbitf(x))
EVGPU_CLASS(double, __signbitd, __builtin_signbit(x))
EVGPU_CLASS(double, __signbit, __builtin_signbit(x))
#undef EVGPU_CLASS
static __inline__ __attribute__((device, always_inline, unused)) double powi(double x, int y)
{
    return pow(x, (double)y);
}
static __inline__ __attribute__((device, always_inline, unused)) float powif(float x, int y)
{
    return powf(x, (float)y);
}

#include <__clang_cuda_cmath.h>

#include <__clang_cuda_complex_builtins.h>

#endif
