/* The full/empty scheduler of a partition: the mem_frontend tile (rtl/tiles/mem_frontend.v) between
 * L2 and the memory side, for the synchronised region only
 * (full/empty paper, sections 4.2 and 4.3; docs/design/memory.md).
 *
 *   bank -> list of its queue -> tile -> access queue -> memory side, DRAM
 *   bank's reply queue <- tile, in the order of its queue <- answer
 *
 * A request to the region is handed over by its bank before the tags are looked at, and takes a
 * place. There are places for each of the tile's three queues; a request beyond those that the tile
 * holds waits in a list, in order. Requesters keep to the places of the two queues with a trigger
 * (fe_places), so that a bank is never held by requests that wait for a word; those without a
 * trigger always go on.
 *
 * Never stale: the data of a request are read, written or updated (`perform`) when the tile hands
 * it to memory, once, and nothing else keeps a copy: no line of the region is ever in L2, in an
 * MSHR or in L1. So the words and bits of a partition are those of a plain array to which the
 * requests are applied in the order in which they leave the tile; proof of the order is the RTL's.
 *
 * Time: the tile's clock is L2's. Its DRAM accesses are those of a line of the same words; writes
 * use byte masks, and are answered when the memory side has taken them. */
#ifndef EVGPU_MEM_REGION_FE_H
#define EVGPU_MEM_REGION_FE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "evgpu_defs.h"
#include "sim/mem/address_map.h"
#include "sim/mem/region/fe_config.h"
#include "sim/mem/request.h"
#include "sim/mem/traffic.h"

struct access_queue;
struct bank;
struct mem_side;
struct tile_place; /* tb/tile.h */

struct fe_config {
    struct fe_settings settings;
    uint32_t partition;
    uint32_t banks;
    struct bank **bank;            /* not owned */
    struct access_queue *accesses; /* not owned */
    uint32_t side_bank;            /* its number on the memory side */
    uint32_t column_bytes;
    const struct address_map *map; /* not owned */
    void (*perform)(void *user, const struct mem_request *request);
    void *user;
};

/* A head that waits for longer than the time-out. */
struct fe_report {
    struct mem_request request;
    uint32_t words; /* of the line: those that it waits for */
    uint64_t age;   /* L2 cycles */
    uint32_t partition, queue;
};

struct fe;

struct fe *fe_create(const struct fe_config *config, struct error *err);
void fe_destroy(struct fe *f);

/* Makes the tile and runs its start-up, which marks every word full; no simulated time passes.
 * `place`: where the tiles are (tb/tile.h). Before that no request may come. Does
 * nothing the second time. */
bool fe_start(struct fe *f, const struct tile_place *place, struct error *err);
bool fe_started(const struct fe *f);
struct tile *fe_tile(const struct fe *f); /* once started */
uint32_t fe_lines(const struct fe *f);    /* of the region in this partition */

/* Takes a request to the region from a bank; false when its queue has no place left. */
bool fe_take(struct fe *f, const struct mem_request *r, uint32_t bank, uint64_t now);

/* One L2 cycle. False with `err` when the tile's back ends differ. */
bool fe_tick(struct fe *f, struct mem_side *side, uint64_t now, struct error *err);

/* For stall_monitor.h, after fe_tick in every L2 cycle: what was stalled in it, which the tile's
 * stall monitor sees at its next edge; `read`: the counters are to be read. True when they have
 * been, in `mc` and `net`. */
bool fe_stalls(struct fe *f, bool memory, bool network, bool read, uint16_t *mc, uint16_t *net);

/* L2 cycles from `now` on in which nothing happens without a request or data from DRAM. */
uint64_t fe_quiet(const struct fe *f, uint64_t now);
bool fe_idle(const struct fe *f); /* nothing inside */

/* The first head found that waits for longer than the time-out. */
bool fe_timed_out(const struct fe *f, struct fe_report *report);
/* It has been dealt with. The tile reports a head once, so its report stays until the head has
 * left, and is told again as long as it has not. */
void fe_report_over(struct fe *f);

/* Every request inside, in no particular order: for messages. */
void fe_each(const struct fe *f, void (*see)(void *user, const struct mem_request *r, bool left),
             void *user);

/* Number of a request's line in the region's part of this partition, and of its row in the tile. */
uint32_t fe_line(const struct fe *f, const struct mem_request *r);

/* Words that the trigger of the request is against, of the grains that it has words of
 * (fe_bit_ram), as far as that is known here: the tile's bits cannot be read, so that it is what
 * has left the tile and what range commands are over. */
uint32_t fe_against(const struct fe *f, const struct mem_request *r);

/* DRAM traffic by owner (traffic.h). */
const struct traffic *fe_traffic(const struct fe *f, uint32_t owner);
void fe_clear_traffic(struct fe *f, uint32_t owner);

/* Time-outs of which the tile has begun to count the last cycles. */
uint64_t fe_watches(const struct fe *f);

void fe_add_stats(const struct fe *f, struct fe_stats *sum);
void fe_sum(struct fe_stats *sum, const struct fe_stats *one);

/* --- registers (fe_control.c) ----------------------------------------------------------------- */

/* The accesses of a driver to the tile's registers, one after the other. */
enum fe_job_kind {
    FE_JOB_READ,   /* of register `reg` */
    FE_JOB_WRITE,  /* `data` to it */
    FE_JOB_RANGE,  /* `command` (FILL, EMPTY, CLEAR) on words first..last of the partition */
    FE_JOB_RELEASE /* all that wait now leave */
};

struct fe_job {
    uint8_t kind, reg, command;
    uint32_t data, first, last;
    /* When it is over, from within a tick; `code` is the tile's fe_code; of a read, `value`. */
    void (*done)(void *user, uint32_t code, uint32_t value);
    void *user;
};

#define FE_JOBS 64u /* waiting at most */

/* False when too many wait. Registers TIMEOUT_CPU and TIMEOUT_GPU are answered here: a time-out is
 * written to the tile only shortly before it could be over, so that a tile whose heads are blocked
 * stands still until then. */
bool fe_submit(struct fe *f, const struct fe_job *job);

#endif
