/* Packet generator: writes a pcap file of Ethernet frames with nanosecond time stamps, for
 * forwarding. Deterministic: same options, same file, byte for byte. */
#ifndef EVGPU_SW_PKTGEN_H
#define EVGPU_SW_PKTGEN_H

#include <stdbool.h>
#include <stdint.h>

#include "sw/services/ipv4/routes.h"

struct error; /* sim/base/error.h */

#define PKTGEN_MILLION 1000000u /* fractions are in parts per million of all frames */

/* Frame sizes as on the wire, FCS included: 64..1518 bytes. The file has 4 bytes less: no FCS. */
#define PKTGEN_MIN_FRAME 64u
#define PKTGEN_MAX_FRAME 1518u

enum pktgen_sizes {
    PKTGEN_FIXED, /* all of min_frame */
    PKTGEN_RANGE, /* uniform in min_frame..max_frame */
    PKTGEN_IMIX   /* 64, 594 and 1518 bytes in the ratio 7:4:1 */
};

enum pktgen_gaps { PKTGEN_CONSTANT, PKTGEN_POISSON };

/* What is special about a frame; a frame is of at most one kind. */
enum pktgen_kind {
    PKTGEN_NO_ROUTE,     /* unicast destination outside all routes */
    PKTGEN_TTL_EXPIRED,  /* TTL 1 */
    PKTGEN_BAD_CHECKSUM, /* of the IPv4 header */
    PKTGEN_BAD_LENGTH,   /* total length beyond the end of the frame */
    PKTGEN_BAD_VERSION,  /* header that says version 6, or 4 header words */
    PKTGEN_OPTIONS,      /* good, with 1..10 words of IPv4 options; frame of at least 128 bytes */
    PKTGEN_ARP,
    PKTGEN_IPV6,
    PKTGEN_VLAN, /* IPv4 behind an 802.1Q tag */
    PKTGEN_KINDS
};

struct pktgen_options {
    uint64_t seed;
    uint32_t count;    /* frames, > 0 */
    uint64_t rate_pps; /* mean, 1 .. 10^9 packets per second */
    enum pktgen_gaps gaps;
    enum pktgen_sizes sizes;
    uint32_t min_frame, max_frame;   /* bytes, with FCS */
    uint64_t start_ns;               /* time stamp of the first frame */
    uint32_t fraction[PKTGEN_KINDS]; /* parts per million; together at most PKTGEN_MILLION */
};

/* The demo's values: 100,000 frames, 1 million per second, Poisson, 64 bytes, 2 % of trouble. */
struct pktgen_options pktgen_defaults(void);

/* How many frames of each kind were written, and of ordinary ones. */
struct pktgen_summary {
    uint32_t kind[PKTGEN_KINDS];
    uint32_t ordinary;
    uint64_t bytes;       /* of frames, without FCS */
    uint64_t duration_ns; /* first to last time stamp */
};

/* Destinations of routable frames are drawn from `routes`: a uniform choice of route, then of host.
 * `summary` may be NULL. On failure, no file is left. */
bool pktgen_write(const char *path, const struct pktgen_options *options,
                  const struct route_list *routes, struct pktgen_summary *summary,
                  struct error *err);

/* Name of a kind for options and tables: "no-route", "ttl-expired", ... */
const char *pktgen_kind_name(enum pktgen_kind kind);

#endif
