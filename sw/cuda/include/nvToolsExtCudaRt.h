/* Names of the runtime API's objects for a profiler: see nvToolsExt.h. */
#ifndef EVGPU_CUDA_NV_TOOLS_EXT_CUDA_RT_H
#define EVGPU_CUDA_NV_TOOLS_EXT_CUDA_RT_H

#include "cuda_runtime_api.h"

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
EVGPU_NVTX_NAME(nvtxNameCudaDevice, int)
EVGPU_NVTX_NAME(nvtxNameCudaStream, cudaStream_t)
EVGPU_NVTX_NAME(nvtxNameCudaEvent, cudaEvent_t)
#undef EVGPU_NVTX_NAME

#define nvtxNameCudaDevice nvtxNameCudaDeviceA
#define nvtxNameCudaStream nvtxNameCudaStreamA
#define nvtxNameCudaEvent  nvtxNameCudaEventA

#endif
