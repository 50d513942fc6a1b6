/* SIMT stack with immediate post-dominator reconvergence.
 *
 * The top entry lives in pc, active and rpc of the warp; the entries below it are in
 * entry[base..depth). A pop leaves them as they are, so that dropping loads can put the top back
 * (EDGE IV-D). An event on a victim starts with `base` above the victim's entries.
 *
 * Forward progress: a path that polls memory in a loop would keep lanes that wait below it from
 * ever writing what it waits for (a lock that a lane of the same warp holds). After some rounds
 * another path gets its turn: it moves to the top, and the lanes that have arrived at a join go on
 * without the others. The one rule that must hold is that a join lies below the paths that lead to
 * it. */
#include "sim/simt/pipeline/simt_stack.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "sim/simt/core_internal.h"

#define FIRST_ENTRIES (2 * (2 * WARP_SIZE + 2)) /* a warp's and, above it, an event's */
#define MOST_ENTRIES  (1u << 20)

/* Rounds of a polling loop before another path has its turn: above what 32 lanes need that take
 * turns at a compare-and-swap; fewer once the warp has shown that its lanes wait for each other. */
#define PATIENCE       33
#define PATIENCE_SPLIT 1
#define PATIENCE_LAST  255

#define NONE_READY UINT32_MAX
#define NO_MEETING UINT32_MAX

void stacks_create(struct core *c)
{
    for (uint32_t w = 0; w < c->config.warps; w++) {
        c->stacks.capacity[w] = FIRST_ENTRIES;
        c->stacks.entry[w] = ALLOC_ARRAY(struct stack_entry, FIRST_ENTRIES);
    }
}

void stacks_destroy(struct core *c)
{
    for (uint32_t w = 0; w < SLOTS; w++)
        free(c->stacks.entry[w]);
}

static void forget_paths(struct stacks *s, uint32_t w)
{
    uint64_t bit = BIT(w);
    s->polled &= ~bit;
    s->split &= ~bit;
    s->forced &= ~bit;
    s->polls[w] = 0;
}

void stack_start(struct core *c, uint32_t w, uint32_t lanes)
{
    c->stacks.pc[w] = 0;
    c->stacks.rpc[w] = NO_RECONV;
    c->stacks.active[w] = lanes;
    c->stacks.depth[w] = c->stacks.base[w] = 0;
    forget_paths(&c->stacks, w);
}

static bool stack_push(struct core *c, uint32_t w, struct stack_entry entry)
{
    struct stacks *s = &c->stacks;
    if (s->depth[w] == s->capacity[w]) {
        if (s->capacity[w] == MOST_ENTRIES) {
            fail_at(c, w, warp_code(&c->warps, w) + s->pc[w], lowest(entry.mask), FAULT_STACK,
                    "the SIMT stack is full");
            return false;
        }
        s->capacity[w] = 2 * s->capacity[w] < MOST_ENTRIES ? 2 * s->capacity[w] : MOST_ENTRIES;
        s->entry[w] = alloc_resize(s->entry[w], s->capacity[w], sizeof *s->entry[w]);
    }
    s->entry[w][s->depth[w]++] = entry;
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

/* --- taking turns ------------------------------------------------------------------------------
 */

/* Lanes of the paths above entry `i`, the top included. */
static uint32_t lanes_above(const struct stacks *s, uint32_t w, uint32_t i)
{
    uint32_t mask = s->active[w];
    for (uint32_t k = i + 1; k < s->depth[w]; k++)
        mask |= s->entry[w][k].mask;
    return mask;
}

/* The lanes of entry `i` that are there become the top; what was the top is kept with `flags`. */
static void bring_up(struct core *c, uint32_t w, uint32_t i, uint32_t flags)
{
    struct stacks *s = &c->stacks;
    struct stack_entry *entry = s->entry[w];
    struct stack_entry old = {s->pc[w], s->rpc[w], s->active[w], flags}, e = entry[i];
    uint32_t here = e.mask & ~lanes_above(s, w, i);
    if (here == e.mask) {
        s->depth[w]--;
        memmove(entry + i, entry + i + 1, (s->depth[w] - i) * sizeof *entry);
    } else {
        entry[i].mask &= ~here;
    }
    if (!stack_push(c, w, old))
        return;
    s->pc[w] = e.pc;
    s->rpc[w] = e.rpc;
    s->active[w] = here;
    s->split |= BIT(w);
    s->polls[w] = 0;
    settle(c, w);
    /* Loads in flight can no longer be replayed: their stack is gone. */
    replay_pass(&c->replay, w, issue_number(&c->issue, w) + 1);
}

/* The lowest entry, which is the one that waits longest, with lanes that can go on, or (`waiting`)
 * that could be made to; NONE_READY. */
static uint32_t next_path(const struct stacks *s, uint32_t w, bool waiting)
{
    uint32_t above = s->active[w], found = NONE_READY;
    for (uint32_t i = s->depth[w]; i-- > s->base[w];) {
        const struct stack_entry *e = &s->entry[w][i];
        uint32_t never = waiting ? ENTRY_NEEDS : ENTRY_WAITS;
        if ((e->mask & ~above) && !(e->flags & never))
            found = i;
        above |= e->mask;
    }
    return found;
}

/* The warp has branched back after polling memory. */
static void polling_round(struct core *c, uint32_t w)
{
    struct stacks *s = &c->stacks;
    uint64_t bit = BIT(w);
    s->polled &= ~bit;
    if (s->depth[w] == s->base[w] || ++s->polls[w] < (s->split & bit ? PATIENCE_SPLIT : PATIENCE))
        return;
    uint32_t next = next_path(s, w, false);
    if (next == NONE_READY) {
        /* All others wait for this one at an instruction that does not say whom it needs: after a
         * while, one of them does without. */
        if (s->polls[w] < PATIENCE_LAST)
            return;
        next = next_path(s, w, true);
        if (next == NONE_READY)
            return;
        s->forced |= bit;
    }
    bring_up(c, w, next, 0);
}

/* The waiting path `e` goes on as part of the top, under the joins of the one that has more of
 * them. False: they stand in different regions. */
static bool merge(struct stacks *s, uint32_t w, struct stack_entry *e)
{
    for (int swap = 0; swap < 2; swap++) {
        uint32_t rpc = swap ? e->rpc : s->rpc[w], lanes = swap ? e->mask : s->active[w];
        uint32_t goal = swap ? s->rpc[w] : e->rpc, joining = swap ? s->active[w] : e->mask;
        uint32_t i = s->depth[w];
        while (rpc != goal && i-- > s->base[w]) {
            const struct stack_entry *j = &s->entry[w][i];
            if (j->pc == rpc && (j->mask & lanes) == lanes && j != e)
                rpc = j->rpc;
        }
        if (rpc != goal)
            continue;
        rpc = swap ? e->rpc : s->rpc[w];
        for (i = s->depth[w]; rpc != goal && i-- > s->base[w];) {
            struct stack_entry *j = &s->entry[w][i];
            if (j->pc != rpc || (j->mask & lanes) != lanes || j == e)
                continue;
            rpc = j->rpc;
            j->mask |= joining;
        }
        s->rpc[w] = swap ? e->rpc : s->rpc[w];
        s->active[w] |= e->mask;
        return true;
    }
    return false;
}

/* Waiting paths at the same instruction join the top. */
static void merge_waiting(struct stacks *s, uint32_t w)
{
    struct stack_entry *entry = s->entry[w];
    for (uint32_t i = s->depth[w]; i-- > s->base[w];) {
        struct stack_entry *e = &entry[i];
        if (!(e->flags & ENTRY_WAITS) || e->pc != s->pc[w] || !merge(s, w, e))
            continue;
        s->depth[w]--;
        memmove(entry + i, entry + i + 1, (s->depth[w] - i) * sizeof *entry);
    }
}

/* Lanes that are together at a barrier wherever they stand in the program: those of bar.warp.sync,
 * and those of bar.sync on the same barrier. NO_MEETING: this instruction is none. */
static uint32_t meeting(const struct core *c, uint32_t w, uint32_t pc, uint32_t lanes)
{
    const struct inst *inst = warp_code(&c->warps, w) + pc;
    uint32_t number, threads, predicates;
    if (inst->class != INST_BARRIER || (inst->bar_kind != BAR_WARP && inst->bar_kind != BAR_SYNC))
        return NO_MEETING;
    if (inst->bar_kind == BAR_WARP)
        return NO_MEETING - 1;
    isa_barrier_operands(inst, warp_ctx(&c->warps, w), lanes, &number, &threads, &predicates);
    return number;
}

static bool meets(const struct core *c, uint32_t w, const struct stack_entry *e, uint32_t number)
{
    return (e->flags & ENTRY_WAITS) && meeting(c, w, e->pc, e->mask) == number;
}

/* Do the top and the paths that wait at the same barrier have all lanes of `need`? Then it is the
 * top's alone to arrive, and the others are past it. */
static bool all_have_met(struct core *c, uint32_t w, uint32_t need)
{
    struct stacks *s = &c->stacks;
    uint32_t there = s->active[w], number = meeting(c, w, s->pc[w], there);
    if (number == NO_MEETING)
        return false;
    for (uint32_t i = s->base[w]; i < s->depth[w]; i++) {
        if (meets(c, w, &s->entry[w][i], number))
            there |= s->entry[w][i].mask;
    }
    if (need & ~there)
        return false;
    for (uint32_t i = s->base[w]; i < s->depth[w]; i++) {
        struct stack_entry *e = &s->entry[w][i];
        if (!meets(c, w, e, number) || !(e->mask & need))
            continue;
        e->flags &= ~(uint32_t)(ENTRY_WAITS | ENTRY_NEEDS);
        e->pc++;
    }
    return true;
}

bool stack_gather(struct core *c, uint32_t w, const struct inst *inst)
{
    struct stacks *s = &c->stacks;
    uint64_t bit = BIT(w);
    if (s->depth[w] == s->base[w] || (!(s->split & bit) && inst->class != INST_BARRIER))
        return true;
    if (s->forced & bit) {
        s->forced &= ~bit;
        return true;
    }
    uint32_t live = lanes_above(s, w, s->base[w]) | s->entry[w][s->base[w]].mask, need;
    bool exact = isa_members(inst, warp_ctx(&c->warps, w), s->active[w], &need);
    need &= live;
    if (!(need & ~s->active[w]))
        return true;
    merge_waiting(s, w);
    if (!(need & ~s->active[w]) || all_have_met(c, w, need))
        return true;
    uint32_t next = next_path(s, w, false);
    if (next == NONE_READY) /* nobody else can come: as many as are here */
        return true;
    bring_up(c, w, next, ENTRY_WAITS | (exact ? ENTRY_NEEDS : 0));
    fetch_flush(&c->fetch, w);
    return false;
}

/* --- one instruction ---------------------------------------------------------------------------
 */

static bool push(struct core *c, uint32_t w, uint32_t pc, uint32_t rpc, uint32_t mask)
{
    return stack_push(c, w, (struct stack_entry){pc, rpc, mask, 0});
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
                 !push(c, w, join, c->stacks.rpc[w], c->stacks.active[w]))
            return;
        bool both = inst->target != join && next != join;
        if (both && !push(c, w, inst->target, join, taken))
            return;
        c->stacks.rpc[w] = join;
        /* The lanes that fall through go first: their instructions are in the i-buffer. */
        bool through = next != join;
        c->stacks.pc[w] = through ? next : inst->target;
        c->stacks.active[w] = through ? stay : taken;
    }
    settle(c, w);
    if (taken && inst->target <= old && (c->stacks.polled & BIT(w)))
        polling_round(c, w);
    moved(c, w, old);
}

void stack_call(struct core *c, uint32_t w, uint32_t taken, const uint32_t target[WARP_SIZE])
{
    uint32_t old = c->stacks.pc[w];
    struct stack_entry back = {old + 1, c->stacks.rpc[w], c->stacks.active[w], ENTRY_RETURN};
    if (!stack_push(c, w, back))
        return;
    while (taken) {
        uint32_t to = target[lowest(taken)], lanes = 0;
        for (uint32_t m = taken; m; m &= m - 1)
            lanes |= target[lowest(m)] == to ? 1u << lowest(m) : 0;
        taken &= ~lanes;
        if (taken && !push(c, w, to, NO_RECONV, lanes))
            return;
        c->stacks.pc[w] = to;
        c->stacks.rpc[w] = NO_RECONV;
        c->stacks.active[w] = lanes;
    }
    moved(c, w, old);
}

/* Paths that have merged may return to different calls: each lane goes back to its own. */
void stack_return(struct core *c, uint32_t w, uint32_t lanes)
{
    uint32_t old = c->stacks.pc[w]++, left = lanes;
    c->stacks.active[w] &= ~lanes;
    for (uint32_t i = c->stacks.depth[w]; left && i-- > c->stacks.base[w];) {
        struct stack_entry *e = &c->stacks.entry[w][i];
        uint32_t here = e->mask & left;
        if (e->flags & ENTRY_RETURN)
            left &= ~here;
        else
            e->mask &= ~here;
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

void stack_end(struct stacks *s, uint32_t w)
{
    s->depth[w] = s->base[w];
    s->active[w] = 0;
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
    struct stacks *s = &c->stacks;
    struct stack_entry victim = {s->pc[w], s->rpc[w], s->active[w],
                                 s->split >> w & 1 ? ENTRY_SPLIT : 0};
    if (!stack_push(c, w, victim))
        return;
    s->base[w] = s->depth[w];
    s->pc[w] = 0;
    s->rpc[w] = NO_RECONV;
    s->active[w] = mask;
    forget_paths(s, w);
}

void stack_pop_event(struct core *c, uint32_t w)
{
    struct stacks *s = &c->stacks;
    s->depth[w] = s->base[w];
    s->base[w] = 0;
    forget_paths(s, w);
    if (s->entry[w][s->depth[w] - 1].flags & ENTRY_SPLIT)
        s->split |= BIT(w);
    load_top(c, w);
}
