/* Barriers: bar.sync, bar.arrive and bar.red, 16 per block, counted in warps (PTX ISA, bar).
 *
 * A warp that an event has borrowed stays counted: its barrier can complete under the event, which
 * is reported through bar_done, and what bar.red returns is kept until the warp goes on (EDGE IV-D:
 * "the victim warp is correctly re-inserted into the barrier"). */
#include "sim/simt/core_internal.h"

#include <string.h>

/* The state of the block's warp in a slot, also when an event runs there. */
static struct warp *block_warp(struct core *c, uint32_t w)
{
    if ((c->borrowed & BIT(w)) && warp_is_event(c, w))
        return &c->event[c->warp[w].entry].victim;
    return &c->warp[w];
}

void barrier_apply_result(struct core *c, uint32_t w)
{
    struct warp *warp = &c->warp[w];
    if (!warp->bar_ready)
        return;
    isa_barrier_result(warp->bar_inst, warp->ctx, warp->bar_mask, warp->bar_value);
    warp->bar_ready = false;
    warp->bar_inst = NULL;
}

static uint32_t result(const struct inst *inst, const struct barrier *barrier)
{
    switch ((enum bar_kind)inst->bar_kind) {
    case BAR_RED_POPC:
        return barrier->popc;
    case BAR_RED_AND:
        return barrier->all ? FULL_MASK : 0;
    default:
        return barrier->any ? FULL_MASK : 0;
    }
}

static void wake(struct core *c, uint32_t w, const struct barrier *barrier)
{
    uint64_t bit = BIT(w);
    struct warp *warp = block_warp(c, w);
    if (warp->bar_inst) {
        warp->bar_value = result(warp->bar_inst, barrier);
        warp->bar_ready = true;
        if (!((c->borrowed | c->saving) & bit))
            barrier_apply_result(c, w);
    }
    if ((c->borrowed & bit) || (c->vic_valid && c->vic_slot == w))
        c->bar_done |= bit;
    if (c->borrowed & bit) {
        c->victim_waits &= ~bit;
        return;
    }
    c->at_barrier &= ~bit;
    warp_refresh(c, w);
}

static void check(struct core *c, struct block *block, uint32_t number)
{
    struct barrier *barrier = &block->barrier[number];
    uint32_t expected = barrier->expected ? barrier->expected : block->live;
    if (barrier->arrived < expected)
        return;
    c->stats.barriers++;
    c->limit_stale = true;
    for (uint64_t m = barrier->waiting; m; m &= m - 1)
        wake(c, lowest(m), barrier);
    memset(barrier, 0, sizeof *barrier);
    barrier->all = true;
    block->barriers = (uint16_t)(block->barriers & ~(1u << number));
}

void barrier_warp_exited(struct core *c, struct block *block)
{
    for (uint32_t m = block->barriers; m; m &= m - 1)
        check(c, block, lowest(m));
}

/* An event is one warp: whatever it waits for is there. */
static void arrive_alone(struct core *c, uint32_t w, const struct inst *inst, uint32_t mask,
                         uint32_t lanes)
{
    struct barrier alone = {.popc = lanes_count(lanes), .all = lanes == mask, .any = lanes != 0};
    if (inst->bar_kind >= BAR_RED_POPC)
        isa_barrier_result(inst, c->ctx[w], mask, result(inst, &alone));
}

void barrier_arrive(struct core *c, uint32_t w, const struct inst *inst, uint32_t mask)
{
    struct warp *warp = &c->warp[w];
    uint32_t number, threads, lanes;
    isa_barrier_operands(inst, c->ctx[w], mask, &number, &threads, &lanes);
    lanes &= mask;
    if (warp->block == NO_BLOCK) {
        arrive_alone(c, w, inst, mask, lanes);
        return;
    }
    struct block *block = &c->blocks[warp->block];
    if (number >= BARRIERS || threads % WARP_SIZE || threads / WARP_SIZE > block->warps ||
        (inst->bar_kind == BAR_ARRIVE && !threads)) {
        fail_at(c, w, inst, lowest(mask),
                number >= BARRIERS ? "the barrier number is not below 16"
                                   : "the barrier's thread count is not a multiple of 32 of the "
                                     "block's threads");
        return;
    }
    struct barrier *barrier = &block->barrier[number];
    block->barriers = (uint16_t)(block->barriers | 1u << number);
    barrier->expected = threads / WARP_SIZE;
    barrier->arrived++;
    barrier->popc += lanes_count(lanes);
    barrier->all &= lanes == mask;
    barrier->any |= lanes != 0;
    if (inst->bar_kind != BAR_ARRIVE) {
        barrier->waiting |= BIT(w);
        c->at_barrier |= BIT(w);
        c->limit_stale = true;
        if (inst->bar_kind >= BAR_RED_POPC) {
            warp->bar_inst = inst;
            warp->bar_mask = mask;
        }
    }
    check(c, block, number);
}
