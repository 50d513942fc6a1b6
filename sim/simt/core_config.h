/* The configuration of a core: sizes, latencies and choices of the machine. */
#ifndef EVGPU_SIMT_CORE_CONFIG_H
#define EVGPU_SIMT_CORE_CONFIG_H

#include <stdint.h>

#include "sim/ptx/program.h"

/* The policy of L1 for a store. It never fetches for one. */
enum l1_store {
    L1_STORE_THROUGH, /* the words of a line that is there stay valid; the store goes to L2 */
    L1_STORE_EVICT,   /* the line, if it is there, is dropped; the store goes to L2 */
    L1_STORE_BACK     /* the words of a line that is there are kept, dirty, until it is evicted */
};

/* 128 bytes, or the 64 of them that are read. */
enum constant_fetch { CONST_FETCH_LINE, CONST_FETCH_HALF };

/* Policy of the warp schedulers (pipeline/scheduler.h) by number, NULL from their number on. */
const char *core_scheduler_name(uint32_t index);

/* When a context is free for an event: no warp is there; nor is the block of the last one; nor any
 * block on the core, so that beside one every event takes a victim. */
enum event_context { EVENT_CONTEXT_WARP, EVENT_CONTEXT_BLOCK, EVENT_CONTEXT_CORE };

/* All latencies in core cycles. */
struct core_config {
    uint32_t warps;            /* warp contexts, 1..64 */
    uint32_t blocks;           /* block slots, 1..64 */
    uint32_t threads;          /* resident threads at most */
    uint32_t registers;        /* 32-bit, per core */
    uint32_t register_reserve; /* of those: for events only, less than all */
    uint32_t event_context;    /* enum event_context */
    bool drop_unsafe; /* a victim's loads may be dropped after later instructions have completed, as
                       * in EDGE's artifact; lsu/drop_loads.c */
    uint32_t shared_bytes;
    uint32_t schedulers;  /* 1, 2 or 4; warp w belongs to scheduler w % schedulers */
    uint32_t scheduler;   /* their policy: core_scheduler_name */
    uint32_t warp_limit;  /* warps per core the schedulers may issue from (SWL), 0: all */
    uint32_t fetch_width; /* warps fetched per cycle */
    uint32_t icache_bytes, icache_ways, icache_latency;
    uint32_t const_bytes, const_ways, const_latency;
    uint32_t const_fetch; /* enum constant_fetch: what a miss asks L2 for */
    uint32_t l1_bytes, l1_ways, l1_latency, l1_mshrs, l1_mshr_merges;
    uint32_t l1_miss_latency; /* what a miss spends in L1 before it is sent, 0: nothing */
    uint32_t l1_index;        /* enum cache_index */
    uint32_t l1_replacement;  /* number in sim/mem/cache/policy.h */
    uint32_t l1_fetch;        /* enum miss_fetch: what a miss asks L2 for */
    uint32_t l1_allocate;     /* enum line_allocation: when a line takes its way */
    uint32_t l1_global_store, l1_local_store; /* enum l1_store */
    uint32_t operand_cycles;   /* issue to execution unit: operand collector, dispatch */
    uint32_t writeback_cycles; /* end of execution to the scoreboard */
    uint32_t shared_banks, shared_latency;
    uint32_t latency[TIMING_CLASSES];  /* of the unit, between those two */
    uint32_t interval[TIMING_CLASSES]; /* cycles the unit is taken by one warp instruction */
    uint32_t units[EXEC_UNITS];        /* copies of each unit */
    uint32_t ldst_queue;               /* memory instructions waiting for the load-store unit */
    uint32_t event_queue; /* the same of events, which then go before the others; 0: they wait among
                           * them */
};

#endif
