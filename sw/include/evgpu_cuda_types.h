/* Conversions of the built-in variables; included by evgpu_cuda.h. */
#ifndef EVGPU_SW_EVGPU_CUDA_TYPES_H
#define EVGPU_SW_EVGPU_CUDA_TYPES_H

/* Every function of these headers. nodebug: what they do counts to the line that calls them, so
 * that messages name the user's line. */
#define EVGPU_DEVICE static __inline__ __attribute__((device, always_inline, unused, nodebug))

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
