/* Launches in all their forms, function attributes, occupancy, devices, errors of launches. */
#include "tests/cuda/api/api.h"

#define N 600u

static uint32_t a[N];

static void expect(const void *p, uint32_t value)
{
    OK(cudaMemcpy(a, p, sizeof a, cudaMemcpyDeviceToHost));
    for (uint32_t i = 0; i < N; i++)
        MUST(a[i] == value + i);
}

static void runtime(void *p)
{
    uint32_t value = 20, n = N;
    dim3 grid, block;
    size_t shared;
    cudaStream_t stream;
    OK(launch_fill(p, 10, N, NULL));
    expect(p, 10);
    MUST(!__cudaPushCallConfiguration(api_dim(3, 1, 1), api_dim(256, 1, 1), 16, NULL));
    OK(__cudaPopCallConfiguration(&grid, &block, &shared, &stream));
    MUST(grid.x == 3 && block.x == 256 && shared == 16 && !stream);
    GIVES(cudaErrorMissingConfiguration,
          __cudaPopCallConfiguration(&grid, &block, &shared, &stream));
    OK(cudaConfigureCall(api_dim(3, 1, 1), api_dim(256, 1, 1), 0, NULL));
    OK(cudaSetupArgument(&p, 8, 0));
    OK(cudaSetupArgument(&value, 4, 8));
    OK(cudaSetupArgument(&n, 4, 12));
    OK(cudaLaunch(&host_fill));
    expect(p, 20);
    void *args[] = {&p, &value, &n};
    value = 30;
    OK(cudaLaunchCooperativeKernel(&host_fill, api_dim(3, 1, 1), api_dim(256, 1, 1), args, 0,
                                   NULL));
    expect(p, 30);
    GIVES(cudaErrorCooperativeLaunchTooLarge,
          cudaLaunchCooperativeKernel(&host_fill, api_dim(60000, 1, 1), api_dim(256, 1, 1), args, 0,
                                      NULL));

    cudaLaunchAttribute attributes[] = {{.id = cudaLaunchAttributeCooperative},
                                        {.id = cudaLaunchAttributeClusterDimension}};
    cudaLaunchConfig_t config = {api_dim(3, 1, 1), api_dim(256, 1, 1), 0, NULL, attributes, 2};
    attributes[0].val.cooperative = 1;
    attributes[1].val.clusterDim.x = attributes[1].val.clusterDim.y = 1;
    attributes[1].val.clusterDim.z = 1;
    value = 40;
    OK(cudaLaunchKernelExC(&config, &host_fill, args));
    expect(p, 40);
    config.gridDim.x = 60000;
    GIVES(cudaErrorCooperativeLaunchTooLarge, cudaLaunchKernelExC(&config, &host_fill, args));
    attributes[1].val.clusterDim.x = 2;
    GIVES(cudaErrorNotSupported, cudaLaunchKernelExC(&config, &host_fill, args));
    config.attrs = NULL;
    GIVES(cudaErrorInvalidValue, cudaLaunchKernelExC(&config, &host_fill, args));
    GIVES(cudaErrorInvalidValue, cudaLaunchKernelExC(NULL, &host_fill, args));
}

static void wrong(void *p)
{
    uint32_t value = 0, n = 0;
    void *args[] = {&p, &value, &n};
    char nothing;
    GIVES(cudaErrorInvalidConfiguration,
          cudaLaunchKernel(&host_fill, api_dim(1, 1, 1), api_dim(2048, 1, 1), args, 0, NULL));
    GIVES(cudaErrorInvalidConfiguration, cudaGetLastError());
    OK(cudaGetLastError());
    GIVES(cudaErrorInvalidConfiguration,
          cudaLaunchKernel(&host_fill, api_dim(0, 1, 1), api_dim(1, 1, 1), args, 0, NULL));
    GIVES(cudaErrorInvalidConfiguration,
          cudaLaunchKernel(&host_fill, api_dim(1, 70000, 1), api_dim(1, 1, 1), args, 0, NULL));
    GIVES(cudaErrorInvalidValue,
          cudaLaunchKernel(&host_fill, api_dim(1, 1, 1), api_dim(1, 1, 1), args, 1 << 20, NULL));
    GIVES(cudaErrorInvalidDeviceFunction,
          cudaLaunchKernel(&nothing, api_dim(1, 1, 1), api_dim(1, 1, 1), args, 0, NULL));
    GIVES(cudaErrorInvalidDeviceFunction,
          cudaLaunchKernel(&host_missing, api_dim(1, 1, 1), api_dim(1, 1, 1), args, 0, NULL));
    GIVES(cudaErrorInvalidResourceHandle,
          cudaLaunchKernel(&host_fill, api_dim(1, 1, 1), api_dim(1, 1, 1), args, 0,
                           (cudaStream_t)0x4444));
    GIVES(cudaErrorInvalidResourceHandle, cudaPeekAtLastError());
}

static void attributes(void)
{
    struct cudaFuncAttributes attr;
    struct cudaDeviceProp prop;
    int blocks, value, count, version;
    OK(cudaFuncGetAttributes(&attr, &host_fill));
    MUST(attr.numRegs > 0 && attr.maxThreadsPerBlock == 1024 && attr.sharedSizeBytes == 0);
    OK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, &host_fill, 256, 0));
    MUST(blocks >= 1);
    OK(cudaFuncSetCacheConfig(&host_fill, cudaFuncCachePreferL1));
    OK(cudaFuncSetAttribute(&host_fill, cudaFuncAttributeMaxDynamicSharedMemorySize, 1024));
    OK(cudaGetDeviceCount(&count));
    OK(cudaGetDeviceProperties(&prop, 0));
    OK(cudaDeviceGetAttribute(&value, cudaDevAttrMultiProcessorCount, 0));
    MUST(count == 1 && value == prop.multiProcessorCount && prop.warpSize == 32);
    GIVES(cudaErrorInvalidDevice, cudaGetDeviceProperties(&prop, 1));
    GIVES(cudaErrorInvalidDevice, cudaSetDevice(3));
    OK(cudaSetDevice(0));
    OK(cudaRuntimeGetVersion(&version));
    MUST(version == CUDART_VERSION);
    MUST(!strcmp(cudaGetErrorName(cudaErrorMemoryAllocation), "cudaErrorMemoryAllocation"));
    MUST(!strcmp(cudaGetErrorString(cudaErrorMemoryAllocation), "out of memory"));
    MUST(!strcmp(cudaGetErrorString((cudaError_t)12345), "unrecognized error code"));
}

int main(void)
{
    void *p;
    api_register();
    OK(cudaMalloc(&p, sizeof a));
    runtime(p);
    wrong(p);
    attributes();
    OK(cudaDeviceReset());
    OK(cudaMalloc(&p, sizeof a));
    OK(launch_fill(p, 3, N, NULL));
    expect(p, 3);
    return 0;
}
