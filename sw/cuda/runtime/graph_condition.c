/* Conditional nodes of the runtime API's graphs, and nodes of any kind by one call. */
#include <stdlib.h>

#include "sw/cuda/runtime/graph.h"

cudaError_t cudaGraphConditionalHandleCreate(cudaGraphConditionalHandle *pHandle_out,
                                             cudaGraph_t graph, unsigned int defaultLaunchValue,
                                             unsigned int flags)
{
    uint64_t handle = 0;
    RT_CHECK(pHandle_out && graph && flags <= cudaGraphCondAssignDefault, cudaErrorInvalidValue);
    CUresult status = evc_condition_create(graph, defaultLaunchValue, flags != 0, &handle);
    *pHandle_out = handle;
    return rt_done(status);
}

static CUresult kernel_of(const struct cudaKernelNodeParamsV2 *p, struct evc_command *command)
{
    struct cudaKernelNodeParams kernel = {
        .func = p->func,
        .gridDim = {p->gridDim.x, p->gridDim.y, p->gridDim.z},
        .blockDim = {p->blockDim.x, p->blockDim.y, p->blockDim.z},
        .sharedMemBytes = p->sharedMemBytes,
        .kernelParams = p->kernelParams,
        .extra = p->extra,
    };
    return rt_kernel_command(&kernel, command);
}

static CUresult condition_of(const struct cudaConditionalNodeParams *p, struct evc_command *command)
{
    CUDA_CONDITIONAL_NODE_PARAMS condition = {
        .handle = p->handle, .type = (CUgraphConditionalNodeType)p->type, .size = p->size};
    return evc_condition_command(&condition, command);
}

/* One of a kernel has arguments to be freed. */
static CUresult command_of(const cudaGraphNodeParams *p, struct evc_command *command)
{
    switch (p->type) {
    case cudaGraphNodeTypeKernel:
        return kernel_of(&p->kernel, command);
    case cudaGraphNodeTypeMemcpy:
        return rt_copy_command(&p->memcpy.copyParams, command);
    case cudaGraphNodeTypeMemset:
        return rt_set_command(&p->memset, command);
    case cudaGraphNodeTypeHost:
        return rt_host_command(&p->host, command);
    case cudaGraphNodeTypeGraph:
        *command = (struct evc_command){.type = CU_GRAPH_NODE_TYPE_GRAPH, .child = p->graph.graph};
        return p->graph.graph ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
    case cudaGraphNodeTypeEmpty:
        *command = (struct evc_command){.type = CU_GRAPH_NODE_TYPE_EMPTY};
        return CUDA_SUCCESS;
    case cudaGraphNodeTypeConditional:
        return condition_of(&p->conditional, command);
    default:
        return evc_explain(CUDA_ERROR_NOT_SUPPORTED,
                           "cudaGraphAddNode: nodes of type %d have a call of their own, or none",
                           (int)p->type);
    }
}

cudaError_t cudaGraphAddNode(cudaGraphNode_t *pGraphNode, cudaGraph_t graph,
                             const cudaGraphNode_t *pDependencies, size_t numDependencies,
                             struct cudaGraphNodeParams *nodeParams)
{
    struct evc_command command = {0};
    RT_CHECK(pGraphNode && graph && (pDependencies || !numDependencies) && nodeParams,
             cudaErrorInvalidValue);
    CUresult status = command_of(nodeParams, &command);
    if (!status)
        status = evc_graph_add(graph, &command, pDependencies, numDependencies, pGraphNode);
    free(command.arguments);
    RT_CHECK(!status, status);
    if (nodeParams->type == cudaGraphNodeTypeConditional)
        nodeParams->conditional.phGraph_out =
            evc_node_command(*pGraphNode, CU_GRAPH_NODE_TYPE_CONDITIONAL)->bodies;
    return rt_done(CUDA_SUCCESS);
}

cudaError_t cudaStreamBeginCaptureToGraph(cudaStream_t stream, cudaGraph_t graph,
                                          const cudaGraphNode_t *dependencies,
                                          const cudaGraphEdgeData *dependencyData,
                                          size_t numDependencies, enum cudaStreamCaptureMode mode)
{
    (void)dependencyData;
    RT_CHECK(graph && (dependencies || !numDependencies) &&
                 (unsigned int)mode <= cudaStreamCaptureModeRelaxed,
             cudaErrorInvalidValue);
    return rt_done(evc_capture_into(RT_STREAM(stream), graph, dependencies, numDependencies));
}
