/* The service `ipv6`: forwarding through a trie of prefixes (sw/services/ipv6).
 *
 * With a foreign kernel, the program finds the table as the resources "root", "nodes" and "hops"
 * (sw/services/ipv6/ipv6_forward.h), and its results are result words of the same header. */
#ifndef EVGPU_GUEST_SERVICE_IPV6_H
#define EVGPU_GUEST_SERVICE_IPV6_H

#include "sim/guest/service/packet_service.h"
#include "sim/guest/service/service.h"
#include "sw/services/common/routes.h"

struct ipv6_inputs {
    struct route_list routes;
    uint32_t mtu; /* bytes of a packet with its header; 0: none */
};

extern const struct packet_kind ipv6_kind;     /* inputs: struct ipv6_inputs */
extern const struct service_kind ipv6_service; /* ipv6_setup.c: from its settings */

#endif
