/* Full/empty bits in the driver API. */
#include "sw/cuda/driver/context.h"

CUresult cuMemAllocFullEmpty(CUdeviceptr *dptr, size_t bytesize)
{
    uint64_t address = 0;
    CU_READY();
    CU_CHECK(dptr && bytesize, CUDA_ERROR_INVALID_VALUE);
    CUresult status = evc_region_alloc(bytesize, &address);
    if (!status)
        *dptr = address;
    return status;
}

CUresult cuMemGetInfoFullEmpty(size_t *free, size_t *total)
{
    uint64_t available = 0, all = 0;
    CU_READY();
    CU_CHECK(free && total, CUDA_ERROR_INVALID_VALUE);
    CUresult status = evc_region_info(&available, &all);
    *free = (size_t)available;
    *total = (size_t)all;
    return status;
}

static CUresult copy(uint64_t dst, uint64_t src, size_t bytes, CUstream stream,
                     CUmemcpyTrigger trigger, CUmemcpyAction action)
{
    struct evc_copy copy = {.dst = dst,
                            .src = src,
                            .width = bytes,
                            .height = 1,
                            .depth = 1,
                            .stream = stream,
                            .trigger = (uint32_t)trigger,
                            .action = (uint32_t)action};
    CUresult status = evc_copy(&copy);
    return (int)status == EVC_INVALID_DIRECTION ? CUDA_ERROR_INVALID_VALUE : status;
}

static bool on_device(CUdeviceptr address)
{
    return evc_is_device_space(evc_translate((void *)(uintptr_t)address));
}

CUresult cuMemcpyHtoDAsyncFullEmpty(CUdeviceptr dstDevice, const void *srcHost, size_t ByteCount,
                                    CUstream hStream, CUmemcpyTrigger trigger,
                                    CUmemcpyAction action)
{
    CU_READY();
    CU_CHECK(!ByteCount || on_device(dstDevice), CUDA_ERROR_INVALID_VALUE);
    return copy(dstDevice, (uintptr_t)srcHost, ByteCount, hStream, trigger, action);
}

CUresult cuMemcpyDtoHAsyncFullEmpty(void *dstHost, CUdeviceptr srcDevice, size_t ByteCount,
                                    CUstream hStream, CUmemcpyTrigger trigger,
                                    CUmemcpyAction action)
{
    CU_READY();
    CU_CHECK(!ByteCount || on_device(srcDevice), CUDA_ERROR_INVALID_VALUE);
    return copy((uintptr_t)dstHost, srcDevice, ByteCount, hStream, trigger, action);
}

CUresult cuMemMarkFullAsync(CUdeviceptr dptr, size_t ByteCount, CUstream hStream)
{
    CU_READY();
    return evc_mark(dptr, ByteCount, CU_MEMCPY_ACTION_FILL, hStream);
}

CUresult cuMemMarkEmptyAsync(CUdeviceptr dptr, size_t ByteCount, CUstream hStream)
{
    CU_READY();
    return evc_mark(dptr, ByteCount, CU_MEMCPY_ACTION_EMPTY, hStream);
}

CUresult cuMemOverrideFullEmpty(CUdeviceptr dptr, size_t ByteCount, CUmemcpyAction action)
{
    CU_READY();
    return evc_override(dptr, ByteCount, (uint32_t)action);
}

CUresult cuMemReleaseFullEmpty(void)
{
    CU_READY();
    return evc_release();
}

CUresult cuMemSetFullEmptyTimeout(unsigned long long nanoseconds)
{
    CU_READY();
    return evc_wait_limit(nanoseconds);
}
