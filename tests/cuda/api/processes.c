/* Two processes of one program: memory and events that one of them has, and both use. With "apart":
 * each has a simulator of its own, and nothing can be opened. */
#include "tests/cuda/api/two.h"

#define WORDS 1000u
#define UNIT  (2u << 20)

struct shared {
    cudaIpcMemHandle_t memory, freed;
    cudaIpcEventHandle_t event;
    uint32_t *words; /* where the parent has them */
    CUdeviceptr far; /* what only the parent has mapped */
};

static uint32_t word(const uint32_t *at)
{
    uint32_t value = 0;
    OK(cudaMemcpy(&value, at, sizeof value, cudaMemcpyDeviceToHost));
    return value;
}

static void refused(const struct shared *s)
{
    cudaIpcMemHandle_t nonsense = s->memory;
    void *p = NULL;
    GIVES(cudaErrorInvalidValue, cudaIpcOpenMemHandle(&p, s->memory, 0));
    GIVES(cudaErrorInvalidValue,
          cudaIpcOpenMemHandle(&p, s->freed, cudaIpcMemLazyEnablePeerAccess));
    nonsense.reserved[0]++;
    GIVES(cudaErrorInvalidValue,
          cudaIpcOpenMemHandle(&p, nonsense, cudaIpcMemLazyEnablePeerAccess));
    memcpy(&nonsense, &s->event, sizeof nonsense);
    GIVES(cudaErrorInvalidValue,
          cudaIpcOpenMemHandle(&p, nonsense, cudaIpcMemLazyEnablePeerAccess));
    GIVES(cudaErrorInvalidValue, cudaIpcCloseMemHandle(s->words));
    GIVES(cudaErrorInvalidValue, cudaFree(s->words)); /* the parent's */
}

/* Memory by handle at addresses that this process has not mapped: nothing is copied. */
static void not_mapped(CUdeviceptr far)
{
    void *there = (void *)(uintptr_t)far;
    uint32_t value = 5;
    GIVES(cudaErrorInvalidValue, cudaMemcpy(&value, there, sizeof value, cudaMemcpyDeviceToHost));
    GIVES(cudaErrorInvalidValue, cudaMemcpy(there, &value, sizeof value, cudaMemcpyHostToDevice));
    MUST(value == 5);
}

/* The kernel runs after the parent's, which the event says; then the event says the same of its
 * own.
 */
static void child(void)
{
    struct shared s;
    cudaStream_t stream;
    cudaEvent_t event;
    void *p = NULL, *again = NULL, *own = NULL;
    hear(to_child[0], &s, sizeof s);
    refused(&s);
    not_mapped(s.far);
    OK(cudaIpcOpenMemHandle(&p, s.memory, cudaIpcMemLazyEnablePeerAccess));
    OK(cudaIpcOpenMemHandle(&again, s.memory, cudaIpcMemLazyEnablePeerAccess));
    MUST(p == again);
    OK(cudaIpcOpenEventHandle(&event, s.event));
    OK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    OK(cudaStreamWaitEvent(stream, event, 0));
    OK(launch_wait(p, 10, stream));
    OK(cudaEventRecord(event, stream));
    OK(cudaEventSynchronize(event));
    MUST(word(p) == 41 && word((uint32_t *)p + 5) == 45);
    OK(cudaIpcCloseMemHandle(p));
    OK(cudaIpcCloseMemHandle(again));
    GIVES(cudaErrorInvalidValue, cudaIpcCloseMemHandle(p));
    OK(cudaEventDestroy(event));
    OK(cudaMalloc(&own, 4096));
    /* Gives back what is this process's, and nothing else. */
    OK(cudaDeviceReset());
    GIVES(cudaErrorInvalidValue, cudaMemset(own, 0, 4096));
    say(to_parent[1], "", 1);
}

static void give(struct shared *s, cudaEvent_t *event)
{
    cudaEvent_t plain;
    uint32_t *freed = NULL;
    void *managed = NULL, *opened = NULL;
    OK(cudaMalloc((void **)&s->words, WORDS * sizeof *s->words));
    OK(cudaMalloc((void **)&freed, 512));
    OK(cudaIpcGetMemHandle(&s->memory, s->words + 7)); /* of all of it */
    OK(cudaIpcGetMemHandle(&s->freed, freed));
    OK(cudaFree(freed));
    OK(cudaEventCreateWithFlags(event, cudaEventDisableTiming | cudaEventInterprocess));
    OK(cudaIpcGetEventHandle(&s->event, *event));
    GIVES(cudaErrorInvalidValue, cudaEventCreateWithFlags(&plain, cudaEventInterprocess));
    OK(cudaEventCreateWithFlags(&plain, cudaEventDisableTiming));
    cudaIpcEventHandle_t none;
    GIVES(cudaErrorInvalidResourceHandle, cudaIpcGetEventHandle(&none, plain));
    OK(cudaEventDestroy(plain));
    OK(cudaMallocManaged(&managed, 64, cudaMemAttachGlobal));
    cudaIpcMemHandle_t other;
    GIVES(cudaErrorInvalidValue, cudaIpcGetMemHandle(&other, managed));
    GIVES(cudaErrorInvalidValue, cudaIpcGetMemHandle(&other, &other));
    GIVES(cudaErrorDeviceUninitialized,
          cudaIpcOpenMemHandle(&opened, s->memory, cudaIpcMemLazyEnablePeerAccess));
    OK(cudaFree(managed));
}

static CUdeviceptr mapped(void)
{
    const CUmemAllocationProp prop = {.type = CU_MEM_ALLOCATION_TYPE_PINNED,
                                      .location = {CU_MEM_LOCATION_TYPE_DEVICE, 0}};
    const CUmemAccessDesc all = {{CU_MEM_LOCATION_TYPE_DEVICE, 0},
                                 CU_MEM_ACCESS_FLAGS_PROT_READWRITE};
    CUmemGenericAllocationHandle handle;
    CUdeviceptr at = 0;
    OK(cuInit(0));
    OK(cuMemAddressReserve(&at, UNIT, 0, 0, 0));
    OK(cuMemCreate(&handle, UNIT, &prop, 0));
    OK(cuMemMap(at, UNIT, 0, handle, 0));
    OK(cuMemSetAccess(at, UNIT, &all, 1));
    return at;
}

static void parent(void)
{
    struct shared s;
    cudaEvent_t event;
    char byte;
    memset(&s, 0, sizeof s);
    give(&s, &event);
    s.far = mapped();
    OK(cuMemsetD32(s.far, 7, 1));
    OK(launch_wait(s.words + 9, 2000, NULL)); /* takes long enough that the child has to wait */
    OK(launch_fill(s.words, 40, WORDS, NULL));
    OK(cudaEventRecord(event, NULL));
    say(to_child[1], &s, sizeof s);
    hear(to_parent[0], &byte, 1);
    MUST(word(s.words) == 41 && word(s.words + 5) == 45);
    MUST(word((const uint32_t *)(uintptr_t)s.far) == 7);
    OK(cudaEventQuery(event));
    OK(cudaEventDestroy(event));
    GIVES(cudaErrorInvalidResourceHandle, cudaEventQuery(event));
    OK(cudaFree(s.words));
}

static void parent_apart(void)
{
    struct shared s;
    cudaEvent_t event;
    memset(&s, 0, sizeof s);
    give(&s, &event);
    say(to_child[1], &s, sizeof s);
}

static void child_apart(void)
{
    struct shared s;
    cudaEvent_t event;
    void *p = NULL;
    hear(to_child[0], &s, sizeof s);
    GIVES(cudaErrorInvalidValue,
          cudaIpcOpenMemHandle(&p, s.memory, cudaIpcMemLazyEnablePeerAccess));
    GIVES(cudaErrorInvalidValue, cudaIpcOpenEventHandle(&event, s.event));
}

int main(int argc, char **argv)
{
    (void)argv;
    api_register();
    if (argc > 1)
        two_processes(parent_apart, child_apart);
    else
        two_processes(parent, child);
    return 0;
}
