#include "sim/simt/pipeline/retire.h"

#include "sim/simt/pipeline/pipeline.h"

void retire_exited(struct pipeline *p, uint32_t w)
{
    struct slots *slots = p->slots;
    uint32_t block = warp_of(&slots->warps, w)->block;
    warps_exit(&slots->warps, w);
    if (!(events_borrowed(&slots->events) >> w & 1))
        event_slot_died(&slots->events, w);
    ibuffer_stop(&slots->ibuffers, w);
    ready_limit_stale(&slots->ready);
    if (block == NO_BLOCK)
        return;
    block_warp_exited(&p->blocks, block);
    barrier_warp_exited(&p->barriers, block);
}

void retire_vacate(struct pipeline *p, uint32_t w)
{
    struct slots *slots = p->slots;
    fetch_forget(&p->fetch, w);
    account_leave(&slots->accounts, w, warp_of(&slots->warps, w)->owner);
    warps_leave(&slots->warps, w);
}

static void release(struct pipeline *p, uint32_t w)
{
    const struct warp *warp = warp_of(&p->slots->warps, w);
    struct out_item *left = outbox_add(&p->slots->outbox, OUT_RELEASED);
    left->of.grid = warp->grid;
    left->of.warp_instructions = warp->warp_instructions;
    left->of.thread_instructions = warp->thread_instructions;
    account_instructions(&p->slots->accounts, warp->owner, warp->warp_instructions,
                         warp->thread_instructions);
    retire_vacate(p, w);
    block_warp_released(&p->blocks, warp->block, w);
}

/* The slot is given back when nothing is in flight any more, so that a finished block's stores have
 * been performed, and nothing is written to its shared memory any more. */
bool retire_drained(struct pipeline *p, uint32_t w)
{
    struct slots *slots = p->slots;
    uint64_t bit = BIT(w);
    if (!lsu_idle(p->lsu, w))
        return false;
    if (warps_alive(&slots->warps) & bit) {
        ready_let_go(&slots->ready, WAIT_FENCE, w);
        ready_refresh(slots, w);
        return false;
    }
    if (pipe_count(&slots->scoreboard, w) || copies_in_flight(&p->lsu->copies, w))
        return false;
    if (event_on(&slots->events, w))
        return true;
    release(p, w);
    return false;
}

void retire_doomed(struct pipeline *p, uint64_t off)
{
    struct slots *slots = p->slots;
    for (uint64_t m = warps_doomed(&slots->warps) & warps_alive(&slots->warps) & ~off; m;
         m &= m - 1) {
        uint32_t w = lowest(m);
        warps_reaped(&slots->warps, w);
        stack_end(&slots->stacks, w);
        ready_let_go(&slots->ready, WAIT_FENCE, w);
        ready_let_go(&slots->ready, WAIT_SLEEP, w);
        ready_let_go(&slots->ready, WAIT_ACCESS, w);
        ready_let_go(&slots->ready, WAIT_COPY, w);
        l2_accesses_forget(&p->lsu->l2_accesses, w);
        retire_exited(p, w);
        ready_refresh(slots, w);
        warp_settle(slots, w);
    }
}

void retire_blocks(struct pipeline *p, uint64_t blocks)
{
    for (uint64_t m = blocks; m; m &= m - 1)
        barriers_open(&p->barriers, lowest(m));
}
