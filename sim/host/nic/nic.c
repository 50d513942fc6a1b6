#include "sim/host/nic.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "sim/host/nic/internal.h"

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
                         "NIC: a packet slot must have 1 to %u bytes and contain the start of its "
                         "frame; it has %u bytes, and the frame starts at %u",
                         NIC_MAX_SLOT, l->slot_stride, l->frame_offset);
    if (l->length_bytes && (l->length_bytes == 1 || !check_field(l->length_offset, l->length_bytes,
                                                                 l->frame_offset, "length", NULL)))
        return error_set(err, "NIC: the length field of a packet slot must have 2 or 4 bytes and "
                              "end before the frame");
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

static bool check_words(const struct nic_config *c, struct error *err)
{
    const struct nic_layout *l = &c->layout;

    if (c->returns != NIC_RETURN_WORDS)
        return true;
    if (c->signal.kind != NIC_SIGNAL_COUNT || c->signal.link != c->gpu_link)
        return error_set(err,
                         "NIC: only answers of an event with a doorbell can be taken by words");
    if (l->result_stride % WORD_BYTES || l->slot_stride % WORD_BYTES ||
        l->output_bytes % WORD_BYTES || l->output_bytes > l->slot_stride)
        return error_set(err,
                         "NIC: to be taken by words, result records, slots and their part in the "
                         "output must have whole words; they have %u, %u and %u bytes",
                         l->result_stride, l->slot_stride, l->output_bytes);
    for (uint32_t i = 0; i < c->entries; i++) {
        if (c->entry[i].output == c->entry[i].input)
            return error_set(err,
                             "NIC: to be taken by words, frames that are sent must have a "
                             "buffer of their own; those of entry %u lie over the input",
                             i);
    }
    return true;
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
    if ((c->pace == NIC_PACE_PACKETS || c->pace == NIC_PACE_BITS) &&
        (c->rate == 0 || c->rate > max_rate))
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
        return error_set(err,
                         "NIC: the ring has %u packets; the number must be a power of two, and the "
                         "ring must be on the GPU",
                         c->queue.packets);
    if (c->when != NIC_SIGNAL_BEHIND &&
        (c->signal.kind != NIC_SIGNAL_COUNT || c->signal.link != c->gpu_link || c->meter.rate))
        return error_set(err,
                         "NIC: only a doorbell without a declared rate can come before its data");
    if (c->also.link && (c->when != NIC_SIGNAL_BEHIND || c->signal.kind == NIC_SIGNAL_QUEUE ||
                         c->also.link != c->gpu_link || c->signal.link != c->gpu_link))
        return error_set(err, "NIC: a second signal needs both on the GPU's link, behind the data");
    if (!check_layout(c, err) || !check_words(c, err))
        return false;
    if ((uint64_t)c->entries * c->layout.batch > 1u << 22)
        return error_set(err, "NIC: %u entries of %u packets exceed 2^22 packets", c->entries,
                         c->layout.batch);
    return true;
}

static bool check_capture(const struct nic_config *c, const struct nic_capture *capture,
                          struct error *err)
{
    uint32_t room = c->layout.slot_stride - c->layout.frame_offset;

    if (capture->packet_room && c->pace != NIC_PACE_START)
        return error_set(err, "NIC: packets of a live wire come at their time stamps");
    if (capture->count == 0 && !capture->packet_room)
        return error_set(err, "NIC: the capture contains no packet to replay");
    for (uint32_t i = 0; i < capture->count; i++) {
        const struct captured_packet *p = &capture->packets[i];

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

struct nic *nic_create(const struct nic_config *config, const struct nic_capture *capture,
                       struct error *err)
{
    if (!check_config(config, err) || !check_capture(config, capture, err))
        return NULL;

    struct nic *n = ALLOC(struct nic);

    n->config = *config;
    n->capture = *capture;
    n->agenda.next = CYCLE_NEVER;
    packets_init(n);
    meter_init(n);
    wire_init(n);
    fill_init(n);
    entries_init(n);
    reads_init(n);
    send_init(n);
    answers_init(n);
    return n;
}

void nic_destroy(struct nic *n)
{
    if (!n)
        return;
    packets_free(n);
    meter_free(n);
    wire_free(n);
    fill_free(n);
    entries_free(n);
    reads_free(n);
    send_free(n);
    answers_free(n);
    free(n);
}

void nic_endpoint(struct pcie_endpoint *endpoint, struct nic **nic)
{
    endpoint->user = nic;
    endpoint->deliver_write = entries_deliver_write;
    endpoint->deliver_read = NULL;
    endpoint->deliver_completion = reads_deliver;
}

void nic_tick(struct nic *n, uint64_t cycle)
{
    n->agenda.now = cycle;
    n->agenda.next = CYCLE_NEVER;
    if (!n->agenda.closed) {
        send_run(n, cycle); /* first: it frees entries */
        wire_run(n, cycle);
        fill_run(n, cycle);
        wire_resume(n, cycle); /* the buffer has room again */
    }
    if (send_end(n) > cycle)
        nic_wake(n, send_end(n));
}

bool nic_arrives(struct nic *n)
{
    uint32_t packet = n->capture.count;

    if (n->agenda.closed)
        return false;
    n->capture.size += n->capture.packets[packet].length;
    n->capture.count++;
    wire_known(n, packet);
    return true;
}

uint64_t nic_next_event(const struct nic *n)
{
    return n->agenda.next;
}

void nic_close(struct nic *n, uint64_t cycle)
{
    if (n->agenda.closed)
        return;
    n->agenda.closed = true;
    packets_fail_rest(n);
    wire_close(n, cycle);
    fill_close(n);
    reads_close(n);
    entries_close(n);
    nic_wake(n, cycle + 1);
}

bool nic_finished(const struct nic *n)
{
    uint32_t packet;

    return wire_ended(n) && !wire_oldest(n, &packet) && entries_in_flight(n) == 0 &&
           !entries_untold(n) && send_end(n) <= n->agenda.now;
}

bool nic_waits_for_time(const struct nic *n)
{
    uint32_t packet;

    return n->agenda.next != CYCLE_NEVER && !wire_oldest(n, &packet) &&
           entries_in_flight(n) == fill_open(n);
}

void nic_describe(const struct nic *n, char *text, size_t room)
{
    uint32_t packet;
    struct nic_stats stats;

    nic_get_stats(n, &stats);
    if (nic_finished(n))
        snprintf(text, room, "finished");
    else if (wire_oldest(n, &packet) || entries_in_flight(n) > fill_open(n) || entries_untold(n))
        snprintf(text, room, "waits for completions");
    else if (fill_open(n))
        snprintf(text, room, "waits for the rest of a batch");
    else if (n->capture.packet_room && !wire_ended(n))
        snprintf(text, room, "waits for packet %llu", (unsigned long long)stats.packets_in + 1);
    else if (stats.packets_in < n->capture.count)
        snprintf(text, room, "waits for packet %llu of %u",
                 (unsigned long long)stats.packets_in + 1, n->capture.count);
    else
        snprintf(text, room, wire_ended(n) ? "sends" : "waits for its wire to close");
}
