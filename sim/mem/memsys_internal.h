/* Between memsys.c and memsys_region.c. */
#ifndef EVGPU_MEM_MEMSYS_INTERNAL_H
#define EVGPU_MEM_MEMSYS_INTERNAL_H

#include "base/alloc.h"
#include "base/error.h"
#include "sim/mem/address_map.h"
#include "sim/mem/memsys.h"
#include "sim/mem/memsys_config.h"
#include "sim/mem/net/net.h"
#include "sim/mem/net/networks.h"
#include "sim/mem/partition.h"
#include "sim/mem/port_box.h"

struct clock {
    uint32_t khz;
    uint64_t phase; /* khz of this clock already passed of the core's, < core_khz */
    uint64_t now;   /* cycles so far */
};

/* Ports that may wait for room without asking (memsys_wait). */
#define WAIT_PORTS 64u

/* Of what is in a box, so much has been let happen. */
struct let {
    uint8_t taken, requests;
};

struct memsys {
    struct memsys_config config;
    struct networks net;
    struct net *requests, *replies; /* of `net` */
    struct address_map map[2];      /* of CPU cores: [1] */
    uint32_t lanes;                 /* of a bank */
    uint32_t second_lane;           /* classes with the second lane, bit per class */
    struct port_box *box;           /* config.ports */
    struct endpoint requester[MAX_ENDPOINTS];
    struct endpoint target[MAX_ENDPOINTS]; /* outputs of the request network */
    /* What is above stays as it is, and requesters that run at the same time look at it. */
    _Alignas(CACHE_LINE) uint64_t cycle; /* the coming core cycle */
    uint64_t synced;                     /* core cycles that the clocks below have seen */
    uint64_t wake; /* nothing happens before this core cycle unless a request arrives */
    struct clock net_clock, l2_clock, dram_clock;
    struct partition **partition;
    uint64_t busy;                 /* partitions that are not idle */
    uint64_t requested[NET_WORDS]; /* ports that handed over a request in this core cycle */
    uint64_t taken[NET_WORDS];     /* ports that took a reply in this core cycle */
    uint64_t kinds[REQUEST_KINDS];
    uint64_t waiting; /* ports below 64 that wait for room in the request network */
    uint64_t roomy;   /* those of them for which there is room */
    uint64_t
        waits_since[WAIT_PORTS]; /* the first core cycle in which the port did not ask itself */
    struct let let[WAIT_PORTS];
    struct error error;
};

/* Lets the clocks catch up with core cycles in which nothing happened. */
void memsys_sync(struct memsys *m);

/* After a tick: which of the ports that wait have room. */
void memsys_find_room(struct memsys *m);

/* Requests that a full port has refused, of all ports. */
uint64_t memsys_refused(const struct memsys *m);

#endif
