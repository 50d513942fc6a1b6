/* Full/empty bits from C++: trigger and action as further arguments of cudaMemcpyAsync. */
#include <cstdio>
#include <cstring>
#include <vector>

#include "cuda_runtime.h"

static int failed(cudaError_t status, const char *what)
{
    if (status != cudaSuccess)
        std::printf("%s: %s\n", what, cudaGetErrorString(status));
    return status != cudaSuccess;
}
#define OK(call)                                                                                   \
    do {                                                                                           \
        if (failed((call), #call))                                                                 \
            return 1;                                                                              \
    } while (0)

int main()
{
    const size_t count = 5000, bytes = count * sizeof(float);
    float *device = nullptr;
    cudaStream_t one, two;
    std::vector<float> sent(count), got(count);
    for (size_t i = 0; i < count; i++)
        sent[i] = static_cast<float>(i) / 3;
    OK(cudaMallocFullEmpty(&device, bytes));
    OK(cudaStreamCreate(&one));
    OK(cudaStreamCreate(&two));
    OK(cudaMarkEmptyAsync(device, bytes, one));
    OK(cudaMemcpyAsync(got.data(), device, bytes, cudaMemcpyDeviceToHost, one,
                       cudaMemcpyTriggerFilled));
    OK(cudaMemcpyAsync(device, sent.data(), bytes, cudaMemcpyHostToDevice, two,
                       cudaMemcpyTriggerEmptied, cudaMemcpyActionFill));
    OK(cudaStreamSynchronize(one));
    if (std::memcmp(sent.data(), got.data(), bytes) != 0)
        return 2;
    /* The five arguments of CUDA mean what they did. */
    OK(cudaMemcpyAsync(device, got.data(), bytes, cudaMemcpyHostToDevice, two));
    OK(cudaMemcpyAsync(device, got.data(), bytes, cudaMemcpyHostToDevice, two,
                       cudaMemcpyTriggerNone, cudaMemcpyActionNone));
    OK(cudaDeviceSynchronize());
    OK(cudaFree(device));
    return 0;
}
