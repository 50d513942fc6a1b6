/* Host side of sw/apps/mst/mst.cu. */
#ifndef EVGPU_SW_MST_H
#define EVGPU_SW_MST_H

#include <stdbool.h>
#include <stdint.h>

#include "sw/apps/common/graph.h"

struct error; /* base/error.h */

struct mst {
    uint64_t weight; /* of all edges together */
    uint32_t edges;  /* nodes without the trees, of which a node without edges is one */
};

/* Kruskal's algorithm; the graph has every edge in both directions. */
struct mst mst_reference(const struct graph *graph);

/* Whether `arcs`, `got.edges` in number, are a minimum spanning forest: as many as the reference's,
 * without a cycle, of `got.weight` together, and that the reference's. With several of that weight
 * each is right. */
bool mst_check(const struct graph *graph, const struct mst *got, const uint32_t *arcs,
               struct error *err);

#endif
