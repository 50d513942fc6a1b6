/* Answers of the core to the commands of the sm_event_unit tile, which sees them at its next clock
 * edge. All of it is in this header. Owner: event_port.c. */
#ifndef EVGPU_SIMT_EVENT_ANSWERS_H
#define EVGPU_SIMT_EVENT_ANSWERS_H

#include "sim/simt/warp/slots.h"

struct event_answers {
    bool push_ok, push_fail, save_done, restore_done;
    uint8_t exits[SLOTS]; /* slots of events that have ended, in that order */
    uint32_t exit_count;
};

static inline void answer_push(struct event_answers *a, bool ok)
{
    *(ok ? &a->push_ok : &a->push_fail) = true;
}

/* An event has been pushed since the tile's last clock edge. */
static inline bool answer_push_unseen(const struct event_answers *a)
{
    return a->push_ok;
}

static inline void answer_transfer(struct event_answers *a, bool restore)
{
    *(restore ? &a->restore_done : &a->save_done) = true;
}

/* All of the event's instructions, stores included, are done: reported one per clock edge. */
static inline void answer_exit(struct event_answers *a, uint32_t w)
{
    a->exits[a->exit_count++] = (uint8_t)w;
}

static inline bool answers_pending(const struct event_answers *a)
{
    return a->push_ok || a->push_fail || a->save_done || a->restore_done || a->exit_count;
}

/* The tile has seen these. */
static inline void answers_seen(struct event_answers *a)
{
    a->push_ok = a->push_fail = a->save_done = a->restore_done = false;
    if (!a->exit_count)
        return;
    a->exit_count--;
    for (uint32_t i = 0; i < a->exit_count; i++)
        a->exits[i] = a->exits[i + 1];
}

#endif
