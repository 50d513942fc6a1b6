/* Other devices, other processes, other tools: of each there is none. */
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

/* The two descriptions differ in what is reserved in the one and a context in the other. */
static CUresult copy_3d_peer(const CUDA_MEMCPY3D_PEER *copy, CUstream stream, bool blocking)
{
    _Static_assert(sizeof(CUDA_MEMCPY3D_PEER) == sizeof(CUDA_MEMCPY3D), "of one shape");
    CUDA_MEMCPY3D here;
    CU_READY();
    CU_CHECK(copy, CUDA_ERROR_INVALID_VALUE);
    CU_CHECK(cu_context_valid(copy->dstContext) && cu_context_valid(copy->srcContext),
             CUDA_ERROR_INVALID_CONTEXT);
    memcpy(&here, copy, sizeof here);
    return blocking ? cuMemcpy3D(&here) : cuMemcpy3DAsync(&here, stream);
}

CUresult cuMemcpy3DPeer(const CUDA_MEMCPY3D_PEER *pCopy)
{
    return copy_3d_peer(pCopy, NULL, true);
}

CUresult cuMemcpy3DPeerAsync(const CUDA_MEMCPY3D_PEER *pCopy, CUstream hStream)
{
    return copy_3d_peer(pCopy, hStream, false);
}

/* --- other processes: their memory is closed to each other -------------------------------------
 */

static CUresult no_ipc(const char *call)
{
    return cu_refuse(CUDA_ERROR_NOT_SUPPORTED, call, NULL);
}

CUresult cuIpcGetEventHandle(CUipcEventHandle *pHandle, CUevent event)
{
    (void)pHandle, (void)event;
    return no_ipc(__func__);
}

CUresult cuIpcOpenEventHandle(CUevent *phEvent, CUipcEventHandle handle)
{
    (void)phEvent, (void)handle;
    return no_ipc(__func__);
}

CUresult cuIpcGetMemHandle(CUipcMemHandle *pHandle, CUdeviceptr dptr)
{
    (void)pHandle, (void)dptr;
    return no_ipc(__func__);
}

CUresult cuIpcOpenMemHandle(CUdeviceptr *pdptr, CUipcMemHandle handle, unsigned int Flags)
{
    (void)pdptr, (void)handle, (void)Flags;
    return no_ipc(__func__);
}

CUresult cuIpcCloseMemHandle(CUdeviceptr dptr)
{
    (void)dptr;
    return no_ipc(__func__);
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
