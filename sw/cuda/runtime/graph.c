/* CUDA graphs of the runtime API. */
#include <stdlib.h>

#include "sw/cuda/runtime/graph.h"

/* --- capture -----------------------------------------------------------------------------------
 */

cudaError_t cudaStreamBeginCapture(cudaStream_t stream, enum cudaStreamCaptureMode mode)
{
    RT_CHECK((unsigned int)mode <= cudaStreamCaptureModeRelaxed, cudaErrorInvalidValue);
    return rt_done(evc_capture_begin(RT_STREAM(stream)));
}

cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t *pGraph)
{
    return rt_done(evc_capture_end(RT_STREAM(stream), pGraph));
}

cudaError_t cudaStreamIsCapturing(cudaStream_t stream, enum cudaStreamCaptureStatus *pCaptureStatus)
{
    RT_CHECK(pCaptureStatus, cudaErrorInvalidValue);
    *pCaptureStatus = evc_capturing(RT_STREAM(stream)) ? cudaStreamCaptureStatusActive
                                                       : cudaStreamCaptureStatusNone;
    return rt_done(CUDA_SUCCESS);
}

cudaError_t cudaStreamGetCaptureInfo_v2(cudaStream_t stream,
                                        enum cudaStreamCaptureStatus *captureStatus_out,
                                        unsigned long long *id_out, cudaGraph_t *graph_out,
                                        const cudaGraphNode_t **dependencies_out,
                                        size_t *numDependencies_out)
{
    RT_CHECK(captureStatus_out, cudaErrorInvalidValue);
    bool captures = evc_capture_info(RT_STREAM(stream), id_out, graph_out, dependencies_out,
                                     numDependencies_out);
    *captureStatus_out = captures ? cudaStreamCaptureStatusActive : cudaStreamCaptureStatusNone;
    return rt_done(CUDA_SUCCESS);
}

cudaError_t cudaStreamGetCaptureInfo(cudaStream_t stream,
                                     enum cudaStreamCaptureStatus *pCaptureStatus,
                                     unsigned long long *pId)
{
    return cudaStreamGetCaptureInfo_v2(stream, pCaptureStatus, pId, NULL, NULL, NULL);
}

cudaError_t cudaStreamUpdateCaptureDependencies(cudaStream_t stream, cudaGraphNode_t *dependencies,
                                                size_t numDependencies, unsigned int flags)
{
    RT_CHECK(flags <= cudaStreamSetCaptureDependencies && (dependencies || !numDependencies),
             cudaErrorInvalidValue);
    return rt_done(evc_capture_depend(RT_STREAM(stream), dependencies, numDependencies,
                                      flags == cudaStreamSetCaptureDependencies));
}

cudaError_t cudaThreadExchangeStreamCaptureMode(enum cudaStreamCaptureMode *mode)
{
    RT_CHECK(mode && (unsigned int)*mode <= cudaStreamCaptureModeRelaxed, cudaErrorInvalidValue);
    *mode = (enum cudaStreamCaptureMode)evc_capture_mode((CUstreamCaptureMode)*mode);
    return rt_done(CUDA_SUCCESS);
}

/* --- nodes -------------------------------------------------------------------------------------
 */

CUresult rt_kernel_command(const struct cudaKernelNodeParams *p, struct evc_command *command)
{
    CUDA_KERNEL_NODE_PARAMS kernel = {0};
    CUresult status = p ? rt_function(p->func, &kernel.func) : CUDA_ERROR_INVALID_VALUE;
    if (status)
        return status;
    kernel.gridDimX = p->gridDim.x;
    kernel.gridDimY = p->gridDim.y;
    kernel.gridDimZ = p->gridDim.z;
    kernel.blockDimX = p->blockDim.x;
    kernel.blockDimY = p->blockDim.y;
    kernel.blockDimZ = p->blockDim.z;
    kernel.sharedMemBytes = p->sharedMemBytes;
    kernel.kernelParams = p->kernelParams;
    kernel.extra = p->extra;
    return evc_kernel_command(&kernel, command);
}

/* Adds the node unless `status` says that there is none. */
static cudaError_t add(const char *call, CUresult status, cudaGraphNode_t *node, cudaGraph_t graph,
                       const cudaGraphNode_t *before, size_t n_before,
                       const struct evc_command *command)
{
    if (!status && (!node || !graph || (n_before && !before)))
        status = CUDA_ERROR_INVALID_VALUE;
    if (!status)
        status = evc_graph_add(graph, command, before, n_before, node);
    return rt_end(status, call, NULL, true);
}

cudaError_t cudaGraphAddKernelNode(cudaGraphNode_t *pGraphNode, cudaGraph_t graph,
                                   const cudaGraphNode_t *pDependencies, size_t numDependencies,
                                   const struct cudaKernelNodeParams *pNodeParams)
{
    struct evc_command command = {0};
    CUresult status = rt_kernel_command(pNodeParams, &command);
    cudaError_t error =
        add(__func__, status, pGraphNode, graph, pDependencies, numDependencies, &command);
    free(command.arguments);
    return error;
}

cudaError_t cudaGraphAddMemcpyNode(cudaGraphNode_t *pGraphNode, cudaGraph_t graph,
                                   const cudaGraphNode_t *pDependencies, size_t numDependencies,
                                   const struct cudaMemcpy3DParms *pCopyParams)
{
    struct evc_command command;
    CUresult status = rt_copy_command(pCopyParams, &command);
    return add(__func__, status, pGraphNode, graph, pDependencies, numDependencies, &command);
}

cudaError_t cudaGraphAddMemcpyNode1D(cudaGraphNode_t *pGraphNode, cudaGraph_t graph,
                                     const cudaGraphNode_t *pDependencies, size_t numDependencies,
                                     void *dst, const void *src, size_t count,
                                     enum cudaMemcpyKind kind)
{
    struct evc_command command;
    RT_CHECK((unsigned int)kind <= cudaMemcpyDefault, cudaErrorInvalidMemcpyDirection);
    CUresult status = rt_copy_1d_command(dst, src, count, kind, &command);
    return add(__func__, status, pGraphNode, graph, pDependencies, numDependencies, &command);
}

cudaError_t cudaGraphAddMemsetNode(cudaGraphNode_t *pGraphNode, cudaGraph_t graph,
                                   const cudaGraphNode_t *pDependencies, size_t numDependencies,
                                   const struct cudaMemsetParams *pMemsetParams)
{
    struct evc_command command = {0};
    CUresult status = rt_set_command(pMemsetParams, &command);
    return add(__func__, status, pGraphNode, graph, pDependencies, numDependencies, &command);
}

cudaError_t cudaGraphAddHostNode(cudaGraphNode_t *pGraphNode, cudaGraph_t graph,
                                 const cudaGraphNode_t *pDependencies, size_t numDependencies,
                                 const struct cudaHostNodeParams *pNodeParams)
{
    struct evc_command command = {0};
    CUresult status = rt_host_command(pNodeParams, &command);
    return add(__func__, status, pGraphNode, graph, pDependencies, numDependencies, &command);
}

cudaError_t cudaGraphAddEmptyNode(cudaGraphNode_t *pGraphNode, cudaGraph_t graph,
                                  const cudaGraphNode_t *pDependencies, size_t numDependencies)
{
    struct evc_command command = {.type = CU_GRAPH_NODE_TYPE_EMPTY};
    return add(__func__, CUDA_SUCCESS, pGraphNode, graph, pDependencies, numDependencies, &command);
}

cudaError_t cudaGraphAddChildGraphNode(cudaGraphNode_t *pGraphNode, cudaGraph_t graph,
                                       const cudaGraphNode_t *pDependencies, size_t numDependencies,
                                       cudaGraph_t childGraph)
{
    RT_CHECK(childGraph && childGraph != graph, cudaErrorInvalidValue);
    struct evc_command command = {.type = CU_GRAPH_NODE_TYPE_GRAPH, .child = childGraph};
    return add(__func__, CUDA_SUCCESS, pGraphNode, graph, pDependencies, numDependencies, &command);
}

cudaError_t cudaGraphAddDependencies(cudaGraph_t graph, const cudaGraphNode_t *from,
                                     const cudaGraphNode_t *to, size_t numDependencies)
{
    RT_CHECK(graph && (!numDependencies || (from && to)), cudaErrorInvalidValue);
    CUresult status = CUDA_SUCCESS;
    for (size_t i = 0; i < numDependencies && !status; i++)
        status = evc_graph_order(from[i], to[i]);
    return rt_done(status);
}

cudaError_t cudaGraphKernelNodeSetParams(cudaGraphNode_t node,
                                         const struct cudaKernelNodeParams *pNodeParams)
{
    struct evc_command command = {0};
    RT_CHECK(node, cudaErrorInvalidValue);
    CUresult status = rt_kernel_command(pNodeParams, &command);
    if (!status)
        status = evc_graph_set(node, &command);
    free(command.arguments);
    return rt_done(status);
}

cudaError_t cudaGraphNodeGetType(cudaGraphNode_t node, enum cudaGraphNodeType *pType)
{
    CUgraphNodeType type;
    RT_CHECK(node && pType, cudaErrorInvalidValue);
    CUresult status = evc_node_type(node, &type);
    *pType = (enum cudaGraphNodeType)type;
    return rt_done(status);
}

/* --- graphs ------------------------------------------------------------------------------------
 */

cudaError_t cudaGraphCreate(cudaGraph_t *pGraph, unsigned int flags)
{
    RT_CHECK(pGraph && !flags, cudaErrorInvalidValue);
    return rt_done(evc_graph_create(pGraph));
}

cudaError_t cudaGraphDestroy(cudaGraph_t graph)
{
    RT_CHECK(graph, cudaErrorInvalidValue);
    return rt_done(evc_graph_destroy(graph));
}

cudaError_t cudaGraphClone(cudaGraph_t *pGraphClone, cudaGraph_t originalGraph)
{
    RT_CHECK(pGraphClone && originalGraph, cudaErrorInvalidValue);
    return rt_done(evc_graph_clone(originalGraph, pGraphClone));
}

cudaError_t cudaGraphGetNodes(cudaGraph_t graph, cudaGraphNode_t *nodes, size_t *numNodes)
{
    RT_CHECK(graph && numNodes, cudaErrorInvalidValue);
    return rt_done(evc_graph_nodes(graph, false, nodes, numNodes));
}

cudaError_t cudaGraphGetRootNodes(cudaGraph_t graph, cudaGraphNode_t *pRootNodes,
                                  size_t *pNumRootNodes)
{
    RT_CHECK(graph && pNumRootNodes, cudaErrorInvalidValue);
    return rt_done(evc_graph_nodes(graph, true, pRootNodes, pNumRootNodes));
}

cudaError_t cudaGraphGetEdges(cudaGraph_t graph, cudaGraphNode_t *from, cudaGraphNode_t *to,
                              size_t *numEdges)
{
    RT_CHECK(graph && numEdges, cudaErrorInvalidValue);
    return rt_done(evc_graph_edges(graph, from, to, numEdges));
}

/* --- execution ---------------------------------------------------------------------------------
 */

cudaError_t cudaGraphInstantiateWithFlags(cudaGraphExec_t *pGraphExec, cudaGraph_t graph,
                                          unsigned long long flags)
{
    RT_CHECK(pGraphExec && graph && flags <= 1, cudaErrorInvalidValue);
    return rt_done(
        evc_exec_create(graph, flags == cudaGraphInstantiateFlagAutoFreeOnLaunch, pGraphExec));
}

cudaError_t cudaGraphInstantiate(cudaGraphExec_t *pGraphExec, cudaGraph_t graph,
                                 cudaGraphNode_t *pErrorNode, char *pLogBuffer, size_t bufferSize)
{
    if (pErrorNode)
        *pErrorNode = NULL;
    if (pLogBuffer && bufferSize)
        *pLogBuffer = 0;
    return cudaGraphInstantiateWithFlags(pGraphExec, graph, 0);
}

cudaError_t cudaGraphExecKernelNodeSetParams(cudaGraphExec_t hGraphExec, cudaGraphNode_t node,
                                             const struct cudaKernelNodeParams *pNodeParams)
{
    struct evc_command command = {0};
    RT_CHECK(hGraphExec && node, cudaErrorInvalidValue);
    CUresult status = rt_kernel_command(pNodeParams, &command);
    if (!status)
        status = evc_exec_set(hGraphExec, node, &command);
    free(command.arguments);
    return rt_done(status);
}

cudaError_t cudaGraphExecUpdate(cudaGraphExec_t hGraphExec, cudaGraph_t hGraph,
                                cudaGraphNode_t *hErrorNode_out,
                                enum cudaGraphExecUpdateResult *updateResult_out)
{
    cudaGraphNode_t node = NULL;
    bool type = false;
    RT_CHECK(hGraphExec && hGraph && updateResult_out, cudaErrorInvalidValue);
    CUresult status = evc_exec_update(hGraphExec, hGraph, &node, &type);
    if (hErrorNode_out)
        *hErrorNode_out = node;
    *updateResult_out = !status ? cudaGraphExecUpdateSuccess
                        : type  ? cudaGraphExecUpdateErrorNodeTypeChanged
                                : cudaGraphExecUpdateErrorTopologyChanged;
    return rt_done(status);
}

/* There is nothing to prepare. */
cudaError_t cudaGraphUpload(cudaGraphExec_t graphExec, cudaStream_t stream)
{
    RT_CHECK(graphExec, cudaErrorInvalidValue);
    return rt_done(evc_stream_info(RT_STREAM(stream), NULL, NULL));
}

cudaError_t cudaGraphLaunch(cudaGraphExec_t graphExec, cudaStream_t stream)
{
    RT_CHECK(graphExec, cudaErrorInvalidValue);
    return rt_done(evc_exec_launch(graphExec, RT_STREAM(stream)));
}

cudaError_t cudaGraphExecDestroy(cudaGraphExec_t graphExec)
{
    RT_CHECK(graphExec, cudaErrorInvalidValue);
    return rt_done(evc_exec_destroy(graphExec));
}
