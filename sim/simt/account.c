#include "sim/simt/account.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "sim/simt/core_internal.h"

/* Cycles between two samples: odd, so that loops of kernels do not keep step with it. */
#define SAMPLE_BASE     101u
#define SAMPLE_PER_WARP 8u

void accounts_create(struct core *c)
{
    c->accounts.account = ALLOC_ARRAY(struct account, GPU_OWNERS);
    c->accounts.next_sample = c->accounts.interval = SAMPLE_BASE;
}

void accounts_destroy(struct core *c)
{
    free(c->accounts.account);
}

/* --- residence -------------------------------------------------------------------------------- */

void account_enter(struct accounts *a, uint32_t w, uint32_t owner)
{
    struct account *one = &a->account[owner];
    one->warps |= BIT(w);
    if (one->active)
        return;
    one->active = true;
    a->active[a->n_active++] = (uint8_t)owner;
}

void account_leave(struct accounts *a, uint32_t w, uint32_t owner)
{
    a->account[owner].warps &= ~BIT(w);
}

static void settle(struct account *one, uint64_t cycle)
{
    uint64_t passed = cycle - one->since;
    one->counts.warp_cycles += passed * (uint64_t)__builtin_popcountll(one->counted);
    one->counts.core_cycles += one->counted ? passed : 0;
    one->counted = one->warps;
    one->since = cycle;
}

void account_settle(struct accounts *a, uint64_t cycle)
{
    for (uint32_t i = 0; i < a->n_active;) {
        struct account *one = &a->account[a->active[i]];
        settle(one, cycle);
        one->active = one->warps != 0;
        if (one->active)
            i++;
        else
            a->active[i] = a->active[--a->n_active];
    }
}

void core_take_counts(struct core *c, uint32_t owner, struct core_counts *sum)
{
    struct account *one = &c->accounts.account[owner];
    /* A block may be ending in this very tick, whose cycle still counts. */
    settle(one, clock_now(&c->clock) + 1);
    core_counts_add(sum, &one->counts);
    memset(&one->counts, 0, sizeof one->counts);
}

/* --- what warps wait for ---------------------------------------------------------------------- */

/* Warps that wait for an operand, by where it comes from; those in no mask: from a pipeline. */
struct late {
    const struct core *core;
    uint64_t waiting; /* all of them */
    uint64_t memory, load_store, shared, banks, constant;
};

static const struct inst *next_inst(const struct core *c, uint32_t w)
{
    return warp_code(&c->warps, w) + stack_pc(&c->stacks, w);
}

static void late_in(struct late *late, enum warp_state state, uint64_t warps)
{
    late->memory |= state == WARP_MEMORY ? warps : 0;
    late->load_store |= state == WARP_LOAD_STORE ? warps : 0;
    late->shared |= state == WARP_SHARED ? warps : 0;
    late->banks |= state == WARP_BANKS ? warps : 0;
    late->constant |= state == WARP_CONSTANT ? warps : 0;
}

static void late_access(struct late *late, const struct access *a)
{
    uint64_t bit = BIT(a->warp);
    if (!(late->waiting & bit))
        return;
    /* Loads of device memory have been looked at. */
    if (a->count == COUNT_PIPE)
        late_in(late, lsu_late(a, next_inst(late->core, a->warp)), bit);
}

static void late_node(void *user, const struct node *node)
{
    struct late *late = user;
    if (node->kind == NODE_ACCESS)
        late_access(late, lsu_access(&late->core->lsu, node->access));
}

static struct late find_late(const struct core *c)
{
    uint64_t off = barriers_waiting(&c->barriers) | issue_fences(&c->issue) |
                   issue_asleep(&c->issue) | remotes_waiting(&c->remotes) | issue_ready(&c->issue);
    struct late late = {.core = c,
                        .waiting = warps_alive(&c->warps) & fetch_some(&c->fetch) & ~off};
    if (!late.waiting)
        return late;
    enum warp_state unit = lsu_taken_by(&c->lsu, clock_now(&c->clock));
    for (uint64_t m = late.waiting; m; m &= m - 1) {
        uint32_t w = lowest(m);
        const struct access *load = lsu_late_load(&c->lsu, w, next_inst(c, w));
        if (load && load->queued) /* has not gone to memory: the unit is at others before it */
            late_in(&late, unit, BIT(w));
        else if (load || remotes_in_flight(&c->remotes, w))
            late.memory |= BIT(w);
        else if (lsu_waits_for_constant(&c->lsu, w))
            late.constant |= BIT(w);
    }
    for (uint32_t i = 0; i < lsu_queued(&c->lsu); i++)
        late_access(&late, lsu_queue_at(&c->lsu, i));
    wheel_visit(&c->wheel, late_node, &late);
    return late;
}

/* The warps of `of` in one state; what is left of them. */
static uint64_t take(uint64_t *cycles, enum warp_state state, uint64_t of, uint64_t in,
                     uint64_t each)
{
    if (of & in)
        cycles[state] += each * (uint64_t)__builtin_popcountll(of & in);
    return of & ~in;
}

/* Those whose instruction is ready; the unit it needs may not be. */
static uint64_t take_ready(const struct core *c, uint64_t *cycles, uint64_t of, uint64_t each)
{
    uint64_t allowed = issue_allowed(&c->issue) | events_running(&c->events);
    uint64_t now = clock_now(&c->clock), busy = 0; /* busy: their scheduler has issued another */
    bool full = lsu_full(&c->lsu, c->config.ldst_queue);
    for (uint32_t s = 0; s < c->config.schedulers; s++)
        busy |= issue_slots(&c->issue, s) & issue_issued(&c->issue) ? issue_slots(&c->issue, s) : 0;
    for (uint32_t u = 0; u < EXEC_UNITS; u++) {
        uint64_t here = issue_ready_for(&c->issue, u) & of;
        if (!here)
            continue;
        of &= ~here;
        here = take(cycles, WARP_LIMIT, here, ~allowed, each);
        if (u == UNIT_LDST && full)
            here = take(cycles, lsu_taken_by(&c->lsu, now), here, here, each);
        else if (u == UNIT_LDST && remotes_full(&c->remotes))
            here = take(cycles, WARP_MEMORY, here, here, each);
        if (issue_unit_taken(&c->issue, u, now, true))
            here = take(cycles, WARP_UNIT, here, here, each);
        else if (issue_unit_taken(&c->issue, u, now, false))
            here = take(cycles, WARP_UNIT, here, ~busy, each);
        take(cycles, WARP_NOT_SELECTED, here, here, each);
    }
    return of;
}

/* Slots of the owner's warps that an event has taken, or is taking or giving back. */
static uint64_t displaced(const struct core *c, uint64_t of, uint32_t owner)
{
    uint64_t gone = events_frozen(&c->events) | port_held(&c->port);
    for (uint64_t m = of & events_borrowed(&c->events); m; m &= m - 1) {
        if (warp_of(&c->warps, lowest(m))->owner != owner)
            gone |= BIT(lowest(m));
    }
    return gone;
}

static void look_at(const struct core *c, uint32_t owner, const struct late *late, uint64_t issued,
                    uint64_t each)
{
    struct account *one = &c->accounts.account[owner];
    uint64_t *cycles = one->counts.state, of = one->counted;
    for (uint32_t s = 0; s < c->config.schedulers; s++)
        one->counts.schedulers_empty += issue_slots(&c->issue, s) & of ? 0 : each;
    one->counts.schedulers += each * c->config.schedulers;
    of = take(cycles, WARP_EVENT, of, displaced(c, of, owner), each);
    of = take(cycles, WARP_ISSUED, of, issued, each);
    of = take(cycles, WARP_ENDING, of, ~warps_alive(&c->warps), each);
    of = take(cycles, WARP_BARRIER, of, barriers_waiting(&c->barriers), each);
    of = take(cycles, WARP_FENCE, of, issue_fences(&c->issue), each);
    of = take(cycles, WARP_SLEEP, of, issue_asleep(&c->issue), each);
    of = take(cycles, WARP_MEMORY, of, late->memory | remotes_waiting(&c->remotes), each);
    of = take(cycles, WARP_FETCH, of, ~fetch_some(&c->fetch), each);
    of = take_ready(c, cycles, of, each);
    of = take(cycles, WARP_LOAD_STORE, of, late->load_store, each);
    of = take(cycles, WARP_CONSTANT, of, late->constant, each);
    of = take(cycles, WARP_BANKS, of, late->banks, each);
    of = take(cycles, WARP_SHARED, of, late->shared, each);
    take(cycles, WARP_DEPENDENCE, of, of, each);
}

static void look(struct core *c, uint64_t issued, uint64_t times)
{
    const struct accounts *a = &c->accounts;
    if (!times || !a->n_active)
        return;
    struct late late = find_late(c);
    for (uint32_t i = 0; i < a->n_active; i++) {
        if (a->account[a->active[i]].counted) /* else it has just come */
            look_at(c, a->active[i], &late, issued, times * a->interval);
    }
}

void account_sample(struct core *c, uint64_t cycle)
{
    struct accounts *a = &c->accounts;
    uint64_t first = a->next_sample;
    uint64_t times = 1 + (cycle - 1 - first) / a->interval;
    bool last_tick = first == clock_now(&c->clock);
    if (last_tick)
        look(c, issue_issued(&c->issue), 1);
    look(c, 0, times - last_tick);
    uint64_t last = first + (times - 1) * a->interval;
    a->interval = SAMPLE_BASE + SAMPLE_PER_WARP * core_resident_warps(c);
    a->next_sample = last + a->interval;
    if (a->next_sample < cycle) /* the interval has become shorter */
        a->next_sample = cycle;
}
