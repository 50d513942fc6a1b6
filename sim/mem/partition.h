/* One memory partition: L2 slice and DRAM channel.
 *
 * L2 is write-back with one valid and one dirty bit per 4-byte word, true LRU, and a pipeline that
 * takes one request per cycle and decides it `latency` cycles later, in order. A stalled head
 * stalls those behind it; it waits for room in the reply network, in the queue to DRAM, for an
 * MSHR, or for a line that may be evicted.
 *
 *  READ     hit when every word of its sectors is valid.
 *  WRITE    never waits for DRAM: the line is allocated without a fetch and the words become valid
 *           and dirty, and the acknowledgement is sent at once. Only a write of parts of words that
 *           are not valid (`partial`) also fetches their sectors, and merges when they arrive.
 *  ATOMIC, POLL  like a read, and `perform` is called once, when all the words are there: in the
 *           order of decision, and oldest first after a fetch. One that finds older requests
 *           waiting for its line waits behind them. An atomic makes its words dirty.
 *
 * A miss allocates its line at once; a dirty victim's dirty sectors are written to DRAM, adjacent
 * ones in one request. Fetches and write-backs cover whole DRAM columns where those are larger than
 * a sector. When data arrive, the waiting requests are answered one per L2 cycle, before hits.
 *
 * The channel address of a line, and its partition, are the caller's to compute. */
#ifndef EVGPU_MEM_PARTITION_H
#define EVGPU_MEM_PARTITION_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/base/error.h"
#include "sim/mem/dram.h"
#include "sim/mem/net.h"
#include "sim/mem/request.h"

struct partition_config {
    uint32_t index; /* its output of the request network, input of the other */
    uint64_t l2_bytes;
    uint32_t ways, latency; /* latency in L2 cycles, >= 1 */
    uint32_t mshrs, merges;
    uint32_t flit_bytes;
    struct dram_config dram;
    struct net *requests, *replies; /* not owned */
    void (*perform)(void *user, const struct mem_request *request);
    uint64_t (*local)(void *memsys, uint64_t line); /* channel address of a line */
    void *user, *memsys;
};

struct partition_stats {
    uint64_t hits, misses; /* hit: line present and nothing to wait for or fetch */
    uint64_t writebacks;   /* dirty lines evicted */
};

struct partition;

struct partition *partition_create(const struct partition_config *config, struct error *err);
void partition_destroy(struct partition *p);

/* L2 cycle number `l2_cycle`; it may be left out when partition_quiet says so. `dram_cycle` as for
 * partition_dram_until. */
void partition_tick(struct partition *p, uint64_t l2_cycle, uint64_t dram_cycle);

/* Lets the channel's clock reach `cycle` (the number of DRAM cycles since the start). */
void partition_dram_until(struct partition *p, uint64_t cycle);

/* Nothing in the pipeline, in the MSHRs or on the way to and in DRAM. */
bool partition_idle(const struct partition *p);
bool partition_dram_idle(const struct partition *p);

/* L2 cycles from `l2_cycle` on in which nothing would happen if no request arrives and DRAM
 * completes nothing; UINT64_MAX: for ever. */
uint64_t partition_quiet(const struct partition *p, uint64_t l2_cycle);

/* First DRAM cycle (absolute) that must be simulated because a command or a completion may be in
 * it; UINT64_MAX when DRAM is idle. */
uint64_t partition_dram_wake(const struct partition *p);

/* Drops the line at this channel address, dirty or not, unless it is being fetched. */
void partition_forget(struct partition *p, uint64_t local);

/* The channel's statistics as of the last partition_dram_until. */
const struct dram_stats *partition_dram_stats(const struct partition *p);
const struct partition_stats *partition_get_stats(const struct partition *p);

/* Length of a request or reply in flits; a message has an 8-byte header, and 32 bytes per sector
 * where it carries data. */
uint32_t request_flits(const struct mem_request *request, uint32_t flit_bytes);
uint32_t reply_flits(const struct mem_request *reply, uint32_t flit_bytes);

#endif
