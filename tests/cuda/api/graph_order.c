/* In which order the nodes of a graph run, beside the walks that define it: each walk over all
 * nodes, as they were added, takes those whose predecessors have been taken. */
#include <stdbool.h>

#include "tests/cuda/api/api.h"

enum { NODES = 300, MANY = 20000, FEW = 20 };

static size_t ran[MANY], n_ran;

static void note(void *user)
{
    ran[n_ran++] = (size_t)(uintptr_t)user;
}

static void add(cudaGraph_t graph, cudaGraphNode_t *nodes, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        struct cudaHostNodeParams node = {note, (void *)(uintptr_t)i};
        OK(cudaGraphAddHostNode(&nodes[i], graph, NULL, 0, &node));
    }
}

static void run(cudaGraph_t graph)
{
    cudaGraphExec_t exec;
    n_ran = 0;
    OK(cudaGraphInstantiate(&exec, graph, NULL, NULL, 0));
    OK(cudaGraphLaunch(exec, NULL));
    OK(cudaDeviceSynchronize());
    OK(cudaGraphExecDestroy(exec));
}

static void by_chance(uint32_t seed, uint32_t edges)
{
    static bool before[NODES][NODES], taken[NODES];
    static cudaGraphNode_t nodes[NODES];
    size_t place[NODES], n = 0;
    cudaGraph_t graph;
    memset(before, 0, sizeof before);
    memset(taken, 0, sizeof taken);
    srand(seed);
    for (size_t i = 0; i < NODES; i++) {
        size_t other = (size_t)rand() % (i + 1);
        place[i] = place[other];
        place[other] = i;
    }
    OK(cudaGraphCreate(&graph, 0));
    add(graph, nodes, NODES);
    for (uint32_t i = 0; i < edges; i++) {
        size_t a = (size_t)rand() % NODES, b = (size_t)rand() % NODES;
        if (a == b)
            continue;
        size_t from = place[a] < place[b] ? a : b, to = a + b - from;
        if (!before[to][from])
            OK(cudaGraphAddDependencies(graph, &nodes[from], &nodes[to], 1));
        before[to][from] = true;
    }
    run(graph);
    MUST(n_ran == NODES);
    while (n < NODES) {
        for (size_t i = 0; i < NODES; i++) {
            bool ready = !taken[i];
            for (size_t b = 0; b < NODES; b++)
                ready = ready && (!before[i][b] || taken[b]);
            if (!ready)
                continue;
            taken[i] = true;
            MUST(ran[n++] == i);
        }
    }
    OK(cudaGraphDestroy(graph));
}

/* More handles than the table of them has room for at first. */
static void against_the_order(void)
{
    static cudaGraphNode_t nodes[MANY];
    cudaGraph_t graph;
    OK(cudaGraphCreate(&graph, 0));
    add(graph, nodes, MANY);
    for (size_t i = 0; i + 1 < MANY; i++)
        OK(cudaGraphAddDependencies(graph, &nodes[i + 1], &nodes[i], 1));
    run(graph);
    MUST(n_ran == MANY);
    for (size_t i = 0; i < MANY; i++)
        MUST(ran[i] == MANY - 1 - i);
    OK(cudaGraphDestroy(graph));
    MUST(cudaGraphDestroy(graph) == cudaErrorInvalidValue);
}

/* All in front of the last one; then most of them go, and what is left runs with other
 * values. */
static void destroyed(void)
{
    static cudaGraphNode_t nodes[MANY];
    cudaGraph_t graph, clone;
    cudaGraphExec_t exec;
    cudaGraphNode_t found;
    size_t count = 0;
    OK(cudaGraphCreate(&graph, 0));
    add(graph, nodes, MANY);
    for (size_t i = 0; i + 1 < MANY; i++)
        OK(cudaGraphAddDependencies(graph, &nodes[i], &nodes[MANY - 1], 1));
    for (size_t i = 0; i < MANY; i++)
        if ((i + 1) % FEW)
            OK(cudaGraphDestroyNode(nodes[i]));
    OK(cudaGraphGetEdges(graph, NULL, NULL, &count));
    MUST(count == MANY / FEW - 1);
    OK(cudaGraphClone(&clone, graph));
    OK(cudaGraphInstantiate(&exec, graph, NULL, NULL, 0));
    for (size_t i = FEW - 1; i < MANY; i += FEW) {
        struct cudaHostNodeParams node = {note, (void *)(uintptr_t)(MANY + i)};
        OK(cudaGraphExecHostNodeSetParams(exec, nodes[i], &node));
        OK(cudaGraphNodeFindInClone(&found, nodes[i], clone));
        OK(cudaGraphHostNodeGetParams(found, &node));
        MUST((uintptr_t)node.userData == i);
    }
    n_ran = 0;
    OK(cudaGraphLaunch(exec, NULL));
    OK(cudaDeviceSynchronize());
    MUST(n_ran == MANY / FEW);
    for (size_t i = 0; i < n_ran; i++)
        MUST(ran[i] == MANY + FEW * (i + 1) - 1);
    OK(cudaGraphExecDestroy(exec));
    OK(cudaGraphDestroy(clone));
    OK(cudaGraphDestroy(graph));
}

int main(void)
{
    for (uint32_t edges = 0; edges <= 4 * NODES; edges += NODES / 2)
        by_chance(edges + 1, edges);
    against_the_order();
    destroyed();
    return 0;
}
