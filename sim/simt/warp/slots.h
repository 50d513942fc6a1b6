/* The warp slots of a core: everything that is kept per slot and that every room of the core reads.
 * The interface of the room warp/, which knows no other room.
 *
 * One struct per subject, in the header of the file that owns it. A file looks into the struct of
 * its own subject only and asks the others by their functions (tests/e2e/project/subjects.sh checks
 * it). Hot state is kept as arrays over warp slots and as masks over them, so that a cycle looks at
 * masks first and at single warps only when something about them changes. */
#ifndef EVGPU_SIMT_WARP_SLOTS_H
#define EVGPU_SIMT_WARP_SLOTS_H

#include "sim/simt/core_config.h"
#include "sim/simt/core_env.h"
#include "sim/simt/warp/account.h"
#include "sim/simt/warp/event_slots.h"
#include "sim/simt/warp/fault.h"
#include "sim/simt/warp/ibuffer.h"
#include "sim/simt/warp/outbox.h"
#include "sim/simt/warp/ready.h"
#include "sim/simt/warp/scoreboard.h"
#include "sim/simt/warp/simt_stack.h"
#include "sim/simt/warp/units.h"
#include "sim/simt/warp/warp.h"
#include "sim/simt/warp/wheel.h"

/* Time of a core. Owner: core.c. */
struct clock {
    uint64_t cycle; /* of the last core_tick */
    uint32_t khz;
};

struct slots {
    struct core_config config; /* core.c's, read by all */
    struct core_env env;       /* the same */
    struct clock clock;
    struct fault fault;
    struct warps warps;
    struct stacks stacks;
    struct scoreboard scoreboard;
    struct ibuffers ibuffers;
    struct ready ready;
    struct event_slots events;
    struct wheel wheel;
    struct accounts accounts;
    struct outbox outbox;
    /* The way back up: the last instruction or access of a warp that waits for it at a fence, or
     * has exited, may be done. Set by core.c. */
    void (*drained)(void *user, uint32_t w);
    void *user;
};

static inline uint64_t clock_now(const struct clock *clock)
{
    return clock->cycle;
}

/* %globaltimer: at the end of the cycle. */
static inline uint64_t clock_nanoseconds(const struct clock *clock)
{
    uint64_t cycles = clock->cycle + 1;
    return cycles / clock->khz * 1000000u + cycles % clock->khz * 1000000u / clock->khz;
}

/* What an instruction of the warp needs besides its registers comes to the host's cache. */
static inline void slots_prefetch(const struct slots *slots, uint32_t w)
{
    __builtin_prefetch(&slots->scoreboard.of[w]);
    __builtin_prefetch(&slots->stacks.top[w]);
    __builtin_prefetch(&slots->warps.slot[w]);
    __builtin_prefetch(&slots->warps.slot_ctx[w]);
}

/* So do the first 64 registers of its next instruction `i`: those of many cores do not fit in the
 * cache. */
static inline void registers_prefetch(const struct slots *slots, uint32_t w, const struct inst *i)
{
    uint32_t(*const reg)[WARP_SIZE] = warp_ctx(&slots->warps, w)->reg;
    for (uint64_t m = i->use_set[0]; m; m &= m - 1) {
        __builtin_prefetch(&reg[lowest(m)][0]);
        __builtin_prefetch(&reg[lowest(m)][WARP_SIZE / 2]);
    }
}

/* Recomputes whether the warp's next instruction may issue. To be called after every change of its
 * i-buffer, scoreboard or blocking condition. */
static inline void ready_refresh(struct slots *slots, uint32_t w)
{
    struct ready *r = &slots->ready;
    uint64_t bit = BIT(w);
    if (r->any & bit) {
        r->head[r->head_unit[w]] &= ~bit;
        r->any &= ~bit;
    }
    if (!(ibuffers_some(&slots->ibuffers) & bit &
          ~(r->waiting | events_frozen(&slots->events) | warps_doomed(&slots->warps))))
        return;
    const struct inst *i = warp_code(&slots->warps, w) + stack_pc(&slots->stacks, w);
    if (pending_use(&slots->scoreboard, w, i))
        return;
    /* A barrier orders the memory accesses before it (PTX ISA, bar): atomics must have happened. */
    if (i->class == INST_BARRIER && r->unperformed & bit)
        return;

    r->head_unit[w] = i->unit;
    r->head[i->unit] |= bit;
    r->any |= bit;
    registers_prefetch(slots, w, i);
}

/* The same when something that may have held the warp up has ended: what is ready stays it. */
static inline void ready_gain(struct slots *slots, uint32_t w)
{
    if (!(slots->ready.any & BIT(w)) && ibuffers_some(&slots->ibuffers) & BIT(w))
        ready_refresh(slots, w);
}

/* The warp has issued an instruction that is no branch. */
static inline void stack_advance(struct slots *slots, uint32_t w)
{
    struct stack_top *top = &slots->stacks.top[w];
    if (++top->pc == top->rpc)
        stack_reconverge(slots, w);
    else
        ibuffer_consume(&slots->ibuffers, w);
}

/* To be called after a count of what is in flight for the warp went down, or when it exits. */
static inline void warp_settle(struct slots *slots, uint32_t w)
{
    uint64_t waits = ready_held(&slots->ready, WAIT_FENCE) | ~warps_alive(&slots->warps);
    if (waits & warps_resident(&slots->warps) & BIT(w))
        slots->drained(slots->user, w);
}

#endif
