/* The core's side of the sm_event_unit tile: its input ports from the core's state, and its
 * commands. */
#include "sim/simt/event/event_port.h"

#include <string.h>

#include "sim/simt/core_internal.h"
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

static uint32_t pipe_cycles(const struct core *c, uint32_t w)
{
    uint64_t left = pipe_left(&c->scoreboard, w, clock_now(&c->clock));
    if (left && lsu_waits_for_constant(&c->lsu, w)) /* until memory answers, nobody knows */
        return PIPE_MAX;
    return left < PIPE_MAX ? (uint32_t)left : PIPE_MAX;
}

static bool has_younger(const struct core *c, uint32_t w)
{
    const struct access *oldest = lsu_oldest_load(&c->lsu, w);
    return oldest && replay_other(&c->replay, w) > oldest->seq;
}

static bool has_atomic(const struct core *c, uint32_t w)
{
    return remotes_in_flight(&c->remotes, w) || (issue_fences(&c->issue) >> w & 1);
}

static void put_candidate(const struct core *c, struct sm_event_unit_in *in, uint32_t lane,
                          uint32_t w)
{
    uint64_t bit = BIT(w);
    if (!(warps_alive(&c->warps) & ~events_running(&c->events) & ~events_borrowed(&c->events) &
          bit))
        return;
    uint8_t mark = (uint8_t)(1u << lane);
    in->cand_ok |= mark;
    in->cand_regs |= (uint64_t)(warp_of(&c->warps, w)->kernel->regs / EVG_REG_UNIT) << lane * 7;
    put_bits(in->cand_stamp, lane * 16, 16, (uint16_t)warp_stamp(&c->warps, w));
    put_bits(in->cand_pipe, lane * 9, 9, pipe_cycles(c, w));
    in->cand_ibuf = (uint16_t)(in->cand_ibuf | fetch_ibuf(&c->fetch, w) << lane * 2);
    in->cand_loads |= lsu_loads(&c->lsu, w) ? mark : 0;
    in->cand_younger |= has_younger(c, w) ? mark : 0;
    in->cand_barrier |= barriers_waiting(&c->barriers) & bit ? mark : 0;
    in->cand_atomic |= has_atomic(c, w) ? mark : 0;
}

bool core_lends(const struct core *c, uint32_t units)
{
    uint64_t able =
        warps_alive(&c->warps) & ~events_running(&c->events) & ~events_borrowed(&c->events);
    for (uint64_t m = able; m; m &= m - 1) {
        if (warp_of(&c->warps, lowest(m))->kernel->regs / EVG_REG_UNIT >= units)
            return true;
    }
    return false;
}

static void put_candidates(const struct core *c, struct sm_event_unit_in *in)
{
    in->cand_valid = c->port.cand_req;
    in->cand_group = c->port.cand_req ? c->port.cand_group : 0;
    in->cand_ok = in->cand_loads = in->cand_younger = in->cand_barrier = in->cand_atomic = 0;
    in->cand_regs = 0;
    in->cand_ibuf = 0;
    memset(in->cand_stamp, 0, sizeof in->cand_stamp);
    memset(in->cand_pipe, 0, sizeof in->cand_pipe);
    for (uint32_t lane = 0; c->port.cand_req && lane < EVG_SCAN_LANES; lane++)
        put_candidate(c, in, lane, c->port.cand_group * EVG_SCAN_LANES + lane);
}

static void put_victim(const struct core *c, struct sm_event_unit_in *in)
{
    uint32_t w = c->port.vic_slot;
    uint64_t bit = BIT(w);
    bool mine = c->port.vic_valid;
    in->vic_alive = mine && (warps_alive(&c->warps) & ~c->port.died & bit);
    in->vic_ibuf = mine ? fetch_ibuf(&c->fetch, w) : 0;
    in->vic_fetch = mine && (fetch_busy(&c->fetch) & bit);
    in->vic_pipe = mine && pipe_count(&c->scoreboard, w);
    in->vic_loads = mine && lsu_loads(&c->lsu, w);
    in->vic_younger = mine && has_younger(c, w);
    in->vic_barrier = mine && (barriers_waiting(&c->barriers) & bit);
    in->vic_atomic = mine && has_atomic(c, w);
}

static uint16_t free_register_units(const struct core *c)
{
    uint32_t units = blocks_free_registers(&c->blocks) / (EVG_REG_UNIT * WARP_SIZE);
    return (uint16_t)(units < 1023 ? units : 1023);
}

/* Without its i-buffer, is nothing of the warp on its way but loads that may be dropped? */
static bool is_ready(const struct core *c, uint32_t w, uint32_t opts)
{
    if (pipe_count(&c->scoreboard, w) || remotes_in_flight(&c->remotes, w))
        return false;
    if (!(opts & EVG_OPT_FLUSH_IBUF) && fetch_ibuf(&c->fetch, w))
        return false;
    if (!lsu_loads(&c->lsu, w))
        return true;
    return (opts & EVG_OPT_DROP_LOADS) && !has_younger(c, w) &&
           !(barriers_waiting(&c->barriers) & BIT(w));
}

static void put_ready(const struct core *c, struct sm_event_unit_in *in)
{
    in->cand_now = in->cand_drop = 0;
    if (!c->port.now_req)
        return;
    uint64_t open = warps_alive(&c->warps) & ~events_running(&c->events) &
                    ~events_borrowed(&c->events) & ~fetch_busy(&c->fetch) &
                    ~issue_fences(&c->issue) & ~port_victim(&c->port);
    if (!(in->cfg_opts & EVG_OPT_SKIP_BARRIER))
        open &= ~barriers_waiting(&c->barriers);
    bool any = in->cfg_spare && in->core_free_regs >= c->port.now_regs;
    for (; open; open &= open - 1) {
        uint32_t w = lowest(open);
        if (!any && warp_of(&c->warps, w)->kernel->regs / EVG_REG_UNIT < c->port.now_regs)
            continue;
        if (!is_ready(c, w, in->cfg_opts))
            continue;
        in->cand_now |= BIT(w);
        in->cand_drop |= lsu_loads(&c->lsu, w) ? BIT(w) : 0;
    }
}

bool core_event_pending(const struct core *c)
{
    return c->port.push_ok || c->port.push_fail || c->port.save_done || c->port.restore_done ||
           c->port.bar_done || c->port.exit_count;
}

bool core_event_inputs(struct core *c, struct sm_event_unit_in *in)
{
    bool closed = c->config.event_context == EVENT_CONTEXT_CORE && blocks_used(&c->blocks);
    uint64_t free_slots = closed ? 0 : warps_free(&c->warps);
    in->core_free_warp = free_slots != 0;
    in->core_free_slot = free_slots ? (uint8_t)lowest(free_slots) : 0;
    in->core_free_regs = free_register_units(c);
    in->core_now = (uint16_t)warps_launched(&c->warps);
    put_candidates(c, in);
    put_ready(c, in);
    put_victim(c, in);
    in->push_ok = c->port.push_ok;
    in->push_fail = c->port.push_fail;
    in->save_done = c->port.save_done;
    in->restore_done = c->port.restore_done;
    in->bar_done = c->port.bar_done;
    in->exit_valid = c->port.exit_count != 0;
    in->exit_warp = c->port.exit_count ? c->port.exits[0] : 0;
    in->exit_aborted = c->port.exit_count && event_aborted(c, c->port.exits[0]);
    return core_event_pending(c);
}

/* The tile has seen these. */
static void clear_answers(struct core *c)
{
    c->port.push_ok = c->port.push_fail = c->port.save_done = c->port.restore_done = false;
    c->port.bar_done = c->port.died = 0;
    if (c->port.exit_count)
        memmove(c->port.exits, c->port.exits + 1, --c->port.exit_count);
}

static void count_flush(struct core *c)
{
    uint32_t w = c->port.vic_slot;
    uint64_t bit = BIT(w);
    if (!c->port.vic_valid || !c->port.cmd_hold || (events_displaced(&c->events) & bit))
        return;
    uint64_t *cycles = c->port.flush_cycles;
    cycles[CAUSE_PIPELINE] += pipe_count(&c->scoreboard, w) != 0;
    cycles[CAUSE_SCOREBOARD] += pending_any(&c->scoreboard, w);
    cycles[CAUSE_LOAD] += lsu_loads(&c->lsu, w) != 0;
    cycles[CAUSE_ICACHE] += (fetch_busy(&c->fetch) & bit) != 0;
    cycles[CAUSE_BARRIER] += !c->port.cmd_skip && (barriers_waiting(&c->barriers) & bit);
    cycles[CAUSE_FENCE] += has_atomic(c, w);
}

static void take_levels(struct core *c, const struct sm_event_unit_out *out)
{
    c->port.tile_active = !out->idle;
    c->port.vic_valid = out->vic_valid;
    c->port.vic_slot = out->vic_warp;
    c->port.cmd_hold = out->cmd_hold;
    c->port.cmd_prio = out->cmd_prio;
    c->port.cmd_skip = out->cmd_skip;
    c->port.cand_req = out->cand_req;
    c->port.cand_group = out->cand_req_group;
    c->port.now_req = out->now_req;
    c->port.now_regs = out->now_regs;
    c->port.claim = (uint32_t)out->claim_regs * EVG_REG_UNIT * WARP_SIZE;
}

void core_event_commands(struct core *c, const struct sm_event_unit_out *out)
{
    clear_answers(c);
    take_levels(c, out);
    if (out->cmd_pop)
        event_pop(c, out->pop_warp, out->pop_entry);
    if (out->cmd_restore)
        transfer_start(c, out->restore_entry, out->restore_warp,
                       (uint32_t)out->restore_regs * EVG_REG_UNIT, true);
    if (out->cmd_release)
        event_release(c, out->release_warp, out->release_barrier);
    if (out->cmd_drop)
        preempt_drop_loads(c, out->vic_warp);
    if (out->cmd_flush || out->cmd_drop) {
        fetch_flush(&c->fetch, out->vic_warp);
        issue_refresh(c, out->vic_warp);
    }
    if (out->cmd_resume)
        event_resume(c, out->vic_warp);
    if (out->cmd_save) {
        event_saves(c, out->vic_warp);
        transfer_start(c, out->save_entry, out->vic_warp, (uint32_t)out->save_regs * EVG_REG_UNIT,
                       false);
    }
    if (out->cmd_push)
        event_push(c, out);
    c->port.flush_timeouts += out->timed_out;
    count_flush(c);
}

void port_stats(const struct event_port *p, struct core_stats *stats)
{
    memcpy(stats->flush_cycles, p->flush_cycles, sizeof stats->flush_cycles);
    stats->flush_timeouts = p->flush_timeouts;
}
