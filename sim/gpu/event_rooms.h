/* Room for events: with event.room each core has an sm_room_unit tile, which watches the core's
 * event unit and says how many contexts and registers background blocks leave free there
 * (rtl/cm/event_room.v, docs/design/concurrency.md).
 *
 * A tile is clocked in the cycle after a change in its core's table, in cycles in which an event
 * enters it, at the end of an interval, and until it is idle; between these it stands still. All
 * intervals of all cores end in the same cycles. Events then wait in the table of their core,
 * whatever event.drain says, since a tile does not see those that wait elsewhere. */
#ifndef EVGPU_GPU_EVENT_ROOMS_H
#define EVGPU_GPU_EVENT_ROOMS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"

struct gpu;
struct tile_trace;
struct event_rooms;

struct event_rooms_stats {
    bool on;
    uint64_t context_cycles;  /* kept for events, summed over cores and cycles; those in use too */
    uint64_t register_cycles; /* the same of registers */
    uint64_t steps;           /* clock edges of the tiles */
};

/* Leaves gpu->rooms NULL without event.room. */
bool event_rooms_create(struct gpu *gpu, struct error *err);
void event_rooms_destroy(struct event_rooms *rooms, uint32_t cores);
/* This cycle's edges, before those of the event units. */
bool event_rooms_tick(struct gpu *gpu, struct error *err);
/* The cycle of the next edge, UINT64_MAX: none before an event comes. */
uint64_t event_rooms_next(const struct gpu *gpu);
bool event_rooms_trace(const struct gpu *gpu, struct tile_trace *trace, struct error *err);
void event_rooms_stats(const struct gpu *gpu, struct event_rooms_stats *stats);

#endif
