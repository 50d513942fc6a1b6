/* Address ranges and memory by handle; the simulator keeps the books. A file descriptor that stands
 * for memory has the number of the handle: it is good for every process that talks to the same
 * simulator, and the memory then stays until the last of them has ended. */
#include <errno.h>

#include "sw/cuda/driver/context.h"

#define SHARED_MAGIC 0x6c646e6168757067u

/* Each returns the error, with its reason, where the device has no such thing. */
static CUresult check_location(const CUmemLocation *location, const char *call)
{
    if (location->type == CU_MEM_LOCATION_TYPE_DEVICE && !location->id)
        return CUDA_SUCCESS;
    bool device = location->type == CU_MEM_LOCATION_TYPE_DEVICE;
    return evc_explain(device ? CUDA_ERROR_INVALID_DEVICE : CUDA_ERROR_INVALID_VALUE,
                       "%s: location %d of type %d: memory by handle is on device 0, of type "
                       "CU_MEM_LOCATION_TYPE_DEVICE",
                       call, location->id, (int)location->type);
}

static CUresult check_types(unsigned int types, const char *call)
{
    if (types & ~(unsigned int)CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR)
        return evc_explain(CUDA_ERROR_NOT_SUPPORTED,
                           "%s: handles of type %u: they leave a process as "
                           "CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR or not at all",
                           call, types);
    return CUDA_SUCCESS;
}

static CUresult check_properties(const CUmemAllocationProp *prop, const char *call)
{
    if (!prop || prop->type != CU_MEM_ALLOCATION_TYPE_PINNED)
        return evc_explain(CUDA_ERROR_INVALID_VALUE,
                           "%s: memory by handle is of type CU_MEM_ALLOCATION_TYPE_PINNED", call);
    if (prop->allocFlags.compressionType || prop->allocFlags.gpuDirectRDMACapable)
        return evc_explain(CUDA_ERROR_NOT_SUPPORTED,
                           "%s: allocFlags: the device neither compresses memory nor shares it by "
                           "RDMA, as its attributes say",
                           call);
    CUresult status = check_types((unsigned int)prop->requestedHandleTypes, call);
    return status ? status : check_location(&prop->location, call);
}

CUresult cuMemGetAllocationGranularity(size_t *granularity, const CUmemAllocationProp *prop,
                                       CUmemAllocationGranularity_flags option)
{
    CU_READY_KNOWN();
    CU_CHECK(granularity, CUDA_ERROR_INVALID_VALUE);
    CU_CHECK(option == CU_MEM_ALLOC_GRANULARITY_MINIMUM ||
                 option == CU_MEM_ALLOC_GRANULARITY_RECOMMENDED,
             CUDA_ERROR_INVALID_VALUE);
    CUresult status = check_properties(prop, __func__);
    if (!status)
        *granularity = WIRE_MAP_UNIT;
    return status;
}

/* --- addresses -------------------------------------------------------------------------------- */

CUresult cuMemAddressReserve(CUdeviceptr *ptr, size_t size, size_t alignment, CUdeviceptr addr,
                             unsigned long long flags)
{
    CU_READY_KNOWN();
    CU_CHECK(ptr && !flags, CUDA_ERROR_INVALID_VALUE);
    struct evc_call call = {.op = WIRE_RESERVE, .a = {size, alignment, addr}};
    CUresult status = evc_call(&call);
    CU_CHECK(!status, status);
    *ptr = call.v[0];
    return CUDA_SUCCESS;
}

CUresult cuMemAddressFree(CUdeviceptr ptr, size_t size)
{
    CU_READY_KNOWN();
    struct evc_call call = {.op = WIRE_UNRESERVE, .a = {ptr, size}};
    CUresult status = evc_call(&call);
    CU_CHECK(!status, status);
    return CUDA_SUCCESS;
}

/* --- memory ----------------------------------------------------------------------------------- */

CUresult cuMemCreate(CUmemGenericAllocationHandle *handle, size_t size,
                     const CUmemAllocationProp *prop, unsigned long long flags)
{
    CU_READY_KNOWN();
    CU_CHECK(handle && !flags, CUDA_ERROR_INVALID_VALUE);
    CUresult status = check_properties(prop, __func__);
    if (status)
        return status;
    struct evc_call call = {.op = WIRE_HANDLE_CREATE,
                            .a = {size, (uint64_t)prop->requestedHandleTypes}};
    status = evc_call(&call);
    CU_CHECK(!status, status);
    *handle = call.v[0];
    return CUDA_SUCCESS;
}

CUresult cuMemRelease(CUmemGenericAllocationHandle handle)
{
    CU_READY_KNOWN();
    struct evc_call call = {.op = WIRE_HANDLE_RELEASE, .a = {handle}};
    CUresult status = evc_call(&call);
    CU_CHECK(!status, status);
    return CUDA_SUCCESS;
}

CUresult cuMemRetainAllocationHandle(CUmemGenericAllocationHandle *handle, void *addr)
{
    CU_READY_KNOWN();
    CU_CHECK(handle, CUDA_ERROR_INVALID_VALUE);
    struct evc_call call = {.op = WIRE_HANDLE_HOLD, .a = {0, (uintptr_t)addr}};
    CUresult status = evc_call(&call);
    CU_CHECK(!status, status);
    *handle = call.v[0];
    return CUDA_SUCCESS;
}

/* types: of handles that leave the process. */
static CUresult handle_info(CUmemGenericAllocationHandle handle, CUmemAllocationHandleType *types)
{
    struct evc_call call = {.op = WIRE_HANDLE_INFO, .a = {handle}};
    CUresult status = evc_call(&call);
    *types = (CUmemAllocationHandleType)call.v[1];
    return status;
}

CUresult cuMemGetAllocationPropertiesFromHandle(CUmemAllocationProp *prop,
                                                CUmemGenericAllocationHandle handle)
{
    CUmemAllocationHandleType types = CU_MEM_HANDLE_TYPE_NONE;
    CU_READY_KNOWN();
    CU_CHECK(prop, CUDA_ERROR_INVALID_VALUE);
    CUresult status = handle_info(handle, &types);
    CU_CHECK(!status, status);
    *prop = (CUmemAllocationProp){.type = CU_MEM_ALLOCATION_TYPE_PINNED,
                                  .requestedHandleTypes = types,
                                  .location = {CU_MEM_LOCATION_TYPE_DEVICE, 0}};
    return CUDA_SUCCESS;
}

/* --- mappings --------------------------------------------------------------------------------- */

CUresult cuMemMap(CUdeviceptr ptr, size_t size, size_t offset, CUmemGenericAllocationHandle handle,
                  unsigned long long flags)
{
    CU_READY_KNOWN();
    CU_CHECK(!flags, CUDA_ERROR_INVALID_VALUE);
    struct evc_call call = {.op = WIRE_MAP, .a = {ptr, size, offset, handle}};
    CUresult status = evc_call(&call);
    CU_CHECK(!status, status);
    if (evc_map_far(ptr, size, call.v[0]))
        return CUDA_SUCCESS;
    struct evc_call undo = {.op = WIRE_UNMAP, .a = {ptr, size}};
    evc_call(&undo);
    return evc_explain(CUDA_ERROR_OPERATING_SYSTEM,
                       "cuMemMap: the host refuses another mapping (%s); raise vm.max_map_count",
                       strerror(errno));
}

CUresult cuMemUnmap(CUdeviceptr ptr, size_t size)
{
    CU_READY_KNOWN();
    struct evc_call call = {.op = WIRE_UNMAP, .a = {ptr, size}};
    CUresult status = evc_call(&call);
    CU_CHECK(!status, status);
    evc_unmap_far(ptr, size);
    return CUDA_SUCCESS;
}

CUresult cuMemSetAccess(CUdeviceptr ptr, size_t size, const CUmemAccessDesc *desc, size_t count)
{
    CU_READY_KNOWN();
    CU_CHECK(desc && count, CUDA_ERROR_INVALID_VALUE);
    for (size_t i = 0; i < count; i++) {
        CUresult wrong = check_location(&desc[i].location, __func__);
        if (wrong)
            return wrong;
        if (desc[i].flags != CU_MEM_ACCESS_FLAGS_PROT_NONE &&
            desc[i].flags != CU_MEM_ACCESS_FLAGS_PROT_READWRITE)
            return evc_explain(CUDA_ERROR_NOT_SUPPORTED,
                               "cuMemSetAccess: flags %d: memory is mapped with "
                               "CU_MEM_ACCESS_FLAGS_PROT_READWRITE or _NONE",
                               (int)desc[i].flags);
    }
    bool open = desc[count - 1].flags == CU_MEM_ACCESS_FLAGS_PROT_READWRITE;
    struct evc_call call = {.op = WIRE_MAP_ACCESS, .a = {ptr, size, open}};
    CUresult status = evc_call(&call);
    CU_CHECK(!status, status);
    return CUDA_SUCCESS;
}

CUresult cuMemGetAccess(unsigned long long *flags, const CUmemLocation *location, CUdeviceptr ptr)
{
    struct evc_pointer info;
    CU_READY_KNOWN();
    CU_CHECK(flags && location, CUDA_ERROR_INVALID_VALUE);
    CUresult status = check_location(location, __func__);
    if (status)
        return status;
    status = evc_pointer((void *)(uintptr_t)ptr, &info);
    CU_CHECK(!status, status);
    CU_CHECK(info.kind == WIRE_MAPPED, CUDA_ERROR_INVALID_VALUE);
    *flags = info.flags ? CU_MEM_ACCESS_FLAGS_PROT_READWRITE : CU_MEM_ACCESS_FLAGS_PROT_NONE;
    return CUDA_SUCCESS;
}

/* --- other processes -------------------------------------------------------------------------- */

CUresult cuMemExportToShareableHandle(void *shareableHandle, CUmemGenericAllocationHandle handle,
                                      CUmemAllocationHandleType handleType,
                                      unsigned long long flags)
{
    CUmemAllocationHandleType types = CU_MEM_HANDLE_TYPE_NONE;
    CU_READY_KNOWN();
    CU_CHECK(shareableHandle && !flags, CUDA_ERROR_INVALID_VALUE);
    CU_CHECK(handleType, CUDA_ERROR_INVALID_VALUE);
    CUresult status = check_types(handleType, __func__);
    if (status)
        return status;
    status = handle_info(handle, &types);
    CU_CHECK(!status, status);
    CU_CHECK(types & CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR, CUDA_ERROR_INVALID_VALUE);
    struct evc_call hold = {.op = WIRE_HANDLE_HOLD, .a = {handle}};
    status = evc_call(&hold);
    CU_CHECK(!status, status);
    int file = evc_share(SHARED_MAGIC, handle);
    CU_CHECK(file >= 0, CUDA_ERROR_OPERATING_SYSTEM);
    memcpy(shareableHandle, &file, sizeof file);
    return CUDA_SUCCESS;
}

CUresult cuMemImportFromShareableHandle(CUmemGenericAllocationHandle *handle, void *osHandle,
                                        CUmemAllocationHandleType shHandleType)
{
    struct evc_shared shared = {.magic = SHARED_MAGIC};
    CU_READY_KNOWN();
    CU_CHECK(handle && shHandleType, CUDA_ERROR_INVALID_VALUE);
    CUresult status = check_types(shHandleType, __func__);
    if (status)
        return status;
    status = evc_shared((int)(intptr_t)osHandle, &shared, __func__, "cuMemExportToShareableHandle");
    if (status)
        return status;
    struct evc_call call = {.op = WIRE_HANDLE_HOLD, .a = {shared.what}};
    status = evc_call(&call);
    CU_CHECK(!status, status);
    *handle = call.v[0];
    return CUDA_SUCCESS;
}
