/* Graphs from files in Rodinia's text format: the number of nodes; for each node its first edge and
 * how many it has; the source; the number of edges; for each edge its target and a weight. */
#ifndef EVGPU_SW_BFS_FILE_H
#define EVGPU_SW_BFS_FILE_H

#include "sw/apps/bfs/bfs.h"

/* `text` ends with a zero. The edges of the nodes must follow each other. False with `err` that
 * names the node or edge; bfs_free frees the graph. */
bool bfs_parse(const char *text, struct bfs_graph *graph, uint32_t *source, struct error *err);

#endif
