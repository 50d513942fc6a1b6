/* Nodes that record an event, or wait for one. */
#include "sw/cuda/client/graph.h"

CUresult evc_event_node_add(CUgraph graph, CUgraphNodeType type, CUevent event,
                            const CUgraphNode *before, size_t n_before, CUgraphNode *node)
{
    const struct evc_command command = {.type = type, .event = event};
    if (!graph || !node || !event || (n_before && !before))
        return CUDA_ERROR_INVALID_VALUE;
    return evc_graph_add(graph, &command, before, n_before, node);
}

CUresult evc_event_node_get(CUgraphNode node, CUgraphNodeType type, CUevent *event)
{
    const struct evc_command *command = node ? evc_node_command(node, type) : NULL;
    if (!command || !event)
        return CUDA_ERROR_INVALID_VALUE;
    *event = command->event;
    return CUDA_SUCCESS;
}

CUresult evc_event_node_set(CUgraphExec exec, CUgraphNode node, CUgraphNodeType type, CUevent event)
{
    const struct evc_command command = {.type = type, .event = event};
    if (!node || !event)
        return CUDA_ERROR_INVALID_VALUE;
    return exec ? evc_exec_set(exec, node, &command) : evc_graph_set(node, &command);
}

/* Of an event outside: it does not join streams, so the capture keeps it as a node. */
static bool capture_external(CUgraphNodeType type, CUevent event, CUstream stream, CUresult *status)
{
    const struct evc_command command = {.type = type, .event = event};
    return evc_capture(stream, &command, status);
}

CUresult evc_event_record_flags(CUevent event, CUstream stream, bool external)
{
    CUresult status = CUDA_SUCCESS;
    return external && capture_external(CU_GRAPH_NODE_TYPE_EVENT_RECORD, event, stream, &status)
               ? status
               : evc_event_record(event, stream);
}

CUresult evc_stream_wait_flags(CUstream stream, CUevent event, bool external)
{
    CUresult status = CUDA_SUCCESS;
    return external && capture_external(CU_GRAPH_NODE_TYPE_WAIT_EVENT, event, stream, &status)
               ? status
               : evc_stream_wait(stream, event);
}
