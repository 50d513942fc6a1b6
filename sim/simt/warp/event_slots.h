/* The actions of the event unit on each warp slot, and the happenings there that it has to
 * know. The event room writes the former, the pipeline the latter. All of it is in this header. */
#ifndef EVGPU_SIMT_WARP_EVENT_SLOTS_H
#define EVGPU_SIMT_WARP_EVENT_SLOTS_H

#include "sim/simt/warp/units.h"

/* Masks are over warp slots. */
struct event_slots {
    uint64_t running;      /* an event runs in the slot */
    uint64_t borrowed;     /* victim under or after an event, not yet released */
    uint64_t frozen;       /* victim between the event's pop and its release */
    uint64_t saving;       /* victim whose registers are being, or have been saved */
    uint64_t victim_waits; /* borrowed victim whose barrier has not completed */
    uint64_t victim;       /* the victim that is being flushed */
    uint64_t held;         /* the same, while it must not be fetched for */
    uint64_t urgent;       /* the same, while it issues before others */
    uint64_t died;         /* slots whose own warp has exited since the tile's last clock edge */
    uint64_t barrier_done; /* victims whose barrier has completed since then */
};

/* --- questions -------------------------------------------------------------------------------- */

static inline uint64_t events_running(const struct event_slots *e)
{
    return e->running;
}

static inline uint64_t events_borrowed(const struct event_slots *e)
{
    return e->borrowed;
}

static inline uint64_t events_frozen(const struct event_slots *e)
{
    return e->frozen;
}

/* Slots whose own warp's registers are not its own to write. */
static inline uint64_t events_displaced(const struct event_slots *e)
{
    return e->borrowed | e->saving;
}

static inline bool event_on(const struct event_slots *e, uint32_t w)
{
    return e->running >> w & 1;
}

static inline bool event_victim_waits(const struct event_slots *e, uint32_t w)
{
    return e->victim_waits >> w & 1;
}

static inline uint64_t events_victim(const struct event_slots *e)
{
    return e->victim;
}

static inline uint64_t events_held(const struct event_slots *e)
{
    return e->held;
}

static inline uint64_t events_urgent(const struct event_slots *e)
{
    return e->urgent;
}

static inline uint64_t events_died(const struct event_slots *e)
{
    return e->died;
}

static inline uint64_t events_barrier_done(const struct event_slots *e)
{
    return e->barrier_done;
}

/* --- from the event unit ---------------------------------------------------------------------- */

static inline void events_start(struct event_slots *e, uint32_t w)
{
    e->running |= BIT(w);
}

static inline void events_stop(struct event_slots *e, uint32_t w)
{
    e->running &= ~BIT(w);
}

/* An event takes the slot of a victim, which may wait at a barrier. */
static inline void events_borrow(struct event_slots *e, uint32_t w, bool waits)
{
    e->borrowed |= BIT(w);
    e->saving &= ~BIT(w);
    if (waits)
        e->victim_waits |= BIT(w);
}

static inline void events_freeze(struct event_slots *e, uint32_t w)
{
    e->frozen |= BIT(w);
}

static inline void events_release(struct event_slots *e, uint32_t w)
{
    e->frozen &= ~BIT(w);
    e->borrowed &= ~BIT(w);
    e->victim_waits &= ~BIT(w);
}

static inline void events_save(struct event_slots *e, uint32_t w)
{
    e->saving |= BIT(w);
}

static inline void events_resume(struct event_slots *e, uint32_t w)
{
    e->saving &= ~BIT(w);
}

/* The victim of this cycle as a mask, and how it is treated. */
static inline void events_flush(struct event_slots *e, uint64_t victim, bool hold, bool urgent)
{
    e->victim = victim;
    e->held = hold ? victim : 0;
    e->urgent = urgent ? victim : 0;
}

/* The tile has seen who died and whose barrier has completed. */
static inline void events_seen(struct event_slots *e)
{
    e->died = e->barrier_done = 0;
}

/* --- to the event unit ------------------------------------------------------------------------ */

/* The slot's own warp has exited. */
static inline void event_slot_died(struct event_slots *e, uint32_t w)
{
    e->died |= BIT(w);
}

/* The barrier that the victim waits at has completed. */
static inline void event_victim_woken(struct event_slots *e, uint32_t w)
{
    e->barrier_done |= BIT(w);
    if (e->borrowed >> w & 1)
        e->victim_waits &= ~BIT(w);
}

#endif
