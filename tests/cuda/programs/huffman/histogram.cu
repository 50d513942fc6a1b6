#include "pack.h"

static __global__ void count(const uint *data, uint *bins, int n)
{
    __shared__ uint local[256];
    for (uint i = threadIdx.x; i < 256; i += blockDim.x)
        local[i] = 0;
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        uint word = data[i];
#pragma unroll
        for (int b = 0; b < 4; b++)
            atomicAdd(&local[(word >> (8 * b)) & 0xFFU], 1);
    }
    __syncthreads();
    for (uint i = threadIdx.x; i < 256; i += blockDim.x)
        if (local[i])
            atomicAdd(&bins[i], local[i]);
}

void histogram(const uint *d_data, uint *d_bins, int n)
{
    count<<<4, 128>>>(d_data, d_bins, n);
}
