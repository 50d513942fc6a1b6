/* Memory of the driver API: allocations, linear copies, sets. */
#include "sw/cuda/client/pool.h"
#include "sw/cuda/driver/context.h"

CUresult cuMemGetInfo(size_t *free, size_t *total)
{
    uint64_t available = 0, all = 0;
    CU_READY();
    CUresult status = evc_memory_info(&available, &all);
    if (free)
        *free = (size_t)available;
    if (total)
        *total = (size_t)all;
    return status;
}

static void note_owner(uint64_t address)
{
    CUcontext now = NULL;
    if (!cuCtxGetCurrent(&now))
        evc_owner_set(address, now);
}

CUresult cuMemAlloc(CUdeviceptr *dptr, size_t bytesize)
{
    uint64_t address = 0;
    CU_READY();
    CU_CHECK(dptr && bytesize, CUDA_ERROR_INVALID_VALUE);
    CUresult status = evc_alloc(bytesize, WIRE_DEVICE, 0, &address);
    CU_CHECK(!status, status);
    note_owner(address);
    *dptr = address;
    return status;
}

CUresult cuMemAllocPitch(CUdeviceptr *dptr, size_t *pPitch, size_t WidthInBytes, size_t Height,
                         unsigned int ElementSizeBytes)
{
    CU_READY();
    CU_CHECK(pPitch && WidthInBytes && Height, CUDA_ERROR_INVALID_VALUE);
    CU_CHECK(ElementSizeBytes == 4 || ElementSizeBytes == 8 || ElementSizeBytes == 16,
             CUDA_ERROR_INVALID_VALUE);
    size_t pitch = (WidthInBytes + EVC_PITCH_ALIGN - 1) / EVC_PITCH_ALIGN * EVC_PITCH_ALIGN;
    CU_CHECK(pitch >= WidthInBytes && Height <= SIZE_MAX / pitch, CUDA_ERROR_OUT_OF_MEMORY);
    CUresult status = cuMemAlloc(dptr, pitch * Height);
    if (!status)
        *pPitch = pitch;
    return status;
}

CUresult cuMemFree(CUdeviceptr dptr)
{
    CU_READY_KNOWN();
    return dptr ? evc_memory_free(dptr) : CUDA_SUCCESS;
}

CUresult cuMemGetAddressRange(CUdeviceptr *pbase, size_t *psize, CUdeviceptr dptr)
{
    struct evc_pointer info;
    CU_READY();
    CUresult status = evc_pointer((void *)(uintptr_t)dptr, &info);
    CU_CHECK(!status, status);
    CU_CHECK(info.bytes, CUDA_ERROR_NOT_FOUND);
    if (pbase)
        *pbase = info.base;
    if (psize)
        *psize = (size_t)info.bytes;
    return CUDA_SUCCESS;
}

CUresult cuMemHostAlloc(void **pp, size_t bytesize, unsigned int Flags)
{
    CU_READY();
    CU_CHECK(pp && bytesize && Flags <= 7, CUDA_ERROR_INVALID_VALUE);
    return evc_host_alloc(bytesize, Flags, pp);
}

CUresult cuMemAllocHost(void **pp, size_t bytesize)
{
    return cuMemHostAlloc(pp, bytesize, CU_MEMHOSTALLOC_DEVICEMAP);
}

CUresult cuMemFreeHost(void *p)
{
    CU_READY_KNOWN();
    return evc_host_free(p);
}

/* Registered or pinned memory only. */
static CUresult pinned(const void *p, struct evc_pointer *info)
{
    CU_CHECK(p, CUDA_ERROR_INVALID_VALUE);
    CUresult status = evc_pointer(p, info);
    if (!status && info->kind != WIRE_PINNED)
        status = CUDA_ERROR_INVALID_VALUE;
    return status;
}

CUresult cuMemHostGetDevicePointer(CUdeviceptr *pdptr, void *p, unsigned int Flags)
{
    struct evc_pointer info;
    CU_READY();
    CU_CHECK(pdptr && !Flags, CUDA_ERROR_INVALID_VALUE);
    CUresult status = pinned(p, &info);
    if (!status)
        *pdptr = info.address;
    return status;
}

CUresult cuMemHostGetFlags(unsigned int *pFlags, void *p)
{
    struct evc_pointer info;
    CU_READY();
    CU_CHECK(pFlags, CUDA_ERROR_INVALID_VALUE);
    CUresult status = pinned(p, &info);
    if (!status)
        *pFlags = info.flags;
    return status;
}

CUresult cuMemHostRegister(void *p, size_t bytesize, unsigned int Flags)
{
    CU_READY();
    CU_CHECK(!(Flags & ~(unsigned int)(CU_MEMHOSTREGISTER_PORTABLE | CU_MEMHOSTREGISTER_DEVICEMAP |
                                       CU_MEMHOSTREGISTER_READ_ONLY)),
             CUDA_ERROR_INVALID_VALUE);
    return evc_host_register(p, bytesize, Flags);
}

CUresult cuMemHostUnregister(void *p)
{
    CU_READY();
    return evc_host_unregister(p);
}

CUresult cuMemAllocManaged(CUdeviceptr *dptr, size_t bytesize, unsigned int flags)
{
    uint64_t address = 0;
    CU_READY();
    CU_CHECK(dptr && bytesize && (flags == CU_MEM_ATTACH_GLOBAL || flags == CU_MEM_ATTACH_HOST),
             CUDA_ERROR_INVALID_VALUE);
    CUresult status = evc_managed_alloc(bytesize, flags, &address);
    CU_CHECK(!status, status);
    note_owner(address);
    *dptr = address;
    return status;
}

/* Managed memory lies on the device and never moves: advice is only kept. */
static CUresult managed_range(CUdeviceptr devPtr, size_t count, CUdevice device)
{
    struct evc_pointer info;
    CU_READY();
    CU_CHECK(device == 0 || device == CU_DEVICE_CPU, CUDA_ERROR_INVALID_DEVICE);
    CUresult status = evc_pointer((void *)(uintptr_t)devPtr, &info);
    CU_CHECK(!status, status);
    CU_CHECK(info.kind == WIRE_MANAGED && count && devPtr - info.base + count <= info.bytes,
             CUDA_ERROR_INVALID_VALUE);
    return CUDA_SUCCESS;
}

CUresult cuMemPrefetchAsync(CUdeviceptr devPtr, size_t count, CUdevice dstDevice, CUstream hStream)
{
    CUresult status = managed_range(devPtr, count, dstDevice);
    if (!status)
        status = evc_stream_info(hStream, NULL, NULL);
    return status ? status : evc_prefetch(devPtr, count, dstDevice);
}

CUresult cuMemAdvise(CUdeviceptr devPtr, size_t count, CUmem_advise advice, CUdevice device)
{
    CU_CHECK(advice >= CU_MEM_ADVISE_SET_READ_MOSTLY && advice <= CU_MEM_ADVISE_UNSET_ACCESSED_BY,
             CUDA_ERROR_INVALID_VALUE);
    CUresult status = managed_range(devPtr, count, device);
    return status ? status : evc_advise(devPtr, count, advice, device);
}

CUresult cuMemRangeGetAttributes(void **data, size_t *dataSizes, CUmem_range_attribute *attributes,
                                 size_t numAttributes, CUdeviceptr devPtr, size_t count)
{
    const struct evc_range range = {devPtr, count};
    CU_CHECK(data && dataSizes && attributes && numAttributes, CUDA_ERROR_INVALID_VALUE);
    CUresult status = managed_range(devPtr, count, 0);
    for (size_t i = 0; i < numAttributes && !status; i++)
        status = evc_range_attribute(&range, attributes[i], data[i], dataSizes[i]);
    CU_CHECK(!status, status);
    return CUDA_SUCCESS;
}

CUresult cuMemRangeGetAttribute(void *data, size_t dataSize, CUmem_range_attribute attribute,
                                CUdeviceptr devPtr, size_t count)
{
    return cuMemRangeGetAttributes(&data, &dataSize, &attribute, 1, devPtr, count);
}

/* --- linear copies ---------------------------------------------------------------------------- */

static CUresult linear(uint64_t dst, uint64_t src, size_t bytes, CUstream stream, bool blocking)
{
    struct evc_copy copy = {.dst = dst,
                            .src = src,
                            .width = bytes,
                            .height = 1,
                            .depth = 1,
                            .stream = stream,
                            .blocking = blocking};
    return evc_copy(&copy);
}

static bool on_device(CUdeviceptr address)
{
    return evc_is_device_space(evc_translate((void *)(uintptr_t)address));
}

CUresult cuMemcpy(CUdeviceptr dst, CUdeviceptr src, size_t ByteCount)
{
    CU_READY();
    return linear(dst, src, ByteCount, NULL, true);
}

CUresult cuMemcpyAsync(CUdeviceptr dst, CUdeviceptr src, size_t ByteCount, CUstream hStream)
{
    CU_READY_FOR(hStream);
    return linear(dst, src, ByteCount, hStream, false);
}

CUresult cuMemcpyHtoDAsync(CUdeviceptr dstDevice, const void *srcHost, size_t ByteCount,
                           CUstream hStream)
{
    CU_READY_FOR(hStream);
    CU_CHECK(!ByteCount || on_device(dstDevice), CUDA_ERROR_INVALID_VALUE);
    return linear(dstDevice, (uintptr_t)srcHost, ByteCount, hStream, false);
}

CUresult cuMemcpyHtoD(CUdeviceptr dstDevice, const void *srcHost, size_t ByteCount)
{
    CU_READY();
    CU_CHECK(!ByteCount || on_device(dstDevice), CUDA_ERROR_INVALID_VALUE);
    return linear(dstDevice, (uintptr_t)srcHost, ByteCount, NULL, true);
}

CUresult cuMemcpyDtoHAsync(void *dstHost, CUdeviceptr srcDevice, size_t ByteCount, CUstream hStream)
{
    CU_READY_FOR(hStream);
    CU_CHECK(!ByteCount || on_device(srcDevice), CUDA_ERROR_INVALID_VALUE);
    return linear((uintptr_t)dstHost, srcDevice, ByteCount, hStream, false);
}

CUresult cuMemcpyDtoH(void *dstHost, CUdeviceptr srcDevice, size_t ByteCount)
{
    CU_READY();
    CU_CHECK(!ByteCount || on_device(srcDevice), CUDA_ERROR_INVALID_VALUE);
    return linear((uintptr_t)dstHost, srcDevice, ByteCount, NULL, true);
}

CUresult cuMemcpyDtoDAsync(CUdeviceptr dstDevice, CUdeviceptr srcDevice, size_t ByteCount,
                           CUstream hStream)
{
    CU_READY_FOR(hStream);
    CU_CHECK(!ByteCount || (on_device(dstDevice) && on_device(srcDevice)),
             CUDA_ERROR_INVALID_VALUE);
    return linear(dstDevice, srcDevice, ByteCount, hStream, false);
}

/* Between two places on the device the call does not wait, as on NVIDIA's machines. */
CUresult cuMemcpyDtoD(CUdeviceptr dstDevice, CUdeviceptr srcDevice, size_t ByteCount)
{
    return cuMemcpyDtoDAsync(dstDevice, srcDevice, ByteCount, NULL);
}

/* --- sets ------------------------------------------------------------------------------------- */

static CUresult set(const struct evc_memset *what)
{
    CU_READY();
    return evc_memset(what);
}

CUresult cuMemsetD8Async(CUdeviceptr dstDevice, unsigned char uc, size_t N, CUstream hStream)
{
    return set(&(struct evc_memset){.dst = dstDevice,
                                    .width = N,
                                    .height = 1,
                                    .depth = 1,
                                    .value = uc,
                                    .element = 1,
                                    .stream = hStream});
}

CUresult cuMemsetD16Async(CUdeviceptr dstDevice, unsigned short us, size_t N, CUstream hStream)
{
    return set(&(struct evc_memset){.dst = dstDevice,
                                    .width = N,
                                    .height = 1,
                                    .depth = 1,
                                    .value = us,
                                    .element = 2,
                                    .stream = hStream});
}

CUresult cuMemsetD32Async(CUdeviceptr dstDevice, unsigned int ui, size_t N, CUstream hStream)
{
    return set(&(struct evc_memset){.dst = dstDevice,
                                    .width = N,
                                    .height = 1,
                                    .depth = 1,
                                    .value = ui,
                                    .element = 4,
                                    .stream = hStream});
}

CUresult cuMemsetD8(CUdeviceptr dstDevice, unsigned char uc, size_t N)
{
    return cuMemsetD8Async(dstDevice, uc, N, NULL);
}

CUresult cuMemsetD16(CUdeviceptr dstDevice, unsigned short us, size_t N)
{
    return cuMemsetD16Async(dstDevice, us, N, NULL);
}

CUresult cuMemsetD32(CUdeviceptr dstDevice, unsigned int ui, size_t N)
{
    return cuMemsetD32Async(dstDevice, ui, N, NULL);
}

static CUresult set_rows(CUdeviceptr dst, size_t pitch, uint32_t value, uint32_t element,
                         const size_t *size, CUstream stream)
{
    return set(&(struct evc_memset){.dst = dst,
                                    .pitch = pitch,
                                    .width = size[0],
                                    .height = size[1],
                                    .depth = 1,
                                    .value = value,
                                    .element = element,
                                    .stream = stream});
}

CUresult cuMemsetD2D8Async(CUdeviceptr dstDevice, size_t dstPitch, unsigned char uc, size_t Width,
                           size_t Height, CUstream hStream)
{
    return set_rows(dstDevice, dstPitch, uc, 1, (size_t[]){Width, Height}, hStream);
}

CUresult cuMemsetD2D8(CUdeviceptr dstDevice, size_t dstPitch, unsigned char uc, size_t Width,
                      size_t Height)
{
    return cuMemsetD2D8Async(dstDevice, dstPitch, uc, Width, Height, NULL);
}

CUresult cuMemsetD2D16Async(CUdeviceptr dstDevice, size_t dstPitch, unsigned short us, size_t Width,
                            size_t Height, CUstream hStream)
{
    return set_rows(dstDevice, dstPitch, us, 2, (size_t[]){Width, Height}, hStream);
}

CUresult cuMemsetD2D16(CUdeviceptr dstDevice, size_t dstPitch, unsigned short us, size_t Width,
                       size_t Height)
{
    return cuMemsetD2D16Async(dstDevice, dstPitch, us, Width, Height, NULL);
}

CUresult cuMemsetD2D32Async(CUdeviceptr dstDevice, size_t dstPitch, unsigned int ui, size_t Width,
                            size_t Height, CUstream hStream)
{
    return set_rows(dstDevice, dstPitch, ui, 4, (size_t[]){Width, Height}, hStream);
}

CUresult cuMemsetD2D32(CUdeviceptr dstDevice, size_t dstPitch, unsigned int ui, size_t Width,
                       size_t Height)
{
    return cuMemsetD2D32Async(dstDevice, dstPitch, ui, Width, Height, NULL);
}
