/* What NVIDIA's toolkit has here, cuda_runtime.h brings in. */
#ifndef EVGPU_CUDA_CRT_DEVICE_FUNCTIONS_H
#define EVGPU_CUDA_CRT_DEVICE_FUNCTIONS_H

#include "../cuda_runtime.h"

#endif
