/* Built-in functions of device code; included by cuda_runtime.h. */
#ifndef EVGPU_CUDA_CRT_DEVICE_CODE_H
#define EVGPU_CUDA_CRT_DEVICE_CODE_H

#include "evgpu_cuda.h"

#include "crt/texture_fetch.h"

#ifdef __cplusplus
#include "crt/device_errors.h"
#include "evgpu_cuda_launch.h"

#include "crt/managed.h"

/* nvcc's questions about lambdas of --extended-lambda: clang's lambdas need no such treatment. */
#define __nv_is_extended_device_lambda_closure_type(type)               false
#define __nv_is_extended_host_device_lambda_closure_type(type)          false
#define __nv_is_extended_device_lambda_with_preserved_return_type(type) false

/* What nvcc makes of a shared variable whose type has a constructor: nobody runs it. */
template <class T> struct evgpu_shared {
    alignas(T) unsigned char bytes[sizeof(T)];
    __device__ __inline__ T &value()
    {
        return *reinterpret_cast<T *>(bytes);
    }
};
#endif

#endif
