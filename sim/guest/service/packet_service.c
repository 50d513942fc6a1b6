#include "sim/guest/service/packet_service.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/timeline.h"
#include "evgpu_defs.h"
#include "sim/guest/service/packet_internal.h"

/* --- life ---------------------------------------------------------------------------------------
 */

static bool start(void *self, uint64_t cycle, struct error *err)
{
    struct packet_service *s = self;
    s->started = true;
    if (s->persistent) /* the NIC starts when the kernel is there */
        return persistent_start(s->persistent, err);
    if (s->armed)
        packet_launch_start(s, cycle);
    else if (packet_fills(s))
        packet_fill_start(s);
    else if (s->nic)
        nic_start(s->nic, cycle);
    return true;
}

static bool tick(void *self, uint64_t cycle, struct error *err)
{
    struct packet_service *s = self;
    packet_launch_tick(s, cycle);
    if (s->nic && s->options.wire)
        live_wire_tick(s->options.wire, cycle);
    if (s->nic && nic_next_event(s->nic) <= cycle)
        nic_tick(s->nic, cycle);
    if (s->nic)
        packet_watch_tick(s, cycle);
    if (s->nic && guest_timeline(s->guest))
        packet_timeline(s);
    if (s->bound_finished && nic_finished(s->nic)) {
        s->bound_finished(s->bound_user, cycle);
        s->bound_finished = NULL;
    }
    return !s->persistent || !nic_finished(s->nic) || persistent_stop(s->persistent, err);
}

static void mark(void *self, uint64_t cycle, const struct core_mark *mark)
{
    struct packet_service *s = self;
    if (s->persistent)
        persistent_mark(s->persistent, cycle, mark);
}

static uint64_t next_event(const void *self)
{
    const struct packet_service *s = self;
    uint64_t next = s->nic ? nic_next_event(s->nic) : CYCLE_NEVER;
    uint64_t launch = packet_launch_next_event(s);
    uint64_t watch = packet_watch_next(s);
    uint64_t wire = s->options.wire ? live_wire_next(s->options.wire) : CYCLE_NEVER;
    next = watch < next ? watch : next;
    next = wire < next ? wire : next;
    return launch < next ? launch : next;
}

static double share(const void *self)
{
    const struct packet_service *s = self;
    if (s->options.wire && live_wire_is_open(s->options.wire))
        return -1;
    return s->nic ? nic_share(s->nic) : 0;
}

static bool finished(const void *self)
{
    const struct packet_service *s = self;
    return s->started && (s->nic ? nic_finished(s->nic) : s->failed) &&
           (!s->persistent || s->failed || persistent_ended(s->persistent));
}

static void processed_verdict(struct packet_service *s, char *text, size_t room)
{
    const struct packet_figures *f = packet_figures(s);
    int n = snprintf(text, room, "%llu packets %s", (unsigned long long)f->packets_checked,
                     s->options.only_processed ? "processed" : "equal their host references");
    if (f->aborted && n > 0 && (size_t)n < room)
        snprintf(text + n, room - (size_t)n, "; %llu events aborted after %u us, %llu packets lost",
                 (unsigned long long)f->aborted, s->options.timeout_us,
                 (unsigned long long)f->nic.packets_aborted);
}

static bool verdict(void *self, char *text, size_t room)
{
    struct packet_service *s = self;
    struct error err = {0};
    if (s->failed) {
        packet_failed_verdict(s, text, room);
        return false;
    }
    if (packet_check(s, &err) && s->options.skip)
        snprintf(text, room, "%llu events arrived and none was executed",
                 (unsigned long long)s->figures.nic.batches);
    else if (!err.set)
        processed_verdict(s, text, room);
    else
        snprintf(text, room, "%s", err.text);
    return !err.set;
}

static bool write_files(void *self, struct error *err)
{
    struct packet_service *s = self;
    return (!s->options.wire || live_wire_record(s->options.wire, err)) &&
           (!s->nic || s->options.skip || !s->options.sent_path || packet_write_sent(s, err));
}

static uint64_t work(const void *self)
{
    const struct packet_service *s = self;
    struct nic_stats stats;
    struct armed_stats armed = {.prepared = 0};
    if (!s->nic)
        return 0;
    nic_get_stats(s->nic, &stats);
    if (s->armed)
        armed_get_stats(s->armed, &armed);
    /* What polls keeps the clock running while the NIC waits for its next packet. */
    bool waits = (s->persistent || s->armed) && nic_waits_for_time(s->nic);
    waits |= s->options.wire && live_wire_is_open(s->options.wire);
    return stats.packets_in + stats.forwarded + armed.prepared +
           (waits ? machine_cycle(s->machine) : 0);
}

static uint64_t polls(const void *self)
{
    const struct packet_service *s = self;
    return s->persistent ? persistent_polls(s->persistent) : 0;
}

static void describe(const void *self, void (*line)(void *user, const char *text), void *user)
{
    const struct packet_service *s = self;
    char text[200], nic[64] = "waits for a program to bind an event kernel";
    if (s->nic)
        nic_describe(s->nic, nic, sizeof nic);
    snprintf(text, sizeof text, "%s: NIC %s", guest_name(s->guest), nic);
    line(user, text);
}

static void destroy(void *self)
{
    struct packet_service *s = self;
    packet_watch_destroy(s);
    packet_memory_destroy(s);
    packet_pipeline_destroy(s->pipeline);
    persistent_destroy(s->persistent);
    free(s->batches);
    if (s->state)
        s->kind->destroy(s->state);
    nic_destroy(s->nic);
    packet_launch_destroy(s);
    packet_free_figures(&s->figures);
    timeline_lanes_free(&s->lanes);
    free(s->emptying);
    free(s->times);
    free(s);
}

/* --- construction -------------------------------------------------------------------------------
 */

static void departs(void *user, uint32_t packet)
{
    const struct packet_service *s = user;
    live_wire_send(s->options.wire, nic_output(s->nic, packet), nic_records(s->nic)[packet].sent);
}

static bool create_nic(struct packet_service *s, struct error *err)
{
    const struct packet_options *o = &s->options;
    const struct machine_config *c = machine_config(s->machine);
    uint64_t buffer = (uint64_t)c->nic_buffer_kib * 1024;
    struct nic_config config = {
        .core_khz = c->core_khz,
        .wire_bps = (uint64_t)c->nic_gbit_per_s * 1000000000,
        .wire_overhead = 24, /* captures have no FCS: 4, preamble 8, gap 12 */
        .pace = o->pace,
        .rate = o->rate,
        .meter = {.rate = o->promise.rate, .burst = o->promise.burst},
        .rx_buffer_bytes = buffer > UINT32_MAX ? UINT32_MAX : (uint32_t)buffer,
        .drop = o->drop,
        .flush_ns = c->nic_timeout_ns,
        .entries = s->memory.entries,
        .entry = s->memory.entry,
        .layout = {.batch = o->batch,
                   .slot_stride = s->memory.slot_bytes,
                   .length_offset = 0,
                   .length_bytes = PACKET_FRAME_OFFSET,
                   .frame_offset = PACKET_FRAME_OFFSET,
                   .result_stride = s->memory.result_bytes,
                   .verdict_offset = 0,
                   .verdict_bytes = 1,
                   .forward = s->kind->forward,
                   .hop_offset = PACKET_PORT_SHIFT / 8,
                   .hop_bytes = 2,
                   .sent_offset = sizeof(uint32_t),
                   .sent_bytes = s->kind->sends_length ? sizeof(uint32_t) : 0,
                   .growth = s->memory.growth,
                   .output_bytes = s->returning ? s->returning->stored_bytes : 0},
        .gpu_link = s->port.link,
        .self = s->port.self,
        .gpu = s->port.gpu,
        .signal = packet_signal(s),
        .also =
            s->pipeline ? packet_pipeline_signal(s->pipeline) : (struct nic_signal){.link = NULL},
        .when = o->doorbell,
        .returns = o->returns,
        .queue = {.ring = s->ring, .packets = s->ring_packets, .packet = s->packets},
        .empty = packet_fills(s) ? packet_fill_empty : NULL,
        .departs = o->wire ? departs : NULL,
        .user = s,
        .open_ns = o->open_ns,
        .completion_base = s->completion_base,
        .attention = s->persistent ? s->port.bus_base + PACKET_ATTENTION_OFFSET : 0};
    struct nic_capture capture = {.packets = o->capture->packets,
                                  .count = o->capture->count,
                                  .bytes = o->capture->bytes,
                                  .size = o->capture->size,
                                  .packet_room = o->wire ? o->live.packets : 0,
                                  .byte_room = (size_t)o->live.packets * LIVE_FRAME};
    if (buffer < o->capture->longest)
        return error_set(err, "nic.buffer_kib: %u KiB cannot hold a packet of %u bytes",
                         c->nic_buffer_kib, o->capture->longest);
    s->nic = nic_create(&config, &capture, err);
    if (s->nic && o->wire)
        live_wire_attach(o->wire, s->nic, s->machine);
    return s->nic != NULL;
}

/* The device reads and writes there: all of it is the program's. */
static bool entry_inside(const struct packet_service *s, const struct guest *program,
                         const struct edge_port_entry *e)
{
    uint64_t slots = (uint64_t)s->options.batch * s->memory.slot_bytes;
    return guest_holds(program, e->input, slots) && guest_holds(program, e->output, slots) &&
           guest_holds(program, e->results, s->options.batch * s->memory.result_bytes) &&
           guest_holds(program, e->count, sizeof(uint32_t));
}

/* A program's event kernel: the NIC is made for its queue. */
static bool bind(void *self, const struct device_binding *b, struct error *err)
{
    struct packet_service *s = self;
    struct packet_memory *f = &s->memory;
    if (!s->options.foreign)
        return error_set(
            err, "%s runs its own kernel; start it with kernel=program to bind an event kernel",
            guest_name(s->guest));
    if (s->nic)
        return error_set(err, "%s already has an event kernel", guest_name(s->guest));
    if (!b->entries || b->entries > s->options.in_flight)
        return error_set(err,
                         "%s: the queue has %u entries; it must have 1 to %u (in_flight of the "
                         "service, nic.in_flight)",
                         guest_name(s->guest), b->entries, s->options.in_flight);
    f->entries = b->entries;
    free(f->entry); /* of a binding that was refused */
    f->entry = ALLOC_ARRAY(struct nic_entry, b->entries);
    for (uint32_t i = 0; i < b->entries; i++) {
        const struct edge_port_entry *e = &b->entry[i];
        if (!entry_inside(s, b->guest, e))
            return error_set(err, "%s: a buffer of entry %u lies in no allocation of %s",
                             guest_name(s->guest), i, guest_name(b->guest));
        f->entry[i] = (struct nic_entry){e->input, e->output, e->results, e->count};
    }
    f->doorbell = b->row * EVG_DOORBELL_PAGE;
    s->bound_finished = b->finished;
    s->bound_user = b->user;
    if (!create_nic(s, err))
        return false;
    packet_lend_tables(s, b->guest);
    if (s->started)
        nic_start(s->nic, machine_cycle(s->machine));
    return true;
}

static const struct guest_ops ops = {.kind = "service",
                                     .role = GUEST_SERVICE,
                                     .start = start,
                                     .tick = tick,
                                     .next_event = next_event,
                                     .share = share,
                                     .finished = finished,
                                     .verdict = verdict,
                                     .write_files = write_files,
                                     .faulted = packet_faulted,
                                     .work = work,
                                     .polls = polls,
                                     .describe = describe,
                                     .print = packet_print,
                                     .json = packet_json,
                                     .event_exited = packet_event_exited,
                                     .event_done = packet_event_done,
                                     .mark = mark,
                                     .port = packet_port,
                                     .bind = bind,
                                     .destroy = destroy};

/* As struct packet_return says, where there is one. */
static void take_arguments(struct packet_service *s)
{
    const struct packet_kind *kind = s->kind;
    while (s->n_arguments < kind->n_arguments) {
        uint8_t argument = kind->arguments[s->n_arguments];
        s->arguments[s->n_arguments++] = argument;
        if (s->returning && argument == PACKET_RESULTS)
            break;
    }
    if (s->returning)
        s->arguments[s->n_arguments++] = PACKET_OUTPUT;
}

bool packet_create(struct machine *m, const char *name, const struct packet_kind *kind,
                   const void *inputs, const struct packet_options *options, struct error *err)
{
    struct packet_service *s = ALLOC(struct packet_service);
    s->kind = kind;
    s->inputs = inputs;
    s->options = *options;
    s->returning = options->returns == NIC_RETURN_WORDS ? kind->returning : NULL;
    take_arguments(s);
    s->machine = m;
    s->guest = machine_add_guest(m, &ops, name, s);
    struct pcie_endpoint nic = {.user = NULL};
    nic_endpoint(&nic, &s->nic);
    if (!guest_attach_device(s->guest, &nic, &s->port, err))
        return false;
    s->completion_base = s->port.bus_base + PACKET_COMPLETION_OFFSET;
    if (!packet_memory_create(s, err) || !packet_launch_create(s, err))
        return false;
    packet_watch_create(s);
    return options->foreign || create_nic(s, err);
}
