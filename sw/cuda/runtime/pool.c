/* Memory in stream order and memory pools of the runtime API. */
#include "sw/cuda/client/pool.h"

#include "sw/cuda/runtime/state.h"

/* pool: NULL for the current one. */
static cudaError_t allocate(void **ptr, size_t size, cudaMemPool_t pool, cudaStream_t stream)
{
    uint64_t address;
    CUresult status = evc_pool_alloc(size, RT_STREAM(stream), pool, &address);
    *ptr = (void *)(uintptr_t)address;
    return rt_done(status);
}

cudaError_t cudaMallocAsync(void **devPtr, size_t size, cudaStream_t hStream)
{
    RT_CHECK(devPtr, cudaErrorInvalidValue);
    return allocate(devPtr, size, NULL, hStream);
}

cudaError_t cudaMallocFromPoolAsync(void **ptr, size_t size, cudaMemPool_t memPool,
                                    cudaStream_t stream)
{
    RT_CHECK(ptr && evc_pool_valid(memPool), cudaErrorInvalidValue);
    return allocate(ptr, size, memPool, stream);
}

cudaError_t cudaFreeAsync(void *devPtr, cudaStream_t hStream)
{
    return rt_done(evc_pool_free((uintptr_t)devPtr, RT_STREAM(hStream)));
}

/* --- pools ------------------------------------------------------------------------------------ */

cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t *memPool, int device)
{
    RT_CHECK(memPool, cudaErrorInvalidValue);
    RT_CHECK(!device, cudaErrorInvalidDevice);
    *memPool = evc_pool_default();
    return rt_done(CUDA_SUCCESS);
}

cudaError_t cudaDeviceGetMemPool(cudaMemPool_t *memPool, int device)
{
    RT_CHECK(memPool, cudaErrorInvalidValue);
    RT_CHECK(!device, cudaErrorInvalidDevice);
    *memPool = evc_pool_current();
    return rt_done(CUDA_SUCCESS);
}

cudaError_t cudaDeviceSetMemPool(int device, cudaMemPool_t memPool)
{
    RT_CHECK(!device, cudaErrorInvalidDevice);
    RT_CHECK(evc_pool_valid(memPool), cudaErrorInvalidValue);
    return rt_done(evc_pool_make_current(memPool));
}

cudaError_t cudaMemPoolCreate(cudaMemPool_t *memPool, const struct cudaMemPoolProps *poolProps)
{
    RT_CHECK(memPool && poolProps && poolProps->allocType == cudaMemAllocationTypePinned &&
                 poolProps->location.type == cudaMemLocationTypeDevice,
             cudaErrorInvalidValue);
    RT_CHECK(!poolProps->location.id, cudaErrorInvalidDevice);
    if (poolProps->handleTypes)
        return rt_done(evc_pool_create_shared(memPool, (unsigned int)poolProps->handleTypes));
    return rt_done(evc_pool_create(memPool, NULL));
}

cudaError_t cudaMemPoolDestroy(cudaMemPool_t memPool)
{
    return rt_done(evc_pool_destroy(memPool));
}

cudaError_t cudaMemPoolTrimTo(cudaMemPool_t memPool, size_t minBytesToKeep)
{
    (void)minBytesToKeep; /* nothing is in reserve */
    RT_CHECK(evc_pool_valid(memPool), cudaErrorInvalidValue);
    return rt_done(CUDA_SUCCESS);
}

cudaError_t cudaMemPoolGetAttribute(cudaMemPool_t memPool, enum cudaMemPoolAttr attr, void *value)
{
    RT_CHECK(evc_pool_valid(memPool) && value, cudaErrorInvalidValue);
    return rt_done(evc_pool_get(memPool, (CUmemPool_attribute)attr, value));
}

cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t memPool, enum cudaMemPoolAttr attr, void *value)
{
    RT_CHECK(evc_pool_valid(memPool) && value, cudaErrorInvalidValue);
    return rt_done(evc_pool_set(memPool, (CUmemPool_attribute)attr, value));
}

cudaError_t cudaMemPoolSetAccess(cudaMemPool_t memPool, const struct cudaMemAccessDesc *descList,
                                 size_t count)
{
    RT_CHECK(evc_pool_valid(memPool) && (!count || descList), cudaErrorInvalidValue);
    for (size_t i = 0; i < count; i++) {
        RT_CHECK(!descList[i].location.id, cudaErrorInvalidDevice);
        RT_CHECK(descList[i].flags == cudaMemAccessFlagsProtReadWrite, cudaErrorInvalidValue);
    }
    return rt_done(CUDA_SUCCESS);
}

cudaError_t cudaMemPoolGetAccess(enum cudaMemAccessFlags *flags, cudaMemPool_t memPool,
                                 struct cudaMemLocation *location)
{
    RT_CHECK(evc_pool_valid(memPool) && flags && location, cudaErrorInvalidValue);
    RT_CHECK(!location->id, cudaErrorInvalidDevice);
    *flags = cudaMemAccessFlagsProtReadWrite;
    return rt_done(CUDA_SUCCESS);
}

/* --- other processes -------------------------------------------------------------------------- */

cudaError_t cudaMemPoolExportToShareableHandle(void *shareableHandle, cudaMemPool_t memPool,
                                               enum cudaMemAllocationHandleType handleType,
                                               unsigned int flags)
{
    int file = -1;
    RT_CHECK(shareableHandle && evc_pool_valid(memPool) && !flags, cudaErrorInvalidValue);
    CUresult status = evc_pool_export(memPool, handleType, &file);
    if (!status)
        memcpy(shareableHandle, &file, sizeof file);
    return rt_done(status);
}

cudaError_t cudaMemPoolImportFromShareableHandle(cudaMemPool_t *memPool, void *shareableHandle,
                                                 enum cudaMemAllocationHandleType handleType,
                                                 unsigned int flags)
{
    RT_CHECK(memPool && !flags, cudaErrorInvalidValue);
    return rt_done(evc_pool_import((int)(intptr_t)shareableHandle, handleType, memPool));
}

cudaError_t cudaMemPoolExportPointer(struct cudaMemPoolPtrExportData *exportData, void *ptr)
{
    CUmemPoolPtrExportData data;
    _Static_assert(sizeof data == sizeof *exportData, "of one shape");
    RT_CHECK(exportData, cudaErrorInvalidValue);
    CUresult status = evc_pool_export_pointer((uintptr_t)ptr, &data);
    if (!status)
        memcpy(exportData, &data, sizeof data);
    return rt_done(status);
}

cudaError_t cudaMemPoolImportPointer(void **ptr, cudaMemPool_t memPool,
                                     struct cudaMemPoolPtrExportData *exportData)
{
    uint64_t address = 0;
    CUmemPoolPtrExportData data;
    RT_CHECK(ptr && evc_pool_valid(memPool) && exportData, cudaErrorInvalidValue);
    memcpy(&data, exportData, sizeof data);
    CUresult status = evc_pool_import_pointer(memPool, &data, &address);
    if (!status)
        *ptr = (void *)(uintptr_t)address;
    return rt_done(status);
}
