/* A thread frees memory while it waits for a kernel; another one puts a memset of it behind a second
 * kernel. The memory stays the program's until the memset is over. */
#include <atomic>
#include <cstdio>
#include <cuda_runtime.h>
#include <thread>

__global__ void spin(int clocks)
{
    long long begin = clock64();
    while (clock64() - begin < clocks)
        ;
}

int main()
{
    const size_t bytes = 65536;
    unsigned char *memory;
    cudaStream_t first, second;
    std::atomic<bool> launched{false};
    cudaMalloc(&memory, bytes);
    cudaStreamCreateWithFlags(&first, cudaStreamNonBlocking);
    cudaStreamCreateWithFlags(&second, cudaStreamNonBlocking);
    cudaError_t freed = cudaErrorUnknown;
    std::thread other([&] {
        spin<<<1, 32, 0, first>>>(40000);
        launched = true;
        freed = cudaFree(memory);
    });
    while (!launched)
        cudaStreamQuery(second);
    for (int i = 0; i < 8; i++)
        cudaStreamQuery(second);
    spin<<<1, 32, 0, second>>>(100000);
    cudaError_t set = cudaMemsetAsync(memory, 0xFF, bytes, second);
    cudaError_t query = cudaStreamQuery(first);
    other.join();
    cudaError_t over = cudaDeviceSynchronize();
    printf("free %d set %d over %d; the first kernel %d at the set\n", freed, set, over, query);
    return freed || set || over || query != cudaErrorNotReady;
}
