/* Names of the driver API's objects for a profiler: see nvToolsExt.h. */
#ifndef EVGPU_CUDA_NV_TOOLS_EXT_CUDA_H
#define EVGPU_CUDA_NV_TOOLS_EXT_CUDA_H

#include "cuda.h"

#include "nvToolsExt.h"

EVGPU_NVTX_OBJECT(nvtxNameCuDevice, CUdevice)
EVGPU_NVTX_OBJECT(nvtxNameCuContext, CUcontext)
EVGPU_NVTX_OBJECT(nvtxNameCuStream, CUstream)
EVGPU_NVTX_OBJECT(nvtxNameCuEvent, CUevent)

#define nvtxNameCuDevice  nvtxNameCuDeviceA
#define nvtxNameCuContext nvtxNameCuContextA
#define nvtxNameCuStream  nvtxNameCuStreamA
#define nvtxNameCuEvent   nvtxNameCuEventA

#endif
