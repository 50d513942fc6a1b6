/* The allocation that each memory instruction accessed last, so that the next access by it is
 * checked by two comparisons. Owner: lane_addresses.c. */
#ifndef EVGPU_SIMT_LSU_BOUNDS_CACHE_H
#define EVGPU_SIMT_LSU_BOUNDS_CACHE_H

#include <stdint.h>

#include "sim/ptx/program.h"

#define WINDOWS 128 /* a power of two; by the instruction's address */

struct window {
    const struct inst *inst;
    uint64_t low, high; /* low > high: nothing */
    uint32_t version;   /* of the image */
};

struct windows {
    struct window of[WINDOWS];
};

#endif
