#include "sw/apps/bfs/bfs.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/rng.h"

bool bfs_generate(uint64_t seed, uint32_t nodes, uint32_t degree, struct bfs_graph *graph,
                  struct error *err)
{
    *graph = (struct bfs_graph){0};
    if (nodes == 0)
        return error_set(err, "graph: the number of nodes must be at least 1");
    if (degree == 0 || degree >= 1u << 12)
        return error_set(err, "graph: the degree is %u; it must be 1..%u", degree, (1u << 12) - 1);
    if ((uint64_t)nodes * degree >= 1u << 30)
        return error_set(err, "graph: %u nodes of degree %u have too many edges", nodes, degree);
    struct rng rng;
    rng_seed(&rng, seed);
    graph->nodes = nodes;
    graph->rows = ALLOC_ARRAY(uint32_t, (size_t)nodes + 1);
    for (uint32_t v = 0; v < nodes; v++)
        graph->rows[v + 1] = graph->rows[v] + 1 + rng_below(&rng, 2 * degree - 1);
    graph->edges = graph->rows[nodes];
    graph->columns = ALLOC_ARRAY(uint32_t, graph->edges);
    for (uint32_t e = 0; e < graph->edges; e++)
        graph->columns[e] = rng_below(&rng, nodes);
    return true;
}

void bfs_free(struct bfs_graph *graph)
{
    free(graph->rows);
    free(graph->columns);
    *graph = (struct bfs_graph){0};
}

uint32_t bfs_reference(const struct bfs_graph *graph, uint32_t source, uint32_t *distance)
{
    for (uint32_t v = 0; v < graph->nodes; v++)
        distance[v] = BFS_UNREACHED;
    uint32_t *queue = ALLOC_ARRAY(uint32_t, graph->nodes);
    uint32_t read = 0, written = 1;
    queue[0] = source;
    distance[source] = 0;
    uint32_t deepest = 0;
    while (read < written) {
        uint32_t node = queue[read++];
        deepest = distance[node];
        for (uint32_t e = graph->rows[node]; e < graph->rows[node + 1]; e++) {
            uint32_t next = graph->columns[e];
            if (distance[next] != BFS_UNREACHED)
                continue;
            distance[next] = deepest + 1;
            queue[written++] = next;
        }
    }
    free(queue);
    return deepest + 1;
}
