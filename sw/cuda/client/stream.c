/* Streams, events and host functions. */
#include <pthread.h>
#include <stdlib.h>

#include "sw/cuda/client/graph.h"

/* A function that the simulator asks for when its turn in the stream has come. */
struct due {
    CUhostFn function;
    CUstreamCallback callback;
    CUstream stream;
    void *user;
};

static _Thread_local CUstream own_default; /* CU_STREAM_PER_THREAD */

CUresult evc_stream_id(CUstream stream, uint64_t *id)
{
    *id = 0;
    if (!stream || stream == CU_STREAM_LEGACY)
        return CUDA_SUCCESS;
    if (stream == CU_STREAM_PER_THREAD) {
        CUresult status = own_default ? CUDA_SUCCESS : evc_stream_create(0, 0, &own_default);
        *id = (uint64_t)(uintptr_t)own_default;
        return status;
    }
    *id = (uint64_t)(uintptr_t)stream;
    return CUDA_SUCCESS;
}

CUresult evc_stream_create(uint32_t flags, int priority, CUstream *stream)
{
    struct evc_call call = {.op = WIRE_STREAM_CREATE,
                            .a = {flags & CU_STREAM_NON_BLOCKING, (uint64_t)(int64_t)priority}};
    if (!stream || flags & ~(uint32_t)CU_STREAM_NON_BLOCKING)
        return CUDA_ERROR_INVALID_VALUE;
    CUresult status = evc_call(&call);
    if (!status)
        *stream = (CUstream)(uintptr_t)call.v[0];
    return status;
}

CUresult evc_stream_destroy(CUstream stream)
{
    if (!stream || stream == CU_STREAM_LEGACY || stream == CU_STREAM_PER_THREAD)
        return CUDA_ERROR_INVALID_HANDLE;
    /* A later stream may get the same handle. */
    evc_attributes_forget(stream);
    return evc_stream_op(WIRE_STREAM_DESTROY, stream);
}

CUresult evc_stream_info(CUstream stream, uint32_t *flags, int *priority)
{
    struct evc_call call = {.op = WIRE_STREAM_INFO};
    CUresult status = evc_stream_id(stream, &call.a[0]);
    if (!status)
        status = evc_call(&call);
    if (!status && flags)
        *flags = (uint32_t)call.v[0];
    if (!status && priority)
        *priority = (int)(int64_t)call.v[1];
    return status;
}

CUresult evc_stream_op(enum wire_op op, CUstream stream)
{
    struct evc_call call = {.op = (uint16_t)op};
    if (evc_capturing(stream) && !(op == WIRE_STREAM_DESTROY && evc_capture_joined(stream)))
        return CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED;
    CUresult status = evc_stream_id(stream, &call.a[0]);
    return status ? status : evc_call(&call);
}

CUresult evc_stream_wait(CUstream stream, CUevent event)
{
    struct evc_call call = {.op = WIRE_STREAM_WAIT, .a = {0, (uint64_t)(uintptr_t)event}};
    CUresult status = CUDA_SUCCESS;
    if (evc_capture_wait(stream, event, &status))
        return status;
    status = evc_stream_id(stream, &call.a[0]);
    return status ? status : evc_call(&call);
}

CUresult evc_device_sync(void)
{
    struct evc_call call = {.op = WIRE_DEVICE_SYNC};
    return evc_call(&call);
}

/* --- host functions --------------------------------------------------------------------------- */

static _Thread_local bool runs_functions;

bool evc_in_host_function(void)
{
    return runs_functions;
}

/* A thread of its own runs them, one after the other; time stands still meanwhile. */
static void *run_functions(void *unused)
{
    (void)unused;
    runs_functions = true;
    for (;;) {
        struct evc_call call = {.op = WIRE_NEXT_FUNCTION};
        if (evc_call(&call))
            return NULL;
        struct due *due = (struct due *)(uintptr_t)call.v[0];
        if (due->function)
            due->function(due->user);
        else
            due->callback(due->stream, CUDA_SUCCESS, due->user);
        free(due);
    }
}

static pthread_once_t once = PTHREAD_ONCE_INIT;
static bool thread_runs;

static void start_thread(void)
{
    pthread_t thread;
    thread_runs = pthread_create(&thread, NULL, run_functions, NULL) == 0;
    if (thread_runs)
        pthread_detach(thread);
}

CUresult evc_host_function(CUstream stream, CUhostFn function, CUstreamCallback callback,
                           void *user)
{
    struct evc_call call = {.op = WIRE_HOST_FUNCTION};
    if (!function && !callback)
        return CUDA_ERROR_INVALID_VALUE;
    struct evc_command kept = {
        .type = CU_GRAPH_NODE_TYPE_HOST, .function = function, .callback = callback, .user = user};
    CUresult status = CUDA_SUCCESS;
    if (evc_capture(stream, &kept, &status))
        return status;
    status = evc_stream_id(stream, &call.a[0]);
    if (status)
        return status;
    pthread_once(&once, start_thread);
    struct due *due = thread_runs ? malloc(sizeof *due) : NULL;
    if (!due)
        return CUDA_ERROR_OPERATING_SYSTEM;
    *due = (struct due){function, callback, stream, user};
    call.a[1] = (uint64_t)(uintptr_t)due;
    status = evc_call(&call);
    if (status)
        free(due);
    return status;
}

/* --- events ----------------------------------------------------------------------------------- */

CUresult evc_event_create(uint32_t flags, CUevent *event)
{
    uint32_t known = CU_EVENT_BLOCKING_SYNC | CU_EVENT_DISABLE_TIMING | CU_EVENT_INTERPROCESS;
    bool timed = !(flags & CU_EVENT_DISABLE_TIMING), shared = flags & CU_EVENT_INTERPROCESS;
    struct evc_call call = {.op = WIRE_EVENT_CREATE, .a = {timed, shared}};
    if (!event || flags & ~known)
        return CUDA_ERROR_INVALID_VALUE;
    if (timed && shared)
        return evc_explain(CUDA_ERROR_INVALID_VALUE,
                           "an event for other processes needs cudaEventDisableTiming too");
    CUresult status = evc_call(&call);
    if (!status)
        *event = (CUevent)(uintptr_t)call.v[0];
    return status;
}

CUresult evc_event_record(CUevent event, CUstream stream)
{
    struct evc_call call = {.op = WIRE_EVENT_RECORD, .a = {(uint64_t)(uintptr_t)event}};
    CUresult status = CUDA_SUCCESS;
    if (evc_capture_record(event, stream, &status))
        return status;
    status = evc_stream_id(stream, &call.a[1]);
    return status ? status : evc_call(&call);
}

CUresult evc_event_op(enum wire_op op, CUevent event)
{
    struct evc_call call = {.op = (uint16_t)op, .a = {(uint64_t)(uintptr_t)event}};
    if (op != WIRE_EVENT_DESTROY && evc_captured_event(event))
        return CUDA_ERROR_CAPTURED_EVENT;
    return evc_call(&call);
}

CUresult evc_event_elapsed(float *milliseconds, CUevent start, CUevent end)
{
    struct evc_call call = {.op = WIRE_EVENT_ELAPSED,
                            .a = {(uint64_t)(uintptr_t)start, (uint64_t)(uintptr_t)end}};
    if (!milliseconds)
        return CUDA_ERROR_INVALID_VALUE;
    CUresult status = evc_call(&call);
    if (!status)
        *milliseconds = (float)((double)(int64_t)call.v[0] * 1e-6);
    return status;
}
