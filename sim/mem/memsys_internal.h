/* Between memsys.c and memsys_region.c. */
#ifndef EVGPU_MEM_MEMSYS_INTERNAL_H
#define EVGPU_MEM_MEMSYS_INTERNAL_H

#include "sim/mem/memsys.h"
#include "sim/mem/net/networks.h"

struct clock {
    uint32_t khz;
    uint64_t phase; /* khz of this clock already passed of the core's, < core_khz */
    uint64_t now;   /* cycles so far */
};

struct memsys {
    struct memsys_config config;
    uint64_t cycle;  /* the coming core cycle */
    uint64_t synced; /* core cycles that the clocks below have seen */
    uint64_t wake;   /* nothing happens before this core cycle unless a request arrives */
    struct clock net_clock, l2_clock, dram_clock;
    struct networks net;
    struct net *requests, *replies; /* of `net` */
    struct partition **partition;
    uint64_t busy;                 /* partitions that are not idle */
    uint64_t requested[NET_WORDS]; /* ports that handed over a request in this core cycle */
    uint64_t taken[NET_WORDS];     /* ports that took a reply in this core cycle */
    struct address_map map[2];     /* of CPU cores: [1] */
    uint32_t lanes;                /* of a bank */
    struct endpoint requester[MAX_ENDPOINTS];
    struct endpoint target[MAX_ENDPOINTS]; /* outputs of the request network */
    uint64_t kinds[REQUEST_KINDS];
    uint64_t refused;
    struct error error;
};

/* Lets the clocks catch up with core cycles in which nothing happened. */
void memsys_sync(struct memsys *m);

#endif
