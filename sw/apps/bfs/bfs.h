/* Host side of sw/apps/bfs/bfs.cu: graphs in compressed sparse rows and the reference search. */
#ifndef EVGPU_SW_BFS_H
#define EVGPU_SW_BFS_H

#include <stdbool.h>
#include <stdint.h>

struct error; /* base/error.h */

#define BFS_UNREACHED UINT32_MAX

/* Neighbours of node v: columns[rows[v]] .. columns[rows[v + 1] - 1]. */
struct bfs_graph {
    uint32_t nodes, edges;
    uint32_t *rows;    /* nodes + 1 */
    uint32_t *columns; /* edges */
};

/* Random directed graph: every node gets 1 .. 2 * degree - 1 edges to uniform targets;
 * deterministic in `seed`. nodes > 0, 0 < degree < 2^12, nodes * degree < 2^30. */
bool bfs_generate(uint64_t seed, uint32_t nodes, uint32_t degree, struct bfs_graph *graph,
                  struct error *err);
void bfs_free(struct bfs_graph *graph);

/* Distances from `source`, BFS_UNREACHED where there is no path; returns the number of kernel
 * launches it takes: the levels that have nodes, the last of which finds nothing new. */
uint32_t bfs_reference(const struct bfs_graph *graph, uint32_t source, uint32_t *distance);

#endif
