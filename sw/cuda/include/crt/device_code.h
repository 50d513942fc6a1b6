/* Built-in functions of device code; included by cuda_runtime.h. */
#ifndef EVGPU_CUDA_CRT_DEVICE_CODE_H
#define EVGPU_CUDA_CRT_DEVICE_CODE_H

#include "evgpu_cuda.h"

#include "crt/texture_fetch.h"

/* Launches in device code: declared, since Thrust's templates name them; nvcc says that they are
 * not there where a kernel calls one. */
#ifdef __cplusplus
extern "C" {
__device__ void *cudaGetParameterBuffer(size_t alignment, size_t size);
__device__ cudaError_t cudaLaunchDevice(void *func, void *parameterBuffer, dim3 gridDimension,
                                        dim3 blockDimension, unsigned int sharedMemSize,
                                        cudaStream_t stream);
}
#endif

#endif
