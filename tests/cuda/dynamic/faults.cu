// A launched kernel that goes wrong (child), or one whose launches are under way (parent): the
// program's GPU work ends, and the program hears of it.
#include <cuda_runtime.h>

#include <cstdio>
#include <cstring>

__global__ void store(int *p)
{
    *p = 1;
}
__global__ void endless(volatile int *p)
{
    while (!*p)
        ;
}
__global__ void parent(int *p, int *other, bool own)
{
    endless<<<2, 64>>>(other);
    for (int i = 0; i < 100; i++) // behind it
        store<<<1, 1>>>(other + 1);
    store<<<1, 1, 0, cudaStreamTailLaunch>>>(p);
    if (own)
        *p = 1;
    else
        store<<<1, 1, 0, cudaStreamFireAndForget>>>(p);
}

int main(int, char **argv)
{
    int *good;
    cudaMalloc(&good, 2 * sizeof(int));
    cudaMemset(good, 0, 2 * sizeof(int));
    parent<<<4, 32>>>((int *)0x1234, good, !strcmp(argv[1], "parent"));
    cudaError_t status = cudaDeviceSynchronize();
    printf("%s\n", cudaGetErrorName(status));
    return status != cudaErrorIllegalAddress;
}
