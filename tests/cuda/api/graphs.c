/* CUDA graphs: captured, with a fork and a join; put together by hand; launched several times. */
#include <pthread.h>

#include "tests/cuda/api/api.h"

/* Both APIs number the kinds of nodes alike, also of those that no graph has here. */
_Static_assert((int)cudaGraphNodeTypeExtSemaphoreSignal ==
                       (int)CU_GRAPH_NODE_TYPE_EXT_SEMAS_SIGNAL &&
                   (int)cudaGraphNodeTypeExtSemaphoreWait == (int)CU_GRAPH_NODE_TYPE_EXT_SEMAS_WAIT,
               "one numbering");

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

/* A copy that was captured says what it copies, by addresses. */
static void captured_copy(uint32_t *a)
{
    static uint32_t rows[4][8];
    struct cudaMemcpy3DParms p = {0};
    cudaGraphNode_t node;
    cudaGraph_t graph;
    cudaStream_t s;
    size_t count = 1;
    OK(cudaStreamCreate(&s));
    OK(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal));
    OK(cudaMemcpy2DAsync(rows, 32, a, 64, 20, 4, cudaMemcpyDeviceToHost, s));
    OK(cudaStreamEndCapture(s, &graph));
    OK(cudaGraphGetNodes(graph, &node, &count));
    OK(cudaGraphMemcpyNodeGetParams(node, &p));
    MUST(p.dstPtr.ptr == rows && p.dstPtr.pitch == 32 && p.srcPtr.ptr == a && p.srcPtr.pitch == 64);
    MUST(p.extent.width == 20 && p.extent.height == 4 && p.extent.depth == 1);
    OK(cudaGraphDestroy(graph));
    OK(cudaStreamDestroy(s));
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

static void count_twice(void *user)
{
    *(int *)user += 2;
}

static const char *picture; /* where a drawing goes */

/* a = 10 + i, then c = a + b, a host function and a copy of c; each is looked into and changed. */
static void changed(uint32_t *a, uint32_t *b, uint32_t *c)
{
    static uint32_t result[N];
    cudaGraph_t graph, clone, child;
    cudaGraphExec_t exec;
    cudaGraphNode_t fill, clear, sum, host, out, spare, found[4], nested;
    struct cudaKernelNodeParams kernel;
    struct cudaMemsetParams set = {.dst = b, .value = 5, .elementSize = 4, .width = N, .height = 1};
    struct cudaHostNodeParams function = {count_up, NULL};
    uint32_t n = N, ten = 10, forty = 40;
    int calls = 0;
    size_t count = 0;
    void *fill_args[] = {&a, &ten, &n}, *sum_args[] = {&a, &b, &c, &n};
    function.userData = &calls;
    OK(cudaGraphCreate(&graph, 0));
    kernel = (struct cudaKernelNodeParams){.func = &host_fill,
                                           .gridDim = api_dim(2, 1, 1),
                                           .blockDim = api_dim(256, 1, 1),
                                           .kernelParams = fill_args};
    OK(cudaGraphAddKernelNode(&fill, graph, NULL, 0, &kernel));
    OK(cudaGraphAddMemsetNode(&clear, graph, NULL, 0, &set));
    kernel.func = &host_add;
    kernel.kernelParams = sum_args;
    OK(cudaGraphAddKernelNode(&sum, graph, (cudaGraphNode_t[]){fill, clear}, 2, &kernel));
    OK(cudaGraphAddHostNode(&host, graph, &sum, 1, &function));
    OK(cudaGraphAddMemcpyNode1D(&out, graph, &sum, 1, result, c, sizeof result,
                                cudaMemcpyDeviceToHost));
    OK(cudaGraphAddEmptyNode(&spare, graph, &sum, 1));

    /* What a node is. */
    OK(cudaGraphKernelNodeGetParams(fill, &kernel));
    MUST(kernel.func == &host_fill && kernel.gridDim.x == 2 && kernel.blockDim.x == 256);
    MUST(*(uint32_t **)kernel.kernelParams[0] == a && *(uint32_t *)kernel.kernelParams[1] == 10);
    GIVES(cudaErrorInvalidValue, cudaGraphKernelNodeGetParams(clear, &kernel));
    set = (struct cudaMemsetParams){0};
    OK(cudaGraphMemsetNodeGetParams(clear, &set));
    MUST(set.dst == b && set.value == 5 && set.elementSize == 4 && set.width == N);
    function.fn = NULL;
    OK(cudaGraphHostNodeGetParams(host, &function));
    MUST(function.fn == count_up && function.userData == &calls);

    /* Where it stands. */
    OK(cudaGraphNodeGetDependencies(sum, NULL, &count));
    MUST(count == 2);
    count = 4;
    OK(cudaGraphNodeGetDependentNodes(sum, found, &count));
    MUST(count == 3 && found[0] == host && found[1] == out && found[2] == spare);
    OK(cudaGraphClone(&clone, graph));
    OK(cudaGraphDestroyNode(spare));
    OK(cudaGraphGetNodes(graph, NULL, &count));
    MUST(count == 5);
    OK(cudaGraphRemoveDependencies(graph, &sum, &host, 1));
    GIVES(cudaErrorInvalidValue, cudaGraphRemoveDependencies(graph, &sum, &host, 1));
    OK(cudaGraphAddDependencies(graph, &out, &host, 1));
    OK(cudaGraphNodeFindInClone(&found[0], out, clone));
    count = 4;
    OK(cudaGraphNodeGetDependencies(found[0], found, &count));
    MUST(count == 1);
    GIVES(cudaErrorInvalidValue, cudaGraphNodeFindInClone(&found[0], out, graph));
    OK(cudaGraphDestroy(clone));

    /* The parameters of one node with another value: kernelParams points into the node. */
    OK(cudaGraphKernelNodeGetParams(fill, &kernel));
    kernel.kernelParams[1] = &forty;
    OK(cudaGraphKernelNodeSetParams(fill, &kernel));
    set.value = 7;
    OK(cudaGraphMemsetNodeSetParams(clear, &set));
    OK(cudaGraphInstantiate(&exec, graph, NULL, NULL, 0));
    OK(cudaGraphLaunch(exec, NULL));
    OK(cudaDeviceSynchronize());
    MUST(result[0] == 47 && result[5] == 52 && calls == 1);

    /* In the executable graph alone. */
    set.value = 100;
    OK(cudaGraphExecMemsetNodeSetParams(exec, clear, &set));
    function.fn = count_twice;
    OK(cudaGraphExecHostNodeSetParams(exec, host, &function));
    struct cudaMemcpy3DParms copy = {0};
    OK(cudaGraphMemcpyNodeGetParams(out, &copy));
    MUST(copy.srcPtr.ptr && copy.dstPtr.ptr && copy.extent.height == 1 && copy.extent.depth == 1);
    OK(cudaGraphMemcpyNodeSetParams(out, &copy)); /* the same again */
    GIVES(cudaErrorInvalidValue, cudaGraphMemcpyNodeGetParams(host, &copy));
    OK(cudaGraphExecMemcpyNodeSetParams1D(exec, out, result + 1, c, 4, cudaMemcpyDeviceToHost));
    GIVES(cudaErrorInvalidValue, cudaGraphExecHostNodeSetParams(exec, out, &function));
    OK(cudaGraphLaunch(exec, NULL));
    OK(cudaDeviceSynchronize());
    MUST(result[0] == 47 && result[1] == 140 && result[5] == 52 && calls == 3);
    OK(cudaGraphExecDestroy(exec));

    /* A child graph that is another one. */
    OK(cudaGraphCreate(&child, 0));
    OK(cudaGraphAddChildGraphNode(&nested, child, NULL, 0, graph));
    OK(cudaGraphChildGraphNodeGetGraph(nested, &clone));
    MUST(clone != graph);
    OK(cudaGraphGetNodes(clone, NULL, &count));
    MUST(count == 5);
    OK(cudaGraphInstantiate(&exec, child, NULL, NULL, 0));
    set.value = 1;
    OK(cudaGraphMemsetNodeSetParams(clear, &set));
    OK(cudaGraphExecChildGraphNodeSetParams(exec, nested, graph));
    OK(cudaGraphLaunch(exec, NULL));
    OK(cudaDeviceSynchronize());
    MUST(result[0] == 41);
    OK(cudaGraphDebugDotPrint(child, picture, cudaGraphDebugDotFlagsVerbose));
    GIVES(cudaErrorOperatingSystem, cudaGraphDebugDotPrint(child, "no/such/folder/graph.dot", 0));
    OK(cudaGraphExecDestroy(exec));
    OK(cudaGraphDestroy(child));
    OK(cudaGraphDestroy(graph));
}

/* A chain that is far longer than the thread's stack is deep is looked through at the join. */
static void *chain(void *memory)
{
    cudaStream_t s, t;
    cudaEvent_t fork, join;
    cudaGraph_t graph;
    size_t count = 0;
    OK(cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking));
    OK(cudaStreamCreateWithFlags(&t, cudaStreamNonBlocking));
    OK(cudaEventCreate(&fork));
    OK(cudaEventCreate(&join));
    OK(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal));
    OK(cudaEventRecord(fork, s));
    OK(cudaStreamWaitEvent(t, fork, 0));
    for (int i = 0; i < 8000; i++)
        OK(cudaMemsetAsync(memory, 1, 4, s));
    OK(cudaMemsetAsync(memory, 1, 4, t));
    OK(cudaEventRecord(join, t));
    OK(cudaStreamWaitEvent(s, join, 0));
    OK(cudaStreamEndCapture(s, &graph));
    OK(cudaGraphGetNodes(graph, NULL, &count));
    MUST(count == 8001);
    OK(cudaGraphDestroy(graph));
    return NULL;
}

static void long_chain(void *memory)
{
    pthread_t thread;
    pthread_attr_t small;
    MUST(!pthread_attr_init(&small) && !pthread_attr_setstacksize(&small, 256 << 10));
    MUST(!pthread_create(&thread, &small, chain, memory) && !pthread_join(thread, NULL));
    MUST(!pthread_attr_destroy(&small));
}

int main(int argc, char **argv)
{
    uint32_t *a, *b, *c;
    picture = argc > 1 ? argv[1] : "/dev/null";
    api_register();
    OK(cudaMalloc((void **)&a, N * 4));
    OK(cudaMalloc((void **)&b, N * 4));
    OK(cudaMalloc((void **)&c, N * 4));
    captured(a, b, c);
    looked_into(a, b, c);
    captured_copy(a);
    by_hand(a, b, c);
    changed(a, b, c);
    memory(a);
    long_chain(a);
    return 0;
}
