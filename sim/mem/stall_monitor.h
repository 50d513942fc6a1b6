/* The stall monitor of a memory partition (CM-BAL 3.2.1, 4.1: stall_MC and stall_net), which is a
 * part of the mem_frontend tile: that of the partition's full/empty scheduler, or, in a machine
 * without a synchronised region, a tile of its own.
 *
 * Clock: L2's. A tile of its own is given its edges when the counters are read (so that it costs
 * little), without those at which it would stand still, by its contract. */
#ifndef EVGPU_MEM_STALL_MONITOR_H
#define EVGPU_MEM_STALL_MONITOR_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "tb/tile.h"

struct fe;
struct tile_place; /* tb/tile.h */
struct stall_monitor;

struct stall_monitor_config {
    uint32_t partition;
    enum tile_backend backend;
    const struct tile_place *place;
    struct fe *fe; /* NULL: a tile of its own. Else started, and ticked every L2 cycle */
};

struct stall_monitor *stall_monitor_create(const struct stall_monitor_config *config,
                                           struct error *err);
void stall_monitor_destroy(struct stall_monitor *m);

/* At the end of an L2 cycle, with what was stalled in it; nothing was in the cycles that are left
 * out. False when the back ends differ. */
bool stall_monitor_tick(struct stall_monitor *m, uint64_t l2_cycle, bool memory, bool network,
                        struct error *err);

/* Asks for the counters: they are read and cleared in the next L2 cycle, which must be ticked. */
void stall_monitor_ask(struct stall_monitor *m);
bool stall_monitor_asked(const struct stall_monitor *m); /* and not read yet */

/* True once, when they have been read. */
bool stall_monitor_answer(struct stall_monitor *m, uint16_t *memory, uint16_t *network);

/* For waveforms: every edge at once from here on. NULL: the tile is the scheduler's. */
struct tile *stall_monitor_tile(struct stall_monitor *m);
uint64_t stall_monitor_steps(const struct stall_monitor *m);

#endif
