/* Graphs that record events and wait for them, of both APIs, and the driver API's memory of graphs.
 */
#include "tests/cuda/api/api.h"

#define N    512u
#define LATE 3000u /* loads first, so that what does not wait comes too early */

static uint32_t got[N];

static void expect(const void *p, uint32_t value)
{
    OK(cudaMemcpy(got, p, sizeof got, cudaMemcpyDeviceToHost));
    for (uint32_t i = 0; i < N; i++)
        MUST(got[i] == value + i);
}

static cudaGraphExec_t exec_of(cudaGraph_t graph)
{
    cudaGraphExec_t exec;
    OK(cudaGraphInstantiate(&exec, graph, NULL, NULL, 0));
    return exec;
}

/* A graph whose kernels end late and write a = value + i, with nothing behind them. */
static cudaGraph_t late_fill(uint32_t *a, uint32_t value, cudaGraphNode_t *last)
{
    cudaStream_t s;
    cudaGraph_t graph;
    size_t count = 2;
    cudaGraphNode_t nodes[2];
    OK(cudaStreamCreate(&s));
    OK(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal));
    OK(launch_wait(a, LATE, s));
    OK(launch_fill(a, value, N, s));
    OK(cudaStreamEndCapture(s, &graph));
    OK(cudaStreamDestroy(s));
    OK(cudaGraphGetNodes(graph, nodes, &count));
    MUST(count == 2);
    *last = nodes[1];
    return graph;
}

/* One graph writes a and records an event, another one waits for it and copies a to b. */
static void by_hand(uint32_t *a, uint32_t *b)
{
    cudaStream_t s, t;
    cudaEvent_t first, second, event;
    cudaGraphNode_t last, record, wait, copy, none;
    enum cudaGraphNodeType type;
    float milliseconds = 0;
    OK(cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking));
    OK(cudaStreamCreateWithFlags(&t, cudaStreamNonBlocking));
    OK(cudaEventCreate(&first));
    OK(cudaEventCreate(&second));
    cudaGraph_t writes = late_fill(a, 7, &last), reads;
    OK(cudaGraphAddEventRecordNode(&record, writes, &last, 1, first));
    OK(cudaGraphCreate(&reads, 0));
    OK(cudaGraphAddEventWaitNode(&wait, reads, NULL, 0, first));
    OK(cudaGraphAddMemcpyNode1D(&copy, reads, &wait, 1, b, a, sizeof got,
                                cudaMemcpyDeviceToDevice));
    GIVES(cudaErrorInvalidValue, cudaGraphAddEventRecordNode(&none, writes, &last, 1, NULL));
    GIVES(cudaErrorInvalidValue, cudaGraphAddEventWaitNode(NULL, reads, NULL, 0, first));
    OK(cudaGraphNodeGetType(record, &type));
    MUST(type == cudaGraphNodeTypeEventRecord);
    OK(cudaGraphNodeGetType(wait, &type));
    MUST(type == cudaGraphNodeTypeWaitEvent);
    OK(cudaGraphEventRecordNodeGetEvent(record, &event));
    MUST(event == first);
    OK(cudaGraphEventWaitNodeGetEvent(wait, &event));
    MUST(event == first);
    GIVES(cudaErrorInvalidValue, cudaGraphEventWaitNodeGetEvent(record, &event));

    cudaGraphExec_t writer = exec_of(writes), reader = exec_of(reads);
    OK(cudaEventRecord(second, s));
    OK(cudaGraphLaunch(writer, s));
    OK(cudaGraphLaunch(reader, t));
    OK(cudaStreamSynchronize(t));
    expect(b, 7);
    OK(cudaEventElapsedTime(&milliseconds, second, first));
    MUST(milliseconds > 0);

    /* The other event, first in the executable graphs, then in the graphs */
    OK(cudaMemset(b, 0, sizeof got));
    OK(cudaMemset(a, 0, sizeof got));
    OK(cudaGraphExecEventRecordNodeSetEvent(writer, record, second));
    OK(cudaGraphExecEventWaitNodeSetEvent(reader, wait, second));
    OK(cudaGraphLaunch(writer, s));
    OK(cudaGraphLaunch(reader, t));
    OK(cudaStreamSynchronize(t));
    expect(b, 7);
    OK(cudaGraphEventRecordNodeSetEvent(record, second));
    OK(cudaGraphEventWaitNodeSetEvent(wait, second));
    OK(cudaGraphEventRecordNodeGetEvent(record, &event));
    MUST(event == second);
    GIVES(cudaErrorInvalidValue, cudaGraphEventWaitNodeSetEvent(record, first));
    OK(cudaStreamSynchronize(s));
    OK(cudaGraphExecDestroy(writer));
    OK(cudaGraphExecDestroy(reader));
    OK(cudaGraphDestroy(writes));
    OK(cudaGraphDestroy(reads));
    OK(cudaEventDestroy(first));
    OK(cudaEventDestroy(second));
    OK(cudaStreamDestroy(s));
    OK(cudaStreamDestroy(t));
}

/* A capture keeps external events as nodes; in a stream that does not capture, they are events. */
static void captured(uint32_t *a, uint32_t *b)
{
    cudaStream_t s, t;
    cudaEvent_t event;
    cudaGraph_t writes, reads;
    cudaGraphNode_t nodes[3];
    enum cudaGraphNodeType type;
    size_t count = 3;
    OK(cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking));
    OK(cudaStreamCreateWithFlags(&t, cudaStreamNonBlocking));
    OK(cudaEventCreate(&event));
    OK(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal));
    OK(launch_wait(a, LATE, s));
    OK(launch_fill(a, 9, N, s));
    OK(cudaEventRecordWithFlags(event, s, cudaEventRecordExternal));
    OK(cudaStreamEndCapture(s, &writes));
    OK(cudaGraphGetNodes(writes, nodes, &count));
    MUST(count == 3);
    OK(cudaGraphNodeGetType(nodes[2], &type));
    MUST(type == cudaGraphNodeTypeEventRecord);
    OK(cuStreamBeginCapture((CUstream)t, CU_STREAM_CAPTURE_MODE_GLOBAL));
    OK(cuStreamWaitEvent((CUstream)t, (CUevent)event, CU_EVENT_WAIT_EXTERNAL));
    OK(cudaMemcpyAsync(b, a, sizeof got, cudaMemcpyDeviceToDevice, t));
    OK(cudaStreamEndCapture(t, &reads));
    cudaGraphExec_t writer = exec_of(writes), reader = exec_of(reads);
    OK(cudaGraphLaunch(writer, s));
    OK(cudaGraphLaunch(reader, t));
    OK(cudaStreamSynchronize(t));
    expect(b, 9);
    OK(launch_wait(a, LATE, s));
    OK(launch_fill(a, 11, N, s));
    OK(cuEventRecordWithFlags((CUevent)event, (CUstream)s, CU_EVENT_RECORD_EXTERNAL));
    OK(cudaGraphLaunch(reader, t));
    OK(cudaStreamSynchronize(t));
    expect(b, 11);
    OK(cudaGraphExecDestroy(writer));
    OK(cudaGraphExecDestroy(reader));
    OK(cudaGraphDestroy(writes));
    OK(cudaGraphDestroy(reads));
    OK(cudaEventDestroy(event));
    OK(cudaStreamDestroy(s));
    OK(cudaStreamDestroy(t));
}

static uint64_t graph_bytes(CUgraphMem_attribute attribute)
{
    uint64_t bytes = 1;
    OK(cuDeviceGetGraphMemAttribute(0, attribute, &bytes));
    return bytes;
}

/* Memory of a graph takes values; an event is recorded behind that, and the memory freed. */
static void of_the_driver(void)
{
    CUgraph graph;
    CUgraphExec exec;
    CUgraphNode allocate, set, record, wait, release, none;
    CUevent event, same;
    CUdeviceptr p = 0;
    CUcontext context;
    uint64_t zero = 0, one = 1;
    CUDA_MEM_ALLOC_NODE_PARAMS params = {.poolProps = {.allocType = CU_MEM_ALLOCATION_TYPE_PINNED,
                                                       .location = {CU_MEM_LOCATION_TYPE_DEVICE,
                                                                    0}},
                                         .bytesize = sizeof got},
                               kept;
    OK(cuCtxGetCurrent(&context));
    OK(cuEventCreate(&event, 0));
    OK(cuGraphCreate(&graph, 0));
    OK(cuGraphAddMemAllocNode(&allocate, graph, NULL, 0, &params));
    OK(cuGraphMemAllocNodeGetParams(allocate, &kept));
    MUST(params.dptr && kept.dptr == params.dptr && kept.bytesize == sizeof got);
    MUST(graph_bytes(CU_GRAPH_MEM_ATTR_RESERVED_MEM_CURRENT) == sizeof got);
    CUDA_MEMSET_NODE_PARAMS values = {params.dptr, 0, 3, 4, N, 1};
    OK(cuGraphAddMemsetNode(&set, graph, &allocate, 1, &values, context));
    OK(cuGraphAddEventRecordNode(&record, graph, &set, 1, event));
    OK(cuGraphEventRecordNodeGetEvent(record, &same));
    MUST(same == event);
    OK(cuGraphAddEventWaitNode(&wait, graph, &record, 1, event));
    OK(cuGraphAddMemFreeNode(&release, graph, &wait, 1, params.dptr));
    OK(cuGraphMemFreeNodeGetParams(release, &p));
    MUST(p == params.dptr);
    GIVES(CUDA_ERROR_INVALID_VALUE, cuGraphMemFreeNodeGetParams(allocate, &p));
    GIVES(CUDA_ERROR_INVALID_VALUE, cuGraphAddMemFreeNode(&none, graph, NULL, 0, 0));
    GIVES(CUDA_ERROR_INVALID_VALUE, cuGraphEventWaitNodeSetEvent(record, event));
    params.poolProps.location.type = CU_MEM_LOCATION_TYPE_HOST;
    GIVES(CUDA_ERROR_INVALID_VALUE, cuGraphAddMemAllocNode(&none, graph, NULL, 0, &params));
    OK(cuGraphInstantiateWithFlags(&exec, graph, 0));
    GIVES(CUDA_ERROR_INVALID_VALUE, cuGraphExecEventWaitNodeSetEvent(exec, wait, NULL));
    OK(cuGraphLaunch(exec, NULL));
    OK(cuEventSynchronize(event));
    MUST(graph_bytes(CU_GRAPH_MEM_ATTR_USED_MEM_CURRENT) == 0);
    MUST(graph_bytes(CU_GRAPH_MEM_ATTR_USED_MEM_HIGH) == sizeof got);
    GIVES(CUDA_ERROR_INVALID_VALUE,
          cuDeviceSetGraphMemAttribute(0, CU_GRAPH_MEM_ATTR_USED_MEM_HIGH, &one));
    OK(cuDeviceSetGraphMemAttribute(0, CU_GRAPH_MEM_ATTR_USED_MEM_HIGH, &zero));
    MUST(graph_bytes(CU_GRAPH_MEM_ATTR_USED_MEM_HIGH) == 0);
    OK(cuDeviceGraphMemTrim(0));
    OK(cuGraphExecDestroy(exec));
    OK(cuGraphDestroy(graph));
    MUST(graph_bytes(CU_GRAPH_MEM_ATTR_RESERVED_MEM_CURRENT) == 0);
    OK(cuEventDestroy(event));
}

int main(void)
{
    uint32_t *a, *b;
    api_register();
    OK(cudaMalloc((void **)&a, sizeof got));
    OK(cudaMalloc((void **)&b, sizeof got));
    OK(cudaMemset(a, 0, sizeof got));
    OK(cudaMemset(b, 0, sizeof got));
    by_hand(a, b);
    captured(a, b);
    of_the_driver();
    OK(cudaFree(a));
    OK(cudaFree(b));
    return 0;
}
