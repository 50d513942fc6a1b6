/* The numbers of the full/empty schedulers (fe.h): what they are made with, and what they count. */
#ifndef EVGPU_MEM_REGION_FE_CONFIG_H
#define EVGPU_MEM_REGION_FE_CONFIG_H

#include <stdint.h>

#include "tb/tile.h"

#define FE_QUEUES 3u /* enum fe_queue */

/* The part of a machine's configuration that all partitions share. */
struct fe_settings {
    uint64_t base, bytes;         /* of the region, device addresses; bytes 0: there is none */
    uint32_t places[FE_QUEUES];   /* requests in a partition at most, by enum fe_queue */
    uint64_t timeout;             /* L2 cycles that the head of a queue may wait, 0: for ever */
    const struct tile_kind *kind; /* the tile, or a variant of it */
    uint32_t grain_bytes;         /* that share a full/empty bit in it */
    uint32_t look_ahead;          /* requests of its GPU queue that it looks at */
    enum tile_backend backend;
};

struct fe_stats {
    uint64_t requests[FE_QUEUES]; /* by queue */
    uint64_t waited[FE_QUEUES];   /* cycles between arrival and departure to memory, summed */
    uint64_t steps;               /* clock edges of the tile */
    uint64_t lines;               /* of the region in all partitions; 0: there is none */
};

#endif
