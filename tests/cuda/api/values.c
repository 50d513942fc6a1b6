/* Writes of single values in streams, and waits for them: each comparison, order with kernels, the
 * host's stores, batches, graphs. With "never" or "circle" the waits have no end. */
#include <pthread.h>
#include <stdbool.h>
#include <unistd.h>

#include "tests/cuda/api/api.h"

#define TURNS 400u

/* Words of `p` in device memory: kernels add to the first. */
enum { COUNTER, FLAG, WIDE = 2, DONE = 4, WORDS = 16 };

static CUdeviceptr p, pinned_address;
static uint32_t *pinned; /* of the host */

static CUdeviceptr word(unsigned int index)
{
    return p + 4 * (CUdeviceptr)index;
}

static uint32_t read_word(unsigned int index)
{
    uint32_t got = 0;
    OK(cuMemcpyDtoH(&got, word(index), 4));
    return got;
}

static CUstream new_stream(void)
{
    CUstream s;
    OK(cuStreamCreate(&s, CU_STREAM_NON_BLOCKING));
    return s;
}

/* --- comparisons ------------------------------------------------------------------------------ */

/* Whether a wait for `wanted` ends when the word is `value`; then `after` ends it in any case. */
static void compare(unsigned int bits, uint64_t value, uint64_t wanted, unsigned int flags,
                    bool ends, uint64_t after)
{
    CUstream s = new_stream();
    CUevent reached;
    OK(cuEventCreate(&reached, CU_EVENT_DEFAULT));
    OK(cuMemcpyHtoD(word(WIDE), &value, 8));
    if (bits == 32)
        OK(cuStreamWaitValue32(s, word(WIDE), (uint32_t)wanted, flags));
    else
        OK(cuStreamWaitValue64(s, word(WIDE), wanted, flags));
    OK(cuEventRecord(reached, s));
    OK(evgpuHostTime(100000));
    GIVES(ends ? CUDA_SUCCESS : CUDA_ERROR_NOT_READY, cuEventQuery(reached));
    GIVES(ends ? CUDA_SUCCESS : CUDA_ERROR_NOT_READY, cuStreamQuery(s));
    OK(cuMemcpyHtoD(word(WIDE), &after, 8));
    OK(cuStreamSynchronize(s));
    OK(cuEventDestroy(reached));
    OK(cuStreamDestroy(s));
}

static void comparisons(void)
{
    const unsigned int geq = CU_STREAM_WAIT_VALUE_GEQ, eq = CU_STREAM_WAIT_VALUE_EQ,
                       both = CU_STREAM_WAIT_VALUE_AND, nor = CU_STREAM_WAIT_VALUE_NOR;
    compare(32, 5, 5, geq, true, 5);
    compare(32, 6, 5, geq | CU_STREAM_WAIT_VALUE_FLUSH, true, 5);
    compare(32, 4, 5, geq, false, 5);
    compare(32, 3, 0xFFFFFFF0, geq, true, 3); /* beyond the end */
    compare(32, 0xFFFFFFF0, 3, geq, false, 3);
    compare(32, 0x100000004, 4, eq, true, 4); /* no more than 32 bits */
    compare(32, 5, 4, eq, false, 4);
    compare(32, 0x8, 0xC, both, true, 0);
    compare(32, 0x3, 0xC, both, false, 0x4);
    compare(32, 0, 0xC, nor, true, 0);
    compare(32, 0xF3, 0xFFFFFF0C, nor, false, 0);
    compare(64, 0x100000000, 0x100000000, geq, true, 0);
    compare(64, 0xFFFFFFFF, 0x100000000, geq, false, 0x100000000);
    compare(64, 0x100000004, 4, eq, false, 4);
    compare(64, 0x100000000, 0x700000000, both, true, 0);
    compare(64, 0xFFFFFFFF, 0x700000000, both, false, 0x100000000);
    compare(64, 0, UINT64_MAX >> 1, nor, true, 0);
    compare(64, UINT64_MAX, 0, nor, false, 1);
}

/* --- order ------------------------------------------------------------------------------------ */

/* A kernel of one stream runs when that of the other has ended, since a value tells. */
static void between_streams(void)
{
    CUstream s = new_stream(), t = new_stream();
    OK(cuMemsetD32(p, 0, WORDS));
    OK(cuStreamWaitValue32(t, word(FLAG), 1, CU_STREAM_WAIT_VALUE_EQ));
    OK(cuMemcpyDtoDAsync(word(DONE), word(COUNTER), 4, t));
    OK(launch_wait((void *)(uintptr_t)p, TURNS, (cudaStream_t)s));
    OK(cuStreamWriteValue32(s, word(FLAG), 1, CU_STREAM_WRITE_VALUE_DEFAULT));
    OK(cuStreamSynchronize(t));
    MUST(read_word(DONE) == 1 && read_word(FLAG) == 1);
    OK(cuStreamWriteValue64(s, word(WIDE), 0x123456789, CU_STREAM_WRITE_VALUE_NO_MEMORY_BARRIER));
    OK(cuStreamSynchronize(s));
    MUST(read_word(WIDE) == 0x23456789 && read_word(WIDE + 1) == 1);
    OK(cuStreamDestroy(s));
    OK(cuStreamDestroy(t));
}

/* A kernel is what ends the wait. */
static void by_a_kernel(void)
{
    CUstream s = new_stream(), t = new_stream();
    OK(cuMemsetD32(p, 0, WORDS));
    OK(cuStreamWaitValue32(s, word(COUNTER), 2, CU_STREAM_WAIT_VALUE_GEQ));
    OK(cuStreamWriteValue32(s, word(DONE), 9, 0));
    OK(launch_wait((void *)(uintptr_t)p, TURNS, (cudaStream_t)t));
    OK(cuStreamSynchronize(t));
    GIVES(CUDA_ERROR_NOT_READY, cuStreamQuery(s));
    OK(launch_wait((void *)(uintptr_t)p, TURNS, (cudaStream_t)t));
    OK(cuStreamSynchronize(s));
    MUST(read_word(DONE) == 9);
    OK(cuStreamDestroy(s));
    OK(cuStreamDestroy(t));
}

static void *store_later(void *unused)
{
    usleep(300000);
    *(volatile uint32_t *)pinned = 3;
    return unused;
}

/* The host stores into its memory, in another thread while this one waits in a call; and the
 * stream writes there. */
static void by_the_host(void)
{
    CUstream s = new_stream();
    pthread_t thread;
    *pinned = 0;
    pinned[1] = 0;
    OK(cuStreamWaitValue32(s, pinned_address, 3, CU_STREAM_WAIT_VALUE_EQ));
    OK(cuStreamWriteValue32(s, pinned_address + 4, 8, 0));
    MUST(!pthread_create(&thread, NULL, store_later, NULL));
    OK(cuStreamSynchronize(s));
    MUST(pinned[1] == 8);
    MUST(!pthread_join(thread, NULL));
    /* Without another thread, and by the host's own address. */
    *pinned = 0;
    OK(cuStreamWaitValue32(s, (CUdeviceptr)(uintptr_t)pinned, 4, CU_STREAM_WAIT_VALUE_EQ));
    OK(cuStreamWriteValue32(s, pinned_address + 4, 9, 0));
    *(volatile uint32_t *)pinned = 4;
    while (((volatile uint32_t *)pinned)[1] != 9) /* the host alone takes no time */
        MUST(cuStreamQuery(s) != CUDA_ERROR_INVALID_HANDLE);
    OK(cuStreamDestroy(s));
}

/* --- batches and graphs ----------------------------------------------------------------------- */

static CUstreamBatchMemOpParams operation(CUstreamBatchMemOpType type, CUdeviceptr address,
                                          uint64_t value, unsigned int flags)
{
    return (CUstreamBatchMemOpParams){.writeValue = {type, address, {.value64 = value}, flags, 0}};
}

static void batches(void)
{
    CUstream s = new_stream(), t = new_stream();
    CUstreamBatchMemOpParams ops[] = {
        operation(CU_STREAM_MEM_OP_WRITE_VALUE_32, word(FLAG), 1, 0),
        operation(CU_STREAM_MEM_OP_WAIT_VALUE_64, word(WIDE), 7, CU_STREAM_WAIT_VALUE_GEQ),
        {.memoryBarrier = {CU_STREAM_MEM_OP_BARRIER, CU_STREAM_MEMORY_BARRIER_TYPE_GPU}},
        operation(CU_STREAM_MEM_OP_WRITE_VALUE_64, word(DONE), 0x500000006, 0)};
    OK(cuMemsetD32(p, 0, WORDS));
    OK(cuStreamBatchMemOp(s, 4, ops, 0));
    OK(evgpuHostTime(100000));
    MUST(read_word(FLAG) == 1 && read_word(DONE) == 0); /* it stands in the middle */
    OK(cuStreamWriteValue64(t, word(WIDE), 7, 0));
    OK(cuStreamSynchronize(s));
    MUST(read_word(DONE) == 6 && read_word(DONE + 1) == 5);
    ops[3].writeValue.flags = 2;
    GIVES(CUDA_ERROR_INVALID_VALUE, cuStreamBatchMemOp(s, 4, ops, 0));
    GIVES(CUDA_ERROR_INVALID_VALUE, cuStreamBatchMemOp(s, 257, ops, 0));
    GIVES(CUDA_ERROR_INVALID_VALUE, cuStreamBatchMemOp(s, 0, ops, 0));
    GIVES(CUDA_ERROR_INVALID_VALUE, cuStreamWaitValue32(s, word(FLAG), 0, 4));
    GIVES(CUDA_ERROR_INVALID_VALUE, cuStreamWaitValue32(s, word(FLAG) + 2, 0, 0));
    GIVES(CUDA_ERROR_INVALID_VALUE, cuStreamWaitValue64(s, word(FLAG), 0, 0));
    GIVES(CUDA_ERROR_INVALID_VALUE, cuStreamWriteValue32(s, (CUdeviceptr)(uintptr_t)&s, 0, 0));
    OK(cuStreamDestroy(s));
    GIVES(CUDA_ERROR_INVALID_HANDLE, cuStreamWriteValue32(s, p, 0, 0));
    OK(cuStreamDestroy(t));
}

static void graphs(void)
{
    CUstream s = new_stream();
    CUgraph graph;
    CUgraphNode nodes[4], batch;
    CUgraphNodeType type;
    CUgraphExec exec;
    CUstreamBatchMemOpParams ops[] = {
        operation(CU_STREAM_MEM_OP_WRITE_VALUE_32, word(DONE), 1, 0),
        operation(CU_STREAM_MEM_OP_WRITE_VALUE_32, word(DONE + 1), 2, 0)};
    CUDA_BATCH_MEM_OP_NODE_PARAMS params = {.count = 2, .paramArray = ops}, got;
    size_t count = 4;
    OK(cuMemsetD32(p, 0, WORDS));
    OK(cuStreamBeginCapture(s, CU_STREAM_CAPTURE_MODE_RELAXED));
    OK(cuStreamWriteValue32(s, word(FLAG), 5, 0));
    OK(cuStreamWaitValue32(s, word(FLAG), 5, CU_STREAM_WAIT_VALUE_EQ));
    OK(cuStreamEndCapture(s, &graph));
    MUST(read_word(FLAG) == 0);
    OK(cuGraphGetNodes(graph, nodes, &count));
    MUST(count == 2);
    OK(cuGraphNodeGetType(nodes[1], &type));
    MUST(type == CU_GRAPH_NODE_TYPE_BATCH_MEM_OP);
    OK(cuGraphAddBatchMemOpNode(&batch, graph, &nodes[1], 1, &params));
    ops[0].writeValue.value = 100; /* the node has its own */
    OK(cuGraphBatchMemOpNodeGetParams(batch, &got));
    MUST(got.count == 2 && got.paramArray[0].writeValue.value == 1);
    OK(cuGraphInstantiateWithFlags(&exec, graph, 0));
    OK(cuGraphLaunch(exec, s));
    OK(cuStreamSynchronize(s));
    MUST(read_word(FLAG) == 5 && read_word(DONE) == 1 && read_word(DONE + 1) == 2);
    params.count = 1;
    OK(cuGraphExecBatchMemOpNodeSetParams(exec, batch, &params));
    OK(cuMemsetD32(p, 0, WORDS));
    OK(cuGraphLaunch(exec, s));
    OK(cuStreamSynchronize(s));
    MUST(read_word(DONE) == 100 && read_word(DONE + 1) == 0);
    OK(cuGraphBatchMemOpNodeSetParams(batch, &params));
    GIVES(CUDA_ERROR_INVALID_VALUE, cuGraphBatchMemOpNodeSetParams(nodes[0], NULL));
    OK(cuGraphExecDestroy(exec));
    OK(cuGraphDestroy(graph));
    OK(cuStreamDestroy(s));
}

/* --- without an end --------------------------------------------------------------------------- */

static void *sleep_for_ever(void *unused)
{
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    pthread_mutex_lock(&lock);
    pthread_mutex_lock(&lock);
    return unused;
}

static int without_end(const char *how)
{
    CUstream s = new_stream(), t = new_stream();
    pthread_t thread;
    OK(cuMemsetD32(p, 0, WORDS));
    OK(cuStreamWaitValue32(s, word(FLAG), 6, CU_STREAM_WAIT_VALUE_EQ));
    if (!strcmp(how, "circle")) { /* each stream waits for the other one */
        OK(cuStreamWriteValue32(s, word(DONE), 1, 0));
        OK(cuStreamWaitValue32(t, word(DONE), 1, CU_STREAM_WAIT_VALUE_GEQ));
        OK(cuStreamWriteValue32(t, word(FLAG), 6, 0));
    }
    if (!strcmp(how, "thread"))
        MUST(!pthread_create(&thread, NULL, sleep_for_ever, NULL));
    return cuCtxSynchronize() == CUDA_ERROR_LAUNCH_TIMEOUT ? 3 : 4;
}

int main(int argc, char **argv)
{
    int can;
    api_register();
    OK(cudaMalloc((void **)&p, WORDS * 4));
    OK(cudaHostAlloc((void **)&pinned, 4096, cudaHostAllocMapped));
    OK(cuMemHostGetDevicePointer(&pinned_address, pinned, 0));
    if (argc > 1)
        return without_end(argv[1]);
    OK(cuDeviceGetAttribute(&can, CU_DEVICE_ATTRIBUTE_CAN_USE_STREAM_WAIT_VALUE_NOR, 0));
    MUST(can);
    comparisons();
    between_streams();
    by_a_kernel();
    by_the_host();
    batches();
    graphs();
    return 0;
}
