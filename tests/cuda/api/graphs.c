/* CUDA graphs: captured, with a fork and a join; put together by hand; launched several times. */
#include "tests/cuda/api/api.h"

#define N 512u

static uint32_t got[N];

static void expect(const uint32_t *p, uint32_t value)
{
    OK(cudaMemcpy(got, p, sizeof got, cudaMemcpyDeviceToHost));
    for (uint32_t i = 0; i < N; i++)
        MUST(got[i] == value + 2 * i);
}

static cudaError_t launch_add(void *a, void *b, void *c, cudaStream_t stream)
{
    uint32_t n = N;
    void *args[] = {&a, &b, &c, &n};
    return cudaLaunchKernel(&host_add, api_dim(2, 1, 1), api_dim(256, 1, 1), args, 0, stream);
}

static void count_up(void *user)
{
    ++*(int *)user;
}

/* A program puts a node of its own between those that a stream captures: a = 10 + i, a host
 * function, c = a + b. */
static void looked_into(uint32_t *a, uint32_t *b, uint32_t *c)
{
    cudaStream_t s, t;
    cudaGraph_t graph, ended;
    cudaGraphExec_t exec;
    cudaGraphNode_t own;
    const cudaGraphNode_t *before;
    enum cudaStreamCaptureStatus status;
    unsigned long long id, other;
    size_t count = 7;
    int calls = 0;
    struct cudaHostNodeParams host = {count_up, &calls};
    OK(cudaStreamCreate(&s));
    OK(cudaStreamCreate(&t));
    OK(cudaStreamGetCaptureInfo_v2(s, &status, &id, &graph, &before, &count));
    MUST(status == cudaStreamCaptureStatusNone && !graph && !count);
    GIVES(cudaErrorIllegalState, cudaStreamUpdateCaptureDependencies(s, NULL, 0, 0));
    OK(launch_fill(b, 20, N, s));
    OK(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal));
    OK(cudaStreamBeginCapture(t, cudaStreamCaptureModeGlobal));
    OK(cudaStreamGetCaptureInfo(t, &status, &other));
    OK(cudaStreamEndCapture(t, &ended));
    OK(cudaGraphDestroy(ended));
    OK(launch_fill(a, 10, N, s));
    OK(cudaStreamGetCaptureInfo_v2(s, &status, &id, &graph, &before, &count));
    MUST(status == cudaStreamCaptureStatusActive && id != other && count == 1);
    OK(cudaGraphAddHostNode(&own, graph, before, count, &host));
    GIVES(cudaErrorInvalidValue, cudaStreamUpdateCaptureDependencies(s, &own, 1, 2));
    OK(cudaStreamUpdateCaptureDependencies(s, &own, 1, cudaStreamAddCaptureDependencies));
    OK(cudaStreamGetCaptureInfo_v2(s, &status, NULL, NULL, &before, &count));
    MUST(count == 2 && before[1] == own);
    OK(cudaStreamUpdateCaptureDependencies(s, &own, 1, cudaStreamSetCaptureDependencies));
    OK(launch_add(a, b, c, s));
    OK(cudaStreamEndCapture(s, &ended));
    MUST(ended == graph);
    OK(cudaGraphGetEdges(graph, NULL, NULL, &count));
    MUST(count == 2);
    OK(cudaGraphInstantiate(&exec, graph, NULL, NULL, 0));
    OK(cudaGraphLaunch(exec, s));
    OK(cudaStreamSynchronize(s));
    expect(c, 30);
    MUST(calls == 1);
    OK(cudaGraphExecDestroy(exec));
    OK(cudaGraphDestroy(graph));
    OK(cudaStreamDestroy(s));
    OK(cudaStreamDestroy(t));
}

/* a = 10 + i and b = 20 + i in two streams, c = a + b. */
static void captured(uint32_t *a, uint32_t *b, uint32_t *c)
{
    cudaStream_t s, t;
    cudaEvent_t fork, join;
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    enum cudaStreamCaptureStatus status;
    size_t count = 0;
    int calls = 0;
    OK(cudaStreamCreate(&s));
    OK(cudaStreamCreate(&t));
    OK(cudaEventCreate(&fork));
    OK(cudaEventCreate(&join));
    OK(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal));
    OK(cudaStreamIsCapturing(s, &status));
    MUST(status == cudaStreamCaptureStatusActive);
    OK(cudaEventRecord(fork, s));
    OK(cudaStreamWaitEvent(t, fork, 0));
    OK(launch_fill(a, 10, N, s));
    OK(launch_fill(b, 20, N, t));
    OK(cudaEventRecord(join, t));
    GIVES(cudaErrorStreamCaptureUnsupported, cudaStreamSynchronize(s));
    GIVES(cudaErrorCapturedEvent, cudaEventQuery(join));
    OK(cudaStreamWaitEvent(s, join, 0));
    GIVES(cudaErrorStreamCaptureUnsupported, cudaStreamDestroy(s));
    OK(launch_add(a, b, c, s));
    OK(cudaLaunchHostFunc(s, count_up, &calls));
    GIVES(cudaErrorStreamCaptureUnmatched, cudaStreamEndCapture(t, &graph));
    OK(cudaStreamEndCapture(s, &graph));
    OK(cudaStreamIsCapturing(s, &status));
    MUST(status == cudaStreamCaptureStatusNone);
    OK(cudaGraphGetNodes(graph, NULL, &count));
    MUST(count == 4);
    OK(cudaGraphGetEdges(graph, NULL, NULL, &count));
    MUST(count == 3);
    /* Nothing has happened so far. */
    OK(cudaMemset(c, 0, N * 4));
    OK(cudaGraphInstantiate(&exec, graph, NULL, NULL, 0));
    OK(cudaGraphDestroy(graph));
    for (int turn = 1; turn <= 3; turn++) {
        OK(cudaMemset(c, 0, N * 4));
        OK(cudaGraphLaunch(exec, turn == 2 ? t : s));
        OK(cudaDeviceSynchronize());
        expect(c, 30);
        MUST(calls == turn);
    }
    OK(cudaGraphExecDestroy(exec));

    /* A branch that is not joined, and an event from outside. */
    OK(cudaStreamBeginCapture(s, cudaStreamCaptureModeRelaxed));
    OK(cudaEventRecord(fork, s));
    OK(cudaStreamWaitEvent(t, fork, 0));
    OK(launch_fill(b, 1, N, t));
    GIVES(cudaErrorStreamCaptureUnjoined, cudaStreamEndCapture(s, &graph));
    GIVES(cudaErrorIllegalState, cudaStreamEndCapture(s, &graph));
    GIVES(cudaErrorStreamCaptureUnsupported,
          cudaStreamBeginCapture(NULL, cudaStreamCaptureModeGlobal));
    OK(cudaStreamSynchronize(s));
    OK(cudaStreamSynchronize(t));
}

/* The nodes are added in the wrong order; dependences set them right. */
static void by_hand(uint32_t *a, uint32_t *b, uint32_t *c)
{
    cudaGraph_t graph, child, clone;
    cudaGraphNode_t sum, fill_a, fill_b, out, set, nested, circle[2];
    cudaGraphExec_t exec;
    enum cudaGraphNodeType type;
    static uint32_t result[N];
    uint32_t n = N, first = 100, second = 7;
    size_t count = 0;
    void *sum_args[] = {&a, &b, &c, &n}, *a_args[] = {&a, &first, &n},
         *b_args[] = {&b, &second, &n};
    struct cudaKernelNodeParams kernel = {.func = &host_add,
                                          .gridDim = api_dim(2, 1, 1),
                                          .blockDim = api_dim(256, 1, 1),
                                          .kernelParams = sum_args};
    struct cudaMemsetParams zero = {
        .dst = c, .value = 0, .elementSize = 4, .width = N, .height = 1};
    OK(cudaGraphCreate(&graph, 0));
    OK(cudaGraphCreate(&child, 0));
    OK(cudaGraphAddMemcpyNode1D(&out, graph, NULL, 0, result, c, sizeof result,
                                cudaMemcpyDeviceToHost));
    OK(cudaGraphAddKernelNode(&sum, graph, NULL, 0, &kernel));
    kernel.func = &host_fill;
    kernel.kernelParams = a_args;
    OK(cudaGraphAddKernelNode(&fill_a, graph, NULL, 0, &kernel));
    first = 999; /* the arguments were taken */
    kernel.kernelParams = b_args;
    OK(cudaGraphAddKernelNode(&fill_b, child, NULL, 0, &kernel));
    OK(cudaGraphAddMemsetNode(&set, child, &fill_b, 1, &zero));
    OK(cudaGraphAddChildGraphNode(&nested, graph, &fill_a, 1, child));
    OK(cudaGraphAddDependencies(graph, &nested, &sum, 1));
    OK(cudaGraphAddDependencies(graph, &sum, &out, 1));
    OK(cudaGraphNodeGetType(nested, &type));
    MUST(type == cudaGraphNodeTypeGraph);
    OK(cudaGraphGetRootNodes(graph, NULL, &count));
    MUST(count == 1);
    OK(cudaGraphClone(&clone, graph));
    OK(cudaGraphInstantiate(&exec, clone, NULL, NULL, 0));
    OK(cudaGraphDestroy(clone));
    OK(cudaGraphLaunch(exec, NULL));
    OK(cudaDeviceSynchronize());
    for (uint32_t i = 0; i < N; i++)
        MUST(result[i] == 107 + 2 * i);
    OK(cudaGraphExecDestroy(exec));

    /* Other arguments, in the executable graph alone. */
    OK(cudaGraphInstantiate(&exec, graph, NULL, NULL, 0));
    first = 1000;
    kernel.kernelParams = a_args;
    OK(cudaGraphExecKernelNodeSetParams(exec, fill_a, &kernel));
    OK(cudaGraphLaunch(exec, NULL));
    OK(cudaDeviceSynchronize());
    MUST(result[5] == 1007 + 10);
    OK(cudaGraphExecDestroy(exec));

    OK(cudaGraphAddEmptyNode(&circle[0], graph, NULL, 0));
    OK(cudaGraphAddEmptyNode(&circle[1], graph, &circle[0], 1));
    OK(cudaGraphAddDependencies(graph, &circle[1], &circle[0], 1));
    GIVES(cudaErrorInvalidValue, cudaGraphInstantiate(&exec, graph, NULL, NULL, 0));
    OK(cudaGraphDestroy(graph));
    OK(cudaGraphDestroy(child));
}

static uint64_t graph_bytes(enum cudaGraphMemAttributeType which)
{
    uint64_t bytes = 0;
    OK(cudaDeviceGetGraphMemAttribute(0, which, &bytes));
    return bytes;
}

/* A graph allocates p, fills it, adds it to itself into `out`, and frees it; another one leaves its
 * memory to the program. */
static void memory(uint32_t *out)
{
    cudaStream_t s, joined;
    cudaEvent_t event;
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    cudaGraphNode_t node, allocated, freed;
    uint32_t *p = NULL;
    enum cudaGraphNodeType type;
    OK(cudaStreamCreate(&s));
    OK(cudaStreamCreate(&joined));
    OK(cudaEventCreate(&event));
    OK(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal));
    OK(cudaMallocAsync((void **)&p, N * 4, s));
    OK(cudaEventRecord(event, s));
    OK(cudaStreamWaitEvent(joined, event, 0));
    OK(launch_fill(p, 7, N, joined));
    OK(cudaEventRecord(event, joined));
    OK(cudaStreamWaitEvent(s, event, 0));
    OK(cudaStreamDestroy(joined)); /* its part of the graph stays */
    OK(launch_add(p, p, out, s));
    OK(cudaFreeAsync(p, s));
    OK(cudaStreamEndCapture(s, &graph));
    MUST(graph_bytes(cudaGraphMemAttrReservedMemCurrent) == N * 4);
    OK(cudaGraphInstantiate(&exec, graph, NULL, NULL, 0));
    GIVES(cudaErrorInvalidValue, cudaFree(p)); /* no launch has allocated it */
    for (int round = 0; round < 2; round++) {
        OK(cudaMemset(out, 0, N * 4));
        OK(cudaGraphLaunch(exec, s));
        OK(cudaStreamSynchronize(s));
        expect(out, 14);
    }
    MUST(graph_bytes(cudaGraphMemAttrUsedMemHigh) == N * 4);
    MUST(graph_bytes(cudaGraphMemAttrUsedMemCurrent) == 0);
    OK(cudaGraphExecDestroy(exec));
    OK(cudaGraphDestroy(graph));
    MUST(graph_bytes(cudaGraphMemAttrReservedMemCurrent) == 0);

    struct cudaMemAllocNodeParams params = {
        .poolProps = {.allocType = cudaMemAllocationTypePinned,
                      .location = {.type = cudaMemLocationTypeDevice}},
        .bytesize = N * 4};
    OK(cudaGraphCreate(&graph, 0));
    OK(cudaGraphAddMemAllocNode(&allocated, graph, NULL, 0, &params));
    OK(cudaGraphNodeGetType(allocated, &type));
    MUST(type == cudaGraphNodeTypeMemAlloc && params.dptr);
    OK(cudaGraphAddMemcpyNode1D(&node, graph, &allocated, 1, params.dptr, out, N * 4,
                                cudaMemcpyDeviceToDevice));
    OK(cudaGraphInstantiate(&exec, graph, NULL, NULL, 0));
    OK(cudaGraphLaunch(exec, s));
    OK(cudaStreamSynchronize(s));
    GIVES(cudaErrorInvalidValue, cudaGraphLaunch(exec, s)); /* it is not freed */
    OK(cudaGraphExecDestroy(exec));
    OK(cudaGraphInstantiateWithFlags(&exec, graph, cudaGraphInstantiateFlagAutoFreeOnLaunch));
    OK(cudaGraphLaunch(exec, s));
    OK(cudaGraphExecDestroy(exec));
    OK(cudaGraphDestroy(graph));
    OK(cudaStreamSynchronize(s));
    expect(params.dptr, 14); /* and outlives its graphs */
    MUST(graph_bytes(cudaGraphMemAttrUsedMemCurrent) == N * 4);
    /* A graph that frees what another one has allocated. */
    OK(cudaGraphCreate(&graph, 0));
    OK(cudaGraphAddMemFreeNode(&freed, graph, NULL, 0, params.dptr));
    OK(cudaGraphInstantiate(&exec, graph, NULL, NULL, 0));
    OK(cudaGraphLaunch(exec, s));
    MUST(graph_bytes(cudaGraphMemAttrReservedMemCurrent) == 0);
    OK(cudaGraphExecDestroy(exec));
    OK(cudaGraphDestroy(graph));
    OK(cudaStreamDestroy(s));
}

int main(void)
{
    uint32_t *a, *b, *c;
    api_register();
    OK(cudaMalloc((void **)&a, N * 4));
    OK(cudaMalloc((void **)&b, N * 4));
    OK(cudaMalloc((void **)&c, N * 4));
    captured(a, b, c);
    looked_into(a, b, c);
    by_hand(a, b, c);
    memory(a);
    return 0;
}
