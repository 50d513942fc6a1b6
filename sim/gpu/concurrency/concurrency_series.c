/* What concurrency management writes down: one record per interval, and sums. */
#include <stdlib.h>

#include "base/alloc.h"
#include "sim/gpu/concurrency/concurrency_internal.h"
#include "sim/mem/memsys.h"

void series_create(struct concurrency *c)
{
    c->core_limit_cycles = ALLOC_ARRAY(uint64_t, c->env.cores);
}

void series_destroy(struct concurrency *c)
{
    free(c->intervals);
    free(c->core_limit_cycles);
}

/* The core has had its limit up to this edge. */
void series_limit(struct concurrency *c, uint32_t core, uint64_t edge)
{
    struct core_side *s = &c->core[core];
    c->core_limit_cycles[core] += (edge - s->limit_since) * s->limit;
    s->limit_since = edge;
}

void series_interval(struct concurrency *c)
{
    ARRAY_RESERVE(c->intervals, c->n_intervals, c->cap_intervals);
    struct concurrency_interval *v = &c->intervals[c->n_intervals++];
    const struct core_side *watched = &c->core[c->config.watched_core];
    *v = (struct concurrency_interval){.cycle = c->tick_edge,
                                       .stall_mc = (uint16_t)c->sum_mc,
                                       .stall_net = (uint16_t)c->sum_net,
                                       .decision = c->unit_out.cm_decision,
                                       .limit = watched->limit,
                                       .stall = watched->stalls,
                                       .own = UINT16_MAX,
                                       .lower = UINT16_MAX,
                                       .upper = UINT16_MAX};
    for (uint32_t i = 0; i < c->env.cores; i++) {
        const struct core_side *s = &c->core[i];
        v->limits += s->limit;
        v->stalls += s->stalls;
        v->active = (uint8_t)(v->active + s->in.core_active);
        c->sums.at_limit[s->limit] += s->in.core_active;
    }
    c->sums.stall_mc += c->sum_mc;
    c->sums.stall_net += c->sum_net;
    c->sums.stall_gpu += v->stalls;
    c->sums.decisions[v->decision]++;
}

/* Averages of the watched core's level, of the lower and the upper one, then which levels have one.
 */
void series_average(struct concurrency *c, uint32_t which, uint16_t value)
{
    c->watched[which] = value;
    if (which < 3 || !c->n_intervals)
        return;
    struct concurrency_interval *v = &c->intervals[c->n_intervals - 1];
    uint32_t level = concurrency_level(v->limit);
    v->own = value >> level & 1 ? c->watched[0] : UINT16_MAX;
    v->lower = level && value >> (level - 1) & 1 ? c->watched[1] : UINT16_MAX;
    v->upper = value >> (level + 1) & 1 ? c->watched[2] : UINT16_MAX;
}

void concurrency_get_stats(struct concurrency *c, uint64_t cycle, struct concurrency_stats *stats)
{
    cores_pulse(c);
    for (uint32_t i = 0; i < c->env.cores; i++) {
        core_settle(c, &c->core[i], cycle);
        series_limit(c, i, cycle);
    }
    *stats = c->sums;
    stats->config = &c->config;
    stats->cores = c->env.cores;
    stats->intervals = c->intervals;
    stats->n_intervals = c->n_intervals;
    stats->cycles = cycle;
    stats->core_limit_cycles = c->core_limit_cycles;
    for (uint32_t i = 0; i < c->env.cores; i++)
        stats->limit_cycles += c->core_limit_cycles[i];
    stats->unit_steps = c->unit_steps;
    stats->core_steps = c->core_steps;
    for (uint32_t p = 0; p < c->env.partitions; p++)
        stats->monitor_steps += stall_monitor_steps(memsys_monitor(c->env.memsys, p));
}
