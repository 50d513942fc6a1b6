/* Handles that are of no graph or array, or of a destroyed one, and positions beyond all memory:
 * errors, with nothing done. */
#include "tests/cuda/api/api.h"

static void destroyed(void)
{
    cudaGraph_t graph, copy;
    cudaGraphExec_t exec;
    cudaGraphNode_t first, second;
    enum cudaGraphNodeType type;
    size_t count = 0;
    GIVES(cudaErrorInvalidValue, cudaGraphCreate(&graph, 1));
    GIVES(cudaErrorInvalidValue, cudaGraphCreate(NULL, 0));
    OK(cudaGraphCreate(&graph, 0));
    OK(cudaGraphAddEmptyNode(&first, graph, NULL, 0));
    OK(cudaGraphAddEmptyNode(&second, graph, &first, 1));
    OK(cudaGraphInstantiate(&exec, graph, NULL, NULL, 0));
    OK(cudaGraphDestroyNode(second));
    GIVES(cudaErrorInvalidValue, cudaGraphDestroyNode(second));
    GIVES(cudaErrorInvalidValue, cudaGraphAddDependencies(graph, &first, &second, 1));
    OK(cudaGraphDestroy(graph));
    GIVES(cudaErrorInvalidValue, cudaGraphDestroy(graph));
    GIVES(cudaErrorInvalidValue, cudaGraphAddEmptyNode(&first, graph, NULL, 0));
    GIVES(cudaErrorInvalidValue, cudaGraphClone(&copy, graph));
    GIVES(cudaErrorInvalidValue, cudaGraphGetNodes(graph, NULL, &count));
    GIVES(cudaErrorInvalidValue, cudaGraphGetEdges(graph, NULL, NULL, &count));
    GIVES(cudaErrorInvalidValue, cudaGraphNodeGetType(first, &type));
    GIVES(cudaErrorInvalidValue, cudaGraphNodeGetDependencies(first, NULL, &count));
    GIVES(cudaErrorInvalidValue, cudaGraphDebugDotPrint(graph, "none.dot", 0));
    OK(cudaGraphLaunch(exec, NULL)); /* has nodes of its own */
    OK(cudaGraphExecDestroy(exec));
    GIVES(cudaErrorInvalidValue, cudaGraphExecDestroy(exec));
    GIVES(cudaErrorInvalidValue, cudaGraphLaunch(exec, NULL));
    GIVES(cudaErrorInvalidValue, cudaGraphLaunch((cudaGraphExec_t)&count, NULL));
}

/* A dependence that there is already, or no longer, and those of a destroyed node. */
static void dependences(void)
{
    cudaGraph_t graph, copy;
    cudaGraphNode_t first, second, third, found;
    cudaGraphExec_t exec;
    size_t count = 0;
    OK(cudaGraphCreate(&graph, 0));
    OK(cudaGraphAddEmptyNode(&first, graph, NULL, 0));
    OK(cudaGraphAddEmptyNode(&second, graph, &first, 1));
    GIVES(cudaErrorInvalidValue, cudaGraphAddDependencies(graph, &first, &second, 1));
    const cudaGraphNode_t twice[] = {second, second};
    GIVES(cudaErrorInvalidValue, cudaGraphAddEmptyNode(&third, graph, twice, 2));
    OK(cudaGraphRemoveDependencies(graph, &first, &second, 1));
    GIVES(cudaErrorInvalidValue, cudaGraphRemoveDependencies(graph, &first, &second, 1));
    OK(cudaGraphAddDependencies(graph, &first, &second, 1));
    OK(cudaGraphAddEmptyNode(&third, graph, twice, 1));
    OK(cudaGraphClone(&copy, graph));
    OK(cudaGraphInstantiate(&exec, graph, NULL, NULL, 0));
    OK(cudaGraphDestroyNode(second));
    GIVES(cudaErrorInvalidValue, cudaGraphNodeFindInClone(&found, second, copy));
    OK(cudaGraphNodeFindInClone(&found, third, copy));
    OK(cudaGraphNodeGetDependencies(found, NULL, &count));
    MUST(count == 1);
    OK(cudaGraphNodeGetDependencies(third, NULL, &count));
    MUST(count == 0);
    OK(cudaGraphNodeGetDependentNodes(first, NULL, &count));
    MUST(count == 0);
    OK(cudaGraphExecDestroy(exec));
    OK(cudaGraphDestroy(copy));
    OK(cudaGraphDestroy(graph));
}

/* One of the nodes that a stream's next one would come behind. */
static void destroyed_in_a_capture(void)
{
    cudaStream_t stream;
    cudaGraph_t graph;
    cudaGraphNode_t nodes[2];
    OK(cudaStreamCreate(&stream));
    OK(cudaGraphCreate(&graph, 0));
    OK(cudaGraphAddEmptyNode(&nodes[0], graph, NULL, 0));
    OK(cudaGraphAddEmptyNode(&nodes[1], graph, NULL, 0));
    OK(cudaStreamBeginCaptureToGraph(stream, graph, nodes, NULL, 2, cudaStreamCaptureModeRelaxed));
    OK(cudaGraphDestroyNode(nodes[1]));
    GIVES(cudaErrorStreamCaptureUnjoined, cudaStreamEndCapture(stream, NULL));
    OK(cudaGraphDestroy(graph));
    OK(cudaStreamDestroy(stream));
}

/* A node whose dependences are not of its graph is not added. */
static void foreign(void)
{
    cudaGraph_t graph, other;
    cudaGraphNode_t node, stranger;
    size_t count = 0;
    OK(cudaGraphCreate(&graph, 0));
    OK(cudaGraphCreate(&other, 0));
    OK(cudaGraphAddEmptyNode(&stranger, other, NULL, 0));
    OK(cudaGraphAddEmptyNode(&node, graph, NULL, 0));
    const cudaGraphNode_t before[] = {node, stranger};
    GIVES(cudaErrorInvalidValue, cudaGraphAddEmptyNode(&node, graph, before, 2));
    OK(cudaGraphGetNodes(graph, NULL, &count));
    MUST(count == 1);
    OK(cudaGraphDestroy(other));
    OK(cudaGraphDestroy(graph));
}

/* 2^62 slices of 64 rows of 64 bytes are a multiple of 2^64. */
static void positions(void)
{
    char *device, host[64] = {1}, none[256] = {0};
    OK(cudaMalloc((void **)&device, 4096));
    OK(cudaMemset(device, 0, 4096));
    struct cudaMemcpy3DParms p = {.srcPtr = {host, 64, 64, 64},
                                  .dstPtr = {device, 64, 64, 64},
                                  .extent = {1, 1, 1},
                                  .kind = cudaMemcpyHostToDevice};
    p.dstPos.z = (size_t)1 << 62;
    GIVES(cudaErrorInvalidValue, cudaMemcpy3D(&p));
    p.dstPos = (struct cudaPos){.y = (size_t)1 << 58};
    GIVES(cudaErrorInvalidValue, cudaMemcpy3D(&p));
    p.dstPos = (struct cudaPos){.x = SIZE_MAX};
    GIVES(cudaErrorInvalidValue, cudaMemcpy3D(&p));
    p.dstPos = (struct cudaPos){0};
    p.dstPtr = (struct cudaPitchedPtr){0};
    p.dstArray = (cudaArray_t)none;
    GIVES(cudaErrorInvalidResourceHandle, cudaMemcpy3D(&p));
    CUDA_MEMCPY3D d = {.srcMemoryType = CU_MEMORYTYPE_HOST,
                       .srcHost = host,
                       .dstMemoryType = CU_MEMORYTYPE_DEVICE,
                       .dstDevice = (uintptr_t)device,
                       .dstZ = (size_t)1 << 58,
                       .dstPitch = 64,
                       .dstHeight = 1,
                       .WidthInBytes = 1,
                       .Height = 1,
                       .Depth = 1};
    GIVES(CUDA_ERROR_INVALID_VALUE, cuMemcpy3D(&d));
    OK(cudaMemcpy(host, device, 1, cudaMemcpyDeviceToHost));
    MUST(host[0] == 0);
    OK(cudaFree(device));
}

int main(void)
{
    destroyed();
    dependences();
    destroyed_in_a_capture();
    foreign();
    positions();
    return 0;
}
