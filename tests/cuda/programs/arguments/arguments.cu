/* Kernels with arguments of up to 32764 bytes, the limit since CUDA 12.1, of which some are in flight at a time. */
#include <vector>

#include "check.h"

template <int Words> struct many {
    int word[Words];
};

template <int Words> __global__ void sum(const __grid_constant__ many<Words> in, long long *out)
{
    long long total = 0;
    for (int i = threadIdx.x; i < Words; i += blockDim.x)
        total += in.word[i];
    atomicAdd((unsigned long long *)out, (unsigned long long)total);
}

/* Adds to `want` what the kernel will add to *out. */
template <int Words> static void launch(int start, long long *out, long long *want)
{
    many<Words> in;
    for (int i = 0; i < Words; i++) {
        in.word[i] = start + i;
        *want += in.word[i];
    }
    sum<Words><<<2, 64>>>(in, out);
}

int main()
{
    const int rounds = 40;
    const int most = 32764 / 4 - 4; /* beside the pointer and its alignment */
    long long *out;
    std::vector<long long> want(3), got(3);
    CHECK(cudaMalloc(&out, 3 * sizeof *out));
    CHECK(cudaMemset(out, 0, 3 * sizeof *out));
    for (int i = 0; i < rounds; i++) {
        launch<1000>(i, out, &want[0]);
        launch<1200>(2 * i, out + 1, &want[1]);
        launch<most>(3 * i, out + 2, &want[2]);
    }
    CHECK(cudaMemcpy(got.data(), out, 3 * sizeof *out, cudaMemcpyDeviceToHost));
    bool ok = true;
    for (int i = 0; i < 3; i++)
        ok = ok && got[i] == 2 * want[i]; /* two blocks */
    return verdict("arguments", ok);
}
