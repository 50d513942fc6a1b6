/* An allocation of 3/4 of the device's memory, of which both ends and one word per GiB are touched:
 * giant GIB, the memory that the device should say it has. */
#include <cstdio>
#include <cstdlib>
#include <cuda.h>
#include <cuda_runtime.h>

__global__ void touch(unsigned *words, size_t step, size_t last)
{
    size_t at = threadIdx.x * step;
    words[at < last ? at : last] = threadIdx.x + 1;
}

int main(int argc, char **argv)
{
    const size_t gib = (size_t)1 << 30, want = (argc > 1 ? atoi(argv[1]) : 8) * gib;
    const size_t bytes = want / 4 * 3, last = bytes / sizeof(unsigned) - 1;
    const unsigned threads = (unsigned)(bytes / gib) + 1;
    size_t available, total, driver;
    cudaDeviceProp properties;
    unsigned *words, word;
    CUdevice device;
    if (cuInit(0) || cudaMemGetInfo(&available, &total) || cudaGetDeviceProperties(&properties, 0) ||
        cuDeviceGet(&device, 0) || cuDeviceTotalMem(&driver, device))
        return 2;
    printf("%zu MiB, %zu MiB, %zu MiB, %zu MiB free\n", total >> 20,
           properties.totalGlobalMem >> 20, driver >> 20, available >> 20);
    if (total != want || properties.totalGlobalMem != want || driver != want || available < bytes)
        return 3;
    if (cudaMalloc(&words, bytes) || cudaMemset(words + last, 0xFF, sizeof *words))
        return 4;
    touch<<<1, threads>>>(words, gib / sizeof *words, last);
    for (unsigned i = 0; i < threads; i++) {
        size_t at = i * (gib / sizeof *words);
        if (cudaMemcpy(&word, words + (at < last ? at : last), sizeof word,
                       cudaMemcpyDeviceToHost) ||
            word != i + 1)
            return 5;
    }
    void *more;
    if (cudaMalloc(&more, bytes) != cudaErrorMemoryAllocation)
        return 6;
    return cudaFree(words) || cudaMemGetInfo(&available, &total) || available < bytes ? 7 : 0;
}
