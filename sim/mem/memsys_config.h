/* The configuration of a memory system (memsys.h). */
#ifndef EVGPU_MEM_MEMSYS_CONFIG_H
#define EVGPU_MEM_MEMSYS_CONFIG_H

#include <stdint.h>

#include "sim/mem/dram/dram_config.h"
#include "sim/mem/net/placement.h"
#include "sim/mem/region/fe_config.h"
#include "sim/mem/request.h"

struct endpoint; /* net/endpoint.h */

struct memsys_config {
    const struct endpoint *requesters; /* [ports], copied; NULL: SIMT cores 0..ports-1 */
    uint32_t ports;                    /* 1..MAX_ENDPOINTS */
    uint32_t partitions;               /* memory channels, 1..16 */
    uint32_t gpu_partitions;           /* < partitions; the first ones have the lines of GPU, host
                                        * and devices, the others those of CPU cores; 0: no matter */
    uint32_t banks;            /* L2 banks of a partition, each with ports of its own, 1..8 */
    uint32_t interleave_bytes; /* consecutive bytes in one bank, power of two >= 128 */
    uint32_t map_hashed;       /* 1: channel and bank are chosen by hash (address_map.h) */
    uint32_t core_khz, net_khz, l2_khz, dram_khz;
    uint32_t network;         /* enum network_kind */
    uint32_t request_latency; /* crossbar: port to partition, network cycles, no contention */
    uint32_t reply_latency;   /* the same, partition to port */
    uint32_t flit_bytes;      /* network channel width */
    uint32_t port_queue;      /* entries of each network input queue */
    uint32_t output_queue;    /* entries of each network output queue, 0: as port_queue */
    uint32_t input_order;     /* crossbar: enum crossbar_order */
    uint32_t parts;           /* mesh: enum network_parts */
    uint32_t vcs, vc_buffer, router_delay, link_delay, credit_delay; /* mesh.h */
    uint32_t allocation, iterations;
    struct placement placement;        /* mesh */
    uint32_t l2_bytes;                 /* of one partition, all banks together */
    uint32_t l2_ways, l2_index;        /* l2_index: enum cache_index */
    uint32_t l2_replacement;           /* number in sim/mem/cache/policy.h */
    uint32_t l2_latency;               /* lookup to reply on a hit, L2 cycles */
    uint32_t l2_mshrs, l2_mshr_merges; /* of one bank */
    uint32_t l2_queue;                 /* entries of a bank's ingress queue, 0: 8 */
    uint32_t l2_miss_queue;            /* accesses between a bank and DRAM, 0: 8 */
    uint32_t l2_reply_queue;           /* entries, 0: 8 */
    uint32_t l2_allocate;              /* enum line_allocation */
    uint32_t l2_fetch;                 /* enum miss_fetch */
    uint32_t l2_write_miss;            /* enum write_miss */
    uint32_t class_queues;             /* 1: CPU requests have queues of their own on the way */
    uint32_t reserved_mshrs;           /* with class_queues: MSHRs of a bank kept for the CPU */
    uint32_t host_lane;    /* 1: requests of the host and of devices take the second lane */
    uint32_t event_lane;   /* not 0: events' requests have queues of their own on the way, those of
                            * the CPU if there are any, go first in DRAM, and have so many MSHRs of a
                            * bank and entries of a DRAM queue to themselves, at most half of them;
                            * no more MSHRs than these while others wait for the bank */
    uint32_t parked;       /* requests with a trigger that a bank may hold */
    uint32_t park_timeout; /* L2 cycles, 0: never */
    uint32_t memory_latency; /* of the memory controller, L2 cycles beyond DRAM's own timing */
    struct dram_config dram; /* one channel per partition */
    struct fe_settings fe;   /* the synchronised region; bytes 0: there is none. Its base and bytes
                              * are multiples of partitions * interleave_bytes */
    /* Called when L2 performs a REQUEST_ATOMIC or REQUEST_POLL, in simulated order, from within
     * memsys_tick or memsys_skip: it must not call memsys functions. Exactly once for each, unless
     * it answers PERFORM_BLOCKED (bank.h). */
    perform_request perform;
    void *user;
};

enum network_kind { NETWORK_CROSSBAR, NETWORK_MESH };
/* Quarters of a mesh's channels and channel width that GPU and host have; CPU cores have the others
 * (networks.h). */
enum network_parts { PARTS_SHARED, PARTS_1G3C, PARTS_2G2C, PARTS_3G1C };
enum line_allocation { ALLOCATE_ON_MISS, ALLOCATE_ON_FILL };
enum miss_fetch { FETCH_SECTOR, FETCH_LINE };

#endif
