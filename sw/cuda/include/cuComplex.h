/* Complex numbers as structs, for host and device: CUDA's cuComplex.h. */
#ifndef EVGPU_CUDA_CUCOMPLEX_H
#define EVGPU_CUDA_CUCOMPLEX_H

#include <math.h>

#include "crt/host_defines.h"

#include "vector_types.h"

typedef float2 cuFloatComplex;
typedef double2 cuDoubleComplex;
typedef cuFloatComplex cuComplex;

/* Both precisions. */
#define CUCOMPLEX_EACH(T, C, MAKE, REAL, IMAG, CONJ, ADD, SUB, MUL, DIV, ABS, FMA, HYPOT, FABS)    \
    static __inline__ __host__ __device__ C MAKE(T real, T imag)                                   \
    {                                                                                              \
        C made;                                                                                    \
        made.x = real;                                                                             \
        made.y = imag;                                                                             \
        return made;                                                                               \
    }                                                                                              \
    static __inline__ __host__ __device__ T REAL(C a)                                              \
    {                                                                                              \
        return a.x;                                                                                \
    }                                                                                              \
    static __inline__ __host__ __device__ T IMAG(C a)                                              \
    {                                                                                              \
        return a.y;                                                                                \
    }                                                                                              \
    static __inline__ __host__ __device__ C CONJ(C a)                                              \
    {                                                                                              \
        return MAKE(a.x, -a.y);                                                                    \
    }                                                                                              \
    static __inline__ __host__ __device__ C ADD(C a, C b)                                          \
    {                                                                                              \
        return MAKE(a.x + b.x, a.y + b.y);                                                         \
    }                                                                                              \
    static __inline__ __host__ __device__ C SUB(C a, C b)                                          \
    {                                                                                              \
        return MAKE(a.x - b.x, a.y - b.y);                                                         \
    }                                                                                              \
    static __inline__ __host__ __device__ C MUL(C a, C b)                                          \
    {                                                                                              \
        return MAKE(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x);                                 \
    }                                                                                              \
    /* Scaled, so that squares neither overflow nor vanish. */                                     \
    static __inline__ __host__ __device__ C DIV(C a, C b)                                          \
    {                                                                                              \
        T scale = 1 / (FABS(b.x) + FABS(b.y));                                                     \
        T ax = a.x * scale, ay = a.y * scale, bx = b.x * scale, by = b.y * scale;                  \
        T over = 1 / (bx * bx + by * by);                                                          \
        return MAKE((ax * bx + ay * by) * over, (ay * bx - ax * by) * over);                       \
    }                                                                                              \
    static __inline__ __host__ __device__ T ABS(C a)                                               \
    {                                                                                              \
        return HYPOT(a.x, a.y);                                                                    \
    }                                                                                              \
    /* a * b + c */                                                                                \
    static __inline__ __host__ __device__ C FMA(C a, C b, C c)                                     \
    {                                                                                              \
        return ADD(MUL(a, b), c);                                                                  \
    }
CUCOMPLEX_EACH(float, cuFloatComplex, make_cuFloatComplex, cuCrealf, cuCimagf, cuConjf, cuCaddf,
               cuCsubf, cuCmulf, cuCdivf, cuCabsf, cuCfmaf, hypotf, fabsf)
CUCOMPLEX_EACH(double, cuDoubleComplex, make_cuDoubleComplex, cuCreal, cuCimag, cuConj, cuCadd,
               cuCsub, cuCmul, cuCdiv, cuCabs, cuCfma, hypot, fabs)
#undef CUCOMPLEX_EACH

static __inline__ __host__ __device__ cuComplex make_cuComplex(float real, float imag)
{
    return make_cuFloatComplex(real, imag);
}

static __inline__ __host__ __device__ cuDoubleComplex cuComplexFloatToDouble(cuFloatComplex a)
{
    return make_cuDoubleComplex(a.x, a.y);
}

static __inline__ __host__ __device__ cuFloatComplex cuComplexDoubleToFloat(cuDoubleComplex a)
{
    return make_cuFloatComplex((float)a.x, (float)a.y);
}

#endif
