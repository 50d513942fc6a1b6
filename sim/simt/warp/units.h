/* Numbers, bit arithmetic and records that the parts of a core share. Masks over warp slots are
 * 64-bit, bit w for slot w. */
#ifndef EVGPU_SIMT_WARP_UNITS_H
#define EVGPU_SIMT_WARP_UNITS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/alloc.h"
#include "evgpu_defs.h"
#include "sim/ptx/program.h"

#define SLOTS     EVG_MAX_WARPS
#define EVENTS    EVG_PEWT_ENTRIES
#define BARRIERS  16 /* per block */
#define NO_ENTRY  0xFFu
#define NO_BLOCK  0xFFFFFFFFu
#define NO_ACCESS 0xFFFFu

/* Rows between the register files of two slots: odd, so that equal rows of different warps do not
 * fall into the same set of the host's cache. */
#define FILE_ROWS (MAX_REGS + 5)

#define BIT(w) (1ull << (w))

/* Where the lanes of a memory instruction point to. */
struct lane_addresses {
    uint64_t address[WARP_SIZE]; /* device address, or offset in shared or local memory */
    uint8_t *at[WARP_SIZE];
    uint32_t global, shared, local, bus; /* lanes by where they point to */
    /* All lanes point to the same space, in this pattern: `address` and `at` hold nothing before
     * lane_addresses_list. */
    bool regular;
    struct lane_pattern pattern;
    uint8_t *first; /* lane 0's pointer */
};

/* Where an INST_COPY reads, in device memory, and where it writes, in shared memory. */
struct copy_addresses {
    struct copy_lanes lanes;
    struct lane_addresses from, to;
};

/* These bytes come to the host's cache, without waiting for them. */
static inline void expect_bytes(const void *from, size_t bytes)
{
    for (size_t i = 0; i < bytes; i += CACHE_LINE)
        __builtin_prefetch((const char *)from + i);
    __builtin_prefetch((const char *)from + bytes - 1);
}

static inline uint32_t lowest(uint64_t mask)
{
    return (uint32_t)__builtin_ctzll(mask);
}

static inline uint32_t lanes_count(uint32_t mask)
{
    return mask == FULL_MASK ? WARP_SIZE : (uint32_t)__builtin_popcount(mask);
}

#endif
