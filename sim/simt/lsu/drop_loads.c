/* Dropping the loads of a warp: it is again where the oldest of them was issued, and replays them
 * when it goes on (EDGE IV-D).
 *
 * With drop_unsafe a load is dropped after later instructions have completed, too. EDGE's artifact
 * does so, and then repeats these instructions: `x = x + 1` twice. Here the warp keeps the loads'
 * values and goes on behind them, so that results stay right; every such drop is counted, and what
 * the victim would take to load again is not in its time. */
#include "sim/simt/lsu/lsu.h"

#define POISON 0xDEADDEADu

/* The load's data never arrived. */
static void poison(const struct slots *slots, const struct access *a)
{
    struct lane_ctx *ctx = warp_ctx(&slots->warps, a->warp);
    for (uint32_t i = 0; i < REG_SET_WORDS - 1; i++) {
        for (uint64_t m = a->inst->def_set[i]; m; m &= m - 1) {
            uint32_t *row = ctx->reg[i * 64 + lowest(m)];
            for (uint32_t lanes = a->mask; lanes; lanes &= lanes - 1)
                row[lowest(lanes)] = POISON;
        }
    }
}

void drop_loads(struct lsu *l, uint32_t w)
{
    struct slots *slots = l->slots;
    const struct access *first = lsu_oldest_load(l, w);
    if (!first)
        return;
    bool wrong = issue_final(&slots->scoreboard, w) > first->seq;
    if (wrong && !slots->config.drop_unsafe) {
        fail_with(slots,
                  "event unit: loads of warp %u dropped after a younger instruction has completed",
                  w);
        return;
    }
    for (const struct access *a = first; a; a = lsu_next_load(l, a)) {
        pending_clear(&slots->scoreboard, w, a->inst);
        replay_dropped(&l->replay);
        if (!wrong)
            poison(slots, a);
    }
    if (wrong) {
        replay_wrong(&l->replay);
    } else {
        stack_go_back(&slots->stacks, w, &first->point);
        replay_undo(&l->replay, w, first->seq);
    }
    lsu_forget_loads(l, w);
    replay_clear(&l->replay, w);
    ibuffer_flush(&slots->ibuffers, w);
    ready_refresh(slots, w);
    warp_settle(slots, w);
}
