/* CUDA's vector types, with CUDA's alignments: a vector of 2 or 4 elements is aligned to its size,
 * at most 16 bytes; one of 3 to its element. Compiles as C and C++. */
#ifndef EVGPU_CUDA_VECTOR_TYPES_H
#define EVGPU_CUDA_VECTOR_TYPES_H
#define __VECTOR_TYPES_H__

#define EVGPU_VECTOR_TYPES(T, name, align2, align4)                                                \
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
    typedef struct name##1 name##1;                                                                \
    typedef struct name##2 name##2;                                                                \
    typedef struct name##3 name##3;                                                                \
    typedef struct name##4 name##4;

EVGPU_VECTOR_TYPES(signed char, char, 2, 4)
EVGPU_VECTOR_TYPES(unsigned char, uchar, 2, 4)
EVGPU_VECTOR_TYPES(short, short, 4, 8)
EVGPU_VECTOR_TYPES(unsigned short, ushort, 4, 8)
EVGPU_VECTOR_TYPES(int, int, 8, 16)
EVGPU_VECTOR_TYPES(unsigned int, uint, 8, 16)
EVGPU_VECTOR_TYPES(long int, long, 16, 16)
EVGPU_VECTOR_TYPES(unsigned long int, ulong, 16, 16)
EVGPU_VECTOR_TYPES(long long int, longlong, 16, 16)
EVGPU_VECTOR_TYPES(unsigned long long int, ulonglong, 16, 16)
EVGPU_VECTOR_TYPES(float, float, 8, 16)
EVGPU_VECTOR_TYPES(double, double, 16, 16)

/* Sizes of a grid or block; in C++ what is left out is 1. */
struct dim3 {
    unsigned int x, y, z;
#ifdef __cplusplus
#ifdef __CUDA__
#define EVGPU_DIM3 __attribute__((host)) __attribute__((device))
#else
#define EVGPU_DIM3
#endif
#if __cplusplus >= 201103L
    EVGPU_DIM3 constexpr dim3(unsigned int vx = 1, unsigned int vy = 1, unsigned int vz = 1)
        : x(vx), y(vy), z(vz)
    {
    }
    EVGPU_DIM3 constexpr dim3(uint3 v) : x(v.x), y(v.y), z(v.z)
    {
    }
    EVGPU_DIM3 constexpr operator uint3() const
    {
        return uint3{x, y, z};
    }
#else
    dim3(unsigned int vx = 1, unsigned int vy = 1, unsigned int vz = 1) : x(vx), y(vy), z(vz)
    {
    }
    dim3(uint3 v) : x(v.x), y(v.y), z(v.z)
    {
    }
    operator uint3() const
    {
        uint3 v = {x, y, z};
        return v;
    }
#endif
#undef EVGPU_DIM3
#endif
};
typedef struct dim3 dim3;

#endif
