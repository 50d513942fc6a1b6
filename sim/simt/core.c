/* The core: creation, one cycle, and when the next one matters. */
#include "sim/simt/core.h"

#include <stdlib.h>
#include <string.h>

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

struct core *core_create(const struct core_config *config, const struct core_env *env,
                         struct error *err)
{
    if (!check_config(config, err))
        return NULL;
    struct core *c = ALLOC(struct core);
    c->config = *config;
    c->env = *env;
    c->clock.cycle = UINT64_MAX; /* cycle 0 comes next */
    warps_create(c);
    stacks_create(c);
    replay_create(c);
    blocks_create(c);
    barriers_create(c);
    remotes_create(c);
    bus_create(c);
    issue_create(c);
    accounts_create(c);
    faults_create(&c->fault);
    /* Per cycle: one node per scheduler, one from the load-store unit. */
    wheel_create(&c->wheel, longest_delay(config), config->schedulers + 1);
    if (fetch_create(c, err) && lsu_create(c, err))
        return c;
    core_destroy(c);
    return NULL;
}

void core_destroy(struct core *c)
{
    if (!c)
        return;
    fetch_destroy(c);
    lsu_destroy(c);
    bus_destroy(c);
    accounts_destroy(c);
    faults_destroy(&c->fault);
    wheel_destroy(&c->wheel);
    remotes_destroy(c);
    barriers_destroy(c);
    blocks_destroy(c);
    replay_destroy(c);
    stacks_destroy(c);
    warps_destroy(c);
    free(c);
}

/* --- one cycle -------------------------------------------------------------------------------- */

/* Warps that have come since the last tick, or gone in this one. */
static void count_warps(struct core *c, uint64_t from)
{
    if (warps_resident(&c->warps) == c->clock.last_resident)
        return;
    c->clock.last_resident = warps_resident(&c->warps);
    c->clock.last_warps = core_resident_warps(c);
    account_settle(&c->accounts, from);
}

static void advance_clock(struct core *c, uint64_t cycle)
{
    uint64_t passed = cycle - c->clock.cycle;
    if (passed > 1 && c->clock.last_warps)
        issue_skipped(c, passed - 1);
    uint64_t rest = c->clock.ns_rest + passed * 1000000u;
    if (passed == 1 && rest < 2 * (uint64_t)c->env.core_khz) { /* the usual case, no division */
        uint64_t step = rest >= c->env.core_khz;
        c->clock.nanoseconds += step;
        rest -= step ? c->env.core_khz : 0;
    } else {
        c->clock.nanoseconds += rest / c->env.core_khz;
        rest %= c->env.core_khz;
    }
    c->clock.ns_rest = (uint32_t)rest;
    c->clock.cycle = cycle;
    /* Cycles in which the core was not ticked had the warps of the last one. */
    uint32_t before = c->clock.last_warps;
    count_warps(c, cycle);
    c->clock.cycles_active += (passed - 1) * (before != 0) + (c->clock.last_warps != 0);
    c->clock.warp_cycles += (passed - 1) * before + c->clock.last_warps;
}

static void take_reply(struct core *c)
{
    struct mem_request reply;
    if (!memsys_reply(c->env.memsys, c->env.port, &reply))
        return;
    uint32_t value = reply.tag >> TAG_KIND_BITS;
    switch ((enum tag_kind)(reply.tag & ((1u << TAG_KIND_BITS) - 1))) {
    case TAG_ICACHE:
        fetch_reply(c, value);
        break;
    case TAG_STORE:
        lsu_store_done(c, value);
        break;
    case TAG_SAVE:
        transfer_reply(c, value, false);
        break;
    case TAG_RESTORE:
        transfer_reply(c, value, true);
        break;
    default:
        lsu_reply(c, &reply);
        break;
    }
}

static void pipe_done(struct core *c, const struct node *n)
{
    uint32_t w = n->warp;
    pending_clear(&c->scoreboard, w, n->inst);
    pipe_leave(&c->scoreboard, w);
    if (n->inst->class == INST_SLEEP)
        issue_wake(&c->issue, w);
    issue_refresh(c, w);
    warp_settle(c, w);
}

static void turn_wheel(struct core *c)
{
    for (uint32_t i = wheel_take(&c->wheel, c->clock.cycle); i != NO_NODE;) {
        const struct node *n = wheel_node(&c->wheel, i);
        if (n->kind == NODE_PIPE)
            pipe_done(c, n);
        else if (lsu_access(&c->lsu, n->access)->generation == n->generation)
            lsu_part_done(c, n->access);
        i = wheel_done(&c->wheel, i);
    }
}

bool core_tick(struct core *c, uint64_t cycle, struct error *err)
{
    if (account_due(&c->accounts, cycle))
        account_sample(c, cycle);
    advance_clock(c, cycle);
    lsu_begin_cycle(&c->lsu);
    take_reply(c);
    if (bus_answered(&c->bus))
        bus_take_answers(c);
    turn_wheel(c);
    if (warps_doomed(&c->warps))
        warps_reap(c);
    if (fetch_on_way(&c->fetch))
        fetch_arrivals(c);
    if (transfers_active(&c->transfers))
        transfer_tick(c);
    if (fetch_unsent(&c->fetch))
        fetch_send_misses(c);
    if (lsu_queued(&c->lsu) || l1_sends(&c->l1))
        lsu_tick(c);
    issue_tick(c);
    fetch_tick(c);
    count_warps(c, cycle + 1);
    const char *fault = fault_text(&c->fault);
    return !fault || error_set(err, "%s", fault);
}

uint64_t core_next_event(const struct core *c)
{
    uint64_t next = c->clock.cycle + 1;
    if (issue_wants_tick(&c->issue) || port_active(&c->port) || fault_text(&c->fault) ||
        fetch_unsent(&c->fetch) || fetch_candidates(c) || warps_doomed(&c->warps) ||
        (transfers_active(&c->transfers) && transfer_sends(&c->transfers)))
        return next;
    uint64_t first = wheel_next(&c->wheel, c->clock.cycle);
    uint64_t lsu = lsu_next(&c->lsu, next), fetch = fetch_next_arrival(&c->fetch);
    uint64_t l1 = l1_next(&c->l1, next);
    first = lsu < first ? lsu : first;
    first = l1 < first ? l1 : first;
    first = fetch < first ? fetch : first;
    return first > next ? first : next;
}

/* --- questions -------------------------------------------------------------------------------- */

bool core_empty(const struct core *c)
{
    return !warps_resident(&c->warps);
}

uint32_t core_resident_warps(const struct core *c)
{
    return (uint32_t)__builtin_popcountll(warps_resident(&c->warps));
}

void core_set_warp_limit(struct core *c, uint32_t limit)
{
    c->config.warp_limit = limit;
    issue_limit_stale(&c->issue);
}

void core_watch_signals(struct core *c, bool memory)
{
    issue_watch(&c->issue, memory);
}

struct core_signals core_signals(const struct core *c)
{
    return (struct core_signals){.ready = issue_signal_ready(&c->issue),
                                 .full = issue_signal_full(&c->issue),
                                 .active = warps_resident(&c->warps) != 0,
                                 .memory = issue_all_wait_for_memory(c)};
}

void core_stats(const struct core *c, struct core_stats *stats)
{
    memset(stats, 0, sizeof *stats);
    stats->cycles_active = c->clock.cycles_active;
    stats->warp_cycles = c->clock.warp_cycles;
    issue_stats(&c->issue, stats);
    fetch_stats(&c->fetch, stats);
    lsu_stats(&c->lsu, clock_now(&c->clock), stats);
    l1_stats(&c->l1, clock_now(&c->clock), stats);
    memory_stats(&c->memory, stats);
    barrier_stats(&c->barriers, stats);
    preempt_stats(&c->replay, &c->transfers, stats);
    port_stats(&c->port, stats);
}
