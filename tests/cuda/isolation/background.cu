/* A background that does something wrong after a while: background KIND [AFTER [CYCLES]]. AFTER
 * launches go well, each of blocks with barriers, shared memory, loads, atomics and stores; then
 * thread 5 of block 7 waits for CYCLES clock cycles and is at fault. Ends with 3 when the error is
 * the expected one, also after cudaDeviceReset; KIND `ignore` ends with 0 all the same. */
#include <cassert>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cuda_runtime.h>

enum kind { FINE, ADDRESS, MISALIGNED, TRAP, ASSERT, LOCAL, IGNORE, ABORT, KILL, KINDS };
static const char *const names[KINDS] = {"fine",  "address", "misaligned", "trap", "assert",
                                         "local", "ignore",  "abort",      "kill"};
static const cudaError_t errors[KINDS] = {cudaSuccess,
                                          cudaErrorIllegalAddress,
                                          cudaErrorMisalignedAddress,
                                          cudaErrorLaunchFailure,
                                          cudaErrorAssert,
                                          cudaErrorIllegalAddress,
                                          cudaErrorIllegalAddress,
                                          cudaErrorIllegalAddress,
                                          cudaErrorIllegalAddress};

__global__ void work(float *data, unsigned *sum, int kind, int clocks)
{
    __shared__ float part[128];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float value = data[i];
    for (int round = 0; round < 12; round++) {
        part[threadIdx.x] = value;
        __syncthreads();
        value += 0.5f * part[(threadIdx.x + 1) % 128] + data[(i + 37 * round) % (gridDim.x * 128)];
        __syncthreads();
    }
    if (threadIdx.x % 32 == 0)
        atomicAdd(&sum[blockIdx.x % 64], 1);
    if (kind && blockIdx.x == 7 && threadIdx.x == 5) {
        long long begin = clock64();
        while (clock64() - begin < clocks)
            ;
        if (kind == ADDRESS || kind >= IGNORE)
            *(volatile int *)16 = 1;
        if (kind == MISALIGNED)
            *(volatile int *)((char *)data + 2) = 1;
        if (kind == TRAP)
            __trap();
        if (kind == ASSERT)
            assert(i < 0);
        if (kind == LOCAL) {
            volatile int own[4];
            own[(int)clock64() | 0x10000] = i;
            value += own[i & 3];
        }
    }
    data[i] = value;
}

int main(int argc, char **argv)
{
    const int blocks = 192, n = blocks * 128;
    int kind = 0, after = argc > 2 ? atoi(argv[2]) : 2, clocks = argc > 3 ? atoi(argv[3]) : 0;
    while (argc > 1 && kind < KINDS && strcmp(argv[1], names[kind]) != 0)
        kind++;
    if (kind == KINDS)
        return 2;
    float *data;
    unsigned *sum, host[64];
    cudaStream_t streams[2];
    cudaMalloc(&data, n * sizeof *data);
    cudaMalloc(&sum, sizeof host);
    cudaMemset(data, 0, n * sizeof *data);
    cudaMemset(sum, 0, sizeof host);
    cudaStreamCreate(&streams[0]);
    cudaStreamCreate(&streams[1]);
    for (int i = 0; i < after; i++)
        work<<<blocks, 128, 0, streams[i % 2]>>>(data, sum, 0, 0);
    /* What waits behind the fault must not keep the run: kernels, a copy, an event. */
    if (kind)
        work<<<blocks, 128, 0, streams[0]>>>(data, sum, kind, clocks);
    for (int i = 0; kind && i < 4; i++)
        work<<<blocks, 128, 0, streams[i % 2]>>>(data, sum, 0, 0);
    if (!kind)
        cudaStreamSynchronize(streams[0]);
    cudaMemcpyAsync(host, sum, sizeof host, cudaMemcpyDeviceToHost, streams[1]);
    cudaError_t error = cudaDeviceSynchronize();
    if (!kind) {
        unsigned all = 0;
        for (int i = 0; i < 64; i++)
            all += host[i];
        printf("%u of %d warps\n", all, after * blocks * 4);
        return error || all != (unsigned)(after * blocks * 4);
    }
    cudaError_t again = cudaMemcpy(host, sum, sizeof host, cudaMemcpyDeviceToHost);
    cudaDeviceReset();
    cudaError_t last = cudaFree(data);
    printf("%d %d %d %s\n", error, again, last, cudaGetErrorString(error));
    fflush(stdout);
    if (kind == ABORT)
        abort();
    if (kind == KILL)
        *(volatile int *)8 = 1;
    if (kind == IGNORE)
        return 0;
    return error == errors[kind] && again == error && last == error ? 3 : 4;
}
