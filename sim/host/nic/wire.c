#include "sim/host/nic/wire.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "sim/host/nic/internal.h"

void wire_init(struct nic *n)
{
    const struct nic_config *c = &n->config;
    struct wire *w = &n->wire;

    uint32_t most = nic_most_packets(n);
    bool by_stamps = c->pace == NIC_PACE_TIMESTAMPS || c->pace == NIC_PACE_START;

    w->rate = rate_make(c->core_khz, c->wire_bps);
    w->pace = rate_make(c->core_khz, by_stamps ? 1 : c->rate);
    w->open = n->capture.packet_room || c->open_ns;
    w->closes = CYCLE_NEVER;
    w->fifo_size = most < c->rx_buffer_bytes ? most : c->rx_buffer_bytes;
    w->fifo = ALLOC_ARRAY(uint32_t, w->fifo_size);
}

void wire_free(struct nic *n)
{
    free(n->wire.fifo);
}

/* By its time stamp. */
static uint64_t stamped(const struct nic *n, uint32_t packet)
{
    const struct captured_packet *packets = n->capture.packets;
    uint64_t first = n->config.pace == NIC_PACE_START ? 0 : packets[0].timestamp_ns;
    uint64_t at = packets[packet].timestamp_ns;

    return n->wire.start + (at > first ? rate_ns_to_cycles(at - first, n->config.core_khz) : 0);
}

void nic_start(struct nic *n, uint64_t cycle)
{
    struct wire *w = &n->wire;

    w->started = true;
    w->start = cycle;
    w->due = cycle;
    if (n->config.pace == NIC_PACE_START && n->capture.count)
        w->due = stamped(n, 0);
    if (n->config.open_ns)
        w->closes = cycle + rate_ns_to_cycles(n->config.open_ns, n->config.core_khz);
    nic_wake(n, cycle);
}

uint64_t nic_wire_start(const struct nic *n)
{
    return n->wire.started ? n->wire.start : CYCLE_NEVER;
}

void wire_known(struct nic *n, uint32_t packet)
{
    struct wire *w = &n->wire;

    if (packet == w->next + w->busy) { /* nothing was left to be scheduled */
        w->due = stamped(n, packet);
        nic_wake(n, w->due);
    }
}

void nic_close_wire(struct nic *n, uint64_t open_ns)
{
    n->wire.closes = n->wire.start + rate_ns_to_cycles(open_ns, n->config.core_khz);
    nic_wake(n, n->wire.closes);
}

bool wire_started(const struct nic *n)
{
    return n->wire.started;
}

/* When the packet after `next` may begin, as far as its pace goes. */
static void schedule_next(struct nic *n)
{
    const struct captured_packet *packets = n->capture.packets;
    struct wire *w = &n->wire;
    uint32_t next = w->next + 1;

    if (next == n->capture.count)
        return;
    if (n->config.pace == NIC_PACE_TIMESTAMPS || n->config.pace == NIC_PACE_START) {
        w->due = stamped(n, next);
    } else {
        w->due = w->start + rate_take(&w->pace, 0,
                                      n->config.pace == NIC_PACE_BITS
                                          ? nic_wire_bits(n, packets[w->next].length)
                                          : 1);
    }
}

static bool has_room(const struct nic *n, uint32_t packet)
{
    return n->capture.packets[packet].length <= n->config.rx_buffer_bytes - n->wire.buffered;
}

/* The packet on the wire is complete. */
static void arrive(struct nic *n)
{
    struct wire *w = &n->wire;
    uint32_t packet = w->next++;

    w->busy = false;
    packets_arrived(n, packet, w->arrival);
    bool within = meter_arrival(n, packet, w->arrival);
    if (n->config.drop) {
        if (!within || !has_room(n, packet)) {
            packets_lost(n, packet);
            return;
        }
        w->buffered += n->capture.packets[packet].length;
    }
    w->fifo[(w->fifo_head + w->fifo_count++) % w->fifo_size] = packet;
}

/* Lossless: room for the next packet is reserved before it begins. False: the wire is held. */
static bool reserve_room(struct nic *n, uint64_t cycle, uint64_t *begin)
{
    struct wire *w = &n->wire;

    if (!has_room(n, w->next)) {
        w->pauses += !w->paused;
        w->pause_since = w->paused ? w->pause_since : cycle;
        w->paused = true;
        return false;
    }
    w->buffered += n->capture.packets[w->next].length;
    if (w->paused) {
        w->pause_cycles += cycle - w->pause_since;
        w->paused = false;
        *begin = cycle;
    }
    return true;
}

void wire_run(struct nic *n, uint64_t cycle)
{
    struct wire *w = &n->wire;

    w->open &= cycle < w->closes;
    for (;;) {
        /* Not `cycle`, the first whole one after the packet before: the wire works without gaps. */
        uint64_t begin = w->due;

        if (w->busy) {
            if (w->arrival > cycle)
                break;
            arrive(n);
        }
        if (!w->started || w->next == n->capture.count || w->due > cycle ||
            !rate_free(&w->rate, cycle))
            break;
        if (!n->config.drop && !reserve_room(n, cycle, &begin))
            break;
        w->arrival =
            rate_take(&w->rate, begin, nic_wire_bits(n, n->capture.packets[w->next].length));
        w->busy = true;
        schedule_next(n);
    }
}

void wire_resume(struct nic *n, uint64_t cycle)
{
    struct wire *w = &n->wire;

    if (w->paused)
        wire_run(n, cycle);
    if (w->open)
        nic_wake(n, w->closes);
    if (w->busy) {
        nic_wake(n, w->arrival);
    } else if (w->started && !w->paused && w->next < n->capture.count) {
        uint64_t begin = w->due > w->rate.cycle ? w->due : w->rate.cycle;

        nic_wake(n, begin > cycle ? begin : cycle + 1);
    }
}

bool wire_oldest(const struct nic *n, uint32_t *packet)
{
    const struct wire *w = &n->wire;

    if (w->fifo_count)
        *packet = w->fifo[w->fifo_head];
    return w->fifo_count;
}

uint32_t wire_waiting(const struct nic *n)
{
    return n->wire.fifo_count;
}

void wire_take(struct nic *n)
{
    struct wire *w = &n->wire;

    w->buffered -= n->capture.packets[w->fifo[w->fifo_head]].length;
    w->fifo_head = w->fifo_head + 1 == w->fifo_size ? 0 : w->fifo_head + 1;
    w->fifo_count--;
}

void wire_close(struct nic *n, uint64_t cycle)
{
    struct wire *w = &n->wire;

    w->pause_cycles += w->paused ? cycle - w->pause_since : 0;
    w->next = n->capture.count;
    w->busy = w->paused = w->open = false;
    w->fifo_count = 0;
}

double nic_share(const struct nic *n)
{
    return n->capture.count ? (double)n->wire.next / (double)n->capture.count : 1;
}

bool wire_ended(const struct nic *n)
{
    return n->wire.next == n->capture.count && !n->wire.open;
}

void wire_stats(const struct nic *n, struct nic_stats *stats)
{
    stats->pauses = n->wire.pauses;
    stats->pause_cycles = n->wire.pause_cycles;
}
