/* What the CPU cores have done: a table for people, and the same for programs. Misses are counted
 * from the start of the run, or of the measurement once there is one. */
#include "sim/guest/cpus/cpus_internal.h"

struct cpu_figures {
    struct cpu_core_stats core; /* of the measurement */
    struct traffic llc;
    struct cpu_core_stats all; /* of the run */
};

static void subtract(uint64_t *from, const uint64_t *what, size_t n)
{
    for (size_t i = 0; i < n; i++)
        from[i] -= what[i];
}

/* Both are structs of counters only. */
static void since(struct cpu_moment *end, const struct cpu_moment *begin)
{
    subtract((uint64_t *)(void *)end, (const uint64_t *)(const void *)begin,
             sizeof *end / sizeof(uint64_t));
}

static void figures_of(const struct cpus_guest *p, uint32_t core, struct cpu_figures *f)
{
    const struct cpu_seat *s = &p->seat[core];
    struct cpu_moment now = {.llc = {0}};
    *f = (struct cpu_figures){.llc = {0}};
    if (cpus_core(p->cpus, core))
        cpus_moment(p, core, &now);
    f->all = now.core;
    if (s->over)
        now = s->to;
    since(&now, &s->from);
    f->core = now.core;
    f->llc = now.llc;
}

static double ratio(uint64_t a, uint64_t b)
{
    return b ? (double)a / (double)b : 0;
}

static double per_kilo(const struct cpu_figures *f, uint64_t n)
{
    return 1000 * ratio(n, f->core.instructions);
}

void cpus_print(const void *self, FILE *to)
{
    const struct cpus_guest *p = self;
    cpus_catch_up(p->cpus, machine_cycle(p->machine));
    const struct machine_config *config = machine_config(p->machine);
    fprintf(to, "CPU cores             %u of %u at %.0f MHz run a program; %s\n", p->used, p->count,
            (double)config->cpu_khz / 1000,
            p->measuring ? "measured:" : "not measured; counts so far:");
    fprintf(to, "  core  program           instructions      IPC  L1D MPKI   L2 MPKI  LLC MPKI  "
                "branch MPKI  write-backs  latency\n");
    for (uint32_t i = 0; i < p->used; i++) {
        struct cpu_figures f;
        figures_of(p, i, &f);
        fprintf(to, "  %4u  %-16.16s  %12llu  %7.3f  %8.2f  %8.2f  %8.2f  %11.2f  %11llu  %7.1f\n",
                i, cpu_trace_name(p->seat[i].trace), (unsigned long long)f.core.instructions,
                ratio(f.core.instructions, f.core.cycles), per_kilo(&f, f.core.l1d.misses),
                per_kilo(&f, f.core.l2.misses), per_kilo(&f, f.llc.l2_misses),
                per_kilo(&f, f.core.mispredicted), (unsigned long long)f.core.l2.writebacks,
                ratio(f.core.read_cycles, f.core.reads));
    }
}

static json_t *json_of_cache(const struct cpu_cache_stats *s)
{
    return json_pack("{s:I, s:I, s:I, s:I}", "accesses", (json_int_t)s->accesses, "misses",
                     (json_int_t)s->misses, "merged", (json_int_t)s->merged, "writebacks",
                     (json_int_t)s->writebacks);
}

static json_t *json_of_core(const struct cpus_guest *p, uint32_t core)
{
    struct cpu_figures f;
    figures_of(p, core, &f);
    const struct cpu_core_stats *s = &f.core;
    json_t *j = json_pack("{s:i, s:s, s:I, s:I, s:f, s:I, s:I, s:f, s:b}", "core", (int)core,
                          "application", cpu_trace_name(p->seat[core].trace), "instructions",
                          (json_int_t)f.all.instructions, "cycles", (json_int_t)f.all.cycles, "ipc",
                          ratio(f.all.instructions, f.all.cycles), "measured_instructions",
                          (json_int_t)s->instructions, "measured_cycles", (json_int_t)s->cycles,
                          "measured_ipc", ratio(s->instructions, s->cycles), "quota_reached",
                          (int)p->seat[core].over);
    json_object_set_new(j, "l1i", json_of_cache(&s->l1i));
    json_object_set_new(j, "l1d", json_of_cache(&s->l1d));
    json_object_set_new(j, "l2", json_of_cache(&s->l2));
    json_object_set_new(j, "llc",
                        json_pack("{s:I, s:I}", "accesses",
                                  (json_int_t)(f.llc.l2_hits + f.llc.l2_misses), "misses",
                                  (json_int_t)f.llc.l2_misses));
    json_object_set_new(j, "l1d_mpki", json_real(per_kilo(&f, s->l1d.misses)));
    json_object_set_new(j, "l2_mpki", json_real(per_kilo(&f, s->l2.misses)));
    json_object_set_new(j, "llc_mpki", json_real(per_kilo(&f, f.llc.l2_misses)));
    json_object_set_new(j, "read_latency", json_real(ratio(s->read_cycles, s->reads)));
    json_t *counts =
        json_pack("{s:I, s:I, s:I, s:I, s:I, s:I, s:I}", "loads", (json_int_t)s->loads, "stores",
                  (json_int_t)s->stores, "branches", (json_int_t)s->branches, "mispredicted",
                  (json_int_t)s->mispredicted, "reads", (json_int_t)s->reads, "writes",
                  (json_int_t)s->writes, "held", (json_int_t)s->held);
    json_object_update(j, counts);
    json_decref(counts);
    return j;
}

/* By program: cores that execute it, and the sum of their IPC. */
static json_t *json_of_programs(const json_t *cores)
{
    json_t *programs = json_object();
    const json_t *core;
    size_t i;
    json_array_foreach(cores, i, core)
    {
        const char *name = json_string_value(json_object_get(core, "application"));
        double ipc = json_number_value(json_object_get(core, "measured_ipc"));
        const json_t *one = json_object_get(programs, name);
        json_int_t count = json_integer_value(json_object_get(one, "cores"));
        double sum = json_number_value(json_object_get(one, "measured_ipc"));
        json_object_set_new(programs, name,
                            json_pack("{s:I, s:f}", "cores", count + 1, "measured_ipc", sum + ipc));
    }
    return programs;
}

json_t *cpus_json(const void *self)
{
    const struct cpus_guest *p = self;
    cpus_catch_up(p->cpus, machine_cycle(p->machine));
    json_t *cores = json_array();
    double speed = 0;
    for (uint32_t i = 0; i < p->used; i++) {
        struct cpu_figures f;
        figures_of(p, i, &f);
        speed += ratio(f.core.instructions, f.core.cycles);
        json_array_append_new(cores, json_of_core(p, i));
    }
    return json_pack("{s:i, s:i, s:b, s:f, s:o, s:o}", "machine_cores", (int)p->count, "used_cores",
                     (int)p->used, "measured", (int)p->measuring, "ipc_sum", speed, "programs",
                     json_of_programs(cores), "cores", cores);
}
