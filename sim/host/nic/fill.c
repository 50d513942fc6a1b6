#include "sim/host/nic/fill.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "sim/host/nic/internal.h"

#define EMPTY_BYTES 64u /* of an empty slot that are filled: what kernels read before they know */

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
    f->step = n->config.when == NIC_SIGNAL_BEHIND ? STEP_FRAMES : STEP_DECIDE;
    f->count = 0;
    f->deadline = (release > arrival ? release : arrival) + f->flush;
    return true;
}

/* The packet as it lies in its slot, from the length on. */
static void build_slot(struct nic *n, uint32_t packet)
{
    const struct nic_layout *l = &n->config.layout;
    const struct captured_packet *p = &n->capture.packets[packet];
    struct fill *f = &n->fill;
    uint32_t lead = l->length_bytes ? l->frame_offset - l->length_offset : 0;

    memset(f->slot, 0, lead);
    put(f->slot, p->length, l->length_bytes);
    memcpy(f->slot + lead, n->capture.bytes + p->offset, p->length);
    f->slot_bytes = lead + p->length;
    f->slot_moved = 0;
}

/* A packet of length 0, with the words that a kernel loads to find this out. */
static void build_empty_slot(struct nic *n)
{
    struct fill *f = &n->fill;
    uint32_t room = n->config.layout.slot_stride - n->config.layout.length_offset;

    f->slot_bytes = room < EMPTY_BYTES ? room : EMPTY_BYTES;
    f->slot_moved = 0;
    memset(f->slot, 0, f->slot_bytes);
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

/* Writes what has been built into the entry's slot; false when the link has no room for the rest.
 */
static bool write_slot(struct nic *n, uint64_t cycle, uint32_t slot)
{
    const struct nic_layout *l = &n->config.layout;
    struct fill *f = &n->fill;
    uint64_t base = entries_buffers(n, f->entry)->input + (uint64_t)slot * l->slot_stride +
                    (l->length_bytes ? l->length_offset : l->frame_offset);

    while (f->slot_moved < f->slot_bytes) {
        uint32_t left = f->slot_bytes - f->slot_moved;
        uint32_t bytes = left < NIC_WRITE_BYTES ? left : NIC_WRITE_BYTES;

        if (!write_gpu(n, cycle, base + f->slot_moved, f->slot + f->slot_moved, bytes))
            return false;
        f->slot_moved += bytes;
    }
    f->slot_bytes = 0;
    return true;
}

/* Writes the oldest packet into its slot; false when the link has no room for the rest of it. */
static bool write_packet(struct nic *n, uint64_t cycle, uint32_t packet)
{
    struct fill *f = &n->fill;

    if (f->slot_bytes == 0)
        build_slot(n, packet);
    if (!write_slot(n, cycle, f->count)) {
        nic_wait_for_link(n, n->config.gpu_link, cycle);
        return false;
    }
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

/* Writes a signal for the entry; false when the link has no room. */
static bool write_to(struct nic *n, uint64_t cycle, const struct nic_signal *s, uint32_t entry)
{
    uint8_t data[AQL_INDEX_BYTES];
    struct pcie_write write = {.address = s->address + (uint64_t)entry * s->stride,
                               .data = data,
                               .bytes = build_signal(n, entry, data),
                               .from = s->from,
                               .to = s->to,
                               .bar = s->bar};

    if (pcie_write(s->link, cycle, &write))
        return true;
    nic_wait_for_link(n, s->link, cycle);
    return false;
}

/* Tells the receiver that the entry is full; false when the link has no room. */
static bool write_signal(struct nic *n, uint64_t cycle, uint32_t entry)
{
    if (!write_to(n, cycle, &n->config.signal, entry))
        return false;
    entries_signalled(n, entry, cycle);
    return true;
}

static bool write_count(struct nic *n, uint64_t cycle, uint32_t packets)
{
    uint64_t address = entries_buffers(n, n->fill.entry)->count;
    uint8_t count[4];

    put(count, packets, sizeof count);
    if (!address || write_gpu(n, cycle, address, count, sizeof count))
        return true;
    nic_wait_for_link(n, n->config.gpu_link, cycle);
    return false;
}

/* To the link of the data; false when it has no room. */
static bool write_signals(struct nic *n, uint64_t cycle)
{
    struct fill *f = &n->fill;

    if (f->step == STEP_SIGNAL) {
        if (!write_signal(n, cycle, f->entry))
            return false;
        f->step = STEP_ALSO;
    }
    return !n->config.also.link || write_to(n, cycle, &n->config.also, f->entry);
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
        if (!write_count(n, cycle, f->count))
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
    else if (!write_signals(n, cycle))
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

/* Packets that are here go into the entry; false when the link has no room. */
static bool write_frames(struct nic *n, uint64_t cycle, uint32_t most)
{
    uint32_t packet;

    while (n->fill.count < most && next_is_here(n, cycle, &packet)) {
        if (!write_packet(n, cycle, packet))
            return false;
    }
    return true;
}

/* Not all packets of the batch are here, and there is time for them. */
static bool wait_for_more(struct nic *n, uint64_t cycle, uint32_t here)
{
    if (here >= n->config.layout.batch || cycle >= n->fill.deadline)
        return false;
    nic_wake(n, n->fill.deadline);
    return true;
}

/* The number of packets that the signal says; false: it is not known yet, and what is here goes
 * into the entry meanwhile. */
static bool decide(struct nic *n, uint64_t cycle)
{
    struct fill *f = &n->fill;
    uint32_t batch = n->config.layout.batch, here = f->count + wire_waiting(n);

    f->promised = here < batch ? here : batch;
    if (n->config.when == NIC_SIGNAL_FIRST)
        f->promised = batch;
    else if (wait_for_more(n, cycle, here)) {
        (void)write_frames(n, cycle, batch);
        return false;
    }
    f->step = STEP_COUNT;
    return true;
}

/* Count and signal, then the packets, then empty ones for those that have not come. False when
 * something is to be waited for. */
static bool launch_early(struct nic *n, uint64_t cycle)
{
    struct fill *f = &n->fill;

    if (f->step == STEP_DECIDE && !decide(n, cycle))
        return false;
    if (f->step == STEP_COUNT) {
        if (!write_count(n, cycle, f->promised))
            return false;
        entries_counted(n, f->entry, f->promised);
        entries_follow(n, f->entry);
        f->step = STEP_SIGNAL;
    }
    if (f->step == STEP_SIGNAL) {
        if (!write_signal(n, cycle, f->entry))
            return false;
        f->step = STEP_FRAMES;
    }
    if (f->step == STEP_FRAMES) {
        if (!write_frames(n, cycle, f->promised) ||
            (f->count < f->promised && wait_for_more(n, cycle, f->count)))
            return false;
        f->step = STEP_REST;
        f->filled = f->count;
    }
    for (; f->filled < f->promised; f->filled++) {
        if (f->slot_bytes == 0)
            build_empty_slot(n);
        if (!write_slot(n, cycle, f->filled)) {
            nic_wait_for_link(n, n->config.gpu_link, cycle);
            return false;
        }
    }
    entries_followed(n, f->entry, f->count, cycle);
    f->filling = false;
    return true;
}

/* The packets, then count and signal. */
static bool launch_behind(struct nic *n, uint64_t cycle)
{
    struct fill *f = &n->fill;

    if (f->step == STEP_FRAMES &&
        (!write_frames(n, cycle, n->config.layout.batch) || wait_for_more(n, cycle, f->count)))
        return false;
    return launch_event(n, cycle);
}

void fill_run(struct nic *n, uint64_t cycle)
{
    struct fill *f = &n->fill;
    uint32_t packet;

    signal_arrived(n, cycle);
    do {
        if (!f->filling && (!wire_oldest(n, &packet) || !open_event(n, cycle, packet)))
            return;
    } while (n->config.when == NIC_SIGNAL_BEHIND ? launch_behind(n, cycle)
                                                 : launch_early(n, cycle));
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
