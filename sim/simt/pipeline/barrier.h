/* Barriers of the blocks on a core. Owner: barrier.c. */
#ifndef EVGPU_SIMT_PIPELINE_BARRIER_H
#define EVGPU_SIMT_PIPELINE_BARRIER_H

#include "sim/simt/pipeline/block.h"
#include "sim/simt/warp/slots.h"

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
    struct slots *slots;
    const struct blocks *blocks;
    struct block_barriers *block; /* per block slot */
    struct bar_result result[SLOTS];
    uint64_t completed;
};

/* An event takes the slot: what of its warp waits, waits under the event. True: it does. */
static inline bool barrier_suspend(struct barriers *b, uint32_t w)
{
    bool was = ready_held(&b->slots->ready, WAIT_BARRIER) >> w & 1;
    ready_let_go(&b->slots->ready, WAIT_BARRIER, w);
    return was;
}

static inline void barrier_reenter(struct barriers *b, uint32_t w)
{
    ready_hold(&b->slots->ready, WAIT_BARRIER, w);
}

/* Nobody has arrived at a barrier of the block that has not opened. */
static inline bool barriers_clear(const struct barriers *b, uint32_t block)
{
    return !b->block[block].used;
}

/* All have come to a barrier without waiting here (functional/gathering.h). */
static inline void barrier_passed(struct barriers *b)
{
    b->completed++;
}

void barriers_create(struct barriers *b, struct slots *slots, const struct blocks *blocks);
void barriers_destroy(struct barriers *b);
void barriers_start(struct barriers *b, uint32_t block);
void barrier_arrive(struct barriers *b, uint32_t w, const struct inst *inst, uint32_t mask);
/* The warps have arrived by bar.sync at a barrier of the whole block, and others have not. */
void barrier_hold(struct barriers *b, uint32_t block, uint32_t number, uint64_t warps);
void barrier_warp_exited(struct barriers *b, uint32_t block);
void barriers_open(struct barriers *b, uint32_t block); /* whoever has not arrived will not */
void barrier_apply_result(struct barriers *b, uint32_t w);
void barrier_stats(const struct barriers *b, struct core_stats *stats);

#endif
