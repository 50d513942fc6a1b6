/* Order within streams, overlap between them, the default stream, events, host functions. */
#include "tests/cuda/api/api.h"

#define TURNS 400u

static float ms_between(cudaEvent_t x, cudaEvent_t y)
{
    float ms = -1;
    OK(cudaEventElapsedTime(&ms, x, y));
    return ms;
}

/* Milliseconds of two waits, each in its stream. */
static float two(uint32_t *p, cudaStream_t s, cudaStream_t t)
{
    unsigned long long before, after;
    OK(cudaDeviceSynchronize());
    OK(evgpuGetTime(&before));
    OK(launch_wait(p, TURNS, s));
    OK(launch_wait(p + 1024, TURNS, t));
    OK(cudaDeviceSynchronize());
    OK(evgpuGetTime(&after));
    return (float)(after - before) / 1e6f;
}

static void overlap(uint32_t *p)
{
    cudaStream_t s, t, n;
    OK(cudaStreamCreate(&s));
    OK(cudaStreamCreate(&t));
    OK(cudaStreamCreateWithFlags(&n, cudaStreamNonBlocking));
    two(p, s, t); /* cold caches */
    float alone = two(p, s, s), both = two(p, s, t);
    float legacy = two(p, NULL, t), free_of_it = two(p, NULL, n);
    MUST(both < 0.7f * alone);
    MUST(legacy > 0.9f * alone);
    MUST(free_of_it < 0.7f * alone);
    OK(cudaStreamDestroy(s));
    OK(cudaStreamDestroy(t));
    OK(cudaStreamDestroy(n));
    GIVES(cudaErrorInvalidResourceHandle, cudaStreamSynchronize(s));
    GIVES(cudaErrorInvalidResourceHandle, cudaStreamDestroy(s));
}

static void events(uint32_t *p)
{
    cudaStream_t s, t;
    cudaEvent_t begin, end, never, untimed;
    float ms;
    uint32_t got = 0;
    GIVES(cudaErrorInvalidResourceHandle, cudaGetLastError());
    OK(cudaStreamCreate(&s));
    OK(cudaStreamCreateWithFlags(&t, cudaStreamNonBlocking));
    OK(cudaEventCreate(&begin));
    OK(cudaEventCreate(&end));
    OK(cudaEventCreate(&never));
    OK(cudaEventCreateWithFlags(&untimed, cudaEventDisableTiming));
    OK(cudaEventRecord(begin, s));
    OK(launch_wait(p, TURNS, s));
    OK(cudaEventRecord(end, s));
    GIVES(cudaErrorNotReady, cudaEventQuery(end));
    GIVES(cudaErrorNotReady, cudaStreamQuery(s));
    OK(cudaGetLastError());
    GIVES(cudaErrorNotReady, cudaEventElapsedTime(&ms, begin, end));
    /* The other stream waits for the event, so it sees what the kernel has written. */
    OK(cudaMemset(p, 0, 4));
    OK(launch_wait(p, TURNS, s));
    OK(cudaEventRecord(end, s));
    OK(cudaStreamWaitEvent(t, end, 0));
    OK(cudaMemcpyAsync(&got, p, 4, cudaMemcpyDeviceToHost, t));
    OK(cudaStreamSynchronize(t));
    MUST(got == 1);
    OK(cudaEventSynchronize(end));
    OK(cudaEventQuery(end));
    MUST(ms_between(begin, end) > 0 && ms_between(end, begin) < 0);
    OK(cudaEventQuery(never));
    GIVES(cudaErrorInvalidResourceHandle, cudaEventElapsedTime(&ms, begin, never));
    OK(cudaEventRecord(untimed, NULL));
    GIVES(cudaErrorInvalidResourceHandle, cudaEventElapsedTime(&ms, begin, untimed));
    OK(cudaEventDestroy(begin));
    GIVES(cudaErrorInvalidResourceHandle, cudaEventRecord(begin, s));
    OK(cudaDeviceSynchronize());
    OK(cudaStreamDestroy(s));
    OK(cudaStreamDestroy(t));
}

struct seen {
    uint32_t *device, value;
    int calls, refused;
    cudaStream_t stream;
};

static void on_host(void *user)
{
    struct seen *seen = user;
    seen->calls++;
    seen->refused += cudaMemset(seen->device, 0, 4) == cudaErrorNotPermitted;
    seen->refused += cuMemFree((CUdeviceptr)(uintptr_t)seen->device) == CUDA_ERROR_NOT_PERMITTED;
    seen->refused += cudaDeviceSynchronize() == cudaErrorNotPermitted;
}

static void on_stream(cudaStream_t stream, cudaError_t status, void *user)
{
    struct seen *seen = user;
    seen->calls += status == cudaSuccess ? 10 : 1000;
    seen->stream = stream;
}

static void host_functions(uint32_t *p)
{
    cudaStream_t s;
    struct seen seen = {.device = p};
    OK(cudaStreamCreate(&s));
    OK(launch_wait(p, TURNS, s));
    OK(cudaLaunchHostFunc(s, on_host, &seen));
    OK(cudaStreamAddCallback(s, on_stream, &seen, 0));
    OK(cudaStreamSynchronize(s));
    MUST(seen.calls == 11 && seen.stream == s && seen.refused == 3);
    OK(cudaStreamDestroy(s));
}

static void properties(void)
{
    cudaStream_t s;
    int least, greatest, priority;
    unsigned int flags;
    OK(cudaDeviceGetStreamPriorityRange(&least, &greatest));
    MUST(least == 0 && greatest < 0);
    OK(cudaStreamCreateWithPriority(&s, cudaStreamNonBlocking, greatest - 100));
    OK(cudaStreamGetPriority(s, &priority));
    OK(cudaStreamGetFlags(s, &flags));
    MUST(priority == greatest && flags == cudaStreamNonBlocking);
    OK(cudaStreamDestroy(s));
    OK(cudaStreamSynchronize(cudaStreamLegacy));
    OK(cudaStreamSynchronize(cudaStreamPerThread));
    GIVES(cudaErrorInvalidValue, cudaStreamCreateWithFlags(&s, 77));
}

int main(void)
{
    uint32_t *p;
    api_register();
    OK(cudaMalloc((void **)&p, 65536));
    OK(cudaMemset(p, 0, 65536));
    overlap(p);
    events(p);
    host_functions(p);
    properties();
    unsigned long long before, after;
    OK(evgpuGetTime(&before));
    OK(evgpuHostTime(5000000000)); /* longer than any watchdog's patience */
    OK(cudaDeviceSynchronize());
    OK(evgpuGetTime(&after));
    MUST(after - before >= 5000000000 && after - before < 5000100000);
    return 0;
}
