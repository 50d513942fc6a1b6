/* Other devices, of which there is none, other processes and other tools. */
#include "sw/cuda/driver/context.h"
#include "sw/cuda/include/cudaProfiler.h"

/* --- peers ------------------------------------------------------------------------------------ */

CUresult cuCtxEnablePeerAccess(CUcontext peerContext, unsigned int Flags)
{
    CU_READY();
    CU_CHECK(!Flags, CUDA_ERROR_INVALID_VALUE);
    CU_CHECK(cu_context_valid(peerContext), CUDA_ERROR_INVALID_CONTEXT);
    /* The device's own contexts reach each other's memory anyway. */
    return CUDA_ERROR_PEER_ACCESS_UNSUPPORTED;
}

CUresult cuCtxDisablePeerAccess(CUcontext peerContext)
{
    CU_READY();
    CU_CHECK(cu_context_valid(peerContext), CUDA_ERROR_INVALID_CONTEXT);
    return CUDA_ERROR_PEER_ACCESS_NOT_ENABLED;
}

CUresult cuDeviceGetP2PAttribute(int *value, CUdevice_P2PAttribute attrib, CUdevice srcDevice,
                                 CUdevice dstDevice)
{
    (void)attrib, (void)srcDevice, (void)dstDevice;
    CU_CHECK(value, CUDA_ERROR_INVALID_VALUE);
    return CUDA_ERROR_INVALID_DEVICE; /* a device is no peer of itself */
}

CUresult cuMemcpyPeer(CUdeviceptr dstDevice, CUcontext dstContext, CUdeviceptr srcDevice,
                      CUcontext srcContext, size_t ByteCount)
{
    CU_READY();
    CU_CHECK(cu_context_valid(dstContext) && cu_context_valid(srcContext),
             CUDA_ERROR_INVALID_CONTEXT);
    return cuMemcpyDtoD(dstDevice, srcDevice, ByteCount);
}

CUresult cuMemcpyPeerAsync(CUdeviceptr dstDevice, CUcontext dstContext, CUdeviceptr srcDevice,
                           CUcontext srcContext, size_t ByteCount, CUstream hStream)
{
    CU_READY();
    CU_CHECK(cu_context_valid(dstContext) && cu_context_valid(srcContext),
             CUDA_ERROR_INVALID_CONTEXT);
    return cuMemcpyDtoDAsync(dstDevice, srcDevice, ByteCount, hStream);
}

/* An array and a unified address know their context, and memory of the host has none. */
static bool end_valid(CUmemorytype type, CUcontext context)
{
    return type != CU_MEMORYTYPE_DEVICE || cu_context_valid(context);
}

static bool ends_valid(const CUDA_MEMCPY3D_PEER *copy)
{
    return end_valid(copy->srcMemoryType, copy->srcContext) &&
           end_valid(copy->dstMemoryType, copy->dstContext);
}

/* The two descriptions differ in what is reserved in the one and a context in the other. */
static CUDA_MEMCPY3D within(const CUDA_MEMCPY3D_PEER *copy)
{
    _Static_assert(sizeof(CUDA_MEMCPY3D_PEER) == sizeof(CUDA_MEMCPY3D), "of one shape");
    CUDA_MEMCPY3D here;
    memcpy(&here, copy, sizeof here);
    return here;
}

CUresult cuMemcpy3DPeer(const CUDA_MEMCPY3D_PEER *pCopy)
{
    CU_READY();
    CU_CHECK(pCopy, CUDA_ERROR_INVALID_VALUE);
    CU_CHECK(ends_valid(pCopy), CUDA_ERROR_INVALID_CONTEXT);
    const CUDA_MEMCPY3D here = within(pCopy);
    return cuMemcpy3D(&here);
}

CUresult cuMemcpy3DPeerAsync(const CUDA_MEMCPY3D_PEER *pCopy, CUstream hStream)
{
    CU_READY_FOR(hStream);
    CU_CHECK(pCopy, CUDA_ERROR_INVALID_VALUE);
    CU_CHECK(ends_valid(pCopy), CUDA_ERROR_INVALID_CONTEXT);
    const CUDA_MEMCPY3D here = within(pCopy);
    return cuMemcpy3DAsync(&here, hStream);
}

/* --- other processes -------------------------------------------------------------------------- */

CUresult cuIpcGetEventHandle(CUipcEventHandle *pHandle, CUevent event)
{
    CU_READY_KNOWN();
    CU_CHECK(pHandle, CUDA_ERROR_INVALID_VALUE);
    return evc_ipc_event(event, pHandle);
}

CUresult cuIpcOpenEventHandle(CUevent *phEvent, CUipcEventHandle handle)
{
    CU_READY();
    CU_CHECK(phEvent, CUDA_ERROR_INVALID_VALUE);
    return evc_ipc_event_open(&handle, phEvent);
}

CUresult cuIpcGetMemHandle(CUipcMemHandle *pHandle, CUdeviceptr dptr)
{
    CU_READY_KNOWN();
    CU_CHECK(pHandle, CUDA_ERROR_INVALID_VALUE);
    return evc_ipc_memory(dptr, pHandle);
}

CUresult cuIpcOpenMemHandle(CUdeviceptr *pdptr, CUipcMemHandle handle, unsigned int Flags)
{
    uint64_t address = 0;
    CU_READY();
    CU_CHECK(pdptr && Flags == CU_IPC_MEM_LAZY_ENABLE_PEER_ACCESS, CUDA_ERROR_INVALID_VALUE);
    CUresult status = evc_ipc_memory_open(&handle, &address);
    if (!status)
        *pdptr = address;
    return status;
}

CUresult cuIpcCloseMemHandle(CUdeviceptr dptr)
{
    CU_READY_KNOWN();
    return evc_ipc_memory_close(dptr);
}

/* --- profiler ----------------------------------------------------------------------------------
 */

CUresult cuProfilerInitialize(const char *configFile, const char *outputFile,
                              CUoutput_mode outputMode)
{
    (void)configFile, (void)outputFile, (void)outputMode;
    return cu_refuse(CUDA_ERROR_NOT_SUPPORTED, __func__, NULL);
}

CUresult cuProfilerStart(void)
{
    CU_READY();
    return CUDA_SUCCESS;
}

CUresult cuProfilerStop(void)
{
    CU_READY();
    return CUDA_SUCCESS;
}
