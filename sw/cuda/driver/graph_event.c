/* Nodes of the driver API's graphs that record events or wait for them. */
#include "sw/cuda/client/graph.h"
#include "sw/cuda/driver/context.h"

static CUresult end(const char *call, CUresult status)
{
    return status ? cu_refuse(status, call, NULL) : status;
}

CUresult cuGraphAddEventRecordNode(CUgraphNode *phGraphNode, CUgraph hGraph,
                                   const CUgraphNode *dependencies, size_t numDependencies,
                                   CUevent event)
{
    CU_READY();
    return end(__func__, evc_event_node_add(hGraph, CU_GRAPH_NODE_TYPE_EVENT_RECORD, event,
                                            dependencies, numDependencies, phGraphNode));
}

CUresult cuGraphEventRecordNodeGetEvent(CUgraphNode hNode, CUevent *event_out)
{
    CU_READY();
    return end(__func__, evc_event_node_get(hNode, CU_GRAPH_NODE_TYPE_EVENT_RECORD, event_out));
}

CUresult cuGraphEventRecordNodeSetEvent(CUgraphNode hNode, CUevent event)
{
    CU_READY();
    return end(__func__, evc_event_node_set(NULL, hNode, CU_GRAPH_NODE_TYPE_EVENT_RECORD, event));
}

CUresult cuGraphExecEventRecordNodeSetEvent(CUgraphExec hGraphExec, CUgraphNode hNode,
                                            CUevent event)
{
    CU_READY();
    CU_CHECK(hGraphExec, CUDA_ERROR_INVALID_VALUE);
    return end(__func__,
               evc_event_node_set(hGraphExec, hNode, CU_GRAPH_NODE_TYPE_EVENT_RECORD, event));
}

CUresult cuGraphAddEventWaitNode(CUgraphNode *phGraphNode, CUgraph hGraph,
                                 const CUgraphNode *dependencies, size_t numDependencies,
                                 CUevent event)
{
    CU_READY();
    return end(__func__, evc_event_node_add(hGraph, CU_GRAPH_NODE_TYPE_WAIT_EVENT, event,
                                            dependencies, numDependencies, phGraphNode));
}

CUresult cuGraphEventWaitNodeGetEvent(CUgraphNode hNode, CUevent *event_out)
{
    CU_READY();
    return end(__func__, evc_event_node_get(hNode, CU_GRAPH_NODE_TYPE_WAIT_EVENT, event_out));
}

CUresult cuGraphEventWaitNodeSetEvent(CUgraphNode hNode, CUevent event)
{
    CU_READY();
    return end(__func__, evc_event_node_set(NULL, hNode, CU_GRAPH_NODE_TYPE_WAIT_EVENT, event));
}

CUresult cuGraphExecEventWaitNodeSetEvent(CUgraphExec hGraphExec, CUgraphNode hNode, CUevent event)
{
    CU_READY();
    CU_CHECK(hGraphExec, CUDA_ERROR_INVALID_VALUE);
    return end(__func__,
               evc_event_node_set(hGraphExec, hNode, CU_GRAPH_NODE_TYPE_WAIT_EVENT, event));
}
