/* A graph from inside: for the files that make, change and draw graphs. */
#ifndef EVGPU_CUDA_CLIENT_GRAPH_NODE_H
#define EVGPU_CUDA_CLIENT_GRAPH_NODE_H

#include "sw/cuda/client/graph.h"

struct CUgraphNode_st {
    CUgraph graph;
    size_t number; /* in the graph */
    struct evc_command command;
    const struct CUgraphNode_st *origin; /* a clone's: what it was made from */
    void **pointers;     /* to the kernel's arguments; made when somebody asks for them */
    CUgraphNode *before; /* predecessors */
    size_t n_before;
};

struct evc_condition;

struct CUgraph_st {
    CUgraphNode *nodes;
    size_t count;
    struct evc_condition **conditions; /* made for it, or for what it was cloned from */
    size_t n_conditions;
};

/* --- handles.c -------------------------------------------------------------------------------- */

enum evc_handle { EVC_GRAPH, EVC_NODE, EVC_EXEC };

/* False: there is no memory for it. */
bool evc_handle_add(const void *handle, enum evc_handle kind);
/* Before it is freed. One that was never added is none, and nothing happens. */
void evc_handle_remove(const void *handle);

/* --- graph.c ---------------------------------------------------------------------------------- */

/* Frees the node, which no graph names any more. */
void evc_node_free(CUgraphNode node);
/* The nodes alone, of a graph that has been launched. */
CUresult evc_exec_run(CUgraphExec exec, CUstream stream);

/* --- graph_condition.c ------------------------------------------------------------------------ */

bool evc_condition_share(CUgraph graph, struct evc_condition *condition);
void evc_conditions_leave(CUgraph graph);
/* Default values, of the graphs within as well. */
CUresult evc_conditions_assign(CUgraph graph, CUstream stream);
/* The graphs of a conditional node: copies, or empty ones where there are none. */
CUresult evc_bodies_copy(struct evc_command *to, const struct evc_command *from);
void evc_bodies_free(struct evc_command *command);
CUresult evc_condition_run(const struct evc_command *command, CUstream stream);

#endif
