/* Nodes of the runtime API's graphs that record events or wait for them. */
#include "sw/cuda/client/graph.h"
#include "sw/cuda/runtime/state.h"

cudaError_t cudaGraphAddEventRecordNode(cudaGraphNode_t *pGraphNode, cudaGraph_t graph,
                                        const cudaGraphNode_t *pDependencies,
                                        size_t numDependencies, cudaEvent_t event)
{
    return rt_done(evc_event_node_add(graph, CU_GRAPH_NODE_TYPE_EVENT_RECORD, RT_EVENT(event),
                                      pDependencies, numDependencies, pGraphNode));
}

cudaError_t cudaGraphEventRecordNodeGetEvent(cudaGraphNode_t node, cudaEvent_t *event_out)
{
    return rt_done(
        evc_event_node_get(node, CU_GRAPH_NODE_TYPE_EVENT_RECORD, (CUevent *)(void *)event_out));
}

cudaError_t cudaGraphEventRecordNodeSetEvent(cudaGraphNode_t node, cudaEvent_t event)
{
    return rt_done(
        evc_event_node_set(NULL, node, CU_GRAPH_NODE_TYPE_EVENT_RECORD, RT_EVENT(event)));
}

cudaError_t cudaGraphExecEventRecordNodeSetEvent(cudaGraphExec_t hGraphExec, cudaGraphNode_t hNode,
                                                 cudaEvent_t event)
{
    RT_CHECK(hGraphExec, cudaErrorInvalidValue);
    return rt_done(
        evc_event_node_set(hGraphExec, hNode, CU_GRAPH_NODE_TYPE_EVENT_RECORD, RT_EVENT(event)));
}

cudaError_t cudaGraphAddEventWaitNode(cudaGraphNode_t *pGraphNode, cudaGraph_t graph,
                                      const cudaGraphNode_t *pDependencies, size_t numDependencies,
                                      cudaEvent_t event)
{
    return rt_done(evc_event_node_add(graph, CU_GRAPH_NODE_TYPE_WAIT_EVENT, RT_EVENT(event),
                                      pDependencies, numDependencies, pGraphNode));
}

cudaError_t cudaGraphEventWaitNodeGetEvent(cudaGraphNode_t node, cudaEvent_t *event_out)
{
    return rt_done(
        evc_event_node_get(node, CU_GRAPH_NODE_TYPE_WAIT_EVENT, (CUevent *)(void *)event_out));
}

cudaError_t cudaGraphEventWaitNodeSetEvent(cudaGraphNode_t node, cudaEvent_t event)
{
    return rt_done(evc_event_node_set(NULL, node, CU_GRAPH_NODE_TYPE_WAIT_EVENT, RT_EVENT(event)));
}

cudaError_t cudaGraphExecEventWaitNodeSetEvent(cudaGraphExec_t hGraphExec, cudaGraphNode_t hNode,
                                               cudaEvent_t event)
{
    RT_CHECK(hGraphExec, cudaErrorInvalidValue);
    return rt_done(
        evc_event_node_set(hGraphExec, hNode, CU_GRAPH_NODE_TYPE_WAIT_EVENT, RT_EVENT(event)));
}
