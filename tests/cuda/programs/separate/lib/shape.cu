#include "lib/shape.h"

static __device__ float offset = 0.25f;

static __device__ __noinline__ float local(float x)
{
    return x + offset;
}

__device__ float helper(float x)
{
    atomicAdd(&counter, 1);
    return local(x) * scale + shared_template(1);
}

__device__ float deep(int depth, float x)
{
    return depth ? deep(depth - 1, x) + 1 : x;
}

__device__ float Shape::area()
{
    return size * size;
}
