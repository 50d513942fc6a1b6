/* Conditional nodes of graphs: which kernels run, and how often, as in the same loops on the host. */
#include <cuda_runtime.h>
#include <string.h>

#include "check.h"

enum { STEPS, VALUE, LENGTH, INNER, OUTER, BRANCHES, WORDS = BRANCHES + 8 };

static int *words; /* on the device */

static void set(int index, int value)
{
    CHECK(cudaMemcpy(words + index, &value, sizeof value, cudaMemcpyHostToDevice));
}

static int get(int index)
{
    int value;
    CHECK(cudaMemcpy(&value, words + index, sizeof value, cudaMemcpyDeviceToHost));
    return value;
}

__global__ void collatz(int *words, cudaGraphConditionalHandle more)
{
    words[VALUE] = words[VALUE] % 2 ? 3 * words[VALUE] + 1 : words[VALUE] / 2;
    words[STEPS]++;
    cudaGraphSetConditional(more, words[VALUE] != 1);
}

__global__ void choose(int *words, cudaGraphConditionalHandle which)
{
    cudaGraphSetConditional(which, words[VALUE]);
}

__global__ void count(int *word, int by)
{
    *word += by;
}

/* The inner loop runs `words[OUTER]` times in each round of the outer one. */
__global__ void inner(int *words, cudaGraphConditionalHandle more)
{
    words[STEPS]++;
    cudaGraphSetConditional(more, --words[INNER] > 0);
}

__global__ void outer(int *words, cudaGraphConditionalHandle more, cudaGraphConditionalHandle more_inner)
{
    words[INNER] = --words[OUTER];
    cudaGraphSetConditional(more, words[OUTER] > 0);
    cudaGraphSetConditional(more_inner, words[OUTER] > 0);
}

static cudaGraphNode_t add_kernel(cudaGraph_t graph, const cudaGraphNode_t *before, void *kernel, void **args)
{
    cudaGraphNode_t node;
    cudaGraphNodeParams p = {cudaGraphNodeTypeKernel};
    p.kernel.func = kernel;
    p.kernel.gridDim = dim3(1);
    p.kernel.blockDim = dim3(1);
    p.kernel.kernelParams = args;
    CHECK(cudaGraphAddNode(&node, graph, before, before ? 1 : 0, &p));
    return node;
}

static cudaGraphNode_t add_condition(cudaGraph_t graph, const cudaGraphNode_t *before,
                                     cudaGraphConditionalHandle handle, cudaGraphConditionalNodeType type,
                                     unsigned int size, cudaGraph_t *bodies)
{
    cudaGraphNode_t node;
    cudaGraphNodeParams p = {cudaGraphNodeTypeConditional};
    p.conditional.handle = handle;
    p.conditional.type = type;
    p.conditional.size = size;
    CHECK(cudaGraphAddNode(&node, graph, before, before ? 1 : 0, &p));
    memcpy(bodies, p.conditional.phGraph_out, size * sizeof *bodies);
    return node;
}

/* The loop is captured; a memory node behind it keeps the length. The default starts it again. */
static int loop(cudaStream_t stream)
{
    cudaGraph_t graph, body, clone;
    cudaGraphExec_t exec;
    cudaGraphNode_t node, copy;
    cudaGraphConditionalHandle more;
    CHECK(cudaGraphCreate(&graph, 0));
    CHECK(cudaGraphConditionalHandleCreate(&more, graph, 1, cudaGraphCondAssignDefault));
    node = add_condition(graph, NULL, more, cudaGraphCondTypeWhile, 1, &body);
    CHECK(cudaStreamBeginCaptureToGraph(stream, body, NULL, NULL, 0, cudaStreamCaptureModeGlobal));
    collatz<<<1, 1, 0, stream>>>(words, more);
    CHECK(cudaStreamEndCapture(stream, NULL));
    CHECK(cudaGraphAddMemcpyNode1D(&copy, graph, &node, 1, words + LENGTH, words + STEPS, sizeof(int),
                                   cudaMemcpyDeviceToDevice));
    CHECK(cudaGraphClone(&clone, graph));
    CHECK(cudaGraphDestroy(graph));
    CHECK(cudaGraphInstantiate(&exec, clone, NULL, NULL, 0));
    CHECK(cudaGraphDestroy(clone));
    int wrong = 0;
    for (int start : {6, 27, 2}) {
        int want = 0;
        for (int n = start; n != 1; n = n % 2 ? 3 * n + 1 : n / 2)
            want++;
        set(STEPS, 0);
        set(VALUE, start);
        CHECK(cudaGraphLaunch(exec, stream));
        CHECK(cudaStreamSynchronize(stream));
        wrong += get(LENGTH) != want || get(VALUE) != 1;
    }
    CHECK(cudaGraphExecDestroy(exec));
    return wrong;
}

/* A kernel sets the condition; branch number 1, 2, ... adds it to its word. */
static int branches(cudaGraphConditionalNodeType type, unsigned int size, cudaStream_t stream)
{
    cudaGraph_t graph, bodies[4], parent;
    cudaGraphExec_t exec;
    cudaGraphNode_t first, node, child;
    cudaGraphConditionalHandle which;
    CHECK(cudaGraphCreate(&graph, 0));
    CHECK(cudaGraphConditionalHandleCreate(&which, graph));
    void *choice[] = {&words, &which};
    first = add_kernel(graph, NULL, (void *)choose, choice);
    node = add_condition(graph, &first, which, type, size, bodies);
    for (unsigned int i = 0; i < size; i++) {
        int *word = words + BRANCHES + i, by = i + 1;
        void *args[] = {&word, &by};
        add_kernel(bodies[i], NULL, (void *)count, args);
    }
    int *word = words + BRANCHES + 7, by = 1;
    void *args[] = {&word, &by};
    add_kernel(graph, &node, (void *)count, args); /* always */
    cudaGraphNodeType got;
    CHECK(cudaGraphNodeGetType(node, &got));
    CHECK(cudaGraphCreate(&parent, 0));
    CHECK(cudaGraphAddChildGraphNode(&child, parent, NULL, 0, graph));
    CHECK(cudaGraphInstantiate(&exec, parent, NULL, NULL, 0));
    int wrong = got != cudaGraphNodeTypeConditional;
    for (unsigned int value = 0; value < 5; value++) {
        unsigned int taken = type == cudaGraphCondTypeSwitch ? value : value ? 0 : 1;
        CHECK(cudaMemset(words, 0, WORDS * sizeof(int)));
        set(VALUE, value);
        CHECK(cudaGraphLaunch(exec, stream));
        CHECK(cudaStreamSynchronize(stream));
        for (unsigned int i = 0; i < 4; i++)
            wrong += get(BRANCHES + i) != (i == taken && i < size ? (int)i + 1 : 0);
        wrong += get(BRANCHES + 7) != 1;
    }
    /* A stream that captures cannot wait for a condition. */
    cudaGraph_t captured;
    CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeRelaxed));
    wrong += cudaGraphLaunch(exec, stream) != cudaErrorStreamCaptureUnsupported;
    CHECK(cudaStreamEndCapture(stream, &captured));
    CHECK(cudaGraphDestroy(captured));
    CHECK(cudaGraphExecDestroy(exec));
    CHECK(cudaGraphDestroy(parent));
    CHECK(cudaGraphDestroy(graph));
    return wrong;
}

static int nested(cudaStream_t stream)
{
    cudaGraph_t graph, body, within;
    cudaGraphExec_t exec;
    cudaGraphConditionalHandle more, more_inner;
    cudaGraphNode_t first;
    CHECK(cudaGraphCreate(&graph, 0));
    CHECK(cudaGraphConditionalHandleCreate(&more, graph, 1, cudaGraphCondAssignDefault));
    add_condition(graph, NULL, more, cudaGraphCondTypeWhile, 1, &body);
    CHECK(cudaGraphConditionalHandleCreate(&more_inner, body));
    void *of_outer[] = {&words, &more, &more_inner}, *of_inner[] = {&words, &more_inner};
    first = add_kernel(body, NULL, (void *)outer, of_outer);
    add_condition(body, &first, more_inner, cudaGraphCondTypeWhile, 1, &within);
    add_kernel(within, NULL, (void *)inner, of_inner);
    CHECK(cudaGraphInstantiate(&exec, graph, NULL, NULL, 0));
    int want = 0;
    for (int i = 6 - 1; i > 0; i--)
        want += i;
    set(OUTER, 6);
    set(STEPS, 0);
    CHECK(cudaGraphLaunch(exec, stream));
    CHECK(cudaStreamSynchronize(stream));
    CHECK(cudaGraphExecDestroy(exec));
    CHECK(cudaGraphDestroy(graph));
    return get(STEPS) != want || get(OUTER) != 0;
}

static int refused()
{
    cudaGraph_t graph;
    cudaGraphNode_t node;
    cudaGraphConditionalHandle handle;
    cudaGraphNodeParams p = {cudaGraphNodeTypeConditional};
    CHECK(cudaGraphCreate(&graph, 0));
    CHECK(cudaGraphConditionalHandleCreate(&handle, graph));
    p.conditional.handle = handle;
    p.conditional.type = cudaGraphCondTypeWhile;
    p.conditional.size = 2;
    int wrong = cudaGraphAddNode(&node, graph, NULL, 0, &p) != cudaErrorInvalidValue;
    p.conditional.type = cudaGraphCondTypeIf;
    p.conditional.handle = 0;
    wrong += cudaGraphAddNode(&node, graph, NULL, 0, &p) != cudaErrorInvalidValue;
    p.type = cudaGraphNodeTypeMemAlloc;
    wrong += cudaGraphAddNode(&node, graph, NULL, 0, &p) != cudaErrorNotSupported;
    wrong += cudaGraphConditionalHandleCreate(&handle, graph, 0, 2) != cudaErrorInvalidValue;
    CHECK(cudaGraphDestroy(graph));
    return wrong;
}

int main()
{
    cudaStream_t stream;
    CHECK(cudaMalloc(&words, WORDS * sizeof(int)));
    CHECK(cudaStreamCreate(&stream));
    int wrong = loop(stream);
    wrong += branches(cudaGraphCondTypeIf, 1, stream) + branches(cudaGraphCondTypeIf, 2, stream);
    wrong += branches(cudaGraphCondTypeSwitch, 3, stream);
    wrong += nested(stream);
    wrong += refused();
    CHECK(cudaStreamDestroy(stream));
    CHECK(cudaFree(words));
    return verdict("conditions", wrong == 0);
}
