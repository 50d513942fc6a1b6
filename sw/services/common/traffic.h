/* Traffic for tests and demonstrations: a pcap file of Ethernet frames with nanosecond time stamps.
 * The contents of a frame are the service's own (traffic_source); gaps, sizes and the mix of kinds
 * are common. Deterministic: same options, same file, byte for byte. */
#ifndef EVGPU_SW_TRAFFIC_H
#define EVGPU_SW_TRAFFIC_H

#include <stdbool.h>
#include <stdint.h>

#include "base/rng.h"

struct error; /* base/error.h */

#define TRAFFIC_MILLION 1000000u /* fractions are in parts per million of all frames */
#define TRAFFIC_KINDS   16u      /* of a service, at most */

/* Frame sizes as on the wire, FCS included: 64..1518 bytes. The file has 4 bytes less: no FCS. */
#define TRAFFIC_MIN_FRAME 64u
#define TRAFFIC_MAX_FRAME 1518u
#define TRAFFIC_FCS_BYTES 4u
#define TRAFFIC_ROOM      2048u /* for a frame that a source makes */

enum traffic_sizes {
    TRAFFIC_FIXED, /* all of min_frame */
    TRAFFIC_RANGE, /* uniform in min_frame..max_frame */
    TRAFFIC_IMIX   /* 64, 594 and 1518 bytes in the ratio 7:4:1 */
};

enum traffic_gaps { TRAFFIC_CONSTANT, TRAFFIC_POISSON };

struct traffic_options {
    uint64_t seed;
    uint32_t count;    /* frames, > 0 */
    uint64_t rate_pps; /* mean, 1 .. 10^9 packets per second */
    enum traffic_gaps gaps;
    enum traffic_sizes sizes;
    uint32_t min_frame, max_frame;    /* bytes, with FCS */
    uint64_t start_ns;                /* time stamp of the first frame */
    uint32_t fraction[TRAFFIC_KINDS]; /* parts per million; together at most TRAFFIC_MILLION */
};

/* How many frames of each kind were written, and of ordinary ones. */
struct traffic_summary {
    uint32_t kind[TRAFFIC_KINDS];
    uint32_t ordinary;
    uint64_t bytes;       /* of frames, without FCS */
    uint64_t duration_ns; /* first to last time stamp */
};

struct traffic_file;

/* Makes frames. A frame is of at most one kind; n_kinds is an ordinary one. */
struct traffic_source {
    const char *const *kinds; /* names for options and tables */
    uint32_t n_kinds;
    bool sized; /* frames have the lengths that the options ask for, not lengths of their own */
    /* Its length, without FCS, at most TRAFFIC_ROOM; 0 with `err`. */
    uint32_t (*frame)(void *user, struct traffic_file *t, uint32_t kind, uint8_t *frame,
                      struct error *err);
    void *user;
};

/* A file being written. */
struct traffic_file {
    const char *path;
    const struct traffic_options *options;
    const struct traffic_source *source;
    struct rng rng;
    uint64_t time_ns;
    uint64_t gap_remainder; /* what rounding to nanoseconds has left of the gaps so far */
    struct traffic_summary summary;
};

/* For a source: draws a frame's length without FCS, by the options. */
uint32_t traffic_frame_length(struct traffic_file *t);

/* Nanoseconds, exponentially distributed, of mean units / rate seconds; `remainder` (0 at first) is
 * what rounding leaves. The same on every machine. */
uint64_t traffic_random_gap(struct rng *rng, uint64_t units, uint64_t rate, uint64_t *remainder);

/* Random bytes. */
void traffic_random(uint8_t *at, uint32_t bytes, struct rng *rng);

/* `summary` may be NULL. On failure, no file is left. */
bool traffic_write(const char *path, const struct traffic_options *options,
                   const struct traffic_source *source, struct traffic_summary *summary,
                   struct error *err);

#endif
