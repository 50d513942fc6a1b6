/* Streams and events of the runtime API. */
#include "sw/cuda/runtime/state.h"

cudaError_t cudaStreamCreateWithPriority(cudaStream_t *pStream, unsigned int flags, int priority)
{
    return rt_done(evc_stream_create(flags, priority, (CUstream *)(void *)pStream));
}

cudaError_t cudaStreamCreateWithFlags(cudaStream_t *pStream, unsigned int flags)
{
    return cudaStreamCreateWithPriority(pStream, flags, 0);
}

cudaError_t cudaStreamCreate(cudaStream_t *pStream)
{
    return cudaStreamCreateWithPriority(pStream, cudaStreamDefault, 0);
}

cudaError_t cudaStreamGetPriority(cudaStream_t hStream, int *priority)
{
    RT_CHECK(priority, cudaErrorInvalidValue);
    return rt_done(evc_stream_info(RT_STREAM(hStream), NULL, priority));
}

cudaError_t cudaStreamGetFlags(cudaStream_t hStream, unsigned int *flags)
{
    RT_CHECK(flags, cudaErrorInvalidValue);
    return rt_done(evc_stream_info(RT_STREAM(hStream), flags, NULL));
}

cudaError_t cudaStreamGetId(cudaStream_t hStream, unsigned long long *streamId)
{
    uint64_t id = 0;
    RT_CHECK(streamId, cudaErrorInvalidValue);
    CUresult status = evc_stream_info(RT_STREAM(hStream), NULL, NULL);
    if (!status)
        status = evc_stream_id(RT_STREAM(hStream), &id);
    *streamId = id;
    return rt_done(status);
}

cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned int flags)
{
    RT_CHECK(flags <= 1, cudaErrorInvalidValue);
    return rt_done(
        evc_stream_wait_flags(RT_STREAM(stream), RT_EVENT(event), flags == cudaEventWaitExternal));
}

cudaError_t cudaStreamAddCallback(cudaStream_t stream, cudaStreamCallback_t callback,
                                  void *userData, unsigned int flags)
{
    RT_CHECK(!flags, cudaErrorInvalidValue);
    /* The same function type but for the names of handle and error. */
    CUstreamCallback same = (CUstreamCallback)(void (*)(void))callback;
    return rt_done(evc_host_function(RT_STREAM(stream), NULL, same, userData));
}

cudaError_t cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t fn, void *userData)
{
    return rt_done(evc_host_function(RT_STREAM(stream), fn, NULL, userData));
}

cudaError_t cudaStreamSynchronize(cudaStream_t stream)
{
    return rt_done(evc_stream_op(WIRE_STREAM_SYNC, RT_STREAM(stream)));
}

cudaError_t cudaStreamQuery(cudaStream_t stream)
{
    return rt_done(evc_stream_op(WIRE_STREAM_QUERY, RT_STREAM(stream)));
}

/* --- attributes: both APIs have the same types --------------------------------------------------
 */

cudaError_t cudaStreamSetAttribute(cudaStream_t hStream, enum cudaStreamAttrID attr,
                                   const union cudaStreamAttrValue *value)
{
    return rt_done(evc_attribute_set(RT_STREAM(hStream), (CUstreamAttrID)attr,
                                     (const CUstreamAttrValue *)(const void *)value));
}

cudaError_t cudaStreamGetAttribute(cudaStream_t hStream, enum cudaStreamAttrID attr,
                                   union cudaStreamAttrValue *value_out)
{
    return rt_done(evc_attribute_get(RT_STREAM(hStream), (CUstreamAttrID)attr,
                                     (CUstreamAttrValue *)(void *)value_out));
}

cudaError_t cudaStreamCopyAttributes(cudaStream_t dst, cudaStream_t src)
{
    return rt_done(evc_attributes_copy(RT_STREAM(dst), RT_STREAM(src)));
}

cudaError_t cudaStreamDestroy(cudaStream_t stream)
{
    return rt_done(evc_stream_destroy(RT_STREAM(stream)));
}

cudaError_t cudaCtxResetPersistingL2Cache(void)
{
    return rt_done(evc_device() ? CUDA_SUCCESS : CUDA_ERROR_DEVICE_UNAVAILABLE);
}

/* Managed memory is always in reach of everybody. */
cudaError_t cudaStreamAttachMemAsync(cudaStream_t stream, void *devPtr, size_t length,
                                     unsigned int flags)
{
    struct evc_pointer info;
    (void)length;
    RT_CHECK(flags == cudaMemAttachGlobal || flags == cudaMemAttachHost ||
                 flags == cudaMemAttachSingle,
             cudaErrorInvalidValue);
    CUresult status = evc_pointer(devPtr, &info);
    RT_CHECK(!status, status);
    RT_CHECK(info.kind == WIRE_MANAGED, cudaErrorInvalidValue);
    return rt_done(evc_stream_info(RT_STREAM(stream), NULL, NULL));
}

cudaError_t cudaEventCreateWithFlags(cudaEvent_t *event, unsigned int flags)
{
    return rt_done(evc_event_create(flags, (CUevent *)(void *)event));
}

cudaError_t cudaEventCreate(cudaEvent_t *event)
{
    return cudaEventCreateWithFlags(event, cudaEventDefault);
}

cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream)
{
    return rt_done(evc_event_record(RT_EVENT(event), RT_STREAM(stream)));
}

cudaError_t cudaEventRecordWithFlags(cudaEvent_t event, cudaStream_t stream, unsigned int flags)
{
    RT_CHECK(flags <= cudaEventRecordExternal, cudaErrorInvalidValue);
    return rt_done(evc_event_record_flags(RT_EVENT(event), RT_STREAM(stream),
                                          flags == cudaEventRecordExternal));
}

cudaError_t cudaEventQuery(cudaEvent_t event)
{
    return rt_done(evc_event_op(WIRE_EVENT_QUERY, RT_EVENT(event)));
}

cudaError_t cudaEventSynchronize(cudaEvent_t event)
{
    return rt_done(evc_event_op(WIRE_EVENT_SYNC, RT_EVENT(event)));
}

cudaError_t cudaEventDestroy(cudaEvent_t event)
{
    return rt_done(evc_event_op(WIRE_EVENT_DESTROY, RT_EVENT(event)));
}

cudaError_t cudaEventElapsedTime(float *ms, cudaEvent_t start, cudaEvent_t end)
{
    return rt_done(evc_event_elapsed(ms, RT_EVENT(start), RT_EVENT(end)));
}
