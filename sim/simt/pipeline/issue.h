/* Issue: which warps are ready, the schedulers and the execution units. Owner: issue.c. */
#ifndef EVGPU_SIMT_PIPELINE_ISSUE_H
#define EVGPU_SIMT_PIPELINE_ISSUE_H

#include "sim/simt/units.h"

#define MAX_COPIES     16 /* of one execution unit */
#define MAX_SCHEDULERS 4

struct core;
struct core_stats;

enum stall_kind { STALL_EMPTY, STALL_BARRIER, STALL_SCOREBOARD, STALL_UNIT, STALL_KINDS };

struct issue {
    uint64_t head[EXEC_UNITS]; /* ready warps by the unit that their next instruction needs */
    uint8_t head_unit[SLOTS];
    uint64_t at_fence, asleep;
    uint64_t allowed; /* by the warp limit */
    uint64_t now;     /* warps that have issued in the last tick */
    bool limit_stale;
    uint64_t spinning;      /* warps that only poll; kept up under a limit */
    uint8_t polls[SLOTS];   /* one after the other, without another access to memory */
    uint64_t issued[SLOTS]; /* instructions; the number of the last one */
    uint64_t sched_mask[MAX_SCHEDULERS];
    uint8_t last[MAX_SCHEDULERS];               /* warp each scheduler issued from last */
    uint64_t unit_busy[EXEC_UNITS][MAX_COPIES]; /* first cycle at which the copy is free */
    uint64_t unit_free[EXEC_UNITS];             /* first cycle at which any copy is */
    uint32_t units_taken;                       /* bit per unit: no copy is free */
    bool watched, watched_memory;               /* core_watch_signals */
    uint8_t signal_ready, signal_full;
    uint64_t warp_instructions, thread_instructions, event_instructions;
    uint64_t stall[STALL_KINDS]; /* scheduler-cycles without issue */
};

/* Who counts for the warp limit has changed. */
static inline void issue_limit_stale(struct issue *s)
{
    s->limit_stale = true;
}

static inline uint64_t issue_fences(const struct issue *s)
{
    return s->at_fence;
}

static inline uint64_t issue_ready(const struct issue *s)
{
    uint64_t ready = 0;
    for (uint32_t u = 0; u < EXEC_UNITS; u++)
        ready |= s->head[u];
    return ready;
}

/* The same for one unit, which may be taken. */
static inline uint64_t issue_ready_for(const struct issue *s, uint32_t unit)
{
    return s->head[unit];
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
    return s->sched_mask[scheduler];
}

static inline uint64_t issue_allowed(const struct issue *s)
{
    return s->allowed;
}

/* Number of the instruction that is being issued, or was issued last. */
static inline uint64_t issue_number(const struct issue *s, uint32_t w)
{
    return s->issued[w];
}

static inline void issue_start(struct issue *s, uint32_t w)
{
    s->issued[w] = 0;
    s->polls[w] = 0;
    s->spinning &= ~BIT(w);
    s->limit_stale = true;
}

/* The warp's accesses are done. */
static inline void issue_leave_fence(struct issue *s, uint32_t w)
{
    s->at_fence &= ~BIT(w);
}

/* The warp exits wherever it is. */
static inline void issue_forget(struct issue *s, uint32_t w)
{
    s->at_fence &= ~BIT(w);
    s->asleep &= ~BIT(w);
}

static inline uint64_t issue_asleep(const struct issue *s)
{
    return s->asleep;
}

static inline void issue_wake(struct issue *s, uint32_t w)
{
    s->asleep &= ~BIT(w);
}

/* Can the next tick issue anything, or does it have to look? */
static inline bool issue_wants_tick(const struct issue *s)
{
    return (issue_ready(s) & s->allowed) || s->limit_stale;
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

/* No warp within the limit is ready, and each that could run has a load or an atomic in flight. */
bool issue_all_wait_for_memory(const struct core *c);

void issue_create(struct core *c);
void issue_pipe(struct core *c, uint32_t w, const struct inst *inst, uint32_t latency);
void issue_tick(struct core *c);
/* Cycles in which the core was not ticked: nothing was ready, and nothing has changed since. */
void issue_skipped(struct core *c, uint64_t cycles);
void issue_stats(const struct issue *s, struct core_stats *stats);

#endif
