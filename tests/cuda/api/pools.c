/* Memory pools of both APIs, which are the same pools, and executable graphs updated. */
#include "tests/cuda/api/api.h"

static uint64_t used(cudaMemPool_t pool, enum cudaMemPoolAttr what)
{
    uint64_t bytes = 0;
    OK(cudaMemPoolGetAttribute(pool, what, &bytes));
    return bytes;
}

static void pools(void)
{
    cudaMemPool_t own = NULL, other = NULL, got = NULL;
    struct cudaMemPoolProps props = {.allocType = cudaMemAllocationTypePinned,
                                     .location = {cudaMemLocationTypeDevice, 0}};
    struct cudaMemAccessDesc access = {{cudaMemLocationTypeDevice, 0},
                                       cudaMemAccessFlagsProtReadWrite};
    enum cudaMemAccessFlags flags = cudaMemAccessFlagsProtNone;
    void *a, *b, *c, *plain;
    uint64_t threshold = 1 << 20;
    int value = 0;

    OK(cudaDeviceGetAttribute(&value, cudaDevAttrMemoryPoolsSupported, 0));
    MUST(value == 1);
    OK(cudaDeviceGetDefaultMemPool(&own, 0));
    OK(cudaMemPoolSetAttribute(own, cudaMemPoolAttrReleaseThreshold, &threshold));
    MUST(used(own, cudaMemPoolAttrReleaseThreshold) == threshold);
    OK(cudaMallocAsync(&a, 1000, NULL));
    OK(cudaMallocAsync(&b, 500, NULL));
    OK(cudaMalloc(&plain, 4096));
    MUST(used(own, cudaMemPoolAttrUsedMemCurrent) == 1500);
    OK(cudaFree(plain));
    OK(cudaFreeAsync(a, NULL));
    MUST(used(own, cudaMemPoolAttrUsedMemCurrent) == 500);
    MUST(used(own, cudaMemPoolAttrUsedMemHigh) == 1500);
    threshold = 0;
    OK(cudaMemPoolSetAttribute(own, cudaMemPoolAttrUsedMemHigh, &threshold));
    MUST(used(own, cudaMemPoolAttrUsedMemHigh) == 500);
    threshold = 1;
    GIVES(cudaErrorInvalidValue,
          cudaMemPoolSetAttribute(own, cudaMemPoolAttrUsedMemHigh, &threshold));

    OK(cudaMemPoolCreate(&other, &props));
    OK(cudaMallocFromPoolAsync(&c, 64, other, NULL));
    MUST(used(other, cudaMemPoolAttrUsedMemCurrent) == 64);
    OK(cudaDeviceSetMemPool(0, other));
    OK(cudaDeviceGetMemPool(&got, 0));
    MUST(got == other);
    OK(cudaMallocAsync(&a, 32, NULL));
    MUST(used(other, cudaMemPoolAttrUsedMemCurrent) == 96);
    OK(cudaMemset(a, 1, 32));
    OK(cudaMemPoolSetAccess(other, &access, 1));
    OK(cudaMemPoolGetAccess(&flags, other, &access.location));
    MUST(flags == cudaMemAccessFlagsProtReadWrite);
    access.location.id = 1;
    GIVES(cudaErrorInvalidDevice, cudaMemPoolSetAccess(other, &access, 1));
    OK(cudaMemPoolTrimTo(other, 0));
    /* What it still has goes to the device's own pool, which is current again. */
    OK(cudaMemPoolDestroy(other));
    GIVES(cudaErrorInvalidValue, cudaMemPoolTrimTo(other, 0));
    GIVES(cudaErrorInvalidValue, cudaMemPoolDestroy(own));
    MUST(used(own, cudaMemPoolAttrUsedMemCurrent) == 500 + 96);
    OK(cudaFreeAsync(a, NULL));
    OK(cudaFreeAsync(b, NULL));
    OK(cudaFree(c));
    MUST(used(own, cudaMemPoolAttrUsedMemCurrent) == 0);
    props.handleTypes = cudaMemHandleTypeWin32;
    GIVES(cudaErrorNotSupported, cudaMemPoolCreate(&other, &props));
    props.location.id = 1;
    GIVES(cudaErrorInvalidDevice, cudaMemPoolCreate(&other, &props));
}

static uint64_t taken(CUmemoryPool pool)
{
    uint64_t bytes = 0;
    OK(cuMemPoolGetAttribute(pool, CU_MEMPOOL_ATTR_USED_MEM_CURRENT, &bytes));
    return bytes;
}

static void driver_pools(void)
{
    CUmemoryPool own = NULL, other = NULL, got = NULL;
    cudaMemPool_t runtimes = NULL;
    CUmemPoolProps props = {.allocType = CU_MEM_ALLOCATION_TYPE_PINNED,
                            .location = {CU_MEM_LOCATION_TYPE_DEVICE, 0}};
    CUmemAccessDesc access = {{CU_MEM_LOCATION_TYPE_DEVICE, 0}, CU_MEM_ACCESS_FLAGS_PROT_READWRITE};
    CUmemAccess_flags flags = CU_MEM_ACCESS_FLAGS_PROT_NONE;
    CUdeviceptr a, b, c;
    void *of_runtime;
    uint64_t most = 0;
    int rule = 1;

    OK(cuDeviceGetDefaultMemPool(&own, 0));
    OK(cudaDeviceGetDefaultMemPool(&runtimes, 0));
    MUST(own == runtimes && !taken(own));
    OK(cuMemAllocAsync(&a, 1000, NULL));
    OK(cudaMallocAsync(&of_runtime, 24, NULL));
    MUST(taken(own) == 1024);
    OK(cuMemFree(a));
    OK(cuMemFreeAsync((CUdeviceptr)(uintptr_t)of_runtime, NULL));
    MUST(!taken(own));
    OK(cuMemPoolCreate(&other, &props));
    OK(cuMemAllocFromPoolAsync(&b, 64, other, NULL));
    OK(cuDeviceSetMemPool(0, other));
    OK(cuDeviceGetMemPool(&got, 0));
    MUST(got == other);
    OK(cuMemAllocAsync(&c, 32, NULL));
    MUST(taken(other) == 96);
    OK(cuMemsetD8Async(c, 1, 32, NULL));
    GIVES(CUDA_ERROR_INVALID_VALUE, cuMemFreeAsync(c + 4, NULL));
    OK(cuMemFreeAsync(c, NULL));
    OK(cuMemPoolGetAttribute(other, CU_MEMPOOL_ATTR_USED_MEM_HIGH, &most));
    MUST(most == 96);
    rule = 0;
    OK(cuMemPoolSetAttribute(other, CU_MEMPOOL_ATTR_REUSE_ALLOW_OPPORTUNISTIC, &rule));
    rule = 1;
    OK(cuMemPoolGetAttribute(other, CU_MEMPOOL_ATTR_REUSE_ALLOW_OPPORTUNISTIC, &rule));
    MUST(rule == 0);
    OK(cuMemPoolSetAccess(other, &access, 1));
    OK(cuMemPoolGetAccess(&flags, other, &access.location));
    MUST(flags == CU_MEM_ACCESS_FLAGS_PROT_READWRITE);
    OK(cuMemPoolTrimTo(other, 0));
    OK(cuMemPoolDestroy(other));
    GIVES(CUDA_ERROR_INVALID_VALUE, cuMemAllocFromPoolAsync(&a, 64, other, NULL));
    OK(cuDeviceGetMemPool(&got, 0));
    MUST(got == own && taken(own) == 64);
    OK(cuMemFreeAsync(b, NULL));
    MUST(!taken(own));
    props.handleTypes = CU_MEM_HANDLE_TYPE_WIN32;
    GIVES(CUDA_ERROR_NOT_SUPPORTED, cuMemPoolCreate(&other, &props));
}

/* A capture of the driver API keeps memory in stream order as nodes. */
static void captured(void)
{
    CUstream stream;
    CUgraph graph;
    CUgraphExec exec;
    CUdeviceptr p;
    size_t nodes = 0;
    OK(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
    OK(cuStreamBeginCapture(stream, CU_STREAM_CAPTURE_MODE_GLOBAL));
    OK(cuMemAllocAsync(&p, 256, stream));
    OK(cuMemsetD8Async(p, 7, 256, stream));
    OK(cuMemFreeAsync(p, stream));
    OK(cuStreamEndCapture(stream, &graph));
    OK(cuGraphGetNodes(graph, NULL, &nodes));
    MUST(nodes == 3);
    OK(cuGraphInstantiate(&exec, graph, 0));
    OK(cuGraphLaunch(exec, stream));
    OK(cuStreamSynchronize(stream));
    OK(cuGraphExecDestroy(exec));
    OK(cuGraphDestroy(graph));
    OK(cuStreamDestroy(stream));
}

/* Sets one word to the value, then adds what is there to it. */
static cudaGraph_t graph_of(uint32_t *p, unsigned int value, int nodes)
{
    cudaGraph_t graph;
    cudaGraphNode_t last = NULL, node;
    OK(cudaGraphCreate(&graph, 0));
    for (int i = 0; i < nodes; i++) {
        struct cudaMemsetParams set = {
            .dst = p + i, .value = value, .elementSize = 4, .width = 1, .height = 1};
        OK(cudaGraphAddMemsetNode(&node, graph, i ? &last : NULL, i != 0, &set));
        last = node;
    }
    return graph;
}

static void updates(void)
{
    uint32_t *p, got[3];
    cudaGraphExec_t exec;
    cudaGraphNode_t node = NULL;
    enum cudaGraphExecUpdateResult result = cudaGraphExecUpdateError;
    OK(cudaMalloc((void **)&p, sizeof got));
    OK(cudaMemset(p, 0, sizeof got));
    cudaGraph_t first = graph_of(p, 5, 2), second = graph_of(p, 9, 2), longer = graph_of(p, 1, 3);
    OK(cudaGraphInstantiate(&exec, first, NULL, NULL, 0));
    OK(cudaGraphExecUpdate(exec, second, &node, &result));
    MUST(result == cudaGraphExecUpdateSuccess && !node);
    OK(cudaGraphLaunch(exec, NULL));
    OK(cudaMemcpy(got, p, sizeof got, cudaMemcpyDeviceToHost));
    MUST(got[0] == 9 && got[1] == 9 && got[2] == 0);
    GIVES(cudaErrorGraphExecUpdateFailure, cudaGraphExecUpdate(exec, longer, &node, &result));
    MUST(result == cudaGraphExecUpdateErrorTopologyChanged && !node);
    cudaGraph_t empty;
    cudaGraphNode_t one, two;
    OK(cudaGraphCreate(&empty, 0));
    OK(cudaGraphAddEmptyNode(&one, empty, NULL, 0));
    OK(cudaGraphAddEmptyNode(&two, empty, &one, 1));
    GIVES(cudaErrorGraphExecUpdateFailure, cudaGraphExecUpdate(exec, empty, &node, &result));
    MUST(result == cudaGraphExecUpdateErrorNodeTypeChanged && node == one);
    OK(cudaGraphExecDestroy(exec));
    OK(cudaGraphDestroy(first));
    OK(cudaGraphDestroy(second));
    OK(cudaGraphDestroy(longer));
    OK(cudaGraphDestroy(empty));
    OK(cudaFree(p));
}

int main(void)
{
    OK(cudaFree(NULL));
    pools();
    driver_pools();
    captured();
    updates();
    return 0;
}
