/* Searches on the GPU (sw/apps/bfs/bfs.cu). */
#ifndef EVGPU_SW_BFS_SEARCH_H
#define EVGPU_SW_BFS_SEARCH_H

#include "sw/apps/bfs/bfs.h"
#include "sw/apps/common/app.h"
#include "sw/apps/common/offload.h"

struct bfs_search {
    struct app *app;
    const struct bfs_graph *graph;
    uint32_t source, block; /* threads of a block */
    uint32_t *distance;     /* result, a word per node */
    uint32_t levels;        /* result */
};

struct app_launch bfs_launch(const struct bfs_search *s, const char *kernel);

/* A word per node, as before the first level. */
CUdeviceptr bfs_unreached(const struct bfs_search *s);

/* Rodinia's form, by a pattern of calls (sw/apps/common/offload.h). What does not depend on the
 * graph is on the GPU before the data are ready: the masks and the costs before the first level. */
void bfs_search_masks(struct bfs_search *s, enum offload_mode mode);

#endif
