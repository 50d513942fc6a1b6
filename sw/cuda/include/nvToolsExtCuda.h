/* Names of the driver API's objects for a profiler: see nvToolsExt.h. */
#ifndef EVGPU_CUDA_NV_TOOLS_EXT_CUDA_H
#define EVGPU_CUDA_NV_TOOLS_EXT_CUDA_H

#include "cuda.h"

#include "nvToolsExt.h"

#define EVGPU_NVTX_NAME(name, T)                                                                   \
    static __inline__ void name##A(T what, const char *text)                                       \
    {                                                                                              \
        (void)what, (void)text;                                                                    \
    }                                                                                              \
    static __inline__ void name##W(T what, const wchar_t *text)                                    \
    {                                                                                              \
        (void)what, (void)text;                                                                    \
    }
EVGPU_NVTX_NAME(nvtxNameCuDevice, CUdevice)
EVGPU_NVTX_NAME(nvtxNameCuContext, CUcontext)
EVGPU_NVTX_NAME(nvtxNameCuStream, CUstream)
EVGPU_NVTX_NAME(nvtxNameCuEvent, CUevent)
#undef EVGPU_NVTX_NAME

#define nvtxNameCuDevice  nvtxNameCuDeviceA
#define nvtxNameCuContext nvtxNameCuContextA
#define nvtxNameCuStream  nvtxNameCuStreamA
#define nvtxNameCuEvent   nvtxNameCuEventA

#endif
