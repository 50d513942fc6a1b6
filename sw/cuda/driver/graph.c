/* CUDA graphs of the driver API. */
#include <stdlib.h>

#include "sw/cuda/client/graph.h"
#include "sw/cuda/driver/context.h"

/* --- capture ---------------------------------------------------------------------------------- */

CUresult cuStreamBeginCapture(CUstream hStream, CUstreamCaptureMode mode)
{
    CU_READY();
    CU_CHECK((unsigned int)mode <= CU_STREAM_CAPTURE_MODE_RELAXED, CUDA_ERROR_INVALID_VALUE);
    return evc_capture_begin(hStream);
}

CUresult cuStreamEndCapture(CUstream hStream, CUgraph *phGraph)
{
    CU_READY();
    return evc_capture_end(hStream, phGraph);
}

CUresult cuStreamIsCapturing(CUstream hStream, CUstreamCaptureStatus *captureStatus)
{
    CU_READY();
    CU_CHECK(captureStatus, CUDA_ERROR_INVALID_VALUE);
    *captureStatus =
        evc_capturing(hStream) ? CU_STREAM_CAPTURE_STATUS_ACTIVE : CU_STREAM_CAPTURE_STATUS_NONE;
    return CUDA_SUCCESS;
}

CUresult cuThreadExchangeStreamCaptureMode(CUstreamCaptureMode *mode)
{
    CU_CHECK(mode && (unsigned int)*mode <= CU_STREAM_CAPTURE_MODE_RELAXED,
             CUDA_ERROR_INVALID_VALUE);
    *mode = evc_capture_mode(*mode);
    return CUDA_SUCCESS;
}

CUresult cuStreamGetCaptureInfo_v2(CUstream hStream, CUstreamCaptureStatus *captureStatus_out,
                                   cuuint64_t *id_out, CUgraph *graph_out,
                                   const CUgraphNode **dependencies_out,
                                   size_t *numDependencies_out)
{
    unsigned long long id;
    CU_READY();
    CU_CHECK(captureStatus_out, CUDA_ERROR_INVALID_VALUE);
    bool captures =
        evc_capture_info(hStream, &id, graph_out, dependencies_out, numDependencies_out);
    *captureStatus_out = captures ? CU_STREAM_CAPTURE_STATUS_ACTIVE : CU_STREAM_CAPTURE_STATUS_NONE;
    if (id_out)
        *id_out = id;
    return CUDA_SUCCESS;
}

CUresult cuStreamGetCaptureInfo(CUstream hStream, CUstreamCaptureStatus *captureStatus_out,
                                cuuint64_t *id_out)
{
    return cuStreamGetCaptureInfo_v2(hStream, captureStatus_out, id_out, NULL, NULL, NULL);
}

CUresult cuStreamUpdateCaptureDependencies(CUstream hStream, CUgraphNode *dependencies,
                                           size_t numDependencies, unsigned int flags)
{
    CU_READY();
    CU_CHECK(flags <= CU_STREAM_SET_CAPTURE_DEPENDENCIES && (dependencies || !numDependencies),
             CUDA_ERROR_INVALID_VALUE);
    return evc_capture_depend(hStream, dependencies, numDependencies,
                              flags == CU_STREAM_SET_CAPTURE_DEPENDENCIES);
}

/* --- nodes ------------------------------------------------------------------------------------ */

static CUresult add(const char *call, CUgraphNode *node, CUgraph graph, const CUgraphNode *before,
                    size_t n_before, const struct evc_command *command)
{
    if (!node || !graph || (n_before && !before))
        return cu_refuse(CUDA_ERROR_INVALID_VALUE, call, NULL);
    return evc_graph_add(graph, command, before, n_before, node);
}

CUresult cuGraphAddKernelNode(CUgraphNode *phGraphNode, CUgraph hGraph,
                              const CUgraphNode *dependencies, size_t numDependencies,
                              const CUDA_KERNEL_NODE_PARAMS *nodeParams)
{
    struct evc_command command = {0};
    CU_READY();
    CUresult status = evc_kernel_command(nodeParams, &command);
    CU_CHECK(!status, status);
    status = add(__func__, phGraphNode, hGraph, dependencies, numDependencies, &command);
    free(command.arguments);
    return status;
}

CUresult cuGraphAddMemcpyNode(CUgraphNode *phGraphNode, CUgraph hGraph,
                              const CUgraphNode *dependencies, size_t numDependencies,
                              const CUDA_MEMCPY3D *copyParams, CUcontext ctx)
{
    struct evc_command command;
    CU_READY();
    CU_CHECK(cu_context_valid(ctx), CUDA_ERROR_INVALID_CONTEXT);
    CUresult status = cu_copy_command(copyParams, &command);
    CU_CHECK(!status, status);
    return add(__func__, phGraphNode, hGraph, dependencies, numDependencies, &command);
}

CUresult cuGraphAddMemsetNode(CUgraphNode *phGraphNode, CUgraph hGraph,
                              const CUgraphNode *dependencies, size_t numDependencies,
                              const CUDA_MEMSET_NODE_PARAMS *memsetParams, CUcontext ctx)
{
    struct evc_command command = {0};
    CU_READY();
    CU_CHECK(cu_context_valid(ctx), CUDA_ERROR_INVALID_CONTEXT);
    CUresult status = evc_set_command(memsetParams, &command);
    CU_CHECK(!status, status);
    return add(__func__, phGraphNode, hGraph, dependencies, numDependencies, &command);
}

CUresult cuGraphAddHostNode(CUgraphNode *phGraphNode, CUgraph hGraph,
                            const CUgraphNode *dependencies, size_t numDependencies,
                            const CUDA_HOST_NODE_PARAMS *nodeParams)
{
    struct evc_command command = {0};
    CU_READY();
    CU_CHECK(nodeParams, CUDA_ERROR_INVALID_VALUE);
    CUresult status = evc_host_command(nodeParams->fn, nodeParams->userData, &command);
    CU_CHECK(!status, status);
    return add(__func__, phGraphNode, hGraph, dependencies, numDependencies, &command);
}

CUresult cuGraphAddEmptyNode(CUgraphNode *phGraphNode, CUgraph hGraph,
                             const CUgraphNode *dependencies, size_t numDependencies)
{
    struct evc_command command = {.type = CU_GRAPH_NODE_TYPE_EMPTY};
    CU_READY();
    return add(__func__, phGraphNode, hGraph, dependencies, numDependencies, &command);
}

CUresult cuGraphAddChildGraphNode(CUgraphNode *phGraphNode, CUgraph hGraph,
                                  const CUgraphNode *dependencies, size_t numDependencies,
                                  CUgraph childGraph)
{
    CU_READY();
    CU_CHECK(childGraph && childGraph != hGraph, CUDA_ERROR_INVALID_VALUE);
    struct evc_command command = {.type = CU_GRAPH_NODE_TYPE_GRAPH, .child = childGraph};
    return add(__func__, phGraphNode, hGraph, dependencies, numDependencies, &command);
}

CUresult cuGraphAddDependencies(CUgraph hGraph, const CUgraphNode *from, const CUgraphNode *to,
                                size_t numDependencies)
{
    CUresult status = CUDA_SUCCESS;
    CU_READY();
    CU_CHECK(hGraph && (!numDependencies || (from && to)), CUDA_ERROR_INVALID_VALUE);
    for (size_t i = 0; i < numDependencies && !status; i++)
        status = evc_graph_order(from[i], to[i]);
    return status;
}

CUresult cuGraphKernelNodeSetParams(CUgraphNode hNode, const CUDA_KERNEL_NODE_PARAMS *nodeParams)
{
    struct evc_command command = {0};
    CU_READY();
    CU_CHECK(hNode, CUDA_ERROR_INVALID_VALUE);
    CUresult status = evc_kernel_command(nodeParams, &command);
    CU_CHECK(!status, status);
    status = evc_graph_set(hNode, &command);
    free(command.arguments);
    return status;
}

CUresult cuGraphNodeGetType(CUgraphNode hNode, CUgraphNodeType *type)
{
    CU_READY();
    CU_CHECK(hNode && type, CUDA_ERROR_INVALID_VALUE);
    return evc_node_type(hNode, type);
}

/* --- graphs ----------------------------------------------------------------------------------- */

CUresult cuGraphCreate(CUgraph *phGraph, unsigned int flags)
{
    CU_READY();
    CU_CHECK(phGraph && !flags, CUDA_ERROR_INVALID_VALUE);
    return evc_graph_create(phGraph);
}

CUresult cuGraphDestroy(CUgraph hGraph)
{
    CU_READY();
    CU_CHECK(hGraph, CUDA_ERROR_INVALID_VALUE);
    return evc_graph_destroy(hGraph);
}

CUresult cuGraphClone(CUgraph *phGraphClone, CUgraph originalGraph)
{
    CU_READY();
    CU_CHECK(phGraphClone && originalGraph, CUDA_ERROR_INVALID_VALUE);
    return evc_graph_clone(originalGraph, phGraphClone);
}

CUresult cuGraphGetNodes(CUgraph hGraph, CUgraphNode *nodes, size_t *numNodes)
{
    CU_READY();
    CU_CHECK(hGraph && numNodes, CUDA_ERROR_INVALID_VALUE);
    return evc_graph_nodes(hGraph, false, nodes, numNodes);
}

CUresult cuGraphGetRootNodes(CUgraph hGraph, CUgraphNode *rootNodes, size_t *numRootNodes)
{
    CU_READY();
    CU_CHECK(hGraph && numRootNodes, CUDA_ERROR_INVALID_VALUE);
    return evc_graph_nodes(hGraph, true, rootNodes, numRootNodes);
}

CUresult cuGraphGetEdges(CUgraph hGraph, CUgraphNode *from, CUgraphNode *to, size_t *numEdges)
{
    CU_READY();
    CU_CHECK(hGraph && numEdges, CUDA_ERROR_INVALID_VALUE);
    return evc_graph_edges(hGraph, from, to, numEdges);
}

/* --- execution -------------------------------------------------------------------------------- */

CUresult cuGraphInstantiateWithFlags(CUgraphExec *phGraphExec, CUgraph hGraph,
                                     unsigned long long flags)
{
    CU_READY();
    CU_CHECK(phGraphExec && hGraph && flags <= CUDA_GRAPH_INSTANTIATE_FLAG_AUTO_FREE_ON_LAUNCH,
             CUDA_ERROR_INVALID_VALUE);
    return evc_exec_create(hGraph, flags != 0, phGraphExec);
}

CUresult cuGraphInstantiate(CUgraphExec *phGraphExec, CUgraph hGraph, CUgraphNode *phErrorNode,
                            char *logBuffer, size_t bufferSize)
{
    if (phErrorNode)
        *phErrorNode = NULL;
    if (logBuffer && bufferSize)
        *logBuffer = 0;
    return cuGraphInstantiateWithFlags(phGraphExec, hGraph, 0);
}

CUresult cuGraphExecKernelNodeSetParams(CUgraphExec hGraphExec, CUgraphNode hNode,
                                        const CUDA_KERNEL_NODE_PARAMS *nodeParams)
{
    struct evc_command command = {0};
    CU_READY();
    CU_CHECK(hGraphExec && hNode, CUDA_ERROR_INVALID_VALUE);
    CUresult status = evc_kernel_command(nodeParams, &command);
    CU_CHECK(!status, status);
    status = evc_exec_set(hGraphExec, hNode, &command);
    free(command.arguments);
    return status;
}

CUresult cuGraphExecUpdate(CUgraphExec hGraphExec, CUgraph hGraph, CUgraphNode *hErrorNode_out,
                           CUgraphExecUpdateResult *updateResult_out)
{
    CUgraphNode node = NULL;
    bool type = false;
    CU_READY();
    CU_CHECK(hGraphExec && hGraph && updateResult_out, CUDA_ERROR_INVALID_VALUE);
    CUresult status = evc_exec_update(hGraphExec, hGraph, &node, &type);
    if (hErrorNode_out)
        *hErrorNode_out = node;
    *updateResult_out = !status ? CU_GRAPH_EXEC_UPDATE_SUCCESS
                        : type  ? CU_GRAPH_EXEC_UPDATE_ERROR_NODE_TYPE_CHANGED
                                : CU_GRAPH_EXEC_UPDATE_ERROR_TOPOLOGY_CHANGED;
    return status;
}

/* There is nothing to prepare. */
CUresult cuGraphUpload(CUgraphExec hGraphExec, CUstream hStream)
{
    CU_READY();
    CU_CHECK(hGraphExec, CUDA_ERROR_INVALID_VALUE);
    return evc_stream_info(hStream, NULL, NULL);
}

CUresult cuGraphLaunch(CUgraphExec hGraphExec, CUstream hStream)
{
    CU_READY();
    CU_CHECK(hGraphExec, CUDA_ERROR_INVALID_VALUE);
    return evc_exec_launch(hGraphExec, hStream);
}

CUresult cuGraphExecDestroy(CUgraphExec hGraphExec)
{
    CU_READY();
    CU_CHECK(hGraphExec, CUDA_ERROR_INVALID_VALUE);
    return evc_exec_destroy(hGraphExec);
}
