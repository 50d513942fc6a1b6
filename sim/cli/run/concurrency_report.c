#include "sim/cli/run/concurrency_report.h"

#include <stdint.h>

#include "evgpu_defs.h"
#include "sim/system/machine.h"

#define LINES     32u /* of the timeline at most */
#define BAR       48u /* characters for EVG_CM_LEVEL_8 warps */
#define DECISIONS 3u  /* of enum cm_decision */
#define PER_CORE  2u  /* schedulers: stalls of a core in a cycle at most */
#define INVALID   UINT16_MAX

static const char *const decision_names[DECISIONS] = {"hold", "down", "up"};

static double ratio(uint64_t part, uint64_t whole)
{
    return whole ? (double)part / (double)whole : 0;
}

/* While cores had work; a run without any has its last limits. */
static double mean_limit(const struct concurrency_stats *s)
{
    return s->active_cycles ? ratio(s->active_limit_cycles, s->active_cycles)
                            : ratio(s->limit_cycles, s->cycles * s->cores);
}

static uint64_t active_intervals(const struct concurrency_stats *s)
{
    uint64_t n = 0;
    for (uint32_t limit = 0; limit < CONCURRENCY_LIMITS; limit++)
        n += s->at_limit[limit];
    return n;
}

/* --- text ------------------------------------------------------------------------------------- */

static void print_limits(const struct concurrency_stats *s, FILE *out)
{
    uint64_t all = active_intervals(s);
    if (!all)
        return;
    fprintf(out, "  at limit            ");
    const char *comma = "";
    for (uint32_t limit = CONCURRENCY_LIMITS; limit--;) {
        if (!s->at_limit[limit])
            continue;
        fprintf(out, "%s%u: %.1f %%", comma, limit, 100 * ratio(s->at_limit[limit], all));
        comma = ", ";
    }
    fprintf(out, "\n");
}

/* Cycles of the monitors' clock in so many intervals. */
static uint64_t l2_cycles(const struct machine_config *config, uint64_t intervals)
{
    return intervals * config->concurrency.interval * config->l2_khz / config->core_khz;
}

static void print_line(const struct concurrency_stats *s, uint64_t from, uint64_t to,
                       const struct machine_config *config, FILE *out)
{
    uint64_t limits = 0, mc = 0, net = 0, gpu = 0;
    for (uint64_t i = from; i < to; i++) {
        const struct concurrency_interval *v = &s->intervals[i];
        limits += v->limits;
        mc += v->stall_mc;
        net += v->stall_net;
        gpu += v->stalls;
    }
    uint64_t cycles = (to - from) * s->config->interval;
    double mean = ratio(limits, (to - from) * s->cores);
    uint32_t length = (uint32_t)(mean * BAR / EVG_CM_LEVEL_8 + 0.5);
    fprintf(out, "  %9.3f  %4.1f |%-*.*s| %6.2f %6.2f %6.2f\n",
            (double)s->intervals[from].cycle / config->core_khz, mean, (int)BAR, (int)length,
            "################################################",
            ratio(mc, l2_cycles(config, to - from)), ratio(net, l2_cycles(config, to - from)),
            ratio(gpu, cycles * s->cores));
}

static void print_timeline(const struct concurrency_stats *s, const struct machine_config *config,
                           FILE *out)
{
    uint64_t per_line = (s->n_intervals + LINES - 1) / LINES;
    if (!per_line)
        return;
    fprintf(out,
            "  time (ms)  mean limit of the cores, warps %*s stalls per cycle: MC, network, "
            "core\n",
            (int)BAR - 35, "");
    for (uint64_t i = 0; i < s->n_intervals; i += per_line) {
        uint64_t end = i + per_line < s->n_intervals ? i + per_line : s->n_intervals;
        print_line(s, i, end, config, out);
    }
}

void concurrency_print(struct machine *m, FILE *out)
{
    struct concurrency_stats s;
    if (!gpu_concurrency(machine_gpu(m), &s))
        return;
    uint64_t cycles = s.n_intervals * s.config->interval;
    uint64_t l2 = l2_cycles(machine_config(m), s.n_intervals);
    fprintf(out,
            "Concurrency           %s: mean limit %.2f warps while cores have work; %llu intervals "
            "of %u cycles\n",
            s.config->choice.name, mean_limit(&s), (unsigned long long)s.n_intervals,
            s.config->interval);
    print_limits(&s, out);
    fprintf(out, "  decisions           ");
    for (uint32_t d = 0; d < DECISIONS; d++)
        fprintf(out, "%s%s %.1f %%", d ? ", " : "", decision_names[d],
                100 * ratio(s.decisions[d], s.n_intervals));
    fprintf(out,
            "\n  stalls per cycle    memory controllers %.3f, reply network %.3f, of a core's "
            "%u schedulers %.3f\n",
            ratio(s.stall_mc, l2), ratio(s.stall_net, l2), PER_CORE,
            ratio(s.stall_gpu, cycles * s.cores));
    print_timeline(&s, machine_config(m), out);
}

/* --- JSON ------------------------------------------------------------------------------------- */

static void put(json_t *j, const char *key, uint64_t value)
{
    json_object_set_new(j, key, json_integer((json_int_t)value));
}

static void add(json_t *array, uint64_t value)
{
    json_array_append_new(array, json_integer((json_int_t)value));
}

static json_t *series_json(const struct concurrency_stats *s)
{
    json_t *cycle = json_array(), *limit = json_array(), *mc = json_array(), *net = json_array();
    json_t *gpu = json_array(), *decision = json_array(), *active = json_array();
    for (uint64_t i = 0; i < s->n_intervals; i++) {
        const struct concurrency_interval *v = &s->intervals[i];
        add(cycle, v->cycle);
        json_array_append_new(limit, json_real(ratio(v->limits, s->cores)));
        add(mc, v->stall_mc);
        add(net, v->stall_net);
        add(gpu, v->stalls);
        json_array_append_new(decision, json_string(decision_names[v->decision]));
        add(active, v->active);
    }
    return json_pack("{s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "cycle", cycle, "mean_limit", limit,
                     "stall_mc", mc, "stall_net", net, "stall_gpu", gpu, "decision", decision,
                     "active_cores", active);
}

/* How much more the first average is; null: one is not valid. */
static void add_difference(json_t *array, uint16_t first, uint16_t second)
{
    if (first == INVALID || second == INVALID)
        json_array_append_new(array, json_null());
    else
        json_array_append_new(array, json_integer((json_int_t)first - second));
}

static json_t *core_json(const struct concurrency_stats *s)
{
    json_t *limit = json_array(), *stall = json_array(), *own = json_array();
    json_t *low = json_array(), *up = json_array();
    for (uint64_t i = 0; i < s->n_intervals; i++) {
        const struct concurrency_interval *v = &s->intervals[i];
        add(limit, v->limit);
        add(stall, v->stall);
        if (v->own == INVALID)
            json_array_append_new(own, json_null());
        else
            add(own, v->own);
        add_difference(low, v->lower, v->own);
        add_difference(up, v->own, v->upper);
    }
    return json_pack("{s:i, s:o, s:o, s:o, s:o, s:o}", "core", (int)s->config->watched_core,
                     "limit", limit, "stall_gpu", stall, "average", own, "dif_low", low, "dif_up",
                     up);
}

static json_t *limits_json(const struct concurrency_stats *s)
{
    json_t *j = json_object();
    uint64_t all = active_intervals(s);
    for (uint32_t limit = 1; limit < CONCURRENCY_LIMITS; limit++) {
        char name[16];
        snprintf(name, sizeof name, "%u", limit);
        if (s->at_limit[limit])
            json_object_set_new(j, name, json_real(ratio(s->at_limit[limit], all)));
    }
    return j;
}

static json_t *cores_json(const struct concurrency_stats *s)
{
    json_t *j = json_array();
    for (uint32_t i = 0; i < s->cores; i++)
        json_array_append_new(
            j, json_real(s->cycles ? ratio(s->core_limit_cycles[i], s->cycles) : EVG_CM_LEVEL_8));
    return j;
}

static json_t *decisions_json(const struct concurrency_stats *s)
{
    json_t *j = json_object();
    for (uint32_t d = 0; d < DECISIONS; d++)
        put(j, decision_names[d], s->decisions[d]);
    return j;
}

json_t *concurrency_json(struct machine *m)
{
    struct concurrency_stats s;
    if (!gpu_concurrency(machine_gpu(m), &s))
        return json_pack("{s:s, s:f}", "policy", "off", "mean_limit", (double)EVG_CM_LEVEL_8);
    uint64_t cycles = s.n_intervals * s.config->interval;
    uint64_t l2 = l2_cycles(machine_config(m), s.n_intervals);
    json_t *j =
        json_pack("{s:s, s:f, s:f, s:i}", "policy", s.config->choice.name, "mean_limit",
                  mean_limit(&s), "mean_limit_always", ratio(s.limit_cycles, s.cycles * s.cores),
                  "interval_cycles", (int)s.config->interval);
    put(j, "intervals", s.n_intervals);
    json_object_set_new(j, "mean_limit_per_core", cores_json(&s));
    json_object_set_new(j, "share_at_limit", limits_json(&s));
    json_object_set_new(j, "decisions", decisions_json(&s));
    put(j, "stall_mc", s.stall_mc);
    put(j, "stall_net", s.stall_net);
    put(j, "stall_gpu", s.stall_gpu);
    json_object_set_new(j, "stall_mc_per_l2_cycle", json_real(ratio(s.stall_mc, l2)));
    json_object_set_new(j, "stall_net_per_l2_cycle", json_real(ratio(s.stall_net, l2)));
    json_object_set_new(j, "stall_gpu_per_cycle", json_real(ratio(s.stall_gpu, cycles * s.cores)));
    put(j, "kernels_begun", s.kernels_begun);
    put(j, "kernels_ended", s.kernels_ended);
    json_object_set_new(j, "series", series_json(&s));
    json_object_set_new(j, "watched", core_json(&s));
    return j;
}
