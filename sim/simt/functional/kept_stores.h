/* Stores to device memory that wait until the cores meet (core_untimed.h), in the order in which
 * the core has executed them. Owner: kept_stores.c. */
#ifndef EVGPU_SIMT_FUNCTIONAL_KEPT_STORES_H
#define EVGPU_SIMT_FUNCTIONAL_KEPT_STORES_H

#include <stddef.h>
#include <stdint.h>

#include "sim/ptx/program.h"

struct lane_addresses;

struct kept_stores {
    uint8_t *bytes; /* records, each with its data */
    size_t used, capacity;
};

void kept_stores_destroy(struct kept_stores *k);
/* A store of the lanes of `mask`. Those that are not of device memory take effect at once. */
void kept_stores_add(struct kept_stores *k, const struct inst *inst, const struct lane_ctx *ctx,
                     uint32_t mask, struct lane_addresses *p);
/* All take effect, and are forgotten. */
void kept_stores_perform(struct kept_stores *k);

#endif
