/* What a program has said of its streams: hints, kept. */
#include <pthread.h>
#include <stdlib.h>

#include "sw/cuda/client/core.h"

struct attributes {
    CUstream stream;
    CUaccessPolicyWindow window;
    CUsynchronizationPolicy policy;
    struct attributes *next;
};

static struct {
    pthread_mutex_t lock;
    struct attributes *all;
} kept = {.lock = PTHREAD_MUTEX_INITIALIZER};

/* With the lock held; NULL: out of memory. */
static struct attributes *attributes_of(CUstream stream)
{
    struct attributes *a = kept.all;
    while (a && a->stream != stream)
        a = a->next;
    if (!a && (a = calloc(1, sizeof *a))) {
        *a = (struct attributes){.stream = stream, .policy = CU_SYNC_POLICY_AUTO, .next = kept.all};
        kept.all = a;
    }
    return a;
}

static CUresult check(CUstream stream, CUstreamAttrID attr, const void *value)
{
    if (!value || (attr != CU_STREAM_ATTRIBUTE_ACCESS_POLICY_WINDOW &&
                   attr != CU_STREAM_ATTRIBUTE_SYNCHRONIZATION_POLICY))
        return CUDA_ERROR_INVALID_VALUE;
    return evc_stream_info(stream, NULL, NULL);
}

CUresult evc_attribute_set(CUstream stream, CUstreamAttrID attr, const CUstreamAttrValue *value)
{
    CUresult status = check(stream, attr, value);
    if (status)
        return status;
    const CUaccessPolicyWindow *window = &value->accessPolicyWindow;
    bool of_window = attr == CU_STREAM_ATTRIBUTE_ACCESS_POLICY_WINDOW;
    if (of_window && !(window->hitRatio >= 0 && window->hitRatio <= 1 &&
                       window->missProp != CU_ACCESS_PROPERTY_PERSISTING))
        return CUDA_ERROR_INVALID_VALUE;
    pthread_mutex_lock(&kept.lock);
    struct attributes *a = attributes_of(stream);
    if (a && of_window)
        a->window = *window;
    else if (a)
        a->policy = value->syncPolicy;
    pthread_mutex_unlock(&kept.lock);
    return a ? CUDA_SUCCESS : CUDA_ERROR_OUT_OF_MEMORY;
}

CUresult evc_attribute_get(CUstream stream, CUstreamAttrID attr, CUstreamAttrValue *value)
{
    CUresult status = check(stream, attr, value);
    if (status)
        return status;
    pthread_mutex_lock(&kept.lock);
    const struct attributes *a = attributes_of(stream);
    if (a && attr == CU_STREAM_ATTRIBUTE_ACCESS_POLICY_WINDOW)
        value->accessPolicyWindow = a->window;
    else if (a)
        value->syncPolicy = a->policy;
    pthread_mutex_unlock(&kept.lock);
    return a ? CUDA_SUCCESS : CUDA_ERROR_OUT_OF_MEMORY;
}

CUresult evc_attributes_copy(CUstream dst, CUstream src)
{
    CUresult status = evc_stream_info(src, NULL, NULL);
    if (!status)
        status = evc_stream_info(dst, NULL, NULL);
    if (status)
        return status;
    pthread_mutex_lock(&kept.lock);
    struct attributes *from = attributes_of(src), *to = attributes_of(dst);
    if (from && to) {
        to->window = from->window;
        to->policy = from->policy;
    }
    pthread_mutex_unlock(&kept.lock);
    return from && to ? CUDA_SUCCESS : CUDA_ERROR_OUT_OF_MEMORY;
}

void evc_attributes_forget(CUstream stream)
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
