/* The memory system behind the SIMT cores: request network -> partitions (L2 slice, DRAM channel)
 * -> reply network.
 *
 * Requesters are numbered ports 0..ports-1; a port may hand over one request per core cycle and
 * take one reply per core cycle. Clock domains (network, L2, DRAM) advance by integer ratios of the
 * core clock inside memsys_tick. All replies of one port arrive through memsys_reply in the order
 * the network delivers them. Deterministic: ties go to the lowest index, round robin state is part
 * of the model.
 *
 * Addresses: block n = address / interleave_bytes lies in partition n % partitions (any number of
 * partitions), at n / partitions * interleave_bytes of its channel, which is what L2 sets and DRAM
 * banks are chosen by.
 *
 * Time: with all clocks equal and nothing else in flight, the reply to a request made before one
 * memsys_tick is there after request_latency + l2_latency + reply_latency ticks for an L2 hit or a
 * write, plus DRAM's command-to-end-of-data time for a miss. Latencies do not depend on a message's
 * length; that decides for how many cycles it keeps its network input and output busy (net.h).
 * Policies of L2: partition.h; of DRAM: dram.c. */
#ifndef EVGPU_MEM_SYSTEM_H
#define EVGPU_MEM_SYSTEM_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/base/error.h"
#include "sim/mem/request.h"
#include "sim/mem/dram.h"

struct memsys;

struct memsys_config {
    uint32_t ports;            /* SIMT cores + 1 host port */
    uint32_t partitions;       /* memory channels, 1..16; lines are interleaved, see interleave */
    uint32_t interleave_bytes; /* consecutive bytes in one partition, power of two >= 128 */
    uint32_t core_khz, net_khz, l2_khz, dram_khz;
    uint32_t request_latency; /* core port to partition, network cycles, without contention */
    uint32_t reply_latency;   /* partition to core port, network cycles */
    uint32_t flit_bytes;      /* network channel width */
    uint32_t port_queue;      /* entries of each network input queue */
    uint32_t l2_bytes;        /* of one partition's slice */
    uint32_t l2_ways;
    uint32_t l2_latency; /* lookup to reply on a hit, L2 cycles */
    uint32_t l2_mshrs, l2_mshr_merges;
    struct dram_config dram; /* one channel per partition */
    /* Called when L2 performs a REQUEST_ATOMIC or REQUEST_POLL, exactly once for each, in simulated
     * order, from within memsys_tick or memsys_skip: it must not call memsys functions. */
    void (*perform)(void *user, const struct mem_request *request);
    void *user;
};

struct memsys_stats {
    uint64_t requests[4]; /* by kind */
    uint64_t l2_hits, l2_misses, l2_writebacks;
    uint64_t net_stalls;    /* request could not enter a full queue, port-cycles */
    struct dram_stats dram; /* summed over channels */
};

struct memsys *memsys_create(const struct memsys_config *config, struct error *err);
void memsys_destroy(struct memsys *m);

/* False when the port's queue is full or the port has made a request in this core cycle: nothing
 * happened, try again next cycle. */
bool memsys_request(struct memsys *m, const struct mem_request *request);
bool memsys_can_request(const struct memsys *m, uint32_t port);

/* The next reply of a port, at most one per core cycle; false when there is none. */
bool memsys_reply(struct memsys *m, uint32_t port, struct mem_request *reply);

/* Bit p set: port p has a reply waiting (ports 0..63). */
uint64_t memsys_reply_ports(const struct memsys *m);

/* One core cycle. Costs next to nothing when nothing is in flight. */
void memsys_tick(struct memsys *m);

/* True when no request is anywhere between the ports. */
bool memsys_idle(const struct memsys *m);

/* Core cycles (>= 1) that may be skipped because nothing can happen in them; 1 when busy,
 * UINT64_MAX when nothing will ever happen without a request. A reply that waits counts as busy. */
uint64_t memsys_quiet_cycles(const struct memsys *m);

/* The same as that many memsys_tick calls, whatever memsys_quiet_cycles says; fast when quiet. */
void memsys_skip(struct memsys *m, uint64_t cycles);

/* Forgets L2 contents in a range, as the host does after DMA (timing only): lines are dropped,
 * dirty or not; a line that is being fetched stays. */
void memsys_forget(struct memsys *m, uint64_t address, uint64_t bytes);

void memsys_stats(const struct memsys *m, struct memsys_stats *stats);

#endif
