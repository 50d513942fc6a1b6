/* Concurrency management of the SIMT cores: how many of a core's warps may issue (CM-BAL, sections
 * 4.1 and 4.2; docs/design/concurrency.md).
 *
 * One concurrency_unit tile, an sm_concurrency_unit tile per core, and the stall monitors of the
 * memory partitions (sim/mem/stall_monitor.h). Every policy acts through the limit that the core's
 * tile shows: the tiles' own modes decide it (fixed, cm-cpu, cm-bal), or software writes it to the
 * tile's register LIMIT (dyncta). So all policies are measured alike. Policy `off` makes nothing of
 * this: the cores have all their warps, no cycle and no time differs.
 *
 * Time. The tiles' clock is the core clock; the monitors have that of L2. In core cycle t the cores
 * obey the limits that the tiles show after edge t-1; what they do in it, and the kernels that
 * begin or end in it, is at the tiles' inputs at edge t. Edge 0 is the first of an interval. A
 * monitor answers at the next L2 cycle after it is asked, and is cleared there.
 *
 * Signals of a core with two schedulers, in every cycle (CM-BAL 4.2, Figure 11):
 * - active: the core has resident warps. Without, nothing is counted as a stall, and the tile is
 *   not stepped between two decisions; it goes on deciding, with 0 stalls.
 * - ready: some warp that the limit allows has its next instruction in the i-buffer, and it has
 *   passed the scoreboard. Warps at barriers and fences are not ready. Events always are within the
 *   limit.
 * - full: there is such a warp, but none of them could issue: the register of its unit is taken.
 *   So a scheduler that has not issued is one stall, whatever the cause
 * (docs/papers/open-questions.md). With one scheduler, the second counts as one that always issues.
 *
 * Kernels. A kernel begins in the cycle in which its first block is handed to a core, and ends in
 * that in which its last block is done: a pulse to all cores, since all share what it changes. Of
 * kernels that overlap each one pulses; two pulses in a cycle are one. Kernels of events (EDGE) do
 * not pulse, nor are their one-warp events limited: they are too short and too many.
 *
 * Cost. Inputs are kept as runs of equal cycles and are given to the tiles when their outputs are
 * needed next, once per interval; so those after the last decision of a run are not given. Between
 * a decision and the next tick cm_bal_core changes nothing but its count of stalls, the unit
 * nothing but its count of cycles: C adds these edges up, and the tile gets one edge for them, at
 * which the sum is written to its register, STALL or TIME. At every tick the count of stalls that
 * the tile shows must be that of C, or the run ends with an error. In lockstep, with cm_next_core
 * and in a recorded waveform a tile has every edge at which it does not stand still, and counts
 * itself. */
#ifndef EVGPU_GPU_CONCURRENCY_CONCURRENCY_H
#define EVGPU_GPU_CONCURRENCY_CONCURRENCY_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "evgpu_defs.h"
#include "tb/tile.h"

enum concurrency_policy {
    CONCURRENCY_OFF,
    CONCURRENCY_FIXED,
    CONCURRENCY_CM_CPU,
    CONCURRENCY_CM_BAL,
    CONCURRENCY_CM_NEXT,
    CONCURRENCY_DYNCTA
};

/* Rules of DYNCTA (dyncta.h), in core cycles of a sampling period. */
struct dyncta_settings {
    uint32_t period, idle, memory_low, memory_high;
};

/* The choices of the command line. */
struct concurrency_choice {
    uint32_t policy; /* enum concurrency_policy */
    uint32_t limit;  /* of CONCURRENCY_FIXED: 1..48 */
    uint32_t k;    /* of CONCURRENCY_CM_BAL, _NEXT: 0..2047; CONCURRENCY_INI_K: the configuration's.
                    * CM-BAL: stalls of an interval; cm-next: issues of an interval (cm_next_core.v) */
    bool tuned;    /* DYNCTA with the tuned settings */
    char name[24]; /* as it was written */
};
#define CONCURRENCY_INI_K UINT32_MAX

struct concurrency_config {
    struct concurrency_choice choice;
    uint32_t interval;      /* core cycles between decisions */
    uint32_t t_high, t_low; /* stalls of all partitions together per 100 L2 cycles */
    uint32_t k;             /* of CM-BAL, where the choice has none */
    uint32_t patience, pivot;
    uint32_t watched_core; /* whose averages are in the series */
    struct dyncta_settings dyncta, dyncta_tuned;
};

/* "off", "fixed:N", "cm-cpu", "cm-bal", "cm-bal1" to "cm-bal4", "cm-bal:k=K", "cm-next",
 * "cm-next:k=K", "dyncta" or "dyncta-tuned". */
bool concurrency_parse(const char *text, struct concurrency_choice *choice, struct error *err);

/* One interval, in the order of time. */
struct concurrency_interval {
    uint64_t cycle; /* of the tick that ended it */
    /* stalls in it: memory controllers full, reply network full; of all partitions */
    uint16_t stall_mc, stall_net;
    uint8_t decision; /* enum cm_decision */
    uint8_t active;   /* cores that had warps at its end */
    uint32_t limits;  /* in force in it, summed over all cores */
    uint32_t stalls;  /* stall_GPU, summed over all cores */
    /* Of the watched core; averages after the update with this interval, UINT16_MAX: not valid. */
    uint8_t limit;
    uint16_t stall, own, lower, upper;
};

#define CONCURRENCY_LIMITS (EVG_CM_LEVEL_8 + 1)

struct concurrency_stats {
    const struct concurrency_config *config;
    uint32_t cores;
    const struct concurrency_interval *intervals;
    uint64_t n_intervals;
    uint64_t cycles, active_cycles;          /* active: summed over cores */
    uint64_t limit_cycles;                   /* limit in force, summed over cores and cycles */
    uint64_t active_limit_cycles;            /* the same of active cores */
    uint64_t at_limit[CONCURRENCY_LIMITS];   /* intervals of active cores with this limit */
    uint64_t decisions[3];                   /* by enum cm_decision */
    const uint64_t *core_limit_cycles;       /* per core */
    uint64_t stall_mc, stall_net, stall_gpu; /* of all intervals */
    uint64_t kernels_begun, kernels_ended;   /* pulses */
    uint64_t unit_steps, core_steps;         /* clock edges of the tiles */
    uint64_t monitor_steps;
};

struct concurrency;
struct core;
struct memsys;
struct tile_place;
struct tile_trace;

struct concurrency_env {
    struct core **core; /* [cores], copied */
    uint32_t cores, schedulers, partitions;
    uint32_t core_khz, l2_khz;
    struct memsys *memsys;
    uint64_t *core_wake; /* of a core: set to the cycle in which its limit changes */
    enum tile_backend backend;
    const struct tile_place *place;
};

/* Makes the tiles and puts the policy into force; no simulated time passes. NULL with `err`. */
struct concurrency *concurrency_create(const struct concurrency_config *config,
                                       const struct concurrency_env *env, struct error *err);
void concurrency_destroy(struct concurrency *c);

/* At the start of core cycle `cycle`, before the cores': gives the tiles the edges up to cycle - 1
 * and the cores their limits. False when the tiles' back ends differ. */
bool concurrency_tick(struct concurrency *c, uint64_t cycle, struct error *err);

/* The core has been ticked in this cycle. */
void concurrency_core_ticked(struct concurrency *c, uint32_t core, uint64_t cycle);

/* A kernel's first block goes to a core in this cycle, `most_blocks` of which fit on one, of
 * `block_warps` warps each; its last block is done in this cycle. */
void concurrency_kernel_begins(struct concurrency *c, uint32_t most_blocks, uint32_t block_warps);
void concurrency_kernel_ends(struct concurrency *c);

/* First cycle that concurrency_tick must not leave out. */
uint64_t concurrency_next_event(const struct concurrency *c, uint64_t cycle);

/* Adds the tiles to a waveform; from then on they get every edge at once. */
bool concurrency_trace(struct concurrency *c, struct tile_trace *trace, struct error *err);

/* Before core cycle `cycle`; intervals that have ended, the arrays until the next tick. */
void concurrency_get_stats(struct concurrency *c, uint64_t cycle, struct concurrency_stats *stats);

#endif
