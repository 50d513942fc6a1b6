/* Full/empty bits from C, runtime API and driver API. Arguments: nothing (everything that works),
 * "none" (a machine without such memory), "timeout" (a wait that never ends). */
#include <stdbool.h>

#include "tests/cuda/api/api.h"

#define WORDS 1000u
#define BYTES (WORDS * 4)
#define LONG  100000u /* ns: longer than a copy of BYTES takes, calls included */

static cudaStream_t stream[3];
static uint32_t *memory;          /* with full/empty bits */
static uint32_t *from, *to, *was; /* pinned */

static void wait_long(void)
{
    evgpuHostTime(LONG);
}

/* Whether the word is full: a copy that wants it so goes through, or has to be released. */
static bool is_full(const uint32_t *word)
{
    static uint32_t value;
    OK(cudaMemcpyAsyncFullEmpty(&value, word, 4, cudaMemcpyDeviceToHost, stream[2],
                                cudaMemcpyTriggerFilled, cudaMemcpyActionNone));
    wait_long();
    cudaError_t status = cudaStreamQuery(stream[2]);
    MUST(status == cudaSuccess || status == cudaErrorNotReady);
    if (status)
        OK(cudaReleaseFullEmpty());
    OK(cudaStreamSynchronize(stream[2]));
    return status == cudaSuccess;
}

static void mark(bool full, cudaStream_t at)
{
    if (full)
        OK(cudaMarkFullAsync(memory, BYTES, at));
    else
        OK(cudaMarkEmptyAsync(memory, BYTES, at));
}

static void put(const uint32_t *data)
{
    OK(cudaMemcpy(memory, data, BYTES, cudaMemcpyHostToDevice));
}

/* --- every trigger with every action, both ways --------------------------------------------------
 */

/* While a copy waits in stream 0, others are free to go on. */
static void others_go_on(void)
{
    static uint32_t data[WORDS], back[WORDS];
    uint32_t *plain = NULL;
    OK(cudaMalloc((void **)&plain, BYTES));
    for (uint32_t i = 0; i < WORDS; i++)
        data[i] = i ^ 0x55;
    OK(cudaMemcpyAsync(plain, data, BYTES, cudaMemcpyHostToDevice, stream[1]));
    OK(cudaMemcpyAsync(back, plain, BYTES, cudaMemcpyDeviceToHost, stream[1]));
    OK(cudaStreamSynchronize(stream[1]));
    MUST(!memcmp(data, back, BYTES));
    MUST(cudaStreamQuery(stream[0]) == cudaErrorNotReady);
}

static void one_pair(bool in, enum cudaMemcpyTrigger trigger, enum cudaMemcpyAction action,
                     bool full)
{
    bool waits = trigger && full != (trigger == cudaMemcpyTriggerFilled);
    for (uint32_t i = 0; i < WORDS; i++) {
        was[i] = i * 3 + (uint32_t)trigger;
        from[i] = i * 7 + (uint32_t)action + 1000;
    }
    memset(to, 0, BYTES);
    put(was);
    mark(full, stream[0]);
    OK(cudaStreamSynchronize(stream[0]));
    if (in)
        OK(cudaMemcpyAsyncFullEmpty(memory, from, BYTES, cudaMemcpyHostToDevice, stream[0], trigger,
                                    action));
    else
        OK(cudaMemcpyAsyncFullEmpty(to, memory, BYTES, cudaMemcpyDeviceToHost, stream[0], trigger,
                                    action));
    wait_long();
    MUST(cudaStreamQuery(stream[0]) == (waits ? cudaErrorNotReady : cudaSuccess));
    if (waits) {
        others_go_on();
        mark(!full, stream[1]);
        full = !full;
    }
    OK(cudaStreamSynchronize(stream[0]));
    OK(cudaStreamSynchronize(stream[1]));
    bool now_full = action ? action == cudaMemcpyActionFill : full;
    MUST(is_full(memory) == now_full && is_full(memory + WORDS - 1) == now_full);
    if (in)
        OK(cudaMemcpy(to, memory, BYTES, cudaMemcpyDeviceToHost));
    MUST(!memcmp(to, in ? from : was, BYTES));
}

static void all_pairs(void)
{
    for (int in = 0; in < 2; in++)
        for (int trigger = 0; trigger < 3; trigger++)
            for (int action = 0; action < 3; action++)
                for (int full = 0; full < 2; full++)
                    one_pair(in, (enum cudaMemcpyTrigger)trigger, (enum cudaMemcpyAction)action,
                             full);
}

/* --- producer and consumer -----------------------------------------------------------------------
 */

/* The copy back is sent first, to ordinary host memory; words arrive in two halves. */
static void early_copy_back(void)
{
    static uint32_t got[WORDS];
    uint32_t half = BYTES / 2;
    for (uint32_t i = 0; i < WORDS; i++)
        from[i] = i * i;
    mark(false, stream[0]);
    OK(cudaStreamSynchronize(stream[0]));
    OK(cudaMemcpyAsyncFullEmpty(got, memory, BYTES, cudaMemcpyDeviceToHost, stream[0],
                                cudaMemcpyTriggerFilled, cudaMemcpyActionEmpty));
    for (uint32_t part = 0; part < 2; part++) {
        MUST(cudaStreamQuery(stream[0]) == cudaErrorNotReady);
        OK(cudaMemcpyAsyncFullEmpty(memory + part * WORDS / 2, from + part * WORDS / 2, half,
                                    cudaMemcpyHostToDevice, stream[1], cudaMemcpyTriggerNone,
                                    cudaMemcpyActionFill));
        OK(cudaStreamSynchronize(stream[1]));
        wait_long();
    }
    OK(cudaStreamSynchronize(stream[0]));
    MUST(!memcmp(got, from, BYTES));
    MUST(!is_full(memory));
}

/* Ten rounds through the same words without a word to the host between: full, empty, full, ... */
static void rounds(void)
{
    static uint32_t sent[10][WORDS], got[10][WORDS];
    mark(false, stream[0]);
    OK(cudaStreamSynchronize(stream[0]));
    for (uint32_t r = 0; r < 10; r++) {
        for (uint32_t i = 0; i < WORDS; i++)
            sent[r][i] = r * 100000 + i;
        OK(cudaMemcpyAsyncFullEmpty(memory, sent[r], BYTES, cudaMemcpyHostToDevice, stream[1],
                                    cudaMemcpyTriggerEmptied, cudaMemcpyActionFill));
        OK(cudaMemcpyAsyncFullEmpty(got[r], memory, BYTES, cudaMemcpyDeviceToHost, stream[0],
                                    cudaMemcpyTriggerFilled, cudaMemcpyActionEmpty));
    }
    OK(cudaDeviceSynchronize());
    MUST(!memcmp(sent, got, sizeof sent));
}

/* --- override, release, memory
 * -------------------------------------------------------------------- */

static void overrides(void)
{
    mark(true, stream[0]);
    OK(cudaStreamSynchronize(stream[0]));
    OK(cudaOverrideFullEmpty(memory + 5, 8, cudaMemcpyActionEmpty));
    MUST(is_full(memory + 4) && !is_full(memory + 5) && !is_full(memory + 6) &&
         is_full(memory + 7));
    /* A stream that waits does not hold an override up. */
    OK(cudaMemcpyAsyncFullEmpty(to, memory, BYTES, cudaMemcpyDeviceToHost, stream[0],
                                cudaMemcpyTriggerFilled, cudaMemcpyActionNone));
    wait_long();
    MUST(cudaStreamQuery(stream[0]) == cudaErrorNotReady);
    OK(cudaOverrideFullEmpty(memory + 5, 8, cudaMemcpyActionFill));
    OK(cudaStreamSynchronize(stream[0]));
    OK(cudaMarkFullAsync(memory, 0, stream[0])); /* nothing to do */
    OK(cudaSetFullEmptyTimeout(0));
    OK(cudaSetFullEmptyTimeout(100000000));
}

static void memory_is_full_at_first(void)
{
    size_t available = 0, total = 0, less = 0;
    uint32_t *one = NULL, *two = NULL;
    OK(cudaMemGetInfoFullEmpty(&available, &total));
    MUST(total >= available && available >= BYTES * 4);
    OK(cudaMallocFullEmpty((void **)&one, BYTES));
    OK(cudaMemGetInfoFullEmpty(&less, &total));
    MUST(less < available && available - less < BYTES + 1000);
    MUST(is_full(one));
    OK(cudaMarkEmptyAsync(one, BYTES, stream[0]));
    OK(cudaStreamSynchronize(stream[0]));
    OK(cudaFree(one));
    OK(cudaMallocFullEmpty((void **)&two, BYTES));
    MUST(two == one && is_full(two) && is_full(two + WORDS - 1));
    OK(cudaFree(two));
    OK(cudaMemGetInfoFullEmpty(&less, &total));
    MUST(less == available);
    struct cudaPointerAttributes attributes;
    OK(cudaPointerGetAttributes(&attributes, memory));
    MUST(attributes.type == cudaMemoryTypeDevice);
    OK(cudaMallocFullEmpty((void **)&one, 0));
    MUST(!one);
    GIVES(cudaErrorMemoryAllocation, cudaMallocFullEmpty((void **)&one, total + 1));
}

/* --- misuse
 * ---------------------------------------------------------------------------------------- */

static cudaError_t in_with(void *dst, const void *src, size_t bytes, int trigger, int action)
{
    return cudaMemcpyAsyncFullEmpty(dst, src, bytes, cudaMemcpyHostToDevice, stream[0],
                                    (enum cudaMemcpyTrigger)trigger, (enum cudaMemcpyAction)action);
}

static void misuse(void)
{
    static uint32_t pageable[1];
    uint32_t *plain = NULL;
    char *bytes = (char *)memory;
    OK(cudaMalloc((void **)&plain, BYTES));
    GIVES(cudaErrorInvalidValue, in_with(plain, from, BYTES, 0, 1));
    GIVES(cudaErrorInvalidValue, in_with(plain, from, BYTES, 1, 0));
    GIVES(cudaErrorInvalidValue, in_with(memory, from, BYTES + 4, 0, 1));
    GIVES(cudaErrorInvalidValue, in_with(memory + WORDS - 1, from, 8, 0, 1));
    GIVES(cudaErrorInvalidValue, in_with(memory, from, 7, 0, 1));
    GIVES(cudaErrorInvalidValue, in_with(bytes + 2, from, 8, 2, 1));
    GIVES(cudaErrorInvalidValue, in_with(memory, from, 8, 3, 0));
    GIVES(cudaErrorInvalidValue, in_with(memory, from, 8, 0, 3));
    GIVES(cudaErrorInvalidValue, in_with(memory, from, 0, 3, 0));
    GIVES(cudaErrorInvalidValue, in_with(memory, from, 0, 0, 3));
    GIVES(cudaErrorInvalidValue, in_with(memory, pageable, SIZE_MAX - 3, 0, 1));
    GIVES(cudaErrorInvalidValue, in_with(NULL, from, 8, 0, 1));
    GIVES(cudaErrorInvalidMemcpyDirection,
          cudaMemcpyAsyncFullEmpty(memory, plain, 8, cudaMemcpyDeviceToDevice, stream[0],
                                   cudaMemcpyTriggerNone, cudaMemcpyActionFill));
    GIVES(cudaErrorInvalidMemcpyDirection,
          cudaMemcpyAsyncFullEmpty(to, from, 8, cudaMemcpyHostToHost, stream[0],
                                   cudaMemcpyTriggerNone, cudaMemcpyActionFill));
    GIVES(cudaErrorInvalidValue, cudaMarkFullAsync(plain, 8, stream[0]));
    GIVES(cudaErrorInvalidValue, cudaMarkEmptyAsync(memory, BYTES + 4, stream[0]));
    GIVES(cudaErrorInvalidValue, cudaMarkEmptyAsync(memory, 6, stream[0]));
    GIVES(cudaErrorInvalidValue, cudaMarkEmptyAsync(bytes + 1, 4, stream[0]));
    GIVES(cudaErrorInvalidValue, cudaMarkEmptyAsync(NULL, 4, stream[0]));
    GIVES(cudaErrorInvalidValue, cudaOverrideFullEmpty(memory, 8, cudaMemcpyActionNone));
    GIVES(cudaErrorInvalidValue, cudaOverrideFullEmpty(plain, 8, cudaMemcpyActionFill));
    GIVES(cudaErrorInvalidValue, cudaMallocFullEmpty(NULL, 8));
    size_t size = 0;
    GIVES(cudaErrorInvalidValue, cudaMemGetInfoFullEmpty(&size, NULL));
    GIVES(cudaErrorInvalidValue, cudaMemGetInfoFullEmpty(NULL, &size));
    GIVES(cudaErrorInvalidResourceHandle, cudaMarkFullAsync(memory, 8, (cudaStream_t)0x7777));
    OK(in_with(memory, from, 0, 0, 1)); /* nothing to copy */
    OK(in_with(plain, from, 8, 0, 0));  /* an ordinary copy */
    OK(cudaDeviceSynchronize());
    OK(cudaFree(plain));
}

/* --- the driver API
 * --------------------------------------------------------------------------------- */

static void driver_api(void)
{
    static uint32_t sent[WORDS] = {1, 2, 3}, got[WORDS];
    CUdeviceptr at = 0;
    CUstream one = (CUstream)(void *)stream[0], two = (CUstream)(void *)stream[1];
    size_t available = 0, total = 0;
    CUcontext context;
    GIVES(CUDA_SUCCESS, cuInit(0));
    GIVES(CUDA_SUCCESS, cuCtxCreate(&context, 0, 0));
    GIVES(CUDA_SUCCESS, cuMemAllocFullEmpty(&at, BYTES));
    GIVES(CUDA_SUCCESS, cuMemGetInfoFullEmpty(&available, &total));
    MUST(available < total);
    GIVES(CUDA_SUCCESS, cuMemMarkEmptyAsync(at, BYTES, one));
    GIVES(CUDA_SUCCESS, cuMemcpyDtoHAsyncFullEmpty(got, at, BYTES, one, CU_MEMCPY_TRIGGER_FILLED,
                                                   CU_MEMCPY_ACTION_EMPTY));
    GIVES(CUDA_SUCCESS, cuMemcpyHtoDAsyncFullEmpty(at, sent, BYTES, two, CU_MEMCPY_TRIGGER_EMPTIED,
                                                   CU_MEMCPY_ACTION_FILL));
    GIVES(CUDA_SUCCESS, cuStreamSynchronize(one));
    MUST(!memcmp(sent, got, BYTES));
    GIVES(CUDA_SUCCESS, cuMemMarkFullAsync(at, BYTES, one));
    GIVES(CUDA_SUCCESS, cuStreamSynchronize(one));
    GIVES(CUDA_SUCCESS, cuMemOverrideFullEmpty(at, 8, CU_MEMCPY_ACTION_EMPTY));
    GIVES(CUDA_SUCCESS, cuMemcpyDtoHAsyncFullEmpty(got, at, BYTES, one, CU_MEMCPY_TRIGGER_FILLED,
                                                   CU_MEMCPY_ACTION_NONE));
    wait_long();
    GIVES(CUDA_ERROR_NOT_READY, cuStreamQuery(one));
    GIVES(CUDA_SUCCESS, cuMemReleaseFullEmpty());
    GIVES(CUDA_SUCCESS, cuStreamSynchronize(one));
    GIVES(CUDA_SUCCESS, cuMemSetFullEmptyTimeout(50000000));
    GIVES(CUDA_ERROR_INVALID_VALUE, cuMemAllocFullEmpty(NULL, 8));
    GIVES(CUDA_ERROR_INVALID_VALUE, cuMemAllocFullEmpty(&at, 0));
    GIVES(CUDA_ERROR_INVALID_VALUE, cuMemMarkFullAsync(at + 2, 8, one));
    GIVES(CUDA_ERROR_INVALID_VALUE, cuMemOverrideFullEmpty(at, 8, CU_MEMCPY_ACTION_NONE));
    GIVES(CUDA_ERROR_INVALID_VALUE,
          cuMemcpyHtoDAsyncFullEmpty(at, sent, BYTES + 4, one, CU_MEMCPY_TRIGGER_NONE,
                                     CU_MEMCPY_ACTION_FILL));
    GIVES(CUDA_ERROR_INVALID_VALUE,
          cuMemcpyDtoHAsyncFullEmpty(from, (CUdeviceptr)(uintptr_t)to, 8, one,
                                     CU_MEMCPY_TRIGGER_NONE, CU_MEMCPY_ACTION_FILL));
    GIVES(CUDA_SUCCESS, cuMemFree(at));
}

/* --- machines without, waits without end
 * ------------------------------------------------------------ */

static void no_region(void)
{
    uint32_t *plain = NULL;
    size_t a = 0, b = 0;
    OK(cudaMalloc((void **)&plain, BYTES));
    GIVES(cudaErrorNotSupported, cudaMallocFullEmpty((void **)&memory, BYTES));
    GIVES(cudaErrorNotSupported, cudaMemGetInfoFullEmpty(&a, &b));
    GIVES(cudaErrorNotSupported, in_with(plain, from, BYTES, 0, 1));
    GIVES(cudaErrorNotSupported, cudaMarkFullAsync(plain, 8, stream[0]));
    GIVES(cudaErrorNotSupported, cudaOverrideFullEmpty(plain, 8, cudaMemcpyActionFill));
    GIVES(cudaErrorNotSupported, cudaReleaseFullEmpty());
    GIVES(cudaErrorNotSupported, cudaSetFullEmptyTimeout(5));
}

static void time_out(void)
{
    OK(cudaMallocFullEmpty((void **)&memory, BYTES));
    OK(cudaSetFullEmptyTimeout(20000));
    mark(false, stream[0]);
    OK(cudaMemcpyAsyncFullEmpty(to, memory, BYTES, cudaMemcpyDeviceToHost, stream[0],
                                cudaMemcpyTriggerFilled, cudaMemcpyActionNone));
    MUST(cudaStreamSynchronize(stream[0]) == cudaErrorLaunchTimeout);
}

int main(int argc, char **argv)
{
    const char *what = argc > 1 ? argv[1] : "";
    OK(cudaHostAlloc((void **)&from, BYTES, 0));
    OK(cudaHostAlloc((void **)&to, BYTES, 0));
    OK(cudaHostAlloc((void **)&was, BYTES, 0));
    for (int i = 0; i < 3; i++)
        OK(cudaStreamCreateWithFlags(&stream[i], cudaStreamNonBlocking));
    if (!strcmp(what, "none")) {
        no_region();
    } else if (!strcmp(what, "timeout")) {
        time_out();
    } else {
        OK(cudaMallocFullEmpty((void **)&memory, BYTES));
        all_pairs();
        early_copy_back();
        rounds();
        overrides();
        memory_is_full_at_first();
        misuse();
        driver_api();
    }
    return 0;
}
