/* Memory and events of other processes; their pools are closed to each other. */
#include "sw/cuda/runtime/state.h"

#define NOT_HERE(name, ...)                                                                        \
    cudaError_t name(__VA_ARGS__)                                                                  \
    {                                                                                              \
        return rt_answer(CUDA_ERROR_NOT_SUPPORTED);                                                \
    }

#pragma GCC diagnostic ignored "-Wunused-parameter"
NOT_HERE(cudaMemPoolExportToShareableHandle, void *shareableHandle, cudaMemPool_t memPool,
         enum cudaMemAllocationHandleType handleType, unsigned int flags)
NOT_HERE(cudaMemPoolImportFromShareableHandle, cudaMemPool_t *memPool, void *shareableHandle,
         enum cudaMemAllocationHandleType handleType, unsigned int flags)
NOT_HERE(cudaMemPoolExportPointer, struct cudaMemPoolPtrExportData *exportData, void *ptr)
NOT_HERE(cudaMemPoolImportPointer, void **ptr, cudaMemPool_t memPool,
         struct cudaMemPoolPtrExportData *exportData)
#pragma GCC diagnostic warning "-Wunused-parameter"

_Static_assert(sizeof(cudaIpcMemHandle_t) == CU_IPC_HANDLE_SIZE, "of one shape");

cudaError_t cudaIpcGetEventHandle(cudaIpcEventHandle_t *handle, cudaEvent_t event)
{
    RT_CHECK(handle, cudaErrorInvalidValue);
    return rt_done(evc_ipc_event((CUevent)event, handle));
}

cudaError_t cudaIpcOpenEventHandle(cudaEvent_t *event, cudaIpcEventHandle_t handle)
{
    RT_CHECK(event, cudaErrorInvalidValue);
    return rt_done(evc_ipc_event_open(&handle, (CUevent *)event));
}

cudaError_t cudaIpcGetMemHandle(cudaIpcMemHandle_t *handle, void *devPtr)
{
    RT_CHECK(handle, cudaErrorInvalidValue);
    return rt_done(evc_ipc_memory((uintptr_t)devPtr, handle));
}

cudaError_t cudaIpcOpenMemHandle(void **devPtr, cudaIpcMemHandle_t handle, unsigned int flags)
{
    uint64_t address = 0;
    RT_CHECK(devPtr && flags == cudaIpcMemLazyEnablePeerAccess, cudaErrorInvalidValue);
    CUresult status = evc_ipc_memory_open(&handle, &address);
    if (!status)
        *devPtr = (void *)(uintptr_t)address;
    return rt_done(status);
}

cudaError_t cudaIpcCloseMemHandle(void *devPtr)
{
    return rt_done(evc_ipc_memory_close((uintptr_t)devPtr));
}
