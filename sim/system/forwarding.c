#include "sim/system/forwarding.h"

#include <stdlib.h>
#include <string.h>

#include "evgpu_defs.h"
#include "sim/base/alloc.h"
#include "sim/system/forwarding_memory.h"
#include "sim/system/machine.h"
#include "sim/system/trace_window.h"
#include "sw/services/ipv4/capture_write.h"
#include "sw/services/ipv4/forward.h"

struct job {
    const struct forwarding_options *options;
    struct forwarding_result *result;
    struct machine *machine;
    struct forwarding_memory memory;
    struct event_times *times; /* by order of acceptance */
    uint64_t n_times, cap_times;
    bool stopped;          /* the background has run often enough */
    struct error relaunch; /* an error inside the per-cycle hook */
};

/* --- figures of events --------------------------------------------------------------------------
 */

/* Tags count accepted doorbells modulo 2^16, and far fewer are in flight: the number nearest to
 * those seen before is the right one. */
static void on_event_done(void *user, const struct event_times *times)
{
    struct job *job = user;
    uint64_t near = job->n_times;
    uint64_t index = near + (uint64_t)(int64_t)(int16_t)(uint16_t)(times->tag - near);
    while (index >= job->cap_times) {
        uint64_t old = job->cap_times;
        job->cap_times = old ? 2 * old : 1024;
        job->times = alloc_resize(job->times, job->cap_times, sizeof *job->times);
        memset(job->times + old, 0, (job->cap_times - old) * sizeof *job->times);
    }
    job->times[index] = *times;
    if (index >= job->n_times)
        job->n_times = index + 1;
}

static void add_event(struct forwarding_result *r, const struct event_times *t,
                      const struct nic_batch *batch)
{
    const uint64_t points[LAUNCH_PARTS + 1] = {
        batch->signalled, t->arrived, t->accepted, t->launched, t->taken, t->pushed, t->started};
    for (int i = 0; i < LAUNCH_PARTS; i++)
        histogram_add(&r->part[i], points[i + 1] - points[i]);
    histogram_add(&r->launch, t->started - batch->signalled);
    if (t->path == EVENT_SPARE || t->path == EVENT_SAVED)
        histogram_add(&r->preemption, t->pushed - t->taken);
    histogram_add(&r->runtime, t->exited - t->started);
    if (batch->done)
        histogram_add(&r->notice, batch->done - t->exited);
    r->events++;
}

static void collect_figures(struct job *job)
{
    struct forwarding_result *r = job->result;
    uint32_t n_batches = 0;
    const struct nic_batch *batches = nic_batches(machine_nic(job->machine), &n_batches);
    for (uint64_t i = 0; i < job->n_times && i < n_batches; i++) {
        if (job->times[i].flagged)
            add_event(r, &job->times[i], &batches[i]);
    }
    const struct nic_record *records = nic_records(machine_nic(job->machine));
    for (uint32_t i = 0; i < job->options->capture->count; i++) {
        if (records[i].fate == NIC_FORWARDED)
            histogram_add(&r->end_to_end, records[i].departure - records[i].arrival);
    }
    if (machine_launcher(job->machine)) {
        struct launcher_stats stats;
        launcher_get_stats(machine_launcher(job->machine), &stats);
        for (size_t i = 0; i < stats.launch->count; i++)
            histogram_add(&r->cpu_launch, stats.launch->samples[i]);
        r->cpu_busy_cycles = stats.busy_cycles;
        r->events = stats.completions;
    }
    nic_get_stats(machine_nic(job->machine), &r->nic);
    r->nic.latency = NULL;
}

/* --- verification -------------------------------------------------------------------------------
 */

static bool check_packet(const struct job *job, uint32_t i, const struct trie *trie, uint8_t *frame,
                         struct error *err)
{
    const struct capture *capture = job->options->capture;
    const struct nic_packet *packet = &capture->packets[i];
    const struct nic_record *record = &nic_records(machine_nic(job->machine))[i];
    memcpy(frame, capture->bytes + packet->offset, packet->length);
    uint32_t result = forward_reference(frame, packet->length, trie, job->memory.host_hops);
    uint32_t verdict = result & 0xFF, port = result >> FWD_RESULT_PORT_SHIFT;
    if (record->fate == NIC_LOST)
        return true;
    if (record->verdict != verdict)
        return error_set(err, "packet %u: verdict '%s', the host reference says '%s'", i + 1,
                         forward_verdict_name(record->verdict), forward_verdict_name(verdict));
    if (verdict != FWD_FORWARD)
        return true;
    const uint8_t *sent = nic_output(machine_nic(job->machine), i);
    if (record->next_hop != port || !sent || memcmp(sent, frame, packet->length))
        return error_set(err, "packet %u: forwarded frame or port differs from the host reference",
                         i + 1);
    return true;
}

static bool check_packets(const struct job *job, struct error *err)
{
    const struct capture *capture = job->options->capture;
    struct trie *trie = trie_create(job->options->routes);
    uint8_t *frame = ALLOC_ARRAY(uint8_t, capture->longest);
    bool same = true;
    for (uint32_t i = 0; i < capture->count && same; i++)
        same = check_packet(job, i, trie, frame, err);
    free(frame);
    trie_destroy(trie);
    job->result->packets_checked = capture->count;
    job->result->packets_verified = same;
    return same;
}

/* --- what the NIC sent --------------------------------------------------------------------------
 */

static int by_departure(const void *a, const void *b)
{
    const struct capture_frame *x = a, *y = b;
    return (x->timestamp_ns > y->timestamp_ns) - (x->timestamp_ns < y->timestamp_ns);
}

static bool write_forwarded(const struct job *job, struct error *err)
{
    const struct capture *capture = job->options->capture;
    const struct nic_record *records = nic_records(machine_nic(job->machine));
    struct capture_frame *frames = ALLOC_ARRAY(struct capture_frame, capture->count);
    uint32_t count = 0;
    for (uint32_t i = 0; i < capture->count; i++) {
        if (records[i].fate == NIC_FORWARDED)
            frames[count++] = (struct capture_frame){
                .timestamp_ns = records[i].departure * 1000000 / job->options->config->core_khz,
                .bytes = nic_output(machine_nic(job->machine), i),
                .length = capture->packets[i].length};
    }
    qsort(frames, count, sizeof *frames, by_departure);
    bool written = capture_write(job->options->forwarded_path, frames, count, err);
    free(frames);
    return written;
}

/* --- the run ------------------------------------------------------------------------------------
 */

/* A finished product is followed by the next as long as there are packets, within the limit: a
 * capture may last for seconds, and an idle GPU costs no time to simulate. */
static void on_cycle(void *user, uint64_t cycle)
{
    struct job *job = user;
    if (job->options->trace)
        trace_window_cycle(job->options->trace, cycle);
    struct background *background = &job->memory.background;
    struct histogram *products = &job->result->background;
    if (!background->done || job->stopped || !machine_nic(job->machine) ||
        nic_finished(machine_nic(job->machine)))
        return;
    histogram_add(products, background->result.end_cycle - background->result.start_cycle);
    job->stopped = products->count == job->options->products;
    if (!job->stopped)
        machine_launch(job->machine, background, &job->relaunch);
}

static bool background_started(const void *user)
{
    const struct job *job = user;
    struct gpu_stats stats;
    gpu_stats(machine_gpu(job->machine), &stats);
    return stats.cores.warp_instructions > 0;
}

static bool all_done(const void *user)
{
    const struct job *job = user;
    return nic_finished(machine_nic(job->machine)) &&
           (!job->options->background || job->memory.background.done);
}

static bool add_nic(struct job *job, struct error *err)
{
    const struct forwarding_options *o = job->options;
    const struct machine_config *c = o->config;
    uint64_t buffer = (uint64_t)c->nic_buffer_kib * 1024;
    struct nic_config config = {
        .wire_bps = (uint64_t)c->nic_gbit_per_s * 1000000000,
        .wire_overhead = 24, /* captures have no FCS: 4, preamble 8, gap 12 */
        .pace = o->pace,
        .rate = o->rate,
        .rx_buffer_bytes = buffer > UINT32_MAX ? UINT32_MAX : (uint32_t)buffer,
        .drop = o->drop,
        .flush_ns = c->nic_timeout_ns,
        .entries = job->memory.entries,
        .entry = job->memory.entry,
        .layout = {.batch = o->batch,
                   .slot_stride = job->memory.slot_bytes,
                   .length_offset = 0,
                   .length_bytes = FWD_FRAME_OFFSET,
                   .frame_offset = FWD_FRAME_OFFSET,
                   .result_stride = sizeof(uint32_t),
                   .verdict_offset = 0,
                   .verdict_bytes = 1,
                   .verdict_forward = FWD_FORWARD,
                   .hop_offset = FWD_RESULT_PORT_SHIFT / 8,
                   .hop_bytes = 2}};
    machine_wire_nic(job->machine, &config,
                     job->memory.event ? edge_doorbell(job->memory.event) : 0);
    struct nic_capture capture = {.packets = o->capture->packets,
                                  .count = o->capture->count,
                                  .bytes = o->capture->bytes,
                                  .size = o->capture->size};
    if (buffer < o->capture->longest)
        return error_set(err, "nic.buffer_kib: %u KiB hold no packet of %u bytes",
                         c->nic_buffer_kib, o->capture->longest);
    return machine_add_nic(job->machine, &config, &capture, err);
}

static bool create_machine(struct job *job, struct error *err)
{
    struct machine_options options = {.backend = job->options->backend,
                                      .serial_port = job->options->serial_port,
                                      .mode = job->options->mode,
                                      .cpu_launch = job->options->cpu_launch,
                                      .event_done = on_event_done,
                                      .user = job};
    job->machine = machine_create(job->options->config, &options, err);
    if (!job->machine)
        return false;
    if (job->options->trace &&
        !trace_window_attach(job->options->trace, machine_gpu(job->machine), err))
        return false;
    machine_on_tick(job->machine, on_cycle, job);
    return true;
}

/* The background first, so that the packets meet a busy GPU. */
static enum run_end run_phases(struct job *job, const struct run_control *control,
                               struct error *err)
{
    struct run_target target;
    if (job->options->background) {
        if (!machine_launch(job->machine, &job->memory.background, err))
            return RUN_FAILED;
        machine_target(job->machine, background_started, job, &target);
        enum run_end end = run_loop(&target, control, err);
        if (end != RUN_DONE)
            return end;
    }
    if (!add_nic(job, err))
        return RUN_FAILED;
    nic_start(machine_nic(job->machine), machine_cycle(job->machine));
    machine_target(job->machine, all_done, job, &target);
    enum run_end end = run_loop(&target, control, err);
    if (job->relaunch.set) {
        error_set(err, "%s", job->relaunch.text);
        return RUN_FAILED;
    }
    return end;
}

static enum run_end finish(struct job *job, enum run_end end, struct error *err)
{
    job->result->cycles = machine_cycle(job->machine);
    gpu_stats(machine_gpu(job->machine), &job->result->gpu);
    if (machine_nic(job->machine))
        collect_figures(job);
    if (end != RUN_DONE)
        return end;
    bool packets = check_packets(job, err);
    job->result->matrix_verified =
        !job->options->background || forwarding_check_matrix(&job->memory, err);
    if (!packets || !job->result->matrix_verified)
        return RUN_FAILED;
    return !job->options->forwarded_path || write_forwarded(job, err) ? RUN_DONE : RUN_FAILED;
}

enum run_end forwarding_run(const struct forwarding_options *options,
                            const struct run_control *control, struct forwarding_result *result,
                            struct error *err)
{
    struct job job = {.options = options, .result = result};
    enum run_end end = RUN_FAILED;
    if (create_machine(&job, err) &&
        forwarding_memory_create(&job.memory, job.machine, options, err))
        end = finish(&job, run_phases(&job, control, err), err);
    if (job.machine)
        machine_on_tick(job.machine, NULL, NULL);
    if (options->trace)
        trace_window_close(options->trace);
    forwarding_memory_free(&job.memory, end == RUN_DONE);
    machine_destroy(job.machine);
    free(job.times);
    return end;
}

static bool background_done(const void *user)
{
    return ((const struct job *)user)->memory.background.done;
}

/* One product on the machine; its cycles, or 0 when the run ended otherwise. */
static uint64_t run_product(struct job *job, const struct run_control *control, enum run_end *end,
                            struct error *err)
{
    struct run_target target;
    *end = RUN_FAILED;
    if (!machine_launch(job->machine, &job->memory.background, err))
        return 0;
    machine_target(job->machine, background_done, job, &target);
    *end = run_loop(&target, control, err);
    const struct grid *grid = &job->memory.background.result;
    return *end == RUN_DONE ? grid->end_cycle - grid->start_cycle : 0;
}

enum run_end forwarding_alone(const struct forwarding_options *options,
                              const struct run_control *control, struct forwarding_result *result,
                              struct error *err)
{
    struct forwarding_options alone = *options;
    alone.trace = NULL;
    alone.mode = SCHED_MODE_PREEMPT; /* isolation: the whole GPU */
    struct job job = {.options = &alone, .result = result};
    enum run_end end = RUN_FAILED;
    if (create_machine(&job, err) &&
        forwarding_background_create(&job.memory, job.machine, &alone, err)) {
        result->alone_first = run_product(&job, control, &end, err);
        if (end == RUN_DONE)
            result->alone_next = run_product(&job, control, &end, err);
    }
    forwarding_memory_free(&job.memory, false);
    machine_destroy(job.machine);
    return end;
}

void forwarding_free(struct forwarding_result *result)
{
    for (int i = 0; i < LAUNCH_PARTS; i++)
        histogram_free(&result->part[i]);
    histogram_free(&result->launch);
    histogram_free(&result->preemption);
    histogram_free(&result->runtime);
    histogram_free(&result->notice);
    histogram_free(&result->cpu_launch);
    histogram_free(&result->end_to_end);
    histogram_free(&result->background);
}
