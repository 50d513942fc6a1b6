/* Events on warp slots and the victims under them. Owner: event_run.c. */
#ifndef EVGPU_SIMT_EVENT_EVENT_RUN_H
#define EVGPU_SIMT_EVENT_EVENT_RUN_H

#include "sim/simt/warp/slots.h"

struct event_unit;
struct sm_event_unit_out;

/* An event that runs, and the victim under it. */
struct borrow {
    bool used, fresh;
    bool over;    /* the tile has been told of its end */
    bool aborted; /* event_abort: its end is that of an aborted event */
    uint8_t slot;
    uint32_t registers; /* taken from the free ones */
    struct warp victim;
};

struct event_run {
    struct borrow borrow[EVENTS];
};

/* Victims of the owner's kernels, or of the grid, under events: they exit when they are given back.
 */
void events_end_owner(struct event_run *r, uint32_t owner);
void events_end_grid(struct event_run *r, const struct grid *grid);
/* As core_lent_warps. */
uint32_t events_victims(const struct event_run *r, const struct kernel **kernel);
/* As core_abort_event. */
bool event_abort(struct event_unit *e, uint32_t row, uint64_t entry, bool *begun);
/* All its instructions, stores included, are done: the tile is told. */
void event_finished(struct event_unit *e, uint32_t w);
/* The event on the slot is being aborted. */
bool event_aborted(const struct event_unit *e, uint32_t w);
/* Slots whose warps cannot exit now, although they are doomed. */
uint64_t events_not_to_reap(const struct event_unit *e);
void event_push(struct event_unit *e, const struct sm_event_unit_out *out);
void event_pop(struct event_unit *e, uint32_t slot, uint32_t entry);
void event_release(struct event_unit *e, uint32_t slot, bool barrier);
void event_resume(struct event_unit *e, uint32_t slot);

#endif
