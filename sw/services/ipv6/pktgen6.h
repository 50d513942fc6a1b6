/* Traffic for IPv6 forwarding (sw/services/common/traffic.h). Destinations of routable frames are
 * drawn from routes: a uniform choice of route, then of host. */
#ifndef EVGPU_SW_PKTGEN6_H
#define EVGPU_SW_PKTGEN6_H

#include "sw/services/common/traffic.h"
#include "sw/services/common/routes.h"

/* The kind of a frame. */
enum pktgen6_kind {
    PKTGEN6_NO_ROUTE,    /* global unicast destination outside all routes */
    PKTGEN6_HOP_LIMIT,   /* hop limit 1 */
    PKTGEN6_TOO_BIG,     /* of 1514 bytes; ordinary unless the service has an MTU */
    PKTGEN6_BAD_LENGTH,  /* payload length beyond the end of the frame */
    PKTGEN6_BAD_VERSION, /* header that does not say version 6 */
    PKTGEN6_BAD_ADDRESS, /* source or destination that no router forwards */
    PKTGEN6_EXTENSION,   /* good, with a hop-by-hop header of options */
    PKTGEN6_ICMP_ERROR,  /* an ICMPv6 error of hop limit 1: never answered */
    PKTGEN6_ARP,
    PKTGEN6_IPV4,
    PKTGEN6_VLAN, /* IPv6 behind an 802.1Q tag */
    PKTGEN6_KINDS
};

/* 100,000 frames, 1 million per second, Poisson, 78 bytes, 2 % of trouble. */
struct traffic_options pktgen6_defaults(void);

struct pktgen6;

/* The routes stay the caller's, and unchanged. */
struct pktgen6 *pktgen6_create(const struct route_list *routes);
void pktgen6_destroy(struct pktgen6 *g);
const struct traffic_source *pktgen6_source(const struct pktgen6 *g);

/* One frame of `length` bytes for a destination; PKTGEN6_KINDS is an ordinary one. Its length,
 * which some kinds raise. `frame` has TRAFFIC_ROOM bytes. */
uint32_t pktgen6_frame(uint8_t *frame, uint32_t length, enum pktgen6_kind kind,
                       struct address destination, struct rng *rng);

#endif
