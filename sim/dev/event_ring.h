/* The circular submission/completion queue pair as the external device sees it (EDGE III-B, III-D,
 * Figure 8): one flag per entry, free, busy or done, in the device's own memory. The device takes
 * entries at the head, the GPU marks them done in any order, the device consumes them at the tail
 * in order. When the entry at the head is not free the device waits, so nothing is overwritten.
 *
 * The flags belong to the caller (in the NIC: its completion queue memory, in device code: the
 * queue that the CPU allocated), `entries` words, all free at the start. */
#ifndef EVGPU_DEV_EVENT_RING_H
#define EVGPU_DEV_EVENT_RING_H

#include <stdbool.h>
#include <stdint.h>

#include "evgpu_defs.h"

enum { EVENT_FREE = 0, EVENT_BUSY = 1, EVENT_DONE = COMPLETION_DONE };

struct event_ring {
    volatile uint32_t *flags;
    uint32_t entries; /* maximum events in flight, > 0 */
    uint32_t head;    /* the next entry to launch */
    uint32_t tail;    /* the oldest entry not yet consumed */
};

static inline uint32_t event_ring_next(const struct event_ring *r, uint32_t entry)
{
    return entry + 1 == r->entries ? 0 : entry + 1;
}

/* The entry at the head may be filled. */
static inline bool event_ring_can_launch(const struct event_ring *r)
{
    return r->flags[r->head] == EVENT_FREE;
}

/* Marks the head busy and moves on; ring the doorbell after this. Returns the entry. */
static inline uint32_t event_ring_launch(struct event_ring *r)
{
    uint32_t entry = r->head;

    r->flags[entry] = EVENT_BUSY;
    r->head = event_ring_next(r, entry);
    return entry;
}

static inline bool event_ring_done(const struct event_ring *r, uint32_t entry)
{
    return r->flags[entry] == EVENT_DONE;
}

/* Frees the tail, whose results have been consumed, and moves on. Returns the entry. */
static inline uint32_t event_ring_release(struct event_ring *r)
{
    uint32_t entry = r->tail;

    r->flags[entry] = EVENT_FREE;
    r->tail = event_ring_next(r, entry);
    return entry;
}

#endif
