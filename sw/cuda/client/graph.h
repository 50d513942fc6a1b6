/* Graphs: commands kept instead of sent, and sent all together again and again. A stream that
 * captures keeps its commands as nodes; events carry their order to other streams, which then
 * capture too. A launch sends the nodes in an order that fits their dependences to one stream, one
 * after the other. */
#ifndef EVGPU_CUDA_CLIENT_GRAPH_H
#define EVGPU_CUDA_CLIENT_GRAPH_H

#include "sw/cuda/client/core.h"

/* A copy's parameters as they were given, in the API of which they are. */
#define EVC_COPY_PARAMS sizeof(CUDA_MEMCPY3D)
enum evc_api { EVC_NO_API, EVC_RUNTIME, EVC_DRIVER };

struct evc_command {
    CUgraphNodeType type; /* KERNEL, MEMCPY, MEMSET, HOST, GRAPH, EMPTY, WAIT_EVENT, EVENT_RECORD,
                           * MEM_ALLOC, MEM_FREE, BATCH_MEM_OP, CONDITIONAL */
    struct evc_launch launch;
    uint8_t *arguments; /* of the launch, or CUstreamBatchMemOpParams; the node's own */
    size_t argument_bytes;
    struct evc_copy copy;
    enum evc_api given; /* by a call of it; else captured */
    uint8_t params[EVC_COPY_PARAMS];
    struct evc_memset set;
    CUhostFn function;
    CUstreamCallback callback;
    void *user;
    CUevent event;    /* the program's */
    CUgraph child;    /* the node's own copy */
    uint64_t address; /* of what is allocated or freed, or of a condition */
    uint64_t bytes;
    CUgraphConditionalNodeType condition;
    CUgraph *bodies; /* of a conditional node; its own */
    size_t n_bodies;
};

/* Commands of the API's parameters; those of a kernel have arguments to be freed. */
CUresult evc_kernel_command(const CUDA_KERNEL_NODE_PARAMS *p, struct evc_command *command);
CUresult evc_set_command(const CUDA_MEMSET_NODE_PARAMS *p, struct evc_command *command);
CUresult evc_host_command(CUhostFn function, void *user, struct evc_command *command);
/* values.c: its operations stay the caller's. */
CUresult evc_batch_command(const CUDA_BATCH_MEM_OP_NODE_PARAMS *p, struct evc_command *command);
CUresult evc_batch(const struct evc_command *command, CUstream stream);

/* graph_condition.c: a condition for nodes of the graph, and a command for a node. */
CUresult evc_condition_create(CUgraph graph, uint32_t value, bool assign, uint64_t *handle);
CUresult evc_condition_command(const CUDA_CONDITIONAL_NODE_PARAMS *p, struct evc_command *command);

/* handles.c: CUDA_ERROR_INVALID_VALUE, with the reason, if it is none of this kind, or has been
 * destroyed. What is declared here checks the handles that it is given. */
CUresult evc_check_graph(CUgraph graph);
CUresult evc_check_node(CUgraphNode node);
CUresult evc_check_exec(CUgraphExec exec);

CUresult evc_graph_create(CUgraph *graph);
CUresult evc_graph_destroy(CUgraph graph);
/* The command is copied, with arguments and child. */
CUresult evc_graph_add(CUgraph graph, const struct evc_command *command, const CUgraphNode *before,
                       size_t n_before, CUgraphNode *node);
/* Another command of the same type in the node's place. */
CUresult evc_graph_set(CUgraphNode node, const struct evc_command *command);
/* An error if there is this edge already, as in CUDA. */
CUresult evc_graph_order(CUgraphNode from, CUgraphNode to);
CUresult evc_graph_clone(CUgraph graph, CUgraph *clone);
/* The first *count nodes, or only those without predecessors; *count: how many there are. */
CUresult evc_graph_nodes(CUgraph graph, bool roots, CUgraphNode *nodes, size_t *count);
CUresult evc_graph_edges(CUgraph graph, CUgraphNode *from, CUgraphNode *to, size_t *count);
/* Whether the node is one of `ends`, or comes before one. */
bool evc_graph_precedes(CUgraphNode node, const CUgraphNode *ends, size_t count);
bool evc_graph_has(CUgraph graph, CUgraphNode node);
CUresult evc_node_type(CUgraphNode node, CUgraphNodeType *type);

/* --- graph_edit.c: what nodes are and what they depend on, and changes of both -----------------
 */

/* The first *count nodes in front of this one, or behind it; *count: how many there are. */
CUresult evc_node_neighbours(CUgraphNode node, bool behind, CUgraphNode *nodes, size_t *count);
CUresult evc_graph_unorder(CUgraphNode from, CUgraphNode to);
CUresult evc_node_destroy(CUgraphNode node);
/* The node of a clone that stands where `original` stands in the graph that was cloned. */
CUresult evc_node_in_clone(CUgraphNode original, CUgraph clone, CUgraphNode *node);
/* The command of a node of this type, else NULL; it stays the node's. */
const struct evc_command *evc_node_command(CUgraphNode node, CUgraphNodeType type);
/* Of a kernel node; its arguments stay the node's, until its command changes. */
CUresult evc_node_kernel(CUgraphNode node, CUDA_KERNEL_NODE_PARAMS *p);
CUresult evc_node_set_of(CUgraphNode node, CUDA_MEMSET_NODE_PARAMS *p);

/* --- graph_event.c: type is EVENT_RECORD or WAIT_EVENT -----------------------------------------
 */

CUresult evc_event_node_add(CUgraph graph, CUgraphNodeType type, CUevent event,
                            const CUgraphNode *before, size_t n_before, CUgraphNode *node);
CUresult evc_event_node_get(CUgraphNode node, CUgraphNodeType type, CUevent *event);
/* In the graph's node, or (exec not NULL) in that of an executable graph. */
CUresult evc_event_node_set(CUgraphExec exec, CUgraphNode node, CUgraphNodeType type,
                            CUevent event);

/* --- graph_dot.c ------------------------------------------------------------------------------ */

/* Writes the graph for Graphviz; `handles`: with the nodes' handles. */
CUresult evc_graph_dot(CUgraph graph, const char *path, bool handles);

/* frees: a launch frees what an earlier one has allocated and nobody has freed; else it fails. */
CUresult evc_exec_create(CUgraph graph, bool frees, CUgraphExec *exec);
CUresult evc_exec_set(CUgraphExec exec, CUgraphNode node, const struct evc_command *command);
/* All commands anew, of a graph whose nodes are the same. Else nothing changes, and *node is one
 * that differs in its type (*type) or its predecessors, or NULL where the number of nodes differs.
 */
CUresult evc_exec_update(CUgraphExec exec, CUgraph graph, CUgraphNode *node, bool *type);
CUresult evc_exec_destroy(CUgraphExec exec);
CUresult evc_exec_launch(CUgraphExec exec, CUstream stream);

CUresult evc_capture_begin(CUstream stream);
/* Into a graph that there is, behind these nodes. */
CUresult evc_capture_into(CUstream stream, CUgraph graph, const CUgraphNode *nodes, size_t count);
/* graph: may be NULL after evc_capture_into. */
CUresult evc_capture_end(CUstream stream, CUgraph *graph);
bool evc_capturing(CUstream stream);
/* Sets the thread's mode, which has no effect, and gives the one before. */
CUstreamCaptureMode evc_capture_mode(CUstreamCaptureMode mode);
/* What a stream captures: a number of the capture, and the nodes that its next one comes behind,
 * which stay where they are until that one is made. Each may be NULL. False, and all 0: it does not
 * capture. */
bool evc_capture_info(CUstream stream, unsigned long long *id, CUgraph *graph,
                      const CUgraphNode **nodes, size_t *count);
/* The next one comes behind these nodes, too, or instead. */
CUresult evc_capture_depend(CUstream stream, const CUgraphNode *nodes, size_t count, bool instead);
/* It captures since it waited for an event; its part of the graph outlives it. */
bool evc_capture_joined(CUstream stream);
bool evc_captured_event(CUevent event);

/* For the calls that send commands: true when the stream captures; *status is then the call's. */
bool evc_capture(CUstream stream, const struct evc_command *command, CUresult *status);
bool evc_capture_record(CUevent event, CUstream stream, CUresult *status);
bool evc_capture_wait(CUstream stream, CUevent event, CUresult *status);

/* --- graph_memory.c --------------------------------------------------------------------------- */

/* Memory for an allocating node, which is added next; else it is to be dropped. */
CUresult evc_graph_memory_make(uint64_t bytes, uint64_t *address);
void evc_graph_memory_drop(uint64_t address);
/* An allocating node, or a copy of one, is made or goes. */
void evc_graph_memory_node(uint64_t address, bool made);
bool evc_graph_memory_used(uint64_t address);
void evc_graph_memory_use(uint64_t address);
/* Freed by a node or by the program: false when the memory is none of a graph. */
bool evc_graph_memory_free(uint64_t address, CUresult *status);

struct evc_graph_bytes {
    uint64_t used, most_used, reserved, most_reserved;
};
struct evc_graph_bytes evc_graph_memory_bytes(void);
/* The most begins anew with what there is now. */
void evc_graph_memory_reset(bool used, bool reserved);

#endif
