/* Loads outside of memory that --on-bad-read report lets pass: they read 0, all others what is
 * there. Lines say BAD NAME. Prints "right", or the error that stops it. */
#include <cstdio>
#include <cuda_runtime.h>

/* The neighbours of the first and the last element are read, and not used; the first has none. */
__global__ void neighbours(const float *in, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float left = ((const volatile float *)in)[i - 1]; // BAD left
    float right = ((const volatile float *)in)[i + 1];
    if (i == 0)
        left = 100;
    if (i == n - 1)
        right = 200;
    out[i] = left + right;
}

/* What is read is seen: 0. */
__global__ void seen(const int *in, int *out, long far)
{
    __shared__ int s[32];
    int t = threadIdx.x, own[4] = {1, 2, 3, 4};
    s[t] = t + 1;
    __syncthreads();
    own[in[t] % 4] = 5;
    out[t] = in[t % 2 ? t : far] + (t ? 0 : (int)far); // BAD seen
    out[32 + t] = s[t + 16];                           // BAD shared
    out[64 + t] = own[t % 8];                          // BAD local
    int4 four = ((const int4 *)(in + 16))[t % 8];      // BAD vector
    out[96 + t] = four.x + four.y + four.z + four.w;
}

/* What is copied from outside is 0: whole words, and the first half of a vector. */
__global__ void copied(const int *in, int *out)
{
    __shared__ int s[32];
    __shared__ int4 v[32];
    int t = threadIdx.x;
    unsigned to = (unsigned)__cvta_generic_to_shared(&s[t]),
             to_vector = (unsigned)__cvta_generic_to_shared(&v[t]);
    s[t] = 77;
    v[t] = make_int4(77, 77, 77, 77);
    __syncthreads();
    asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" // BAD copied
                 ::"r"(to), "l"(in + 16 + t) : "memory");
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16, 8;" // BAD half
                 ::"r"(to_vector), "l"(in + 4 * (t % 16)) : "memory");
    asm volatile("cp.async.wait_all;" ::: "memory");
    __syncthreads();
    out[t] = s[t];
    out[32 + t] = v[t].x + v[t].y;
    out[64 + t] = v[t].z | v[t].w;
}

static bool check_copied(const int *out, const int *in)
{
    for (int t = 0; t < 32; t++) {
        int k = t % 16, pair = k < 8 ? in[4 * k] + in[4 * k + 1] : 0;
        if (out[t] != (t < 16 ? in[16 + t] : 0) || out[32 + t] != pair || out[64 + t]) {
            printf("thread %d, copied: %d %d %d\n", t, out[t], out[32 + t], out[64 + t]);
            return false;
        }
    }
    return true;
}

static bool check_seen(const int *out, const int *in)
{
    for (int t = 0; t < 32; t++) {
        int v = t % 8, own = v > 3 ? 0 : v == in[t] % 4 ? 5 : v + 1, sum = 0;
        for (int i = 0; i < 4; i++)
            sum += v < 4 ? in[16 + 4 * v + i] : 0;
        if (out[t] != (t % 2 ? in[t] : 0) + (t ? 0 : 1 << 20) || out[64 + t] != own ||
            out[32 + t] != (t < 16 ? t + 17 : 0) || out[96 + t] != sum) {
            printf("thread %d: %d %d %d %d\n", t, out[t], out[32 + t], out[64 + t], out[96 + t]);
            return false;
        }
    }
    return true;
}

int main()
{
    const int n = 256;
    float line[n], sums[n], *a, *b;
    int numbers[32], results[128], *in, *out;
    for (int i = 0; i < n; i++)
        line[i] = (float)i;
    for (int i = 0; i < 32; i++)
        numbers[i] = 11 * i + 6;
    cudaMalloc(&a, sizeof line + sizeof *line); /* whose last element nobody writes */
    cudaMalloc(&b, sizeof line);
    cudaMalloc(&in, sizeof numbers);
    cudaMalloc(&out, sizeof results);
    cudaMemcpy(a, line, sizeof line, cudaMemcpyHostToDevice);
    cudaMemcpy(in, numbers, sizeof numbers, cudaMemcpyHostToDevice);
    neighbours<<<2, n / 2>>>(a, b, n);
    cudaMemcpy(sums, b, sizeof sums, cudaMemcpyDeviceToHost);
    seen<<<1, 32>>>(in, out, 1 << 20);
    cudaMemcpy(results, out, sizeof results, cudaMemcpyDeviceToHost);
    bool right = check_seen(results, numbers);
    copied<<<1, 32>>>(in, out);
    cudaMemcpy(results, out, sizeof results, cudaMemcpyDeviceToHost);
    cudaError_t error = cudaDeviceSynchronize();
    right = right && error == cudaSuccess && check_copied(results, numbers);
    for (int i = 0; i < n && right; i++)
        right = sums[i] == (i ? line[i - 1] : 100) + (i < n - 1 ? line[i + 1] : 200);
    printf("%s\n", right ? "right" : cudaGetErrorName(error));
    return !right;
}
