/* Graphs: commands kept instead of sent, and sent all together again and again. A stream that
 * captures keeps its commands as nodes; events carry their order to other streams, which then
 * capture too. A launch sends the nodes in an order that fits their dependences to one stream, one
 * after the other. */
#ifndef EVGPU_CUDA_CLIENT_GRAPH_H
#define EVGPU_CUDA_CLIENT_GRAPH_H

#include "sw/cuda/client/core.h"

struct evc_command {
    CUgraphNodeType type; /* KERNEL, MEMCPY, MEMSET, HOST, GRAPH or EMPTY */
    struct evc_launch launch;
    uint8_t *arguments; /* of the launch; the node's own */
    size_t argument_bytes;
    struct evc_copy copy;
    struct evc_memset set;
    CUhostFn function;
    CUstreamCallback callback;
    void *user;
    CUgraph child; /* the node's own copy */
};

CUresult evc_graph_create(CUgraph *graph);
CUresult evc_graph_destroy(CUgraph graph);
/* The command is copied, with arguments and child. */
CUresult evc_graph_add(CUgraph graph, const struct evc_command *command, const CUgraphNode *before,
                       size_t n_before, CUgraphNode *node);
/* Another command of the same type in the node's place. */
CUresult evc_graph_set(CUgraphNode node, const struct evc_command *command);
CUresult evc_graph_order(CUgraphNode from, CUgraphNode to);
CUresult evc_graph_clone(CUgraph graph, CUgraph *clone);
/* The first *count nodes, or only those without predecessors; *count: how many there are. */
CUresult evc_graph_nodes(CUgraph graph, bool roots, CUgraphNode *nodes, size_t *count);
CUresult evc_graph_edges(CUgraph graph, CUgraphNode *from, CUgraphNode *to, size_t *count);
/* Whether the node is one of `ends`, or comes before one. */
bool evc_graph_precedes(CUgraphNode node, const CUgraphNode *ends, size_t count);
CUresult evc_node_type(CUgraphNode node, CUgraphNodeType *type);

CUresult evc_exec_create(CUgraph graph, CUgraphExec *exec);
CUresult evc_exec_set(CUgraphExec exec, CUgraphNode node, const struct evc_command *command);
/* All commands anew, of a graph whose nodes are the same. Else nothing changes, and *node is one
 * that differs in its type (*type) or its predecessors, or NULL where the number of nodes differs.
 */
CUresult evc_exec_update(CUgraphExec exec, CUgraph graph, CUgraphNode *node, bool *type);
CUresult evc_exec_destroy(CUgraphExec exec);
CUresult evc_exec_launch(CUgraphExec exec, CUstream stream);

CUresult evc_capture_begin(CUstream stream);
CUresult evc_capture_end(CUstream stream, CUgraph *graph);
bool evc_capturing(CUstream stream);
bool evc_captured_event(CUevent event);

/* For the calls that send commands: true when the stream captures; *status is then the call's. */
bool evc_capture(CUstream stream, const struct evc_command *command, CUresult *status);
bool evc_capture_record(CUevent event, CUstream stream, CUresult *status);
bool evc_capture_wait(CUstream stream, CUevent event, CUresult *status);

#endif
