/* DIR-24-8: the two-level forwarding table that the GPU kernels look up, built from a route list.
 * The format is in sw/services/ipv4/ipv4_forward.h.
 *
 * The tables are filled in place, so that they can be built straight into (simulated) device
 * memory; pages without a route are not touched. */
#ifndef EVGPU_SW_DIR24_H
#define EVGPU_SW_DIR24_H

#include <stdint.h>

#include "sw/services/ipv4/ipv4_forward.h"
#include "sw/services/common/routes.h"

#define DIR24_LEVEL1_BYTES ((uint64_t)FWD_LEVEL1_ENTRIES * sizeof(uint32_t))

/* Second-level blocks that the list needs: the distinct /24 with a longer prefix in them. */
uint32_t dir24_blocks(const struct route_list *list);

static inline uint64_t dir24_level2_bytes(uint32_t blocks)
{
    return (uint64_t)blocks * FWD_BLOCK_ENTRIES * sizeof(uint32_t);
}

/* `level1`: FWD_LEVEL1_ENTRIES entries; `level2`: dir24_blocks() blocks, may be NULL for none. Both
 * must be zero on entry. */
void dir24_fill(const struct route_list *list, uint32_t *level1, uint32_t *level2);

/* Next hop number, 0 for none. */
static inline uint32_t dir24_lookup(const uint32_t *level1, const uint32_t *level2,
                                    uint32_t address)
{
    uint32_t entry = level1[address >> 8];
    if (entry & FWD_BLOCK_FLAG)
        entry = level2[(uint64_t)(entry & ~FWD_BLOCK_FLAG) * FWD_BLOCK_ENTRIES + (address & 0xFF)];
    return entry;
}

#endif
