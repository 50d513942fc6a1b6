#include "sim/gpu/concurrency/concurrency.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "sim/gpu/concurrency/concurrency_internal.h"
#include "sim/mem/memsys.h"
#include "sim/mem/stall_monitor.h"
#include "tb/serial.h"

#define NEVER UINT64_MAX

/* --- set-up ----------------------------------------------------------------------------------- */

static uint32_t per_interval(const struct concurrency *c, uint32_t per_hundred)
{
    uint64_t l2_cycles = (uint64_t)c->config.interval * c->env.l2_khz / c->env.core_khz;
    return (uint32_t)((l2_cycles * per_hundred + 50) / 100);
}

static bool check(const struct concurrency *c, struct error *err)
{
    const struct concurrency_config *k = &c->config;
    /* Reading all partitions, each in an L2 cycle of its own; then the decision, here and in the
     * cores. */
    uint64_t wait = (c->env.core_khz + c->env.l2_khz - 1) / c->env.l2_khz;
    uint64_t least = (c->env.partitions + 1) * wait + 13;
    if (c->env.schedulers > 2)
        return error_set(err,
                         "--concurrency: sm_concurrency_unit has ports for 2 warp schedulers, "
                         "core.schedulers is %u",
                         c->env.schedulers);
    /* A board has the tile with cm_bal_core. */
    if (k->choice.policy == CONCURRENCY_CM_NEXT && c->env.place->board)
        return error_set(
            err, "--concurrency %s: a board does not support it; run with --tiles=verilator",
            k->choice.name);
    if (k->watched_core >= c->env.cores)
        return error_set(
            err, "concurrency.watched_core: core %u does not exist; the %u cores count from 0",
            k->watched_core, c->env.cores);
    if (k->t_low > k->t_high)
        return error_set(err, "concurrency.t_low: %u is above concurrency.t_high = %u", k->t_low,
                         k->t_high);
    if (k->interval < least)
        return error_set(err,
                         "concurrency.interval: %u cycles are too few to read %u partitions and "
                         "decide; set at least %llu",
                         k->interval, c->env.partitions, (unsigned long long)least);
    if (per_interval(c, k->t_high) > 0x3FFF || per_interval(c, k->t_low) > 0x3FFF)
        return error_set(err,
                         "concurrency.t_high, t_low: must not exceed the range of the unit's "
                         "registers, %u stalls in an interval",
                         0x3FFFu);
    return true;
}

static bool step_unit(struct concurrency *c, struct error *err)
{
    c->unit_steps++;
    return tile_step(c->unit, &c->unit_in, &c->unit_out, err);
}

static bool write_unit(struct concurrency *c, enum cm_reg reg, uint32_t value, struct error *err)
{
    c->unit_in = (struct concurrency_unit_in){
        .reg_valid = 1, .reg_write = 1, .reg_addr = reg, .reg_data = (uint16_t)value};
    bool ok = step_unit(c, err);
    c->unit_in = (struct concurrency_unit_in){0};
    return ok &&
           (!c->unit_out.reg_error ||
            error_set(err, "concurrency_unit: register %d does not take %u", (int)reg, value));
}

static enum cm_mode mode_of(uint32_t policy)
{
    return policy == CONCURRENCY_CM_CPU                                    ? CM_MODE_CPU
           : policy == CONCURRENCY_CM_BAL || policy == CONCURRENCY_CM_NEXT ? CM_MODE_BAL
                                                                           : CM_MODE_FIXED;
}

/* In the cycles before the first: registers, and the mode with its first, empty, reading. */
static bool boot_unit(struct concurrency *c, struct error *err)
{
    const struct concurrency_config *k = &c->config;
    uint32_t bal_k = k->choice.k == CONCURRENCY_INI_K ? k->k : k->choice.k;
    tile_reset(c->unit, &c->unit_out);
    if (!write_unit(c, CM_REG_K, bal_k, err) ||
        !write_unit(c, CM_REG_T_HIGH, per_interval(c, k->t_high), err) ||
        !write_unit(c, CM_REG_T_LOW, per_interval(c, k->t_low), err) ||
        !write_unit(c, CM_REG_INTERVAL, k->interval, err) ||
        !write_unit(c, CM_REG_PARTITIONS, c->env.partitions, err) ||
        !write_unit(c, CM_REG_PATIENCE, k->patience, err) ||
        !write_unit(c, CM_REG_PIVOT, k->pivot, err) ||
        !write_unit(c, CM_REG_MODE, mode_of(k->choice.policy), err))
        return false;
    while (!c->unit_out.cm_set) {
        c->unit_in.mon_valid = c->unit_out.mon_read;
        if (!step_unit(c, err))
            return false;
    }
    return true;
}

static bool create_parts(struct concurrency *c, struct error *err)
{
    enum tile_backend backend = c->env.backend;
    if (!check(c, err) || !memsys_monitors_start(c->env.memsys, backend, c->env.place, err))
        return false;
    c->unit = tile_create_on(&concurrency_unit_kind, backend, c->env.place, "cm", err);
    /* The cores' mode is that of the unit's pulse; time begins after it. */
    if (!c->unit || !boot_unit(c, err) || !cores_create(c, err) ||
        !write_unit(c, CM_REG_TIME, 0, err))
        return false;
    c->next_read = c->config.interval;
    c->tick_edge = NEVER / 2; /* none yet */
    c->next_sample = NEVER;
    if (c->config.choice.policy == CONCURRENCY_DYNCTA) {
        if (c->config.choice.tuned)
            c->config.dyncta = c->config.dyncta_tuned;
        c->next_sample = c->config.dyncta.period;
    }
    return true;
}

struct concurrency *concurrency_create(const struct concurrency_config *config,
                                       const struct concurrency_env *env, struct error *err)
{
    struct concurrency *c = ALLOC(struct concurrency);
    c->config = *config;
    c->env = *env;
    series_create(c);
    if (create_parts(c, err))
        return c;
    concurrency_destroy(c);
    return NULL;
}

void concurrency_destroy(struct concurrency *c)
{
    if (!c)
        return;
    series_destroy(c);
    cores_destroy(c);
    tile_destroy(c->unit);
    free(c);
}

/* --- kernels ---------------------------------------------------------------------------------- */

void concurrency_kernel_begins(struct concurrency *c, uint32_t most_blocks, uint32_t block_warps)
{
    c->pulses |= INPUT_BEGIN;
    c->sums.kernels_begun++;
    if (c->config.choice.policy != CONCURRENCY_DYNCTA)
        return;
    for (uint32_t i = 0; i < c->env.cores; i++) {
        struct core_side *s = &c->core[i];
        dyncta_begin(&s->dyncta, most_blocks, block_warps);
        s->wanted = (uint8_t)dyncta_limit(&s->dyncta);
    }
    c->live = true;
}

void concurrency_kernel_ends(struct concurrency *c)
{
    c->pulses |= INPUT_END;
    c->sums.kernels_ended++;
}

/* --- time ------------------------------------------------------------------------------------- */

static void answer_unit(struct concurrency *c)
{
    uint16_t mc = 0, net = 0;
    c->unit_in = (struct concurrency_unit_in){0};
    if (!c->unit_out.mon_read ||
        !memsys_monitor_answer(c->env.memsys, c->unit_out.mon_index, &mc, &net))
        return;
    c->unit_in.mon_valid = 1;
    c->unit_in.mon_mc = mc;
    c->unit_in.mon_net = net;
    c->asked = false;
    c->sum_mc += mc;
    c->sum_net += net;
}

static bool advance_unit(struct concurrency *c, struct error *err)
{
    bool measured = c->unit_out.state == CM_STATE_MEASURE;
    answer_unit(c);
    if (!step_unit(c, err))
        return false;
    if (measured && c->unit_out.state == CM_STATE_READ) {
        c->next_read = c->edge + c->config.interval;
        c->time_zero = c->edge;
        c->sum_mc = c->sum_net = 0;
    }
    if (c->unit_out.mon_read && !c->asked) {
        memsys_monitor_ask(c->env.memsys, c->unit_out.mon_index);
        c->asked = true;
    }
    return true;
}

/* The last edge at which the unit only counts cycles, before that of `cycle - 1`, where cores may
 * have to be served, and the one that ends the interval. */
static uint64_t counting_until(const struct concurrency *c, uint64_t cycle)
{
    uint64_t end = c->time_zero + c->config.interval - 1;
    return (end < cycle - 1 ? end : cycle - 1) - 1;
}

static bool only_counts(const struct concurrency *c, uint64_t cycle)
{
    return c->adds_up && c->unit_out.state == CM_STATE_MEASURE && !c->unit_out.cm_tick &&
           c->edge + 1 < cycle && c->edge < counting_until(c, cycle);
}

/* These edges as one, the last of them, with the count written to TIME. */
static bool give_time(struct concurrency *c, uint64_t cycle, struct error *err)
{
    c->edge = counting_until(c, cycle);
    return write_unit(c, CM_REG_TIME, (uint32_t)(c->edge + 1 - c->time_zero), err);
}

/* DYNCTA's software, at the end of a sampling period. */
static void sample(struct concurrency *c)
{
    for (uint32_t i = 0; i < c->env.cores; i++) {
        struct core_side *s = &c->core[i];
        core_settle(c, s, c->now);
        if (!s->dyncta.most) /* no kernel yet */
            continue;
        dyncta_decide(&s->dyncta, &c->config.dyncta);
        uint32_t limit = dyncta_limit(&s->dyncta);
        s->wanted = limit == s->limit ? 0 : (uint8_t)limit;
    }
    c->next_sample = c->now + c->config.dyncta.period;
    c->live = true;
}

uint64_t concurrency_next_event(const struct concurrency *c, uint64_t cycle)
{
    if (c->live || c->unit_out.cm_tick || c->unit_out.state != CM_STATE_MEASURE)
        return cycle;
    uint64_t next = c->next_read + 1;
    next = c->next_sample < next ? c->next_sample : next;
    return next > cycle ? next : cycle;
}

bool concurrency_tick(struct concurrency *c, uint64_t cycle, struct error *err)
{
    cores_pulse(c);
    bool wait = !c->traced && concurrency_next_event(c, cycle) > cycle;
    c->now = cycle;
    for (; !wait && c->edge < cycle; c->edge++) {
        if (only_counts(c, cycle)) {
            if (!give_time(c, cycle, err))
                return false;
            continue;
        }
        /* Edges that were left for later are before whatever makes the cores' tiles live. */
        bool tick = c->unit_out.cm_tick, last = c->edge + 1 == cycle;
        if ((tick || (last && c->live) || c->traced) && !cores_give(c, c->edge, err))
            return false;
        if (tick)
            series_interval(c);
        if (last)
            c->live = tick || (c->live && cores_decide(c));
        if (!advance_unit(c, err))
            return false;
    }
    if (cycle >= c->next_sample)
        sample(c);
    return true;
}

bool concurrency_trace(struct concurrency *c, struct tile_trace *trace, struct error *err)
{
    c->traced = true;
    c->adds_up = false;
    if (!tile_trace_add(trace, c->unit, err))
        return false;
    for (uint32_t i = 0; i < c->env.cores; i++)
        if (!tile_trace_add(trace, c->core[i].tile, err))
            return false;
    for (uint32_t i = 0; i < c->env.partitions; i++) {
        struct tile *tile = stall_monitor_tile(memsys_monitor(c->env.memsys, i));
        if (tile && !tile_trace_add(trace, tile, err))
            return false;
    }
    return true;
}
