#include <string.h>

#include "base/alloc.h"
#include "sim/host/nic_internal.h"

/* --- from the wire into the receive buffer --- */

/* When the packet after next_packet may begin, as far as its pace goes. */
static void schedule_next(struct nic *n)
{
    const struct nic_packet *packets = n->capture.packets;
    uint32_t next = n->next_packet + 1;

    if (next == n->capture.count)
        return;
    if (n->config.pace == NIC_PACE_TIMESTAMPS) {
        uint64_t first = packets[0].timestamp_ns, at = packets[next].timestamp_ns;

        n->due = n->start + (at > first ? rate_ns_to_cycles(at - first, n->config.core_khz) : 0);
    } else {
        n->due =
            n->start + rate_take(&n->pace, 0,
                                 n->config.pace == NIC_PACE_BITS
                                     ? nic_wire_bits(n, n->capture.packets[n->next_packet].length)
                                     : 1);
    }
}

static bool has_room(const struct nic *n, uint32_t packet)
{
    return n->capture.packets[packet].length <= n->config.rx_buffer_bytes - n->buffered;
}

/* The packet on the wire is complete. */
static void arrive(struct nic *n)
{
    uint32_t packet = n->next_packet++;
    uint32_t length = n->capture.packets[packet].length;
    struct nic_record *record = &n->records[packet];

    n->on_wire = false;
    record->arrival = n->wire_end;
    if (n->stats.packets_in++ == 0)
        n->stats.first_arrival = n->wire_end;
    n->stats.bytes_in += length;
    bool within = nic_meter_arrival(n, packet, n->wire_end);
    if (n->config.drop) {
        if (!within || !has_room(n, packet)) {
            record->fate = NIC_LOST;
            record->departure = n->wire_end;
            n->stats.packets_lost++;
            return;
        }
        n->buffered += length;
    }
    n->fifo[(n->fifo_head + n->fifo_count++) % n->fifo_size] = packet;
}

static void run_wire(struct nic *n, uint64_t cycle)
{
    for (;;) {
        /* Not `cycle`, the first whole one after the packet before: the wire works without gaps. */
        uint64_t begin = n->due;

        if (n->on_wire) {
            if (n->wire_end > cycle)
                break;
            arrive(n);
        }
        if (!n->started || n->next_packet == n->capture.count || n->due > cycle ||
            !rate_free(&n->rx_wire, cycle))
            break;
        /* Lossless: the room is reserved before the packet begins. */
        if (!n->config.drop) {
            if (!has_room(n, n->next_packet)) {
                n->stats.pauses += !n->paused;
                n->pause_since = n->paused ? n->pause_since : cycle;
                n->paused = true;
                break;
            }
            n->buffered += n->capture.packets[n->next_packet].length;
            if (n->paused) {
                n->stats.pause_cycles += cycle - n->pause_since;
                n->paused = false;
                begin = cycle;
            }
        }
        n->wire_end = rate_take(&n->rx_wire, begin,
                                nic_wire_bits(n, n->capture.packets[n->next_packet].length));
        n->on_wire = true;
        schedule_next(n);
    }
}

/* --- from the receive buffer into the event at the head --- */

static void put(uint8_t *to, uint32_t value, uint32_t bytes)
{
    for (uint32_t i = 0; i < bytes; i++)
        to[i] = (uint8_t)(value >> 8 * i);
}

/* Takes the entry at the head for a new event; false when it is not free. */
static bool open_event(struct nic *n, uint64_t cycle)
{
    uint32_t packet = n->fifo[n->fifo_head];
    uint64_t arrival = n->records[packet].arrival;
    uint64_t release = nic_meter_release(n, packet);

    if (release > cycle) {
        nic_wake(n, release);
        return false;
    }
    if (!edge_device_try_launch(&n->ring, &n->fill_entry)) {
        n->stats.entry_waits += !n->waiting;
        n->wait_since = n->waiting ? n->wait_since : cycle;
        n->waiting = true;
        return false;
    }
    n->stats.entry_wait_cycles += n->waiting ? cycle - n->wait_since : 0;
    n->waiting = false;
    n->filling = true;
    n->step = STEP_FRAMES;
    n->fill_count = 0;
    n->deadline = (release > arrival ? release : arrival) + n->flush;
    n->in_flight++;
    ARRAY_RESERVE(n->batches, n->n_batches, n->batches_capacity);
    n->batches[n->n_batches] = (struct nic_batch){.first_arrival = arrival, .entry = n->fill_entry};
    n->entry[n->fill_entry] = (struct entry){.state = ENTRY_FILLING, .batch = n->n_batches++};
    return true;
}

/* The oldest packet of the receive buffer as it lies in its slot, from the length on. */
static void build_slot(struct nic *n, uint32_t packet)
{
    const struct nic_layout *l = &n->config.layout;
    const struct nic_packet *p = &n->capture.packets[packet];
    uint32_t lead = l->length_bytes ? l->frame_offset - l->length_offset : 0;

    memset(n->slot, 0, lead);
    put(n->slot, p->length, l->length_bytes);
    memcpy(n->slot + lead, n->capture.bytes + p->offset, p->length);
    n->slot_bytes = lead + p->length;
    n->slot_moved = 0;
}

static bool write_gpu(struct nic *n, uint64_t cycle, uint64_t address, const uint8_t *data,
                      uint32_t bytes)
{
    struct pcie_write write = {.address = address,
                               .data = data,
                               .bytes = bytes,
                               .from = n->config.self,
                               .to = n->config.gpu,
                               .bar = PCIE_BAR_MEMORY};

    return pcie_write(n->config.gpu_link, cycle, &write);
}

/* Writes the oldest packet into its slot; false when the link has no room for the rest of it. */
static bool write_packet(struct nic *n, uint64_t cycle)
{
    const struct nic_layout *l = &n->config.layout;
    uint32_t packet = n->fifo[n->fifo_head];
    uint64_t base = n->buffers[n->fill_entry].input + (uint64_t)n->fill_count * l->slot_stride +
                    (l->length_bytes ? l->length_offset : l->frame_offset);

    if (n->slot_bytes == 0)
        build_slot(n, packet);
    while (n->slot_moved < n->slot_bytes) {
        uint32_t left = n->slot_bytes - n->slot_moved;
        uint32_t bytes = left < NIC_WRITE_BYTES ? left : NIC_WRITE_BYTES;

        if (!write_gpu(n, cycle, base + n->slot_moved, n->slot + n->slot_moved, bytes))
            return false;
        n->slot_moved += bytes;
    }
    n->slot_bytes = 0;
    n->fifo_head = n->fifo_head + 1 == n->fifo_size ? 0 : n->fifo_head + 1;
    n->fifo_count--;
    n->buffered -= n->capture.packets[packet].length;
    n->records[packet].batch = n->entry[n->fill_entry].batch;
    n->entry_packets[(size_t)n->fill_entry * l->batch + n->fill_count++] = packet;
    return true;
}

/* The entry's packet into the ring; false when the ring or the link has no room. */
static bool write_queue(struct nic *n, uint64_t cycle)
{
    const struct nic_queue *q = &n->config.queue;
    uint64_t slot = n->queue_written & (q->packets - 1);

    if (n->queue_written - n->queue_read == q->packets)
        return false; /* until a read index comes */
    if (!write_gpu(n, cycle, q->ring + slot * AQL_PACKET_BYTES,
                   n->packets + (size_t)n->fill_entry * AQL_PACKET_BYTES, AQL_PACKET_BYTES)) {
        nic_wait_for_link(n, n->config.gpu_link, cycle);
        return false;
    }
    n->queue_written++;
    return true;
}

/* Value and size of the signal. */
static uint32_t build_signal(const struct nic *n, const struct nic_batch *batch, uint8_t *data)
{
    uint32_t round = (uint32_t)(batch - n->batches) / n->config.entries + 1;

    switch (n->config.signal.kind) {
    case NIC_SIGNAL_ROUND:
        put(data, round, sizeof round);
        return sizeof round;
    case NIC_SIGNAL_QUEUE:
        aql_put(data, n->queue_written - 1, AQL_INDEX_BYTES);
        return AQL_INDEX_BYTES;
    default:
        put(data, batch->count, EVG_DOORBELL_BYTES);
        return EVG_DOORBELL_BYTES;
    }
}

/* Tells the receiver that the entry is full; false when the link has no room. */
static bool write_signal(struct nic *n, uint64_t cycle, uint32_t entry)
{
    const struct nic_signal *s = &n->config.signal;
    struct nic_batch *batch = &n->batches[n->entry[entry].batch];
    uint8_t data[AQL_INDEX_BYTES];
    struct pcie_write write = {.address = s->address + (uint64_t)entry * s->stride,
                               .data = data,
                               .bytes = build_signal(n, batch, data),
                               .from = s->from,
                               .to = s->to,
                               .bar = s->bar};

    if (!pcie_write(s->link, cycle, &write)) {
        nic_wait_for_link(n, s->link, cycle);
        return false;
    }
    batch->signalled = cycle;
    n->entry[entry].state = ENTRY_LAUNCHED;
    n->stats.batches++;
    n->stats.partial_batches += batch->count < n->config.layout.batch;
    return true;
}

/* Count, then signal, in posted order behind the data when it takes the same link; otherwise the
 * signal waits until the data have arrived. False when a link has no room. */
static bool launch_event(struct nic *n, uint64_t cycle)
{
    struct nic_batch *batch = &n->batches[n->entry[n->fill_entry].batch];

    if (n->step == STEP_FRAMES) {
        n->step = STEP_COUNT;
        batch->filled = cycle;
    }
    if (n->step == STEP_COUNT) {
        uint8_t count[4];

        put(count, n->fill_count, sizeof count);
        if (n->buffers[n->fill_entry].count &&
            !write_gpu(n, cycle, n->buffers[n->fill_entry].count, count, sizeof count)) {
            nic_wait_for_link(n, n->config.gpu_link, cycle);
            return false;
        }
        n->step = n->config.signal.kind == NIC_SIGNAL_QUEUE ? STEP_PACKET : STEP_SIGNAL;
    }
    if (n->step == STEP_PACKET) {
        if (!write_queue(n, cycle))
            return false;
        n->step = STEP_SIGNAL;
    }
    batch->count = n->fill_count;
    if (n->config.signal.link != n->config.gpu_link)
        nic_push(n, cycle, n->fill_entry);
    else if (!write_signal(n, cycle, n->fill_entry))
        return false;
    n->filling = false;
    return true;
}

/* Signals of entries whose data have arrived. */
static void signal_arrived(struct nic *n, uint64_t cycle)
{
    while (n->arrived.count && write_signal(n, cycle, n->arrived.entries[n->arrived.head])) {
        n->arrived.head = n->arrived.head + 1 == n->config.entries ? 0 : n->arrived.head + 1;
        n->arrived.count--;
    }
}

/* There is a packet that may go on. */
static bool next_is_here(struct nic *n, uint64_t cycle)
{
    uint64_t release = n->fifo_count ? nic_meter_release(n, n->fifo[n->fifo_head]) : 0;

    if (release > cycle)
        nic_wake(n, release);
    return n->fifo_count && release <= cycle;
}

static void fill_events(struct nic *n, uint64_t cycle)
{
    for (;;) {
        if (!n->filling && (n->fifo_count == 0 || !open_event(n, cycle)))
            return;
        while (n->step == STEP_FRAMES && next_is_here(n, cycle) &&
               n->fill_count < n->config.layout.batch) {
            if (!write_packet(n, cycle)) {
                nic_wait_for_link(n, n->config.gpu_link, cycle);
                return;
            }
        }
        if (n->step == STEP_FRAMES && n->fill_count < n->config.layout.batch &&
            cycle < n->deadline) {
            nic_wake(n, n->deadline);
            return;
        }
        if (!launch_event(n, cycle))
            return;
    }
}

void nic_receive(struct nic *n, uint64_t cycle)
{
    run_wire(n, cycle);
    signal_arrived(n, cycle);
    fill_events(n, cycle);
    /* What has left the buffer may let a held wire go on. */
    if (n->paused)
        run_wire(n, cycle);
    if (n->on_wire) {
        nic_wake(n, n->wire_end);
    } else if (n->started && !n->paused && n->next_packet < n->capture.count) {
        uint64_t begin = n->due > n->rx_wire.cycle ? n->due : n->rx_wire.cycle;

        nic_wake(n, begin > cycle ? begin : cycle + 1);
    }
}
