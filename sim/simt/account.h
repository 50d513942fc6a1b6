/* Whose warps are on the core, and what is counted for each owner (counters.h). Owner: account.c.
 *
 * Residence is counted when it changes, and what the load-store unit does where it does it. What
 * warps wait for is sampled, the more often the fewer warps there are to look at: to keep account
 * of each warp in each cycle would cost as much as the schedulers themselves. */
#ifndef EVGPU_SIMT_ACCOUNT_H
#define EVGPU_SIMT_ACCOUNT_H

#include "sim/simt/counters.h"
#include "sim/simt/units.h"

struct core;

struct account {
    struct core_counts counts;
    uint64_t warps;   /* slots; a victim's is also under its event */
    uint64_t counted; /* the same as of `since`, the cycle up to which residence is counted */
    uint64_t since;
    bool active;
};

struct accounts {
    struct account *account;    /* GPU_OWNERS */
    uint8_t active[GPU_OWNERS]; /* owners that have warps here */
    uint32_t n_active;
    uint64_t next_sample;
    uint64_t interval; /* to the next one: cycles that it stands for */
};

static inline void account_l1(struct accounts *a, uint32_t owner, bool hit)
{
    struct core_counts *n = &a->account[owner].counts;
    *(hit ? &n->l1_hits : &n->l1_misses) += 1;
}

static inline void account_conflicts(struct accounts *a, uint32_t owner, uint64_t cycles)
{
    a->account[owner].counts.shared_conflicts += cycles;
}

static inline void account_instructions(struct accounts *a, uint32_t owner, uint64_t warp,
                                        uint64_t thread)
{
    a->account[owner].counts.warp_instructions += warp;
    a->account[owner].counts.thread_instructions += thread;
}

/* A sample is due in a cycle before `cycle`. */
static inline bool account_due(const struct accounts *a, uint64_t cycle)
{
    return cycle > a->next_sample;
}

void accounts_create(struct core *c);
void accounts_destroy(struct core *c);

/* A warp of this owner is in the slot, or not any more; an event beside its victim is one more.
 * account_settle has to follow. */
void account_enter(struct accounts *a, uint32_t w, uint32_t owner);
void account_leave(struct accounts *a, uint32_t w, uint32_t owner);

/* Counts residence up to `cycle`, and the changes from then on. */
void account_settle(struct accounts *a, uint64_t cycle);

/* Before the tick of `cycle`: the warps as they were at the end of the last one, for every sample
 * since then. */
void account_sample(struct core *c, uint64_t cycle);

#endif
