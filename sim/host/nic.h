/* The network card: replays a packet capture into event kernels, and sends on what they forward.
 *
 * Receive: packets come off the wire at their time stamps or at a given rate, never faster than the
 * wire, into a finite receive buffer; from there each is written over PCIe into its slot of the
 * input buffer of the queue entry at the head (EDGE Figure 8, sw/edge/edge_device.h). A batch is
 * launched when it is full or when its first packet has waited `flush_ns`: the count argument, then
 * the signal, which never arrives before them: the doorbell of the GPU, behind the data in posted
 * order, or a word in the memory of the polling CPU; that takes another link, so that it is sent
 * only when a read behind the data has been answered; or a word of device memory that the GPU's
 * front end waits for; or (XTQ, EDGE Figure 3d) the entry's packet from the NIC's table of kernels,
 * written into a user-level queue of the GPU, and the queue's doorbell. When the entry at the head
 * is not free the NIC waits; when the receive buffer is full it holds the wire (PAUSE), or drops if
 * so configured.
 *
 * Send: the GPU (or the CPU) writes EDGE_DONE, or EDGE_ABORTED, after which nothing of the entry is
 * read or sent, into the completion queue in the NIC's memory. In
 * tail order the NIC reads the entry's results, then the frames of forwarded packets, sends them on
 * the wire, and frees the entry. Reads of several entries overlap.
 *
 * Early return (NIC_RETURN_WORDS): results and frames lie in memory with full/empty bits, and the
 * NIC takes their words, that is, its reads wait for full words and empty them. It asks for the
 * results behind the signal, for the frames when it has the results, and for the next entry's
 * results behind these frames: requests of devices that wait for words are in a strictly ordered
 * queue (full/empty paper, 4.3). A packet leaves when its words are there and those before it have
 * left. Completions are only counted.
 *
 * Time is in core cycles. Call nic_tick in every cycle for which nic_next_event(n) <= cycle, after
 * the links have been ticked in that cycle. */
#ifndef EVGPU_HOST_NIC_H
#define EVGPU_HOST_NIC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/captured_packet.h"
#include "base/error.h"
#include "base/histogram.h"
#include "sim/host/pcie.h"

struct nic;

/* Belongs to the caller and stays unchanged while the NIC lives. On a live wire packets come while
 * it lives (nic_arrives): the caller's arrays have room for them from the beginning, and stay where
 * they are. */
struct nic_capture {
    const struct captured_packet *packets;
    uint32_t count;
    const uint8_t *bytes;
    size_t size; /* of the byte buffer */
    uint32_t
        packet_room;  /* a live wire: packets that there will ever be; 0: the capture is whole */
    size_t byte_room; /* ... and their bytes */
};

enum nic_pace {
    NIC_PACE_TIMESTAMPS, /* relative to the first packet; going back in time counts as "at once" */
    NIC_PACE_START,      /* time stamps count from the start of the wire; likewise */
    NIC_PACE_PACKETS,    /* `rate` packets per second */
    NIC_PACE_BITS        /* `rate` bits per second, each frame with wire_overhead */
};

#define NIC_MAX_BATCH 32768u

/* How a kernel's buffers look; the same for all entries. Numbers are little endian. */
struct nic_layout {
    uint32_t batch;                       /* packets per event, 1..NIC_MAX_BATCH */
    uint32_t slot_stride;                 /* bytes from one packet to the next, input and output */
    uint32_t length_offset, length_bytes; /* of the frame length in the slot; 0, 2 or 4 bytes */
    uint32_t frame_offset;  /* of the frame in its slot, at or after the end of the length */
    uint32_t result_stride; /* bytes of one result record; at most 64 */
    uint32_t verdict_offset, verdict_bytes; /* in the record; 1, 2 or 4 bytes */
    uint32_t forward;                 /* set of verdicts that forward, bit v; every other drops */
    uint32_t hop_offset, hop_bytes;   /* next hop in the record; 0, 1, 2 or 4 bytes */
    uint32_t sent_offset, sent_bytes; /* length of the frame to be sent, in the record; 0, 2 or 4
                                         bytes. 0: the length that it came in with */
    uint32_t growth;       /* bytes that a sent frame may be longer by; it must fit into its slot */
    uint32_t output_bytes; /* NIC_RETURN_WORDS, a multiple of 4: of a sent slot, from its start,
                            * those that the kernel stores into the output; the others are taken
                            * from the input, as they came. 0: all are in the output */
};

/* Device addresses of one queue entry's buffers. `output` may equal `input`. */
struct nic_entry {
    uint64_t input;
    uint64_t output;
    uint64_t results; /* result records */
    uint64_t count;   /* address of the uint32_t packet count argument; 0: the signal says it */
};

/* The kind of launch signal. */
enum nic_signal_kind {
    NIC_SIGNAL_COUNT, /* EVG_DOORBELL_BYTES: the number of packets */
    NIC_SIGNAL_ROUND, /* 4 bytes: how many times the entry has been filled, from 1 on */
    NIC_SIGNAL_QUEUE  /* AQL_INDEX_BYTES: the index of the packet that has been written */
};

/* When the signal goes, over the link of the data. Not behind them: only into memory with
 * full/empty bits, where the event waits for what is not there yet. */
enum nic_signal_time {
    NIC_SIGNAL_BEHIND,  /* behind the data: EDGE, Figure 8 */
    NIC_SIGNAL_DECIDED, /* as soon as all packets of the batch have come, before those that are left
                         */
    NIC_SIGNAL_FIRST /* with the first packet, as if the batch were full; where it is not, the rest
                      * of the slots are filled with packets of length 0, whose results nobody reads
                      */
};

/* What the NIC waits for before it reads an event's answers. */
enum nic_return {
    NIC_RETURN_ENTRY, /* the completion queue's entry: EDGE, Figure 8 */
    NIC_RETURN_WORDS  /* their words: early return. Result records of whole words, output buffers of
                       * their own, all empty at the start; the kernel stores the words of every
                       * result and of every sent frame, and no others of these buffers */
};

/* The ring of NIC_SIGNAL_QUEUE (sim/gpu/queue/aql.h), of which the NIC is the only producer. It
 * waits for the read index, which the packet processor writes behind the completion queue, when it
 * is full.
 */
struct nic_queue {
    uint64_t ring;         /* device address */
    uint32_t packets;      /* power of two */
    const uint8_t *packet; /* [entries][AQL_PACKET_BYTES], copied: the table of kernels */
};

/* Where the launch signal goes. */
struct nic_signal {
    enum nic_signal_kind kind;
    struct pcie *link; /* the GPU's link (doorbell) or the host's (--launch=cpu) */
    uint8_t from, to;  /* the NIC's endpoint on that link, and the receiver */
    uint8_t bar;
    uint64_t address;
    uint32_t stride; /* added per entry; 0 for a doorbell */
};

/* The rate that the service has declared: packets beyond it are held in the receive buffer until
 * their turn, or dropped, with nic_config.drop; they are marked as over_rate. */
struct nic_meter {
    uint64_t rate;  /* packets per second, up to 10^9; 0: none is declared */
    uint32_t burst; /* packets at once, 1 or more */
};

struct nic_config {
    uint32_t core_khz;
    uint64_t wire_bps;      /* bits per second, each direction */
    uint32_t wire_overhead; /* bytes per frame: 20 (preamble, gap), 24 when captures lack the FCS */
    enum nic_pace pace;
    uint64_t rate; /* by pace */
    struct nic_meter meter;
    uint32_t rx_buffer_bytes;      /* at least the longest packet */
    bool drop;                     /* when the buffer is full: drop instead of holding the wire */
    uint32_t flush_ns;             /* an incomplete batch is launched after this */
    uint32_t entries;              /* of the event's queue, 1..65536 */
    const struct nic_entry *entry; /* [entries], copied; entries x layout.batch at most 2^22 */
    struct nic_layout layout;
    struct pcie *gpu_link; /* carries frames, arguments and results */
    uint8_t self, gpu;     /* endpoints on gpu_link */
    struct nic_signal signal;
    struct nic_signal also; /* behind it, on gpu_link, not with NIC_SIGNAL_QUEUE; link NULL: none */
    enum nic_signal_time when; /* not behind: with NIC_SIGNAL_COUNT on gpu_link, without a meter */
    enum nic_return returns;   /* NIC_RETURN_WORDS: with NIC_SIGNAL_COUNT on gpu_link */
    struct nic_queue queue;    /* NIC_SIGNAL_QUEUE */
    /* Bus address of the completion queue, uint32_t per entry. NIC_SIGNAL_QUEUE: a completion
     * signal of AQL_SIGNAL_BYTES per entry, done when 0 is written; then the read index. */
    uint64_t completion_base;
    /* A write there starts the wire, like nic_start: of a kernel that is ready. 0: none. */
    uint64_t attention;
    /* An entry whose frames have been sent is used again only after nic_emptied; NULL: at once. For
     * buffers with full/empty bits, whose words must be empty before the next packets fill them. */
    void (*empty)(void *user, uint32_t entry);
    /* The packet has been forwarded, its frame begins to leave (nic_output). NULL: nobody asks. */
    void (*departs)(void *user, uint32_t packet);
    void *user;
    /* The wire is open for so long from its start on, with packets or without; 0: until the last
     * one of the capture has come. A live wire: until nic_close_wire. */
    uint64_t open_ns;
};

enum nic_fate { NIC_WAITING, NIC_LOST, NIC_FORWARDED, NIC_DROPPED, NIC_FAILED, NIC_ABORTED };

/* NIC_FAILED: nic_close has come before it was sent or dropped. NIC_ABORTED: its event has been
 * ended by the driver; it is not sent. Cycles; `arrival` and `departure`
 * are those of the frame's last byte on the wire (for a packet dropped by verdict: when its entry
 * was freed). NIC_LOST: the receive buffer was full, or it was over
 * the declared rate. */
struct nic_record {
    uint64_t arrival, departure;
    uint32_t verdict, next_hop;
    uint32_t batch; /* index of its nic_batch */
    uint32_t sent;  /* bytes of the forwarded frame */
    uint8_t fate;   /* enum nic_fate */
    bool over_rate; /* came faster than nic_config.meter allows */
};

/* One launched event. Cycles: no more packets come into it (its data have been handed to the link),
 * signal sent, done flag (NIC_RETURN_WORDS: its last result) received, entry freed. */
struct nic_batch {
    uint64_t first_arrival, filled, signalled, done, freed;
    uint32_t entry, count;
    bool aborted; /* EDGE_ABORTED was received */
};

#define NIC_VERDICTS 32u

struct nic_stats {
    uint64_t packets_in, bytes_in; /* off the wire, lost ones included */
    uint64_t packets_lost;         /* receive buffer full or over the rate, only with `drop` */
    uint64_t over_rate;            /* beyond the declared rate: held, or (with `drop`) lost */
    uint64_t packets_aborted;      /* NIC_ABORTED */
    uint64_t packets_failed;       /* NIC_FAILED, those included that never came off the wire */
    uint64_t forwarded, bytes_out;
    uint64_t dropped[NIC_VERDICTS]; /* by verdict; the last counts that value and above */
    uint64_t batches, partial_batches;
    uint64_t entry_waits,
        entry_wait_cycles;         /* a packet was there, the entry at the head not free */
    uint64_t pauses, pause_cycles; /* the wire was held */
    uint64_t bad_lengths;     /* forwarded by their verdict, of an impossible length: dropped */
    uint64_t bad_completions; /* writes to the completion queue that were not a valid "done" */
    uint64_t first_arrival, last_departure;
    const struct histogram *latency; /* of forwarded packets, arrival to departure, cycles */
};

struct nic *nic_create(const struct nic_config *config, const struct nic_capture *capture,
                       struct error *err);
void nic_destroy(struct nic *n);

/* The NIC's endpoint: its callbacks with `nic` as user; side, rid and name are the caller's. The
 * NIC is created after its endpoint, so the endpoint takes a pointer to where the NIC will be put.
 */
void nic_endpoint(struct pcie_endpoint *endpoint, struct nic **nic);

/* Answers nic_config.empty, in any order. */
void nic_emptied(struct nic *n, uint32_t entry, uint64_t cycle);

/* The wire starts: the first packet may begin at `cycle`, to which the pace is relative. */
void nic_start(struct nic *n, uint64_t cycle);

/* The cycle in which the wire has started; CYCLE_NEVER: it has not. */
uint64_t nic_wire_start(const struct nic *n);

/* A live wire that has started, within a tick of the caller before that of the NIC: the caller has
 * put one more packet behind the others. Its time stamp is one of NIC_PACE_START, and of this cycle
 * or a later one. False: the queue has been given up, and the packet is no part of the capture. */
bool nic_arrives(struct nic *n);

/* No packet comes any more; the wire closes `open_ns` after its start, which is not before now. */
void nic_close_wire(struct nic *n, uint64_t open_ns);

/* The event kernel has failed, and the queue is given up: every packet that has not been sent,
 * dropped or lost is NIC_FAILED, no entry is waited for, and completions mean nothing any more. A
 * completion of EDGE_FAILED does the same. Frames on the wire leave it. */
void nic_close(struct nic *n, uint64_t cycle);

void nic_tick(struct nic *n, uint64_t cycle);
uint64_t nic_next_event(const struct nic *n);

/* Nothing but time will bring the NIC on: its next packet, or the end of its wait for the rest of a
 * batch. */
bool nic_waits_for_time(const struct nic *n);

/* What keeps it from being finished, as in "waits for completions". */
void nic_describe(const struct nic *n, char *text, size_t room);

/* The part of the capture that has come in, 0 to 1. */
double nic_share(const struct nic *n);

/* Every packet has been forwarded, dropped or lost, every entry is free, the last frame has left.
 */
bool nic_finished(const struct nic *n);

const struct nic_record *nic_records(const struct nic *n); /* [capture->count] */
const struct nic_batch *nic_batches(const struct nic *n, uint32_t *count);

/* The forwarded frame of a packet, `sent` bytes; NULL unless NIC_FORWARDED. */
const uint8_t *nic_output(const struct nic *n, uint32_t packet);

void nic_get_stats(const struct nic *n, struct nic_stats *stats);

#endif
