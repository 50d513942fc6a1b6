/* Conditional nodes of the driver API's graphs, and nodes of any kind by one call. */
#include <stdlib.h>

#include "sw/cuda/client/graph.h"
#include "sw/cuda/driver/context.h"

CUresult cuGraphConditionalHandleCreate(CUgraphConditionalHandle *pHandle_out, CUgraph hGraph,
                                        CUcontext ctx, unsigned int defaultLaunchValue,
                                        unsigned int flags)
{
    uint64_t handle = 0;
    CU_READY();
    CU_CHECK(pHandle_out && hGraph && flags <= CU_GRAPH_COND_ASSIGN_DEFAULT,
             CUDA_ERROR_INVALID_VALUE);
    CU_CHECK(!ctx || cu_context_valid(ctx), CUDA_ERROR_INVALID_CONTEXT);
    CUresult status = evc_condition_create(hGraph, defaultLaunchValue, flags != 0, &handle);
    CU_CHECK(!status, status);
    *pHandle_out = handle;
    return CUDA_SUCCESS;
}

/* One of a kernel has arguments to be freed. */
static CUresult command_of(const CUgraphNodeParams *p, struct evc_command *command)
{
    switch (p->type) {
    case CU_GRAPH_NODE_TYPE_KERNEL:
        return evc_kernel_command(&p->kernel, command);
    case CU_GRAPH_NODE_TYPE_HOST:
        return evc_host_command(p->host.fn, p->host.userData, command);
    case CU_GRAPH_NODE_TYPE_GRAPH:
        *command = (struct evc_command){.type = p->type, .child = p->graph.graph};
        return p->graph.graph ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
    case CU_GRAPH_NODE_TYPE_EMPTY:
        *command = (struct evc_command){.type = p->type};
        return CUDA_SUCCESS;
    case CU_GRAPH_NODE_TYPE_BATCH_MEM_OP:
        return evc_batch_command(&p->memOp, command);
    case CU_GRAPH_NODE_TYPE_CONDITIONAL:
        return evc_condition_command(&p->conditional, command);
    default:
        return evc_explain(CUDA_ERROR_NOT_SUPPORTED,
                           "cuGraphAddNode: nodes of type %d have a call of their own",
                           (int)p->type);
    }
}

CUresult cuGraphAddNode(CUgraphNode *phGraphNode, CUgraph hGraph, const CUgraphNode *dependencies,
                        size_t numDependencies, CUgraphNodeParams *nodeParams)
{
    struct evc_command command = {0};
    CU_READY();
    CU_CHECK(phGraphNode && hGraph && (dependencies || !numDependencies) && nodeParams,
             CUDA_ERROR_INVALID_VALUE);
    CUresult status = command_of(nodeParams, &command);
    if (!status)
        status = evc_graph_add(hGraph, &command, dependencies, numDependencies, phGraphNode);
    if (nodeParams->type == CU_GRAPH_NODE_TYPE_KERNEL)
        free(command.arguments);
    CU_CHECK(!status, status);
    if (nodeParams->type == CU_GRAPH_NODE_TYPE_CONDITIONAL)
        nodeParams->conditional.phGraph_out =
            evc_node_command(*phGraphNode, CU_GRAPH_NODE_TYPE_CONDITIONAL)->bodies;
    return CUDA_SUCCESS;
}

CUresult cuStreamBeginCaptureToGraph(CUstream hStream, CUgraph hGraph,
                                     const CUgraphNode *dependencies, const void *dependencyData,
                                     size_t numDependencies, CUstreamCaptureMode mode)
{
    (void)dependencyData;
    CU_READY();
    CU_CHECK(hGraph && (dependencies || !numDependencies) &&
                 (unsigned int)mode <= CU_STREAM_CAPTURE_MODE_RELAXED,
             CUDA_ERROR_INVALID_VALUE);
    return evc_capture_into(hStream, hGraph, dependencies, numDependencies);
}
