/* The core's side of the sm_event_unit tile: its input ports from the core's state, and its
 * commands. */
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
    if (!c->pipe[w])
        return 0;
    if (c->const_misses[w]) /* until memory answers, nobody knows */
        return PIPE_MAX;
    uint64_t left = c->pipe_until[w] > c->cycle ? c->pipe_until[w] - c->cycle : 1;
    return left < PIPE_MAX ? (uint32_t)left : PIPE_MAX;
}

static bool has_younger(const struct core *c, uint32_t w)
{
    return c->loads[w] && c->other_seq[w] > c->access[c->first_load[w]].seq;
}

static bool has_atomic(const struct core *c, uint32_t w)
{
    return c->remotes[w] || (c->at_fence >> w & 1);
}

static void put_candidate(const struct core *c, struct sm_event_unit_in *in, uint32_t lane,
                          uint32_t w)
{
    uint64_t bit = BIT(w);
    if (!(c->alive & ~c->is_event & ~c->borrowed & bit))
        return;
    uint8_t mark = (uint8_t)(1u << lane);
    in->cand_ok |= mark;
    in->cand_regs |= (uint64_t)(c->warp[w].kernel->regs / EVG_REG_UNIT) << lane * 7;
    put_bits(in->cand_stamp, lane * 16, 16, (uint16_t)c->stamp[w]);
    put_bits(in->cand_pipe, lane * 9, 9, pipe_cycles(c, w));
    in->cand_ibuf = (uint16_t)(in->cand_ibuf | c->ibuf[w] << lane * 2);
    in->cand_loads |= c->loads[w] ? mark : 0;
    in->cand_younger |= has_younger(c, w) ? mark : 0;
    in->cand_barrier |= c->at_barrier & bit ? mark : 0;
    in->cand_atomic |= has_atomic(c, w) ? mark : 0;
}

static void put_candidates(const struct core *c, struct sm_event_unit_in *in)
{
    in->cand_valid = c->cand_req;
    in->cand_group = c->cand_req ? c->cand_group : 0;
    in->cand_ok = in->cand_loads = in->cand_younger = in->cand_barrier = in->cand_atomic = 0;
    in->cand_regs = 0;
    in->cand_ibuf = 0;
    memset(in->cand_stamp, 0, sizeof in->cand_stamp);
    memset(in->cand_pipe, 0, sizeof in->cand_pipe);
    for (uint32_t lane = 0; c->cand_req && lane < EVG_SCAN_LANES; lane++)
        put_candidate(c, in, lane, c->cand_group * EVG_SCAN_LANES + lane);
}

static void put_victim(const struct core *c, struct sm_event_unit_in *in)
{
    uint32_t w = c->vic_slot;
    uint64_t bit = BIT(w);
    bool mine = c->vic_valid;
    in->vic_alive = mine && (c->alive & ~c->died & bit);
    in->vic_ibuf = mine ? c->ibuf[w] : 0;
    in->vic_fetch = mine && (c->fetch_busy & bit);
    in->vic_pipe = mine && c->pipe[w];
    in->vic_loads = mine && c->loads[w];
    in->vic_younger = mine && has_younger(c, w);
    in->vic_barrier = mine && (c->at_barrier & bit);
    in->vic_atomic = mine && has_atomic(c, w);
}

static uint16_t free_register_units(const struct core *c)
{
    uint32_t units = c->free_registers / (EVG_REG_UNIT * WARP_SIZE);
    return (uint16_t)(units < 1023 ? units : 1023);
}

bool core_event_pending(const struct core *c)
{
    return c->push_ok || c->push_fail || c->save_done || c->restore_done || c->bar_done ||
           c->exit_count;
}

bool core_event_inputs(struct core *c, struct sm_event_unit_in *in)
{
    uint64_t free_slots = c->slots & ~c->resident;
    in->core_free_warp = free_slots != 0;
    in->core_free_slot = free_slots ? (uint8_t)lowest(free_slots) : 0;
    in->core_free_regs = free_register_units(c);
    in->core_now = (uint16_t)c->launches;
    put_candidates(c, in);
    put_victim(c, in);
    in->push_ok = c->push_ok;
    in->push_fail = c->push_fail;
    in->save_done = c->save_done;
    in->restore_done = c->restore_done;
    in->bar_done = c->bar_done;
    in->exit_valid = c->exit_count != 0;
    in->exit_warp = c->exit_count ? c->exits[0] : 0;
    return core_event_pending(c);
}

/* The tile has seen these. */
static void clear_answers(struct core *c)
{
    c->push_ok = c->push_fail = c->save_done = c->restore_done = false;
    c->bar_done = c->died = 0;
    if (c->exit_count)
        memmove(c->exits, c->exits + 1, --c->exit_count);
}

static void count_flush(struct core *c)
{
    uint32_t w = c->vic_slot;
    uint64_t bit = BIT(w);
    if (!c->vic_valid || !c->cmd_hold || ((c->borrowed | c->saving) & bit))
        return;
    uint64_t pending = 0;
    for (uint32_t i = 0; i < REG_SET_WORDS; i++)
        pending |= c->pending[w][i];
    uint64_t *cycles = c->stats.flush_cycles;
    cycles[CAUSE_PIPELINE] += c->pipe[w] != 0;
    cycles[CAUSE_SCOREBOARD] += pending != 0;
    cycles[CAUSE_LOAD] += c->loads[w] != 0;
    cycles[CAUSE_ICACHE] += (c->fetch_busy & bit) != 0;
    cycles[CAUSE_BARRIER] += !c->cmd_skip && (c->at_barrier & bit);
    cycles[CAUSE_FENCE] += has_atomic(c, w);
}

static void take_levels(struct core *c, const struct sm_event_unit_out *out)
{
    c->tile_active = !out->idle;
    c->vic_valid = out->vic_valid;
    c->vic_slot = out->vic_warp;
    c->cmd_hold = out->cmd_hold;
    c->cmd_prio = out->cmd_prio;
    c->cmd_skip = out->cmd_skip;
    c->cand_req = out->cand_req;
    c->cand_group = out->cand_req_group;
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
        warp_flush_ibuf(c, out->vic_warp);
        warp_refresh(c, out->vic_warp);
    }
    if (out->cmd_resume)
        event_resume(c, out->vic_warp);
    if (out->cmd_save) {
        c->saving |= BIT(out->vic_warp);
        transfer_start(c, out->save_entry, out->vic_warp, (uint32_t)out->save_regs * EVG_REG_UNIT,
                       false);
    }
    if (out->cmd_push)
        event_push(c, out);
    count_flush(c);
}
