#include "sim/host/nic/send.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "sim/host/nic/internal.h"

void send_init(struct nic *n)
{
    const struct nic_config *c = &n->config;
    const struct nic_layout *l = &c->layout;

    n->send.wire = rate_make(c->core_khz, c->wire_bps);
    size_t bytes = n->capture.packet_room ? n->capture.byte_room : n->capture.size;
    n->send.output = ALLOC_ARRAY(uint8_t, bytes + (size_t)nic_most_packets(n) * l->growth);
    n->send.results = ALLOC_ARRAY(uint8_t, (size_t)c->entries * l->batch * l->result_stride);
}

void send_free(struct nic *n)
{
    free(n->send.output);
    free(n->send.results);
}

uint8_t *send_place(const struct nic *n, uint32_t packet)
{
    return n->send.output + n->capture.packets[packet].offset +
           (size_t)packet * n->config.layout.growth;
}

const uint8_t *nic_output(const struct nic *n, uint32_t packet)
{
    return nic_records(n)[packet].fate == NIC_FORWARDED ? send_place(n, packet) : NULL;
}

uint8_t *send_results(const struct nic *n, uint32_t entry)
{
    return n->send.results +
           (size_t)entry * n->config.layout.batch * n->config.layout.result_stride;
}

void send_read_results(struct nic *n, uint32_t entry)
{
    struct job job = {.into = send_results(n, entry),
                      .address = entries_buffers(n, entry)->results,
                      .bytes = entries_results(n, entry) * n->config.layout.result_stride,
                      .entry = entry};

    if (entries_aborted(n, entry)) {
        entries_move(n, entry, ENTRY_READ);
        return;
    }
    entries_move(n, entry, ENTRY_RESULTS);
    reads_add(n, &job);
}

void send_results_read(struct nic *n, uint32_t entry)
{
    const struct nic_layout *l = &n->config.layout;
    uint32_t count = entries_batch(n, entry)->count;

    entries_move(n, entry, ENTRY_FRAMES);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t packet = entries_packet(n, entry, i);
        struct job job = {.into = send_place(n, packet),
                          .address = entries_buffers(n, entry)->output +
                                     (uint64_t)i * l->slot_stride + l->frame_offset,
                          .entry = entry};

        job.bytes =
            packets_decided(n, packet, send_results(n, entry) + (size_t)i * l->result_stride);
        if (job.bytes)
            reads_add(n, &job);
    }
}

void send_packet(struct nic *n, uint64_t cycle, uint32_t packet)
{
    uint32_t length = packets_sent_length(n, packet);

    if (!length) {
        packets_dropped(n, packet, cycle);
        return;
    }
    n->send.end = rate_take(&n->send.wire, cycle, nic_wire_bits(n, length));
    packets_forwarded(n, packet, n->send.end);
    if (n->config.departs)
        n->config.departs(n->config.user, packet);
}

/* Sends the entry's forwarded frames, forgets the others, and frees the entry. */
static void finish_entry(struct nic *n, uint64_t cycle, uint32_t entry)
{
    const struct nic_batch *batch = entries_batch(n, entry);

    for (uint32_t i = 0; i < batch->count; i++) {
        uint32_t packet = entries_packet(n, entry, i);

        if (batch->aborted)
            packets_aborted(n, packet, cycle);
        else
            send_packet(n, cycle, packet);
    }
    entries_sent(n, entry, cycle);
}

void send_run(struct nic *n, uint64_t cycle)
{
    struct send *s = &n->send;
    uint32_t entry;

    if (n->config.returns == NIC_RETURN_WORDS) {
        answers_run(n, cycle);
        return;
    }
    while (entries_complete(n, &entry))
        send_read_results(n, entry);
    reads_run(n, cycle);
    while (entries_state(n, s->oldest) == ENTRY_READ) {
        finish_entry(n, cycle, s->oldest);
        s->oldest = s->oldest + 1 == n->config.entries ? 0 : s->oldest + 1;
    }
}

uint64_t send_end(const struct nic *n)
{
    return n->send.end;
}
