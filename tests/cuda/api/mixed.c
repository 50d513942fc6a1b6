/* Both APIs in one program: the runtime's context is the device's primary one, and current. */
#include <pthread.h>

#include "tests/cuda/api/api.h"

#define N 300u

static void *other_thread(void *user)
{
    CUcontext now = NULL;
    CUdeviceptr p = (CUdeviceptr)(uintptr_t)user;
    OK(cuCtxGetCurrent(&now));
    MUST(!now);
    GIVES(CUDA_ERROR_INVALID_CONTEXT, cuMemsetD32(p, 9, 1));
    OK(cudaFree(NULL));
    OK(cuCtxGetCurrent(&now));
    MUST(now);
    OK(cuMemsetD32(p, 9, 1));
    return NULL;
}

/* The driver's launch of a module of its own, on the runtime's memory. */
static void driver_launch(uint32_t *p)
{
    CUmodule module;
    CUfunction fill;
    uint32_t value = 40, n = N, got[N];
    void *args[] = {&p, &value, &n};
    OK(cuModuleLoadData(&module, api_ptx));
    OK(cuModuleGetFunction(&fill, module, "fill"));
    OK(cuLaunchKernel(fill, 2, 1, 1, 256, 1, 1, 0, NULL, args, NULL));
    OK(cudaMemcpy(got, p, sizeof got, cudaMemcpyDeviceToHost));
    for (uint32_t i = 0; i < N; i++)
        MUST(got[i] == 40 + i);
}

int main(void)
{
    CUcontext now = NULL, primary, own;
    size_t available = 0, all = 0;
    unsigned int flags;
    int active = 1, count = 0;
    uint32_t *p, nine = 0;
    CUdeviceptr q;
    pthread_t thread;

    api_register();
    /* Questions make no context, but the first one about devices starts the driver API as well. */
    CUdevice device = -1;
    GIVES(CUDA_ERROR_NOT_INITIALIZED, cuDeviceGet(&device, 0));
    OK(cudaGetDeviceCount(&count));
    OK(cuDeviceGet(&device, 0));
    MUST(device == 0);
    OK(cuCtxGetCurrent(&now));
    MUST(!now);
    GIVES(CUDA_ERROR_INVALID_CONTEXT, cuMemGetInfo(&available, &all));
    OK(cuDevicePrimaryCtxGetState(0, &flags, &active));
    MUST(!active);
    /* The choice of the device makes its context current. */
    device = -1;
    OK(cudaSetDevice(0));
    OK(cuCtxGetDevice(&device));
    MUST(device == 0);

    OK(cudaMalloc((void **)&p, N * sizeof *p));
    OK(cuMemGetInfo(&available, &all));
    MUST(available < all);
    OK(cuCtxGetCurrent(&now));
    OK(cuDevicePrimaryCtxGetState(0, &flags, &active));
    MUST(active);
    OK(cuDevicePrimaryCtxRetain(&primary, 0));
    MUST(now && now == primary);
    driver_launch(p);

    /* Memory of either API is the other's; giving back our use takes nothing from the runtime. */
    OK(cuMemAlloc(&q, 4));
    OK(cudaMemset((void *)(uintptr_t)q, 1, 4));
    OK(cudaFree((void *)(uintptr_t)q));
    OK(cuDevicePrimaryCtxRelease(0));
    OK(launch_fill(p, 1, N, NULL));
    OK(cudaDeviceSynchronize());

    /* A context of the program's own stays current. */
    OK(cuCtxCreate(&own, 0, 0));
    OK(cudaMemset(p, 0, 4));
    OK(cuCtxGetCurrent(&now));
    MUST(now == own);
    OK(cuCtxDestroy(own));
    OK(cuCtxGetCurrent(&now));
    MUST(now == primary);

    OK(pthread_create(&thread, NULL, other_thread, p));
    OK(pthread_join(thread, NULL));
    OK(cudaMemcpy(&nine, p, 4, cudaMemcpyDeviceToHost));
    MUST(nine == 9);

    OK(cudaDeviceReset());
    OK(cuDevicePrimaryCtxGetState(0, &flags, &active));
    MUST(!active);
    OK(cudaMalloc((void **)&p, 4));
    OK(cuCtxGetCurrent(&now));
    MUST(now == primary);
    return 0;
}
