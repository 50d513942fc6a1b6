#include "check.h"
#include "lib/shape.h"

__device__ int counter = 100;
__constant__ float scale;

static __device__ int offset = 5;
static __constant__ int weight[2] = {9, 10};

static __device__ __noinline__ float local(float x)
{
    return x * 2 + offset + shared_template(0);
}
__device__ operation chosen = local;

static __global__ void bump()
{
    offset += weight[1] - weight[0];
}

void set_scale(float value)
{
    int five;
    int weights[2];
    CHECK(cudaMemcpyToSymbol(scale, &value, sizeof value));
    CHECK(cudaMemcpyFromSymbol(weights, weight, sizeof weights));
    if (weights[0] != 9 || weights[1] != 10)
        printf("weights are %d and %d\n", weights[0], weights[1]);
    bump<<<1, 1>>>();
    CHECK(cudaMemcpyFromSymbol(&five, offset, sizeof five));
    if (five != 6)
        printf("offset is %d\n", five);
}

int read_counter()
{
    int value = 0;
    CHECK(cudaMemcpyFromSymbol(&value, counter, sizeof value));
    return value;
}
