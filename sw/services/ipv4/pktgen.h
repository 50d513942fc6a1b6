/* Traffic for IPv4 forwarding (traffic.h). Destinations of routable frames are drawn from routes: a
 * uniform choice of route, then of host. */
#ifndef EVGPU_SW_PKTGEN_H
#define EVGPU_SW_PKTGEN_H

#include "sw/services/common/traffic.h"
#include "sw/services/common/routes.h"

/* The kind of a frame; a frame is of at most one kind. */
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

/* The demo's values: 100,000 frames, 1 million per second, Poisson, 64 bytes, 2 % of trouble. */
struct traffic_options pktgen_defaults(void);

struct pktgen;

/* The routes stay the caller's, and unchanged. */
struct pktgen *pktgen_create(const struct route_list *routes);
void pktgen_destroy(struct pktgen *g);
const struct traffic_source *pktgen_source(const struct pktgen *g);

/* A destination, host order: of a route, or a unicast address outside all of them. False with
 * `err`: there is none. */
bool pktgen_destination(struct pktgen *g, struct rng *rng, bool routed, uint32_t *destination,
                        struct error *err);

#endif
