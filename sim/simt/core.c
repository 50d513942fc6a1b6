/* The core: creation, one cycle, and when the next one matters. */
#include "sim/simt/core.h"

#include <stdlib.h>
#include <string.h>

#include "sim/base/alloc.h"
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
    return most;
}

static void allocate(struct core *c)
{
    const struct core_config *k = &c->config;
    c->stack = alloc_array(k->warps, sizeof *c->stack);
    c->undo = alloc_array(k->warps, sizeof *c->undo);
    c->file = alloc_array((size_t)k->warps * FILE_ROWS, sizeof *c->file);
    c->event_file = alloc_array((size_t)EVENTS * FILE_ROWS, sizeof *c->event_file);
    c->slot_ctx = alloc_array(k->warps, sizeof *c->slot_ctx);
    c->event_ctx = alloc_array(EVENTS, sizeof *c->event_ctx);
    c->slot_preds = alloc_array(k->warps, sizeof *c->slot_preds);
    c->event_preds = alloc_array(EVENTS, sizeof *c->event_preds);
    c->blocks = ALLOC_ARRAY(struct block, k->blocks);
    c->shared = alloc_array((size_t)k->blocks, k->shared_bytes ? k->shared_bytes : 1);
    /* Per cycle: one node per scheduler, one from the load-store unit. */
    wheel_create(&c->wheel, longest_delay(k), k->schedulers + 1);
}

static void initialise(struct core *c)
{
    const struct core_config *k = &c->config;
    c->slots = k->warps == SLOTS ? UINT64_MAX : BIT(k->warps) - 1;
    c->allowed = UINT64_MAX;
    c->limit_stale = true;
    for (uint32_t w = 0; w < k->warps; w++) {
        c->sched_mask[w % k->schedulers] |= BIT(w);
        c->first_load[w] = c->last_load[w] = NO_ACCESS;
        c->first_remote[w] = c->last_remote[w] = NO_ACCESS;
    }
    c->free_threads = k->threads;
    c->free_registers = k->registers;
    c->free_shared = k->shared_bytes;
    c->free_blocks = k->blocks;
    c->cycle = UINT64_MAX; /* cycle 0 comes next */
}

struct core *core_create(const struct core_config *config, const struct core_env *env,
                         struct error *err)
{
    if (!check_config(config, err))
        return NULL;
    struct core *c = ALLOC(struct core);
    c->config = *config;
    c->env = *env;
    allocate(c);
    initialise(c);
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
    wheel_destroy(&c->wheel);
    free(c->stack);
    free(c->undo);
    free(c->file);
    free(c->event_file);
    free(c->slot_ctx);
    free(c->event_ctx);
    free(c->slot_preds);
    free(c->event_preds);
    free(c->blocks);
    free(c->shared);
    free(c);
}

/* --- one cycle -------------------------------------------------------------------------------- */

static void count_warps(struct core *c)
{
    if (c->resident == c->last_resident)
        return;
    c->last_resident = c->resident;
    c->last_warps = core_resident_warps(c);
}

static void advance_clock(struct core *c, uint64_t cycle)
{
    uint64_t passed = cycle - c->cycle;
    if (passed > 1)
        issue_skipped(c, passed - 1);
    uint64_t rest = c->ns_rest + passed * 1000000u;
    if (passed == 1 && rest < 2 * (uint64_t)c->env.core_khz) { /* the usual case, no division */
        uint64_t step = rest >= c->env.core_khz;
        c->nanoseconds += step;
        rest -= step ? c->env.core_khz : 0;
    } else {
        c->nanoseconds += rest / c->env.core_khz;
        rest %= c->env.core_khz;
    }
    c->ns_rest = (uint32_t)rest;
    c->cycle = cycle;
    /* Cycles in which the core was not ticked had the warps of the last one. */
    uint32_t before = c->last_warps;
    count_warps(c);
    c->stats.cycles_active += (passed - 1) * (before != 0) + (c->last_warps != 0);
    c->stats.warp_cycles += (passed - 1) * before + c->last_warps;
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
    pending_clear(c, w, n->inst);
    c->pipe[w]--;
    warp_refresh(c, w);
    warp_settle(c, w);
}

static void turn_wheel(struct core *c)
{
    struct wheel *wheel = &c->wheel;
    uint32_t b = (uint32_t)c->cycle & (wheel->size - 1);
    uint32_t i = wheel->bucket[b];
    if (i == NO_NODE)
        return;
    wheel->bucket[b] = NO_NODE;
    wheel->full[b / 64] &= ~BIT(b % 64);
    while (i != NO_NODE) {
        struct node *n = &wheel->node[i];
        uint32_t next = n->next;
        if (n->kind == NODE_PIPE)
            pipe_done(c, n);
        else if (c->access[n->access].generation == n->generation)
            lsu_part_done(c, n->access);
        n->next = wheel->free;
        wheel->free = i;
        wheel->count--;
        i = next;
    }
}

bool core_tick(struct core *c, uint64_t cycle, struct error *err)
{
    advance_clock(c, cycle);
    c->port_used = false;
    take_reply(c);
    turn_wheel(c);
    if (c->fetch_count)
        fetch_arrivals(c);
    if (c->transfers)
        transfer_tick(c);
    if (c->misses_unsent)
        fetch_send_misses(c);
    if (c->queue_count)
        lsu_tick(c);
    issue_tick(c);
    fetch_tick(c);
    count_warps(c);
    if (!c->failure.set)
        return true;
    return error_set(err, "%s", c->failure.text);
}

static bool transfer_sends(const struct core *c)
{
    for (uint32_t e = 0; e < EVENTS; e++) {
        if (c->transfer[e].active && c->transfer[e].next < c->transfer[e].rows)
            return true;
    }
    return false;
}

uint64_t core_next_event(const struct core *c)
{
    uint64_t next = c->cycle + 1, ready = 0;
    for (uint32_t u = 0; u < EXEC_UNITS; u++)
        ready |= c->head[u];
    if ((ready & c->allowed) || c->limit_stale || c->tile_active || c->failure.set ||
        c->misses_unsent || fetch_candidates(c) || (c->transfers && transfer_sends(c)))
        return next;
    uint64_t first = wheel_next(&c->wheel, c->cycle);
    if (c->queue_count && !c->lsu_blocked) {
        uint64_t lsu = c->lsu_busy > next ? c->lsu_busy : next;
        first = lsu < first ? lsu : first;
    }
    if (c->fetch_count && c->fetching[c->fetch_head].cycle < first)
        first = c->fetching[c->fetch_head].cycle;
    return first > next ? first : next;
}

/* --- questions -------------------------------------------------------------------------------- */

bool core_empty(const struct core *c)
{
    return !c->resident;
}

uint32_t core_resident_warps(const struct core *c)
{
    return (uint32_t)__builtin_popcountll(c->resident);
}

void core_set_warp_limit(struct core *c, uint32_t limit)
{
    c->config.warp_limit = limit;
    c->limit_stale = true;
}

void core_stats(const struct core *c, struct core_stats *stats)
{
    *stats = c->stats;
}
