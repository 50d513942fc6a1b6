#include "sim/host/nic/fill.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "sim/host/nic/internal.h"

void fill_init(struct nic *n)
{
    const struct nic_config *c = &n->config;
    struct fill *f = &n->fill;

    f->flush = rate_ns_to_cycles(c->flush_ns, c->core_khz);
    f->slot = ALLOC_ARRAY(uint8_t, c->layout.slot_stride);
    f->arrived.entries = ALLOC_ARRAY(uint32_t, c->entries);
    if (c->signal.kind == NIC_SIGNAL_QUEUE) {
        f->packets = ALLOC_ARRAY(uint8_t, (size_t)c->entries * AQL_PACKET_BYTES);
        memcpy(f->packets, c->queue.packet, (size_t)c->entries * AQL_PACKET_BYTES);
    }
}

void fill_free(struct nic *n)
{
    free(n->fill.slot);
    free(n->fill.arrived.entries);
    free(n->fill.packets);
}

static void put(uint8_t *to, uint32_t value, uint32_t bytes)
{
    for (uint32_t i = 0; i < bytes; i++)
        to[i] = (uint8_t)(value >> 8 * i);
}

/* Takes an entry for a new event; false when there is none, or the oldest packet is held. */
static bool open_event(struct nic *n, uint64_t cycle, uint32_t packet)
{
    struct fill *f = &n->fill;
    uint64_t arrival = packets_arrival(n, packet);
    uint64_t release = meter_release(n, packet);

    if (release > cycle) {
        nic_wake(n, release);
        return false;
    }
    if (!entries_open(n, arrival, &f->entry)) {
        f->waits += !f->waiting;
        f->wait_since = f->waiting ? f->wait_since : cycle;
        f->waiting = true;
        return false;
    }
    f->wait_cycles += f->waiting ? cycle - f->wait_since : 0;
    f->waiting = false;
    f->filling = true;
    f->step = STEP_FRAMES;
    f->count = 0;
    f->deadline = (release > arrival ? release : arrival) + f->flush;
    return true;
}

/* The packet as it lies in its slot, from the length on. */
static void build_slot(struct nic *n, uint32_t packet)
{
    const struct nic_layout *l = &n->config.layout;
    const struct nic_packet *p = &n->capture.packets[packet];
    struct fill *f = &n->fill;
    uint32_t lead = l->length_bytes ? l->frame_offset - l->length_offset : 0;

    memset(f->slot, 0, lead);
    put(f->slot, p->length, l->length_bytes);
    memcpy(f->slot + lead, n->capture.bytes + p->offset, p->length);
    f->slot_bytes = lead + p->length;
    f->slot_moved = 0;
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
static bool write_packet(struct nic *n, uint64_t cycle, uint32_t packet)
{
    const struct nic_layout *l = &n->config.layout;
    struct fill *f = &n->fill;
    uint64_t base = entries_buffers(n, f->entry)->input + (uint64_t)f->count * l->slot_stride +
                    (l->length_bytes ? l->length_offset : l->frame_offset);

    if (f->slot_bytes == 0)
        build_slot(n, packet);
    while (f->slot_moved < f->slot_bytes) {
        uint32_t left = f->slot_bytes - f->slot_moved;
        uint32_t bytes = left < NIC_WRITE_BYTES ? left : NIC_WRITE_BYTES;

        if (!write_gpu(n, cycle, base + f->slot_moved, f->slot + f->slot_moved, bytes))
            return false;
        f->slot_moved += bytes;
    }
    f->slot_bytes = 0;
    wire_take(n);
    entries_add(n, f->entry, f->count++, packet);
    return true;
}

/* The entry's packet into the ring; false when the ring or the link has no room. */
static bool write_queue(struct nic *n, uint64_t cycle)
{
    const struct nic_queue *q = &n->config.queue;
    struct fill *f = &n->fill;
    uint64_t slot = f->queue_written & (q->packets - 1);

    if (f->queue_written - f->queue_read == q->packets)
        return false; /* until a read index comes */
    if (!write_gpu(n, cycle, q->ring + slot * AQL_PACKET_BYTES,
                   f->packets + (size_t)f->entry * AQL_PACKET_BYTES, AQL_PACKET_BYTES)) {
        nic_wait_for_link(n, n->config.gpu_link, cycle);
        return false;
    }
    f->queue_written++;
    return true;
}

bool fill_read_index(struct nic *n, uint64_t index)
{
    if (index <= n->fill.queue_read || index > n->fill.queue_written)
        return false;
    n->fill.queue_read = index;
    return true;
}

/* Value and size of the signal. */
static uint32_t build_signal(const struct nic *n, uint32_t entry, uint8_t *data)
{
    uint32_t batches, round;

    switch (n->config.signal.kind) {
    case NIC_SIGNAL_ROUND:
        round =
            (uint32_t)(entries_batch(n, entry) - nic_batches(n, &batches)) / n->config.entries + 1;
        put(data, round, sizeof round);
        return sizeof round;
    case NIC_SIGNAL_QUEUE:
        aql_put(data, n->fill.queue_written - 1, AQL_INDEX_BYTES);
        return AQL_INDEX_BYTES;
    default:
        put(data, entries_batch(n, entry)->count, EVG_DOORBELL_BYTES);
        return EVG_DOORBELL_BYTES;
    }
}

/* Tells the receiver that the entry is full; false when the link has no room. */
static bool write_signal(struct nic *n, uint64_t cycle, uint32_t entry)
{
    const struct nic_signal *s = &n->config.signal;
    uint8_t data[AQL_INDEX_BYTES];
    struct pcie_write write = {.address = s->address + (uint64_t)entry * s->stride,
                               .data = data,
                               .bytes = build_signal(n, entry, data),
                               .from = s->from,
                               .to = s->to,
                               .bar = s->bar};

    if (!pcie_write(s->link, cycle, &write)) {
        nic_wait_for_link(n, s->link, cycle);
        return false;
    }
    entries_signalled(n, entry, cycle);
    return true;
}

static bool write_count(struct nic *n, uint64_t cycle)
{
    uint64_t address = entries_buffers(n, n->fill.entry)->count;
    uint8_t count[4];

    put(count, n->fill.count, sizeof count);
    if (!address || write_gpu(n, cycle, address, count, sizeof count))
        return true;
    nic_wait_for_link(n, n->config.gpu_link, cycle);
    return false;
}

/* Count, then signal, in posted order behind the data when it takes the same link; otherwise the
 * signal waits until the data have arrived. False when a link has no room. */
static bool launch_event(struct nic *n, uint64_t cycle)
{
    struct fill *f = &n->fill;

    if (f->step == STEP_FRAMES) {
        f->step = STEP_COUNT;
        entries_filled(n, f->entry, cycle);
    }
    if (f->step == STEP_COUNT) {
        if (!write_count(n, cycle))
            return false;
        f->step = n->config.signal.kind == NIC_SIGNAL_QUEUE ? STEP_PACKET : STEP_SIGNAL;
    }
    if (f->step == STEP_PACKET) {
        if (!write_queue(n, cycle))
            return false;
        f->step = STEP_SIGNAL;
    }
    entries_counted(n, f->entry, f->count);
    if (n->config.signal.link != n->config.gpu_link)
        reads_push(n, cycle, f->entry);
    else if (!write_signal(n, cycle, f->entry))
        return false;
    f->filling = false;
    return true;
}

void fill_arrived(struct nic *n, uint32_t entry)
{
    struct entry_ring *a = &n->fill.arrived;

    a->entries[(a->head + a->count++) % n->config.entries] = entry;
}

static void signal_arrived(struct nic *n, uint64_t cycle)
{
    struct entry_ring *a = &n->fill.arrived;

    while (a->count && write_signal(n, cycle, a->entries[a->head])) {
        a->head = a->head + 1 == n->config.entries ? 0 : a->head + 1;
        a->count--;
    }
}

/* The oldest packet, if it may go on. */
static bool next_is_here(struct nic *n, uint64_t cycle, uint32_t *packet)
{
    if (!wire_oldest(n, packet))
        return false;
    uint64_t release = meter_release(n, *packet);

    if (release > cycle)
        nic_wake(n, release);
    return release <= cycle;
}

void fill_run(struct nic *n, uint64_t cycle)
{
    struct fill *f = &n->fill;
    uint32_t packet;

    signal_arrived(n, cycle);
    for (;;) {
        if (!f->filling && (!wire_oldest(n, &packet) || !open_event(n, cycle, packet)))
            return;
        while (f->step == STEP_FRAMES && next_is_here(n, cycle, &packet) &&
               f->count < n->config.layout.batch) {
            if (!write_packet(n, cycle, packet)) {
                nic_wait_for_link(n, n->config.gpu_link, cycle);
                return;
            }
        }
        if (f->step == STEP_FRAMES && f->count < n->config.layout.batch && cycle < f->deadline) {
            nic_wake(n, f->deadline);
            return;
        }
        if (!launch_event(n, cycle))
            return;
    }
}

bool fill_open(const struct nic *n)
{
    return n->fill.filling;
}

void fill_close(struct nic *n)
{
    n->fill.filling = n->fill.waiting = false;
    n->fill.arrived.count = 0;
}

void fill_stats(const struct nic *n, struct nic_stats *stats)
{
    stats->entry_waits = n->fill.waits;
    stats->entry_wait_cycles = n->fill.wait_cycles;
}
