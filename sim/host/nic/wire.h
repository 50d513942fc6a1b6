/* The receive side of the wire and the receive buffer: packets in the order of arrival. Owner:
 * wire.c. */
#ifndef EVGPU_HOST_NIC_WIRE_H
#define EVGPU_HOST_NIC_WIRE_H

#include "sim/host/nic.h"
#include "sim/host/rate.h"

struct wire {
    struct rate rate, pace;
    bool started, busy, paused;
    bool open;           /* it has not ended, even if no packet is left */
    uint64_t closes;     /* in this cycle; CYCLE_NEVER: not known yet */
    uint64_t start, due; /* cycle of the start; when the next packet may begin */
    uint64_t arrival;    /* of the packet on the wire */
    uint64_t pause_since;
    uint32_t next; /* packet on the wire, or the next one */
    uint64_t pauses, pause_cycles;

    uint32_t *fifo; /* the receive buffer */
    uint32_t fifo_size, fifo_head, fifo_count;
    uint32_t buffered; /* bytes, with those of a packet on the wire that has its room reserved */
};

void wire_init(struct nic *n);
void wire_free(struct nic *n);
bool wire_started(const struct nic *n);

/* A live wire: the packet lies in the capture. */
void wire_known(struct nic *n, uint32_t packet);

/* Brings the wire to `cycle`. */
void wire_run(struct nic *n, uint64_t cycle);

/* After the buffer has lost packets: a held wire goes on. Wakes the NIC for the next packet. */
void wire_resume(struct nic *n, uint64_t cycle);

/* The oldest packet of the buffer; false: there is none. */
bool wire_oldest(const struct nic *n, uint32_t *packet);
uint32_t wire_waiting(const struct nic *n); /* how many are in the buffer */
void wire_take(struct nic *n);              /* the oldest leaves the buffer */

void wire_close(struct nic *n, uint64_t cycle);
bool wire_ended(const struct nic *n); /* every packet has come in, and no more can */
void wire_stats(const struct nic *n, struct nic_stats *stats);

#endif
