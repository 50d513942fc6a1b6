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
#include "sim/simt/warp/simt_stack.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "sim/simt/warp/slots.h"

#define FIRST_ENTRIES (2 * (2 * WARP_SIZE + 2)) /* a warp's and, above it, an event's */
#define MOST_ENTRIES  (1u << 20)

/* Rounds of a polling loop before another path has its turn: above what 32 lanes need that take
 * turns at a compare-and-swap; fewer once the warp has shown that its lanes wait for each other. */
#define PATIENCE       33
#define PATIENCE_SPLIT 1
#define PATIENCE_LAST  255

#define NONE_READY UINT32_MAX
#define NO_MEETING UINT32_MAX

void stacks_create(struct stacks *s, uint32_t warps)
{
    for (uint32_t w = 0; w < warps; w++) {
        s->capacity[w] = FIRST_ENTRIES;
        s->entry[w] = ALLOC_ARRAY(struct stack_entry, FIRST_ENTRIES);
    }
}

void stacks_destroy(struct stacks *s)
{
    for (uint32_t w = 0; w < SLOTS; w++)
        free(s->entry[w]);
}

static void forget_paths(struct stacks *s, uint32_t w)
{
    uint64_t bit = BIT(w);
    s->polled &= ~bit;
    s->split &= ~bit;
    s->forced &= ~bit;
    s->top[w].polls = 0;
}

void stack_start(struct stacks *s, uint32_t w, uint32_t lanes)
{
    s->top[w].pc = 0;
    s->top[w].rpc = NO_RECONV;
    s->top[w].active = lanes;
    s->top[w].depth = s->top[w].base = 0;
    forget_paths(s, w);
}

static bool stack_push(struct slots *slots, uint32_t w, struct stack_entry entry)
{
    struct stacks *s = &slots->stacks;
    if (s->top[w].depth == s->capacity[w]) {
        if (s->capacity[w] == MOST_ENTRIES) {
            fail_at(slots, w, warp_code(&slots->warps, w) + s->top[w].pc, lowest(entry.mask),
                    FAULT_STACK, "the SIMT stack is full");
            return false;
        }
        s->capacity[w] = 2 * s->capacity[w] < MOST_ENTRIES ? 2 * s->capacity[w] : MOST_ENTRIES;
        s->entry[w] = alloc_resize(s->entry[w], s->capacity[w], sizeof *s->entry[w]);
    }
    s->entry[w][s->top[w].depth++] = entry;
    return true;
}

static void load_top(struct stacks *s, uint32_t w)
{
    const struct stack_entry *e = &s->entry[w][--s->top[w].depth];
    s->top[w].pc = e->pc;
    s->top[w].rpc = e->rpc;
    s->top[w].active = e->mask;
}

/* Pops what has reconverged or has lost its lanes. */
static bool settle(struct stacks *s, uint32_t w)
{
    while (!s->top[w].active || s->top[w].pc == s->top[w].rpc) {
        if (s->top[w].depth == s->top[w].base)
            return s->top[w].active != 0;
        load_top(s, w);
    }
    return true;
}

/* The instruction at `old` has been issued; the i-buffer goes on if the next one follows it. */
static void moved(struct slots *slots, uint32_t w, uint32_t old)
{
    if (slots->stacks.top[w].pc == old + 1)
        ibuffer_consume(&slots->ibuffers, w);
    else
        ibuffer_flush(&slots->ibuffers, w);
}

/* --- taking turns ------------------------------------------------------------------------------
 */

/* Lanes of the paths above entry `i`, the top included. */
static uint32_t lanes_above(const struct stacks *s, uint32_t w, uint32_t i)
{
    uint32_t mask = s->top[w].active;
    for (uint32_t k = i + 1; k < s->top[w].depth; k++)
        mask |= s->entry[w][k].mask;
    return mask;
}

/* The lanes of entry `i` that are there become the top; what was the top is kept with `flags`. */
static void bring_up(struct slots *slots, uint32_t w, uint32_t i, uint32_t flags)
{
    struct stacks *s = &slots->stacks;
    struct stack_entry *entry = s->entry[w];
    struct stack_entry old = {s->top[w].pc, s->top[w].rpc, s->top[w].active, flags}, e = entry[i];
    uint32_t here = e.mask & ~lanes_above(s, w, i);
    if (here == e.mask) {
        s->top[w].depth--;
        memmove(entry + i, entry + i + 1, (s->top[w].depth - i) * sizeof *entry);
    } else {
        entry[i].mask &= ~here;
    }
    if (!stack_push(slots, w, old))
        return;
    s->top[w].pc = e.pc;
    s->top[w].rpc = e.rpc;
    s->top[w].active = here;
    s->split |= BIT(w);
    s->top[w].polls = 0;
    settle(&slots->stacks, w);
    /* Loads in flight can no longer be replayed: their stack is gone. */
    issue_pass(&slots->scoreboard, w, issue_number(&slots->scoreboard, w) + 1);
}

/* The lowest entry, which is the one that waits longest, with lanes that can go on, or (`waiting`)
 * that could be made to; NONE_READY. */
static uint32_t next_path(const struct stacks *s, uint32_t w, bool waiting)
{
    uint32_t above = s->top[w].active, found = NONE_READY;
    for (uint32_t i = s->top[w].depth; i-- > s->top[w].base;) {
        const struct stack_entry *e = &s->entry[w][i];
        uint32_t never = waiting ? ENTRY_NEEDS : ENTRY_WAITS;
        if ((e->mask & ~above) && !(e->flags & never))
            found = i;
        above |= e->mask;
    }
    return found;
}

/* The warp has branched back after polling memory. */
static void polling_round(struct slots *slots, uint32_t w)
{
    struct stacks *s = &slots->stacks;
    uint64_t bit = BIT(w);
    stack_forget_polls(s, w);
    if (stack_is_alone(s, w) || ++s->top[w].polls < (s->split & bit ? PATIENCE_SPLIT : PATIENCE))
        return;
    uint32_t next = next_path(s, w, false);
    if (next == NONE_READY) {
        /* All others wait for this one at an instruction that does not say whom it needs: after a
         * while, one of them does without. */
        if (s->top[w].polls < PATIENCE_LAST)
            return;
        next = next_path(s, w, true);
        if (next == NONE_READY)
            return;
        s->forced |= bit;
    }
    bring_up(slots, w, next, 0);
}

/* The waiting path `e` goes on as part of the top, under the joins of the one that has more of
 * them. False: they stand in different regions. */
static bool merge(struct stacks *s, uint32_t w, struct stack_entry *e)
{
    for (int swap = 0; swap < 2; swap++) {
        uint32_t rpc = swap ? e->rpc : s->top[w].rpc, lanes = swap ? e->mask : s->top[w].active;
        uint32_t goal = swap ? s->top[w].rpc : e->rpc, joining = swap ? s->top[w].active : e->mask;
        uint32_t i = s->top[w].depth;
        while (rpc != goal && i-- > s->top[w].base) {
            const struct stack_entry *j = &s->entry[w][i];
            if (j->pc == rpc && (j->mask & lanes) == lanes && j != e)
                rpc = j->rpc;
        }
        if (rpc != goal)
            continue;
        rpc = swap ? e->rpc : s->top[w].rpc;
        for (i = s->top[w].depth; rpc != goal && i-- > s->top[w].base;) {
            struct stack_entry *j = &s->entry[w][i];
            if (j->pc != rpc || (j->mask & lanes) != lanes || j == e)
                continue;
            rpc = j->rpc;
            j->mask |= joining;
        }
        s->top[w].rpc = swap ? e->rpc : s->top[w].rpc;
        s->top[w].active |= e->mask;
        return true;
    }
    return false;
}

/* Waiting paths at the same instruction join the top. */
static void merge_waiting(struct stacks *s, uint32_t w)
{
    struct stack_entry *entry = s->entry[w];
    for (uint32_t i = s->top[w].depth; i-- > s->top[w].base;) {
        struct stack_entry *e = &entry[i];
        if (!(e->flags & ENTRY_WAITS) || e->pc != s->top[w].pc || !merge(s, w, e))
            continue;
        s->top[w].depth--;
        memmove(entry + i, entry + i + 1, (s->top[w].depth - i) * sizeof *entry);
    }
}

/* Lanes that are together at a barrier wherever they stand in the program: those of bar.warp.sync,
 * and those of bar.sync on the same barrier. NO_MEETING: this instruction is none. */
static uint32_t meeting(const struct slots *slots, uint32_t w, uint32_t pc, uint32_t lanes)
{
    const struct inst *inst = warp_code(&slots->warps, w) + pc;
    uint32_t number, threads, predicates;
    if (inst->class != INST_BARRIER || (inst->bar_kind != BAR_WARP && inst->bar_kind != BAR_SYNC))
        return NO_MEETING;
    if (inst->bar_kind == BAR_WARP)
        return NO_MEETING - 1;
    isa_barrier_operands(inst, warp_ctx(&slots->warps, w), lanes, &number, &threads, &predicates);
    return number;
}

static bool meets(const struct slots *slots, uint32_t w, const struct stack_entry *e,
                  uint32_t number)
{
    return (e->flags & ENTRY_WAITS) && meeting(slots, w, e->pc, e->mask) == number;
}

/* Do the top and the paths that wait at the same barrier have all lanes of `need`? Then it is the
 * top's alone to arrive, and the others are past it. */
static bool all_have_met(struct slots *slots, uint32_t w, uint32_t need)
{
    struct stacks *s = &slots->stacks;
    uint32_t there = s->top[w].active, number = meeting(slots, w, s->top[w].pc, there);
    if (number == NO_MEETING)
        return false;
    for (uint32_t i = s->top[w].base; i < s->top[w].depth; i++) {
        if (meets(slots, w, &s->entry[w][i], number))
            there |= s->entry[w][i].mask;
    }
    if (need & ~there)
        return false;
    for (uint32_t i = s->top[w].base; i < s->top[w].depth; i++) {
        struct stack_entry *e = &s->entry[w][i];
        if (!meets(slots, w, e, number) || !(e->mask & need))
            continue;
        e->flags &= ~(uint32_t)(ENTRY_WAITS | ENTRY_NEEDS);
        e->pc++;
    }
    return true;
}

bool stack_gather(struct slots *slots, uint32_t w, const struct inst *inst)
{
    struct stacks *s = &slots->stacks;
    uint64_t bit = BIT(w);
    if (stack_is_alone(s, w) || (stack_is_whole(s, w) && inst->class != INST_BARRIER))
        return true;
    if (s->forced & bit) {
        s->forced &= ~bit;
        return true;
    }
    uint32_t live = lanes_above(s, w, s->top[w].base) | s->entry[w][s->top[w].base].mask, need;
    bool exact = isa_members(inst, warp_ctx(&slots->warps, w), s->top[w].active, &need);
    need &= live;
    if (!(need & ~s->top[w].active))
        return true;
    merge_waiting(s, w);
    if (!(need & ~s->top[w].active) || all_have_met(slots, w, need))
        return true;
    uint32_t next = next_path(s, w, false);
    if (next == NONE_READY) /* nobody else can come: as many as are here */
        return true;
    bring_up(slots, w, next, ENTRY_WAITS | (exact ? ENTRY_NEEDS : 0));
    ibuffer_flush(&slots->ibuffers, w);
    return false;
}

/* --- one instruction ---------------------------------------------------------------------------
 */

static bool push(struct slots *slots, uint32_t w, uint32_t pc, uint32_t rpc, uint32_t mask)
{
    return stack_push(slots, w, (struct stack_entry){pc, rpc, mask, 0});
}

void stack_reconverge(struct slots *slots, uint32_t w)
{
    uint32_t old = slots->stacks.top[w].pc - 1;
    settle(&slots->stacks, w);
    moved(slots, w, old);
}

void stack_branch(struct slots *slots, uint32_t w, const struct inst *inst, uint32_t taken)
{
    uint32_t old = slots->stacks.top[w].pc, next = old + 1;
    uint32_t stay = slots->stacks.top[w].active & ~taken;
    if (!taken || !stay || inst->target == next) {
        slots->stacks.top[w].pc = taken ? inst->target : next;
    } else {
        uint32_t join = inst->reconv;
        if (join == NO_RECONV)
            join = slots->stacks.top[w].rpc;
        else if (join != slots->stacks.top[w].rpc &&
                 !push(slots, w, join, slots->stacks.top[w].rpc, slots->stacks.top[w].active))
            return;
        bool both = inst->target != join && next != join;
        if (both && !push(slots, w, inst->target, join, taken))
            return;
        slots->stacks.top[w].rpc = join;
        /* The lanes that fall through go first: their instructions are in the i-buffer. */
        bool through = next != join;
        slots->stacks.top[w].pc = through ? next : inst->target;
        slots->stacks.top[w].active = through ? stay : taken;
    }
    settle(&slots->stacks, w);
    if (taken && inst->target <= old && (slots->stacks.polled & BIT(w)))
        polling_round(slots, w);
    moved(slots, w, old);
}

void stack_call(struct slots *slots, uint32_t w, uint32_t taken, const uint32_t target[WARP_SIZE])
{
    uint32_t old = slots->stacks.top[w].pc;
    struct stack_entry back = {old + 1, slots->stacks.top[w].rpc, slots->stacks.top[w].active,
                               ENTRY_RETURN};
    if (!stack_push(slots, w, back))
        return;
    while (taken) {
        uint32_t to = target[lowest(taken)], lanes = 0;
        for (uint32_t m = taken; m; m &= m - 1)
            lanes |= target[lowest(m)] == to ? 1u << lowest(m) : 0;
        taken &= ~lanes;
        if (taken && !push(slots, w, to, NO_RECONV, lanes))
            return;
        slots->stacks.top[w].pc = to;
        slots->stacks.top[w].rpc = NO_RECONV;
        slots->stacks.top[w].active = lanes;
    }
    moved(slots, w, old);
}

/* Paths that have merged may return to different calls: each lane goes back to its own. */
void stack_return(struct slots *slots, uint32_t w, uint32_t lanes)
{
    uint32_t old = slots->stacks.top[w].pc++, left = lanes;
    slots->stacks.top[w].active &= ~lanes;
    for (uint32_t i = slots->stacks.top[w].depth; left && i-- > slots->stacks.top[w].base;) {
        struct stack_entry *e = &slots->stacks.entry[w][i];
        uint32_t here = e->mask & left;
        if (e->flags & ENTRY_RETURN)
            left &= ~here;
        else
            e->mask &= ~here;
    }
    settle(&slots->stacks, w);
    moved(slots, w, old);
}

bool stack_exit(struct slots *slots, uint32_t w, uint32_t lanes)
{
    uint32_t old = slots->stacks.top[w].pc;
    for (uint32_t i = slots->stacks.top[w].base; i < slots->stacks.top[w].depth; i++)
        slots->stacks.entry[w][i].mask &= ~lanes;
    slots->stacks.top[w].active &= ~lanes;
    slots->stacks.top[w].pc = old + 1;
    bool left = settle(&slots->stacks, w);
    if (left)
        moved(slots, w, old);
    return left;
}

void stack_end(struct stacks *s, uint32_t w)
{
    s->top[w].depth = s->top[w].base;
    s->top[w].active = 0;
}

void stack_go_back(struct stacks *s, uint32_t w, const struct stack_point *to)
{
    s->top[w].pc = to->pc;
    s->top[w].active = to->active;
    s->top[w].rpc = to->rpc;
    s->top[w].depth = to->depth;
}

void stack_push_event(struct slots *slots, uint32_t w, uint32_t mask)
{
    struct stacks *s = &slots->stacks;
    struct stack_entry victim = {s->top[w].pc, s->top[w].rpc, s->top[w].active,
                                 s->split >> w & 1 ? ENTRY_SPLIT : 0};
    if (!stack_push(slots, w, victim))
        return;
    s->top[w].base = s->top[w].depth;
    s->top[w].pc = 0;
    s->top[w].rpc = NO_RECONV;
    s->top[w].active = mask;
    forget_paths(s, w);
}

void stack_pop_event(struct slots *slots, uint32_t w)
{
    struct stacks *s = &slots->stacks;
    s->top[w].depth = s->top[w].base;
    s->top[w].base = 0;
    forget_paths(s, w);
    if (s->entry[w][s->top[w].depth - 1].flags & ENTRY_SPLIT)
        s->split |= BIT(w);
    load_top(&slots->stacks, w);
}
