/* Full/empty bits in the driver API; included by cuda.h. The same as cuda_runtime_full_empty.h,
 * which says what the calls do, under the driver API's names. */
#ifndef EVGPU_CUDA_FULL_EMPTY_H
#define EVGPU_CUDA_FULL_EMPTY_H

#include "cuda.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum CUmemcpyTrigger_enum {
    CU_MEMCPY_TRIGGER_NONE = 0,
    CU_MEMCPY_TRIGGER_FILLED = 1,
    CU_MEMCPY_TRIGGER_EMPTIED = 2
} CUmemcpyTrigger;

typedef enum CUmemcpyAction_enum {
    CU_MEMCPY_ACTION_NONE = 0,
    CU_MEMCPY_ACTION_FILL = 1,
    CU_MEMCPY_ACTION_EMPTY = 2
} CUmemcpyAction;

CUresult cuMemAllocFullEmpty(CUdeviceptr *dptr, size_t bytesize); /* given back by cuMemFree */
CUresult cuMemGetInfoFullEmpty(size_t *free, size_t *total);

CUresult cuMemcpyHtoDAsyncFullEmpty(CUdeviceptr dstDevice, const void *srcHost, size_t ByteCount,
                                    CUstream hStream, CUmemcpyTrigger trigger,
                                    CUmemcpyAction action);
CUresult cuMemcpyDtoHAsyncFullEmpty(void *dstHost, CUdeviceptr srcDevice, size_t ByteCount,
                                    CUstream hStream, CUmemcpyTrigger trigger,
                                    CUmemcpyAction action);

CUresult cuMemMarkFullAsync(CUdeviceptr dptr, size_t ByteCount, CUstream hStream);
CUresult cuMemMarkEmptyAsync(CUdeviceptr dptr, size_t ByteCount, CUstream hStream);

CUresult cuMemOverrideFullEmpty(CUdeviceptr dptr, size_t ByteCount, CUmemcpyAction action);
CUresult cuMemReleaseFullEmpty(void);
CUresult cuMemSetFullEmptyTimeout(unsigned long long nanoseconds);

#ifdef __cplusplus
}
#endif

#endif
