#include "check.h"

static __global__ void kernel(int *out)
{
    *out = 42;
}

extern "C" int answer()
{
    int *d, value = 0;
    CHECK(cudaMalloc(&d, sizeof *d));
    kernel<<<1, 1>>>(d);
    CHECK(cudaMemcpy(&value, d, sizeof value, cudaMemcpyDeviceToHost));
    CHECK(cudaFree(d));
    return value;
}
