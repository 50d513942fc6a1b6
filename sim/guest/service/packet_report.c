/* Figures of a packet service: table and statistics. */
#include <stdio.h>

#include "sim/guest/figures.h"
#include "sim/guest/service/packet_internal.h"

static const char *const part_names[LAUNCH_PARTS] = {
    "PCIe",     "doorbell decoder", "event kernel table",
    "dispatch", "preemption",       "first instruction"};
static const char *const part_keys[LAUNCH_PARTS] = {"pcie",     "decoder",    "kernel_table",
                                                    "dispatch", "preemption", "first_instruction"};
static const char *const packet_part_keys[PACKET_PARTS] = {"queuing", "launch", "run", "completion",
                                                           "send"};
static const char *const path_keys[EVENT_PATHS] = {"free_context", "spare_registers",
                                                   "saved_registers", "thread_blocks"};

static const char *const way_names[LAUNCH_WAYS] = {"EDGE", "CPU", "persistently", "GPUDirect-Async",
                                                   "HSA",  "XTQ"};

void packet_free_figures(struct packet_figures *f)
{
    for (int i = 0; i < LAUNCH_PARTS; i++)
        histogram_free(&f->part[i]);
    histogram_free(&f->launch);
    histogram_free(&f->scheduling);
    histogram_free(&f->preemption);
    histogram_free(&f->runtime);
    histogram_free(&f->turnaround);
    histogram_free(&f->notice);
    histogram_free(&f->cpu_launch);
    histogram_free(&f->cpu_start);
    histogram_free(&f->doorbell);
    histogram_free(&f->end_to_end);
    histogram_free(&f->within_rate);
    histogram_free(&f->event);
    packet_pipeline_free_figures(&f->pipeline);
}

/* --- for a person -------------------------------------------------------------------------------
 */

static bool forwards(const struct packet_kind *kind, uint32_t verdict)
{
    return kind->forward >> verdict & 1;
}

static void print_packets(FILE *to, const struct packet_service *s, uint32_t khz)
{
    const struct packet_figures *f = &s->figures;
    const struct nic_stats *n = &f->nic;
    fprintf(to, "Packets               %llu in, %llu forwarded", (unsigned long long)n->packets_in,
            (unsigned long long)n->forwarded);
    for (uint32_t v = 2; v < s->kind->verdicts; v++) {
        if (n->dropped[v])
            fprintf(to, ", %llu %s", (unsigned long long)n->dropped[v], s->kind->verdict_name(v));
    }
    if (n->bad_lengths)
        fprintf(to, ", %llu of an impossible length", (unsigned long long)n->bad_lengths);
    if (n->packets_lost)
        fprintf(to, ", %llu lost at the full receive buffer", (unsigned long long)n->packets_lost);
    if (n->packets_failed)
        fprintf(to, ", %llu failed with the kernel", (unsigned long long)n->packets_failed);
    if (n->packets_aborted)
        fprintf(to, ", %llu of events that were aborted", (unsigned long long)n->packets_aborted);
    double cycles =
        n->last_departure > n->first_arrival ? (double)(n->last_departure - n->first_arrival) : 0;
    double seconds = cycles / ((double)khz * 1000);
    fprintf(to, "\n                      %.2f Mpackets/s, %.2f Gbit/s of frames in\n",
            seconds > 0 ? (double)n->packets_in / seconds * 1e-6 : 0.0,
            seconds > 0 ? (double)n->bytes_in * 8 / seconds * 1e-9 : 0.0);
    fprintf(to,
            "NIC                   %llu batches (%llu partial), waited for a free entry %llu "
            "times, held the wire %llu times\n",
            (unsigned long long)n->batches, (unsigned long long)n->partial_batches,
            (unsigned long long)n->entry_waits, (unsigned long long)n->pauses);
}

/* Only where there is a choice. */
static void print_forwarded(FILE *to, const struct packet_service *s)
{
    if (!(s->kind->forward & (s->kind->forward - 1)))
        return;
    const char *separator = "Sent                  ";
    for (uint32_t v = 1; v < s->kind->verdicts; v++) {
        if (!forwards(s->kind, v))
            continue;
        fprintf(to, "%s%llu %s", separator, (unsigned long long)s->figures.forwarded[v],
                s->kind->verdict_name(v));
        separator = ", ";
    }
    fprintf(to, "\n");
}

static void print_persistent(FILE *to, const struct packet_service *s)
{
    const struct persistent_figures *p = &s->figures.persistent;
    fprintf(to,
            "Batches               %llu of %llu by %u persistent warps, which hold %u blocks and "
            "%u registers;\n                      %llu warp instructions of work, %llu of "
            "polling\n",
            (unsigned long long)s->figures.events, (unsigned long long)s->figures.nic.batches,
            p->warps, p->blocks, p->registers, (unsigned long long)p->work_instructions,
            (unsigned long long)(p->instructions - p->work_instructions));
}

static void print_events(FILE *to, const struct packet_service *s)
{
    const struct packet_figures *f = &s->figures;
    static const char *const who[LAUNCH_WAYS] = {[LAUNCH_CPU] = "by the CPU",
                                                 [LAUNCH_GDA] =
                                                     "prepared by the CPU, started by the NIC",
                                                 [LAUNCH_HSA] = "by the CPU's packets",
                                                 [LAUNCH_XTQ] = "by the NIC's packets"};
    if (who[s->options.launch]) {
        fprintf(to, "Launches              %llu %s\n", (unsigned long long)f->events,
                who[s->options.launch]);
        return;
    }
    if (s->persistent) {
        print_persistent(to, s);
        return;
    }
    fprintf(to,
            "Events                %llu of %llu doorbells; %llu in free contexts, %llu preempting "
            "with spare registers,\n"
            "                      %llu preempting with saved registers, %llu as thread blocks\n",
            (unsigned long long)f->events, (unsigned long long)f->nic.batches,
            (unsigned long long)f->by_path[EVENT_FREE], (unsigned long long)f->by_path[EVENT_SPARE],
            (unsigned long long)f->by_path[EVENT_SAVED],
            (unsigned long long)f->by_path[EVENT_BLOCKS]);
    if (s->options.timeout_us)
        fprintf(to,
                "                      %llu aborted by the driver after %u us, %llu abort requests "
                "before the event began\n",
                (unsigned long long)f->aborted, s->options.timeout_us,
                (unsigned long long)f->aborts_refused);
}

void packet_print(const void *self, FILE *to)
{
    const struct packet_service *s = self;
    uint32_t khz = machine_config(s->machine)->core_khz;
    const struct packet_figures *f = packet_figures((struct packet_service *)self);
    fprintf(to, "\nService               %s: %s-launched, %u packets per event\n",
            guest_name(s->guest), way_names[s->options.launch], s->options.batch);
    print_packets(to, s, khz);
    print_forwarded(to, s);
    print_events(to, s);
    if (s->pipeline)
        packet_pipeline_print(s->pipeline, to);
    packet_print_cost(s, to);
    packet_print_promise(s, to);
    if (s->options.wire)
        live_wire_print(s->options.wire, to);
    if (s->kind->print)
        s->kind->print(s->state, to);
    fprintf(to, "\n%-22s %8s %10s %8s %8s %8s %9s %9s\n", "Latency [core cycles]", "min", "mean",
            "p50", "p95", "p99", "max", "mean [us]");
    for (int i = 0; i < LAUNCH_PARTS; i++)
        figures_print_histogram(to, part_names[i], &f->part[i], khz);
    figures_print_histogram(to, "launch, all parts", &f->launch, khz);
    figures_print_histogram(to, "at the GPU", &f->doorbell, khz);
    figures_print_histogram(to, "scheduling, both", &f->scheduling, khz);
    figures_print_histogram(to, "preemption only", &f->preemption, khz);
    figures_print_histogram(to, "CPU launch", &f->cpu_launch, khz);
    figures_print_histogram(to, "CPU launch to start", &f->cpu_start, khz);
    figures_print_histogram(to, "event runtime", &f->runtime, khz);
    figures_print_histogram(to, "doorbell to event's end", &f->turnaround, khz);
    figures_print_histogram(to, "completion to NIC", &f->notice, khz);
    figures_print_histogram(to, "event, to done flag", &f->event, khz);
    figures_print_histogram(to, "packet, wire to wire", &f->end_to_end, khz);
    figures_print_histogram(to, "packet within rate", &f->within_rate, khz);
}

/* --- for the statistics file --------------------------------------------------------------------
 */

static json_t *json_of_nic(const struct packet_service *s)
{
    const struct nic_stats *n = &s->figures.nic;
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
    json_t *sent = json_object();
    for (uint32_t v = 1; v < s->kind->verdicts; v++) {
        if (!forwards(s->kind, v))
            json_object_set_new(dropped, s->kind->verdict_name(v),
                                json_integer((json_int_t)n->dropped[v]));
        else
            json_object_set_new(sent, s->kind->verdict_name(v),
                                json_integer((json_int_t)s->figures.forwarded[v]));
    }
    if (s->failed)
        json_object_set_new(j, "failed", json_integer((json_int_t)n->packets_failed));
    if (s->options.timeout_us)
        json_object_set_new(j, "aborted", json_integer((json_int_t)n->packets_aborted));
    if (s->kind->sends_length)
        json_object_set_new(j, "bad_lengths", json_integer((json_int_t)n->bad_lengths));
    json_object_set_new(j, "dropped", dropped);
    if (json_object_size(sent) > 1)
        json_object_set_new(j, "sent", sent);
    else
        json_decref(sent);
    return j;
}

/* Each latency, as `show` puts it. */
static json_t *json_of_latencies(const struct packet_figures *f,
                                 json_t *(*show)(const struct histogram *h))
{
    json_t *j = json_object();
    for (int i = 0; i < LAUNCH_PARTS; i++)
        json_object_set_new(j, part_keys[i], show(&f->part[i]));
    json_object_set_new(j, "launch", show(&f->launch));
    json_object_set_new(j, "doorbell_to_first_instruction", show(&f->doorbell));
    json_object_set_new(j, "scheduling", show(&f->scheduling));
    json_object_set_new(j, "preemption_only", show(&f->preemption));
    json_object_set_new(j, "cpu_launch", show(&f->cpu_launch));
    json_object_set_new(j, "cpu_start", show(&f->cpu_start));
    json_object_set_new(j, "event_runtime", show(&f->runtime));
    json_object_set_new(j, "turnaround", show(&f->turnaround));
    json_object_set_new(j, "completion", show(&f->notice));
    json_object_set_new(j, "event", show(&f->event));
    json_object_set_new(j, "packet", show(&f->end_to_end));
    return j;
}

/* Means of forwarded packets, core cycles. */
static json_t *json_of_parts(const struct packet_figures *f)
{
    json_t *j = json_object();
    for (int i = 0; i < PACKET_PARTS; i++)
        json_object_set_new(j, packet_part_keys[i],
                            json_real(f->packets_in_parts
                                          ? (double)f->parts[i] / (double)f->packets_in_parts
                                          : 0.0));
    return j;
}

/* Of the GPU, as long as the service runs, whether there is work or not. */
static json_t *json_of_held(const struct packet_figures *f)
{
    return json_pack("{s:i, s:i, s:i}", "warps", (int)f->persistent.warps, "blocks",
                     (int)f->persistent.blocks, "registers", (int)f->persistent.registers);
}

static json_t *json_of_persistent(const struct persistent_figures *p)
{
    return json_pack("{s:I, s:I, s:I, s:I}", "work_instructions", (json_int_t)p->work_instructions,
                     "polling_instructions", (json_int_t)(p->instructions - p->work_instructions),
                     "l2_requests", (json_int_t)p->l2_requests, "dram_bytes",
                     (json_int_t)p->dram_bytes);
}

json_t *packet_json(const void *self)
{
    const struct packet_service *s = self;
    const struct packet_figures *f = packet_figures((struct packet_service *)self);
    json_t *j = json_pack("{s:s, s:i, s:I, s:I}", "launch", packet_launch_name(s->options.launch),
                          "batch", (int)s->options.batch, "events", (json_int_t)f->events,
                          "packets_checked", (json_int_t)f->packets_checked);
    json_t *paths = json_object();
    for (int i = 0; i < EVENT_PATHS; i++)
        json_object_set_new(paths, path_keys[i], json_integer((json_int_t)f->by_path[i]));
    json_object_set_new(j, "events_by_path", paths);
    if (s->options.timeout_us) {
        json_object_set_new(j, "events_aborted", json_integer((json_int_t)f->aborted));
        json_object_set_new(j, "aborts_refused", json_integer((json_int_t)f->aborts_refused));
    }
    json_object_set_new(j, "nic", json_of_nic(s));
    json_object_set_new(j, "latency_cycles", json_of_latencies(f, figures_json_histogram));
    if (machine_options(s->machine)->details)
        json_object_set_new(j, "latency_histograms", json_of_latencies(f, figures_json_bins));
    json_object_set_new(j, "packet_parts", json_of_parts(f));
    if (s->options.launch == LAUNCH_EDGE)
        json_object_set_new(j, "priority", json_integer(s->options.priority));
    if (s->options.promise.rate)
        json_object_set_new(j, "promise", packet_json_promise(s));
    json_object_set_new(j, "cpu_busy_cycles", json_integer((json_int_t)f->cpu_busy_cycles));
    json_object_set_new(j, "held", json_of_held(f));
    json_object_set_new(j, "cost", packet_json_cost(s));
    if (s->pipeline)
        json_object_set_new(j, "pipeline", packet_pipeline_json(s->pipeline));
    if (s->persistent)
        json_object_set_new(j, "persistent", json_of_persistent(&f->persistent));
    if (s->kind->json)
        s->kind->json(s->state, j);
    return j;
}
