/* Warps of a block that come to a barrier of the whole block, one after the other, while nobody
 * else looks at it: none of them has to be held and woken. Owner: gathering.c. */
#ifndef EVGPU_SIMT_FUNCTIONAL_GATHERING_H
#define EVGPU_SIMT_FUNCTIONAL_GATHERING_H

#include "sim/simt/pipeline/pipeline.h"

struct gathering {
    struct barriers *barriers;
    uint32_t block, number; /* number: of the barrier at which `waiting` are */
    uint64_t all;           /* the block's warps; 0: they do not gather here */
    uint64_t waiting;
    const struct inst *usual; /* the last barrier here, if it names its number; NULL: it does not */
};

enum gathered { GATHERED_NOT, GATHERED_WAITS, GATHERED_PASSES };

static inline bool gathering_waits(const struct gathering *g, uint32_t w)
{
    return g->waiting >> w & 1;
}

static inline enum gathered gathering_add(struct gathering *g, uint32_t w)
{
    g->waiting |= BIT(w);
    if (g->waiting != g->all)
        return GATHERED_WAITS;
    g->waiting = 0;
    barrier_passed(g->barriers);
    return GATHERED_PASSES;
}

static inline bool is_same_barrier(const struct inst *a, const struct inst *b)
{
    return a == b || (a->class == b->class && a->bar_kind == b->bar_kind && a->guard == b->guard &&
                      a->op.src[0] == b->op.src[0] && a->op.src[1] == b->op.src[1]);
}

/* All lanes are at `inst`. GATHERED_NOT: gathering_arrive has to look at it, and nothing has
 * happened. */
static inline enum gathered gathering_arrive_usual(struct gathering *g, uint32_t w,
                                                   const struct inst *inst)
{
    return g->all && g->usual && is_same_barrier(inst, g->usual) ? gathering_add(g, w)
                                                                 : GATHERED_NOT;
}

/* The lanes of `mask`, which is not 0, are at the barrier `inst`. GATHERED_NOT: at one of another
 * kind, and nothing has happened. */
enum gathered gathering_arrive(struct gathering *g, uint32_t w, const struct inst *inst,
                               uint32_t mask);
/* `left`: the block's warps that have not exited. To be called when nobody waits here. */
void gathering_start(struct gathering *g, uint64_t left);
/* Those who wait do so at the barrier itself. To be called before anybody looks at it. */
void gathering_end(struct gathering *g);

#endif
