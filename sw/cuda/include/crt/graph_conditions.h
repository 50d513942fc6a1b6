/* Conditional nodes of graphs, and nodes of any kind by one call. Included by cuda_runtime_api.h.
 *
 * A launch of a graph that has conditional nodes returns when the graph has ended. */
#ifndef EVGPU_CUDA_CRT_GRAPH_CONDITIONS_H
#define EVGPU_CUDA_CRT_GRAPH_CONDITIONS_H

/* Where the condition lies in device memory; kernels call cudaGraphSetConditional. */
typedef unsigned long long cudaGraphConditionalHandle;

#define cudaGraphCondAssignDefault 1

enum cudaGraphConditionalNodeType {
    cudaGraphCondTypeIf = 0,    /* its first graph, or if there is one its second */
    cudaGraphCondTypeWhile = 1, /* its graph again and again */
    cudaGraphCondTypeSwitch = 2 /* the graph of this number, if there is one */
};

/* As cudaKernelNodeParams. */
struct cudaKernelNodeParamsV2 {
    void *func;
    uint3 gridDim, blockDim;
    unsigned int sharedMemBytes;
    void **kernelParams;
    void **extra; /* must be NULL */
};

struct cudaMemcpyNodeParams {
    int flags, reserved[3];
    struct cudaMemcpy3DParms copyParams;
};

struct cudaChildGraphNodeParams {
    cudaGraph_t graph;
};

struct cudaConditionalNodeParams {
    cudaGraphConditionalHandle handle;
    enum cudaGraphConditionalNodeType type;
    unsigned int size;        /* graphs */
    cudaGraph_t *phGraph_out; /* they are the node's, empty at first */
};

/* The type says which. Memory nodes have calls of their own. */
typedef struct cudaGraphNodeParams {
    enum cudaGraphNodeType type;
    int reserved0[3];
    union {
        long long reserved1[29];
        struct cudaKernelNodeParamsV2 kernel;
        struct cudaMemcpyNodeParams memcpy;
        struct cudaMemsetParams memset;
        struct cudaHostNodeParams host;
        struct cudaChildGraphNodeParams graph;
        struct cudaConditionalNodeParams conditional;
    };
    long long reserved2;
} cudaGraphNodeParams;

/* The handle belongs to the graph, also in its clones. With cudaGraphCondAssignDefault each launch
 * sets the condition to its default value first. */
cudaError_t cudaGraphConditionalHandleCreate(cudaGraphConditionalHandle *pHandle_out,
                                             cudaGraph_t graph,
                                             unsigned int defaultLaunchValue EVGPU_DEFAULT(0),
                                             unsigned int flags EVGPU_DEFAULT(0));
cudaError_t cudaGraphAddNode(cudaGraphNode_t *pGraphNode, cudaGraph_t graph,
                             const cudaGraphNode_t *pDependencies, size_t numDependencies,
                             struct cudaGraphNodeParams *nodeParams);
/* Captures into the graph, behind the nodes; cudaStreamEndCapture needs no place for it then. */
cudaError_t cudaStreamBeginCaptureToGraph(cudaStream_t stream, cudaGraph_t graph,
                                          const cudaGraphNode_t *dependencies,
                                          const cudaGraphEdgeData *dependencyData,
                                          size_t numDependencies, enum cudaStreamCaptureMode mode);

#ifdef __CUDA__
/* What kernels that are ordered before the node write last counts. */
static __inline__ __attribute__((device, unused)) void
cudaGraphSetConditional(cudaGraphConditionalHandle handle, unsigned int value)
{
    *(volatile unsigned int *)handle = value;
}
#endif

#endif
