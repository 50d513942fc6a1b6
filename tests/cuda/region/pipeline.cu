/* Early launch and early copies over the synchronised region: a kernel and the copy of its results
 * are under way before the data come, in pieces and out of order; twice over the same words. */
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>

enum { N = 1024, PIECES = 4 };

__global__ void square(const int *in, int *out, unsigned *count)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = in[i] * in[i];
    atomicAdd(count, 1u);
}

static void check(cudaError_t error)
{
    if (error == cudaSuccess)
        return;
    std::printf("FAIL: %s\n", cudaGetErrorString(error));
    std::exit(1);
}

int main()
{
    int *in, *out, sent[N], got[N];
    unsigned *count, counted = 0;
    cudaStream_t kernel, to, from;
    check(cudaStreamCreate(&kernel));
    check(cudaStreamCreate(&to));
    check(cudaStreamCreate(&from));
    check(cudaMallocFullEmpty(&in, sizeof sent));
    check(cudaMallocFullEmpty(&out, sizeof got));
    check(cudaMallocFullEmpty(&count, sizeof *count));
    check(cudaMemcpy(count, &counted, sizeof counted, cudaMemcpyHostToDevice));
    check(cudaOverrideFullEmpty(in, sizeof sent, cudaMemcpyActionEmpty));
    check(cudaOverrideFullEmpty(out, sizeof got, cudaMemcpyActionEmpty));
    for (int round = 0; round < 2; round++) {
        check(cudaMemcpyAsync(got, out, sizeof got, cudaMemcpyDeviceToHost, from,
                              cudaMemcpyTriggerFilled, cudaMemcpyActionEmpty));
        square<<<N / 128, 128, 0, kernel>>>(in, out, count);
        for (int i = 0; i < N; i++)
            sent[i] = i + 1000 * round;
        for (int p = PIECES - 1; p >= 0; p--)
            check(cudaMemcpyAsync(in + p * N / PIECES, sent + p * N / PIECES, sizeof sent / PIECES,
                                  cudaMemcpyHostToDevice, to, cudaMemcpyTriggerNone,
                                  cudaMemcpyActionFill));
        check(cudaStreamSynchronize(from));
        check(cudaStreamSynchronize(kernel));
        for (int i = 0; i < N; i++)
            if (got[i] != sent[i] * sent[i]) {
                std::printf("FAIL: round %d: element %d is %d\n", round, i, got[i]);
                return 1;
            }
        check(cudaMarkEmptyAsync(in, sizeof sent, to));
        check(cudaStreamSynchronize(to));
    }
    check(cudaMemcpy(&counted, count, sizeof counted, cudaMemcpyDeviceToHost));
    if (counted != 2 * N) {
        std::printf("FAIL: counted %u\n", counted);
        return 1;
    }
    std::printf("PASS\n");
    return 0;
}
