/* Nodes of the runtime API's graphs after they were made: parameters, dependences, drawings. */
#include "sw/cuda/runtime/graph.h"

#include <string.h>

/* --- what a node does --------------------------------------------------------------------------
 */

_Static_assert(sizeof(struct cudaMemcpy3DParms) <= EVC_COPY_PARAMS, "a node keeps them");

CUresult rt_copy_command(const struct cudaMemcpy3DParms *p, struct evc_command *command)
{
    *command = (struct evc_command){.type = CU_GRAPH_NODE_TYPE_MEMCPY, .given = EVC_RUNTIME};
    if (p)
        memcpy(command->params, p, sizeof *p);
    return rt_copy_of(p, &command->copy);
}

CUresult rt_copy_1d_command(void *dst, const void *src, size_t count, enum cudaMemcpyKind kind,
                            struct evc_command *command)
{
    struct cudaMemcpy3DParms p = {
        .srcPtr = {(void *)(uintptr_t)src, count, count, 1},
        .dstPtr = {dst, count, count, 1},
        .extent = {count, 1, 1},
        .kind = kind,
    };
    CUresult status = rt_copy_command(&p, command);
    /* As a copy of bytes has it: without pitches, also from and to null where there are none. */
    command->copy = (struct evc_copy){
        .dst = (uintptr_t)dst, .src = (uintptr_t)src, .width = count, .height = 1, .depth = 1};
    return count ? status : CUDA_SUCCESS;
}

/* Of a captured copy, or one of the driver API: by addresses. */
static struct cudaMemcpy3DParms by_address(const struct evc_copy *c)
{
    size_t src_pitch = c->src_pitch ? c->src_pitch : c->width,
           dst_pitch = c->dst_pitch ? c->dst_pitch : c->width;
    return (struct cudaMemcpy3DParms){
        .srcPtr = {(void *)(uintptr_t)c->src, src_pitch, c->width,
                   c->src_slice ? c->src_slice / src_pitch : c->height},
        .dstPtr = {(void *)(uintptr_t)c->dst, dst_pitch, c->width,
                   c->dst_slice ? c->dst_slice / dst_pitch : c->height},
        .extent = {c->width, c->height, c->depth},
        .kind = cudaMemcpyDefault,
    };
}

cudaError_t cudaGraphMemcpyNodeGetParams(cudaGraphNode_t node,
                                         struct cudaMemcpy3DParms *pNodeParams)
{
    RT_CHECK(node && pNodeParams, cudaErrorInvalidValue);
    const struct evc_command *command = evc_node_command(node, CU_GRAPH_NODE_TYPE_MEMCPY);
    RT_CHECK(command, cudaErrorInvalidValue);
    if (command->given == EVC_RUNTIME)
        memcpy(pNodeParams, command->params, sizeof *pNodeParams);
    else
        *pNodeParams = by_address(&command->copy);
    return rt_done(CUDA_SUCCESS);
}

CUresult rt_set_command(const struct cudaMemsetParams *p, struct evc_command *command)
{
    if (!p)
        return CUDA_ERROR_INVALID_VALUE;
    CUDA_MEMSET_NODE_PARAMS set = {(uintptr_t)p->dst, p->pitch, p->value,
                                   p->elementSize,    p->width, p->height};
    return evc_set_command(&set, command);
}

CUresult rt_host_command(const struct cudaHostNodeParams *p, struct evc_command *command)
{
    return p ? evc_host_command(p->fn, p->userData, command) : CUDA_ERROR_INVALID_VALUE;
}

cudaError_t cudaGraphKernelNodeGetParams(cudaGraphNode_t node,
                                         struct cudaKernelNodeParams *pNodeParams)
{
    CUDA_KERNEL_NODE_PARAMS p;
    RT_CHECK(node && pNodeParams, cudaErrorInvalidValue);
    CUresult status = evc_node_kernel(node, &p);
    RT_CHECK(!status, status);
    const void *host = rt_function_host(p.func);
    RT_CHECK(host, cudaErrorInvalidDeviceFunction);
    *pNodeParams =
        (struct cudaKernelNodeParams){.func = (void *)(uintptr_t)host,
                                      .gridDim = {p.gridDimX, p.gridDimY, p.gridDimZ},
                                      .blockDim = {p.blockDimX, p.blockDimY, p.blockDimZ},
                                      .sharedMemBytes = p.sharedMemBytes,
                                      .kernelParams = p.kernelParams};
    return rt_done(CUDA_SUCCESS);
}

cudaError_t cudaGraphMemsetNodeGetParams(cudaGraphNode_t node, struct cudaMemsetParams *pNodeParams)
{
    CUDA_MEMSET_NODE_PARAMS p;
    RT_CHECK(node && pNodeParams, cudaErrorInvalidValue);
    CUresult status = evc_node_set_of(node, &p);
    RT_CHECK(!status, status);
    *pNodeParams = (struct cudaMemsetParams){
        (void *)(uintptr_t)p.dst, p.pitch, p.value, p.elementSize, p.width, p.height};
    return rt_done(CUDA_SUCCESS);
}

cudaError_t cudaGraphHostNodeGetParams(cudaGraphNode_t node, struct cudaHostNodeParams *pNodeParams)
{
    RT_CHECK(node && pNodeParams, cudaErrorInvalidValue);
    const struct evc_command *command = evc_node_command(node, CU_GRAPH_NODE_TYPE_HOST);
    RT_CHECK(command, cudaErrorInvalidValue);
    *pNodeParams = (struct cudaHostNodeParams){command->function, command->user};
    return rt_done(CUDA_SUCCESS);
}

cudaError_t cudaGraphChildGraphNodeGetGraph(cudaGraphNode_t node, cudaGraph_t *pGraph)
{
    RT_CHECK(node && pGraph, cudaErrorInvalidValue);
    const struct evc_command *command = evc_node_command(node, CU_GRAPH_NODE_TYPE_GRAPH);
    RT_CHECK(command, cudaErrorInvalidValue);
    *pGraph = command->child;
    return rt_done(CUDA_SUCCESS);
}

/* In the graph's node, or in that of an executable graph. */
static cudaError_t put(const char *call, CUresult status, cudaGraphExec_t exec,
                       cudaGraphNode_t node, const struct evc_command *command)
{
    if (!status && !node)
        status = CUDA_ERROR_INVALID_VALUE;
    if (!status)
        status = exec ? evc_exec_set(exec, node, command) : evc_graph_set(node, command);
    return rt_end(status, call, NULL, true);
}

cudaError_t cudaGraphMemcpyNodeSetParams(cudaGraphNode_t node,
                                         const struct cudaMemcpy3DParms *pNodeParams)
{
    struct evc_command command;
    CUresult status = rt_copy_command(pNodeParams, &command);
    return put(__func__, status, NULL, node, &command);
}

cudaError_t cudaGraphMemcpyNodeSetParams1D(cudaGraphNode_t node, void *dst, const void *src,
                                           size_t count, enum cudaMemcpyKind kind)
{
    struct evc_command command;
    RT_CHECK((unsigned int)kind <= cudaMemcpyDefault, cudaErrorInvalidMemcpyDirection);
    CUresult status = rt_copy_1d_command(dst, src, count, kind, &command);
    return put(__func__, status, NULL, node, &command);
}

cudaError_t cudaGraphMemsetNodeSetParams(cudaGraphNode_t node,
                                         const struct cudaMemsetParams *pNodeParams)
{
    struct evc_command command = {0};
    CUresult status = rt_set_command(pNodeParams, &command);
    return put(__func__, status, NULL, node, &command);
}

cudaError_t cudaGraphHostNodeSetParams(cudaGraphNode_t node,
                                       const struct cudaHostNodeParams *pNodeParams)
{
    struct evc_command command = {0};
    CUresult status = rt_host_command(pNodeParams, &command);
    return put(__func__, status, NULL, node, &command);
}

cudaError_t cudaGraphExecMemcpyNodeSetParams(cudaGraphExec_t hGraphExec, cudaGraphNode_t node,
                                             const struct cudaMemcpy3DParms *pNodeParams)
{
    struct evc_command command;
    RT_CHECK(hGraphExec, cudaErrorInvalidValue);
    CUresult status = rt_copy_command(pNodeParams, &command);
    return put(__func__, status, hGraphExec, node, &command);
}

cudaError_t cudaGraphExecMemcpyNodeSetParams1D(cudaGraphExec_t hGraphExec, cudaGraphNode_t node,
                                               void *dst, const void *src, size_t count,
                                               enum cudaMemcpyKind kind)
{
    struct evc_command command;
    RT_CHECK(hGraphExec, cudaErrorInvalidValue);
    RT_CHECK((unsigned int)kind <= cudaMemcpyDefault, cudaErrorInvalidMemcpyDirection);
    CUresult status = rt_copy_1d_command(dst, src, count, kind, &command);
    return put(__func__, status, hGraphExec, node, &command);
}

cudaError_t cudaGraphExecMemsetNodeSetParams(cudaGraphExec_t hGraphExec, cudaGraphNode_t node,
                                             const struct cudaMemsetParams *pNodeParams)
{
    struct evc_command command = {0};
    RT_CHECK(hGraphExec, cudaErrorInvalidValue);
    CUresult status = rt_set_command(pNodeParams, &command);
    return put(__func__, status, hGraphExec, node, &command);
}

cudaError_t cudaGraphExecHostNodeSetParams(cudaGraphExec_t hGraphExec, cudaGraphNode_t node,
                                           const struct cudaHostNodeParams *pNodeParams)
{
    struct evc_command command = {0};
    RT_CHECK(hGraphExec, cudaErrorInvalidValue);
    CUresult status = rt_host_command(pNodeParams, &command);
    return put(__func__, status, hGraphExec, node, &command);
}

cudaError_t cudaGraphExecChildGraphNodeSetParams(cudaGraphExec_t hGraphExec, cudaGraphNode_t node,
                                                 cudaGraph_t childGraph)
{
    struct evc_command command = {.type = CU_GRAPH_NODE_TYPE_GRAPH, .child = childGraph};
    RT_CHECK(hGraphExec && childGraph, cudaErrorInvalidValue);
    return put(__func__, CUDA_SUCCESS, hGraphExec, node, &command);
}

/* --- where a node stands -----------------------------------------------------------------------
 */

cudaError_t cudaGraphNodeGetDependencies(cudaGraphNode_t node, cudaGraphNode_t *pDependencies,
                                         size_t *pNumDependencies)
{
    RT_CHECK(node && pNumDependencies, cudaErrorInvalidValue);
    return rt_done(evc_node_neighbours(node, false, pDependencies, pNumDependencies));
}

cudaError_t cudaGraphNodeGetDependentNodes(cudaGraphNode_t node, cudaGraphNode_t *pDependentNodes,
                                           size_t *pNumDependentNodes)
{
    RT_CHECK(node && pNumDependentNodes, cudaErrorInvalidValue);
    return rt_done(evc_node_neighbours(node, true, pDependentNodes, pNumDependentNodes));
}

cudaError_t cudaGraphRemoveDependencies(cudaGraph_t graph, const cudaGraphNode_t *from,
                                        const cudaGraphNode_t *to, size_t numDependencies)
{
    CUresult status = CUDA_SUCCESS;
    RT_CHECK(graph && (!numDependencies || (from && to)), cudaErrorInvalidValue);
    for (size_t i = 0; i < numDependencies && !status; i++)
        status = evc_graph_unorder(from[i], to[i]);
    return rt_done(status);
}

cudaError_t cudaGraphDestroyNode(cudaGraphNode_t node)
{
    RT_CHECK(node, cudaErrorInvalidValue);
    return rt_done(evc_node_destroy(node));
}

cudaError_t cudaGraphNodeFindInClone(cudaGraphNode_t *pNode, cudaGraphNode_t originalNode,
                                     cudaGraph_t clonedGraph)
{
    RT_CHECK(pNode && originalNode && clonedGraph, cudaErrorInvalidValue);
    return rt_done(evc_node_in_clone(originalNode, clonedGraph, pNode));
}

cudaError_t cudaGraphDebugDotPrint(cudaGraph_t graph, const char *path, unsigned int flags)
{
    RT_CHECK(graph && path, cudaErrorInvalidValue);
    return rt_done(evc_graph_dot(
        graph, path, flags & (cudaGraphDebugDotFlagsVerbose | cudaGraphDebugDotFlagsHandles)));
}
