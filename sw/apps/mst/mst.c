#include "sw/apps/mst/mst.h"

#include <inttypes.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "base/error.h"

struct edge {
    uint32_t weight, from, to;
};

static uint32_t *make_sets(uint32_t nodes)
{
    uint32_t *parent = ALLOC_ARRAY(uint32_t, nodes);
    for (uint32_t v = 0; v < nodes; v++)
        parent[v] = v;
    return parent;
}

static uint32_t set_of(uint32_t *parent, uint32_t node)
{
    while (parent[node] != node) {
        parent[node] = parent[parent[node]];
        node = parent[node];
    }
    return node;
}

/* False: they are of one set already. */
static bool join(uint32_t *parent, uint32_t a, uint32_t b)
{
    a = set_of(parent, a);
    b = set_of(parent, b);
    if (a == b)
        return false;
    parent[a] = b;
    return true;
}

static int by_weight(const void *a, const void *b)
{
    const struct edge *x = a, *y = b;
    return (x->weight > y->weight) - (x->weight < y->weight);
}

struct mst mst_reference(const struct graph *graph)
{
    struct mst mst = {0};
    struct edge *edges = ALLOC_ARRAY(struct edge, graph->arcs ? graph->arcs : 1);
    uint32_t *parent = make_sets(graph->nodes), count = 0;
    for (uint32_t v = 0; v < graph->nodes; v++)
        for (uint32_t a = graph->rows[v]; a < graph->rows[v + 1]; a++)
            if (v < graph->columns[a])
                edges[count++] = (struct edge){graph->weights[a], v, graph->columns[a]};
    qsort(edges, count, sizeof *edges, by_weight);
    for (uint32_t i = 0; i < count; i++)
        if (join(parent, edges[i].from, edges[i].to)) {
            mst.weight += edges[i].weight;
            mst.edges++;
        }
    free(edges);
    free(parent);
    return mst;
}

static uint32_t origin(const struct graph *graph, uint32_t arc)
{
    uint32_t low = 0, high = graph->nodes; /* rows[low] <= arc < rows[high] */
    while (high - low > 1) {
        uint32_t middle = low + (high - low) / 2;
        if (graph->rows[middle] <= arc)
            low = middle;
        else
            high = middle;
    }
    return low;
}

static bool check_arcs(const struct graph *graph, const struct mst *got, const uint32_t *arcs,
                       struct error *err)
{
    uint32_t *parent = make_sets(graph->nodes);
    uint64_t weight = 0;
    bool good = true;
    for (uint32_t i = 0; good && i < got->edges; i++) {
        if (arcs[i] >= graph->arcs) {
            good = error_set(err, "edge %u is arc %u of %u", i, arcs[i], graph->arcs);
            break;
        }
        uint32_t from = origin(graph, arcs[i]), to = graph->columns[arcs[i]];
        weight += graph->weights[arcs[i]];
        if (!join(parent, from, to))
            good = error_set(err, "edge %u, from %u to %u, closes a cycle", i, from, to);
    }
    if (good && weight != got->weight)
        good = error_set(err, "the edges weigh %" PRIu64 ", but the reported sum is %" PRIu64,
                         weight, got->weight);
    free(parent);
    return good;
}

bool mst_check(const struct graph *graph, const struct mst *got, const uint32_t *arcs,
               struct error *err)
{
    struct mst want = mst_reference(graph);
    if (got->edges != want.edges)
        return error_set(err, "%u edges, but the host has %u", got->edges, want.edges);
    if (got->weight != want.weight)
        return error_set(err, "weight %" PRIu64 ", but the host has %" PRIu64, got->weight,
                         want.weight);
    return check_arcs(graph, got, arcs, err);
}
