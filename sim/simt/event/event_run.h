/* Events on warp slots and the victims under them. Owner: event_run.c. */
#ifndef EVGPU_SIMT_EVENT_EVENT_RUN_H
#define EVGPU_SIMT_EVENT_EVENT_RUN_H

#include "sim/simt/pipeline/warp.h"

struct sm_event_unit_out;

/* An event that runs, and the victim under it. */
struct borrow {
    bool used, fresh, started;
    bool over;    /* the tile has been told of its end */
    bool aborted; /* event_abort: its end is that of an aborted event */
    uint8_t slot;
    uint16_t tag;
    uint32_t registers; /* taken from the free ones */
    struct warp victim;
    uint32_t victim_stores; /* its acknowledgements still to come */
};

/* Masks are over warp slots. */
struct events {
    uint64_t running;      /* an event runs in the slot */
    uint64_t borrowed;     /* victim under or after an event, not yet released */
    uint64_t frozen;       /* victim between the event's pop and its release */
    uint64_t saving;       /* victim whose registers are being, or have been saved */
    uint64_t victim_waits; /* borrowed victim whose barrier has not completed */
    struct borrow borrow[EVENTS];
};

static inline uint64_t events_running(const struct events *e)
{
    return e->running;
}

static inline uint64_t events_borrowed(const struct events *e)
{
    return e->borrowed;
}

static inline uint64_t events_frozen(const struct events *e)
{
    return e->frozen;
}

/* Slots whose own warp's registers are not its own to write. */
static inline uint64_t events_displaced(const struct events *e)
{
    return e->borrowed | e->saving;
}

static inline bool event_on(const struct events *e, uint32_t w)
{
    return e->running >> w & 1;
}

static inline bool event_victim_waits(const struct events *e, uint32_t w)
{
    return e->victim_waits >> w & 1;
}

static inline uint16_t event_tag(const struct events *e, uint32_t entry)
{
    return e->borrow[entry].tag;
}

/* The victim's barrier has completed. */
static inline void event_victim_woken(struct events *e, uint32_t w)
{
    e->victim_waits &= ~BIT(w);
}

static inline void event_victim_stored(struct events *e, uint32_t entry)
{
    e->borrow[entry].victim_stores--;
}

/* Victims of the owner's kernels, or of the grid, under events: they exit when they are given back.
 */
void events_end_owner(struct events *e, uint32_t owner);
void events_end_grid(struct events *e, const struct grid *grid);
void event_issued(struct core *c, uint32_t w);
/* All its instructions, stores included, are done: the tile is told. */
void event_finished(struct core *c, uint32_t w);
/* The event on the slot is being aborted. */
bool event_aborted(const struct core *c, uint32_t w);
void event_push(struct core *c, const struct sm_event_unit_out *out);
void event_pop(struct core *c, uint32_t slot, uint32_t entry);
void event_release(struct core *c, uint32_t slot, bool barrier);
void event_saves(struct core *c, uint32_t slot);
void event_resume(struct core *c, uint32_t slot);

#endif
