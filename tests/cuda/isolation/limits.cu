// Heap, printf buffer and stack of kernels are each program's own. Usage: limits small|greedy|victim. The first sets
// small ones, the second takes the whole heap; both then print without end and keep the GPU busy. Neither may be seen
// by the third: status 0.
#include <cstdio>
#include <cstring>
#include <cuda_runtime.h>

#define BLOCKS 640
#define LINES  100
#define CHECK(call)                                                                                                    \
    do {                                                                                                               \
        cudaError_t status = (call);                                                                                   \
        if (status != cudaSuccess) {                                                                                   \
            std::printf("%s: %s\n", #call, cudaGetErrorString(status));                                                \
            return 2;                                                                                                  \
        }                                                                                                              \
    } while (0)

__global__ void spin(long long cycles)
{
    for (long long since = clock64(); clock64() - since < cycles;) {
    }
}

__global__ void take(int blocks, size_t bytes, unsigned *got)
{
    for (int i = 0; i < blocks; i++) {
        volatile char *block = (volatile char *)malloc(bytes);
        if (block) {
            *block = 1; // or the compiler leaves the call out
            ++*got;
        }
    }
}

__global__ void say(int lines)
{
    for (int i = 0; i < lines; i++)
        printf("line %d\n", i);
}

int main(int argc, char **argv)
{
    const char *what = argc > 1 ? argv[1] : "";
    unsigned *device, got = 0;
    CHECK(cudaMalloc(&device, sizeof *device));
    CHECK(cudaMemset(device, 0, sizeof *device));
    if (!std::strcmp(what, "victim")) {
        spin<<<1, 1>>>(300000);
        CHECK(cudaDeviceSynchronize());
        CHECK(cudaDeviceSetLimit(cudaLimitStackSize, 16384));
        take<<<1, 1>>>(BLOCKS, 1000, device);
        say<<<1, 1>>>(LINES);
        CHECK(cudaMemcpy(&got, device, sizeof got, cudaMemcpyDeviceToHost));
        std::printf("victim: %u of %u blocks\n", got, BLOCKS);
        return got == BLOCKS ? 0 : 1;
    }
    if (!std::strcmp(what, "small")) {
        CHECK(cudaDeviceSetLimit(cudaLimitMallocHeapSize, 1024));
        CHECK(cudaDeviceSetLimit(cudaLimitPrintfFifoSize, 64));
    } else {
        take<<<1, 1>>>(100, 200000, device);
    }
    say<<<1, 1>>>(2000);
    spin<<<1, 1>>>(1000000);
    CHECK(cudaDeviceSynchronize());
    return 0;
}
