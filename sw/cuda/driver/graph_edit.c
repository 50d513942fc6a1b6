/* Nodes of the driver API's graphs after they were made: parameters, dependences, drawings. */
#include <string.h>

#include "sw/cuda/client/graph.h"
#include "sw/cuda/driver/context.h"

/* --- what a node does ------------------------------------------------------------------------- */

CUresult cuGraphKernelNodeGetParams(CUgraphNode hNode, CUDA_KERNEL_NODE_PARAMS *nodeParams)
{
    CU_READY();
    CU_CHECK(hNode && nodeParams, CUDA_ERROR_INVALID_VALUE);
    return evc_node_kernel(hNode, nodeParams);
}

CUresult cuGraphMemsetNodeGetParams(CUgraphNode hNode, CUDA_MEMSET_NODE_PARAMS *nodeParams)
{
    CU_READY();
    CU_CHECK(hNode && nodeParams, CUDA_ERROR_INVALID_VALUE);
    return evc_node_set_of(hNode, nodeParams);
}

CUresult cuGraphHostNodeGetParams(CUgraphNode hNode, CUDA_HOST_NODE_PARAMS *nodeParams)
{
    CU_READY();
    CU_CHECK(hNode && nodeParams, CUDA_ERROR_INVALID_VALUE);
    const struct evc_command *command = evc_node_command(hNode, CU_GRAPH_NODE_TYPE_HOST);
    CU_CHECK(command, CUDA_ERROR_INVALID_VALUE);
    *nodeParams = (CUDA_HOST_NODE_PARAMS){command->function, command->user};
    return CUDA_SUCCESS;
}

CUresult cuGraphChildGraphNodeGetGraph(CUgraphNode hNode, CUgraph *phGraph)
{
    CU_READY();
    CU_CHECK(hNode && phGraph, CUDA_ERROR_INVALID_VALUE);
    const struct evc_command *command = evc_node_command(hNode, CU_GRAPH_NODE_TYPE_GRAPH);
    CU_CHECK(command, CUDA_ERROR_INVALID_VALUE);
    *phGraph = command->child;
    return CUDA_SUCCESS;
}

static CUresult host_command(const CUDA_HOST_NODE_PARAMS *p, struct evc_command *command)
{
    return p ? evc_host_command(p->fn, p->userData, command) : CUDA_ERROR_INVALID_VALUE;
}

/* In the graph's node, or in that of an executable graph. */
static CUresult put(const char *call, CUgraphExec exec, CUgraphNode node,
                    const struct evc_command *command)
{
    if (!node)
        return cu_refuse(CUDA_ERROR_INVALID_VALUE, call, "hNode");
    CUresult status = exec ? evc_exec_set(exec, node, command) : evc_graph_set(node, command);
    return status ? cu_refuse(status, call, NULL) : status;
}

CUresult cu_copy_command(const CUDA_MEMCPY3D *p, struct evc_command *command)
{
    *command = (struct evc_command){.type = CU_GRAPH_NODE_TYPE_MEMCPY, .given = EVC_DRIVER};
    if (p)
        memcpy(command->params, p, sizeof *p);
    return cu_copy_of(p, &command->copy);
}

/* Of a captured copy, or one of the runtime API: by addresses. */
static CUDA_MEMCPY3D by_address(const struct evc_copy *c)
{
    size_t src_pitch = c->src_pitch ? c->src_pitch : c->width,
           dst_pitch = c->dst_pitch ? c->dst_pitch : c->width;
    return (CUDA_MEMCPY3D){.srcMemoryType = CU_MEMORYTYPE_UNIFIED,
                           .srcDevice = c->src,
                           .srcPitch = src_pitch,
                           .srcHeight = c->src_slice ? c->src_slice / src_pitch : c->height,
                           .dstMemoryType = CU_MEMORYTYPE_UNIFIED,
                           .dstDevice = c->dst,
                           .dstPitch = dst_pitch,
                           .dstHeight = c->dst_slice ? c->dst_slice / dst_pitch : c->height,
                           .WidthInBytes = c->width,
                           .Height = c->height,
                           .Depth = c->depth};
}

CUresult cuGraphMemcpyNodeGetParams(CUgraphNode hNode, CUDA_MEMCPY3D *nodeParams)
{
    CU_READY();
    CU_CHECK(hNode && nodeParams, CUDA_ERROR_INVALID_VALUE);
    const struct evc_command *command = evc_node_command(hNode, CU_GRAPH_NODE_TYPE_MEMCPY);
    CU_CHECK(command, CUDA_ERROR_INVALID_VALUE);
    if (command->given == EVC_DRIVER)
        memcpy(nodeParams, command->params, sizeof *nodeParams);
    else
        *nodeParams = by_address(&command->copy);
    return CUDA_SUCCESS;
}

CUresult cuGraphMemcpyNodeSetParams(CUgraphNode hNode, const CUDA_MEMCPY3D *nodeParams)
{
    struct evc_command command;
    CU_READY();
    CUresult status = cu_copy_command(nodeParams, &command);
    CU_CHECK(!status, status);
    return put(__func__, NULL, hNode, &command);
}

CUresult cuGraphMemsetNodeSetParams(CUgraphNode hNode, const CUDA_MEMSET_NODE_PARAMS *nodeParams)
{
    struct evc_command command = {0};
    CU_READY();
    CUresult status = evc_set_command(nodeParams, &command);
    CU_CHECK(!status, status);
    return put(__func__, NULL, hNode, &command);
}

CUresult cuGraphHostNodeSetParams(CUgraphNode hNode, const CUDA_HOST_NODE_PARAMS *nodeParams)
{
    struct evc_command command = {0};
    CU_READY();
    CUresult status = host_command(nodeParams, &command);
    CU_CHECK(!status, status);
    return put(__func__, NULL, hNode, &command);
}

CUresult cuGraphExecMemcpyNodeSetParams(CUgraphExec hGraphExec, CUgraphNode hNode,
                                        const CUDA_MEMCPY3D *copyParams, CUcontext ctx)
{
    struct evc_command command;
    CU_READY();
    CU_CHECK(hGraphExec, CUDA_ERROR_INVALID_VALUE);
    CU_CHECK(cu_context_valid(ctx), CUDA_ERROR_INVALID_CONTEXT);
    CUresult status = cu_copy_command(copyParams, &command);
    CU_CHECK(!status, status);
    return put(__func__, hGraphExec, hNode, &command);
}

CUresult cuGraphExecMemsetNodeSetParams(CUgraphExec hGraphExec, CUgraphNode hNode,
                                        const CUDA_MEMSET_NODE_PARAMS *memsetParams, CUcontext ctx)
{
    struct evc_command command = {0};
    CU_READY();
    CU_CHECK(hGraphExec, CUDA_ERROR_INVALID_VALUE);
    CU_CHECK(cu_context_valid(ctx), CUDA_ERROR_INVALID_CONTEXT);
    CUresult status = evc_set_command(memsetParams, &command);
    CU_CHECK(!status, status);
    return put(__func__, hGraphExec, hNode, &command);
}

CUresult cuGraphExecHostNodeSetParams(CUgraphExec hGraphExec, CUgraphNode hNode,
                                      const CUDA_HOST_NODE_PARAMS *nodeParams)
{
    struct evc_command command = {0};
    CU_READY();
    CU_CHECK(hGraphExec, CUDA_ERROR_INVALID_VALUE);
    CUresult status = host_command(nodeParams, &command);
    CU_CHECK(!status, status);
    return put(__func__, hGraphExec, hNode, &command);
}

CUresult cuGraphExecChildGraphNodeSetParams(CUgraphExec hGraphExec, CUgraphNode hNode,
                                            CUgraph childGraph)
{
    struct evc_command command = {.type = CU_GRAPH_NODE_TYPE_GRAPH, .child = childGraph};
    CU_READY();
    CU_CHECK(hGraphExec && childGraph, CUDA_ERROR_INVALID_VALUE);
    return put(__func__, hGraphExec, hNode, &command);
}

/* --- where a node stands ---------------------------------------------------------------------- */

CUresult cuGraphNodeGetDependencies(CUgraphNode hNode, CUgraphNode *dependencies,
                                    size_t *numDependencies)
{
    CU_READY();
    CU_CHECK(hNode && numDependencies, CUDA_ERROR_INVALID_VALUE);
    return evc_node_neighbours(hNode, false, dependencies, numDependencies);
}

CUresult cuGraphNodeGetDependentNodes(CUgraphNode hNode, CUgraphNode *dependentNodes,
                                      size_t *numDependentNodes)
{
    CU_READY();
    CU_CHECK(hNode && numDependentNodes, CUDA_ERROR_INVALID_VALUE);
    return evc_node_neighbours(hNode, true, dependentNodes, numDependentNodes);
}

CUresult cuGraphRemoveDependencies(CUgraph hGraph, const CUgraphNode *from, const CUgraphNode *to,
                                   size_t numDependencies)
{
    CUresult status = CUDA_SUCCESS;
    CU_READY();
    CU_CHECK(hGraph && (!numDependencies || (from && to)), CUDA_ERROR_INVALID_VALUE);
    for (size_t i = 0; i < numDependencies && !status; i++)
        status = evc_graph_unorder(from[i], to[i]);
    return status;
}

CUresult cuGraphDestroyNode(CUgraphNode hNode)
{
    CU_READY();
    CU_CHECK(hNode, CUDA_ERROR_INVALID_VALUE);
    return evc_node_destroy(hNode);
}

CUresult cuGraphNodeFindInClone(CUgraphNode *phNode, CUgraphNode hOriginalNode,
                                CUgraph hClonedGraph)
{
    CU_READY();
    CU_CHECK(phNode && hOriginalNode && hClonedGraph, CUDA_ERROR_INVALID_VALUE);
    return evc_node_in_clone(hOriginalNode, hClonedGraph, phNode);
}

CUresult cuGraphDebugDotPrint(CUgraph hGraph, const char *path, unsigned int flags)
{
    CU_READY();
    CU_CHECK(hGraph && path, CUDA_ERROR_INVALID_VALUE);
    return evc_graph_dot(hGraph, path,
                         flags &
                             (CU_GRAPH_DEBUG_DOT_FLAGS_VERBOSE | CU_GRAPH_DEBUG_DOT_FLAGS_HANDLES));
}
