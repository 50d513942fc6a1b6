/* Whose warps are on the core, and what is counted for each owner (counters.h). Owner: account.c.
 *
 * Residence is counted when it changes, and what the load-store unit does where it does it; the
 * states of warps are sampled (sample.h). */
#ifndef EVGPU_SIMT_WARP_ACCOUNT_H
#define EVGPU_SIMT_WARP_ACCOUNT_H

#include "sim/simt/counters.h"
#include "sim/simt/warp/units.h"

struct account {
    struct core_counters counters;
    uint64_t warps;   /* slots; a victim's is also under its event */
    uint64_t counted; /* the same as of `since`, the cycle up to which residence is counted */
    uint64_t since;
    bool active;
};

struct accounts {
    struct account *account;    /* GPU_OWNERS */
    uint8_t active[GPU_OWNERS]; /* owners that have warps here */
    uint32_t n_active;
};

static inline void account_l1(struct accounts *a, uint32_t owner, bool hit)
{
    struct core_counters *n = &a->account[owner].counters;
    *(hit ? &n->l1_hits : &n->l1_misses) += 1;
}

static inline void account_conflicts(struct accounts *a, uint32_t owner, uint64_t cycles)
{
    a->account[owner].counters.shared_conflicts += cycles;
}

static inline void account_instructions(struct accounts *a, uint32_t owner, uint64_t warp,
                                        uint64_t thread)
{
    a->account[owner].counters.warp_instructions += warp;
    a->account[owner].counters.thread_instructions += thread;
}

static inline uint32_t accounts_active(const struct accounts *a)
{
    return a->n_active;
}

/* The n-th owner that has warps here, n < accounts_active(). */
static inline uint32_t account_active(const struct accounts *a, uint32_t n)
{
    return a->active[n];
}

/* Warps of the owner whose residence is counted. */
static inline uint64_t account_counted(const struct accounts *a, uint32_t owner)
{
    return a->account[owner].counted;
}

static inline struct core_counters *account_counters(struct accounts *a, uint32_t owner)
{
    return &a->account[owner].counters;
}

void accounts_create(struct accounts *a);
void accounts_destroy(struct accounts *a);

/* A warp of this owner is in the slot, or not any more; an event beside its victim is one more.
 * account_settle has to follow. */
void account_enter(struct accounts *a, uint32_t w, uint32_t owner);
void account_leave(struct accounts *a, uint32_t w, uint32_t owner);

/* Counts residence up to `cycle`, and the changes from then on. */
void account_settle(struct accounts *a, uint64_t cycle);

/* Adds what has been counted for an owner up to `cycle` to `sum`, and begins anew. */
void account_take(struct accounts *a, uint64_t cycle, uint32_t owner, struct core_counters *sum);

#endif
