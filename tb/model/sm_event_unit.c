/* Table, give-back and completion of the golden model, and its tile functions (contracts:
 * rtl/edge/pending_event_warp_table.v, warp_give_back.v, rtl/tiles/sm_event_unit.v). */
#include "tb/model/sm_event_unit_state.h"

#include <stdlib.h>

#include "base/alloc.h"

/* Entry with the smallest exit number among those due, NULL if none. */
static struct seu_entry *first_exit(struct seu *m, bool for_pop)
{
    struct seu_entry *first = NULL;
    for (uint32_t e = 0; e < EVG_PEWT_ENTRIES; e++) {
        struct seu_entry *entry = &m->table[e];
        bool due = for_pop ? entry->pop_due : entry->report_due;
        if (due && (!first || entry->exit < first->exit))
            first = entry;
    }
    return first;
}

static void pop_next(struct seu *m, struct seu_actions *act)
{
    const struct seu_entry *entry = first_exit(m, true);
    if (!entry)
        return;
    m->returning = (uint8_t)(entry - m->table);
    act->popped = true;
    act->returned = entry->fresh;
    m->out.cmd_pop = 1;
    m->out.pop_warp = entry->warp;
    m->out.pop_entry = m->returning;
    if (!entry->fresh)
        m->back = entry->spare ? BACK_STATE_RELEASE : BACK_STATE_RESTORE;
}

static void give_back(struct seu *m, const struct sm_event_unit_in *in, struct seu_actions *act)
{
    struct sm_event_unit_out *out = &m->out;
    const struct seu_entry *entry = &m->table[m->returning];
    out->cmd_pop = out->cmd_restore = out->cmd_release = 0;
    switch (m->back) {
    case BACK_STATE_IDLE:
        pop_next(m, act);
        break;
    case BACK_STATE_RESTORE:
        out->cmd_restore = 1;
        out->restore_warp = entry->warp;
        out->restore_entry = m->returning;
        out->restore_regs = entry->regs;
        m->back = BACK_STATE_RESTORING;
        break;
    case BACK_STATE_RESTORING:
        if (in->restore_done)
            m->back = BACK_STATE_RELEASE;
        break;
    case BACK_STATE_RELEASE:
        out->cmd_release = 1;
        out->release_warp = entry->warp;
        out->release_barrier = entry->barrier && !(in->bar_done >> entry->warp & 1);
        act->returned = true;
        m->back = BACK_STATE_IDLE;
        break;
    }
    act->back_entry = m->returning;
    out->back_state = (uint8_t)m->back;
}

static void accept_event(struct seu *m, const struct sm_event_unit_in *in)
{
    struct seu_entry *entry = m->table;
    while (entry->state != PEWT_STATE_FREE)
        entry++;
    entry->state = PEWT_STATE_PENDING;
    entry->arrival = m->arrivals++;
    entry->kernel = in->ev_kernel;
    entry->param = in->ev_param;
    entry->mask = in->ev_mask;
    entry->dims = in->ev_dims;
    entry->regs = in->ev_regs;
    entry->row = in->ev_row;
    entry->tag = in->ev_tag;
    entry->priority = in->ev_priority;
}

/* The completion port at one edge; entries that exit at this edge come later. */
static void complete(struct seu *m, const struct sm_event_unit_in *in)
{
    struct sm_event_unit_out *out = &m->out;
    if (out->done_valid && !in->done_ready)
        return;
    if (out->done_valid)
        m->table[m->reported].done_owed = false;
    struct seu_entry *entry = first_exit(m, false);
    out->done_valid = entry != NULL;
    if (!entry)
        return;
    entry->report_due = false;
    m->reported = (uint8_t)(entry - m->table);
    out->done_row = entry->row;
    out->done_param = entry->param;
    out->done_tag = entry->tag;
    out->done_aborted = entry->aborted;
}

static void apply_to_entry(struct seu *m, struct seu_entry *entry,
                           const struct sm_event_unit_in *in, const struct seu_actions *act)
{
    uint8_t self = (uint8_t)(entry - m->table);
    bool taking = self == m->taking;
    if (in->bar_done >> entry->warp & 1)
        entry->barrier = false;
    if (act->take && entry->state == PEWT_STATE_PREEMPTING)
        entry->state = PEWT_STATE_PENDING;
    if (act->take && taking)
        entry->state = PEWT_STATE_PREEMPTING;
    if (act->start && taking)
        entry->state = PEWT_STATE_RUNNING;
    if (act->popped && self == act->back_entry)
        entry->pop_due = false;
    if (act->returned && self == act->back_entry)
        entry->back_owed = false;
    if (in->exit_valid && entry->state == PEWT_STATE_RUNNING && entry->warp == in->exit_warp) {
        entry->state = PEWT_STATE_RETURNING;
        entry->exit = m->exits++;
        entry->aborted = in->exit_aborted;
        entry->pop_due = entry->back_owed = true;
        entry->report_due = entry->done_owed = true;
    }
    if (entry->state == PEWT_STATE_RETURNING && !entry->back_owed && !entry->done_owed)
        entry->state = PEWT_STATE_FREE;
    if (act->bind && taking) {
        entry->warp = act->warp;
        entry->fresh = act->fresh;
        entry->spare = act->spare;
        entry->barrier = act->barrier;
    }
}

/* The victims that the registers hold before the edge. */
static uint8_t count_victims(const struct seu *m)
{
    uint8_t victims = m->out.vic_valid;
    for (uint32_t e = 0; e < EVG_PEWT_ENTRIES; e++) {
        const struct seu_entry *entry = &m->table[e];
        bool holds = entry->state == PEWT_STATE_RUNNING || entry->back_owed;
        victims = (uint8_t)(victims + (holds && !entry->fresh));
    }
    return victims;
}

static void count_entries(struct seu *m)
{
    uint8_t used = 0;
    m->out.levels = 0;
    for (uint32_t e = 0; e < EVG_PEWT_ENTRIES; e++) {
        if (m->table[e].state == PEWT_STATE_FREE)
            continue;
        used++;
        m->out.levels |= (uint8_t)(1u << m->table[e].priority);
    }
    m->out.occupancy = used;
    m->out.ev_ready = used < EVG_PEWT_ENTRIES;
}

/* Nothing in the registers that moves by itself. */
static bool is_quiet(const struct seu *m, const struct sm_event_unit_out *old)
{
    for (uint32_t e = 0; e < EVG_PEWT_ENTRIES; e++) {
        const struct seu_entry *entry = &m->table[e];
        if (entry->state == PEWT_STATE_PENDING || entry->pop_due || entry->report_due)
            return false;
    }
    return m->take == TAKE_STATE_IDLE && m->back == BACK_STATE_IDLE && !old->vic_valid &&
           !old->busy && !old->cmd_resume && !old->cmd_pop && !old->cmd_restore &&
           !old->cmd_release && !old->done_valid;
}

void sm_event_unit_model_step(void *model, const void *in_data, void *out_data)
{
    struct seu *m = model;
    const struct sm_event_unit_in *in = in_data;
    const struct sm_event_unit_out old = m->out;
    struct seu_actions act = {0};

    m->out.victims = count_victims(m);
    m->out.idle = is_quiet(m, &old) && !in->ev_valid && !in->exit_valid;
    seu_take(m, in, &old, &act);
    give_back(m, in, &act);
    seu_select_answer(m, in, &old);
    seu_select_request(m, in, &old, &act);
    complete(m, in);
    bool accept = in->ev_valid && old.ev_ready;
    if (accept)
        accept_event(m, in);
    for (uint32_t e = 0; e < EVG_PEWT_ENTRIES; e++)
        apply_to_entry(m, &m->table[e], in, &act);
    count_entries(m);
    *(struct sm_event_unit_out *)out_data = m->out;
}

void sm_event_unit_model_reset(void *model, void *out)
{
    struct seu *m = model;
    *m = (struct seu){.light = -1};
    m->out.ev_ready = 1;
    m->out.idle = 1;
    *(struct sm_event_unit_out *)out = m->out;
}

void *sm_event_unit_model_create(void)
{
    struct seu *m = ALLOC(struct seu);
    sm_event_unit_model_reset(m, &(struct sm_event_unit_out){0});
    return m;
}

void sm_event_unit_model_destroy(void *model)
{
    free(model);
}
