#include "sim/simt/sample.h"

#include "sim/simt/core_internal.h"
#include "sim/simt/recorder.h"

/* Cycles between two samples: odd, so that loops of kernels do not keep step with it. */
#define SAMPLE_BASE     101u
#define SAMPLE_PER_WARP 8u

void sampler_create(struct sampler *s)
{
    s->next = s->interval = SAMPLE_BASE;
    s->recorder = NULL;
}

void sampler_record(struct sampler *s)
{
    s->recorder = recorder_create();
}

const struct recorder *sampler_recorded(const struct sampler *s)
{
    return s->recorder;
}

void sampler_destroy(struct sampler *s)
{
    recorder_free(s->recorder);
}

/* Warps that wait for an operand, by where it comes from; those in no mask: from a pipeline. */
struct late {
    const struct core *core;
    uint64_t waiting; /* all of them */
    uint64_t memory, load_store, shared, banks, constant;
};

static const struct inst *next_inst(const struct core *c, uint32_t w)
{
    return warp_code(&c->slots.warps, w) + stack_pc(&c->slots.stacks, w);
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
        late_access(late, access_at(&late->core->lsu.pool, node->access));
}

static struct late find_late(const struct core *c)
{
    uint64_t off =
        ready_held(&c->slots.ready, WAIT_BARRIER) | ready_held(&c->slots.ready, WAIT_FENCE) |
        ready_held(&c->slots.ready, WAIT_SLEEP) | ready_held(&c->slots.ready, WAIT_ACCESS) |
        ready_held(&c->slots.ready, WAIT_COPY) | ready_warps(&c->slots.ready);
    struct late late = {.core = c,
                        .waiting = warps_alive(&c->slots.warps) &
                                   ibuffers_some(&c->slots.ibuffers) & ~off};
    if (!late.waiting)
        return late;
    enum warp_state unit = lsu_taken_by(&c->lsu, clock_now(&c->slots.clock));
    for (uint64_t m = late.waiting; m; m &= m - 1) {
        uint32_t w = lowest(m);
        const struct access *load = lsu_late_load(&c->lsu, w, next_inst(c, w));
        if (load && load->queued) /* has not gone to memory: the unit is at others before it */
            late_in(&late, unit, BIT(w));
        else if (load || l2_accesses_in_flight(&c->lsu.l2_accesses, w))
            late.memory |= BIT(w);
        else if (lsu_waits_for_constant(&c->lsu, w))
            late.constant |= BIT(w);
    }
    for (uint32_t i = 0; i < lsu_queued(&c->lsu); i++)
        late_access(&late, lsu_queue_at(&c->lsu, i));
    wheel_visit(&c->slots.wheel, late_node, &late);
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

/* Warps of one owner at one moment. */
struct look {
    const struct late *late;
    uint64_t issued, each;
    uint32_t owner;
};

/* Those whose instruction is ready; the unit it needs may not be. */
static uint64_t take_ready(const struct core *c, const struct look *l, uint64_t of,
                           uint64_t *cycles)
{
    uint64_t each = l->each;
    uint64_t allowed = issue_allowed(&c->pipeline.issue) | events_running(&c->slots.events);
    uint64_t now = clock_now(&c->slots.clock),
             busy = 0; /* busy: their scheduler has issued another */
    bool full = lsu_full(&c->lsu, c->slots.config.ldst_queue);
    for (uint32_t s = 0; s < c->slots.config.schedulers; s++)
        busy |=
            issue_slots(&c->pipeline.issue, s) & l->issued ? issue_slots(&c->pipeline.issue, s) : 0;
    for (uint32_t u = 0; u < EXEC_UNITS; u++) {
        uint64_t here = ready_for(&c->slots.ready, u) & of;
        if (!here)
            continue;
        of &= ~here;
        here = take(cycles, WARP_LIMIT, here, ~allowed, each);
        if (u == UNIT_LDST && full)
            here = take(cycles, lsu_taken_by(&c->lsu, now), here, here, each);
        else if (u == UNIT_LDST && l2_accesses_full(&c->lsu.l2_accesses))
            here = take(cycles, WARP_MEMORY, here, here, each);
        if (issue_unit_taken(&c->pipeline.issue, u, now, true))
            here = take(cycles, WARP_UNIT, here, here, each);
        else if (issue_unit_taken(&c->pipeline.issue, u, now, false))
            here = take(cycles, WARP_UNIT, here, ~busy, each);
        take(cycles, WARP_NOT_SELECTED, here, here, each);
    }
    return of;
}

/* Slots of the owner's warps that an event has taken, or is taking or giving back. */
static uint64_t displaced(const struct core *c, uint64_t of, uint32_t owner)
{
    uint64_t gone = events_frozen(&c->slots.events) | events_held(&c->slots.events);
    for (uint64_t m = of & events_borrowed(&c->slots.events); m; m &= m - 1) {
        if (warp_of(&c->slots.warps, lowest(m))->owner != owner)
            gone |= BIT(lowest(m));
    }
    return gone;
}

static void take_states(const struct core *c, const struct look *l, uint64_t of, uint64_t *cycles)
{
    const struct late *late = l->late;
    uint64_t issued = l->issued, each = l->each;
    uint32_t owner = l->owner;
    of = take(cycles, WARP_EVENT, of, displaced(c, of, owner), each);
    of = take(cycles, WARP_ISSUED, of, issued, each);
    of = take(cycles, WARP_ENDING, of, ~warps_alive(&c->slots.warps), each);
    of = take(cycles, WARP_BARRIER, of, ready_held(&c->slots.ready, WAIT_BARRIER), each);
    of = take(cycles, WARP_FENCE, of, ready_held(&c->slots.ready, WAIT_FENCE), each);
    of = take(cycles, WARP_SLEEP, of, ready_held(&c->slots.ready, WAIT_SLEEP), each);
    of = take(cycles, WARP_MEMORY, of,
              late->memory | ready_held(&c->slots.ready, WAIT_ACCESS) |
                  ready_held(&c->slots.ready, WAIT_COPY),
              each);
    of = take(cycles, WARP_FETCH, of, ~ibuffers_some(&c->slots.ibuffers), each);
    of = take_ready(c, l, of, cycles);
    of = take(cycles, WARP_LOAD_STORE, of, late->load_store, each);
    of = take(cycles, WARP_CONSTANT, of, late->constant, each);
    of = take(cycles, WARP_BANKS, of, late->banks, each);
    of = take(cycles, WARP_SHARED, of, late->shared, each);
    take(cycles, WARP_DEPENDENCE, of, of, each);
}

/* The same, warp by warp, for whoever wants to know where in its kernel each was. */
static void record(const struct core *c, struct look *l, uint64_t of)
{
    struct recorder *r = c->sampler.recorder;
    uint64_t each = l->each;
    for (l->each = 1; of; of &= of - 1) {
        uint64_t state[WARP_STATES] = {0};
        uint32_t w = lowest(of), s = 0;
        take_states(c, l, BIT(w), state);
        while (s < WARP_STATES - 1 && !state[s])
            s++;
        /* Its slot is another's, or it has no next instruction. */
        bool here = s != WARP_EVENT && s != WARP_ENDING;
        recorder_add(r, s, each, here ? warp_of(&c->slots.warps, w)->kernel : NULL,
                     here ? stack_pc(&c->slots.stacks, w) : 0);
    }
    l->each = each;
}

static void look_at(struct core *c, struct look *l)
{
    struct core_counters *sum = account_counters(&c->slots.accounts, l->owner);
    uint64_t of = account_counted(&c->slots.accounts, l->owner);
    for (uint32_t s = 0; s < c->slots.config.schedulers; s++)
        sum->schedulers_empty += issue_slots(&c->pipeline.issue, s) & of ? 0 : l->each;
    sum->schedulers += l->each * c->slots.config.schedulers;
    take_states(c, l, of, sum->state);
    if (c->sampler.recorder)
        record(c, l, of);
}

static void look(struct core *c, uint64_t issued, uint64_t times)
{
    if (!times || !accounts_active(&c->slots.accounts))
        return;
    struct late late = find_late(c);
    struct look l = {.late = &late, .issued = issued, .each = times * c->sampler.interval};
    for (uint32_t i = 0; i < accounts_active(&c->slots.accounts); i++) {
        l.owner = account_active(&c->slots.accounts, i);
        if (account_counted(&c->slots.accounts, l.owner)) /* else it has just come */
            look_at(c, &l);
    }
}

void sample_take_each(struct core *c, uint64_t cycle)
{
    while (sample_due(&c->sampler, cycle))
        sample_take(c, c->sampler.next + 1);
}

void sample_take(struct core *c, uint64_t cycle)
{
    struct sampler *s = &c->sampler;
    uint64_t first = s->next;
    uint64_t times = 1 + (cycle - 1 - first) / s->interval;
    bool last_tick = first == clock_now(&c->slots.clock);
    if (last_tick)
        look(c, issue_issued(&c->pipeline.issue), 1);
    look(c, 0, times - last_tick);
    uint64_t last = first + (times - 1) * s->interval;
    s->interval = SAMPLE_BASE + SAMPLE_PER_WARP * warps_count(&c->slots.warps);
    s->next = last + s->interval;
    if (s->next < cycle) /* the interval has become shorter */
        s->next = cycle;
}
