/* One memory partition: the cache banks of a channel (bank.h) and their memory side
 * (memory_side.h). It owns the stages and ticks them from the last to the first; they know each
 * other only through the queues between them. */
#ifndef EVGPU_MEM_PARTITION_H
#define EVGPU_MEM_PARTITION_H

#include "sim/mem/bank.h"
#include "sim/mem/dram/dram_config.h"
#include "sim/mem/memory_side.h"
#include "sim/mem/region/fe_config.h"
#include "sim/mem/stall_monitor.h"

struct partition_config {
    uint32_t banks;
    struct bank_config bank; /* of every bank; `index` and the ports are filled in */
    uint32_t memory_latency; /* mem_side_config.latency */
    struct dram_config dram;
    uint32_t ports; /* of its first bank on the request network: `lanes` to a bank */
    uint32_t port;  /* of its first bank on the reply network */
    uint32_t index;
    struct fe_settings fe; /* bytes 0: no synchronised region */
};

/* The stalls that CM-CPU and CM-BAL monitor (cm-bal, section 4.1), as of the last cycle. */
struct partition_stalls {
    bool memory;  /* a request held because the memory controller is full */
    bool network; /* a reply held because the reply network is full */
};

struct traffic; /* sim/mem/traffic.h */

struct partition_stats {
    struct bank_stats bank; /* summed over the banks */
    struct mem_side_stats memory;
    struct fe_stats fe;
    uint64_t stalled_network; /* L2 cycles with partition_stalls.network */
};

struct partition;

struct partition *partition_create(const struct partition_config *config, struct error *err);
void partition_destroy(struct partition *p);

/* The full/empty scheduler, NULL: no region. */
struct fe *partition_fe(struct partition *p);

/* Makes the stall monitor, once; without, stalls are only counted (partition_stats). */
struct tile_place; /* tb/tile.h */
bool partition_monitor_start(struct partition *p, enum tile_backend backend,
                             const struct tile_place *place, struct error *err);
struct stall_monitor *partition_monitor(struct partition *p); /* NULL before */

/* L2 cycle number `l2_cycle`; it may be left out when partition_quiet says so. `dram_cycle` as for
 * partition_dram_until. False with `err` when the back ends of its tile differ. */
bool partition_tick(struct partition *p, uint64_t l2_cycle, uint64_t dram_cycle, struct error *err);

/* Lets the channel's clock reach `cycle` (the number of DRAM cycles since the start). */
void partition_dram_until(struct partition *p, uint64_t cycle);

/* Nothing in any stage; parked requests count as something. */
bool partition_idle(const struct partition *p);

/* L2 cycles from `l2_cycle` on in which nothing would happen if no request arrives and DRAM
 * completes nothing; UINT64_MAX: for ever. */
uint64_t partition_quiet(const struct partition *p, uint64_t l2_cycle);

/* First DRAM cycle (absolute) that must be simulated because a command or a completion may be in
 * it; UINT64_MAX when DRAM is idle. */
uint64_t partition_dram_wake(const struct partition *p);

struct partition_stalls partition_stalls(const struct partition *p);

/* bank_forget and bank_wake of a bank. */
void partition_forget(struct partition *p, uint32_t bank, uint64_t bank_line);
void partition_warm(struct partition *p, const struct place *place, uint32_t words, bool write);
void partition_wake(struct partition *p, uint32_t bank, uint64_t bank_line);

/* By owner, summed over the banks. */
void partition_add_traffic(const struct partition *p, uint32_t owner, struct traffic *sum);
void partition_clear_traffic(struct partition *p, uint32_t owner);

void partition_get_stats(const struct partition *p, uint64_t l2_cycle,
                         struct partition_stats *stats);

/* The channel's statistics as of the last partition_dram_until. */
const struct dram_stats *partition_dram_stats(const struct partition *p);

#endif
