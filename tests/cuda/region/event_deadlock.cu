// An event kernel of the service ipv4 (--service ipv4,kernel=program,check=processed) that waits for words
// with full/empty bits, and a kernel that writes them when an event has begun. The argument says how:
//   victim: every warp on the GPU writes one, the warp whose place the event has taken among them
//   queue:  the writer first reads a full word, whose request stands behind those of the event
//   works:  the writer does not
#include <cstdio>
#include <cstring>
#include <cuda_runtime.h>
#include <edge_cuda.h>

static const int words = 4096, registers = 32;

__device__ volatile int begun;

__global__ void reader(unsigned count, unsigned *results, int *word, int writers)
{
    int sum = 0;
    begun = 1;
#pragma unroll 1
    for (int i = 0; i < writers; i++)
        sum += word[i];
    if (threadIdx.x < count)
        results[threadIdx.x] = sum >= 0 ? 2 : 0;
}

__global__ void writer(int *word, int read_first)
{
    int i = blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32, held[registers], sum = 0;
    // A victim needs the registers of the event.
    for (int k = 0; k < registers; k++)
        held[k] = clock();
    while (!begun)
        ;
    for (int k = 0; k < registers; k++)
        sum += held[k] & 1;
    // Until the event waits.
    for (int from = clock(); clock() - from < 10000;)
        ;
    if (threadIdx.x % 32 == 0)
        word[i] = read_first ? word[i + 1] : 1 + (sum > registers);
}

static int give_up(const edge_error &err)
{
    printf("%s\n", err.text);
    return 1;
}

int main(int argc, char **argv)
{
    static const edge_type types[] = {EDGE_I32, EDGE_I64, EDGE_I64, EDGE_I32};
    const char *how = argc > 1 ? argv[1] : "works";
    bool victim = !strcmp(how, "victim");
    edge_error err = {};
    edge_port_info port;
    edge_request request = {};
    edge_port_entry entry[1];
    cudaFunction_t function;
    cudaDeviceProp gpu;
    unsigned *results;
    int *word;
    if (cudaGetFuncBySymbol(&function, (const void *)reader) || cudaGetDeviceProperties(&gpu, 0) ||
        cudaMallocFullEmpty(&word, words * sizeof *word))
        return 2;
    const edge_driver *driver = edge_cuda_driver(&err);
    request.kernel = edge_cuda_kernel(function, &err);
    if (!driver || !request.kernel || !edge_cuda_port("ipv4", &port, &err))
        return give_up(err);
    request.types = types;
    request.n_types = 4;
    for (int i = 0; i < 3; i++)
        request.grid[i] = request.block[i] = 1;
    request.block[0] = port.batch;
    request.max_in_flight = 1;
    request.requester = port.requester;
    request.completion = port.completion;
    edge_event *event = edge_register_event(driver, &request, &err);
    if (!event)
        return give_up(err);

    // Each warp of a full GPU has a word; otherwise there is one warp.
    int warps = gpu.maxThreadsPerMultiProcessor / 32, block = victim ? warps / 2 : 1;
    int blocks = victim ? gpu.multiProcessorCount * 2 : 1;
    int writers = block * blocks;
    unsigned char *slots;
    if (writers >= words || cudaMalloc(&slots, (size_t)port.batch * port.slot_bytes) ||
        cudaMalloc(&results, (size_t)port.batch * port.result_bytes) ||
        cudaOverrideFullEmpty(word, writers * sizeof *word, cudaMemcpyActionEmpty))
        return 2;
    entry[0] = {(uint64_t)slots, (uint64_t)slots, (uint64_t)results, edge_argument_address(event, 0, 0)};
    if (!edge_set_completion(event, 0, port.completion, &err) ||
        !edge_set_u64(event, 0, 1, (uint64_t)results, &err) ||
        !edge_set_u64(event, 0, 2, (uint64_t)word, &err) ||
        !edge_set_u32(event, 0, 3, (unsigned)writers, &err))
        return give_up(err);
    writer<<<blocks, block * 32>>>(word, !strcmp(how, "queue"));
    if (!edge_cuda_bind("ipv4", event, entry, &err) || !edge_cuda_wait(&err))
        return give_up(err);
    printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
    return 0;
}
