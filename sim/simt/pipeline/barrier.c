/* Barriers: bar.sync, bar.arrive and bar.red, 16 per block, counted in warps (PTX ISA, bar).
 *
 * A warp that an event has borrowed stays counted: its barrier can complete under the event, which
 * is reported through bar_done, and what bar.red returns is kept until the warp goes on (EDGE IV-D:
 * "the victim warp is correctly re-inserted into the barrier"). */
#include "sim/simt/pipeline/barrier.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "sim/simt/check/check.h"

void barriers_create(struct barriers *b, struct slots *slots, const struct blocks *blocks)
{
    b->slots = slots;
    b->blocks = blocks;
    b->block = ALLOC_ARRAY(struct block_barriers, slots->config.blocks);
}

void barriers_destroy(struct barriers *b)
{
    free(b->block);
}

void barriers_start(struct barriers *b, uint32_t block)
{
    memset(&b->block[block], 0, sizeof b->block[block]);
    for (uint32_t i = 0; i < BARRIERS; i++)
        b->block[block].barrier[i].all = true;
}

void barrier_apply_result(struct barriers *b, uint32_t w)
{
    struct bar_result *r = &b->result[w];
    if (!r->ready)
        return;
    isa_barrier_result(r->inst, warp_ctx(&b->slots->warps, w), r->mask, r->value);
    r->ready = false;
    r->inst = NULL;
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

static void wake(struct barriers *b, uint32_t w, const struct barrier *barrier)
{
    uint64_t bit = BIT(w);
    struct bar_result *r = &b->result[w];
    if (r->inst) {
        r->value = result(r->inst, barrier);
        r->ready = true;
        if (!(events_displaced(&b->slots->events) & bit))
            barrier_apply_result(b, w);
    }
    uint64_t borrowed = events_borrowed(&b->slots->events);
    if ((borrowed | events_victim(&b->slots->events)) & bit)
        event_victim_woken(&b->slots->events, w);
    if (borrowed & bit)
        return;
    ready_let_go(&b->slots->ready, WAIT_BARRIER, w);
    ready_refresh(b->slots, w);
}

static void open_barrier(struct barriers *b, uint32_t block, uint32_t number)
{
    struct block_barriers *all = &b->block[block];
    struct barrier *barrier = &all->barrier[number];
    ready_limit_stale(&b->slots->ready);
    for (uint64_t m = barrier->waiting; m; m &= m - 1)
        wake(b, lowest(m), barrier);
    memset(barrier, 0, sizeof *barrier);
    barrier->all = true;
    all->used = (uint16_t)(all->used & ~(1u << number));
}

static void check(struct barriers *b, uint32_t block, uint32_t number)
{
    const struct barrier *barrier = &b->block[block].barrier[number];
    uint32_t expected = barrier->expected ? barrier->expected : block_live(b->blocks, block);
    if (barrier->arrived < expected)
        return;
    b->completed++;
    if (b->slots->env.check)
        check_release(b->slots, block, number, barrier->waiting, !barrier->expected);
    open_barrier(b, block, number);
}

void barriers_open(struct barriers *b, uint32_t block)
{
    for (uint32_t m = b->block[block].used; m; m &= m - 1)
        open_barrier(b, block, lowest(m));
}

void barrier_warp_exited(struct barriers *b, uint32_t block)
{
    for (uint32_t m = b->block[block].used; m; m &= m - 1)
        check(b, block, lowest(m));
}

/* An event is one warp: whatever it waits for is there. */
static void arrive_alone(struct barriers *b, uint32_t w, const struct inst *inst, uint32_t mask,
                         uint32_t lanes)
{
    struct barrier alone = {.popc = lanes_count(lanes), .all = lanes == mask, .any = lanes != 0};
    if (inst->bar_kind >= BAR_RED_POPC)
        isa_barrier_result(inst, warp_ctx(&b->slots->warps, w), mask, result(inst, &alone));
}

void barrier_arrive(struct barriers *b, uint32_t w, const struct inst *inst, uint32_t mask)
{
    uint32_t block = warp_of(&b->slots->warps, w)->block;
    uint32_t number, threads, lanes;
    isa_barrier_operands(inst, warp_ctx(&b->slots->warps, w), mask, &number, &threads, &lanes);
    lanes &= mask;
    if (block == NO_BLOCK) {
        arrive_alone(b, w, inst, mask, lanes);
        return;
    }
    if (number >= BARRIERS || threads % WARP_SIZE ||
        threads / WARP_SIZE > block_warps(b->blocks, block) ||
        (inst->bar_kind == BAR_ARRIVE && !threads)) {
        fail_at(b->slots, w, inst, lowest(mask), FAULT_INSTRUCTION,
                number >= BARRIERS
                    ? "the barrier number must be below 16"
                    : "the barrier's thread count must be a multiple of 32 within the block");
        return;
    }
    struct block_barriers *all = &b->block[block];
    struct barrier *barrier = &all->barrier[number];
    all->used = (uint16_t)(all->used | 1u << number);
    barrier->expected = threads / WARP_SIZE;
    barrier->arrived++;
    if (b->slots->env.check)
        check_arrive(b->slots, w, inst, mask, number);
    barrier->popc += lanes_count(lanes);
    barrier->all &= lanes == mask;
    barrier->any |= lanes != 0;
    if (inst->bar_kind != BAR_ARRIVE) {
        barrier->waiting |= BIT(w);
        ready_hold(&b->slots->ready, WAIT_BARRIER, w);
        ready_limit_stale(&b->slots->ready);
        if (inst->bar_kind >= BAR_RED_POPC)
            b->result[w] = (struct bar_result){.inst = inst, .mask = mask};
    }
    check(b, block, number);
}

void barrier_hold(struct barriers *b, uint32_t block, uint32_t number, uint64_t warps)
{
    struct barrier *barrier = &b->block[block].barrier[number];
    b->block[block].used = (uint16_t)(b->block[block].used | 1u << number);
    barrier->arrived = (uint32_t)__builtin_popcountll(warps);
    barrier->waiting = warps;
    for (uint64_t m = warps; m; m &= m - 1)
        ready_hold(&b->slots->ready, WAIT_BARRIER, lowest(m));
    ready_limit_stale(&b->slots->ready);
}

void barrier_stats(const struct barriers *b, struct core_stats *stats)
{
    stats->barriers = b->completed;
}
