/* The fate of each packet of the capture, and the counters that come with it. Owner: packets.c. */
#ifndef EVGPU_HOST_NIC_PACKETS_H
#define EVGPU_HOST_NIC_PACKETS_H

#include "sim/host/nic.h"

struct nic;

struct packets {
    struct nic_record *record; /* [capture.count] */
    struct nic_stats stats;    /* what is counted by packet */
    struct histogram latency;  /* of forwarded packets, arrival to departure */
};

void packets_init(struct nic *n);
void packets_free(struct nic *n);

/* The last byte has come off the wire at `cycle`. */
void packets_arrived(struct nic *n, uint32_t packet, uint64_t cycle);
void packets_over_rate(struct nic *n, uint32_t packet);
void packets_lost(struct nic *n, uint32_t packet);
uint64_t packets_arrival(const struct nic *n, uint32_t packet);

/* It is part of this batch. */
void packets_batched(struct nic *n, uint32_t packet, uint32_t batch);

/* The event's result record for it: verdict, next hop, and the length to be sent, which is
 * returned; 0: the packet is not sent. */
uint32_t packets_decided(struct nic *n, uint32_t packet, const uint8_t *result);
uint32_t packets_sent_length(const struct nic *n, uint32_t packet);

/* One of these ends it. */
void packets_forwarded(struct nic *n, uint32_t packet, uint64_t cycle);
void packets_dropped(struct nic *n, uint32_t packet, uint64_t cycle);
void packets_aborted(struct nic *n, uint32_t packet, uint64_t cycle);
void packets_fail_rest(struct nic *n); /* those without a fate */

#endif
