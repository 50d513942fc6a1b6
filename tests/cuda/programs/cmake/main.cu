#include <cstdio>
#include <ctime>
#include <sys/time.h>

extern __device__ int thrice(int x);
int expected(int x);

__global__ void kernel(int *out)
{
    out[threadIdx.x] = thrice(threadIdx.x) + 1;
}

int main()
{
    int got[32], *d;
    cudaMalloc(&d, sizeof got);
    kernel<<<1, 32>>>(d);
    if (cudaMemcpy(got, d, sizeof got, cudaMemcpyDeviceToHost) != cudaSuccess)
        return 1;
    for (int i = 0; i < 32; i++)
        if (got[i] != expected(i))
            return 1;
    timeval now; // time() goes by ticks: it may have the second before
    timespec exact;
    if (gettimeofday(&now, nullptr) || clock_gettime(CLOCK_REALTIME, &exact) || exact.tv_sec < now.tv_sec ||
        time(nullptr) + 1 < now.tv_sec || clock() < 0)
        return 1;
    puts("PASSED");
    return 0;
}
