/* Constructors of the vector types, in host and device code, in C and C++. */
#ifndef EVGPU_CUDA_VECTOR_FUNCTIONS_H
#define EVGPU_CUDA_VECTOR_FUNCTIONS_H
#define __VECTOR_FUNCTIONS_H__

#include "crt/host_defines.h"

#include "vector_types.h"

/* As CUDA's does: a program that includes it, or a header of halves, may call the runtime. In .cu
 * files cuda_runtime.h decides the order. */
#ifndef __CUDA__
#include "cuda_runtime_api.h"
#endif

#ifdef __CUDA__
#define EVGPU_MAKE(type)                                                                           \
    static __inline__ __host__ __device__ __attribute__((unused, always_inline)) type make_##type
#else
#define EVGPU_MAKE(type) static __inline__ __attribute__((unused)) type make_##type
#endif

#define EVGPU_MAKERS(T, name)                                                                      \
    EVGPU_MAKE(name##1)(T x)                                                                       \
    {                                                                                              \
        name##1 t;                                                                                 \
        t.x = x;                                                                                   \
        return t;                                                                                  \
    }                                                                                              \
    EVGPU_MAKE(name##2)(T x, T y)                                                                  \
    {                                                                                              \
        name##2 t;                                                                                 \
        t.x = x;                                                                                   \
        t.y = y;                                                                                   \
        return t;                                                                                  \
    }                                                                                              \
    EVGPU_MAKE(name##3)(T x, T y, T z)                                                             \
    {                                                                                              \
        name##3 t;                                                                                 \
        t.x = x;                                                                                   \
        t.y = y;                                                                                   \
        t.z = z;                                                                                   \
        return t;                                                                                  \
    }                                                                                              \
    EVGPU_MAKE(name##4)(T x, T y, T z, T w)                                                        \
    {                                                                                              \
        name##4 t;                                                                                 \
        t.x = x;                                                                                   \
        t.y = y;                                                                                   \
        t.z = z;                                                                                   \
        t.w = w;                                                                                   \
        return t;                                                                                  \
    }

EVGPU_MAKERS(signed char, char)
EVGPU_MAKERS(unsigned char, uchar)
EVGPU_MAKERS(short, short)
EVGPU_MAKERS(unsigned short, ushort)
EVGPU_MAKERS(int, int)
EVGPU_MAKERS(unsigned int, uint)
EVGPU_MAKERS(long, long)
EVGPU_MAKERS(unsigned long, ulong)
EVGPU_MAKERS(float, float)
EVGPU_MAKERS(long long, longlong)
EVGPU_MAKERS(unsigned long long, ulonglong)
EVGPU_MAKERS(double, double)
#undef EVGPU_MAKERS
#undef EVGPU_MAKE

#endif
