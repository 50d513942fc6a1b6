/* Issue: the schedulers, the execution units, and functional execution. Owner: issue.c. */
#ifndef EVGPU_SIMT_PIPELINE_ISSUE_H
#define EVGPU_SIMT_PIPELINE_ISSUE_H

#include <stddef.h>

#include "sim/simt/pipeline/scheduler.h"
#include "sim/simt/warp/slots.h"

#define MAX_COPIES 16 /* of one execution unit */

struct pipeline;

enum stall_kind { STALL_EMPTY, STALL_BARRIER, STALL_SCOREBOARD, STALL_UNIT, STALL_KINDS };

struct issue {
    const struct warp_scheduler *policy;
    struct scheduler scheduler[MAX_SCHEDULERS];
    uint64_t allowed;     /* by the warp limit */
    uint64_t now;         /* warps that have issued in the last tick */
    uint64_t spinning;    /* warps that only poll; kept up under a limit */
    uint8_t polls[SLOTS]; /* one after the other, without another access to memory */
    uint64_t unit_busy[EXEC_UNITS][MAX_COPIES]; /* first cycle at which the copy is free */
    uint64_t unit_free[EXEC_UNITS];             /* first cycle at which any copy is */
    uint32_t units_taken;                       /* bit per unit: no copy is free */
    bool watched, watched_memory;               /* core_watch_signals */
    uint8_t signal_ready, signal_full;
    uint64_t warp_instructions, thread_instructions, event_instructions;
    uint64_t stall[STALL_KINDS]; /* scheduler-cycles without issue */
};

/* What every cycle looks at comes to the host's cache. */
static inline void issue_expect(const struct issue *s)
{
    expect_bytes(s, offsetof(struct issue, polls));
    expect_bytes(&s->unit_free, sizeof *s - offsetof(struct issue, unit_free));
}

/* No copy of the unit was free in the tick of cycle `now`; `still`: nor will one be in the next. */
static inline bool issue_unit_taken(const struct issue *s, uint32_t unit, uint64_t now, bool still)
{
    return s->units_taken >> unit & 1 && s->unit_free[unit] > now + still;
}

/* Warps that have issued in the last tick. */
static inline uint64_t issue_issued(const struct issue *s)
{
    return s->now;
}

/* The slots of a scheduler. */
static inline uint64_t issue_slots(const struct issue *s, uint32_t scheduler)
{
    return s->scheduler[scheduler].slots;
}

static inline uint64_t issue_allowed(const struct issue *s)
{
    return s->allowed;
}

/* A warp starts in the slot. */
static inline void issue_start(struct issue *s, uint32_t w)
{
    s->polls[w] = 0;
    s->spinning &= ~BIT(w);
}

static inline void issue_watch(struct issue *s, bool memory)
{
    s->watched = true;
    s->watched_memory = memory;
}

/* Of the last tick, a bit per scheduler: it had a ready warp; none of them could issue. */
static inline uint8_t issue_signal_ready(const struct issue *s)
{
    return s->signal_ready;
}

static inline uint8_t issue_signal_full(const struct issue *s)
{
    return s->signal_full;
}

/* The same of coming cycles in which nothing changes and nothing is issued: both signals. */
uint8_t issue_signals_at_rest(const struct pipeline *p);

/* No warp within the limit is ready, and each that could run has a load or an atomic in flight. */
bool issue_all_wait_for_memory(const struct pipeline *p);

/* Warps within the limit have passed the scoreboard, or the limit has to be looked at. */
static inline bool issue_has_warps(const struct issue *s, const struct ready *ready)
{
    return (ready_warps(ready) & s->allowed) || ready_limit_is_stale(ready);
}

/* The same when there are such warps: issue_next. */
uint64_t issue_next_unit(const struct pipeline *p, uint64_t next);

/* First cycle at or after `next`, the coming one, in which one of them may have a unit, as long as
 * the load-store unit does nothing; UINT64_MAX: none. */
static inline uint64_t issue_next(const struct pipeline *p, const struct issue *s,
                                  const struct ready *ready, uint64_t next)
{
    return issue_has_warps(s, ready) ? issue_next_unit(p, next) : UINT64_MAX;
}

void issue_create(struct issue *s, const struct core_config *config);
void issue_tick(struct pipeline *p);
/* Cycles in which the core was not ticked: nothing was ready, and nothing has changed since. */
void issue_skipped(struct pipeline *p, uint64_t cycles);
static inline void issue_rest(struct issue *s)
{
    s->now = 0;
}
void issue_stats(const struct issue *s, struct core_stats *stats);

#endif
