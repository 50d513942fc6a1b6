/* What NVIDIA's toolkit has here, cuda_runtime.h brings in. */
#ifndef EVGPU_CUDA_CUDA_DEVICE_RUNTIME_API_H
#define EVGPU_CUDA_CUDA_DEVICE_RUNTIME_API_H

#include "cuda_runtime.h"

#endif
