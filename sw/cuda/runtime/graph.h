/* Commands of the runtime API's parameters, for nodes that are made and for nodes that change. */
#ifndef EVGPU_CUDA_RUNTIME_GRAPH_H
#define EVGPU_CUDA_RUNTIME_GRAPH_H

#include "sw/cuda/client/graph.h"
#include "sw/cuda/runtime/state.h"

/* With arguments to be freed. */
CUresult rt_kernel_command(const struct cudaKernelNodeParams *p, struct evc_command *command);
CUresult rt_copy_command(const struct cudaMemcpy3DParms *p, struct evc_command *command);
/* Bytes in a row. */
CUresult rt_copy_1d_command(void *dst, const void *src, size_t count, enum cudaMemcpyKind kind,
                            struct evc_command *command);
CUresult rt_set_command(const struct cudaMemsetParams *p, struct evc_command *command);
CUresult rt_host_command(const struct cudaHostNodeParams *p, struct evc_command *command);

#endif
