#include "sim/host/nic.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "sim/host/nic_internal.h"

static bool check_field(uint32_t offset, uint32_t bytes, uint32_t room, const char *name,
                        struct error *err)
{
    if (bytes != 1 && bytes != 2 && bytes != 4)
        return error_set(err, "NIC: the %s must have 1, 2 or 4 bytes, not %u", name, bytes);
    if (offset > room || bytes > room - offset)
        return error_set(err, "NIC: the %s at offset %u does not fit into %u bytes", name, offset,
                         room);
    return true;
}

static bool check_layout(const struct nic_config *c, struct error *err)
{
    const struct nic_layout *l = &c->layout;

    if (l->batch == 0 || l->batch > NIC_MAX_BATCH)
        return error_set(err, "NIC: there must be 1 to %u packets per event, not %u", NIC_MAX_BATCH,
                         l->batch);
    if (l->slot_stride == 0 || l->slot_stride > NIC_MAX_SLOT || l->frame_offset >= l->slot_stride)
        return error_set(err,
                         "NIC: a packet slot must have 1 to %u bytes and begin its frame "
                         "within them; it has %u, the frame at %u",
                         NIC_MAX_SLOT, l->slot_stride, l->frame_offset);
    if (l->length_bytes && (l->length_bytes == 1 || !check_field(l->length_offset, l->length_bytes,
                                                                 l->frame_offset, "length", NULL)))
        return error_set(err, "NIC: the length in a packet slot must have 2 or 4 bytes and end "
                              "before the frame");
    if (l->result_stride == 0 || l->result_stride > 64)
        return error_set(err, "NIC: a result record must have 1 to 64 bytes, not %u",
                         l->result_stride);
    if (!check_field(l->verdict_offset, l->verdict_bytes, l->result_stride, "verdict", err))
        return false;
    if (l->hop_bytes &&
        !check_field(l->hop_offset, l->hop_bytes, l->result_stride, "next hop", err))
        return false;
    if (l->growth > NIC_MAX_SLOT)
        return error_set(err, "NIC: a frame cannot grow by %u bytes", l->growth);
    return l->sent_bytes == 0 ||
           check_field(l->sent_offset, l->sent_bytes, l->result_stride, "sent length", err);
}

static bool check_config(const struct nic_config *c, struct error *err)
{
    const uint64_t max_rate = 1000000000000;

    if (c->core_khz == 0)
        return error_set(err, "NIC: the core clock must not be 0");
    if (c->wire_bps < 1000000 || c->wire_bps > max_rate)
        return error_set(err, "NIC: the wire must carry 10^6 to 10^12 bits per second");
    if (c->wire_overhead > 1024)
        return error_set(err, "NIC: the wire overhead must be at most 1024 bytes per frame");
    if (c->pace != NIC_PACE_TIMESTAMPS && (c->rate == 0 || c->rate > max_rate))
        return error_set(err, "NIC: the rate must be 1 to 10^12 %s per second",
                         c->pace == NIC_PACE_BITS ? "bits" : "packets");
    if (c->meter.rate > 1000000000 || (c->meter.rate && !c->meter.burst))
        return error_set(err,
                         "NIC: a declared rate must be at most 10^9 packets per second, with a "
                         "burst of 1 or more");
    if (c->entries == 0 || c->entries > 65536)
        return error_set(err, "NIC: the event's queue must have 1 to 65536 entries, not %u",
                         c->entries);
    if (c->signal.kind == NIC_SIGNAL_QUEUE &&
        (!c->queue.packets || (c->queue.packets & (c->queue.packets - 1)) ||
         c->signal.link != c->gpu_link))
        return error_set(err, "NIC: a ring of %u packets; it must be a power of two, on the GPU",
                         c->queue.packets);
    if (!check_layout(c, err))
        return false;
    if ((uint64_t)c->entries * c->layout.batch > 1u << 22)
        return error_set(err, "NIC: %u entries of %u packets are more than 2^22 packets",
                         c->entries, c->layout.batch);
    return true;
}

static bool check_capture(const struct nic_config *c, const struct nic_capture *capture,
                          struct error *err)
{
    uint32_t room = c->layout.slot_stride - c->layout.frame_offset;

    if (capture->count == 0)
        return error_set(err, "NIC: the capture has no packet to replay");
    for (uint32_t i = 0; i < capture->count; i++) {
        const struct nic_packet *p = &capture->packets[i];

        if (p->length == 0 || p->offset > capture->size || p->length > capture->size - p->offset)
            return error_set(err, "NIC: packet %u of the capture lies outside its bytes", i);
        if (p->length > room || c->layout.growth > room - p->length)
            return error_set(err,
                             "NIC: packet %u of the capture has %u bytes and may grow by %u; a "
                             "slot holds %u",
                             i, p->length, c->layout.growth, room);
        if (p->length > c->rx_buffer_bytes)
            return error_set(err,
                             "NIC: packet %u of the capture has %u bytes; the receive buffer "
                             "holds %u",
                             i, p->length, c->rx_buffer_bytes);
    }
    return true;
}

static void allocate(struct nic *n)
{
    const struct nic_config *c = &n->config;
    uint32_t packets = c->entries * c->layout.batch;

    n->buffers = ALLOC_ARRAY(struct nic_entry, c->entries);
    for (uint32_t i = 0; i < c->entries; i++)
        n->buffers[i] = c->entry[i];
    if (c->signal.kind == NIC_SIGNAL_QUEUE) {
        n->packets = ALLOC_ARRAY(uint8_t, (size_t)c->entries * AQL_PACKET_BYTES);
        memcpy(n->packets, c->queue.packet, (size_t)c->entries * AQL_PACKET_BYTES);
    }
    n->records = ALLOC_ARRAY(struct nic_record, n->capture.count);
    n->fifo_size = n->capture.count < c->rx_buffer_bytes ? n->capture.count : c->rx_buffer_bytes;
    n->fifo = ALLOC_ARRAY(uint32_t, n->fifo_size);
    n->slot = ALLOC_ARRAY(uint8_t, c->layout.slot_stride);
    n->flags = ALLOC_ARRAY(uint32_t, c->entries);
    n->entry = ALLOC_ARRAY(struct entry, c->entries);
    n->arrived.entries = ALLOC_ARRAY(uint32_t, c->entries);
    n->entry_packets = ALLOC_ARRAY(uint32_t, packets);
    n->results = ALLOC_ARRAY(uint8_t, (size_t)packets * c->layout.result_stride);
    n->jobs_size = packets + c->entries; /* per entry: its push or results, then its frames */
    n->jobs = ALLOC_ARRAY(struct job, n->jobs_size);
    n->output = ALLOC_ARRAY(uint8_t, n->capture.size + (size_t)n->capture.count * c->layout.growth);
}

struct nic *nic_create(const struct nic_config *config, const struct nic_capture *capture,
                       struct error *err)
{
    if (!check_config(config, err) || !check_capture(config, capture, err))
        return NULL;

    struct nic *n = ALLOC(struct nic);

    n->config = *config;
    n->capture = *capture;
    allocate(n);
    n->config.entry = n->buffers;
    n->config.queue.packet = n->packets;
    n->flush = rate_ns_to_cycles(config->flush_ns, config->core_khz);
    n->rx_wire = rate_make(config->core_khz, config->wire_bps);
    n->tx_wire = n->rx_wire;
    n->pace = rate_make(config->core_khz, config->pace == NIC_PACE_TIMESTAMPS ? 1 : config->rate);
    nic_meter_init(n);
    edge_device_init(&n->ring, n->flags, config->entries);
    n->n_free_reads = NIC_MAX_READS;
    for (uint32_t i = 0; i < NIC_MAX_READS; i++)
        n->free_reads[i] = NIC_MAX_READS - 1 - i;
    n->next = CYCLE_NEVER;
    return n;
}

void nic_destroy(struct nic *n)
{
    if (!n)
        return;
    free(n->buffers);
    free(n->packets);
    free(n->records);
    free(n->batches);
    free(n->fifo);
    free(n->meter.release);
    free(n->slot);
    free(n->flags);
    free(n->entry);
    free(n->arrived.entries);
    free(n->entry_packets);
    free(n->results);
    free(n->jobs);
    free(n->output);
    histogram_free(&n->latency);
    free(n);
}

void nic_endpoint(struct pcie_endpoint *endpoint, struct nic **nic)
{
    endpoint->user = nic;
    endpoint->deliver_write = nic_deliver_write;
    endpoint->deliver_read = NULL;
    endpoint->deliver_completion = nic_deliver_completion;
}

void nic_start(struct nic *n, uint64_t cycle)
{
    n->started = true;
    n->start = cycle;
    n->due = cycle;
    nic_wake(n, cycle);
}

void nic_tick(struct nic *n, uint64_t cycle)
{
    n->now = cycle;
    n->next = CYCLE_NEVER;
    if (!n->closed) {
        nic_send(n, cycle);
        nic_receive(n, cycle);
    }
    if (n->tx_end > cycle)
        nic_wake(n, n->tx_end);
}

uint64_t nic_next_event(const struct nic *n)
{
    return n->next;
}

void nic_close(struct nic *n, uint64_t cycle)
{
    if (n->closed)
        return;
    n->closed = true;
    for (uint32_t i = 0; i < n->capture.count; i++) {
        if (n->records[i].fate != NIC_WAITING)
            continue;
        n->records[i].fate = NIC_FAILED;
        n->stats.packets_failed++;
    }
    n->stats.pause_cycles += n->paused ? cycle - n->pause_since : 0;
    n->next_packet = n->capture.count;
    n->on_wire = n->paused = n->filling = n->waiting = false;
    n->fifo_count = n->jobs_count = n->arrived.count = n->in_flight = 0;
    nic_wake(n, cycle + 1);
}

bool nic_finished(const struct nic *n)
{
    return n->next_packet == n->capture.count && n->fifo_count == 0 && n->in_flight == 0 &&
           n->tx_end <= n->now;
}

bool nic_waits_for_time(const struct nic *n)
{
    return n->next != CYCLE_NEVER && n->fifo_count == 0 && n->in_flight == n->filling;
}

const struct nic_record *nic_records(const struct nic *n)
{
    return n->records;
}

const struct nic_batch *nic_batches(const struct nic *n, uint32_t *count)
{
    *count = n->n_batches;
    return n->batches;
}

const uint8_t *nic_output(const struct nic *n, uint32_t packet)
{
    return n->records[packet].fate == NIC_FORWARDED ? nic_output_place(n, packet) : NULL;
}

void nic_get_stats(const struct nic *n, struct nic_stats *stats)
{
    *stats = n->stats;
    stats->latency = &n->latency;
}
