/* From the receive buffer into the event at the head of the queue, up to its launch signal. Owner:
 * fill.c. */
#ifndef EVGPU_HOST_NIC_FILL_H
#define EVGPU_HOST_NIC_FILL_H

#include "sim/host/nic.h"

/* In this order; a signal before its data begins with STEP_DECIDE, and ends with STEP_REST. */
enum launch_step {
    STEP_DECIDE,
    STEP_FRAMES,
    STEP_COUNT,
    STEP_PACKET,
    STEP_SIGNAL,
    STEP_ALSO,
    STEP_REST
};

/* Entries in the order in which they came; room for all. */
struct entry_ring {
    uint32_t *entries;
    uint32_t head, count;
};

struct fill {
    uint64_t flush;        /* cycles after which an incomplete batch is launched */
    bool filling, waiting; /* an entry is open; a packet waits for one */
    enum launch_step step;
    uint32_t entry, count;           /* the open one, and its packets so far */
    uint32_t promised;               /* with a signal before the data: packets that it says */
    uint32_t filled;                 /* ... and slots that have been filled, in STEP_REST */
    uint8_t *slot;                   /* the packet being written, as it lies in its slot */
    uint32_t slot_bytes, slot_moved; /* 0: none begun */
    uint64_t deadline, wait_since;
    uint8_t *packets; /* NIC_SIGNAL_QUEUE: [entries][AQL_PACKET_BYTES] */
    uint64_t queue_written, queue_read;
    struct entry_ring arrived; /* entries whose data have arrived, to be signalled */
    uint64_t waits, wait_cycles;
};

void fill_init(struct nic *n);
void fill_free(struct nic *n);
void fill_run(struct nic *n, uint64_t cycle);

/* The read index of the user-level queue; false: it cannot be one. */
bool fill_read_index(struct nic *n, uint64_t index);

/* The data of an entry that waits for its signal have arrived. */
void fill_arrived(struct nic *n, uint32_t entry);

bool fill_open(const struct nic *n); /* an entry is being filled */
void fill_close(struct nic *n);
void fill_stats(const struct nic *n, struct nic_stats *stats);

#endif
