/* Warps leave the core: they exit, and give back their slots when nothing of theirs is in flight.
 * retire.c. */
#ifndef EVGPU_SIMT_PIPELINE_RETIRE_H
#define EVGPU_SIMT_PIPELINE_RETIRE_H

#include "sim/simt/warp/slots.h"

struct pipeline;

/* The last lane has executed exit; warp_settle follows. */
void retire_exited(struct pipeline *p, uint32_t w);
/* Something of the warp is done: a fence ends, or a warp that has exited gives back its slot. True:
 * it is an event that has come to its end, which keeps the slot until the tile takes it off. */
bool retire_drained(struct pipeline *p, uint32_t w);
/* Doomed warps exit, but for those of `off`. */
void retire_doomed(struct pipeline *p, uint64_t off);
/* The slot is free again. */
void retire_vacate(struct pipeline *p, uint32_t w);
/* Nobody waits any more at a barrier of these blocks: a mask of their slots. */
void retire_blocks(struct pipeline *p, uint64_t blocks);

#endif
