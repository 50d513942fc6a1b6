/* What the settings of all packet services have in common: the NIC, the launch, the capture or the
 * generated traffic. A service's own set-up has a struct packet_setup and hands it the settings
 * that are not its own. */
#ifndef EVGPU_GUEST_SERVICE_PACKET_SETUP_H
#define EVGPU_GUEST_SERVICE_PACKET_SETUP_H

#include <limits.h>

#include "sim/guest/service/packet_service.h"
#include "sim/guest/service/service.h"
#include "sw/edge/edge.h"
#include "sw/services/common/traffic.h"

struct packet_setup {
    struct packet_options options;
    struct traffic_options traffic;
    struct capture capture;
    const struct capture_filter *filter;
    const char *capture_path; /* NULL: generated */
    bool priority_given;
    uint32_t limit;  /* packets of a capture, 0: all */
    bool random;     /* batches at random times */
    bool ring_given; /* the setting ring */
    bool timeout_given;
    char ptx[PATH_MAX];
};

/* Of a set-up with the defaults of the service; traffic.count and rate are those of a run. */
void packet_setup_init(struct packet_setup *u, const struct traffic_options *traffic,
                       const struct capture_filter *filter, uint64_t seed);
void packet_setup_free(struct packet_setup *u);

enum setting_taken { SETTING_TAKEN, SETTING_UNKNOWN, SETTING_REFUSED };

/* SETTING_REFUSED with `err`. */
enum setting_taken packet_setup_take(struct packet_setup *u, const struct setting *s,
                                     struct error *err);

/* False with an `err` that lists the keys there are: `own` of the service, "" or "routes, ", then
 * the common ones. */
bool packet_setup_unknown(const struct setting *s, const char *own, struct error *err);

/* The keys of packet_setup_take, for people; after those of the service. */
#define PACKET_SETUP_KEYS                                                                          \
    "capture=FILE      replay this Ethernet capture (a generated one)\n"                           \
    "packets=N         packets to generate, or at most of the capture (12000)\n"                   \
    "rate=PPS          mean packets per second of the generated capture (8000000)\n"               \
    "pace=PACE         time (stamps of the capture), pps:N or gbps:N (time)\n"                     \
    "arrivals=HOW      even, or poisson: with pace=pps:N, whole batches at random times (even)\n"  \
    "drop              drop packets at a full NIC buffer instead of pausing the wire\n"            \
    "launch=WHO        edge; cpu: a polling CPU by the driver; persistent: a kernel that polls; "  \
    "gda: kernels\n                  that a CPU has prepared (GPUDirect Async); hsa: a polling "   \
    "CPU by a\n                  user-level queue; xtq: the NIC by such a queue (edge)\n"          \
    "ring=WHERE        of hsa's queue: host or gpu, in whose memory it is (host)\n"                \
    "ring_packets=N    of hsa's or xtq's queue (nic.in_flight)\n"                                  \
    "persistent_warps=N  of the persistent kernel (one for each queue entry, at most half the "    \
    "GPU)\n"                                                                                       \
    "kernel=WHOSE      own; program: one that a program binds to it; or FILE.ptx with another\n"   \
    "                  kernel of the same name and parameters (own)\n"                             \
    "check=WHAT        reference: verdict, port and frame of every packet; processed: that it\n"   \
    "                  has a verdict, for a program's kernel that does something else "            \
    "(reference)\n"                                                                                \
    "execute=no        an event ends as soon as it has its warp or blocks; nothing is forwarded\n" \
    "blocks            events of 256 packets in thread blocks, not of one warp\n"                  \
    "fill              packets in memory with full/empty bits: an event waits for each word, "     \
    "so that\n                  its doorbell may come before them\n"                               \
    "batch=N           packets per event (nic.batch, 256 with blocks)\n"                           \
    "registers=N       per thread at most (as the compiler gives them)\n"                          \
    "in_flight=N       events under way at a time, further packets wait in the NIC "               \
    "(nic.in_flight)\n"                                                                            \
    "priority=N        of its events, 0 to 3, the highest first (0; with p99: 3)\n"                \
    "p99=US            promise: 99 of 100 packets are out within so many microseconds; refused "   \
    "when it\n                  cannot be kept, and the run fails when it was not\n"               \
    "promise_rate=PPS  packets per second that it is for; what is beyond is held, or dropped "     \
    "(drop)\n"                                                                                     \
    "promise_burst=N   of them at once (batch)\n"                                                  \
    "out=FILE.pcap     what the NIC sends, as a capture\n"                                         \
    "seed=N            seed of everything generated (that of the run)\n"

/* Checks the options together; finds `kernels` (NAME.ptx) in sw/services/FOLDER. */
bool packet_setup_check(struct packet_setup *u, const struct packet_kind *kind, const char *folder,
                        const char *kernels, const struct machine_config *config,
                        struct error *err);

/* Reads the capture, or generates one. */
bool packet_setup_capture(struct packet_setup *u, const struct traffic_source *source,
                          struct error *err);

/* Settings of one kind; for the services' own. */
bool take_file(const struct setting *s, const char **path, struct error *err);
bool take_flag(const struct setting *s, bool *flag, struct error *err);
bool take_count(const struct setting *s, uint64_t max, uint32_t *value, struct error *err);

#endif
