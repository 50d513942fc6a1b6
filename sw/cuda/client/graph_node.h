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

struct CUgraph_st {
    CUgraphNode *nodes;
    size_t count;
};

/* Frees the node, which no graph names any more. */
void evc_node_free(CUgraphNode node);

#endif
