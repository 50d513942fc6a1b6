/* Memory of the runtime API: allocations and what pointers are. */
#include "sw/cuda/client/pool.h"
#include "sw/cuda/runtime/state.h"

cudaError_t cudaMalloc(void **devPtr, size_t size)
{
    uint64_t address = 0;
    RT_CHECK(devPtr, cudaErrorInvalidValue);
    if (!size) {
        *devPtr = NULL;
        return rt_done(CUDA_SUCCESS);
    }
    CUresult status = evc_alloc(size, WIRE_DEVICE, 0, &address);
    if (!status)
        *devPtr = (void *)(uintptr_t)address;
    return rt_done(status);
}

cudaError_t cudaFree(void *devPtr)
{
    if (!devPtr)
        return rt_done(evc_device() ? CUDA_SUCCESS : CUDA_ERROR_DEVICE_UNAVAILABLE);
    return rt_done(evc_memory_free((uintptr_t)devPtr));
}

cudaError_t cudaHostAlloc(void **pHost, size_t size, unsigned int flags)
{
    RT_CHECK(pHost && flags <= 7, cudaErrorInvalidValue);
    return rt_done(evc_host_alloc(size, flags | cudaHostAllocMapped, pHost));
}

cudaError_t cudaMallocHost(void **ptr, size_t size)
{
    return cudaHostAlloc(ptr, size, cudaHostAllocDefault);
}

cudaError_t cudaFreeHost(void *ptr)
{
    return rt_done(evc_host_free(ptr));
}

static size_t pitch_of(size_t width)
{
    return (width + EVC_PITCH_ALIGN - 1) / EVC_PITCH_ALIGN * EVC_PITCH_ALIGN;
}

cudaError_t cudaMallocPitch(void **devPtr, size_t *pitch, size_t width, size_t height)
{
    RT_CHECK(devPtr && pitch, cudaErrorInvalidValue);
    *pitch = pitch_of(width);
    RT_CHECK(*pitch >= width && (!*pitch || height <= SIZE_MAX / *pitch),
             cudaErrorMemoryAllocation);
    return cudaMalloc(devPtr, *pitch * height);
}

cudaError_t cudaMalloc3D(struct cudaPitchedPtr *pitchedDevPtr, struct cudaExtent extent)
{
    RT_CHECK(pitchedDevPtr, cudaErrorInvalidValue);
    size_t pitch = pitch_of(extent.width), rows = 0, bytes = 0;
    RT_CHECK(!__builtin_mul_overflow(extent.height, extent.depth, &rows) &&
                 !__builtin_mul_overflow(rows, pitch, &bytes),
             cudaErrorMemoryAllocation);
    void *at = NULL;
    cudaError_t status = cudaMalloc(&at, bytes);
    if (!status)
        *pitchedDevPtr = (struct cudaPitchedPtr){
            .ptr = at, .pitch = pitch, .xsize = extent.width, .ysize = extent.height};
    return status;
}

cudaError_t cudaMallocManaged(void **devPtr, size_t size, unsigned int flags)
{
    uint64_t address = 0;
    RT_CHECK(devPtr && size && (flags == cudaMemAttachGlobal || flags == cudaMemAttachHost),
             cudaErrorInvalidValue);
    CUresult status = evc_managed_alloc(size, flags, &address);
    if (!status)
        *devPtr = (void *)(uintptr_t)address;
    return rt_done(status);
}

cudaError_t cudaHostRegister(void *ptr, size_t size, unsigned int flags)
{
    RT_CHECK(!(flags & ~(unsigned int)(cudaHostRegisterPortable | cudaHostRegisterMapped |
                                       cudaHostRegisterReadOnly)),
             cudaErrorInvalidValue);
    return rt_done(evc_host_register(ptr, size, flags));
}

cudaError_t cudaHostUnregister(void *ptr)
{
    return rt_done(evc_host_unregister(ptr));
}

cudaError_t cudaHostGetDevicePointer(void **pDevice, void *pHost, unsigned int flags)
{
    struct evc_pointer info;
    RT_CHECK(pDevice && pHost && !flags, cudaErrorInvalidValue);
    CUresult status = evc_pointer(pHost, &info);
    RT_CHECK(!status, status);
    RT_CHECK(info.kind == WIRE_PINNED, cudaErrorInvalidValue);
    *pDevice = (void *)(uintptr_t)info.address;
    return rt_done(CUDA_SUCCESS);
}

cudaError_t cudaHostGetFlags(unsigned int *pFlags, void *pHost)
{
    struct evc_pointer info;
    RT_CHECK(pFlags && pHost, cudaErrorInvalidValue);
    CUresult status = evc_pointer(pHost, &info);
    RT_CHECK(!status, status);
    RT_CHECK(info.kind == WIRE_PINNED, cudaErrorInvalidValue);
    *pFlags = info.flags;
    return rt_done(CUDA_SUCCESS);
}

cudaError_t cudaMemGetInfo(size_t *free, size_t *total)
{
    uint64_t available = 0, all = 0;
    CUresult status = evc_memory_info(&available, &all);
    if (free)
        *free = (size_t)available;
    if (total)
        *total = (size_t)all;
    return rt_done(status);
}

cudaError_t cudaPointerGetAttributes(struct cudaPointerAttributes *attributes, const void *ptr)
{
    static const enum cudaMemoryType types[] = {
        [0] = cudaMemoryTypeUnregistered,           [WIRE_DEVICE] = cudaMemoryTypeDevice,
        [WIRE_PINNED] = cudaMemoryTypeHost,         [WIRE_MANAGED] = cudaMemoryTypeManaged,
        [WIRE_ARRAY] = cudaMemoryTypeDevice,        [WIRE_MODULE_DATA] = cudaMemoryTypeDevice,
        [WIRE_TEXTURE_DATA] = cudaMemoryTypeDevice, [WIRE_FULL_EMPTY] = cudaMemoryTypeDevice,
        [WIRE_MAPPED] = cudaMemoryTypeDevice};
    struct evc_pointer info;
    RT_CHECK(attributes, cudaErrorInvalidValue);
    CUresult status = evc_pointer(ptr, &info);
    RT_CHECK(!status, status);
    *attributes = (struct cudaPointerAttributes){
        .type = types[info.kind],
        .device = info.kind ? 0 : cudaInvalidDeviceId,
        .devicePointer = info.kind ? (void *)(uintptr_t)info.address : NULL,
        .hostPointer = info.kind && info.kind != WIRE_PINNED && info.kind != WIRE_MANAGED
                           ? NULL
                           : (void *)(uintptr_t)ptr};
    return rt_done(CUDA_SUCCESS);
}

/* Managed memory lies on the device: there is nothing to move, and advice is only kept. */
static CUresult check_managed(const void *devPtr, size_t count)
{
    struct evc_pointer info;
    CUresult status = evc_pointer(devPtr, &info);
    if (status)
        return status;
    uint64_t offset = info.address - info.base;
    return info.kind == WIRE_MANAGED && count && count <= info.bytes - offset
               ? CUDA_SUCCESS
               : CUDA_ERROR_INVALID_VALUE;
}

cudaError_t cudaMemPrefetchAsync(const void *devPtr, size_t count, int dstDevice,
                                 cudaStream_t stream)
{
    RT_CHECK(dstDevice == 0 || dstDevice == cudaCpuDeviceId, cudaErrorInvalidDevice);
    CUresult status = check_managed(devPtr, count);
    RT_CHECK(!status, status);
    status = evc_stream_info(RT_STREAM(stream), NULL, NULL);
    if (!status)
        status = evc_prefetch((uintptr_t)devPtr, count, dstDevice);
    return rt_done(status);
}

cudaError_t cudaMemAdvise(const void *devPtr, size_t count, enum cudaMemoryAdvise advice,
                          int device)
{
    RT_CHECK(advice >= cudaMemAdviseSetReadMostly && advice <= cudaMemAdviseUnsetAccessedBy,
             cudaErrorInvalidValue);
    RT_CHECK(device == 0 || device == cudaCpuDeviceId, cudaErrorInvalidDevice);
    CUresult status = check_managed(devPtr, count);
    if (!status)
        status = evc_advise((uintptr_t)devPtr, count, (CUmem_advise)advice, device);
    return rt_done(status);
}

/* The device's number, or the host's; false: neither. */
static bool is_place(const struct cudaMemLocation *location, int *device)
{
    bool host = location->type == cudaMemLocationTypeHost;
    *device = host ? cudaCpuDeviceId : location->id;
    return host || location->type == cudaMemLocationTypeDevice;
}

cudaError_t cudaMemPrefetchAsync_v2(const void *devPtr, size_t count,
                                    struct cudaMemLocation location, unsigned int flags,
                                    cudaStream_t stream)
{
    int device = 0;
    RT_CHECK(!flags && is_place(&location, &device), cudaErrorInvalidValue);
    return cudaMemPrefetchAsync(devPtr, count, device, stream);
}

cudaError_t cudaMemAdvise_v2(const void *devPtr, size_t count, enum cudaMemoryAdvise advice,
                             struct cudaMemLocation location)
{
    int device = 0;
    RT_CHECK(is_place(&location, &device), cudaErrorInvalidValue);
    return cudaMemAdvise(devPtr, count, advice, device);
}

cudaError_t cudaMemRangeGetAttributes(void **data, size_t *dataSizes,
                                      enum cudaMemRangeAttribute *attributes, size_t numAttributes,
                                      const void *devPtr, size_t count)
{
    const struct evc_range range = {(uintptr_t)devPtr, count};
    RT_CHECK(data && dataSizes && attributes && numAttributes, cudaErrorInvalidValue);
    CUresult status = check_managed(devPtr, count);
    for (size_t i = 0; i < numAttributes && !status; i++)
        status = evc_range_attribute(&range, (CUmem_range_attribute)attributes[i], data[i],
                                     dataSizes[i]);
    return rt_done(status);
}

cudaError_t cudaMemRangeGetAttribute(void *data, size_t dataSize,
                                     enum cudaMemRangeAttribute attribute, const void *devPtr,
                                     size_t count)
{
    return cudaMemRangeGetAttributes(&data, &dataSize, &attribute, 1, devPtr, count);
}
