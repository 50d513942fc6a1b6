/* State shared by the parts of the NIC: set-up and clock (nic.c), receive and launch
 * (nic_receive.c), completion and send (nic_send.c). */
#ifndef EVGPU_HOST_NIC_INTERNAL_H
#define EVGPU_HOST_NIC_INTERNAL_H

#include "sim/gpu/queue/aql.h"
#include "sim/host/nic.h"
#include "sim/host/rate.h"
#include "sw/edge/edge_device.h"

#define NIC_MAX_READS   256u    /* the most tags a link can have */
#define NIC_MAX_SLOT    131072u /* bytes; a frame of 65,535 and what stands before it */
#define NIC_WRITE_BYTES 4096u   /* the most that one pcie_write takes */

/* Life of a queue entry, as far as the NIC's own work goes. */
enum entry_state {
    ENTRY_FREE,
    ENTRY_FILLING,
    ENTRY_PUSHED,   /* signal on another link: until a read says that the data have arrived */
    ENTRY_LAUNCHED, /* signalled; its done flag may come */
    ENTRY_RESULTS,  /* result records being read */
    ENTRY_FRAMES,   /* forwarded frames being read */
    ENTRY_READ,     /* waits for its turn to be sent */
    ENTRY_EMPTYING  /* until nic_emptied */
};

struct entry {
    enum entry_state state;
    uint32_t batch;   /* index of the nic_batch */
    uint32_t pending; /* bytes still to be read in this state */
};

/* Something to be read from device memory, in pieces. */
struct job {
    uint8_t *into;
    uint64_t address;
    uint32_t bytes;
    uint32_t entry;
};

struct read_entry {
    uint8_t *into;
    uint32_t entry;
};

enum launch_step { STEP_FRAMES, STEP_COUNT, STEP_PACKET, STEP_SIGNAL };

/* Entries in the order in which they came; room for all. */
struct entry_ring {
    uint32_t *entries;
    uint32_t head, count;
};

struct nic {
    struct nic_config config;
    struct nic_capture capture;
    struct nic_entry *buffers;
    struct nic_record *records;
    struct nic_batch *batches;
    uint32_t n_batches, batches_capacity;
    uint64_t flush;
    uint64_t now, next; /* cycle of the last tick; of the next event */

    /* wire, receive side */
    struct rate rx_wire, pace;
    bool started, on_wire, paused, closed;
    uint64_t start, due; /* cycle of the start; when the next packet may begin */
    uint64_t wire_end;   /* arrival of the packet on the wire */
    uint64_t pause_since;
    uint32_t next_packet; /* the one on the wire, or the next */

    /* the declared rate (nic_meter.c) */
    struct {
        int64_t level;     /* of the bucket at `cycle` */
        uint64_t cycle;    /* of the last arrival */
        uint64_t *release; /* [capture.count]: may go on from this cycle; NULL: no rate */
    } meter;

    /* receive buffer: packets in the order of arrival */
    uint32_t *fifo;
    uint32_t fifo_size, fifo_head, fifo_count;
    uint32_t buffered; /* bytes, with those of a packet on the wire that has its room reserved */

    /* the event being filled */
    bool filling, waiting;
    enum launch_step step;
    uint32_t fill_entry, fill_count;
    uint32_t slot_bytes, slot_moved; /* of the packet being written; 0: none begun */
    uint64_t deadline, wait_since;
    uint8_t *slot;

    /* queue entries */
    struct edge_device ring;
    uint32_t *flags;
    struct entry *entry;
    uint8_t *packets; /* NIC_SIGNAL_QUEUE: [entries][AQL_PACKET_BYTES] */
    uint64_t queue_written, queue_read;
    struct entry_ring arrived; /* entries whose data have arrived, to be signalled */
    uint32_t push_word;        /* where the reads that say so leave their data */
    uint32_t *entry_packets;   /* [entries][batch] packet numbers */
    uint8_t *results;          /* [entries][batch][result_stride] */
    uint32_t oldest;           /* next entry to be freed */
    uint32_t in_flight;        /* entries not free */

    /* reads */
    struct job *jobs;
    uint32_t jobs_size, jobs_head, jobs_count;
    struct read_entry reads[NIC_MAX_READS];
    uint32_t free_reads[NIC_MAX_READS];
    uint32_t n_free_reads;

    /* wire, send side */
    struct rate tx_wire;
    uint64_t tx_end;
    uint8_t *output; /* the capture's byte buffer, with `growth` more bytes for each packet */

    struct nic_stats stats;
    struct histogram latency;
};

static inline void nic_wake(struct nic *n, uint64_t cycle)
{
    if (cycle < n->next)
        n->next = cycle;
}

/* To be tried again when the link has moved something. */
static inline void nic_wait_for_link(struct nic *n, const struct pcie *link, uint64_t cycle)
{
    uint64_t event = pcie_next_event(link);

    nic_wake(n, event > cycle ? event : cycle + 1);
}

static inline uint64_t nic_wire_bits(const struct nic *n, uint32_t length)
{
    return ((uint64_t)length + n->config.wire_overhead) * 8;
}

/* Where the frame lies that is sent for a packet. */
static inline uint8_t *nic_output_place(const struct nic *n, uint32_t packet)
{
    return n->output + n->capture.packets[packet].offset + (size_t)packet * n->config.layout.growth;
}

/* nic_meter.c */
void nic_meter_init(struct nic *n);
bool nic_meter_arrival(struct nic *n, uint32_t packet, uint64_t cycle);
uint64_t nic_meter_release(const struct nic *n, uint32_t packet);

/* nic_receive.c */
void nic_receive(struct nic *n, uint64_t cycle);

/* nic_send.c */
void nic_send(struct nic *n, uint64_t cycle);

/* nic_send.c: reads the last word written for the entry; behind it in posted order, so that the
 * answer means that all has arrived. */
void nic_push(struct nic *n, uint64_t cycle, uint32_t entry);
bool nic_deliver_write(void *user, uint64_t cycle, const struct pcie_write *write);
void nic_deliver_completion(void *user, uint64_t cycle, const struct pcie_completion *completion);

#endif
