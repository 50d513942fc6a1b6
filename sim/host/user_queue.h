/* A user-level queue as its producer on the CPU has it (HSA, EDGE II-B): the ring of packets in
 * host memory or in the GPU's, completion signals and the read index in host memory, and the
 * doorbell, a posted write over PCIe. No driver takes part.
 *
 * A ring in host memory costs the producer nothing but its stores, and the GPU reads packets over
 * PCIe; one in the GPU's memory is written over PCIe in front of the doorbell.
 *
 * The producer knows as many free packets as the read index in host memory says. Time is in core
 * cycles; nothing here has to be ticked. */
#ifndef EVGPU_HOST_USER_QUEUE_H
#define EVGPU_HOST_USER_QUEUE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "sim/gpu/queue/aql.h"
#include "sim/host/pcie.h"

struct user_queue;

/* Offsets in the window of host memory that the GPU sees. */
#define USER_QUEUE_RING       0x0u
#define USER_QUEUE_SIGNALS    0x400000u /* AQL_SIGNAL_BYTES each */
#define USER_QUEUE_READ_INDEX 0x800000u

struct user_queue_config {
    uint32_t packets; /* power of two, up to 65536 */
    uint32_t signals; /* up to 65536 */
    struct pcie *link;
    uint8_t host, gpu;    /* endpoints on it */
    uint64_t window;      /* bus address of the window */
    uint64_t device_ring; /* device address of the ring, or 0: it is in host memory */
    uint64_t doorbell;    /* offset in PCIE_BAR_QUEUE */
    /* A signal has become 0. */
    void (*signalled)(void *user, uint64_t cycle, uint32_t signal);
    void *user;
};

struct user_queue_stats {
    uint64_t packets;
    uint64_t full;       /* times that a packet found no room in the ring */
    uint64_t refused;    /* packets that the GPU could not launch */
    uint64_t bad_writes; /* of the GPU, that were no signal and no read index */
};

struct user_queue *user_queue_create(const struct user_queue_config *config, struct error *err);
void user_queue_destroy(struct user_queue *q);

/* The window's endpoint on the link; like driver_endpoint. */
void user_queue_endpoint(struct pcie_endpoint *endpoint, struct user_queue **queue);

/* Writes a packet and rings. False: the ring or the link has no room; the same packet, at the same
 * place, is to be offered again. */
bool user_queue_push(struct user_queue *q, uint64_t cycle, const uint8_t *packet);

void user_queue_get_stats(const struct user_queue *q, struct user_queue_stats *stats);

#endif
