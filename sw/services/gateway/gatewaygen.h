/* Traffic for the gateway (sw/services/common/traffic.h): ESP packets whose inner packets are for
 * destinations of the routing table. The kinds of frames are those of espgen.h, then those of a
 * right ESP packet whose inside cannot be forwarded. */
#ifndef EVGPU_SW_GATEWAYGEN_H
#define EVGPU_SW_GATEWAYGEN_H

#include "sw/services/common/routes.h"
#include "sw/services/ipsec/espgen.h"

enum gatewaygen_kind {
    GATEWAYGEN_NO_ROUTE = ESPGEN_KINDS,
    GATEWAYGEN_TTL_EXPIRED,
    GATEWAYGEN_BAD_INSIDE, /* checksum of the inner header */
    GATEWAYGEN_KINDS
};

struct gatewaygen;

/* espgen's, with some packets that cannot be forwarded. */
struct traffic_options gatewaygen_defaults(void);

/* As espgen_create and pktgen_create. */
struct gatewaygen *gatewaygen_create(const struct sa_list *sas, const struct route_list *routes,
                                     uint32_t payload, uint32_t icv_bytes);
void gatewaygen_destroy(struct gatewaygen *g);
const struct traffic_source *gatewaygen_source(const struct gatewaygen *g);

#endif
