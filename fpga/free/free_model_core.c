/* A core of free_run: warps as state machines, from the contracts of free_warp.v and free_core.v.
 */
#include "fpga/free/free_model.h"

#include <string.h>

enum { BACK_REGS = 8, TOTAL_REGS = 72, TRANSFER = 4 /* cycles beside one for each unit */ };

uint32_t free_random_seed(uint32_t seed)
{
    return seed ? seed : 1;
}

uint32_t free_random_next(uint32_t value)
{
    value ^= value << 13;
    value ^= value >> 17;
    return value ^ value << 5;
}

void free_core_reset(struct free_core *core)
{
    memset(core, 0, sizeof *core);
    core->random = 1;
    core->free = TOTAL_REGS;
    core->pushed = core->exit = -1;
}

void free_core_start(struct free_core *core, uint32_t number, uint32_t seed)
{
    core->random = free_random_seed(seed + 0x9e3779b9u * (number + 1));
}

/* Warps that draw in the same cycle get other bits. */
static uint32_t draw_of(const struct free_core *core, int w)
{
    return (core->random >> 4 * w | (uint32_t)((uint64_t)core->random << (32 - 4 * w))) & 0xff;
}

/* --- commands
 * ------------------------------------------------------------------------------------- */

static void empty(struct free_warp *w)
{
    w->ibuf = 0;
    w->discard |= w->fetch != 0;
}

static void drop(struct free_warp *w)
{
    empty(w);
    w->loads = false;
    w->replay = true;
    w->left = 0;
}

static void pop(struct free_core *core, const struct sm_event_unit_out *out)
{
    struct free_warp *w = &core->warps[out->pop_warp % FREE_WARPS];
    core->wrong |= !w->over;
    core->popped = core->given[out->pop_entry];
    w->event = false;
    empty(w);
    core->vacated[out->pop_warp % FREE_WARPS] = !w->alive;
}

static void release(struct free_core *core, const struct sm_event_unit_out *out)
{
    struct free_warp *w = &core->warps[out->release_warp % FREE_WARPS];
    core->wrong |= out->release_barrier != w->barrier;
    w->under = false;
}

static bool push(struct free_core *core, const struct sm_event_unit_out *out)
{
    int at = out->push_warp % FREE_WARPS;
    struct free_warp *w = &core->warps[at];
    bool own = out->push_fresh || out->push_spare;
    core->given[out->push_entry] = own ? out->push_regs : 0;
    if (w->event || w->under || w->alive == out->push_fresh || (own && core->free < out->push_regs))
        return false;
    core->wrong |= w->alive && (w->fetch || w->loads || w->pipe || w->ibuf);
    core->free -= own ? out->push_regs : 0u;
    w->event = true;
    w->over = false;
    w->under |= w->alive;
    w->run = 16 + (draw_of(core, at) & 0x7f);
    core->pushed = at;
    core->launchable[at] = false;
    return true;
}

/* All but the push. */
static void obey(struct free_core *core, const struct sm_event_unit_out *out)
{
    struct free_warp *victim = out->vic_valid ? &core->warps[out->vic_warp % FREE_WARPS] : NULL;
    if (out->cmd_pop)
        pop(core, out);
    if (out->cmd_release)
        release(core, out);
    if (victim && out->cmd_flush)
        empty(victim);
    if (victim && out->cmd_drop)
        drop(victim);
}

/* --- what the event unit sees
 * --------------------------------------------------------------------- */

static bool waits(const struct free_core *core, const struct free_warp *w)
{
    return w->barrier && !core->barrier_done;
}

static void put_candidates(const struct free_core *core, const struct sm_event_unit_out *out,
                           struct sm_event_unit_in *in)
{
    in->cand_valid = out->cand_req;
    in->cand_group = 0;
    in->cand_regs = 0;
    in->cand_now = in->cand_drop = 0;
    in->cand_ok = in->cand_loads = in->cand_younger = in->cand_barrier = 0;
    in->cand_ibuf = 0;
    memset(in->cand_stamp, 0, sizeof in->cand_stamp);
    memset(in->cand_pipe, 0, sizeof in->cand_pipe);
    bool enough = out->now_regs <= BACK_REGS || (in->cfg_spare && core->free >= out->now_regs);
    for (int i = 0; i < FREE_WARPS; i++) {
        const struct free_warp *w = &core->warps[i];
        uint8_t bit = (uint8_t)(1u << i);
        bool barrier = waits(core, w), open = w->alive && !w->event && !w->under;
        in->cand_regs |= (uint64_t)BACK_REGS << 7 * i;
        in->cand_stamp[i / 2] |= (uint32_t)w->stamp << 16 * (i % 2);
        in->cand_pipe[9 * i / 32] |= (uint32_t)w->pipe << 9 * i % 32;
        if (9 * i % 32 > 23)
            in->cand_pipe[9 * i / 32 + 1] |= (uint32_t)w->pipe >> (32 - 9 * i % 32);
        in->cand_ibuf = (uint16_t)(in->cand_ibuf | w->ibuf << 2 * i);
        in->cand_ok |= open ? bit : 0;
        in->cand_loads |= w->loads ? bit : 0;
        in->cand_younger |= w->loads && w->younger ? bit : 0;
        in->cand_barrier |= barrier ? bit : 0;
        if (!open || !enough || w->fetch || w->pipe ||
            (out->vic_valid && out->vic_warp % FREE_WARPS == i) ||
            (w->ibuf && !(in->cfg_opts & EVG_OPT_FLUSH_IBUF)) ||
            (barrier && !(in->cfg_opts & EVG_OPT_SKIP_BARRIER)) ||
            (w->loads && (!(in->cfg_opts & EVG_OPT_DROP_LOADS) || w->younger || barrier)))
            continue;
        in->cand_now |= bit;
        in->cand_drop |= w->loads ? bit : 0;
    }
}

static void put_victim(const struct free_core *core, const struct sm_event_unit_out *out,
                       struct sm_event_unit_in *in)
{
    static const struct free_warp none = {0};
    const struct free_warp *w = out->vic_valid ? &core->warps[out->vic_warp % FREE_WARPS] : &none;
    in->vic_alive = w->alive;
    in->vic_ibuf = w->ibuf;
    in->vic_fetch = w->fetch != 0;
    in->vic_pipe = w->pipe != 0;
    in->vic_loads = w->loads;
    in->vic_younger = w->loads && w->younger;
    in->vic_barrier = waits(core, w);
}

static void put_free(const struct free_core *core, struct sm_event_unit_in *in)
{
    in->core_free_warp = 0;
    in->core_free_slot = FREE_WARPS - 1;
    for (int i = FREE_WARPS; i-- > 0;)
        if (!core->warps[i].alive && !core->warps[i].event) {
            in->core_free_warp = 1;
            in->core_free_slot = (uint8_t)i;
        }
    in->core_free_regs = (uint16_t)core->free;
    in->core_now = core->launched;
}

static void find_exit(struct free_core *core, struct sm_event_unit_in *in)
{
    core->exit = -1;
    for (int i = FREE_WARPS; i-- > 0;)
        if (core->warps[i].event && !core->warps[i].run && !core->warps[i].over)
            core->exit = i;
    in->exit_valid = core->exit >= 0;
    in->exit_warp = (uint8_t)(core->exit >= 0 ? core->exit : FREE_WARPS - 1);
}

/* All background warps that are left have arrived. */
static void look_at_barrier(struct free_core *core, struct sm_event_unit_in *in)
{
    uint64_t arrived = 0;
    bool all = true;
    for (int i = 0; i < FREE_WARPS; i++) {
        const struct free_warp *w = &core->warps[i];
        arrived |= (uint64_t)(w->alive && w->barrier) << i;
        all &= !w->alive || w->barrier;
    }
    core->barrier_done = arrived && all;
    in->bar_done = core->barrier_done ? arrived : 0;
}

void free_core_inputs(struct free_core *core, const struct sm_event_unit_out *out,
                      struct sm_event_unit_in *in)
{
    core->pushed = -1;
    core->popped = 0;
    core->was_wrong = core->wrong;
    core->wrong = false;
    core->scan_free = core->free;
    core->scan_context = false;
    for (int i = 0; i < FREE_WARPS; i++) {
        const struct free_warp *w = &core->warps[i];
        core->launchable[i] = !w->alive && !w->event && !w->wait;
        core->vacated[i] = false;
        core->scan_context |= !w->alive && !w->event;
    }
    find_exit(core, in);
    look_at_barrier(core, in);
    obey(core, out);
    put_free(core, in);
    put_candidates(core, out, in);
    put_victim(core, out, in);
    in->push_ok = out->cmd_push && push(core, out);
    in->push_fail = out->cmd_push && !in->push_ok;
    in->save_done = core->save == 1;
    in->restore_done = core->restore == 1;
}

void free_core_scan(const struct free_core *core, const struct sm_event_unit_in *in, uint32_t units,
                    bool *is_free, bool *fits)
{
    *is_free = core->scan_context && core->scan_free >= units;
    *fits = !*is_free && (units <= BACK_REGS || (in->cfg_spare && core->scan_free >= units));
}

/* --- a cycle
 * -------------------------------------------------------------------------------------- */

/* The load, barrier or exit behind a run of instructions; true: the warp exits. */
static bool end_run(struct free_warp *w, uint32_t draw, bool held)
{
    bool leaves = !w->replay && (draw & 7) == 7 && !held;
    bool arrives = !w->replay && ((draw & 7) == 5 || (draw & 7) == 6);
    w->replay = false;
    w->left = (uint8_t)(draw >> 4);
    w->younger = (draw >> 3 & 3) == 3;
    if (arrives) {
        w->barrier = true;
    } else if (!leaves) {
        w->loads = true;
        w->wait = 16 + (draw & 0x7f);
    }
    return leaves;
}

static bool warp_edge(struct free_core *core, int i, bool held)
{
    struct free_warp *w = &core->warps[i];
    const struct free_warp before = *w; /* after the commands */
    uint32_t draw = draw_of(core, i);
    bool active = w->alive && !w->under, leaves = false;
    bool issues = active && w->ibuf && !w->pipe && !w->loads && !w->barrier;
    if (core->barrier_done)
        w->barrier = false;
    if (w->wait && (w->alive || !w->event))
        w->wait--;
    w->loads = before.loads && before.wait;
    if (w->event && w->run && core->pushed != i)
        w->run--;
    w->over |= core->exit == i;
    if (w->pipe)
        w->pipe--;
    if (w->fetch) {
        w->fetch--;
        if (!w->fetch && !w->discard)
            w->ibuf = 2;
        w->discard &= w->fetch != 0;
    } else if (active && !held && !before.ibuf) {
        w->fetch = 3;
    }
    if (issues) {
        w->ibuf--;
        if (before.left) {
            w->left--;
            w->pipe = (uint8_t)(2 + (draw & 3));
        } else {
            leaves = end_run(w, draw, held);
        }
    }
    if (leaves) {
        w->alive = false;
        w->ibuf = 0;
    }
    if (leaves || core->vacated[i])
        w->wait = (draw & 0x7f) << 1 | 1;
    return leaves;
}

static void launch(struct free_core *core, const struct sm_event_unit_out *out, bool active,
                   uint32_t free)
{
    int at = 0;
    while (at < FREE_WARPS && !core->launchable[at])
        at++;
    if (!active || out->want_drain || at == FREE_WARPS ||
        free < (uint32_t)out->claim_regs + BACK_REGS)
        return;
    struct free_warp *w = &core->warps[at];
    w->alive = true;
    w->replay = false;
    w->left = (uint8_t)(draw_of(core, at) >> 4);
    w->stamp = core->launched++;
    core->free -= BACK_REGS;
}

void free_core_edge(struct free_core *core, const struct sm_event_unit_out *out, bool active)
{
    uint32_t free = core->free;
    for (int i = 0; i < FREE_WARPS; i++)
        if (warp_edge(core, i, out->vic_valid && out->vic_warp % FREE_WARPS == i))
            core->free += BACK_REGS;
    core->free += core->popped;
    launch(core, out, active, free);
    core->save =
        out->cmd_save ? (uint32_t)out->save_regs + TRANSFER : core->save - (core->save != 0);
    core->restore = out->cmd_restore ? (uint32_t)out->restore_regs + TRANSFER
                                     : core->restore - (core->restore != 0);
    core->random = free_random_next(core->random);
}
