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
#include "sim/simt/core_internal.h"

void barriers_create(struct core *c)
{
    c->barriers.block = ALLOC_ARRAY(struct block_barriers, c->config.blocks);
}

void barriers_destroy(struct core *c)
{
    free(c->barriers.block);
}

void barriers_start(struct barriers *b, uint32_t block)
{
    memset(&b->block[block], 0, sizeof b->block[block]);
    for (uint32_t i = 0; i < BARRIERS; i++)
        b->block[block].barrier[i].all = true;
}

void barrier_apply_result(struct core *c, uint32_t w)
{
    struct bar_result *r = &c->barriers.result[w];
    if (!r->ready)
        return;
    isa_barrier_result(r->inst, warp_ctx(&c->warps, w), r->mask, r->value);
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

static void wake(struct core *c, uint32_t w, const struct barrier *barrier)
{
    uint64_t bit = BIT(w);
    struct bar_result *r = &c->barriers.result[w];
    if (r->inst) {
        r->value = result(r->inst, barrier);
        r->ready = true;
        if (!(events_displaced(&c->events) & bit))
            barrier_apply_result(c, w);
    }
    uint64_t borrowed = events_borrowed(&c->events);
    if ((borrowed | port_victim(&c->port)) & bit)
        port_barrier_done(&c->port, w);
    if (borrowed & bit) {
        event_victim_woken(&c->events, w);
        return;
    }
    c->barriers.waiting &= ~bit;
    issue_refresh(c, w);
}

static void open_barrier(struct core *c, uint32_t block, uint32_t number)
{
    struct block_barriers *all = &c->barriers.block[block];
    struct barrier *barrier = &all->barrier[number];
    issue_limit_stale(&c->issue);
    for (uint64_t m = barrier->waiting; m; m &= m - 1)
        wake(c, lowest(m), barrier);
    memset(barrier, 0, sizeof *barrier);
    barrier->all = true;
    all->used = (uint16_t)(all->used & ~(1u << number));
}

static void check(struct core *c, uint32_t block, uint32_t number)
{
    const struct barrier *barrier = &c->barriers.block[block].barrier[number];
    uint32_t expected = barrier->expected ? barrier->expected : block_live(&c->blocks, block);
    if (barrier->arrived < expected)
        return;
    c->barriers.completed++;
    if (c->env.check)
        check_release(c, block, number, barrier->waiting);
    open_barrier(c, block, number);
}

void barriers_open(struct core *c, uint32_t block)
{
    for (uint32_t m = c->barriers.block[block].used; m; m &= m - 1)
        open_barrier(c, block, lowest(m));
}

void barrier_warp_exited(struct core *c, uint32_t block)
{
    for (uint32_t m = c->barriers.block[block].used; m; m &= m - 1)
        check(c, block, lowest(m));
}

/* An event is one warp: whatever it waits for is there. */
static void arrive_alone(struct core *c, uint32_t w, const struct inst *inst, uint32_t mask,
                         uint32_t lanes)
{
    struct barrier alone = {.popc = lanes_count(lanes), .all = lanes == mask, .any = lanes != 0};
    if (inst->bar_kind >= BAR_RED_POPC)
        isa_barrier_result(inst, warp_ctx(&c->warps, w), mask, result(inst, &alone));
}

void barrier_arrive(struct core *c, uint32_t w, const struct inst *inst, uint32_t mask)
{
    uint32_t block = warp_of(&c->warps, w)->block;
    uint32_t number, threads, lanes;
    isa_barrier_operands(inst, warp_ctx(&c->warps, w), mask, &number, &threads, &lanes);
    lanes &= mask;
    if (block == NO_BLOCK) {
        arrive_alone(c, w, inst, mask, lanes);
        return;
    }
    if (number >= BARRIERS || threads % WARP_SIZE ||
        threads / WARP_SIZE > block_warps(&c->blocks, block) ||
        (inst->bar_kind == BAR_ARRIVE && !threads)) {
        fail_at(c, w, inst, lowest(mask), FAULT_INSTRUCTION,
                number >= BARRIERS ? "the barrier number is not below 16"
                                   : "the barrier's thread count is not a multiple of 32 of the "
                                     "block's threads");
        return;
    }
    struct block_barriers *all = &c->barriers.block[block];
    struct barrier *barrier = &all->barrier[number];
    all->used = (uint16_t)(all->used | 1u << number);
    barrier->expected = threads / WARP_SIZE;
    barrier->arrived++;
    if (c->env.check)
        check_arrive(c, w, inst, mask, number);
    barrier->popc += lanes_count(lanes);
    barrier->all &= lanes == mask;
    barrier->any |= lanes != 0;
    if (inst->bar_kind != BAR_ARRIVE) {
        barrier->waiting |= BIT(w);
        c->barriers.waiting |= BIT(w);
        issue_limit_stale(&c->issue);
        if (inst->bar_kind >= BAR_RED_POPC)
            c->barriers.result[w] = (struct bar_result){.inst = inst, .mask = mask};
    }
    check(c, block, number);
}

void barrier_stats(const struct barriers *b, struct core_stats *stats)
{
    stats->barriers = b->completed;
}
