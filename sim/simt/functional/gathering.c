#include "sim/simt/functional/gathering.h"

void gathering_start(struct gathering *g, uint64_t left)
{
    const struct slots *slots = g->barriers->slots;
    uint64_t events = events_borrowed(&slots->events) | events_victim(&slots->events);
    bool alone = barriers_clear(g->barriers, g->block) && !slots->env.check &&
                 !((events | warps_doomed(&slots->warps)) & left) &&
                 (uint32_t)__builtin_popcountll(left) == block_live(g->barriers->blocks, g->block);
    g->all = alone ? left : 0;
}

void gathering_end(struct gathering *g)
{
    if (g->waiting)
        barrier_hold(g->barriers, g->block, g->number, g->waiting);
    g->all = g->waiting = 0;
}

enum gathered gathering_arrive(struct gathering *g, uint32_t w, const struct inst *inst,
                               uint32_t mask)
{
    uint32_t number, threads, lanes;
    if (!g->all || inst->bar_kind != BAR_SYNC)
        return GATHERED_NOT;
    isa_barrier_operands(inst, warp_ctx(&g->barriers->slots->warps, w), mask, &number, &threads,
                         &lanes);
    if (threads || number >= BARRIERS || (g->waiting && number != g->number))
        return GATHERED_NOT;
    g->number = number;
    g->usual = inst->guard == NO_GUARD && isa_barrier_fixed(inst) ? inst : NULL;
    return gathering_add(g, w);
}
