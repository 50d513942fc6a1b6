#include <thread>
#include <vector>

#include "check.h"

extern "C" int answer();

static __global__ void kernel(int *out, int value)
{
    out[threadIdx.x] = value;
}

/* Several threads of the host, each with a stream of its own. */
static void work(int number, int *wrong)
{
    int *d, got[128];
    cudaStream_t stream;
    CHECK(cudaStreamCreate(&stream));
    CHECK(cudaMalloc(&d, sizeof got));
    kernel<<<1, 128, 0, stream>>>(d, number);
    CHECK(cudaMemcpyAsync(got, d, sizeof got, cudaMemcpyDeviceToHost, stream));
    CHECK(cudaStreamSynchronize(stream));
    *wrong = 0;
    for (int value : got)
        *wrong += value != number;
}

int main()
{
    std::vector<std::thread> threads;
    int wrong[4], all = 0;
    for (int i = 0; i < 4; i++)
        threads.emplace_back(work, i, &wrong[i]);
    for (std::thread &thread : threads)
        thread.join();
    for (int each : wrong)
        all += each;
    return verdict("library", all == 0 && answer() == 42);
}
