/* Built-in functions of device code; included by cuda_runtime.h. */
#ifndef EVGPU_CUDA_CRT_DEVICE_CODE_H
#define EVGPU_CUDA_CRT_DEVICE_CODE_H

#include "evgpu_cuda.h"

#include "crt/texture_fetch.h"

#ifdef __cplusplus
#include "evgpu_cuda_launch.h"
#endif

#endif
