/* The core's side of the sm_event_unit tile: its input ports from the core's state, and its
 * commands. */
#include "sim/simt/event/event_port.h"

#include <string.h>

#include "sim/simt/event/event.h"
#include "sm_event_unit.h"

#define PIPE_MAX 511 /* what cand_pipe can say */

/* Writes `width` bits at bit `at` of a wide port. */
static void put_bits(uint32_t *words, uint32_t at, uint32_t width, uint32_t value)
{
    uint64_t shifted = (uint64_t)value << at % 32;
    words[at / 32] |= (uint32_t)shifted;
    if (at % 32 + width > 32)
        words[at / 32 + 1] |= (uint32_t)(shifted >> 32);
}

void event_unit_create(struct event_unit *e, struct slots *slots, struct lsu *lsu,
                       struct pipeline *pipeline)
{
    e->slots = slots;
    e->lsu = lsu;
    e->pipeline = pipeline;
    transfers_create(&e->transfers, slots, &lsu->port, &e->answers);
}

static uint32_t pipe_cycles(const struct event_unit *e, uint32_t w)
{
    uint64_t left = pipe_left(&e->slots->scoreboard, w, clock_now(&e->slots->clock));
    if (left && lsu_waits_for_constant(e->lsu, w)) /* until memory answers, nobody knows */
        return PIPE_MAX;
    return left < PIPE_MAX ? (uint32_t)left : PIPE_MAX;
}

static bool has_younger(const struct event_unit *e, uint32_t w)
{
    if (e->slots->config.drop_unsafe)
        return false;
    const struct access *oldest = lsu_oldest_load(e->lsu, w);
    return oldest && issue_final(&e->slots->scoreboard, w) > oldest->seq;
}

static bool has_atomic(const struct event_unit *e, uint32_t w)
{
    return lsu_keeps(e->lsu, w) || (ready_held(&e->slots->ready, WAIT_FENCE) >> w & 1);
}

static void put_candidate(const struct event_unit *e, struct sm_event_unit_in *in, uint32_t lane,
                          uint32_t w)
{
    uint64_t bit = BIT(w);
    if (!(warps_alive(&e->slots->warps) & ~events_running(&e->slots->events) &
          ~events_borrowed(&e->slots->events) & bit) ||
        !warp_is_background(&e->slots->warps, w))
        return;
    uint8_t mark = (uint8_t)(1u << lane);
    in->cand_ok |= mark;
    in->cand_regs |= (uint64_t)(warp_of(&e->slots->warps, w)->kernel->regs / EVG_REG_UNIT)
                     << lane * 7;
    put_bits(in->cand_stamp, lane * 16, 16, (uint16_t)warp_stamp(&e->slots->warps, w));
    put_bits(in->cand_pipe, lane * 9, 9, pipe_cycles(e, w));
    in->cand_ibuf = (uint16_t)(in->cand_ibuf | ibuffer_entries(&e->slots->ibuffers, w) << lane * 2);
    in->cand_loads |= lsu_loads(e->lsu, w) ? mark : 0;
    in->cand_younger |= has_younger(e, w) ? mark : 0;
    in->cand_barrier |= ready_held(&e->slots->ready, WAIT_BARRIER) & bit ? mark : 0;
    in->cand_atomic |= has_atomic(e, w) ? mark : 0;
}

bool event_lends(const struct slots *slots, uint32_t units)
{
    uint64_t able = warps_alive(&slots->warps) & ~events_running(&slots->events) &
                    ~events_borrowed(&slots->events);
    for (uint64_t m = able; m; m &= m - 1) {
        if (warp_is_background(&slots->warps, lowest(m)) &&
            warp_of(&slots->warps, lowest(m))->kernel->regs / EVG_REG_UNIT >= units)
            return true;
    }
    return false;
}

static void put_candidates(const struct event_unit *e, struct sm_event_unit_in *in)
{
    in->cand_valid = e->tile.cand_req;
    in->cand_group = e->tile.cand_req ? e->tile.cand_group : 0;
    in->cand_ok = in->cand_loads = in->cand_younger = in->cand_barrier = in->cand_atomic = 0;
    in->cand_regs = 0;
    in->cand_ibuf = 0;
    memset(in->cand_stamp, 0, sizeof in->cand_stamp);
    memset(in->cand_pipe, 0, sizeof in->cand_pipe);
    for (uint32_t lane = 0; e->tile.cand_req && lane < EVG_SCAN_LANES; lane++)
        put_candidate(e, in, lane, e->tile.cand_group * EVG_SCAN_LANES + lane);
}

static void put_victim(const struct event_unit *e, struct sm_event_unit_in *in)
{
    uint32_t w = e->tile.vic_slot;
    uint64_t bit = BIT(w);
    bool mine = e->tile.vic_valid;
    in->vic_alive = mine && (warps_alive(&e->slots->warps) & ~events_died(&e->slots->events) & bit);
    in->vic_ibuf = mine ? ibuffer_entries(&e->slots->ibuffers, w) : 0;
    in->vic_fetch = mine && (ibuffers_busy(&e->slots->ibuffers) & bit);
    in->vic_pipe = mine && pipe_count(&e->slots->scoreboard, w);
    in->vic_loads = mine && lsu_loads(e->lsu, w);
    in->vic_younger = mine && has_younger(e, w);
    in->vic_barrier = mine && (ready_held(&e->slots->ready, WAIT_BARRIER) & bit);
    in->vic_atomic = mine && has_atomic(e, w);
}

static uint16_t free_register_units(const struct event_unit *e)
{
    uint32_t units = blocks_free_registers(&e->pipeline->blocks) / (EVG_REG_UNIT * WARP_SIZE);
    return (uint16_t)(units < 1023 ? units : 1023);
}

/* Without its i-buffer, is nothing of the warp on its way but loads that may be dropped? */
static bool is_ready(const struct event_unit *e, uint32_t w, uint32_t opts)
{
    if (pipe_count(&e->slots->scoreboard, w) || lsu_keeps(e->lsu, w))
        return false;
    if (!(opts & EVG_OPT_FLUSH_IBUF) && ibuffer_entries(&e->slots->ibuffers, w))
        return false;
    if (!lsu_loads(e->lsu, w))
        return true;
    return (opts & EVG_OPT_DROP_LOADS) && !has_younger(e, w) &&
           !(ready_held(&e->slots->ready, WAIT_BARRIER) & BIT(w));
}

static void put_ready(const struct event_unit *e, struct sm_event_unit_in *in)
{
    in->cand_now = in->cand_drop = 0;
    if (!e->tile.now_req)
        return;
    uint64_t open = warps_alive(&e->slots->warps) & ~events_running(&e->slots->events) &
                    ~events_borrowed(&e->slots->events) & ~ibuffers_busy(&e->slots->ibuffers) &
                    ~ready_held(&e->slots->ready, WAIT_FENCE) & ~events_victim(&e->slots->events);
    if (!(in->cfg_opts & EVG_OPT_SKIP_BARRIER))
        open &= ~ready_held(&e->slots->ready, WAIT_BARRIER);
    bool any = in->cfg_spare && in->core_free_regs >= e->tile.now_regs;
    for (; open; open &= open - 1) {
        uint32_t w = lowest(open);
        if (!warp_is_background(&e->slots->warps, w))
            continue;
        if (!any && warp_of(&e->slots->warps, w)->kernel->regs / EVG_REG_UNIT < e->tile.now_regs)
            continue;
        if (!is_ready(e, w, in->cfg_opts))
            continue;
        in->cand_now |= BIT(w);
        in->cand_drop |= lsu_loads(e->lsu, w) ? BIT(w) : 0;
    }
}

bool event_pending(const struct event_unit *e)
{
    return answers_pending(&e->answers) || events_barrier_done(&e->slots->events);
}

static void put_answers(const struct event_unit *e, struct sm_event_unit_in *in)
{
    const struct event_answers *a = &e->answers;
    in->push_ok = a->push_ok;
    in->push_fail = a->push_fail;
    in->save_done = a->save_done;
    in->restore_done = a->restore_done;
    in->bar_done = events_barrier_done(&e->slots->events);
    in->exit_valid = a->exit_count != 0;
    in->exit_warp = a->exit_count ? a->exits[0] : 0;
    in->exit_aborted = a->exit_count && event_aborted(e, a->exits[0]);
}

bool event_inputs(const struct event_unit *e, struct sm_event_unit_in *in)
{
    bool closed =
        e->slots->config.event_context == EVENT_CONTEXT_CORE && blocks_used(&e->pipeline->blocks);
    uint64_t free_slots = closed ? 0 : warps_free(&e->slots->warps);
    in->core_free_warp = free_slots != 0;
    in->core_free_slot = free_slots ? (uint8_t)lowest(free_slots) : 0;
    in->core_free_regs = free_register_units(e);
    in->core_now = (uint16_t)warps_launched(&e->slots->warps);
    put_candidates(e, in);
    put_ready(e, in);
    put_victim(e, in);
    put_answers(e, in);
    return event_pending(e);
}

static void count_flush(struct event_unit *e)
{
    uint32_t w = e->tile.vic_slot;
    uint64_t bit = BIT(w);
    if (!e->tile.vic_valid || !e->tile.cmd_hold || (events_displaced(&e->slots->events) & bit))
        return;
    uint64_t *cycles = e->tile.flush_cycles;
    cycles[CAUSE_PIPELINE] += pipe_count(&e->slots->scoreboard, w) != 0;
    cycles[CAUSE_SCOREBOARD] += pending_any(&e->slots->scoreboard, w);
    cycles[CAUSE_LOAD] += lsu_loads(e->lsu, w) != 0;
    cycles[CAUSE_ICACHE] += (ibuffers_busy(&e->slots->ibuffers) & bit) != 0;
    cycles[CAUSE_BARRIER] +=
        !e->tile.cmd_skip && (ready_held(&e->slots->ready, WAIT_BARRIER) & bit);
    cycles[CAUSE_FENCE] += has_atomic(e, w);
}

static void take_levels(struct event_unit *e, const struct sm_event_unit_out *out)
{
    e->tile.tile_active = !out->idle;
    e->tile.vic_valid = out->vic_valid;
    e->tile.vic_slot = out->vic_warp;
    e->tile.cmd_hold = out->cmd_hold;
    e->tile.cmd_skip = out->cmd_skip;
    e->tile.cand_req = out->cand_req;
    e->tile.cand_group = out->cand_req_group;
    e->tile.now_req = out->now_req;
    e->tile.now_regs = out->now_regs;
    uint64_t victim = out->vic_valid ? BIT(out->vic_warp) : 0;
    events_flush(&e->slots->events, victim, out->cmd_hold, out->cmd_prio);
    blocks_claim(&e->pipeline->blocks, (uint32_t)out->claim_regs * EVG_REG_UNIT * WARP_SIZE);
}

void event_commands(struct event_unit *e, const struct sm_event_unit_out *out)
{
    answers_seen(&e->answers);
    events_seen(&e->slots->events);
    take_levels(e, out);
    if (out->cmd_pop)
        event_pop(e, out->pop_warp, out->pop_entry);
    if (out->cmd_restore)
        transfer_start(&e->transfers, out->restore_entry, out->restore_warp,
                       (uint32_t)out->restore_regs * EVG_REG_UNIT, true);
    if (out->cmd_release)
        event_release(e, out->release_warp, out->release_barrier);
    if (out->cmd_drop)
        drop_loads(e->lsu, out->vic_warp);
    if (out->cmd_flush || out->cmd_drop) {
        ibuffer_flush(&e->slots->ibuffers, out->vic_warp);
        ready_refresh(e->slots, out->vic_warp);
    }
    if (out->cmd_resume)
        event_resume(e, out->vic_warp);
    if (out->cmd_save) {
        events_save(&e->slots->events, out->vic_warp);
        transfer_start(&e->transfers, out->save_entry, out->vic_warp,
                       (uint32_t)out->save_regs * EVG_REG_UNIT, false);
    }
    if (out->cmd_push)
        event_push(e, out);
    e->tile.flush_timeouts += out->timed_out;
    count_flush(e);
}

void port_stats(const struct event_port *p, struct core_stats *stats)
{
    memcpy(stats->flush_cycles, p->flush_cycles, sizeof stats->flush_cycles);
    stats->flush_timeouts = p->flush_timeouts;
}
