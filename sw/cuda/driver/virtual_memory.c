/* Address ranges and memory by handle: an allocation's address and memory are one thing here. */
#include "sw/cuda/driver/context.h"

#pragma GCC diagnostic ignored "-Wunused-parameter"
CU_NOT_HERE(cuMemAddressReserve, CUdeviceptr *ptr, size_t size, size_t alignment, CUdeviceptr addr,
            unsigned long long flags)
CU_NOT_HERE(cuMemAddressFree, CUdeviceptr ptr, size_t size)
CU_NOT_HERE(cuMemCreate, CUmemGenericAllocationHandle *handle, size_t size,
            const CUmemAllocationProp *prop, unsigned long long flags)
CU_NOT_HERE(cuMemRelease, CUmemGenericAllocationHandle handle)
CU_NOT_HERE(cuMemMap, CUdeviceptr ptr, size_t size, size_t offset,
            CUmemGenericAllocationHandle handle, unsigned long long flags)
CU_NOT_HERE(cuMemUnmap, CUdeviceptr ptr, size_t size)
CU_NOT_HERE(cuMemSetAccess, CUdeviceptr ptr, size_t size, const CUmemAccessDesc *desc, size_t count)
CU_NOT_HERE(cuMemGetAccess, unsigned long long *flags, const CUmemLocation *location,
            CUdeviceptr ptr)
CU_NOT_HERE(cuMemGetAllocationGranularity, size_t *granularity, const CUmemAllocationProp *prop,
            CUmemAllocationGranularity_flags option)
CU_NOT_HERE(cuMemGetAllocationPropertiesFromHandle, CUmemAllocationProp *prop,
            CUmemGenericAllocationHandle handle)
CU_NOT_HERE(cuMemRetainAllocationHandle, CUmemGenericAllocationHandle *handle, void *addr)
CU_NOT_HERE(cuMemExportToShareableHandle, void *shareableHandle,
            CUmemGenericAllocationHandle handle, CUmemAllocationHandleType handleType,
            unsigned long long flags)
CU_NOT_HERE(cuMemImportFromShareableHandle, CUmemGenericAllocationHandle *handle, void *osHandle,
            CUmemAllocationHandleType shHandleType)
