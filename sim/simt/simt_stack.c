/* SIMT stack with immediate post-dominator reconvergence.
 *
 * The top entry lives in pc, active and rpc of the warp; the entries below it are in
 * stack[0..depth). A pop leaves them as they are, so that dropping loads can put the top back (EDGE
 * IV-D). An event on a victim starts with `base` above the victim's entries. */
#include "sim/simt/core_internal.h"

static bool stack_push(struct core *c, uint32_t w, uint32_t pc, uint32_t rpc, uint32_t mask)
{
    if (c->depth[w] == STACK_ENTRIES) {
        fail_at(c, w, c->code[w] + c->pc[w], lowest(mask), "the SIMT stack is full");
        return false;
    }
    c->stack[w][c->depth[w]++] = (struct stack_entry){pc, rpc, mask};
    return true;
}

static void load_top(struct core *c, uint32_t w)
{
    const struct stack_entry *e = &c->stack[w][--c->depth[w]];
    c->pc[w] = e->pc;
    c->rpc[w] = e->rpc;
    c->active[w] = e->mask;
}

/* Pops what has reconverged or has lost its lanes. */
static bool settle(struct core *c, uint32_t w)
{
    while (!c->active[w] || c->pc[w] == c->rpc[w]) {
        if (c->depth[w] == c->base[w])
            return c->active[w] != 0;
        load_top(c, w);
    }
    return true;
}

/* The instruction at `old` has been issued; the i-buffer goes on if the next one follows it. */
static void moved(struct core *c, uint32_t w, uint32_t old)
{
    uint64_t bit = BIT(w);
    if (c->pc[w] != old + 1) {
        warp_flush_ibuf(c, w);
        return;
    }
    if (!--c->ibuf[w])
        c->ibuf_some &= ~bit;
    c->ibuf_room |= bit;
}

void stack_advance(struct core *c, uint32_t w)
{
    uint32_t old = c->pc[w]++;
    if (c->pc[w] == c->rpc[w])
        settle(c, w);
    moved(c, w, old);
}

void stack_branch(struct core *c, uint32_t w, const struct inst *inst, uint32_t taken)
{
    uint32_t old = c->pc[w], next = old + 1;
    uint32_t stay = c->active[w] & ~taken;
    if (!taken || !stay || inst->target == next) {
        c->pc[w] = taken ? inst->target : next;
    } else {
        uint32_t join = inst->reconv;
        if (join == NO_RECONV)
            join = c->rpc[w];
        else if (join != c->rpc[w] && !stack_push(c, w, join, c->rpc[w], c->active[w]))
            return;
        bool both = inst->target != join && next != join;
        if (both && !stack_push(c, w, inst->target, join, taken))
            return;
        c->rpc[w] = join;
        /* The lanes that fall through go first: their instructions are in the i-buffer. */
        bool through = next != join;
        c->pc[w] = through ? next : inst->target;
        c->active[w] = through ? stay : taken;
    }
    settle(c, w);
    moved(c, w, old);
}

bool stack_exit(struct core *c, uint32_t w, uint32_t lanes)
{
    uint32_t old = c->pc[w];
    for (uint32_t i = c->base[w]; i < c->depth[w]; i++)
        c->stack[w][i].mask &= ~lanes;
    c->active[w] &= ~lanes;
    c->pc[w] = old + 1;
    bool left = settle(c, w);
    if (left)
        moved(c, w, old);
    return left;
}

void stack_push_event(struct core *c, uint32_t w, uint32_t mask)
{
    if (!stack_push(c, w, c->pc[w], c->rpc[w], c->active[w]))
        return;
    c->base[w] = c->depth[w];
    c->pc[w] = 0;
    c->rpc[w] = NO_RECONV;
    c->active[w] = mask;
}

void stack_pop_event(struct core *c, uint32_t w)
{
    c->depth[w] = c->base[w];
    c->base[w] = 0;
    load_top(c, w);
}
