/* The take controller of the golden model (contract: rtl/edge/warp_take_ctrl.v). */
#include "tb/model/sm_event_unit_state.h"
#include "tb/model/victim/policy.h"

/* What is free is for the event whose turn it is. */
static bool registers_fit(const struct seu *m, const struct sm_event_unit_in *in)
{
    return !m->lighter && in->core_free_regs >= m->event_regs;
}

static bool is_flushed(const struct sm_event_unit_in *in)
{
    bool barrier_in_the_way = in->vic_barrier && !(in->cfg_opts & EVG_OPT_SKIP_BARRIER);
    return !in->vic_ibuf && !in->vic_fetch && !in->vic_pipe && !in->vic_loads && !in->vic_atomic &&
           !barrier_in_the_way;
}

static bool may_drop(const struct sm_event_unit_in *in)
{
    return (in->cfg_opts & EVG_OPT_DROP_LOADS) && in->vic_loads && !in->vic_younger &&
           !in->vic_pipe && !in->vic_atomic && !in->vic_barrier;
}

static void command_push(struct seu *m, const struct sm_event_unit_in *in, struct seu_actions *act,
                         bool fresh, bool spare)
{
    struct sm_event_unit_out *out = &m->out;
    act->bind = true;
    act->fresh = fresh;
    act->spare = spare;
    act->warp = fresh ? in->core_free_slot : out->vic_warp;
    act->barrier = !fresh && in->vic_barrier && !(in->bar_done >> out->vic_warp & 1);
    out->cmd_push = 1;
    out->push_warp = act->warp;
    out->push_fresh = fresh;
    out->push_spare = spare;
    m->take = TAKE_STATE_PUSH;
}

static void show_event(struct seu *m)
{
    const struct seu_entry *entry = &m->table[m->taking];
    struct sm_event_unit_out *out = &m->out;
    out->push_entry = m->taking;
    out->push_kernel = entry->kernel;
    out->push_param = entry->param;
    out->push_mask = entry->mask;
    out->push_dims = entry->dims;
    out->push_regs = entry->regs;
    out->push_row = entry->row;
    out->push_tag = entry->tag;
}

static void command_save(struct seu *m)
{
    m->out.cmd_save = 1;
    m->out.save_entry = m->taking;
    m->out.save_regs = m->event_regs;
    m->take = TAKE_STATE_SAVE;
}

static void let_go(struct seu *m, bool alive)
{
    m->out.cmd_resume = alive;
    m->out.vic_valid = 0;
    m->take = TAKE_STATE_CHOOSE;
}

static void begin_flush(struct seu *m, const struct sm_event_unit_in *in)
{
    m->flush_edges = 0;
    m->flush_limit = in->cfg_flush_limit;
    m->take = TAKE_STATE_FLUSH;
}

/* The file has registers for the event, whatever the victim has. */
static bool brings_registers(const struct seu *m, const struct sm_event_unit_in *in)
{
    return in->cfg_spare && registers_fit(m, in);
}

static void start_scan(struct seu *m, const struct sm_event_unit_in *in, struct seu_actions *act)
{
    act->scan = true;
    m->any = brings_registers(m, in);
    m->take = TAKE_STATE_SCAN;
}

static bool is_waiting(const struct seu_entry *entry)
{
    return entry->state == PEWT_STATE_PENDING || entry->state == PEWT_STATE_PREEMPTING;
}

/* The oldest entry that waits for a warp or is being given one, with fewer than so many registers
 * and not below the priority `from`, or the oldest of the highest priority; NULL if there is none.
 */
static const struct seu_entry *oldest_waiting(const struct seu *m, bool by_priority, uint32_t regs,
                                              uint32_t from)
{
    const struct seu_entry *best = NULL;
    for (uint32_t e = 0; e < EVG_PEWT_ENTRIES; e++) {
        const struct seu_entry *entry = &m->table[e];
        if (!is_waiting(entry) || entry->regs >= regs || entry->priority < from)
            continue;
        if (!best || (by_priority && entry->priority > best->priority) ||
            ((!by_priority || entry->priority == best->priority) && entry->arrival < best->arrival))
            best = entry;
    }
    return best;
}

/* The event to try next; NULL if there is none but the one that is tried. */
static const struct seu_entry *next_to_try(const struct seu *m, bool *lighter)
{
    const uint32_t any = 1u << 7;
    const struct seu_entry *next = oldest_waiting(m, m->passed < EVG_PASS_LIMIT, any, 0);
    *lighter = false;
    if (m->light >= 0 && next == &m->table[m->turn]) {
        *lighter = true;
        next = &m->table[m->light];
    }
    return m->trying && next == &m->table[m->taking] ? NULL : next;
}

/* The one that is tried runs: its turn, if it was, is over. */
static void leave_order(struct seu *m)
{
    if (&m->table[m->taking] == oldest_waiting(m, false, 1u << 7, 0))
        m->passed = 0;
    else if (!m->lighter)
        m->passed++;
    m->trying = false;
}

static void take_next(struct seu *m, struct seu_actions *act)
{
    bool lighter;
    const struct seu_entry *next = next_to_try(m, &lighter);
    if (!next)
        return;
    act->take = true;
    m->taking = (uint8_t)(next - m->table);
    m->trying = true;
    m->lighter = lighter;
    if (!lighter)
        m->turn = m->taking;
    m->event_regs = next->regs;
    m->any = false;
    m->tried = 0;
    m->swaps = 0;
    m->take = TAKE_STATE_CHOOSE;
}

static void end_scan(struct seu *m, struct seu_actions *act)
{
    if (m->select.found) {
        act->confirm = true;
        m->out.vic_valid = 1;
        m->out.vic_warp = m->select.warp;
        m->take = TAKE_STATE_CONFIRM;
    } else {
        m->tried = 0;
        m->out.want_drain = 1;
        bool lighter;
        m->rescan = next_to_try(m, &lighter) && lighter ? 0 : EVG_RESCAN_CYCLES;
        m->take = TAKE_STATE_WAIT;
    }
}

static bool takes_ready(const struct sm_event_unit_in *in)
{
    return in->cfg_preempt && victim_policy_of(in->cfg_policy)->takes_ready;
}

/* Is there a warp that can be flushed at once, and does the policy take it? */
static bool ready_warp(const struct seu *m, const struct sm_event_unit_in *in,
                       const struct sm_event_unit_out *old, uint8_t *warp, bool *drop)
{
    return old->now_req && takes_ready(in) && seu_ready_warp(m, in, warp, drop);
}

/* It becomes the victim, if the controller has none. */
static bool take_ready(struct seu *m, const struct sm_event_unit_in *in,
                       const struct sm_event_unit_out *old, struct seu_actions *act)
{
    bool drop = false;
    uint8_t warp = 0;
    if (m->take != TAKE_STATE_CHOOSE && m->take != TAKE_STATE_SCAN && m->take != TAKE_STATE_WAIT)
        return false;
    if (!ready_warp(m, in, old, &warp, &drop))
        return false;
    act->stop = true;
    m->any = brings_registers(m, in);
    m->out.vic_valid = 1;
    m->out.vic_warp = warp;
    m->out.cmd_drop = drop;
    m->out.cmd_flush = !drop && (in->cfg_opts & EVG_OPT_FLUSH_IBUF);
    begin_flush(m, in);
    return true;
}

static void flush(struct seu *m, const struct sm_event_unit_in *in,
                  const struct sm_event_unit_out *old, struct seu_actions *act)
{
    bool drop = false;
    uint8_t other = 0;
    m->flush_edges++;
    if (!in->vic_alive) {
        let_go(m, false);
    } else if (!is_flushed(in) && m->swaps < EVG_READY_SWAPS &&
               ready_warp(m, in, old, &other, &drop)) {
        m->swaps++;
        let_go(m, true);
    } else if (!is_flushed(in) && m->flush_edges == m->flush_limit) {
        m->tried |= (uint64_t)1 << m->out.vic_warp;
        m->out.timed_out = 1;
        let_go(m, true);
    } else if (!is_flushed(in)) {
        m->out.cmd_drop = may_drop(in);
        m->out.cmd_flush = (in->cfg_opts & EVG_OPT_FLUSH_IBUF) && in->vic_ibuf && !m->out.cmd_drop;
    } else if (registers_fit(m, in)) {
        command_push(m, in, act, false, true);
    } else if (m->any) {
        m->out.want_drain = 1;
        let_go(m, true);
    } else {
        command_save(m);
    }
}

static void end_push(struct seu *m, const struct sm_event_unit_in *in,
                     const struct sm_event_unit_out *old, struct seu_actions *act)
{
    if (in->push_ok) {
        act->start = true;
        m->out.vic_valid = 0;
        m->out.want_drain &= m->lighter;
        m->take = TAKE_STATE_IDLE;
        leave_order(m);
    } else if (in->push_fail) {
        m->out.want_drain = 1;
        if (old->push_spare && !m->any)
            command_save(m);
        else
            let_go(m, !old->push_fresh && in->vic_alive);
    }
}

static void wait(struct seu *m, const struct sm_event_unit_in *in,
                 const struct sm_event_unit_out *old, struct seu_actions *act)
{
    bool lighter;
    bool other = next_to_try(m, &lighter) != NULL;
    bool may_qualify = old->cmd_release || (brings_registers(m, in) && !m->any);
    if (other && (in->cfg_preempt ? m->rescan == 0 && !may_qualify : !lighter))
        m->take = TAKE_STATE_IDLE;
    else if (in->cfg_preempt && (m->rescan == 0 || may_qualify))
        start_scan(m, in, act);
    else if (m->rescan > 0)
        m->rescan--;
}

/* May the event still go to a free context? */
static bool has_choice(const struct seu *m, const struct sm_event_unit_in *in, bool scanned)
{
    switch (m->take) {
    case TAKE_STATE_CHOOSE:
    case TAKE_STATE_WAIT:
        return true;
    case TAKE_STATE_SCAN:
        return scanned;
    case TAKE_STATE_FLUSH:
        return in->vic_alive && !is_flushed(in);
    default:
        return false;
    }
}

static void dispatch(struct seu *m, const struct sm_event_unit_in *in,
                     const struct sm_event_unit_out *old, struct seu_actions *act, bool scanned,
                     bool confirmed)
{
    switch (m->take) {
    case TAKE_STATE_IDLE:
        take_next(m, act);
        break;
    case TAKE_STATE_CHOOSE:
        if (in->cfg_preempt) {
            start_scan(m, in, act);
        } else {
            m->out.want_drain = 1;
            m->take = TAKE_STATE_WAIT;
        }
        break;
    case TAKE_STATE_SCAN:
        if (scanned)
            end_scan(m, act);
        break;
    case TAKE_STATE_CONFIRM:
        if (!in->vic_alive || (confirmed && !m->select.confirm_ok))
            let_go(m, in->vic_alive);
        else if (confirmed)
            begin_flush(m, in);
        break;
    case TAKE_STATE_FLUSH:
        flush(m, in, old, act);
        break;
    case TAKE_STATE_SAVE:
        if (in->save_done)
            command_push(m, in, act, false, false);
        break;
    case TAKE_STATE_PUSH:
        end_push(m, in, old, act);
        break;
    case TAKE_STATE_WAIT:
        wait(m, in, old, act);
        break;
    }
}

/* The best of the lighter ones that the ration of the turn allows; NULL: none. */
static const struct seu_entry *lighter_one(const struct seu *m)
{
    if (!m->trying || m->ration.lights == EVG_PASS_LIMIT)
        return NULL;
    return oldest_waiting(m, true, m->event_regs, m->ration.all ? 0 : m->table[m->turn].priority);
}

static void keep_ration(struct seu *m, bool calm, bool started)
{
    bool renew = calm && m->ration.calm == EVG_DRAIN_CYCLES - 1;
    if (started && !m->lighter) {
        m->ration.lights = m->ration.calm = 0;
        m->ration.all = false;
        return;
    }
    m->ration.lights = (renew ? 0 : m->ration.lights) + started;
    m->ration.calm = renew ? 0 : m->ration.calm + calm;
    m->ration.all |= renew;
}

void seu_take(struct seu *m, const struct sm_event_unit_in *in, const struct sm_event_unit_out *old,
              struct seu_actions *act)
{
    const struct seu_entry *light = lighter_one(m);
    bool calm = m->trying && old->victims == 0;
    bool scanned = seu_select_done(&m->select);
    bool confirmed = seu_select_confirmed(&m->select);
    m->out.cmd_flush = m->out.cmd_drop = m->out.cmd_resume = m->out.timed_out = 0;
    m->out.cmd_save = m->out.cmd_push = 0;
    if (m->take == TAKE_STATE_CHOOSE)
        show_event(m);

    if (has_choice(m, in, scanned) && in->core_free_warp && registers_fit(m, in)) {
        m->out.cmd_resume = old->vic_valid;
        m->out.vic_valid = 0;
        command_push(m, in, act, true, false);
    } else if (!take_ready(m, in, old, act)) {
        dispatch(m, in, old, act, scanned, confirmed);
    }

    keep_ration(m, calm, act->start);
    m->light = (int8_t)(!light || act->take || act->start ? -1 : light - m->table);
    struct sm_event_unit_out *out = &m->out;
    out->cmd_hold = out->vic_valid;
    out->cmd_prio = out->vic_valid && (in->cfg_opts & EVG_OPT_PRIORITY);
    out->cmd_skip = out->vic_valid && (in->cfg_opts & EVG_OPT_SKIP_BARRIER);
    out->busy = m->take == TAKE_STATE_CONFIRM || m->take == TAKE_STATE_FLUSH ||
                m->take == TAKE_STATE_SAVE || m->take == TAKE_STATE_PUSH;
    out->claim_regs = m->any && (out->busy || m->take == TAKE_STATE_SCAN) ? m->event_regs : 0;
    bool open = m->take == TAKE_STATE_CHOOSE || m->take == TAKE_STATE_SCAN ||
                m->take == TAKE_STATE_WAIT || m->take == TAKE_STATE_FLUSH;
    out->now_req = open && !m->lighter && takes_ready(in);
    out->now_regs = m->event_regs;
    out->take_state = (uint8_t)m->take;
}
