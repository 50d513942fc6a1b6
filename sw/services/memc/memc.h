/* Host reference of the memcached GET kernel: the same rules (memc_get.h), written independently:
 * request read byte by byte, items by binary search, reply printed, checksums in full. */
#ifndef EVGPU_SW_MEMC_H
#define EVGPU_SW_MEMC_H

#include <stdbool.h>
#include <stdint.h>

#include "sw/services/memc/items.h"

struct memc_server {
    const struct memc_items *items;
    uint32_t port;       /* 0: any */
    bool skip_checksums; /* of UDP */
};

/* Room that a request's frame may need beyond its own length for its reply. */
uint32_t memc_growth(const struct memc_items *items);

/* Serves the request in place; `*length` becomes that of the reply's frame, where there is one. */
enum memc_verdict memc_reference(uint8_t *frame, uint32_t *length,
                                 const struct memc_server *server);

const char *memc_verdict_name(uint32_t verdict);

#endif
