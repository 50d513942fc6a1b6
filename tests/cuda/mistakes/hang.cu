/* Kernels that never end: hang NAME. Lines say BAD NAME. */
#include <cstdio>
#include <cstring>
#include <cuda_runtime.h>

__global__ void endless(volatile int *p)
{
    while (*p == 0) // BAD endless
        continue;   // BAD endless
}

/* Warp 1 waits for what warp 0 says after the barrier, at which warp 0 waits for warp 1. */
__global__ void deadlock(volatile int *p)
{
    if (threadIdx.x >= 32)
        while (p[0] == 0) // BAD deadlock
            continue;     // BAD deadlock
    __syncthreads();      // AT deadlock
    p[0] = 1;
}

/* More threads are waited for than come. */
__global__ void missing(int *p)
{
    if (threadIdx.x < 32)
        asm volatile("bar.sync 3, 64;" ::: "memory"); // BAD missing
    p[threadIdx.x] = 2;
}

__global__ void spinlock(int *lock)
{
    while (atomicCAS(lock, 0, 1) != 0) // BAD spinlock
        continue;                      // BAD spinlock
    lock[1]++;                         /* and is never opened */
}

int main(int argc, char **argv)
{
    int *p;
    const char *name = argc > 1 ? argv[1] : "";
    auto is = [name](const char *other) { return !strcmp(name, other); };
    cudaMalloc(&p, 4096);
    cudaMemset(p, 0, 4096);
    if (is("endless"))
        endless<<<1, 32>>>(p);
    else if (is("deadlock"))
        deadlock<<<1, 64>>>(p);
    else if (is("missing"))
        missing<<<1, 64>>>(p);
    else if (is("spinlock"))
        spinlock<<<2, 32>>>(p);
    else
        return 2;
    cudaError_t error = cudaDeviceSynchronize();
    printf("%d %s\n", (int)error, cudaGetErrorName(error));
    return error != cudaSuccess;
}
