/* Conditional nodes of graphs, and nodes of any kind by one call. Included by cuda.h.
 *
 * A launch of a graph that has conditional nodes returns when the graph has ended. */
#ifndef EVGPU_CUDA_CRT_DRIVER_CONDITIONS_H
#define EVGPU_CUDA_CRT_DRIVER_CONDITIONS_H

/* Where the condition lies in device memory, which a kernel writes. */
typedef cuuint64_t CUgraphConditionalHandle;

#define CU_GRAPH_COND_ASSIGN_DEFAULT 1

typedef enum CUgraphConditionalNodeType_enum {
    CU_GRAPH_COND_TYPE_IF = 0,    /* its first graph, or if there is one its second */
    CU_GRAPH_COND_TYPE_WHILE = 1, /* its graph again and again */
    CU_GRAPH_COND_TYPE_SWITCH = 2 /* the graph of this number, if there is one */
} CUgraphConditionalNodeType;

typedef struct CUDA_CONDITIONAL_NODE_PARAMS_st {
    CUgraphConditionalHandle handle;
    CUgraphConditionalNodeType type;
    unsigned int size;    /* graphs */
    CUgraph *phGraph_out; /* they are the node's, empty at first */
    CUcontext ctx;
} CUDA_CONDITIONAL_NODE_PARAMS;

typedef struct CUDA_CHILD_GRAPH_NODE_PARAMS_st {
    CUgraph graph;
} CUDA_CHILD_GRAPH_NODE_PARAMS;

/* The type says which. Copies and sets have calls of their own. */
typedef struct CUgraphNodeParams_st {
    CUgraphNodeType type;
    int reserved0[3];
    union {
        long long reserved1[29];
        CUDA_KERNEL_NODE_PARAMS kernel;
        CUDA_HOST_NODE_PARAMS host;
        CUDA_CHILD_GRAPH_NODE_PARAMS graph;
        CUDA_BATCH_MEM_OP_NODE_PARAMS memOp;
        CUDA_CONDITIONAL_NODE_PARAMS conditional;
    };
    long long reserved2;
} CUgraphNodeParams;

/* The handle belongs to the graph, also in its clones. With CU_GRAPH_COND_ASSIGN_DEFAULT each
 * launch sets the condition to its default value first. */
CUresult cuGraphConditionalHandleCreate(CUgraphConditionalHandle *pHandle_out, CUgraph hGraph,
                                        CUcontext ctx, unsigned int defaultLaunchValue,
                                        unsigned int flags);
CUresult cuGraphAddNode(CUgraphNode *phGraphNode, CUgraph hGraph, const CUgraphNode *dependencies,
                        size_t numDependencies, CUgraphNodeParams *nodeParams);
/* Captures into the graph, behind the nodes; cuStreamEndCapture needs no place for it then. */
CUresult cuStreamBeginCaptureToGraph(CUstream hStream, CUgraph hGraph,
                                     const CUgraphNode *dependencies, const void *dependencyData,
                                     size_t numDependencies, CUstreamCaptureMode mode);

#endif
