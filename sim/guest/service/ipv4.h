/* The service `ipv4`: forwarding through a DIR-24-8 table (sw/services/ipv4). Its inputs are a
 * struct route_list.
 *
 * With a foreign kernel, the program finds the routing table as the resources "level1", "level2"
 * and "hops" (sw/services/ipv4/ipv4_forward.h), and its results are result words of the same
 * header. */
#ifndef EVGPU_GUEST_SERVICE_IPV4_H
#define EVGPU_GUEST_SERVICE_IPV4_H

#include "sim/guest/service/packet_service.h"
#include "sim/guest/service/service.h"
#include "sw/services/common/routes.h"

extern const struct packet_kind ipv4_kind;
extern const struct service_kind ipv4_service; /* ipv4_setup.c: from its settings */

#endif
