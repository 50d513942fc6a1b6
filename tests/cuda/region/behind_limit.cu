// The older half of each block's warps waits for words that its younger half writes. A warp limit counts
// from the oldest warp on, and must not hold the writers back for good.
#include <cstdio>
#include <cuda_runtime.h>

static const int pairs = 8, blocks = 30;

__global__ void hand_down(int *word, int *got)
{
    int warp = threadIdx.x / 32, pair = blockIdx.x * pairs + warp % pairs;
    if (threadIdx.x % 32)
        return;
    if (warp < pairs)
        got[pair] = word[pair];
    else
        word[pair] = pair + 1;
}

int main()
{
    int *word, *got, value[pairs * blocks], wrong = 0;
    cudaMallocFullEmpty(&word, sizeof value);
    cudaMalloc(&got, sizeof value);
    cudaOverrideFullEmpty(word, sizeof value, cudaMemcpyActionEmpty);
    hand_down<<<blocks, 64 * pairs>>>(word, got);
    if (cudaMemcpy(value, got, sizeof value, cudaMemcpyDeviceToHost) != cudaSuccess)
        return 1;
    for (int i = 0; i < pairs * blocks; i++)
        wrong += value[i] != i + 1;
    std::printf("%d words wrong\n", wrong);
    return wrong != 0;
}
