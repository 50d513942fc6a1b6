/* Names of the runtime API's objects for a profiler: see nvToolsExt.h. */
#ifndef EVGPU_CUDA_NV_TOOLS_EXT_CUDA_RT_H
#define EVGPU_CUDA_NV_TOOLS_EXT_CUDA_RT_H

#include "cuda_runtime_api.h"

#include "nvToolsExt.h"

EVGPU_NVTX_OBJECT(nvtxNameCudaDevice, int)
EVGPU_NVTX_OBJECT(nvtxNameCudaStream, cudaStream_t)
EVGPU_NVTX_OBJECT(nvtxNameCudaEvent, cudaEvent_t)

#define nvtxNameCudaDevice nvtxNameCudaDeviceA
#define nvtxNameCudaStream nvtxNameCudaStreamA
#define nvtxNameCudaEvent  nvtxNameCudaEventA

#endif
