/* Streams and events of the runtime API. */
#include <pthread.h>
#include <stdlib.h>

#include "sw/cuda/runtime/state.h"

#define RT_EVENT(event) ((CUevent)(void *)(event))

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
    return rt_done(evc_stream_wait(RT_STREAM(stream), RT_EVENT(event)));
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

/* --- attributes: hints, kept -------------------------------------------------------------------
 */

struct attributes {
    cudaStream_t stream;
    struct cudaAccessPolicyWindow window;
    enum cudaSynchronizationPolicy policy;
    struct attributes *next;
};

static struct {
    pthread_mutex_t lock;
    struct attributes *all;
} kept = {.lock = PTHREAD_MUTEX_INITIALIZER};

/* With the lock held; NULL: out of memory. */
static struct attributes *attributes_of(cudaStream_t stream)
{
    struct attributes *a = kept.all;
    while (a && a->stream != stream)
        a = a->next;
    if (!a && (a = calloc(1, sizeof *a))) {
        *a = (struct attributes){.stream = stream, .policy = cudaSyncPolicyAuto, .next = kept.all};
        kept.all = a;
    }
    return a;
}

static bool is_attribute(enum cudaStreamAttrID attr)
{
    return attr == cudaStreamAttributeAccessPolicyWindow ||
           attr == cudaStreamAttributeSynchronizationPolicy;
}

cudaError_t cudaStreamSetAttribute(cudaStream_t hStream, enum cudaStreamAttrID attr,
                                   const union cudaStreamAttrValue *value)
{
    RT_CHECK(value && is_attribute(attr), cudaErrorInvalidValue);
    CUresult status = evc_stream_info(RT_STREAM(hStream), NULL, NULL);
    RT_CHECK(!status, status);
    const struct cudaAccessPolicyWindow *window = &value->accessPolicyWindow;
    bool of_window = attr == cudaStreamAttributeAccessPolicyWindow;
    RT_CHECK(!of_window || (window->hitRatio >= 0 && window->hitRatio <= 1 &&
                            window->missProp != cudaAccessPropertyPersisting),
             cudaErrorInvalidValue);
    pthread_mutex_lock(&kept.lock);
    struct attributes *a = attributes_of(hStream);
    if (a && of_window)
        a->window = *window;
    else if (a)
        a->policy = value->syncPolicy;
    pthread_mutex_unlock(&kept.lock);
    return rt_done(a ? CUDA_SUCCESS : CUDA_ERROR_OUT_OF_MEMORY);
}

cudaError_t cudaStreamGetAttribute(cudaStream_t hStream, enum cudaStreamAttrID attr,
                                   union cudaStreamAttrValue *value_out)
{
    RT_CHECK(value_out && is_attribute(attr), cudaErrorInvalidValue);
    CUresult status = evc_stream_info(RT_STREAM(hStream), NULL, NULL);
    RT_CHECK(!status, status);
    pthread_mutex_lock(&kept.lock);
    const struct attributes *a = attributes_of(hStream);
    if (a && attr == cudaStreamAttributeAccessPolicyWindow)
        value_out->accessPolicyWindow = a->window;
    else if (a)
        value_out->syncPolicy = a->policy;
    pthread_mutex_unlock(&kept.lock);
    return rt_done(a ? CUDA_SUCCESS : CUDA_ERROR_OUT_OF_MEMORY);
}

cudaError_t cudaStreamCopyAttributes(cudaStream_t dst, cudaStream_t src)
{
    CUresult status = evc_stream_info(RT_STREAM(src), NULL, NULL);
    if (!status)
        status = evc_stream_info(RT_STREAM(dst), NULL, NULL);
    RT_CHECK(!status, status);
    pthread_mutex_lock(&kept.lock);
    struct attributes *from = attributes_of(src), *to = attributes_of(dst);
    if (from && to) {
        to->window = from->window;
        to->policy = from->policy;
    }
    pthread_mutex_unlock(&kept.lock);
    return rt_done(from && to ? CUDA_SUCCESS : CUDA_ERROR_OUT_OF_MEMORY);
}

/* A later stream may get the same handle. */
static void forget_attributes(cudaStream_t stream)
{
    pthread_mutex_lock(&kept.lock);
    for (struct attributes **at = &kept.all; *at; at = &(*at)->next) {
        struct attributes *a = *at;
        if (a->stream == stream) {
            *at = a->next;
            free(a);
            break;
        }
    }
    pthread_mutex_unlock(&kept.lock);
}

cudaError_t cudaStreamDestroy(cudaStream_t stream)
{
    forget_attributes(stream);
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
    RT_CHECK(flags <= 1, cudaErrorInvalidValue);
    return cudaEventRecord(event, stream);
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
