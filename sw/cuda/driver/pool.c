/* Memory in stream order and memory pools of the driver API. */
#include "sw/cuda/client/pool.h"

#include "sw/cuda/driver/context.h"

CUresult cuMemAllocAsync(CUdeviceptr *dptr, size_t bytesize, CUstream hStream)
{
    uint64_t address;
    CU_READY_FOR(hStream);
    CU_CHECK(dptr && bytesize, CUDA_ERROR_INVALID_VALUE);
    CUresult status = evc_pool_alloc(bytesize, hStream, NULL, &address);
    if (!status)
        *dptr = address;
    return status;
}

CUresult cuMemAllocFromPoolAsync(CUdeviceptr *dptr, size_t bytesize, CUmemoryPool pool,
                                 CUstream hStream)
{
    uint64_t address;
    CU_READY_FOR(hStream);
    CU_CHECK(dptr && bytesize && evc_pool_valid(pool), CUDA_ERROR_INVALID_VALUE);
    CUresult status = evc_pool_alloc(bytesize, hStream, pool, &address);
    if (!status)
        *dptr = address;
    return status;
}

CUresult cuMemFreeAsync(CUdeviceptr dptr, CUstream hStream)
{
    CU_READY_FOR(hStream);
    return evc_pool_free(dptr, hStream);
}

CUresult cuDeviceGetDefaultMemPool(CUmemoryPool *pool_out, CUdevice dev)
{
    CU_CHECK(pool_out, CUDA_ERROR_INVALID_VALUE);
    CU_CHECK(!dev, CUDA_ERROR_INVALID_DEVICE);
    *pool_out = evc_pool_default();
    return CUDA_SUCCESS;
}

CUresult cuDeviceGetMemPool(CUmemoryPool *pool, CUdevice dev)
{
    CU_CHECK(pool, CUDA_ERROR_INVALID_VALUE);
    CU_CHECK(!dev, CUDA_ERROR_INVALID_DEVICE);
    *pool = evc_pool_current();
    return CUDA_SUCCESS;
}

CUresult cuDeviceSetMemPool(CUdevice dev, CUmemoryPool pool)
{
    CU_CHECK(!dev, CUDA_ERROR_INVALID_DEVICE);
    CU_CHECK(evc_pool_valid(pool), CUDA_ERROR_INVALID_VALUE);
    return evc_pool_make_current(pool);
}

CUresult cuMemPoolCreate(CUmemoryPool *pool, const CUmemPoolProps *poolProps)
{
    CU_CHECK(pool && poolProps && poolProps->allocType == CU_MEM_ALLOCATION_TYPE_PINNED &&
                 poolProps->location.type == CU_MEM_LOCATION_TYPE_DEVICE,
             CUDA_ERROR_INVALID_VALUE);
    CU_CHECK(!poolProps->location.id, CUDA_ERROR_INVALID_DEVICE);
    return poolProps->handleTypes
               ? evc_pool_create_shared(pool, (unsigned int)poolProps->handleTypes)
               : evc_pool_create(pool, NULL);
}

CUresult cuMemPoolDestroy(CUmemoryPool pool)
{
    return evc_pool_destroy(pool);
}

CUresult cuMemPoolTrimTo(CUmemoryPool pool, size_t minBytesToKeep)
{
    (void)minBytesToKeep; /* nothing is in reserve */
    CU_CHECK(evc_pool_valid(pool), CUDA_ERROR_INVALID_VALUE);
    return CUDA_SUCCESS;
}

CUresult cuMemPoolGetAttribute(CUmemoryPool pool, CUmemPool_attribute attr, void *value)
{
    CU_CHECK(evc_pool_valid(pool) && value, CUDA_ERROR_INVALID_VALUE);
    return evc_pool_get(pool, attr, value);
}

CUresult cuMemPoolSetAttribute(CUmemoryPool pool, CUmemPool_attribute attr, void *value)
{
    CU_CHECK(evc_pool_valid(pool) && value, CUDA_ERROR_INVALID_VALUE);
    return evc_pool_set(pool, attr, value);
}

CUresult cuMemPoolSetAccess(CUmemoryPool pool, const CUmemAccessDesc *map, size_t count)
{
    CU_CHECK(evc_pool_valid(pool) && (!count || map), CUDA_ERROR_INVALID_VALUE);
    for (size_t i = 0; i < count; i++) {
        CU_CHECK(!map[i].location.id, CUDA_ERROR_INVALID_DEVICE);
        CU_CHECK(map[i].flags == CU_MEM_ACCESS_FLAGS_PROT_READWRITE, CUDA_ERROR_INVALID_VALUE);
    }
    return CUDA_SUCCESS;
}

CUresult cuMemPoolGetAccess(CUmemAccess_flags *flags, CUmemoryPool memPool, CUmemLocation *location)
{
    CU_CHECK(evc_pool_valid(memPool) && flags && location, CUDA_ERROR_INVALID_VALUE);
    CU_CHECK(!location->id, CUDA_ERROR_INVALID_DEVICE);
    *flags = CU_MEM_ACCESS_FLAGS_PROT_READWRITE;
    return CUDA_SUCCESS;
}

/* --- other processes -------------------------------------------------------------------------- */

CUresult cuMemPoolExportToShareableHandle(void *handle_out, CUmemoryPool pool,
                                          CUmemAllocationHandleType handleType,
                                          unsigned long long flags)
{
    int file = -1;
    CU_READY();
    CU_CHECK(handle_out && evc_pool_valid(pool) && !flags, CUDA_ERROR_INVALID_VALUE);
    CUresult status = evc_pool_export(pool, handleType, &file);
    if (!status)
        memcpy(handle_out, &file, sizeof file);
    return status;
}

CUresult cuMemPoolImportFromShareableHandle(CUmemoryPool *pool_out, void *handle,
                                            CUmemAllocationHandleType handleType,
                                            unsigned long long flags)
{
    CU_READY();
    CU_CHECK(pool_out && !flags, CUDA_ERROR_INVALID_VALUE);
    return evc_pool_import((int)(intptr_t)handle, handleType, pool_out);
}

CUresult cuMemPoolExportPointer(CUmemPoolPtrExportData *shareData_out, CUdeviceptr ptr)
{
    CU_READY();
    CU_CHECK(shareData_out, CUDA_ERROR_INVALID_VALUE);
    return evc_pool_export_pointer(ptr, shareData_out);
}

CUresult cuMemPoolImportPointer(CUdeviceptr *ptr_out, CUmemoryPool pool,
                                CUmemPoolPtrExportData *shareData)
{
    uint64_t address = 0;
    CU_READY();
    CU_CHECK(ptr_out && evc_pool_valid(pool) && shareData, CUDA_ERROR_INVALID_VALUE);
    CUresult status = evc_pool_import_pointer(pool, shareData, &address);
    if (!status)
        *ptr_out = address;
    return status;
}
