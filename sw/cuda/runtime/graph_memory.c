/* Memory that nodes of graphs allocate and free. */
#include "sw/cuda/client/graph.h"
#include "sw/cuda/runtime/state.h"

static cudaError_t add(const char *call, cudaGraphNode_t *node, cudaGraph_t graph,
                       const cudaGraphNode_t *before, size_t n_before,
                       const struct evc_command *command)
{
    CUresult status = node && graph && (!n_before || before)
                          ? evc_graph_add(graph, command, before, n_before, node)
                          : CUDA_ERROR_INVALID_VALUE;
    if (command->type == CU_GRAPH_NODE_TYPE_MEM_ALLOC && status)
        evc_graph_memory_drop(command->address);
    return rt_end(status, call, NULL, true);
}

cudaError_t cudaGraphAddMemAllocNode(cudaGraphNode_t *pGraphNode, cudaGraph_t graph,
                                     const cudaGraphNode_t *pDependencies, size_t numDependencies,
                                     struct cudaMemAllocNodeParams *nodeParams)
{
    struct evc_command command = {.type = CU_GRAPH_NODE_TYPE_MEM_ALLOC};
    RT_CHECK(nodeParams && nodeParams->bytesize, cudaErrorInvalidValue);
    RT_CHECK(nodeParams->poolProps.allocType == cudaMemAllocationTypePinned &&
                 nodeParams->poolProps.location.type == cudaMemLocationTypeDevice &&
                 !nodeParams->poolProps.location.id,
             cudaErrorInvalidValue);
    command.bytes = nodeParams->bytesize;
    CUresult status = evc_graph_memory_make(command.bytes, &command.address);
    RT_CHECK(!status, status);
    nodeParams->dptr = (void *)(uintptr_t)command.address;
    return add(__func__, pGraphNode, graph, pDependencies, numDependencies, &command);
}

cudaError_t cudaGraphAddMemFreeNode(cudaGraphNode_t *pGraphNode, cudaGraph_t graph,
                                    const cudaGraphNode_t *pDependencies, size_t numDependencies,
                                    void *dptr)
{
    struct evc_command command = {.type = CU_GRAPH_NODE_TYPE_MEM_FREE, .address = (uintptr_t)dptr};
    RT_CHECK(dptr, cudaErrorInvalidValue);
    return add(__func__, pGraphNode, graph, pDependencies, numDependencies, &command);
}

cudaError_t cudaGraphMemAllocNodeGetParams(cudaGraphNode_t node,
                                           struct cudaMemAllocNodeParams *params_out)
{
    RT_CHECK(node && params_out, cudaErrorInvalidValue);
    const struct evc_command *command = evc_node_command(node, CU_GRAPH_NODE_TYPE_MEM_ALLOC);
    RT_CHECK(command, cudaErrorInvalidValue);
    *params_out = (struct cudaMemAllocNodeParams){
        .poolProps = {.allocType = cudaMemAllocationTypePinned,
                      .location = {.type = cudaMemLocationTypeDevice}},
        .bytesize = command->bytes,
        .dptr = (void *)(uintptr_t)command->address};
    return rt_done(CUDA_SUCCESS);
}

cudaError_t cudaGraphMemFreeNodeGetParams(cudaGraphNode_t node, void *dptr_out)
{
    RT_CHECK(node && dptr_out, cudaErrorInvalidValue);
    const struct evc_command *command = evc_node_command(node, CU_GRAPH_NODE_TYPE_MEM_FREE);
    RT_CHECK(command, cudaErrorInvalidValue);
    *(void **)dptr_out = (void *)(uintptr_t)command->address;
    return rt_done(CUDA_SUCCESS);
}

cudaError_t cudaDeviceGraphMemTrim(int device)
{
    RT_CHECK(!device, cudaErrorInvalidDevice);
    return rt_done(CUDA_SUCCESS);
}

cudaError_t cudaDeviceGetGraphMemAttribute(int device, enum cudaGraphMemAttributeType attr,
                                           void *value)
{
    const struct evc_graph_bytes bytes = evc_graph_memory_bytes();
    const uint64_t values[] = {bytes.used, bytes.most_used, bytes.reserved, bytes.most_reserved};
    RT_CHECK(!device, cudaErrorInvalidDevice);
    RT_CHECK(value && (unsigned int)attr <= cudaGraphMemAttrReservedMemHigh, cudaErrorInvalidValue);
    *(uint64_t *)value = values[attr];
    return rt_done(CUDA_SUCCESS);
}

cudaError_t cudaDeviceSetGraphMemAttribute(int device, enum cudaGraphMemAttributeType attr,
                                           void *value)
{
    bool used = attr == cudaGraphMemAttrUsedMemHigh,
         reserved = attr == cudaGraphMemAttrReservedMemHigh;
    RT_CHECK(!device, cudaErrorInvalidDevice);
    RT_CHECK(value && !*(uint64_t *)value && (used || reserved), cudaErrorInvalidValue);
    evc_graph_memory_reset(used, reserved);
    return rt_done(CUDA_SUCCESS);
}
