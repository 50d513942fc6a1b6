/* Warps and blocks come to the core: launch.c. */
#ifndef EVGPU_SIMT_PIPELINE_LAUNCH_H
#define EVGPU_SIMT_PIPELINE_LAUNCH_H

#include "sim/simt/warp/slots.h"

struct lsu;
struct pipeline;

bool pipeline_create(struct pipeline *p, struct slots *slots, struct lsu *lsu, struct error *err);
void pipeline_destroy(struct pipeline *p);

/* Puts a warp into a free slot, `lanes` of it at instruction 0. */
void warp_start(struct pipeline *p, uint32_t w, const struct warp *warp, uint32_t lanes);
/* Block `number` of the grid starts; there is room. */
void launch_block(struct pipeline *p, struct grid *grid, uint64_t number);

#endif
