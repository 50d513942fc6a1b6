/* Golden model of rtl/tiles/sm_room_unit.v, from the contract in rtl/cm/event_room.v. */
#include "sm_room_unit.h"

#include <stdbool.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "evgpu_defs.h"

enum {
    DECAY = 2, /* Decay of event_room */
    MEAN_ONE = 256,
    TO_MEAN = 3, /* edges from that of a tick to that which shows its mean */
    TO_ROOM = 4, /* ... that of a change to that which shows the room */
    DELAYS = TO_ROOM + 1
};

/* What happened at an edge. */
struct moment {
    bool change, tick;
    uint32_t sum; /* event cycles of the interval that the tick ended */
};

struct room {
    uint32_t events, last;      /* since `at` = last */
    uint32_t sum;               /* event cycles of this interval before that */
    uint32_t recent, event;     /* registers: of this interval, of an event */
    struct moment past[DELAYS]; /* by edge % DELAYS */
    uint32_t edge;
    struct sm_room_unit_out out;
};

static uint32_t larger(uint32_t a, uint32_t b)
{
    return a > b ? a : b;
}

static const struct moment *before(const struct room *r, uint32_t edges)
{
    return &r->past[(r->edge + DELAYS - edges) % DELAYS];
}

static struct moment integrate(struct room *r, const struct sm_room_unit_in *in)
{
    struct moment m = {.tick = in->tick, .change = in->tick || in->take || in->events != r->events};
    if (!m.change)
        return m;
    r->sum += r->events * (in->at - r->last);
    m.sum = r->sum;
    r->sum = in->tick ? 0 : r->sum;
    r->last = in->tick ? 0 : in->at;
    r->events = in->events;
    return m;
}

static void remember_registers(struct room *r, const struct sm_room_unit_in *in, bool forget)
{
    uint32_t recent = larger(r->recent, in->take ? in->regs : 0);
    if (in->tick && recent)
        r->event = recent;
    else if (recent > r->event)
        r->event = recent;
    else if (forget && !recent)
        r->event = 0;
    r->recent = in->tick ? 0 : recent;
}

static void set_room(struct room *r, const struct sm_room_unit_in *in, uint32_t mean, uint32_t regs)
{
    uint32_t warps = mean ? (mean + MEAN_ONE - 1) / MEAN_ONE + in->cfg_margin : 0;
    r->out.warps = (uint8_t)(warps < EVG_PEWT_ENTRIES ? warps : EVG_PEWT_ENTRIES);
    r->out.regs = (uint16_t)(r->out.warps * regs);
}

void sm_room_unit_model_step(void *model, const void *in_data, void *out)
{
    const struct sm_room_unit_in *in = in_data;
    struct room *r = model;
    uint32_t mean = r->out.mean, regs = r->event;
    r->edge = (r->edge + 1) % DELAYS;
    struct moment now = integrate(r, in);
    r->past[r->edge] = now;
    remember_registers(r, in, before(r, TO_ROOM)->tick && !mean);
    if (before(r, TO_ROOM)->change)
        set_room(r, in, mean, regs);
    if (before(r, TO_MEAN)->tick) {
        uint32_t sample = before(r, TO_MEAN)->sum * MEAN_ONE >> in->cfg_shift;
        uint32_t less = (mean + (1u << DECAY) - 1) >> DECAY;
        r->out.mean = (uint16_t)larger(sample, mean - less);
    }
    r->out.idle = 1;
    for (uint32_t i = 0; i < TO_ROOM; i++)
        r->out.idle &= !before(r, i)->change;
    *(struct sm_room_unit_out *)out = r->out;
}

void sm_room_unit_model_reset(void *model, void *out)
{
    struct room *r = model;
    *r = (struct room){.out = {.idle = 1}};
    *(struct sm_room_unit_out *)out = r->out;
}

void *sm_room_unit_model_create(void)
{
    return ALLOC(struct room);
}

void sm_room_unit_model_destroy(void *model)
{
    free(model);
}
