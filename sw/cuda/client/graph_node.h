/* A graph from inside: for the files that make, change and draw graphs. */
#ifndef EVGPU_CUDA_CLIENT_GRAPH_NODE_H
#define EVGPU_CUDA_CLIENT_GRAPH_NODE_H

#include "sw/cuda/client/graph.h"

struct CUgraphNode_st {
    CUgraph graph;   /* NULL: destroyed */
    uint64_t id;     /* of no other node ever, and greater than of those made before */
    uint64_t origin; /* a clone's: the id of what it was made from; else EVC_NO_ORIGIN */
    size_t number;   /* in the graph, when it is settled */
    struct evc_command command;
    void **pointers;     /* to the kernel's arguments; made when somebody asks for them */
    CUgraphNode *before; /* predecessors */
    size_t n_before;
};

struct evc_condition;

#define EVC_NO_ORIGIN UINT64_MAX

struct CUgraph_st {
    CUgraphNode *nodes; /* as they were added, so that their ids rise, and origins too */
    size_t count;
    size_t gone;                       /* of these, destroyed since the graph was settled */
    struct evc_condition **conditions; /* made for it, or for what it was cloned from */
    size_t n_conditions;
};

/* --- handles.c -------------------------------------------------------------------------------- */

enum evc_handle { EVC_GRAPH, EVC_NODE, EVC_EXEC, EVC_EDGE };

/* False: there is no memory for it. */
bool evc_handle_add(const void *handle, enum evc_handle kind);
/* Before it is freed. One that was never added is none, and nothing happens. */
void evc_handle_remove(const void *handle);

/* Edges, by their nodes; false: there is no memory for it, or it was none. */
bool evc_edge_add(const struct CUgraphNode_st *from, const struct CUgraphNode_st *to);
bool evc_edge_remove(const struct CUgraphNode_st *from, const struct CUgraphNode_st *to);
bool evc_edge_known(const struct CUgraphNode_st *from, const struct CUgraphNode_st *to);

/* --- graph.c ---------------------------------------------------------------------------------- */

/* Frees what the node holds, but not itself; it is no handle any more. */
void evc_node_empty(CUgraphNode node);
/* The nodes alone, of a graph that has been launched. */
CUresult evc_exec_run(CUgraphExec exec, CUstream stream);

/* --- graph_edit.c ------------------------------------------------------------------------------
 */

/* Nodes that are destroyed stay in their places, and in front of others, until somebody looks
 * through the graph: then all leave it at once, and the others are numbered anew. */
void evc_graph_settle(CUgraph graph);

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
