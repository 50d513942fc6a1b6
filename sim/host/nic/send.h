/* From an event that is done to the wire: results, frames, departure. Owner: send.c. */
#ifndef EVGPU_HOST_NIC_SEND_H
#define EVGPU_HOST_NIC_SEND_H

#include "sim/host/nic.h"
#include "sim/host/rate.h"

struct send {
    struct rate wire;
    uint64_t end;     /* cycle in which the last frame has left */
    uint32_t oldest;  /* next entry to be sent */
    uint8_t *output;  /* the capture's byte buffer, with `growth` more bytes for each packet */
    uint8_t *results; /* [config.entries][layout.batch][layout.result_stride] */
};

void send_init(struct nic *n);
void send_free(struct nic *n);
void send_run(struct nic *n, uint64_t cycle);

/* Asks for the entry's result records: its event is done, or they are taken by words. */
void send_read_results(struct nic *n, uint32_t entry);
uint8_t *send_results(const struct nic *n, uint32_t entry); /* where they come to lie */

/* The entry's result records are here: decides for every packet, and reads the frames that go on.
 */
void send_results_read(struct nic *n, uint32_t entry);

/* The frame that is sent for a packet lies there. */
uint8_t *send_place(const struct nic *n, uint32_t packet);

/* Sends the packet, whose frame is in its place, or drops it, as it has been decided. */
void send_packet(struct nic *n, uint64_t cycle, uint32_t packet);

uint64_t send_end(const struct nic *n);

#endif
