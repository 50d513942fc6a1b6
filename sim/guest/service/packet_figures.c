/* What is known of a packet service's batches, and its figures. */
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "sim/guest/service/packet_internal.h"

/* --- batches on the GPU ------------------------------------------------------------------------
 */

struct batch_times *packet_batch(struct packet_service *s, uint64_t index)
{
    if (index >= s->cap_batches) {
        uint64_t old = s->cap_batches;
        s->cap_batches = index < 512 ? 1024 : 2 * index;
        s->batches = alloc_resize(s->batches, s->cap_batches, sizeof *s->batches);
        memset(s->batches + old, 0, (s->cap_batches - old) * sizeof *s->batches);
    }
    if (index >= s->n_batches)
        s->n_batches = index + 1;
    return &s->batches[index];
}

void packet_batch_begins(struct packet_service *s, uint64_t batch, uint64_t cycle)
{
    packet_batch(s, batch)->start = cycle;
}

void packet_batch_ends(struct packet_service *s, uint64_t batch, uint64_t cycle)
{
    packet_batch(s, batch)->end = cycle;
}

static void keep_times(struct packet_service *s, uint64_t index, const struct event_times *times)
{
    while (index >= s->cap_times) {
        uint64_t old = s->cap_times;
        s->cap_times = old ? 2 * old : 1024;
        s->times = alloc_resize(s->times, s->cap_times, sizeof *s->times);
        memset(s->times + old, 0, (s->cap_times - old) * sizeof *s->times);
    }
    s->times[index] = *times;
    if (index >= s->n_times)
        s->n_times = index + 1;
}

void packet_event_exited(void *self, uint64_t index, const struct event_times *times)
{
    struct packet_service *s = self;
    if (s->failed || !s->pipeline || times->aborted)
        return;
    struct batch_times *b = packet_batch(s, index);
    if (packet_pipeline_is_second(s->pipeline, times)) {
        b->then.placed = times->pushed;
        b->then.start = times->started;
        b->end = times->exited;
        return;
    }
    keep_times(s, index, times);
    b->arrived = times->arrived;
    b->placed = times->pushed;
    b->start = times->started;
    b->then.handed = times->exited;
}

void packet_event_done(void *self, uint64_t index, const struct event_times *times)
{
    struct packet_service *s = self;
    if (s->failed || s->pipeline)
        return;
    if (times->aborted) { /* its times mean nothing */
        s->figures.aborted++;
        return;
    }
    keep_times(s, index, times);
    if (times->flagged)
        *packet_batch(s, index) = (struct batch_times){.arrived = times->arrived,
                                                       .placed = times->pushed,
                                                       .start = times->started,
                                                       .end = times->exited};
}

/* --- figures -----------------------------------------------------------------------------------
 */

/* Answers that are taken by words may be at the NIC before the event's last instruction, which is
 * no wait then. */
static uint64_t told(const struct nic_batch *batch, const struct batch_times *t)
{
    return batch->done > t->end ? batch->done : t->end;
}

/* The n-th accepted doorbell of the service's row is that of the NIC's n-th batch. */
static void add_event(struct packet_figures *f, const struct event_times *t,
                      const struct nic_batch *batch)
{
    const uint64_t points[LAUNCH_PARTS + 1] = {
        batch->signalled, t->arrived, t->accepted, t->launched, t->taken, t->pushed, t->started};
    for (int i = 0; i < LAUNCH_PARTS; i++)
        histogram_add(&f->part[i], points[i + 1] - points[i]);
    histogram_add(&f->scheduling, t->pushed - t->launched);
    histogram_add(&f->turnaround, t->exited - t->arrived);
    if (t->path == EVENT_SPARE || t->path == EVENT_SAVED)
        histogram_add(&f->preemption, t->pushed - t->taken);
    f->by_path[t->path]++;
}

static void add_batches(struct packet_service *s)
{
    struct packet_figures *f = &s->figures;
    uint32_t count = 0;
    const struct nic_batch *batches = nic_batches(s->nic, &count);
    for (uint64_t i = 0; i < s->n_batches && i < count; i++) {
        const struct batch_times *t = &s->batches[i];
        if (!t->end || !t->start || !batches[i].signalled)
            continue;
        f->events++;
        histogram_add(&f->launch, t->start - batches[i].signalled);
        /* Of a word that kernels poll, or that was there before the GPU waited for it, only the
         * link's latency is known. */
        uint64_t arrived =
            t->arrived ? t->arrived : batches[i].signalled + pcie_latency(s->port.link);
        histogram_add(&f->doorbell, t->start - arrived);
        if (t->placed)
            f->held_cycles += (s->pipeline ? t->then.handed : t->end) - t->placed;
        histogram_add(&f->runtime, t->end - t->start);
        if (batches[i].done) {
            histogram_add(&f->notice, told(&batches[i], t) - t->end);
            histogram_add(&f->event, batches[i].done - batches[i].signalled);
        }
        if (i < s->n_times)
            add_event(f, &s->times[i], &batches[i]);
    }
}

/* The end of the capture has left the last batch incomplete, which then has waited for the NIC's
 * patience to end: that says nothing about the traffic. */
static bool cut_short(const struct packet_service *s, uint32_t batch)
{
    uint32_t count = 0;
    const struct nic_batch *batches = nic_batches(s->nic, &count);
    return count > 1 && batch == count - 1 && batches[batch].count < s->options.batch;
}

static void add_parts(struct packet_service *s, const struct nic_record *r)
{
    struct packet_figures *f = &s->figures;
    uint32_t count = 0;
    const struct nic_batch *batch = &nic_batches(s->nic, &count)[r->batch];
    if (r->batch >= s->n_batches || !s->batches[r->batch].start || !s->batches[r->batch].end ||
        cut_short(s, r->batch))
        return;
    const struct batch_times *t = &s->batches[r->batch];
    /* Before its batch is complete, an event waits for packets (doorbell). */
    uint64_t start = t->start > batch->filled ? t->start : batch->filled;
    const uint64_t points[PACKET_PARTS + 1] = {r->arrival, batch->filled,  start,
                                               t->end,     told(batch, t), r->departure};
    for (int i = 0; i < PACKET_PARTS; i++)
        f->parts[i] += points[i + 1] - points[i];
    f->packets_in_parts++;
}

/* Forwarded or dropped by its verdict, it is one that the promise is about. */
static void add_promised(struct packet_service *s, const struct nic_record *r)
{
    if (s->options.promise.rate && !r->over_rate &&
        (r->fate == NIC_FORWARDED || r->fate == NIC_DROPPED))
        histogram_add(&s->figures.within_rate, r->departure - r->arrival);
}

static void add_packets(struct packet_service *s)
{
    struct packet_figures *f = &s->figures;
    const struct nic_record *records = nic_records(s->nic);
    for (uint32_t i = 0; i < s->options.capture->count; i++) {
        add_promised(s, &records[i]);
        if (records[i].fate != NIC_FORWARDED)
            continue;
        histogram_add(&f->end_to_end, records[i].departure - records[i].arrival);
        f->forwarded[records[i].verdict]++;
        add_parts(s, &records[i]);
    }
}

/* Commands and completions of the driver, which has one endpoint for all: a command for each call,
 * a completion for each kernel and flag. */
static uint64_t driver_bytes(const struct packet_service *s)
{
    uint64_t header = machine_config(s->machine)->pcie_header_bytes;
    uint64_t command = DRIVER_COMMAND_BYTES + header, completion = sizeof(uint32_t) + header;
    if (s->options.launch == LAUNCH_CPU) {
        struct launcher_stats stats;
        launcher_get_stats(s->launcher, &stats);
        uint32_t kernels = s->pipeline ? PIPELINE_KERNELS : 1;
        return stats.launches * command + kernels * stats.completions * completion;
    }
    if (!s->armed)
        return 0;
    struct armed_stats stats;
    armed_get_stats(s->armed, &stats);
    return ARMED_CALLS * stats.triggered * command + 2 * stats.triggered * completion;
}

/* Cycles in which at least one batch was between its signal and its end. */
static uint64_t busy_cycles(const struct nic_batch *batches, uint32_t count)
{
    uint64_t sum = 0, until = 0;
    for (uint32_t i = 0; i < count; i++) {
        uint64_t from = batches[i].signalled > until ? batches[i].signalled : until;
        if (batches[i].done > from) {
            sum += batches[i].done - from;
            until = batches[i].done;
        }
    }
    return sum;
}

/* Bytes on PCIe, with headers, that would not be there without the service. */
static void add_link(struct packet_service *s, struct packet_figures *f)
{
    f->pcie_bytes = pcie_bytes_of(s->port.link, s->port.self);
    if (s->queue)
        f->pcie_bytes += pcie_bytes_of(s->port.link, s->queue_port.self);
    if (s->host_link)
        f->pcie_bytes += pcie_bytes_of(s->host_link, s->nic_end_of_host);
    f->pcie_bytes += driver_bytes(s);
}

const struct packet_figures *packet_figures(struct packet_service *s)
{
    struct packet_figures *f = &s->figures;
    if (s->collected)
        return f;
    f->cycles = machine_cycle(s->machine);
    if (!s->nic)
        return f;
    s->collected = true;
    add_batches(s);
    add_packets(s);
    uint32_t count = 0;
    const struct nic_batch *batches = nic_batches(s->nic, &count);
    f->busy_cycles = busy_cycles(batches, count);
    if (s->launcher) {
        struct launcher_stats stats;
        launcher_get_stats(s->launcher, &stats);
        for (size_t i = 0; i < stats.launch->count; i++)
            histogram_add(&f->cpu_launch, stats.launch->samples[i]);
        f->cpu_busy_cycles = stats.busy_cycles;
    }
    if (s->armed) {
        struct armed_stats stats;
        armed_get_stats(s->armed, &stats);
        f->cpu_busy_cycles = stats.busy_cycles;
    }
    add_link(s, f);
    if (s->persistent) {
        persistent_get_figures(s->persistent, &f->persistent);
        f->cpu_busy_cycles = f->persistent.cpu_busy_cycles;
    }
    nic_get_stats(s->nic, &f->nic);
    f->nic.latency = NULL;
    if (s->pipeline)
        packet_pipeline_collect(s->pipeline);
    return f;
}
