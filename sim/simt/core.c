/* The core: creation, one cycle, and when the next one matters. */
#include "sim/simt/core.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "sim/mem/memsys.h"
#include "sim/simt/core_internal.h"

/* Transactions of one shared-memory instruction at most: banks are busy for so many cycles. */
#define MAX_SHARED_CYCLES (WARP_SIZE * 4)

struct limit {
    const char *name;
    uint32_t value, least, most;
};

static bool check_limits(const struct limit *limits, size_t count, struct error *err)
{
    for (size_t i = 0; i < count; i++) {
        if (limits[i].value < limits[i].least || limits[i].value > limits[i].most)
            return error_set(err, "core.%s is %u; it must be %u to %u", limits[i].name,
                             limits[i].value, limits[i].least, limits[i].most);
    }
    return true;
}

static bool check_config(const struct core_config *k, struct error *err)
{
    const struct limit limits[] = {
        {"warps", k->warps, 1, SLOTS},
        {"blocks", k->blocks, 1, SLOTS},
        {"threads", k->threads, 1, SLOTS * WARP_SIZE},
        {"registers", k->registers, 1, 1u << 24},
        {"shared_bytes", k->shared_bytes, 0, 1u << 24},
        {"schedulers", k->schedulers, 1, 4},
        {"warp_limit", k->warp_limit, 0, SLOTS},
        {"fetch_width", k->fetch_width, 1, 8},
        {"icache_latency", k->icache_latency, 1, MAX_LATENCY},
        {"const_latency", k->const_latency, 1, MAX_LATENCY},
        {"l1_latency", k->l1_latency, 1, MAX_LATENCY},
        {"l1_miss_latency", k->l1_miss_latency, 0, MAX_LATENCY},
        {"operand_cycles", k->operand_cycles, 0, MAX_LATENCY},
        {"writeback_cycles", k->writeback_cycles, 0, MAX_LATENCY},
        {"shared_latency", k->shared_latency, 1, MAX_LATENCY},
        {"shared_banks", k->shared_banks, 1, SLOTS},
        {"ldst_queue", k->ldst_queue, 1, MAX_LDST_QUEUE},
    };
    if (!check_limits(limits, sizeof limits / sizeof *limits, err))
        return false;
    if (!core_scheduler_name(k->scheduler))
        return error_set(err, "core.scheduler: policy %u does not exist", k->scheduler);
    if (k->schedulers == 3)
        return error_set(err, "core.schedulers is 3; it must be 1, 2 or 4");
    for (uint32_t t = 0; t < TIMING_CLASSES; t++) {
        const struct limit timing[] = {{"latency", k->latency[t], 1, MAX_LATENCY},
                                       {"interval", k->interval[t], 1, MAX_LATENCY}};
        if (!check_limits(timing, 2, err))
            return false;
    }
    for (uint32_t u = 0; u < EXEC_UNITS; u++) {
        const struct limit units = {"units", k->units[u], 1, MAX_COPIES};
        if (!check_limits(&units, 1, err))
            return false;
    }
    return true;
}

static uint32_t longest_delay(const struct core_config *k)
{
    uint32_t most = k->l1_latency;
    for (uint32_t t = 0; t < TIMING_CLASSES; t++)
        most = k->latency[t] > most ? k->latency[t] : most;
    if (k->const_latency > most)
        most = k->const_latency;
    if (k->shared_latency + MAX_SHARED_CYCLES > most)
        most = k->shared_latency + MAX_SHARED_CYCLES;
    return most + k->operand_cycles + k->writeback_cycles;
}

/* Back from what is done to what waits for it: slots.drained. */
static void drained(void *user, uint32_t w)
{
    struct core *c = user;
    if (retire_drained(&c->pipeline, w))
        event_finished(&c->event, w);
}

static void slots_create(struct core *c, const struct core_config *config,
                         const struct core_env *env)
{
    struct slots *slots = &c->slots;
    slots->config = *config;
    slots->env = *env;
    slots->clock.cycle = UINT64_MAX; /* cycle 0 comes next */
    slots->clock.khz = env->core_khz;
    slots->drained = drained;
    slots->user = c;
    warps_create(slots);
    stacks_create(&slots->stacks, config->warps);
    accounts_create(&slots->accounts);
    outbox_create(&slots->outbox);
    faults_create(&slots->fault);
    ibuffers_create(&slots->ibuffers, config->fetch_width * (config->icache_latency + 1));
    /* Per cycle: one node per scheduler, one from the load-store unit. */
    wheel_create(&slots->wheel, longest_delay(config), config->schedulers + 1);
}

static void slots_destroy(struct slots *slots)
{
    wheel_destroy(&slots->wheel);
    ibuffers_destroy(&slots->ibuffers);
    faults_destroy(&slots->fault);
    outbox_destroy(&slots->outbox);
    accounts_destroy(&slots->accounts);
    stacks_destroy(&slots->stacks);
    warps_destroy(slots);
}

struct core *core_create(const struct core_config *config, const struct core_env *env,
                         struct error *err)
{
    if (!check_config(config, err))
        return NULL;
    struct core *c = alloc_lines(1, sizeof *c);
    slots_create(c, config, env);
    sampler_create(&c->sampler);
    event_unit_create(&c->event, &c->slots, &c->lsu, &c->pipeline);
    functional_create(&c->functional, &c->slots, &c->pipeline, &c->lsu);
    bool ok = lsu_create(&c->lsu, &c->slots, err);
    if (pipeline_create(&c->pipeline, &c->slots, &c->lsu, ok ? err : &(struct error){0}) && ok)
        return c;
    core_destroy(c);
    return NULL;
}

void core_destroy(struct core *c)
{
    if (!c)
        return;
    functional_destroy(&c->functional);
    pipeline_destroy(&c->pipeline);
    lsu_destroy(&c->lsu);
    slots_destroy(&c->slots);
    sampler_destroy(&c->sampler);
    free(c);
}

/* --- one cycle -------------------------------------------------------------------------------- */

/* Timed warps that have come since the last tick, or gone in this one. */
static void count_warps(struct core *c, uint64_t from)
{
    uint64_t now = warps_resident(&c->slots.warps) & ~functional_warps(&c->functional);
    if (now == c->residence.last)
        return;
    c->residence.last = now;
    c->residence.last_warps = (uint32_t)__builtin_popcountll(now);
    account_settle(&c->slots.accounts, from);
}

static void set_clock(struct core *c, uint64_t cycle)
{
    c->slots.clock.cycle = cycle;
}

/* Cycles in which the core was not ticked had the warps of the last one. */
static void count_skipped(struct core *c, uint64_t cycles)
{
    if (c->residence.last_warps)
        issue_skipped(&c->pipeline, cycles);
    c->residence.cycles_active += cycles * (c->residence.last_warps != 0);
    c->residence.warp_cycles += cycles * c->residence.last_warps;
}

void core_doze(struct core *c, uint64_t last)
{
    /* Or it has run before the others: `last` may lie behind it. */
    if (last + 1 <= c->slots.clock.cycle + 1)
        return;
    uint64_t passed = last - c->slots.clock.cycle;
    sample_take_each(c, last); /* that of the last cycle is due in the next one */
    count_skipped(c, passed);
    set_clock(c, last);
    issue_rest(&c->pipeline.issue);
}

static void advance_clock(struct core *c, uint64_t cycle)
{
    uint64_t passed = cycle - c->slots.clock.cycle;
    if (passed > 1)
        count_skipped(c, passed - 1);
    set_clock(c, cycle);
    count_warps(c, cycle);
    c->residence.cycles_active += c->residence.last_warps != 0;
    c->residence.warp_cycles += c->residence.last_warps;
}

static void take_reply(struct core *c)
{
    struct mem_request reply;
    if (port_no_reply(&c->lsu.port) || !port_reply(&c->lsu.port, &reply))
        return;
    uint32_t value = reply.tag >> TAG_KIND_BITS;
    switch ((enum tag_kind)(reply.tag & ((1u << TAG_KIND_BITS) - 1))) {
    case TAG_ICACHE:
        fetch_reply(&c->pipeline.fetch, value);
        break;
    case TAG_STORE:
        lsu_store_done(&c->lsu, value);
        break;
    case TAG_SAVE:
        transfer_reply(&c->event.transfers, value, false);
        break;
    case TAG_RESTORE:
        transfer_reply(&c->event.transfers, value, true);
        break;
    default:
        lsu_reply(&c->lsu, &reply);
        break;
    }
}

static void pipe_done(struct core *c, const struct node *n)
{
    uint32_t w = n->warp;
    pending_clear(&c->slots.scoreboard, w, n->inst);
    pipe_leave(&c->slots.scoreboard, w);
    if (n->inst->class == INST_SLEEP)
        ready_let_go(&c->slots.ready, WAIT_SLEEP, w);
    ready_gain(&c->slots, w);
    warp_settle(&c->slots, w);
}

static void turn_wheel(struct core *c)
{
    for (uint32_t i = wheel_take(&c->slots.wheel, c->slots.clock.cycle); i != NO_NODE;) {
        const struct node *n = wheel_node(&c->slots.wheel, i);
        if (n->kind == NODE_PIPE)
            pipe_done(c, n);
        else if (access_at(&c->lsu.pool, n->access)->generation == n->generation)
            lsu_part_done(&c->lsu, n->access);
        i = wheel_done(&c->slots.wheel, i);
    }
}

static void begin_cycle(struct core *c, uint64_t cycle)
{
    if (c->dozes)
        core_doze(c, cycle - 1);
    if (sample_due(&c->sampler, cycle))
        sample_take(c, cycle);
    advance_clock(c, cycle);
    port_begin_cycle(&c->lsu.port);
}

/* What the wheel will touch in this cycle comes to the host's cache while the core does other
 * things. */
static void expect(const struct core *c)
{
    for (uint32_t i = wheel_first(&c->slots.wheel, c->slots.clock.cycle); i != NO_NODE;) {
        const struct node *n = wheel_node(&c->slots.wheel, i);
        slots_prefetch(&c->slots, n->warp);
        __builtin_prefetch(access_at(&c->lsu.pool, n->access)); /* of NODE_PIPE: any */
        i = n->next;
    }
    if (ibuffers_on_way(&c->slots.ibuffers))
        slots_prefetch(&c->slots, ibuffers_next_warp(&c->slots.ibuffers));
}

static void write_back(struct core *c)
{
    expect(c);
    take_reply(c);
    if (bus_answered(&c->lsu.bus))
        lsu_take_bus_answers(&c->lsu);
    turn_wheel(c);
    if (warps_doomed(&c->slots.warps)) /* what was in flight for them may just have come back */
        retire_doomed(&c->pipeline, events_not_to_reap(&c->event));
}

static void decode(struct core *c)
{
    if (ibuffers_on_way(&c->slots.ibuffers))
        ibuffers_take_arrivals(&c->slots);
}

/* One request leaves by the core's port. The save area goes first, because an event waits for it,
 * then instruction fetch, because a warp can do nothing without. */
static void execute_memory(struct core *c)
{
    if (transfers_active(&c->event.transfers))
        transfer_tick(&c->event.transfers);
    if (fetch_unsent(&c->pipeline.fetch))
        fetch_send_misses(&c->pipeline.fetch);
    if (lsu_busy(&c->lsu))
        lsu_tick(&c->lsu);
}

/* What is left for the meeting. */
static uint32_t end_cycle(struct core *c, uint64_t cycle)
{
    count_warps(c, cycle + 1);
    return (port_left(&c->lsu.port) ? CORE_PORT : 0) |
           (outbox_stores(&c->slots.outbox) ? CORE_STORES : 0) |
           (outbox_items(&c->slots.outbox) ? CORE_MAIL : 0) |
           (fault_text(&c->slots.fault) ? CORE_FAULT : 0);
}

void core_expect(const struct core *c)
{
    const struct slots *s = &c->slots;
    const struct pipeline *p = &c->pipeline;
    expect_bytes(&s->clock, sizeof s->clock);
    expect_bytes(&s->ibuffers, sizeof s->ibuffers);
    expect_bytes(&s->ready, sizeof s->ready);
    expect_bytes(&s->events, sizeof s->events);
    expect_bytes(&s->wheel, sizeof s->wheel);
    warps_expect(&s->warps);
    issue_expect(&p->issue);
    fetch_expect(&p->fetch);
    __builtin_prefetch(&c->lsu.queue[0].use);
    __builtin_prefetch(&c->lsu.busy);
    __builtin_prefetch(&c->lsu.port);
    __builtin_prefetch(&c->residence);
    __builtin_prefetch(&c->sampler);
}

/* The stages from the last to the first: an instruction passes one per cycle, and each stage finds
 * the room that the one behind it has made in this cycle. Decode alone stands before its successor,
 * which may issue an instruction in the cycle in which it reaches the i-buffer. */
uint32_t core_run(struct core *c, uint64_t cycle)
{
    begin_cycle(c, cycle);    /* counts cycles since the last tick, before anything changes */
    write_back(c);            /* results and replies free registers, MSHRs, slots for the rest */
    decode(c);                /* fetched instructions reach the i-buffers, in time for issue */
    execute_memory(c);        /* the LSU serves a head, which makes room in its queue for issue */
    issue_tick(&c->pipeline); /* each scheduler; what it takes makes room for fetch */
    fetch_tick(&c->pipeline.fetch); /* fills that room; arrives in a later cycle */
    return end_cycle(c, cycle);     /* warps that have left, and faults of all stages */
}

uint64_t core_next_event(struct core *c)
{
    uint64_t next = c->slots.clock.cycle + 1;
    c->dozes = false;
    if (fetch_candidates(&c->pipeline.fetch) || fetch_unsent(&c->pipeline.fetch) ||
        port_active(&c->event.tile) || fault_text(&c->slots.fault) ||
        warps_doomed(&c->slots.warps) ||
        (transfers_active(&c->event.transfers) && transfer_sends(&c->event.transfers)))
        return next;
    uint64_t issue = issue_next(&c->pipeline, &c->pipeline.issue, &c->slots.ready, next);
    if (issue == next)
        return next;
    uint64_t first = wheel_next(&c->slots.wheel, c->slots.clock.cycle);
    uint64_t lsu = lsu_next(&c->lsu, next), fetch = ibuffers_next_arrival(&c->slots.ibuffers);
    uint64_t l1 = l1_next(&c->lsu.l1, next);
    first = issue < first ? issue : first;
    first = lsu < first ? lsu : first;
    first = l1 < first ? l1 : first;
    first = fetch < first ? fetch : first;
    if (first <= next)
        return next;
    c->dozes = issue_has_warps(&c->pipeline.issue, &c->slots.ready) || lsu_waits_for_room(&c->lsu);
    if (!c->dozes || !sampler_recorded(&c->sampler))
        return first;
    c->dozes = false; /* who looks at the machine's moments finds one in each of these cycles */
    return next;
}

/* In that cycle the core may ask for room in the request network: what comes back from memory may
 * make it send. */
static bool may_send(const struct core *c, bool reply)
{
    return reply || lsu_busy(&c->lsu) || fetch_unsent(&c->pipeline.fetch);
}

uint64_t core_next_alone(const struct core *c, uint64_t next)
{
    uint64_t reply = port_next_reply(&c->lsu.port);
    next = reply < next ? reply : next;
    bool others = ready_unperformed_any(&c->slots.ready) || warps_doomed(&c->slots.warps) ||
                  functional_warps(&c->functional) || core_waits_for_room(c) ||
                  port_active(&c->event.tile) || events_running(&c->slots.events) ||
                  (!port_room(&c->lsu.port) && may_send(c, reply == next));
    return others ? UINT64_MAX : next;
}

bool core_waits_for_room(const struct core *c)
{
    return c->dozes && lsu_waits_for_room(&c->lsu);
}

void core_set_warp_limit(struct core *c, uint32_t limit)
{
    c->slots.config.warp_limit = limit;
    ready_limit_stale(&c->slots.ready);
}
