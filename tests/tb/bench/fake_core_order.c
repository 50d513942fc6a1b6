/* The contract of pending_order (rtl/edge/pending_order.v) for the fake core: which event the tile
 * may try to get a warp for. */
#include "tests/tb/bench/fake_core_state.h"

/* Of the events that came so many cycles ago, and that no push was accepted for, with fewer than so
 * many registers and from that priority on: the oldest, or the oldest of the highest priority. */
static struct fake_event *best_waiting(struct fake_core *core, uint32_t ago, bool by_priority,
                                       uint32_t regs, uint32_t from)
{
    struct fake_event *best = NULL;
    for (uint32_t e = 0; e < EVG_PEWT_ENTRIES; e++) {
        struct fake_event *event = &core->events[e];
        if (!event->used || event->pushed || event->accepted_at + ago > core->cycle ||
            event->regs >= regs || event->priority < from)
            continue;
        if (!best || (by_priority && event->priority > best->priority) ||
            ((!by_priority || event->priority == best->priority) &&
             event->accepted_at < best->accepted_at))
            best = event;
    }
    return best;
}

/* As the ration was when it was looked for: two edges before the one that takes it. */
static struct fake_event *lighter_one(struct fake_core *core)
{
    const struct fake_ration *ration = &core->ration_before[1];
    if (ration->lights == EVG_PASS_LIMIT)
        return NULL;
    return best_waiting(core, 3, true, core->taken->regs, ration->all ? 0 : core->turn->priority);
}

bool fake_core_note_take(struct fake_core *core, const struct sm_event_unit_out *out,
                         struct error *err)
{
    if (out->take_state == TAKE_STATE_IDLE || core->last_out.take_state != TAKE_STATE_IDLE)
        return true;
    struct fake_event *next = best_waiting(core, 2, core->passed < EVG_PASS_LIMIT, UINT32_MAX, 0);
    CHECK(next, "a warp is sought without an event");
    struct fake_event *light = core->taken && next == core->turn ? lighter_one(core) : NULL;
    CHECK(!core->taken || light || next != core->taken, "event %u is put back for itself",
          next->tag);
    CHECK(!core->taken || out->want_drain, "no draining for event %u", core->turn->tag);
    core->counts[FAKE_PUT_BACK] += core->taken != NULL;
    core->tried = 0;
    core->lighter = light != NULL;
    core->taken = light ? light : next;
    if (!light)
        core->turn = next;
    return true;
}

void fake_core_turn_over(struct fake_core *core, const struct fake_event *event)
{
    if (event == best_waiting(core, 2, false, UINT32_MAX, 0))
        core->passed = 0;
    else if (!core->lighter)
        core->passed++;
    if (!core->lighter) {
        core->ration = (struct fake_ration){0};
        return;
    }
    core->ration.lights++;
    core->counts[FAKE_LIGHTER]++;
}

void fake_core_keep_ration(struct fake_core *core, const struct sm_event_unit_out *out)
{
    struct fake_ration *ration = &core->ration;
    core->ration_before[1] = core->ration_before[0];
    core->ration_before[0] = *ration;
    if (!core->taken || out->victims || ++ration->calm < EVG_DRAIN_CYCLES)
        return;
    *ration = (struct fake_ration){.all = true};
}
