/* A core from the inside: one struct per subject, in the header of the file that owns it. A file
 * reads and writes the struct of its own subject only and asks the others by their functions, which
 * take the subject, or the core where they reach further (tests/e2e/subjects.sh checks it).
 *
 * Hot state of the warps is kept as arrays over warp slots and as masks over them, so that a cycle
 * looks at masks first and at single warps only when something about them changes. */
#ifndef EVGPU_SIMT_CORE_INTERNAL_H
#define EVGPU_SIMT_CORE_INTERNAL_H

#include "sim/simt/account.h"
#include "sim/simt/clock.h"
#include "sim/simt/core.h"
#include "sim/simt/describe.h"
#include "sim/simt/event/event_port.h"
#include "sim/simt/event/event_run.h"
#include "sim/simt/event/preempt.h"
#include "sim/simt/lsu/bounds_cache.h"
#include "sim/simt/lsu/bus.h"
#include "sim/simt/lsu/l1.h"
#include "sim/simt/lsu/l2_access.h"
#include "sim/simt/lsu/lsu.h"
#include "sim/simt/lsu/memory.h"
#include "sim/simt/pipeline/barrier.h"
#include "sim/simt/pipeline/block.h"
#include "sim/simt/pipeline/fetch.h"
#include "sim/simt/pipeline/issue.h"
#include "sim/simt/pipeline/scoreboard.h"
#include "sim/simt/pipeline/simt_stack.h"
#include "sim/simt/pipeline/warp.h"
#include "sim/simt/pipeline/wheel.h"
#include "sim/simt/system_call.h"

#define MAX_LATENCY 4096

struct core {
    struct core_config config; /* core.c's, read by all */
    struct core_env env;       /* the same */
    struct clock clock;
    struct fault fault;
    struct issue issue;
    struct fetch fetch;
    struct stacks stacks;
    struct scoreboard scoreboard;
    struct barriers barriers;
    struct events events;
    struct event_port port;
    struct replay replay;
    struct transfers transfers;
    struct warps warps;
    struct blocks blocks;
    struct memory memory;
    struct windows windows;
    struct remotes remotes;
    struct lsu lsu;
    struct l1 l1;
    struct bus bus;
    struct wheel wheel;
    struct accounts accounts;
};

/* Account of a store's acknowledgement: the slot's own warp, or the event on it. */
static inline uint8_t store_account(const struct core *c, uint32_t w)
{
    if (!(events_borrowed(&c->events) >> w & 1) || !event_on(&c->events, w))
        return 0;
    return (uint8_t)(warp_of(&c->warps, w)->entry + 1);
}

/* Recomputes whether the warp's next instruction may issue. To be called after every change of its
 * i-buffer, scoreboard or blocking condition. */
static inline void issue_refresh(struct core *c, uint32_t w)
{
    struct issue *s = &c->issue;
    uint64_t bit = BIT(w);
    s->head[s->head_unit[w]] &= ~bit;
    if (!(fetch_some(&c->fetch) & bit &
          ~(barriers_waiting(&c->barriers) | s->at_fence | s->asleep |
            remotes_waiting(&c->remotes) | events_frozen(&c->events) | warps_doomed(&c->warps))))
        return;
    const struct inst *i = warp_code(&c->warps, w) + stack_pc(&c->stacks, w);
    if (pending_use(&c->scoreboard, w, i))
        return;
    /* A barrier orders the memory accesses before it (PTX ISA, bar): atomics must have happened. */
    if (i->class == INST_BARRIER && remotes_unperformed(&c->remotes, w))
        return;
    s->head_unit[w] = i->unit;
    s->head[i->unit] |= bit;
}

#endif
