/* Weighted graphs for the applications: made from a seed or read from a DIMACS file. */
#ifndef EVGPU_SW_GRAPH_H
#define EVGPU_SW_GRAPH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct error; /* base/error.h */

#define GRAPH_MAX_ARCS (1u << 28)

/* Compressed sparse rows: the arcs of node v are rows[v] .. rows[v + 1] - 1, arc a goes to
 * columns[a]. */
struct graph {
    uint32_t nodes, arcs;
    uint32_t *rows;    /* nodes + 1 */
    uint32_t *columns; /* arcs */
    uint32_t *weights; /* arcs; 1 or more when generated */
};

enum graph_kind {
    GRAPH_RMAT,  /* nodes is rounded up to a power of two; quadrants 0.45, 0.15, 0.15, 0.25 as
                    GTgraph's */
    GRAPH_ROAD,  /* a grid with a tenth of its streets missing and a few long ones; both directions
                  */
    GRAPH_RANDOM /* uniform ends */
};
extern const char *const graph_kinds[]; /* their names; ends with NULL */

struct graph_request {
    enum graph_kind kind;
    uint32_t nodes;      /* 2 or more */
    uint32_t degree;     /* mean arcs of a node before `symmetric`; a road has its own */
    uint32_t max_weight; /* weights are uniform in 1 .. max_weight */
    uint64_t seed;
    bool symmetric; /* every arc also in the other direction, with its weight */
};

/* Deterministic in the request; no arc from a node to itself. False: too many arcs. */
bool graph_generate(const struct graph_request *request, struct graph *graph, struct error *err);

/* A DIMACS shortest-path file: `p sp NODES ARCS`, then `a FROM TO WEIGHT` with nodes from 1,
 * comments `c`. `text` ends with a zero; `path` is for messages, which are PATH:LINE: TEXT. */
bool graph_parse(const char *path, const char *text, bool symmetric, struct graph *graph,
                 struct error *err);

void graph_free(struct graph *graph);

#endif
