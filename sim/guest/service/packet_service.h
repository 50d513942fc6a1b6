/* A packet service as a guest of the machine: a NIC replays a packet capture, every batch rings a
 * doorbell, an event kernel is launched by it, or by a polling CPU; every packet is checked against
 * the host reference (EDGE sections III to VI). Definition of a service:
 * sw/services/common/service.h. */
#ifndef EVGPU_GUEST_SERVICE_PACKET_SERVICE_H
#define EVGPU_GUEST_SERVICE_PACKET_SERVICE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "sim/guest/service/live_wire.h"
#include "sim/host/nic.h"
#include "sim/system/guest.h"
#include "sim/system/machine.h"
#include "sw/services/common/service.h"

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

/* How the first kernel of a pipeline hands a batch on to the second one (packet_stage). */
enum packet_hand {
    HAND_BATCH, /* whole: the second one starts behind it */
    HAND_WORDS  /* by words with full/empty bits: both start with the batch */
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
    enum nic_signal_time doorbell; /* with `fill`: not behind the packets */
    enum packet_hand hand;         /* of a pipeline */
    enum nic_return returns;       /* with `fill`: NIC_RETURN_WORDS, by the kind's packet_return */
    uint32_t batch;   /* packets per event; at most what one warp takes, without thread_blocks */
    bool ring_on_gpu; /* LAUNCH_HSA: the queue's ring is in the GPU's memory, not the host's */
    uint32_t ring_packets;     /* of a user-level queue, power of two; 0: as many as entries */
    uint32_t persistent_warps; /* LAUNCH_PERSISTENT; 0: one for each queue entry */
    uint32_t registers;        /* per thread at most, 0: as the compiler gives them */
    uint32_t in_flight;        /* queue entries: events of this service at the same time */
    enum nic_pace pace;
    uint64_t rate;        /* by pace */
    uint32_t timeout_us;  /* LAUNCH_EDGE: the driver aborts an event that takes longer; 0: never */
    bool drop;            /* NIC drops when its buffer is full, instead of holding the wire */
    const char *ptx;      /* path of the kernels */
    const char *ptx_then; /* of a pipeline's second kernel; NULL: the service is none */
    uint32_t priority;    /* of its events, 0 .. EDGE_PRIORITIES - 1 */
    struct packet_promise promise; /* LAUNCH_EDGE only */
    uint64_t open_ns;              /* the wire stays open for so long; 0: until the last packet */
    uint32_t longest;              /* frame that a slot holds; 0: the capture's */
    struct live_settings live;     /* of a live wire; device NULL: it is none */
    struct live_wire *wire;        /* the caller's, opened; NULL: the capture is whole */
    const struct capture *capture; /* the caller's, and unchanged, until the guest ends */
    const char *sent_path;         /* capture of what the NIC sent, or NULL */
};

/* As in the setting launch=NAME. */
const char *packet_launch_name(enum packet_launch launch);

/* False with `err`; the guest may then be half made, and the machine is to be destroyed. `inputs`
 * stay the caller's, and unchanged, until the guest ends. */
bool packet_create(struct machine *m, const char *name, const struct packet_kind *kind,
                   const void *inputs, const struct packet_options *options, struct error *err);

#endif
