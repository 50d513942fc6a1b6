/* Qualifiers, built-in variables and vector types of CUDA C; included by evgpu_cuda.h. */
#ifndef EVGPU_SW_EVGPU_CUDA_TYPES_H
#define EVGPU_SW_EVGPU_CUDA_TYPES_H

/* Every function of these headers. */
#define EVGPU_DEVICE static __inline__ __attribute__((device, always_inline, unused))
/* Constructors may also run on the host, in a file that has host code. */
#define EVGPU_BOTH static __inline__ __attribute__((host, device, always_inline, unused))

/* Below nvcc and its cuda_runtime.h, the types are there already. */
#ifndef __CUDACC__

#define __global__   __attribute__((global))
#define __device__   __attribute__((device))
#define __host__     __attribute__((host))
#define __shared__   __attribute__((shared))
#define __constant__ __attribute__((constant))

#define __forceinline__        inline __attribute__((always_inline))
#define __noinline__           __attribute__((noinline))
#define __launch_bounds__(...) __attribute__((launch_bounds(__VA_ARGS__)))
#define __align__(n)           __attribute__((aligned(n)))

#include <__clang_cuda_builtin_vars.h>

typedef __SIZE_TYPE__ size_t;

#define EVGPU_VECTOR(T, name, align1, align2, align4)                                              \
    struct name##1                                                                                 \
    {                                                                                              \
        T x;                                                                                       \
    };                                                                                             \
    struct __attribute__((aligned(align2))) name##2                                                \
    {                                                                                              \
        T x, y;                                                                                    \
    };                                                                                             \
    struct name##3                                                                                 \
    {                                                                                              \
        T x, y, z;                                                                                 \
    };                                                                                             \
    struct __attribute__((aligned(align4))) name##4                                                \
    {                                                                                              \
        T x, y, z, w;                                                                              \
    };                                                                                             \
    EVGPU_BOTH name##1 make_##name##1(T x)                                                         \
    {                                                                                              \
        return {x};                                                                                \
    }                                                                                              \
    EVGPU_BOTH name##2 make_##name##2(T x, T y)                                                    \
    {                                                                                              \
        return {x, y};                                                                             \
    }                                                                                              \
    EVGPU_BOTH name##3 make_##name##3(T x, T y, T z)                                               \
    {                                                                                              \
        return {x, y, z};                                                                          \
    }                                                                                              \
    EVGPU_BOTH name##4 make_##name##4(T x, T y, T z, T w)                                          \
    {                                                                                              \
        return {x, y, z, w};                                                                       \
    }

EVGPU_VECTOR(signed char, char, 1, 2, 4)
EVGPU_VECTOR(unsigned char, uchar, 1, 2, 4)
EVGPU_VECTOR(short, short, 2, 4, 8)
EVGPU_VECTOR(unsigned short, ushort, 2, 4, 8)
EVGPU_VECTOR(int, int, 4, 8, 16)
EVGPU_VECTOR(unsigned int, uint, 4, 8, 16)
EVGPU_VECTOR(long, long, 8, 16, 16)
EVGPU_VECTOR(unsigned long, ulong, 8, 16, 16)
EVGPU_VECTOR(long long, longlong, 8, 16, 16)
EVGPU_VECTOR(unsigned long long, ulonglong, 8, 16, 16)
EVGPU_VECTOR(float, float, 4, 8, 16)
EVGPU_VECTOR(double, double, 8, 16, 16)
#undef EVGPU_VECTOR

struct dim3 {
    unsigned int x, y, z;
    __host__ __device__ constexpr dim3(unsigned int vx = 1, unsigned int vy = 1,
                                       unsigned int vz = 1)
        : x(vx), y(vy), z(vz)
    {
    }
    __host__ __device__ constexpr dim3(uint3 v) : x(v.x), y(v.y), z(v.z)
    {
    }
    __host__ __device__ constexpr operator uint3() const
    {
        return {x, y, z};
    }
};

#endif

/* The conversions that clang's header declares and leaves to the vector types. */
#define EVGPU_BUILTIN_VARIABLE(type)                                                               \
    __device__ inline type::operator dim3() const                                                  \
    {                                                                                              \
        return dim3(x, y, z);                                                                      \
    }
EVGPU_BUILTIN_VARIABLE(__cuda_builtin_threadIdx_t)
EVGPU_BUILTIN_VARIABLE(__cuda_builtin_blockIdx_t)
EVGPU_BUILTIN_VARIABLE(__cuda_builtin_blockDim_t)
EVGPU_BUILTIN_VARIABLE(__cuda_builtin_gridDim_t)
#undef EVGPU_BUILTIN_VARIABLE

__device__ inline __cuda_builtin_threadIdx_t::operator uint3() const
{
    return {x, y, z};
}
__device__ inline __cuda_builtin_blockIdx_t::operator uint3() const
{
    return {x, y, z};
}

#endif
