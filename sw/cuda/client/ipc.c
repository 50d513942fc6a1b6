/* Memory and events of other processes. All processes of a program that one simulator runs have the
 * same addresses and numbers, so a handle says what is where, and opening it checks that it still
 * holds. A process that has a simulator of its own shares nothing. */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "sw/cuda/client/core.h"

#define MEMORY_MAGIC 0x79726f6d656d7665u
#define EVENT_MAGIC  0x00746e6576657665u

struct handle {
    uint64_t magic, simulator, process;
    uint64_t what, bytes; /* address and size of memory, or number of an event */
};
_Static_assert(sizeof(struct handle) <= CU_IPC_HANDLE_SIZE, "a handle has room for it");

struct opened {
    uint64_t address;
    struct opened *next;
};

static struct {
    pthread_mutex_t lock;
    struct opened *list; /* memory, once for each call */
} memory = {.lock = PTHREAD_MUTEX_INITIALIZER};

static void fill(void *out, uint64_t magic, uint64_t what, uint64_t bytes)
{
    const struct handle h = {magic, evc_simulator(), (uint64_t)getpid(), what, bytes};
    memset(out, 0, CU_IPC_HANDLE_SIZE);
    memcpy(out, &h, sizeof h);
}

static CUresult take(const void *in, uint64_t magic, struct handle *h)
{
    memcpy(h, in, sizeof *h);
    if (!evc_device())
        return CUDA_ERROR_DEVICE_UNAVAILABLE;
    if (h->magic != magic)
        return evc_explain(CUDA_ERROR_INVALID_VALUE, "the handle is not one of cudaIpcGet...");
    if (h->simulator != evc_simulator())
        return evc_explain(CUDA_ERROR_INVALID_VALUE,
                           "the handle is of a process with another simulator; processes share "
                           "one under evgpu run --program");
    if (h->process == (uint64_t)getpid())
        return evc_explain(CUDA_ERROR_INVALID_CONTEXT,
                           "the handle is of this process itself, and is for others");
    return CUDA_SUCCESS;
}

CUresult evc_ipc_memory(uint64_t address, void *handle)
{
    struct evc_pointer info;
    CUresult status = evc_pointer((void *)(uintptr_t)address, &info);
    if (status)
        return status;
    if (!info.bytes || info.kind != WIRE_DEVICE)
        return evc_explain(CUDA_ERROR_INVALID_VALUE,
                           "0x%llx is not memory of cudaMalloc, which alone has handles for other "
                           "processes",
                           (unsigned long long)address);
    fill(handle, MEMORY_MAGIC, info.base, info.bytes);
    return CUDA_SUCCESS;
}

CUresult evc_ipc_memory_open(const void *handle, uint64_t *address)
{
    struct handle h;
    struct evc_pointer info;
    CUresult status = take(handle, MEMORY_MAGIC, &h);
    if (!status)
        status = evc_pointer((void *)(uintptr_t)h.what, &info);
    if (status)
        return status;
    if (info.base != h.what || info.bytes != h.bytes)
        return evc_explain(CUDA_ERROR_INVALID_VALUE, "the memory of the handle has been freed");
    struct opened *o = malloc(sizeof *o);
    if (!o)
        return CUDA_ERROR_OUT_OF_MEMORY;
    o->address = *address = h.what;
    pthread_mutex_lock(&memory.lock);
    o->next = memory.list;
    memory.list = o;
    pthread_mutex_unlock(&memory.lock);
    return CUDA_SUCCESS;
}

CUresult evc_ipc_memory_close(uint64_t address)
{
    CUresult status = CUDA_ERROR_INVALID_VALUE;
    pthread_mutex_lock(&memory.lock);
    for (struct opened **at = &memory.list; *at && status; at = &(*at)->next) {
        struct opened *o = *at;
        if (o->address != address)
            continue;
        *at = o->next;
        free(o);
        status = CUDA_SUCCESS;
        break;
    }
    pthread_mutex_unlock(&memory.lock);
    if (status)
        return evc_explain(status, "0x%llx is not what cudaIpcOpenMemHandle has opened",
                           (unsigned long long)address);
    return evc_device_sync(); /* nothing of this process uses it any more */
}

static CUresult share(uint64_t event, bool hold)
{
    struct evc_call call = {.op = WIRE_EVENT_SHARE, .a = {event, hold}};
    return evc_call(&call);
}

CUresult evc_ipc_event(CUevent event, void *handle)
{
    CUresult status = share((uint64_t)(uintptr_t)event, false);
    if (status)
        return evc_explain(status, "the event was not created with cudaEventInterprocess, or is "
                                   "no more");
    fill(handle, EVENT_MAGIC, (uint64_t)(uintptr_t)event, 0);
    return CUDA_SUCCESS;
}

CUresult evc_ipc_event_open(const void *handle, CUevent *event)
{
    struct handle h;
    CUresult status = take(handle, EVENT_MAGIC, &h);
    if (!status)
        status = share(h.what, true);
    if (!status)
        *event = (CUevent)(uintptr_t)h.what;
    return status;
}
