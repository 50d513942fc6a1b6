/* What every service for packets has in common: a NIC replays a packet capture, every batch rings a
 * doorbell, an event kernel is launched by it, or by a polling CPU; every packet is checked against
 * the host reference (EDGE sections III to VI). What a service adds is its kind: kernels, tables in
 * device memory, reference, verdicts. Its packets come from a capture or from its generator
 * (packet_setup.h).
 *
 * A packet's slot is a 2-byte frame length, then the Ethernet frame without FCS, so that the IP
 * header starts on a 16-byte boundary; slots are PACKET_SLOT_ALIGN bytes aligned. What is to be
 * sent lies in the slot afterwards. A result record is a little endian word: verdict in bits 7..0,
 * port in bits 31..16; services whose frames change their length have a second word with the
 * length. */
#ifndef EVGPU_GUEST_SERVICE_PACKET_SERVICE_H
#define EVGPU_GUEST_SERVICE_PACKET_SERVICE_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "base/error.h"
#include "sim/host/nic.h"
#include "sim/system/guest.h"
#include "sim/system/machine.h"
#include "sw/services/common/capture.h"

#define PACKET_SLOT_ALIGN   16u
#define PACKET_FRAME_OFFSET 2u /* of the frame in its slot, after its length */
#define PACKET_PORT_SHIFT   16u

/* Ways to launch the work of a batch (EDGE Figure 3). */
enum packet_launch {
    LAUNCH_EDGE,       /* the NIC's doorbell launches an event kernel */
    LAUNCH_CPU,        /* the baseline of EDGE VI-A: a polling CPU */
    LAUNCH_PERSISTENT, /* a persistent kernel polls a queue in GPU memory */
    LAUNCH_GDA,        /* GPUDirect Async: kernels that a CPU has prepared, started by the NIC */
    LAUNCH_HSA,        /* a polling CPU writes packets into a user-level queue */
    LAUNCH_XTQ,        /* the NIC does */
    LAUNCH_WAYS
};

/* 99 of 100 packets that come at no more than a declared rate are out on the wire within a time
 * after they came in (sw/edge/edge_promise.h). */
struct packet_promise {
    uint64_t p99_ns; /* 0: nothing is promised */
    uint32_t rate;  /* packets per second at most; the NIC holds or drops what is beyond. 0: none */
    uint32_t burst; /* of them at once */
    uint64_t worst_ns, event_ns; /* measured under full contention (promise.h) */
};

struct packet_options {
    enum packet_launch launch;
    bool foreign;       /* the event kernel comes from a program (guest_bind), not from here */
    bool thread_blocks; /* events of several blocks instead of one warp */
    bool
        only_processed; /* a packet is right when it has any verdict, whatever the reference says */
    bool skip;          /* an event ends with its first instruction (EDGE VI-C) */
    bool fill;          /* packets lie in memory with full/empty bits, and fill its words */
    uint32_t batch;     /* packets per event; at most what one warp takes, without thread_blocks */
    bool ring_on_gpu;   /* LAUNCH_HSA: the queue's ring is in the GPU's memory, not the host's */
    uint32_t ring_packets;     /* of a user-level queue, power of two; 0: as many as entries */
    uint32_t persistent_warps; /* LAUNCH_PERSISTENT; 0: one for each queue entry */
    uint32_t registers;        /* per thread at most, 0: as the compiler gives them */
    uint32_t in_flight;        /* queue entries: events of this service at the same time */
    enum nic_pace pace;
    uint64_t rate;       /* by pace */
    uint32_t timeout_us; /* LAUNCH_EDGE: the driver aborts an event that takes longer; 0: never */
    bool drop;           /* NIC drops when its buffer is full, instead of holding the wire */
    const char *ptx;     /* path of the kernels */
    uint32_t priority;   /* of its events, 0 .. EDGE_PRIORITIES - 1 */
    struct packet_promise promise; /* LAUNCH_EDGE only */
    const struct capture *capture; /* the caller's, and unchanged, until the guest ends */
    const char *sent_path;         /* capture of what the NIC sent, or NULL */
};

/* What a kernel is called with, in the order of its parameters. */
enum packet_argument {
    PACKET_SLOTS,      /* of the entry */
    PACKET_SLOT_BYTES, /* from one slot to the next */
    PACKET_COUNT,      /* packets in the slots, written by the NIC */
    PACKET_RESULTS,    /* of the entry */
    PACKET_TABLE,      /* + i: address of table i */
    PACKET_VALUE = 32  /* + i: value i */
};

#define PACKET_TABLES    8u
#define PACKET_VALUES    8u
#define PACKET_ARGUMENTS 16u

/* Part of device memory that belongs to the service. */
struct packet_table {
    const char *name;
    uint64_t address, bytes;
    bool exported; /* a program's kernel finds it as a resource of this name */
};

/* What a kind gives to its kernels. */
struct packet_tables {
    struct guest *guest;
    struct packet_table table[PACKET_TABLES];
    uint32_t n_tables;
    uint64_t value[PACKET_VALUES];
};

/* A new table, zeroed; its memory as the host sees it, NULL with `err`. */
void *packet_table(struct packet_tables *tables, const char *name, uint64_t bytes, bool exported,
                   struct error *err);

/* A packet that came, and what has become of it. */
struct packet_view {
    uint32_t index;
    const uint8_t *frame;
    uint32_t length;
    uint32_t verdict, port; /* of its result */
    const uint8_t *sent;    /* NULL when nothing was */
    uint32_t sent_length;
};

/* What should have become of it; a forwarded frame takes the place of the one in `frame`. */
struct packet_want {
    uint32_t verdict, port;
    uint8_t *frame; /* comes with the packet's own; room for the longest with its growth */
    uint32_t length;
};

/* As in the setting launch=NAME. */
const char *packet_launch_name(enum packet_launch launch);

struct packet_kind {
    const char *name;                  /* of the service */
    const char *kernel, *block_kernel; /* names; block_kernel NULL: none */
    const char *persistent; /* the same, in a file NAME.ptx of its own; NULL: none. Its parameters
                             * are those of the queue (sw/services/common/persistent.h), then
                             * `arguments` without slots, count and results */
    uint32_t threads_per_packet; /* 1, or a warp */
    const uint8_t *arguments;    /* enum packet_argument, of both kernels: the block kernel may
                                    have more, the other leaves out the last ones */
    uint32_t n_arguments;
    uint32_t verdicts; /* how many there are; 0 is "not processed", 1 the first that forwards */
    uint32_t forward;  /* set of verdicts that forward, bit v */
    const char *(*verdict_name)(uint32_t verdict);
    bool sends_length; /* result records of two words */
    /* Fills `tables`; what the other functions get as `state`, or NULL with `err`. `inputs` as
     * given to packet_create. */
    void *(*create)(const void *inputs, struct packet_tables *tables, struct error *err);
    void (*destroy)(void *state);
    /* Bytes that a frame of the capture may grow by. NULL: 0. */
    uint32_t (*growth)(const void *inputs, const struct capture *capture);
    /* The reference, for every packet that was not lost, in the order of the capture. */
    void (*expect)(void *state, const struct packet_view *packet, struct packet_want *want);
    /* After the last packet, what is to be said of all of them. NULL: nothing. */
    bool (*settled)(void *state, struct error *err);
    /* Further figures. NULL: none. */
    void (*print)(const void *state, FILE *to);
    void (*json)(const void *state, json_t *into);
};

/* False with `err`; the guest may then be half made, and the machine is to be destroyed. `inputs`
 * stay the caller's, and unchanged, until the guest ends. */
bool packet_create(struct machine *m, const char *name, const struct packet_kind *kind,
                   const void *inputs, const struct packet_options *options, struct error *err);

#endif
