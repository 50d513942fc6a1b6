#include "sw/apps/bfs/bfs_file.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "base/error.h"

struct numbers {
    const char *at;
    struct error *err;
};

/* The next number, at most `max`; `what` and `index` name it in the error. */
static bool next(struct numbers *n, uint32_t max, const char *what, uint32_t index, uint32_t *value)
{
    char *end = NULL;
    unsigned long number = strtoul(n->at, &end, 10);
    if (end == n->at)
        return error_set(n->err, "%s %u is missing or not a number", what, index);
    if (number > max)
        return error_set(n->err, "%s %u is %lu; it must be %u at most", what, index, number, max);
    *value = (uint32_t)number;
    n->at = end;
    return true;
}

static bool parse_nodes(struct numbers *n, struct bfs_graph *g)
{
    for (uint32_t v = 0; v < g->nodes; v++) {
        uint32_t first = 0, count = 0;
        if (!next(n, UINT32_MAX, "first edge of node", v, &first) ||
            !next(n, UINT32_MAX / 8, "number of edges of node", v, &count))
            return false;
        if (first != g->rows[v])
            return error_set(n->err, "first edge of node %u is %u; the nodes before have %u", v,
                             first, g->rows[v]);
        if (count > UINT32_MAX / 8 - first)
            return error_set(n->err, "node %u has too many edges", v);
        g->rows[v + 1] = first + count;
    }
    return true;
}

static bool parse_edges(struct numbers *n, struct bfs_graph *g)
{
    uint32_t weight = 0;
    if (!next(n, UINT32_MAX, "number of edges, line", 1, &g->edges))
        return false;
    if (g->edges != g->rows[g->nodes])
        return error_set(n->err, "the line of the number of edges has %u, but the nodes have %u",
                         g->edges, g->rows[g->nodes]);
    g->columns = ALLOC_ARRAY(uint32_t, g->edges ? g->edges : 1);
    for (uint32_t e = 0; e < g->edges; e++) {
        if (!next(n, g->nodes - 1, "target of edge", e, &g->columns[e]) ||
            !next(n, UINT32_MAX, "weight of edge", e, &weight))
            return false;
    }
    return true;
}

bool bfs_parse(const char *text, struct bfs_graph *graph, uint32_t *source, struct error *err)
{
    struct numbers n = {.at = text, .err = err};
    *graph = (struct bfs_graph){0};
    if (!next(&n, UINT32_MAX / 8, "number of nodes, line", 1, &graph->nodes))
        return false;
    if (!graph->nodes)
        return error_set(err, "the graph has no nodes");
    graph->rows = ALLOC_ARRAY(uint32_t, (size_t)graph->nodes + 1);
    return parse_nodes(&n, graph) && next(&n, graph->nodes - 1, "source, line", 1, source) &&
           parse_edges(&n, graph);
}
