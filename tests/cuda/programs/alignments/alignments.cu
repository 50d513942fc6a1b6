/* alignas behind __shared__, in every place where nvcc takes it: shared variables begin where it says. */
#include "check.h"
#include "aligned.cuh"

struct Pair {
    float x, y;
};

/* __shared__ alignas(7) in a comment, and below in a string, is none. */
static const char text[] = "__shared__ alignas(8) int x;";

__global__ void places(float *out, size_t *rest)
{
    __shared__ char odd;
    __shared__ alignas(64) float a[32];
    static __shared__ alignas(16)  alignas(256) Pair pairs[2], more;
    LINE unsigned char bytes[3];
    extern __shared__ alignas(alignof(float4)) unsigned char raw[];
    const volatile __shared__ alignas(32) int *pointer;
    a[threadIdx.x] = out[threadIdx.x];
    odd = 1;
    if (threadIdx.x == 0) {
        pairs[0].x = more.y = bytes[0] = raw[0] = odd;
        pointer = (int *)out;
        rest[0] = (size_t)a % 64 + (size_t)pairs % 256 + (size_t)bytes % 128 + (size_t)raw % 16 + (size_t)&pointer % 32;
    }
    __syncthreads();
    out[threadIdx.x] = a[threadIdx.x ^ 1] + pairs[0].x;
    __syncthreads();
    size_t header = in_header<32>(out);
    if (threadIdx.x == 1)
        rest[1] = header;
}

int main()
{
    float numbers[32], *out;
    size_t rest[2] = {1, 1}, *left;
    for (int i = 0; i < 32; i++)
        numbers[i] = (float)i;
    CHECK(cudaMalloc(&out, sizeof numbers));
    CHECK(cudaMalloc(&left, sizeof rest));
    CHECK(cudaMemcpy(out, numbers, sizeof numbers, cudaMemcpyHostToDevice));
    places<<<1, 32, 64>>>(out, left);
    CHECK(cudaMemcpy(numbers, out, sizeof numbers, cudaMemcpyDeviceToHost));
    CHECK(cudaMemcpy(rest, left, sizeof rest, cudaMemcpyDeviceToHost));
    bool ok = rest[0] == 0 && rest[1] == 0 && sizeof text == 29;
    for (int i = 0; i < 32; i++)
        ok = ok && numbers[i] == (float)((31 - i) ^ 1) + 1;
    return verdict("alignments", ok);
}
