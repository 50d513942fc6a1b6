// From a launch in a kernel to the first instruction of what it launches, by %globaltimer; the argument is the
// core clock in kHz.
#include <cuda_runtime.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>

__device__ unsigned long long now()
{
    unsigned long long time;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(time));
    return time;
}

__global__ void child(unsigned long long *time)
{
    if (threadIdx.x == 0)
        *time = now();
}

__global__ void parent(unsigned long long *times, int n)
{
    for (int i = 0; i < n; i++) {
        times[2 * i] = now();
        child<<<1, 32>>>(times + 2 * i + 1);
        cudaDeviceSynchronize();
    }
}

int main(int argc, char **argv)
{
    const int n = 20;
    unsigned long long *times, got[2 * n];
    double cycle = 1e6 / (argc > 1 ? atof(argv[1]) : 700000), sum = 0, least = 1e9, most = 0;
    cudaMalloc(&times, sizeof got);
    parent<<<1, 1>>>(times, n);
    if (cudaMemcpy(got, times, sizeof got, cudaMemcpyDeviceToHost))
        return 1;
    for (int i = 2; i < n; i++) { // the first ones also fetch their instructions
        double cycles = (double)(got[2 * i + 1] - got[2 * i]) / cycle;
        sum += cycles;
        least = std::min(least, cycles);
        most = std::max(most, cycles);
    }
    printf("launch to first instruction: %.0f core cycles, %.0f to %.0f\n", sum / (n - 2), least, most);
    return 0;
}
