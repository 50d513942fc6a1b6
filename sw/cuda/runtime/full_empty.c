/* Full/empty bits in the runtime API. */
#include "sw/cuda/runtime/state.h"

cudaError_t cudaMallocFullEmpty(void **devPtr, size_t size)
{
    uint64_t address = 0;
    RT_CHECK(devPtr, cudaErrorInvalidValue);
    if (!size) {
        *devPtr = NULL;
        return rt_done(CUDA_SUCCESS);
    }
    CUresult status = evc_region_alloc(size, &address);
    if (!status)
        *devPtr = (void *)(uintptr_t)address;
    return rt_done(status);
}

cudaError_t cudaMemGetInfoFullEmpty(size_t *free, size_t *total)
{
    uint64_t available = 0, all = 0;
    RT_CHECK(free && total, cudaErrorInvalidValue);
    CUresult status = evc_region_info(&available, &all);
    *free = (size_t)available;
    *total = (size_t)all;
    return rt_done(status);
}

cudaError_t cudaMarkFullAsync(void *devPtr, size_t count, cudaStream_t stream)
{
    return rt_done(evc_mark((uintptr_t)devPtr, count, cudaMemcpyActionFill, RT_STREAM(stream)));
}

cudaError_t cudaMarkEmptyAsync(void *devPtr, size_t count, cudaStream_t stream)
{
    return rt_done(evc_mark((uintptr_t)devPtr, count, cudaMemcpyActionEmpty, RT_STREAM(stream)));
}

cudaError_t cudaOverrideFullEmpty(void *devPtr, size_t count, enum cudaMemcpyAction action)
{
    return rt_done(evc_override((uintptr_t)devPtr, count, (uint32_t)action));
}

cudaError_t cudaReleaseFullEmpty(void)
{
    return rt_done(evc_release());
}

cudaError_t cudaSetFullEmptyTimeout(unsigned long long nanoseconds)
{
    return rt_done(evc_wait_limit(nanoseconds));
}
