// A CUDA program in one file: an event kernel of its own, which adds up the lengths of the packets that
// the service ipv4 brings (--service ipv4,kernel=program,check=processed). With an argument the completion
// pointer of the second entry is so many bytes wrong.
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
#include <edge_cuda.h>

__global__ void count_bytes(unsigned char *slots, unsigned slot_bytes, unsigned count,
                            unsigned *results, unsigned long long *total)
{
    unsigned i = threadIdx.x;
    if (i < count) {
        volatile unsigned char *slot = slots + (size_t)i * slot_bytes;
        atomicAdd(total, (unsigned long long)(slot[0] | slot[1] << 8));
        results[i] = 2; // not forwarded
    }
}

static const unsigned entries = 4;

static int give_up(const edge_error &err)
{
    printf("%s\n", err.text);
    return 1;
}

int main(int argc, char **argv)
{
    static const edge_type types[] = {EDGE_I64, EDGE_I32, EDGE_I32, EDGE_I64, EDGE_I64};
    edge_error err = {};
    edge_port_info port;
    edge_request request = {};
    cudaFunction_t function;
    unsigned long long *total, bytes = 0;
    if (cudaMalloc(&total, sizeof *total) || cudaMemset(total, 0, sizeof *total) ||
        cudaGetFuncBySymbol(&function, (const void *)count_bytes))
        return 2;
    const edge_driver *driver = edge_cuda_driver(&err);
    request.kernel = edge_cuda_kernel(function, &err);
    if (!driver || !request.kernel || !edge_cuda_port("ipv4", &port, &err))
        return give_up(err);
    request.types = types;
    request.n_types = 5;
    for (int i = 0; i < 3; i++)
        request.grid[i] = request.block[i] = 1;
    request.block[0] = port.batch;
    request.max_in_flight = entries;
    request.requester = port.requester;
    request.completion = port.completion;
    edge_event *event = edge_register_event(driver, &request, &err);
    if (!event)
        return give_up(err);

    edge_port_entry entry[entries];
    for (unsigned k = 0; k < entries; k++) {
        unsigned char *slots;
        unsigned *results;
        if (cudaMalloc(&slots, (size_t)port.batch * port.slot_bytes) ||
            cudaMalloc(&results, (size_t)port.batch * port.result_bytes))
            return 2;
        entry[k] = {(uint64_t)slots, (uint64_t)slots, (uint64_t)results,
                    edge_argument_address(event, k, 2)};
        long long wrong = k == 1 && argc > 1 ? atoll(argv[1]) : 0;
        if (!edge_set_completion(event, k, port.completion + 4 * k + wrong, &err) ||
            !edge_set_u64(event, k, 0, (uint64_t)slots, &err) ||
            !edge_set_u32(event, k, 1, port.slot_bytes, &err) ||
            !edge_set_u64(event, k, 3, (uint64_t)results, &err) ||
            !edge_set_u64(event, k, 4, (uint64_t)total, &err))
            return give_up(err);
    }
    if (!edge_cuda_bind("ipv4", event, entry, &err) || !edge_cuda_wait(&err) ||
        !edge_unregister_event(event, &err) ||
        cudaMemcpy(&bytes, total, sizeof bytes, cudaMemcpyDeviceToHost))
        return give_up(err);
    printf("%llu bytes\n", bytes);
    return 0;
}
