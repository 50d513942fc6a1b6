/* Memory and events of other processes. */
#include "sw/cuda/runtime/state.h"

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
