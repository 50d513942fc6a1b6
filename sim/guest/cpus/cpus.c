#include "sim/guest/cpus/cpus.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "sim/guest/cpus/cpus_internal.h"
#include "sim/mem/memsys.h"

void cpus_moment(const struct cpus_guest *p, uint32_t core, struct cpu_moment *moment)
{
    cpu_core_stats(cpus_core(p->cpus, core), &moment->core);
    moment->llc = memsys_traffic(gpu_memory(machine_gpu(p->machine)), GPU_OWNERS + core);
}

/* Enough for a core's state to be used while it is near. Only while it is measured: what is
 * measured begins in the same cycle for all. */
#define AHEAD 256u

/* --- measurement ------------------------------------------------------------------------------ */

/* A core has done its warm-up, or what is measured of it. */
static void on_marked(void *user, uint32_t core)
{
    struct cpus_guest *p = user;
    struct cpu_seat *s = &p->seat[core];
    p->remaining--;
    if (!p->measuring)
        return;
    s->over = true;
    cpus_moment(p, core, &s->to);
}

static bool warm(const void *self)
{
    const struct cpus_guest *p = self;
    return !p->remaining;
}

static void measure(void *self, uint64_t cycle)
{
    struct cpus_guest *p = self;
    cpus_catch_up(p->cpus, cycle);
    cpus_run_ahead(p->cpus, AHEAD);
    p->measuring = true;
    p->remaining = p->used;
    for (uint32_t i = 0; i < p->used; i++) {
        struct cpu_seat *s = &p->seat[i];
        cpus_moment(p, i, &s->from);
        cpu_core_mark(cpus_core(p->cpus, i), s->from.core.instructions + p->quotas.cpu_quota);
    }
}

/* Of the slowest core. */
static double share(const void *self)
{
    const struct cpus_guest *p = self;
    double least = p->measuring ? 1 : 0;
    for (uint32_t i = 0; p->measuring && i < p->used; i++) {
        struct cpu_moment now;
        cpus_moment(p, i, &now);
        double of_core = (double)(now.core.instructions - p->seat[i].from.core.instructions) /
                         (double)p->quotas.cpu_quota;
        least = of_core < least ? of_core : least;
    }
    return least;
}

static bool measured(const void *self)
{
    const struct cpus_guest *p = self;
    return p->measuring && !p->remaining;
}

/* --- the guest -------------------------------------------------------------------------------- */

static bool start(void *self, uint64_t cycle, struct error *err)
{
    struct cpus_guest *p = self;
    p->remaining = p->quotas.cpu_warmup ? p->used : 0;
    for (uint32_t i = 0; i < p->used; i++) {
        if (!cpus_start(p->cpus, i, p->seat[i].trace, cycle, err))
            return false;
        if (p->quotas.cpu_warmup)
            cpu_core_mark(cpus_core(p->cpus, i), p->quotas.cpu_warmup);
    }
    return true;
}

/* A trace that cannot be read on ends its core's program. */
static bool check_traces(const struct cpus_guest *p, struct error *err)
{
    for (uint32_t i = 0; i < p->used; i++) {
        const struct cpu_trace *t = p->seat[i].trace;
        if (cpu_trace_error(t))
            return error_set(err, "CPU core %u: %s", i, cpu_trace_error(t));
    }
    return true;
}

static bool tick(void *self, uint64_t cycle, struct error *err)
{
    struct cpus_guest *p = self;
    return cpus_tick(p->cpus, cycle) || check_traces(p, err);
}

static uint64_t next_event(const void *self)
{
    const struct cpus_guest *p = self;
    return cpus_next_event(p->cpus, machine_cycle(p->machine));
}

static bool verdict(void *self, char *text, size_t room)
{
    const struct cpus_guest *p = self;
    snprintf(text, room, "%u CPU cores have executed %llu instructions each", p->used,
             (unsigned long long)p->quotas.cpu_quota);
    return measured(self);
}

static uint64_t work(const void *self)
{
    const struct cpus_guest *p = self;
    uint64_t sum = 0;
    for (uint32_t i = 0; i < p->used; i++) {
        struct cpu_core_stats stats;
        if (!cpus_core(p->cpus, i))
            continue;
        cpu_core_stats(cpus_core(p->cpus, i), &stats);
        sum += stats.instructions;
    }
    return sum;
}

#define DESCRIBED 3u

static void describe(const void *self, void (*line)(void *user, const char *text), void *user)
{
    const struct cpus_guest *p = self;
    char text[240], what[200];
    for (uint32_t i = 0, n = 0; i < p->used && n < DESCRIBED; i++) {
        const struct cpu_core *core = cpus_core(p->cpus, i);
        if (!core || p->seat[i].over)
            continue;
        cpu_core_describe(core, what, sizeof what);
        snprintf(text, sizeof text, "CPU core %u: %s", i, what);
        line(user, text);
        n++;
    }
}

static void destroy(void *self)
{
    struct cpus_guest *p = self;
    cpus_destroy(p->cpus);
    for (uint32_t i = 0; i < p->used; i++)
        cpu_trace_close(p->seat[i].trace);
    free(p);
}

static const struct guest_ops ops = {.kind = "cpus",
                                     .role = GUEST_CPU,
                                     .start = start,
                                     .tick = tick,
                                     .next_event = next_event,
                                     .share = share,
                                     .finished = measured,
                                     .warm = warm,
                                     .measure = measure,
                                     .measured = measured,
                                     .verdict = verdict,
                                     .work = work,
                                     .describe = describe,
                                     .print = cpus_print,
                                     .json = cpus_json,
                                     .destroy = destroy};

uint64_t cpus_executed(const struct guest *g)
{
    return guest_ops(g) == &ops ? work(guest_self(g)) : 0;
}

static bool set_up(struct cpus_guest *p, const struct cpus_options *options, struct error *err)
{
    const struct machine_config *config = machine_config(p->machine);
    if (!p->count)
        return error_set(err,
                         "--cpus %s: the machine %s has no CPU cores; take --config cm-bal.ini or "
                         "--set cpu_core.count=N",
                         options->programs, config->name);
    if (!cpus_open(p, options, err))
        return false;
    p->cpus = cpus_create(&(struct cpus_config){.count = p->count,
                                                .khz = config->cpu_khz,
                                                .core_khz = config->core_khz,
                                                .first_owner = GPU_OWNERS,
                                                .core = config->cpu_core,
                                                .memsys = gpu_memory(machine_gpu(p->machine)),
                                                .marked = on_marked,
                                                .user = p},
                          err);
    return p->cpus != NULL;
}

bool cpus_create_guest(struct machine *m, const struct cpus_options *options, struct error *err)
{
    struct cpus_guest *p = ALLOC(struct cpus_guest);
    p->machine = m;
    p->count = machine_config(m)->cpu_cores;
    p->quotas = options->quotas;
    if (!set_up(p, options, err)) {
        destroy(p);
        return false;
    }
    machine_add_guest(m, &ops, "cpus", p);
    return true;
}
