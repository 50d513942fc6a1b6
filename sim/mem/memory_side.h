/* The memory side of a partition: from its cache banks to the DRAM channel and back. It takes one
 * access per L2 cycle, from the banks' queues in turn, into the controller's queue; knows by a
 * table of its own what each DRAM request is for; and brings fetched data back to their bank
 * `latency` L2 cycles after the last of them was on the bus.
 *
 * An access that finds the controller's queue full is held where it came from, and counted: that is
 * stall_MC of CM-BAL, section 4.1. Full/empty words of a synchronised region are checked between
 * the banks' queues and the controller, so nothing else knows of them (docs/design/memory.md). */
#ifndef EVGPU_MEM_MEMORY_SIDE_H
#define EVGPU_MEM_MEMORY_SIDE_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/mem/dram/dram_config.h"
#include "sim/mem/queue.h"

struct error;

/* One run of adjacent sectors to fetch or to write back. */
struct dram_access {
    uint64_t address; /* in the channel, multiple of column_bytes */
    uint64_t since;   /* L2 cycle in which it was queued */
    uint32_t bytes;   /* whole columns */
    uint32_t mshr;    /* of the bank; a fetch only */
    uint8_t sectors;
    uint8_t write;
    uint8_t class;  /* enum request_class of the request that caused it */
    uint16_t owner; /* of that request (traffic.h) */
};

/* The requests that a bank offers: one queue per lane (bank.h). */
struct access_queue {
    struct dram_access *entry; /* ring */
    uint32_t head;
    struct occupancy use;
};

struct mem_side_config {
    uint32_t banks, lanes;
    struct access_queue *queues; /* not owned, [bank * lanes + lane] */
    uint32_t fetches;            /* of one bank in flight at most */
    uint32_t latency;            /* of the controller and its wires, L2 cycles, may be 0 */
    struct dram_config dram;
};

/* Data that came for a bank. */
struct fetched {
    uint32_t mshr;
    uint8_t sectors;
};

struct mem_side_stats {
    struct queue_stats controller; /* the channel's queue, in DRAM cycles */
    uint64_t stalled;              /* L2 cycles in which it was full and held an access up */
};

struct mem_side;

struct mem_side *mem_side_create(const struct mem_side_config *config, struct error *err);
void mem_side_destroy(struct mem_side *s);

/* The two halves of an L2 cycle: takes finished requests from DRAM; hands one access to it.
 * `dram_cycle` as for mem_side_dram_until. The second returns whether an access was held because
 * the controller's queue was full. */
void mem_side_receive(struct mem_side *s, uint64_t l2_cycle);
bool mem_side_send(struct mem_side *s, uint64_t l2_cycle, uint64_t dram_cycle);

/* The next data for a bank; NULL when none have arrived by this L2 cycle. */
const struct fetched *mem_side_fetched(const struct mem_side *s, uint32_t bank, uint64_t l2_cycle);
void mem_side_take(struct mem_side *s, uint32_t bank);

/* Lets the channel's clock reach `cycle` (the number of DRAM cycles since the start). */
void mem_side_dram_until(struct mem_side *s, uint64_t cycle);

/* First DRAM cycle (absolute) that must be simulated because a command or a completion may be in
 * it; UINT64_MAX when DRAM is idle. */
uint64_t mem_side_dram_wake(const struct mem_side *s);

bool mem_side_idle(const struct mem_side *s);

/* L2 cycles from `l2_cycle` on in which nothing would happen as long as DRAM completes nothing. */
uint64_t mem_side_quiet(const struct mem_side *s, uint64_t l2_cycle);

void mem_side_stats(const struct mem_side *s, struct mem_side_stats *stats);
const struct dram_stats *mem_side_dram_stats(const struct mem_side *s);

/* --- the banks' queues ------------------------------------------------------------------------ */

void access_queue_create(struct access_queue *q, uint32_t size);
void access_queue_destroy(struct access_queue *q);

static inline uint32_t access_queue_room(const struct access_queue *q)
{
    return (uint32_t)q->use.stats.size - q->use.count;
}

static inline void access_queue_push(struct access_queue *q, const struct dram_access *a,
                                     uint64_t now)
{
    uint32_t size = (uint32_t)q->use.stats.size, at = q->head + q->use.count;
    struct dram_access *entry = &q->entry[at < size ? at : at - size];
    *entry = *a;
    entry->since = now;
    occupancy_enter(&q->use, now);
}

#endif
