/* The statistics of a memory system (memsys.h). */
#ifndef EVGPU_MEM_MEMSYS_STATS_H
#define EVGPU_MEM_MEMSYS_STATS_H

#include <stdint.h>

#include "sim/mem/bank.h"
#include "sim/mem/dram/dram_config.h"
#include "sim/mem/net/net.h"
#include "sim/mem/queue.h"
#include "sim/mem/region/fe_config.h"
#include "sim/mem/request.h"

struct memsys_stats {
    uint64_t requests[REQUEST_KINDS];
    uint64_t refused;       /* requests, or questions for one, while the port's queue was full */
    uint64_t memory_stalls; /* L2 cycles, summed over partitions: stall_MC of CM-BAL 4.1 */
    uint64_t reply_stalls;  /* the same of stall_net */
    struct net_stats request_net, reply_net;
    struct bank_stats l2; /* summed over banks */
    struct queue_stats dram_queue;
    struct fe_stats fe;
    struct dram_stats dram; /* summed over channels */
};

#endif
