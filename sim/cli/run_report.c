#include "sim/cli/run_report.h"

#include <stdio.h>

#include "evgpu_defs.h"
#include "sim/cli/stats_json.h"
#include "sw/services/ipv4/forward.h"

static const char *const part_names[LAUNCH_PARTS] = {
    "PCIe",     "doorbell decoder", "event kernel table",
    "dispatch", "preemption",       "first instruction"};
static const char *const part_keys[LAUNCH_PARTS] = {"pcie",     "decoder",    "kernel_table",
                                                    "dispatch", "preemption", "first_instruction"};
static const char *const mode_names[] = {"preempt", "drain", "reserve"};
static const char *const policy_names[] = {"oldest", "newest", "cheapest"};
static const char *const cause_names[CAUSES] = {"pipeline", "scoreboard", "load",
                                                "i-cache",  "barrier",    "fence"};

static double microseconds(const struct forwarding_options *o, double cycles)
{
    return cycles * 1000.0 / (double)o->config->core_khz;
}

static void print_histogram(const struct forwarding_options *o, const char *name,
                            const struct histogram *h)
{
    if (!h->count)
        return;
    struct histogram_summary s = histogram_summarise(h);
    printf("  %-20s %8llu %10.1f %8llu %8llu %8llu %9llu %9.3f\n", name, (unsigned long long)s.min,
           s.mean, (unsigned long long)s.p50, (unsigned long long)s.p95, (unsigned long long)s.p99,
           (unsigned long long)s.max, microseconds(o, s.mean));
}

static void print_packets(const struct forwarding_options *o, const struct forwarding_result *r)
{
    const struct nic_stats *n = &r->nic;
    printf("\nPackets               %llu in, %llu forwarded", (unsigned long long)n->packets_in,
           (unsigned long long)n->forwarded);
    for (uint32_t v = FWD_FORWARD + 1; v < FWD_VERDICTS; v++) {
        if (n->dropped[v])
            printf(", %llu %s", (unsigned long long)n->dropped[v], forward_verdict_name(v));
    }
    if (n->packets_lost)
        printf(", %llu lost at the full receive buffer", (unsigned long long)n->packets_lost);
    double seconds = microseconds(o, (double)(n->last_departure - n->first_arrival)) * 1e-6;
    printf("\n                      %.2f Mpackets/s, %.2f Gbit/s of frames in\n",
           seconds > 0 ? (double)n->packets_in / seconds * 1e-6 : 0.0,
           seconds > 0 ? (double)n->bytes_in * 8 / seconds * 1e-9 : 0.0);
    printf("NIC                   %llu batches (%llu partial), waited for a free entry %llu "
           "times, held the wire %llu times\n",
           (unsigned long long)n->batches, (unsigned long long)n->partial_batches,
           (unsigned long long)n->entry_waits, (unsigned long long)n->pauses);
}

static void print_events(const struct forwarding_options *o, const struct forwarding_result *r)
{
    const struct gpu_stats *g = &r->gpu;
    if (o->cpu_launch) {
        printf("Launches              %llu by the CPU; busy %.1f %% of the time\n",
               (unsigned long long)r->events,
               r->cycles ? 100.0 * (double)r->cpu_busy_cycles / (double)r->cycles : 0.0);
        return;
    }
    printf("Events                %llu of %llu doorbells; %llu in free contexts, %llu preempting "
           "with spare registers,\n"
           "                      %llu preempting with saved registers, %llu as thread blocks\n",
           (unsigned long long)g->events, (unsigned long long)g->doorbells,
           (unsigned long long)g->events_by_path[EVENT_FREE],
           (unsigned long long)g->events_by_path[EVENT_SPARE],
           (unsigned long long)g->events_by_path[EVENT_SAVED],
           (unsigned long long)g->events_by_path[EVENT_BLOCKS]);
}

static void print_latencies(const struct forwarding_options *o, const struct forwarding_result *r)
{
    printf("\n%-22s %8s %10s %8s %8s %8s %9s %9s\n", "Latency [core cycles]", "min", "mean", "p50",
           "p95", "p99", "max", "mean [us]");
    for (int i = 0; i < LAUNCH_PARTS; i++)
        print_histogram(o, part_names[i], &r->part[i]);
    print_histogram(o, "launch, all parts", &r->launch);
    print_histogram(o, "preemption only", &r->preemption);
    print_histogram(o, "CPU launch", &r->cpu_launch);
    print_histogram(o, "event runtime", &r->runtime);
    print_histogram(o, "completion to NIC", &r->notice);
    print_histogram(o, "packet, wire to wire", &r->end_to_end);
}

static void print_causes(const struct forwarding_result *r)
{
    const struct core_stats *c = &r->gpu.cores;
    if (!r->preemption.count)
        return;
    printf("\nPreemption by cause   ");
    for (int i = 0; i < CAUSES; i++)
        printf("%s%s %.1f", i ? ", " : "", cause_names[i],
               (double)c->flush_cycles[i] / (double)r->preemption.count);
    printf(" cycles per preemption\n                      %llu loads dropped and replayed, %llu "
           "registers saved, %llu restored\n",
           (unsigned long long)c->loads_dropped, (unsigned long long)c->registers_saved,
           (unsigned long long)c->registers_restored);
}

/* Products beside packets against as many without, the first of them with cold caches. */
static double slowdown(const struct forwarding_result *r, const struct histogram_summary *beside)
{
    double alone = (double)r->alone_first + (double)(beside->count - 1) * (double)r->alone_next;
    return beside->mean * (double)beside->count / alone;
}

static void print_background(const struct forwarding_options *o, const struct forwarding_result *r)
{
    if (!o->background)
        return;
    struct histogram_summary s = histogram_summarise(&r->background);
    printf("Background            matmul %u x %u, %s", o->background, o->background,
           r->matrix_verified ? "verified" : "NOT verified");
    if (s.count)
        printf("; %llu products beside packets, %.0f cycles each", (unsigned long long)s.count,
               s.mean);
    if (s.count && r->alone_first)
        printf("; slowdown %.3f (alone: %llu, then %llu)", slowdown(r, &s),
               (unsigned long long)r->alone_first, (unsigned long long)r->alone_next);
    printf("\n");
}

void run_report_print(const struct forwarding_options *o, const struct forwarding_result *r,
                      double wall)
{
    const struct core_stats *c = &r->gpu.cores;
    printf("Machine               %s: %u SIMT cores at %.0f MHz; %s-launched, scheduling %s, "
           "victim %s\n",
           o->config->name, o->config->cores, (double)o->config->core_khz / 1000,
           o->cpu_launch ? "CPU" : "EDGE", mode_names[o->mode], policy_names[o->config->policy]);
    print_packets(o, r);
    print_events(o, r);
    print_latencies(o, r);
    print_causes(r);
    print_background(o, r);
    printf("Simulated             %llu cycles (%.3f ms), %llu warp instructions, %.2f per cycle\n",
           (unsigned long long)r->cycles, microseconds(o, (double)r->cycles) / 1000,
           (unsigned long long)c->warp_instructions,
           (double)c->warp_instructions / (double)(r->cycles ? r->cycles : 1));
    printf("Speed                 %.2f s, %.0f kcycle/s, %.2f M warp instructions/s\n", wall,
           (double)r->cycles / wall / 1e3, (double)c->warp_instructions / wall / 1e6);
}

static json_t *json_of_nic(const struct nic_stats *n)
{
    json_t *j =
        json_pack("{s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:I}", "packets_in",
                  (json_int_t)n->packets_in, "bytes_in", (json_int_t)n->bytes_in, "lost",
                  (json_int_t)n->packets_lost, "forwarded", (json_int_t)n->forwarded, "bytes_out",
                  (json_int_t)n->bytes_out, "batches", (json_int_t)n->batches, "partial_batches",
                  (json_int_t)n->partial_batches, "entry_waits", (json_int_t)n->entry_waits,
                  "entry_wait_cycles", (json_int_t)n->entry_wait_cycles, "pauses",
                  (json_int_t)n->pauses, "pause_cycles", (json_int_t)n->pause_cycles,
                  "bad_completions", (json_int_t)n->bad_completions);
    json_t *dropped = json_object();
    for (uint32_t v = FWD_FORWARD + 1; v < FWD_VERDICTS; v++)
        json_object_set_new(dropped, forward_verdict_name(v),
                            json_integer((json_int_t)n->dropped[v]));
    json_object_set_new(j, "dropped", dropped);
    return j;
}

static json_t *json_of_latencies(const struct forwarding_result *r)
{
    json_t *j = json_object();
    for (int i = 0; i < LAUNCH_PARTS; i++)
        json_object_set_new(j, part_keys[i], json_of_histogram(&r->part[i]));
    json_object_set_new(j, "launch", json_of_histogram(&r->launch));
    json_object_set_new(j, "preemption_only", json_of_histogram(&r->preemption));
    json_object_set_new(j, "cpu_launch", json_of_histogram(&r->cpu_launch));
    json_object_set_new(j, "event_runtime", json_of_histogram(&r->runtime));
    json_object_set_new(j, "completion", json_of_histogram(&r->notice));
    json_object_set_new(j, "packet", json_of_histogram(&r->end_to_end));
    return j;
}

json_t *run_report_json(const struct forwarding_options *o, const struct forwarding_result *r,
                        const char *end)
{
    json_t *j = json_pack(
        "{s:s, s:s, s:s, s:s, s:s, s:i, s:i, s:I, s:I, s:b, s:b, s:I}", "end", end, "config",
        o->config->name, "launch", o->cpu_launch ? "cpu" : "edge", "sched", mode_names[o->mode],
        "policy", policy_names[o->config->policy], "flush_options", (int)o->config->options,
        "batch", (int)o->batch, "cycles", (json_int_t)r->cycles, "events", (json_int_t)r->events,
        "packets_verified", (int)r->packets_verified, "matrix_verified", (int)r->matrix_verified,
        "packets_checked", (json_int_t)r->packets_checked);
    json_object_set_new(j, "nic", json_of_nic(&r->nic));
    json_object_set_new(j, "latency_cycles", json_of_latencies(r));
    json_t *background =
        json_pack("{s:i, s:I, s:I}", "rows", (int)o->background, "cycles_alone_first",
                  (json_int_t)r->alone_first, "cycles_alone_next", (json_int_t)r->alone_next);
    json_object_set_new(background, "cycles", json_of_histogram(&r->background));
    json_object_set_new(j, "background", background);
    json_object_set_new(j, "gpu", json_of_gpu(&r->gpu));
    return j;
}
