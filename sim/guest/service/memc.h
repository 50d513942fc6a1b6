/* The service `memc`: memcached's GET over UDP from a hash table in device memory
 * (sw/services/memc). */
#ifndef EVGPU_GUEST_SERVICE_MEMC_H
#define EVGPU_GUEST_SERVICE_MEMC_H

#include "sim/guest/service/packet_service.h"
#include "sim/guest/service/service.h"
#include "sw/services/memc/memc.h"

struct memc_inputs {
    struct memc_items items;
    uint32_t entries;
    struct memc_server server; /* its items are those above */
};

extern const struct packet_kind memc_kind;     /* inputs: struct memc_inputs */
extern const struct service_kind memc_service; /* memc_setup.c: from its settings */

#endif
