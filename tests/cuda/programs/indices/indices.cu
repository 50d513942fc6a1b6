/* Copies of the four variables that tell a thread its place: values of the types uint3 and dim3. */
#include "check.h"

template <class T> static __device__ unsigned sum(T place)
{
    return place.x + 10 * place.y + 100 * place.z;
}

__global__ void places(unsigned *sums)
{
    const auto thread = threadIdx; // not blockIdx;
    auto block = blockIdx, again = threadIdx;
    auto threads = blockDim;
    auto of = [blocks = gridDim] { return sum(blocks); };
    decltype(threadIdx) same = threadIdx;
    uint3 either = thread.x ? threadIdx : blockIdx;
    uint3 *changed = &again;
    changed->x += 1000;
    threads.x += 1000; /* of the copy alone */
    unsigned *to = sums + 8 * (blockIdx.x * blockDim.x + threadIdx.x);
    to[0] = sum(thread);
    to[1] = sum(block);
    to[2] = sum(again);
    to[3] = sum(threads);
    to[4] = of();
    to[5] = sum(same);
    to[6] = sum(either);
    to[7] = sum(threadIdx) + sum(blockIdx) + sum(blockDim) + sum<dim3>(gridDim);
}

int main()
{
    unsigned *sums;
    bool ok = true;
    CHECK(cudaMallocManaged(&sums, 6 * 8 * sizeof *sums));
    places<<<2, 3>>>(sums);
    CHECK(cudaDeviceSynchronize());
    for (unsigned i = 0; i < 6; i++) {
        unsigned t = i % 3, b = i / 3, *s = sums + 8 * i;
        ok = ok && s[0] == t && s[1] == b && s[2] == t + 1000 && s[3] == 1003 + 110 && s[4] == 2 + 110;
        ok = ok && s[5] == t && s[6] == (t ? t : b) && s[7] == t + b + 113 + 112;
    }
    return verdict("indices", ok);
}
