/* A plain software event unit for the tests: preempts the warp it is told to and brings it back,
 * through the tile's ports only. One step per clock edge. */
#ifndef EVGPU_TESTS_SIMT_UNIT_H
#define EVGPU_TESTS_SIMT_UNIT_H

#include "rig.h"

enum unit_take { TAKE_IDLE, TAKE_CHOSEN, TAKE_FLUSH, TAKE_SAVE, TAKE_PUSH };
enum unit_entry { ENTRY_FREE, ENTRY_TAKING, ENTRY_RUNNING, ENTRY_EXITED };
enum unit_back { BACK_IDLE, BACK_RESTORE, BACK_RELEASE };

struct unit_event {
    enum unit_entry state;
    const struct kernel *kernel;
    uint64_t param;
    uint32_t mask, dims;
    uint8_t warp;
    bool fresh, spare, at_barrier;
};

struct unit {
    struct rig *rig;
    uint32_t opts; /* EVG_OPT_... */
    enum unit_take take;
    enum unit_back back;
    uint8_t taking, backing;
    struct unit_event event[EVG_PEWT_ENTRIES];
    uint32_t pushed, failed, resumed, completed, gone; /* events; gone: the victim exited */
    uint64_t flush_cycles;
};

static inline uint8_t unit_regs(const struct kernel *kernel)
{
    return (uint8_t)(kernel->regs / EVG_REG_UNIT);
}

/* Starts taking a warp; false when the unit is busy or no entry is free. */
static inline bool unit_start(struct unit *u, const char *kernel, uint64_t param, uint32_t warp,
                              bool fresh, bool spare)
{
    uint8_t e = 0;
    while (e < EVG_PEWT_ENTRIES && u->event[e].state != ENTRY_FREE)
        e++;
    if (u->take != TAKE_IDLE || e == EVG_PEWT_ENTRIES)
        return false;
    u->event[e] = (struct unit_event){.state = ENTRY_TAKING,
                                      .kernel = rig_kernel(u->rig, kernel),
                                      .param = param,
                                      .mask = FULL_MASK,
                                      .dims = 32 | 1 << 6 | 1 << 12,
                                      .warp = (uint8_t)warp,
                                      .fresh = fresh,
                                      .spare = spare};
    u->taking = e;
    u->take = TAKE_CHOSEN;
    struct sm_event_unit_out *out = &u->rig->out;
    out->vic_valid = !fresh;
    out->vic_warp = (uint8_t)warp;
    out->cmd_hold = !fresh;
    out->cmd_prio = !fresh && u->opts & EVG_OPT_PRIORITY;
    out->cmd_skip = !fresh && u->opts & EVG_OPT_SKIP_BARRIER;
    out->cmd_flush = !fresh && u->opts & EVG_OPT_FLUSH_IBUF;
    return true;
}

static inline void unit_push(struct unit *u)
{
    struct sm_event_unit_out *out = &u->rig->out;
    struct unit_event *ev = &u->event[u->taking];
    out->cmd_push = 1;
    out->push_warp = ev->warp;
    out->push_fresh = ev->fresh;
    out->push_spare = ev->spare;
    out->push_entry = u->taking;
    out->push_kernel = ev->kernel->code_address;
    out->push_param = ev->param;
    out->push_mask = ev->mask;
    out->push_dims = ev->dims;
    out->push_regs = unit_regs(ev->kernel);
    out->push_tag = (uint16_t)(1000 + u->taking);
    u->take = TAKE_PUSH;
}

static inline void unit_let_go(struct unit *u)
{
    struct sm_event_unit_out *out = &u->rig->out;
    out->vic_valid = out->cmd_hold = out->cmd_prio = out->cmd_skip = 0;
    u->take = TAKE_IDLE;
}

static inline void unit_flush(struct unit *u)
{
    const struct sm_event_unit_in *in = &u->rig->in;
    struct sm_event_unit_out *out = &u->rig->out;
    struct unit_event *ev = &u->event[u->taking];
    u->flush_cycles++;
    if (!in->vic_alive) {
        ev->state = ENTRY_FREE;
        u->gone++;
        out->cmd_resume = 1;
        unit_let_go(u);
        return;
    }
    bool skip = u->opts & EVG_OPT_SKIP_BARRIER;
    bool drop = u->opts & EVG_OPT_DROP_LOADS;
    bool loads = in->vic_loads;
    if (loads && drop && !in->vic_younger && !in->vic_pipe && !in->vic_atomic &&
        (!in->vic_barrier || skip)) {
        out->cmd_drop = 1;
        return; /* seen at the next edge */
    }
    if (in->vic_ibuf || in->vic_fetch || in->vic_pipe || loads || in->vic_atomic ||
        (in->vic_barrier && !skip))
        return;
    ev->at_barrier = in->vic_barrier;
    if (ev->spare) {
        unit_push(u);
        return;
    }
    out->cmd_save = 1;
    out->save_entry = u->taking;
    out->save_regs = unit_regs(ev->kernel);
    u->take = TAKE_SAVE;
}

static inline void unit_take_step(struct unit *u)
{
    const struct sm_event_unit_in *in = &u->rig->in;
    struct unit_event *ev = &u->event[u->taking];
    switch (u->take) {
    case TAKE_CHOSEN: /* the core sees the choice at this edge */
        if (ev->fresh)
            unit_push(u);
        else
            u->take = TAKE_FLUSH;
        break;
    case TAKE_FLUSH:
        unit_flush(u);
        break;
    case TAKE_SAVE:
        if (in->save_done)
            unit_push(u);
        break;
    case TAKE_PUSH:
        if (in->push_ok) {
            ev->state = ENTRY_RUNNING;
            u->pushed++;
            unit_let_go(u);
        } else if (in->push_fail) {
            ev->state = ENTRY_FREE;
            u->failed++;
            u->rig->out.cmd_resume = !ev->fresh;
            unit_let_go(u);
        }
        break;
    default:
        break;
    }
}

static inline void unit_back_step(struct unit *u)
{
    const struct sm_event_unit_in *in = &u->rig->in;
    struct sm_event_unit_out *out = &u->rig->out;
    struct unit_event *ev = &u->event[u->backing];
    switch (u->back) {
    case BACK_IDLE:
        for (uint8_t e = 0; e < EVG_PEWT_ENTRIES; e++) {
            if (u->event[e].state != ENTRY_EXITED)
                continue;
            u->backing = e;
            ev = &u->event[e];
            out->cmd_pop = 1;
            out->pop_warp = ev->warp;
            out->pop_entry = e;
            if (ev->fresh) {
                ev->state = ENTRY_FREE;
                u->completed++;
            } else {
                u->back = ev->spare ? BACK_RELEASE : BACK_RESTORE;
                out->cmd_restore = !ev->spare;
                out->restore_warp = ev->warp;
                out->restore_entry = e;
                out->restore_regs = unit_regs(ev->kernel);
            }
            break;
        }
        break;
    case BACK_RESTORE:
        if (!in->restore_done)
            break;
        /* fall through */
    case BACK_RELEASE:
        out->cmd_release = 1;
        out->release_warp = ev->warp;
        out->release_barrier = ev->at_barrier;
        ev->state = ENTRY_FREE;
        u->completed++;
        u->back = BACK_IDLE;
        break;
    }
}

static inline void unit_clear_pulses(struct sm_event_unit_out *out)
{
    out->cmd_flush = out->cmd_drop = out->cmd_resume = out->cmd_save = 0;
    out->cmd_push = out->cmd_pop = out->cmd_restore = out->cmd_release = 0;
}

/* One clock edge of the unit, then one core cycle. */
static inline bool unit_step(struct unit *u)
{
    struct rig *rig = u->rig;
    core_event_inputs(rig->core, &rig->in);
    for (uint32_t e = 0; e < EVG_PEWT_ENTRIES; e++) {
        struct unit_event *ev = &u->event[e];
        if (ev->state == ENTRY_FREE)
            continue;
        if (!ev->fresh && rig->in.bar_done >> ev->warp & 1)
            ev->at_barrier = false;
        if (ev->state == ENTRY_RUNNING && rig->in.exit_valid && rig->in.exit_warp == ev->warp)
            ev->state = ENTRY_EXITED;
    }
    unit_take_step(u);
    unit_back_step(u);
    core_event_commands(rig->core, &rig->out);
    unit_clear_pulses(&rig->out);
    return rig_tick(rig);
}

static inline void unit_steps(struct unit *u, uint32_t n)
{
    while (n--) {
        if (!unit_step(u))
            fail_msg("%s", u->rig->err.text);
    }
}

static inline bool unit_idle(const struct unit *u)
{
    bool idle = u->take == TAKE_IDLE && u->back == BACK_IDLE;
    for (uint32_t e = 0; e < EVG_PEWT_ENTRIES; e++)
        idle = idle && u->event[e].state == ENTRY_FREE;
    return idle;
}

/* Steps until `count` reaches `target`. */
static inline void unit_until(struct unit *u, const uint32_t *count, uint32_t target)
{
    for (uint32_t n = 0; *count < target; n++) {
        if (n > RIG_LIMIT) {
            core_describe(u->rig->core, rig_print, NULL);
            fail_msg("the event unit hangs");
        }
        unit_steps(u, 1);
    }
}

static inline void unit_finish(struct unit *u, struct grid *grid)
{
    for (uint32_t n = 0; grid->blocks_done < grid->total_blocks || !unit_idle(u); n++) {
        rig_launch(u->rig, grid);
        unit_steps(u, 1);
        if (n == RIG_LIMIT) {
            core_describe(u->rig->core, rig_print, NULL);
            fail_msg("%s hangs", grid->kernel->name);
        }
    }
}

#endif
