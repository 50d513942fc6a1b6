/* Memory, events and pools of other processes: they are closed to each other. */
#include "sw/cuda/runtime/state.h"

#define NOT_HERE(name, ...)                                                                        \
    cudaError_t name(__VA_ARGS__)                                                                  \
    {                                                                                              \
        return rt_answer(CUDA_ERROR_NOT_SUPPORTED);                                                \
    }

#pragma GCC diagnostic ignored "-Wunused-parameter"
NOT_HERE(cudaIpcGetEventHandle, cudaIpcEventHandle_t *handle, cudaEvent_t event)
NOT_HERE(cudaIpcOpenEventHandle, cudaEvent_t *event, cudaIpcEventHandle_t handle)
NOT_HERE(cudaIpcGetMemHandle, cudaIpcMemHandle_t *handle, void *devPtr)
NOT_HERE(cudaIpcOpenMemHandle, void **devPtr, cudaIpcMemHandle_t handle, unsigned int flags)
NOT_HERE(cudaIpcCloseMemHandle, void *devPtr)
NOT_HERE(cudaMemPoolExportToShareableHandle, void *shareableHandle, cudaMemPool_t memPool,
         enum cudaMemAllocationHandleType handleType, unsigned int flags)
NOT_HERE(cudaMemPoolImportFromShareableHandle, cudaMemPool_t *memPool, void *shareableHandle,
         enum cudaMemAllocationHandleType handleType, unsigned int flags)
NOT_HERE(cudaMemPoolExportPointer, struct cudaMemPoolPtrExportData *exportData, void *ptr)
NOT_HERE(cudaMemPoolImportPointer, void **ptr, cudaMemPool_t memPool,
         struct cudaMemPoolPtrExportData *exportData)
