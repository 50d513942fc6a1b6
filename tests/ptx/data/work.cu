// cu2ptx: -g0 -ffp-contract=off -fwrapv
#define DEVICE __attribute__((device))
#define NOINLINE __attribute__((noinline))
#define TABLE __attribute__((device)) const
#include <__clang_cuda_builtin_vars.h>
#include "work.h"

extern "C" __global__ void work_kernel(const unsigned long long *in, unsigned long long *out,
                                       unsigned n)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        work(i, in, out);
}

#define TILE 16
extern "C" __global__ void matmul(const float *a, const float *b, float *c, int n)
{
    __shared__ float as[TILE][TILE], bs[TILE][TILE];
    int tx = threadIdx.x, ty = threadIdx.y;
    int x = blockIdx.x * TILE + tx, y = blockIdx.y * TILE + ty;
    float sum = 0;
    for (int t = 0; t < n; t += TILE) {
        as[ty][tx] = a[y * n + t + tx];
        bs[ty][tx] = b[(t + ty) * n + x];
        __nvvm_bar_sync(0);
        for (int k = 0; k < TILE; k++)
            sum += as[ty][k] * bs[k][tx];
        __nvvm_bar_sync(0);
    }
    c[y * n + x] = sum;
}
