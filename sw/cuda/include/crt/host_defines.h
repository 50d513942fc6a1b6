/* Qualifiers of CUDA C. A C or C++ compiler sees nothing of those that only clang's CUDA knows. */
#ifndef EVGPU_CUDA_CRT_HOST_DEFINES_H
#define EVGPU_CUDA_CRT_HOST_DEFINES_H
#define __HOST_DEFINES_H__

#ifdef __CUDA__
#define __location__(a)        __attribute__((a))
#define __launch_bounds__(...) __attribute__((launch_bounds(__VA_ARGS__)))
#define __maxnreg__(...)
/* A launch of a kernel that asks for a cluster of several blocks is an error. */
#define __cluster_dims__(...)                                                                      \
    __attribute__((diagnose_if(EVGPU_BLOCKS(__VA_ARGS__, 1, 1, 1) != 1,                            \
                               "evgpu has no clusters of several blocks", "error")))
#define EVGPU_BLOCKS(x, y, z, ...) ((x) * (y) * (z))
#define __grid_constant__
#else
#define __location__(a)
#endif

#define __host__   __location__(host)
#define __device__ __location__(device)
#define __global__ __location__(global)
/* In device code host code may name functions of the device (nvcc puts this in front of them). */
#ifdef __CUDA_ARCH__
#define __evgpu_host__ __host__
#else
#define __evgpu_host__
#endif
#define __shared__ __location__(shared)
#ifdef __CUDA_ARCH__
/* The host may write a static variable by its name: the compiler must not take it for zero. */
#define __constant__ __location__(constant) __attribute__((used))
#else
#define __constant__ __location__(constant)
#endif

#if defined(__CUDA__) && !defined(__managed__)
/* clang 14 has no such variables in CUDA: nvcc rewrites a declaration where it meets this error
 * (crt/managed.h). */
#define __managed__ _Pragma("GCC error \"__managed__ variable\"")
#endif

/* The C library uses a keyword-like __noinline__ as an attribute's name. */
#ifdef __CUDA__
#define __noinline__ __attribute__((noinline))
#endif
#ifndef __forceinline__
#define __forceinline__ __inline__ __attribute__((always_inline))
#endif
#ifndef __align__
#define __align__(n) __attribute__((aligned(n)))
#endif
#ifndef __builtin_align__
#define __builtin_align__(n) __align__(n)
#endif
#define __no_return__ __attribute__((noreturn))
#define __thread__    __thread
#define __import__
#define __export__
#define __cdecl
#define __annotate__(a) __attribute__((a))
#define __device_builtin__
#define __device_builtin_texture_type__ __location__(device_builtin_texture_type)
#define __device_builtin_surface_type__ __location__(device_builtin_surface_type)
#define __cudart_builtin__
#ifndef CUDARTAPI
#define CUDARTAPI
#define CUDARTAPI_CDECL
#define CUDART_CB
#endif

#endif
