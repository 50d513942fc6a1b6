/* Which warps may issue: nothing holds the warp, its next instruction is in the i-buffer, and the
 * scoreboard has its operands. Each part tells this table what holds a warp and when that ends, so
 * that the table knows no part. ready_refresh (slots.h) follows. All of it is in headers. */
#ifndef EVGPU_SIMT_WARP_READY_H
#define EVGPU_SIMT_WARP_READY_H

#include "sim/simt/warp/units.h"

enum wait_kind {
    WAIT_BARRIER, /* waits at a barrier; victims under events are not in it */
    WAIT_FENCE,   /* waits until its own accesses are performed */
    WAIT_SLEEP,   /* nanosleep */
    WAIT_ACCESS,  /* its next access has to wait for one of its own, or for room in the region */
    WAIT_COPY,    /* waits for groups of its asynchronous copies */
    WAIT_KINDS
};

/* Masks are over warp slots. */
struct ready {
    uint64_t any;              /* ready warps, */
    uint64_t head[EXEC_UNITS]; /* and those by the unit that their next instruction needs */
    uint64_t waiting;          /* all of `held` */
    uint64_t held[WAIT_KINDS];
    uint8_t head_unit[SLOTS];
    uint64_t unperformed; /* warps with an access that L2 or the region has not performed */
    bool limit_stale;     /* who counts for the warp limit has changed */
};

static inline void ready_hold(struct ready *r, enum wait_kind why, uint32_t w)
{
    r->held[why] |= BIT(w);
    r->waiting |= BIT(w);
}

static inline void ready_let_go(struct ready *r, enum wait_kind why, uint32_t w)
{
    r->held[why] &= ~BIT(w);
    r->waiting = 0;
    for (uint32_t i = 0; i < WAIT_KINDS; i++)
        r->waiting |= r->held[i];
}

static inline uint64_t ready_held(const struct ready *r, enum wait_kind why)
{
    return r->held[why];
}

static inline void ready_unperformed(struct ready *r, uint32_t w, bool some)
{
    r->unperformed = (r->unperformed & ~BIT(w)) | (some ? BIT(w) : 0);
}

/* Some warp has such an access. */
static inline bool ready_unperformed_any(const struct ready *r)
{
    return r->unperformed != 0;
}

/* Ready warps, whatever their units do. */
static inline uint64_t ready_warps(const struct ready *r)
{
    return r->any;
}

/* The same for one unit. */
static inline uint64_t ready_for(const struct ready *r, uint32_t unit)
{
    return r->head[unit];
}

static inline void ready_limit_stale(struct ready *r)
{
    r->limit_stale = true;
}

/* Has it changed since the last call? */
static inline bool ready_take_limit_stale(struct ready *r)
{
    bool stale = r->limit_stale;
    r->limit_stale = false;
    return stale;
}

static inline bool ready_limit_is_stale(const struct ready *r)
{
    return r->limit_stale;
}

#endif
