/* Barriers of the blocks on a core. Owner: barrier.c. */
#ifndef EVGPU_SIMT_PIPELINE_BARRIER_H
#define EVGPU_SIMT_PIPELINE_BARRIER_H

#include "sim/simt/units.h"

#define BARRIERS 16 /* per block */

struct core;
struct core_stats;

struct barrier {
    uint64_t waiting;           /* warp slots */
    uint32_t arrived, expected; /* warps; expected 0: every live warp of the block */
    uint32_t popc;
    bool all, any;
};

struct block_barriers {
    uint16_t used; /* bit b: barrier b has arrivals */
    struct barrier barrier[BARRIERS];
};

/* bar.red of a slot's block warp: waiting for its result, or a result not to be written yet. */
struct bar_result {
    const struct inst *inst;
    uint32_t mask, value;
    bool ready;
};

struct barriers {
    uint64_t waiting;             /* warp slots; victims under events are not in it */
    struct block_barriers *block; /* per block slot */
    struct bar_result result[SLOTS];
    uint64_t completed;
};

static inline uint64_t barriers_waiting(const struct barriers *b)
{
    return b->waiting;
}

/* An event takes the slot: what of its warp waits, waits under the event. */
static inline bool barrier_suspend(struct barriers *b, uint32_t w)
{
    bool was = b->waiting >> w & 1;
    b->waiting &= ~BIT(w);
    return was;
}

static inline void barrier_reenter(struct barriers *b, uint32_t w)
{
    b->waiting |= BIT(w);
}

void barriers_create(struct core *c);
void barriers_destroy(struct core *c);
void barriers_start(struct barriers *b, uint32_t block);
void barrier_arrive(struct core *c, uint32_t w, const struct inst *inst, uint32_t mask);
void barrier_warp_exited(struct core *c, uint32_t block);
void barriers_open(struct core *c, uint32_t block); /* whoever has not arrived will not */
void barrier_apply_result(struct core *c, uint32_t w);
void barrier_stats(const struct barriers *b, struct core_stats *stats);

#endif
