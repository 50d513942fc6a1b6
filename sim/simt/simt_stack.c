/* SIMT stack with immediate post-dominator reconvergence.
 *
 * The top entry lives in pc, active and rpc of the warp; the entries below it are in
 * stack[0..depth). A pop leaves them as they are, so that dropping loads can put the top back (EDGE
 * IV-D). An event on a victim starts with `base` above the victim's entries. */
#include "sim/simt/simt_stack.h"

#include <stdlib.h>

#include "sim/base/alloc.h"
#include "sim/simt/core_internal.h"

void stacks_create(struct core *c)
{
    c->stacks.entry = alloc_array(c->config.warps, sizeof *c->stacks.entry);
}

void stacks_destroy(struct core *c)
{
    free(c->stacks.entry);
}

void stack_start(struct core *c, uint32_t w, uint32_t lanes)
{
    c->stacks.pc[w] = 0;
    c->stacks.rpc[w] = NO_RECONV;
    c->stacks.active[w] = lanes;
    c->stacks.depth[w] = c->stacks.base[w] = 0;
}

static bool stack_push(struct core *c, uint32_t w, uint32_t pc, uint32_t rpc, uint32_t mask)
{
    if (c->stacks.depth[w] == STACK_ENTRIES) {
        fail_at(c, w, warp_code(&c->warps, w) + c->stacks.pc[w], lowest(mask),
                "the SIMT stack is full");
        return false;
    }
    c->stacks.entry[w][c->stacks.depth[w]++] = (struct stack_entry){pc, rpc, mask};
    return true;
}

static void load_top(struct core *c, uint32_t w)
{
    const struct stack_entry *e = &c->stacks.entry[w][--c->stacks.depth[w]];
    c->stacks.pc[w] = e->pc;
    c->stacks.rpc[w] = e->rpc;
    c->stacks.active[w] = e->mask;
}

/* Pops what has reconverged or has lost its lanes. */
static bool settle(struct core *c, uint32_t w)
{
    while (!c->stacks.active[w] || c->stacks.pc[w] == c->stacks.rpc[w]) {
        if (c->stacks.depth[w] == c->stacks.base[w])
            return c->stacks.active[w] != 0;
        load_top(c, w);
    }
    return true;
}

/* The instruction at `old` has been issued; the i-buffer goes on if the next one follows it. */
static void moved(struct core *c, uint32_t w, uint32_t old)
{
    if (c->stacks.pc[w] == old + 1)
        fetch_consume(&c->fetch, w);
    else
        fetch_flush(&c->fetch, w);
}

void stack_advance(struct core *c, uint32_t w)
{
    uint32_t old = c->stacks.pc[w]++;
    if (c->stacks.pc[w] == c->stacks.rpc[w])
        settle(c, w);
    moved(c, w, old);
}

void stack_branch(struct core *c, uint32_t w, const struct inst *inst, uint32_t taken)
{
    uint32_t old = c->stacks.pc[w], next = old + 1;
    uint32_t stay = c->stacks.active[w] & ~taken;
    if (!taken || !stay || inst->target == next) {
        c->stacks.pc[w] = taken ? inst->target : next;
    } else {
        uint32_t join = inst->reconv;
        if (join == NO_RECONV)
            join = c->stacks.rpc[w];
        else if (join != c->stacks.rpc[w] &&
                 !stack_push(c, w, join, c->stacks.rpc[w], c->stacks.active[w]))
            return;
        bool both = inst->target != join && next != join;
        if (both && !stack_push(c, w, inst->target, join, taken))
            return;
        c->stacks.rpc[w] = join;
        /* The lanes that fall through go first: their instructions are in the i-buffer. */
        bool through = next != join;
        c->stacks.pc[w] = through ? next : inst->target;
        c->stacks.active[w] = through ? stay : taken;
    }
    settle(c, w);
    moved(c, w, old);
}

bool stack_exit(struct core *c, uint32_t w, uint32_t lanes)
{
    uint32_t old = c->stacks.pc[w];
    for (uint32_t i = c->stacks.base[w]; i < c->stacks.depth[w]; i++)
        c->stacks.entry[w][i].mask &= ~lanes;
    c->stacks.active[w] &= ~lanes;
    c->stacks.pc[w] = old + 1;
    bool left = settle(c, w);
    if (left)
        moved(c, w, old);
    return left;
}

void stack_go_back(struct core *c, uint32_t w, const struct stack_point *to)
{
    c->stacks.pc[w] = to->pc;
    c->stacks.active[w] = to->active;
    c->stacks.rpc[w] = to->rpc;
    c->stacks.depth[w] = to->depth;
}

void stack_push_event(struct core *c, uint32_t w, uint32_t mask)
{
    if (!stack_push(c, w, c->stacks.pc[w], c->stacks.rpc[w], c->stacks.active[w]))
        return;
    c->stacks.base[w] = c->stacks.depth[w];
    c->stacks.pc[w] = 0;
    c->stacks.rpc[w] = NO_RECONV;
    c->stacks.active[w] = mask;
}

void stack_pop_event(struct core *c, uint32_t w)
{
    c->stacks.depth[w] = c->stacks.base[w];
    c->stacks.base[w] = 0;
    load_top(c, w);
}
