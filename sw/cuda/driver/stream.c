/* Streams and events of the driver API. */
#include "sw/cuda/driver/context.h"

CUresult cuStreamCreateWithPriority(CUstream *phStream, unsigned int flags, int priority)
{
    CU_READY();
    return evc_stream_create(flags, priority, phStream);
}

CUresult cuStreamCreate(CUstream *phStream, unsigned int Flags)
{
    return cuStreamCreateWithPriority(phStream, Flags, 0);
}

CUresult cuStreamGetPriority(CUstream hStream, int *priority)
{
    CU_READY();
    CU_CHECK(priority, CUDA_ERROR_INVALID_VALUE);
    return evc_stream_info(hStream, NULL, priority);
}

CUresult cuStreamGetFlags(CUstream hStream, unsigned int *flags)
{
    CU_READY();
    CU_CHECK(flags, CUDA_ERROR_INVALID_VALUE);
    return evc_stream_info(hStream, flags, NULL);
}

CUresult cuStreamGetCtx(CUstream hStream, CUcontext *pctx)
{
    CU_READY();
    CU_CHECK(pctx, CUDA_ERROR_INVALID_VALUE);
    CUresult status = evc_stream_info(hStream, NULL, NULL);
    return status ? status : cuCtxGetCurrent(pctx);
}

CUresult cuStreamWaitEvent(CUstream hStream, CUevent hEvent, unsigned int Flags)
{
    CU_READY_FOR(hStream);
    CU_CHECK(Flags <= 1, CUDA_ERROR_INVALID_VALUE);
    return evc_stream_wait_flags(hStream, hEvent, Flags == CU_EVENT_WAIT_EXTERNAL);
}

CUresult cuStreamAddCallback(CUstream hStream, CUstreamCallback callback, void *userData,
                             unsigned int flags)
{
    CU_READY();
    CU_CHECK(!flags, CUDA_ERROR_INVALID_VALUE);
    return evc_host_function(hStream, NULL, callback, userData);
}

CUresult cuLaunchHostFunc(CUstream hStream, CUhostFn fn, void *userData)
{
    CU_READY();
    return evc_host_function(hStream, fn, NULL, userData);
}

CUresult cuStreamAttachMemAsync(CUstream hStream, CUdeviceptr dptr, size_t length,
                                unsigned int flags)
{
    (void)length;
    CU_READY();
    CU_CHECK(flags == CU_MEM_ATTACH_GLOBAL || flags == CU_MEM_ATTACH_HOST ||
                 flags == CU_MEM_ATTACH_SINGLE,
             CUDA_ERROR_INVALID_VALUE);
    struct evc_pointer pointer;
    CUresult status = evc_pointer((const void *)(uintptr_t)dptr, &pointer);
    CU_CHECK(!status, status);
    CU_CHECK(pointer.bytes && pointer.kind == WIRE_MANAGED, CUDA_ERROR_INVALID_VALUE);
    return evc_stream_info(hStream, NULL, NULL);
}

CUresult cuStreamGetId(CUstream hStream, unsigned long long *streamId)
{
    uint64_t id = 0;
    CU_READY();
    CU_CHECK(streamId, CUDA_ERROR_INVALID_VALUE);
    CUresult status = evc_stream_info(hStream, NULL, NULL);
    if (!status)
        status = evc_stream_id(hStream, &id);
    *streamId = id;
    return status;
}

CUresult cuStreamQuery(CUstream hStream)
{
    CU_READY();
    return evc_stream_op(WIRE_STREAM_QUERY, hStream);
}

CUresult cuStreamSynchronize(CUstream hStream)
{
    CU_READY();
    return evc_stream_op(WIRE_STREAM_SYNC, hStream);
}

CUresult cuStreamDestroy(CUstream hStream)
{
    CU_READY();
    return evc_stream_destroy(hStream);
}

CUresult cuStreamSetAttribute(CUstream hStream, CUstreamAttrID attr, const CUstreamAttrValue *value)
{
    CU_READY();
    CUresult status = evc_attribute_set(hStream, attr, value);
    CU_CHECK(!status, status);
    return status;
}

CUresult cuStreamGetAttribute(CUstream hStream, CUstreamAttrID attr, CUstreamAttrValue *value_out)
{
    CU_READY();
    CUresult status = evc_attribute_get(hStream, attr, value_out);
    CU_CHECK(!status, status);
    return status;
}

CUresult cuStreamCopyAttributes(CUstream dst, CUstream src)
{
    CU_READY();
    CUresult status = evc_attributes_copy(dst, src);
    CU_CHECK(!status, status);
    return status;
}

CUresult cuEventCreate(CUevent *phEvent, unsigned int Flags)
{
    CU_READY();
    return evc_event_create(Flags, phEvent);
}

CUresult cuEventRecord(CUevent hEvent, CUstream hStream)
{
    CU_READY_FOR(hStream);
    return evc_event_record(hEvent, hStream);
}

CUresult cuEventRecordWithFlags(CUevent hEvent, CUstream hStream, unsigned int flags)
{
    CU_READY_FOR(hStream);
    CU_CHECK(flags <= CU_EVENT_RECORD_EXTERNAL, CUDA_ERROR_INVALID_VALUE);
    return evc_event_record_flags(hEvent, hStream, flags == CU_EVENT_RECORD_EXTERNAL);
}

CUresult cuEventQuery(CUevent hEvent)
{
    CU_READY_KNOWN();
    return evc_event_op(WIRE_EVENT_QUERY, hEvent);
}

CUresult cuEventSynchronize(CUevent hEvent)
{
    CU_READY_KNOWN();
    return evc_event_op(WIRE_EVENT_SYNC, hEvent);
}

CUresult cuEventDestroy(CUevent hEvent)
{
    CU_READY_KNOWN();
    return evc_event_op(WIRE_EVENT_DESTROY, hEvent);
}

CUresult cuEventElapsedTime(float *pMilliseconds, CUevent hStart, CUevent hEnd)
{
    CU_READY_KNOWN();
    return evc_event_elapsed(pMilliseconds, hStart, hEnd);
}
