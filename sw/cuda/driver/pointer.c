/* What a pointer is. */
#include "sw/cuda/client/pool.h"
#include "sw/cuda/driver/context.h"

/* The context in which the memory was allocated; where nobody has noted it, the current one. */
static CUresult context_of(const struct evc_pointer *info, CUcontext *context)
{
    CUcontext owner = evc_owner_of(info->base);
    *context = owner && cu_context_valid(owner) ? owner : NULL;
    return info->bytes && !*context ? cuCtxGetCurrent(context) : CUDA_SUCCESS;
}

/* Numbers of 32 bits. */
static bool number(const struct evc_pointer *info, CUpointer_attribute attribute, int *value)
{
    const bool known = info->bytes != 0;
    switch (attribute) {
    case CU_POINTER_ATTRIBUTE_MEMORY_TYPE:
        *value = !known ? 0 : info->kind == WIRE_PINNED ? CU_MEMORYTYPE_HOST : CU_MEMORYTYPE_DEVICE;
        return true;
    case CU_POINTER_ATTRIBUTE_IS_MANAGED:
        *value = known && info->kind == WIRE_MANAGED;
        return true;
    case CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL:
        *value = known ? 0 : CU_DEVICE_INVALID;
        return true;
    case CU_POINTER_ATTRIBUTE_MAPPED:
        *value = known;
        return true;
    case CU_POINTER_ATTRIBUTE_ACCESS_FLAGS:
        *value = known ? CU_MEM_ACCESS_FLAGS_PROT_READWRITE : CU_MEM_ACCESS_FLAGS_PROT_NONE;
        return true;
    case CU_POINTER_ATTRIBUTE_IS_LEGACY_CUDA_IPC_CAPABLE:
        *value = known && info->kind == WIRE_DEVICE;
        return true;
    /* None of these is there. */
    case CU_POINTER_ATTRIBUTE_SYNC_MEMOPS:
    case CU_POINTER_ATTRIBUTE_IS_GPU_DIRECT_RDMA_CAPABLE:
        *value = 0;
        return true;
    default:
        return false;
    }
}

/* By what memory may leave the process. */
static unsigned int handle_types(const struct evc_pointer *info)
{
    uint64_t bytes;
    CUmemoryPool pool = info->bytes ? evc_pool_of_own(info->base, &bytes) : NULL;
    return pool && evc_pool_origin(pool).process ? CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR
                                                 : CU_MEM_HANDLE_TYPE_NONE;
}

/* Of a pointer into no allocation (bytes 0): what means "none". */
static CUresult pointer_value(const struct evc_pointer *info, CUpointer_attribute attribute,
                              void *data)
{
    const bool known = info->bytes != 0;
    if (number(info, attribute, data))
        return CUDA_SUCCESS;
    switch (attribute) {
    case CU_POINTER_ATTRIBUTE_CONTEXT:
        return context_of(info, data);
    case CU_POINTER_ATTRIBUTE_DEVICE_POINTER:
        *(CUdeviceptr *)data = known ? info->address : 0;
        return CUDA_SUCCESS;
    case CU_POINTER_ATTRIBUTE_HOST_POINTER:
        *(void **)data = known ? info->host : NULL;
        return CUDA_SUCCESS;
    case CU_POINTER_ATTRIBUTE_RANGE_START_ADDR:
    case CU_POINTER_ATTRIBUTE_BUFFER_ID: /* no two allocations have the same address */
        *(CUdeviceptr *)data = known ? info->base : 0;
        return CUDA_SUCCESS;
    case CU_POINTER_ATTRIBUTE_RANGE_SIZE:
        *(size_t *)data = (size_t)info->bytes;
        return CUDA_SUCCESS;
    case CU_POINTER_ATTRIBUTE_ALLOWED_HANDLE_TYPES:
        *(unsigned long long *)data = handle_types(info);
        return CUDA_SUCCESS;
    case CU_POINTER_ATTRIBUTE_MEMPOOL_HANDLE:
        *(CUmemoryPool *)data = known ? evc_pool_of(info->base) : NULL;
        return CUDA_SUCCESS;
    default:
        return CUDA_ERROR_INVALID_VALUE;
    }
}

CUresult cuPointerGetAttribute(void *data, CUpointer_attribute attribute, CUdeviceptr ptr)
{
    struct evc_pointer info;
    CU_READY();
    CU_CHECK(data, CUDA_ERROR_INVALID_VALUE);
    CUresult status = evc_pointer((void *)(uintptr_t)ptr, &info);
    CU_CHECK(!status, status);
    CU_CHECK(info.bytes, CUDA_ERROR_INVALID_VALUE);
    CU_CHECK(attribute != CU_POINTER_ATTRIBUTE_HOST_POINTER || info.host, CUDA_ERROR_INVALID_VALUE);
    return pointer_value(&info, attribute, data);
}

CUresult cuPointerGetAttributes(unsigned int numAttributes, CUpointer_attribute *attributes,
                                void **data, CUdeviceptr ptr)
{
    struct evc_pointer info;
    CU_READY();
    CU_CHECK(attributes && data && numAttributes, CUDA_ERROR_INVALID_VALUE);
    CUresult status = evc_pointer((void *)(uintptr_t)ptr, &info);
    for (unsigned int i = 0; i < numAttributes && !status; i++)
        status = data[i] ? pointer_value(&info, attributes[i], data[i]) : CUDA_ERROR_INVALID_VALUE;
    CU_CHECK(!status, status);
    return status;
}
