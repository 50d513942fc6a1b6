/* CUDA graphs of the driver API: put together by hand, captured, changed, launched again. */
#include "tests/cuda/api/api.h"

#define N 512u

static uint32_t got[N];
static CUfunction fill, sum;

static void expect(CUdeviceptr p, uint32_t value, uint32_t step)
{
    OK(cuMemcpyDtoH(got, p, sizeof got));
    for (uint32_t i = 0; i < N; i++)
        MUST(got[i] == value + step * i);
}

static void count_up(void *user)
{
    ++*(int *)user;
}

static CUDA_KERNEL_NODE_PARAMS kernel(CUfunction function, void **args)
{
    return (CUDA_KERNEL_NODE_PARAMS){.func = function,
                                     .gridDimX = 2,
                                     .gridDimY = 1,
                                     .gridDimZ = 1,
                                     .blockDimX = 256,
                                     .blockDimY = 1,
                                     .blockDimZ = 1,
                                     .kernelParams = args};
}

/* a = 10 + i and b = 20 + i, c = a + b, then c to d and a host function. */
static void by_hand(CUcontext context, CUdeviceptr a, CUdeviceptr b, CUdeviceptr c, CUdeviceptr d)
{
    uint32_t n = N, ten = 10, twenty = 20, hundred = 100;
    int calls = 0;
    void *of_a[] = {&a, &ten, &n}, *of_b[] = {&b, &twenty, &n}, *of_c[] = {&a, &b, &c, &n};
    void *other[] = {&a, &hundred, &n};
    CUDA_KERNEL_NODE_PARAMS in_a = kernel(fill, of_a), in_b = kernel(fill, of_b),
                            in_c = kernel(sum, of_c), changed = kernel(fill, other), wrong = in_a;
    CUDA_MEMSET_NODE_PARAMS clear = {c, 0, 0xAB, 1, N * 4, 1};
    CUDA_MEMCPY3D copy = {.srcMemoryType = CU_MEMORYTYPE_DEVICE,
                          .srcDevice = c,
                          .dstMemoryType = CU_MEMORYTYPE_DEVICE,
                          .dstDevice = d,
                          .WidthInBytes = N * 4,
                          .Height = 1,
                          .Depth = 1};
    CUDA_HOST_NODE_PARAMS host = {count_up, &calls};
    CUgraph graph, clone, parent;
    CUgraphNode first[3], add, after[2], child, empty, bad;
    CUgraphExec exec;
    CUgraphNodeType type;
    CUgraphExecUpdateResult result;
    char log[8] = "unset";
    size_t count;

    OK(cuGraphCreate(&graph, 0));
    OK(cuGraphAddKernelNode(&first[0], graph, NULL, 0, &in_a));
    OK(cuGraphAddKernelNode(&first[1], graph, NULL, 0, &in_b));
    OK(cuGraphAddMemsetNode(&first[2], graph, NULL, 0, &clear, context));
    OK(cuGraphAddKernelNode(&add, graph, first, 2, &in_c));
    OK(cuGraphAddDependencies(graph, &first[2], &add, 1));
    OK(cuGraphAddMemcpyNode(&after[0], graph, &add, 1, &copy, context));
    OK(cuGraphAddHostNode(&after[1], graph, after, 1, &host));
    wrong.func = NULL;
    GIVES(CUDA_ERROR_INVALID_VALUE, cuGraphAddKernelNode(&bad, graph, NULL, 0, &wrong));
    GIVES(CUDA_ERROR_INVALID_VALUE, cuGraphAddKernelNode(&bad, graph, NULL, 1, &in_a));
    GIVES(CUDA_ERROR_INVALID_CONTEXT, cuGraphAddMemcpyNode(&bad, graph, NULL, 0, &copy, NULL));
    GIVES(CUDA_ERROR_INVALID_VALUE, cuGraphAddMemcpyNode(&bad, graph, NULL, 0, NULL, context));
    OK(cuGraphNodeGetType(after[0], &type));
    MUST(type == CU_GRAPH_NODE_TYPE_MEMCPY);
    OK(cuGraphGetNodes(graph, NULL, &count));
    MUST(count == 6);
    OK(cuGraphGetRootNodes(graph, NULL, &count));
    MUST(count == 3);
    OK(cuGraphGetEdges(graph, NULL, NULL, &count));
    MUST(count == 5);

    /* In another graph, behind an empty node, as CUDA 12 instantiates it */
    OK(cuGraphClone(&clone, graph));
    OK(cuGraphCreate(&parent, 0));
    OK(cuGraphAddEmptyNode(&empty, parent, NULL, 0));
    OK(cuGraphAddChildGraphNode(&child, parent, &empty, 1, clone));
    OK(cuGraphInstantiate(&exec, parent, 0));
    OK(cuGraphUpload(exec, NULL));
    OK(cuGraphLaunch(exec, NULL));
    OK(cuCtxSynchronize());
    expect(c, 30, 2);
    expect(d, 30, 2);
    MUST(calls == 1);
    OK(cuGraphExecDestroy(exec));
    OK(cuGraphDestroy(parent));
    OK(cuGraphDestroy(clone));

    OK(cuGraphInstantiate(&exec, graph, &bad, log, sizeof log));
    MUST(!bad && !*log);
    OK(cuGraphExecKernelNodeSetParams(exec, first[0], &changed));
    OK(cuGraphLaunch(exec, NULL));
    OK(cuCtxSynchronize());
    expect(d, 120, 2);
    OK(cuGraphKernelNodeSetParams(first[1], &changed)); /* writes a, too */
    OK(cuGraphExecUpdate(exec, graph, &bad, &result));
    MUST(result == CU_GRAPH_EXEC_UPDATE_SUCCESS && !bad);
    OK(cuGraphKernelNodeGetParams(first[1], &wrong));
    MUST(wrong.func == fill && wrong.blockDimX == 256 && *(uint32_t *)wrong.kernelParams[1] == 100);
    clear = (CUDA_MEMSET_NODE_PARAMS){0};
    OK(cuGraphMemsetNodeGetParams(first[2], &clear));
    MUST(clear.dst == c && clear.value == 0xAB);
    CUDA_MEMCPY3D kept = {0};
    OK(cuGraphMemcpyNodeGetParams(after[0], &kept));
    MUST(!memcmp(&kept, &copy, sizeof kept));
    GIVES(CUDA_ERROR_INVALID_VALUE, cuGraphMemcpyNodeGetParams(first[2], &kept));
    /* b is set, and copied, in the executable graph alone. */
    clear = (CUDA_MEMSET_NODE_PARAMS){b, 0, 5, 4, N, 1};
    copy.srcDevice = b;
    OK(cuGraphExecMemsetNodeSetParams(exec, first[2], &clear, context));
    OK(cuGraphExecMemcpyNodeSetParams(exec, after[0], &copy, context));
    OK(cuGraphExecHostNodeSetParams(exec, after[1], &host));
    OK(cuGraphLaunch(exec, NULL));
    OK(cuCtxSynchronize());
    expect(d, 5, 0);
    count = 2;
    OK(cuGraphNodeGetDependencies(after[1], &bad, &count));
    MUST(count == 1 && bad == after[0]);
    OK(cuGraphNodeGetDependentNodes(add, NULL, &count));
    MUST(count == 1);
    GIVES(CUDA_ERROR_INVALID_VALUE, cuGraphDestroyNode(NULL));
    OK(cuGraphDebugDotPrint(graph, "/dev/null", 0));
    OK(cuGraphAddEmptyNode(&empty, graph, NULL, 0));
    GIVES(CUDA_ERROR_GRAPH_EXEC_UPDATE_FAILURE, cuGraphExecUpdate(exec, graph, &bad, &result));
    MUST(result == CU_GRAPH_EXEC_UPDATE_ERROR_TOPOLOGY_CHANGED);
    OK(cuGraphExecDestroy(exec));
    OK(cuGraphDestroy(graph));
    MUST(calls == 3);
}

static void captured(CUdeviceptr a)
{
    uint32_t n = N, value = 7;
    void *args[] = {&a, &value, &n};
    CUstream stream;
    CUgraph graph, ended;
    CUgraphExec exec;
    CUstreamCaptureStatus status;
    CUstreamCaptureMode mode = CU_STREAM_CAPTURE_MODE_RELAXED;
    CUgraphNode own;
    const CUgraphNode *before;
    cuuint64_t id = 0;
    size_t count;
    OK(cuThreadExchangeStreamCaptureMode(&mode));
    MUST(mode == CU_STREAM_CAPTURE_MODE_GLOBAL);
    OK(cudaThreadExchangeStreamCaptureMode((enum cudaStreamCaptureMode *)&mode));
    MUST(mode == CU_STREAM_CAPTURE_MODE_RELAXED); /* of both APIs */
    OK(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
    OK(cuMemsetD32(a, 0, N));
    OK(cuStreamBeginCapture(stream, CU_STREAM_CAPTURE_MODE_GLOBAL));
    OK(cuLaunchKernel(fill, 2, 1, 1, 256, 1, 1, 0, stream, args, NULL));
    OK(cuStreamIsCapturing(stream, &status));
    MUST(status == CU_STREAM_CAPTURE_STATUS_ACTIVE);
    OK(cuStreamGetCaptureInfo(stream, &status, &id));
    OK(cuStreamGetCaptureInfo_v2(stream, &status, NULL, &graph, &before, &count));
    MUST(id && count == 1);
    OK(cuGraphAddEmptyNode(&own, graph, before, count));
    OK(cuStreamUpdateCaptureDependencies(stream, &own, 1, CU_STREAM_SET_CAPTURE_DEPENDENCIES));
    GIVES(CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED, cuStreamSynchronize(stream));
    OK(cuStreamEndCapture(stream, &ended));
    MUST(graph == ended);
    OK(cuStreamIsCapturing(stream, &status));
    MUST(status == CU_STREAM_CAPTURE_STATUS_NONE);
    expect(a, 0, 0); /* nothing has happened so far */
    GIVES(CUDA_ERROR_INVALID_VALUE, cuGraphInstantiateWithFlags(&exec, graph, 2));
    OK(cuGraphInstantiateWithFlags(&exec, graph, 0));
    OK(cuGraphLaunch(exec, stream));
    OK(cuStreamSynchronize(stream));
    expect(a, 7, 1);
    OK(cuGraphExecDestroy(exec));
    OK(cuGraphDestroy(graph));
    OK(cuStreamDestroy(stream));
}

static CUgraphNode add_node(CUgraph graph, const CUgraphNode *before, CUgraphNodeParams *params)
{
    CUgraphNode node;
    OK(cuGraphAddNode(&node, graph, before, before ? 1 : 0, params));
    return node;
}

/* A value sets the condition, a kernel runs or not, and its loop ends by another value. */
static void conditional(CUdeviceptr a)
{
    uint32_t n = N, five = 5;
    void *args[] = {&a, &five, &n};
    CUgraph graph, body;
    CUgraphExec exec;
    CUgraphNode set, node;
    CUgraphConditionalHandle handle;
    CUstream s;
    OK(cuGraphCreate(&graph, 0));
    OK(cuGraphConditionalHandleCreate(&handle, graph, NULL, 1, CU_GRAPH_COND_ASSIGN_DEFAULT));
    CUstreamBatchMemOpParams op = {
        .writeValue = {CU_STREAM_MEM_OP_WRITE_VALUE_32, handle, {.value = 0}, 0, 0}};
    CUgraphNodeParams write = {.type = CU_GRAPH_NODE_TYPE_BATCH_MEM_OP,
                               .memOp = {.count = 1, .paramArray = &op}};
    CUgraphNodeParams run = {.type = CU_GRAPH_NODE_TYPE_KERNEL, .kernel = kernel(fill, args)};
    CUgraphNodeParams loop = {
        .type = CU_GRAPH_NODE_TYPE_CONDITIONAL,
        .conditional = {.handle = handle, .type = CU_GRAPH_COND_TYPE_WHILE, .size = 1}};
    node = add_node(graph, NULL, &loop);
    body = loop.conditional.phGraph_out[0];
    set = add_node(body, NULL, &run);
    add_node(body, &set, &write);
    OK(cuGraphInstantiateWithFlags(&exec, graph, 0));
    OK(cuStreamCreate(&s, CU_STREAM_NON_BLOCKING));
    for (int i = 0; i < 2; i++) { /* the default value starts it again */
        OK(cuMemsetD32(a, 0, N));
        OK(cuGraphLaunch(exec, s));
        OK(cuStreamSynchronize(s));
        expect(a, 5, 1);
    }
    OK(cuGraphExecDestroy(exec));
    add_node(graph, NULL, &write); /* in front of the loop: it does not run */
    CUgraphNode nodes[2];
    size_t count = 2;
    OK(cuGraphGetNodes(graph, nodes, &count));
    OK(cuGraphAddDependencies(graph, &nodes[1], &node, 1));
    OK(cuGraphInstantiateWithFlags(&exec, graph, 0));
    OK(cuMemsetD32(a, 3, N));
    OK(cuGraphLaunch(exec, s));
    OK(cuStreamSynchronize(s));
    expect(a, 3, 0);
    OK(cuGraphExecDestroy(exec));
    OK(cuGraphDestroy(graph));
    OK(cuStreamDestroy(s));
}

int main(void)
{
    CUcontext context;
    CUmodule module;
    CUdeviceptr p;
    OK(cuInit(0));
    OK(cuCtxCreate(&context, 0, 0));
    OK(cuModuleLoadData(&module, api_ptx));
    OK(cuModuleGetFunction(&fill, module, "fill"));
    OK(cuModuleGetFunction(&sum, module, "add"));
    OK(cuMemAlloc(&p, 4 * sizeof got));
    by_hand(context, p, p + sizeof got, p + 2 * sizeof got, p + 3 * sizeof got);
    captured(p);
    conditional(p);
    OK(cuMemFree(p));
    OK(cuCtxDestroy(context));
    return 0;
}
