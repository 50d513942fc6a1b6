/* Blocks that fill the machine wait for a word that a block which is not resident would write. */
#include <cstdio>
#include <cuda_runtime.h>

__global__ void chain(int *word)
{
    word[blockIdx.x] = word[blockIdx.x + 1] + 1;
}

int main()
{
    int *word, blocks = 1024;
    cudaMallocFullEmpty(&word, (blocks + 1) * sizeof *word);
    cudaOverrideFullEmpty(word, blocks * sizeof *word, cudaMemcpyActionEmpty);
    chain<<<blocks, 32>>>(word);
    std::printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
    return 0;
}
