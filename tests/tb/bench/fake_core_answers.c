/* What the fake core tells the tile: its warps, with an opinion of its own of the best victim, and
 * what becomes of commands and events. */
#include "tests/tb/bench/fake_core_state.h"

#include <string.h>

enum {
    PATTERN_CYCLES = 2000, /* after which there are other ones */
    ALWAYS = 256,          /* chances are of so many */
    PUSH_CHANCE = 128,
    TRANSFER_CHANCE = 8,
    DONE_CHANCE = 128,
    SCAN_CHANCE = 250,
    JUNK_ODDS = 64,
};

static void put_bits(uint32_t *words, uint32_t lsb, uint32_t width, uint32_t value)
{
    for (uint32_t bit = 0; bit < width; bit++) {
        uint32_t mask = 1U << (lsb + bit) % 32;
        uint32_t *word = &words[(lsb + bit) / 32];
        *word = value >> bit & 1 ? *word | mask : *word & ~mask;
    }
}

static void put_lane(uint8_t *port, uint32_t lane, bool value)
{
    *port = (uint8_t)((*port & ~(1U << lane)) | (uint32_t)value << lane);
}

/* Cycles to flush the warp, from the definition in rtl/edge/victim_select.v. */
static uint32_t cost_of(const struct fake_core *core, const struct fake_warp *warp)
{
    uint8_t opts = core->config.opts;
    uint32_t cost = fake_warp_pipe(warp);
    if (!(opts & EVG_OPT_FLUSH_IBUF))
        cost += warp->n_ibuf * (uint32_t)EVG_COST_IBUF;
    if (warp->n_loads) {
        bool keep = !(opts & EVG_OPT_DROP_LOADS) || fake_warp_younger(warp) || warp->barrier ||
                    warp->atomic_left;
        cost += keep ? EVG_COST_LOAD : EVG_COST_DROP;
    }
    if (warp->barrier && !(opts & EVG_OPT_SKIP_BARRIER))
        cost += EVG_COST_BARRIER;
    if (warp->atomic_left)
        cost += EVG_COST_ATOMIC;
    return cost;
}

static void answer_lane(struct fake_core *core, uint32_t w, bool scan, struct sm_event_unit_in *in)
{
    const struct fake_warp *warp = &core->warps[w];
    uint32_t lane = w % EVG_SCAN_LANES;
    bool ok = warp->present && !warp->borrowed && !warp->event;
    put_lane(&in->cand_ok, lane, ok);
    if (!ok)
        return;
    in->cand_regs &= ~(127ULL << 7 * lane);
    in->cand_regs |= (uint64_t)warp->regs << 7 * lane;
    put_bits(in->cand_stamp, 16 * lane, 16, warp->stamp);
    put_bits(in->cand_pipe, 9 * lane, 9, fake_warp_pipe(warp));
    in->cand_ibuf = (uint16_t)(in->cand_ibuf & ~(3U << 2 * lane));
    in->cand_ibuf = (uint16_t)(in->cand_ibuf | (uint32_t)warp->n_ibuf << 2 * lane);
    put_lane(&in->cand_loads, lane, warp->n_loads > 0);
    put_lane(&in->cand_younger, lane, fake_warp_younger(warp));
    put_lane(&in->cand_barrier, lane, warp->barrier);
    put_lane(&in->cand_atomic, lane, warp->atomic_left > 0);
    const struct fake_event *event = core->taken;
    if (!scan || !event || (!core->scan.any && warp->regs < event->regs) || core->tried >> w & 1)
        return;
    core->scan.eligible |= 1ULL << w;
    core->scan.age[w] = (uint16_t)(core->now - warp->stamp);
    core->scan.cost[w] = cost_of(core, warp);
}

static void answer_candidates(struct fake_core *core, const struct sm_event_unit_out *out,
                              struct sm_event_unit_in *in)
{
    bool scan = !out->vic_valid;
    if (scan && out->cand_req_group == 0) { /* decided at the edge before */
        const struct fake_event *event = core->taken;
        core->scan.eligible = 0;
        core->scan.any = core->config.spare && event && !core->lighter &&
                         core->last_in.core_free_regs >= event->regs;
    }
    in->cand_valid = 1;
    in->cand_group = out->cand_req_group;
    if (!pattern_next(&core->scan_pattern, &core->rng, SCAN_CHANCE)) { /* as a core that is late */
        in->cand_valid = (uint8_t)rng_below(&core->rng, 2);
        in->cand_group ^= (uint8_t)(1 + rng_below(&core->rng, EVG_MAX_WARPS / EVG_SCAN_LANES - 1));
        core->counts[FAKE_SILENT]++;
        return;
    }
    for (uint32_t lane = 0; lane < EVG_SCAN_LANES; lane++)
        answer_lane(core, out->cand_req_group * (uint32_t)EVG_SCAN_LANES + lane, scan, in);
}

static bool is_better(const struct fake_core *core, uint32_t w, uint32_t best)
{
    const struct fake_scan *scan = &core->scan;
    switch (core->config.policy) {
    case VICTIM_POLICY_OLDEST:
        return scan->age[w] > scan->age[best];
    case VICTIM_POLICY_NEWEST:
        return scan->age[w] < scan->age[best];
    default:
        return scan->cost[w] < scan->cost[best];
    }
}

int fake_core_best_victim(const struct fake_core *core)
{
    int best = -1;
    for (uint32_t w = 0; w < EVG_MAX_WARPS; w++)
        if (core->scan.eligible >> w & 1 && (best < 0 || is_better(core, w, (uint32_t)best)))
            best = (int)w;
    return best;
}

int fake_core_ready_victim(const struct fake_core *core)
{
    uint64_t now = core->last_in.cand_now, clean = now & ~core->last_in.cand_drop;
    if (core->config.policy != VICTIM_POLICY_CHEAPEST || !core->last_out.now_req || !now)
        return -1;
    return __builtin_ctzll(clean ? clean : now);
}

/* What one command, or none, flushes. */
static void answer_ready(struct fake_core *core, const struct sm_event_unit_out *out,
                         struct sm_event_unit_in *in)
{
    uint8_t opts = core->config.opts;
    in->cand_now = in->cand_drop = 0;
    for (uint32_t w = 0; w < fake_core_warps(core); w++) {
        const struct fake_warp *warp = &core->warps[w];
        bool any = core->config.spare && core->free_regs >= out->now_regs;
        if (!warp->present || warp->borrowed || warp->event || warp->fetching || warp->n_alu ||
            warp->atomic_left || (out->vic_valid && out->vic_warp == w))
            continue;
        if (!any && warp->regs < out->now_regs)
            continue;
        if ((warp->n_ibuf && !(opts & EVG_OPT_FLUSH_IBUF)) ||
            (warp->barrier && !(opts & EVG_OPT_SKIP_BARRIER)))
            continue;
        if (warp->n_loads &&
            (!(opts & EVG_OPT_DROP_LOADS) || fake_warp_younger(warp) || warp->barrier))
            continue;
        in->cand_now |= 1ULL << w;
        in->cand_drop |= (uint64_t)(warp->n_loads > 0) << w;
    }
}

static void answer_victim(const struct fake_core *core, uint32_t w, struct sm_event_unit_in *in)
{
    const struct fake_warp *warp = &core->warps[w];
    in->vic_alive = warp->present && !warp->exited;
    in->vic_ibuf = warp->n_ibuf;
    in->vic_fetch = warp->fetching;
    in->vic_pipe = warp->n_alu > 0;
    in->vic_loads = warp->n_loads > 0;
    in->vic_younger = fake_warp_younger(warp);
    in->vic_barrier = warp->barrier;
    in->vic_atomic = warp->atomic_left > 0;
}

static void report_free(struct fake_core *core, struct sm_event_unit_in *in)
{
    in->core_now = core->now;
    in->core_free_regs = (uint16_t)core->free_regs;
    in->core_free_warp = 0;
    for (uint32_t w = 0; w < fake_core_warps(core) && !in->core_free_warp; w++) {
        if (core->warps[w].present || core->warps[w].event)
            continue;
        in->core_free_warp = 1;
        in->core_free_slot = (uint8_t)w;
    }
}

/* Noise on all that has no meaning without a request; pulses that would have one stay 0. */
static void fill_noise(struct rng *rng, struct sm_event_unit_in *in)
{
    uint64_t noise = rng_u64(rng);
    in->cand_valid = noise & 1;
    in->cand_group = noise >> 1 & 7;
    in->cand_ok = (uint8_t)(noise >> 4);
    in->cand_loads = (uint8_t)(noise >> 12);
    in->cand_younger = (uint8_t)(noise >> 20);
    in->cand_barrier = (uint8_t)(noise >> 28);
    in->cand_atomic = (uint8_t)(noise >> 36);
    in->cand_ibuf = (uint16_t)(noise >> 44);
    in->core_free_slot = noise >> 40 & 63;
    in->cand_regs = rng_u64(rng) >> 8;
    in->cand_now = rng_u64(rng);
    in->cand_drop = rng_u64(rng);
    noise = rng_u64(rng);
    memcpy(in->cand_stamp, &noise, sizeof noise);
    memcpy(in->cand_pipe, &noise, sizeof noise);
    in->vic_alive = noise & 1;
    in->vic_ibuf = noise >> 1 & 3;
    in->vic_fetch = noise >> 3 & 1;
    in->vic_pipe = noise >> 4 & 1;
    in->vic_loads = noise >> 5 & 1;
    in->vic_younger = noise >> 6 & 1;
    in->vic_barrier = noise >> 7 & 1;
    in->vic_atomic = noise >> 8 & 1;
}

void fake_core_answer(struct fake_core *core, const struct sm_event_unit_out *out,
                      struct sm_event_unit_in *in)
{
    fill_noise(&core->rng, in);
    report_free(core, in);
    in->bar_done = core->bar_done;
    if (out->cand_req)
        answer_candidates(core, out, in);
    if (out->now_req)
        answer_ready(core, out, in);
    if (out->vic_valid)
        answer_victim(core, out->vic_warp, in);
}

/* --- commands, events */

/* Is a command that is being carried out done? At the earliest at the next edge. */
static bool is_done(struct fake_core *core, bool *under_way, struct pattern *pattern,
                    uint32_t chance)
{
    if (!*under_way || !pattern_next(pattern, &core->rng, chance))
        return false;
    *under_way = false;
    return true;
}

static void answer_commands(struct fake_core *core, struct sm_event_unit_in *in)
{
    struct rng *rng = &core->rng;
    in->push_ok = in->push_fail = 0;
    core->push_accepted = false;
    in->save_done = in->restore_done = 0;
    if (!core->pushes && rng_chance(rng, 1, JUNK_ODDS))
        in->push_ok = in->push_fail = 1;
    if (!core->saves)
        in->save_done = rng_chance(rng, 1, JUNK_ODDS);
    if (!core->restores)
        in->restore_done = rng_chance(rng, 1, JUNK_ODDS);
    if (is_done(core, &core->pushes, &core->push_pattern, PUSH_CHANCE)) {
        in->push_ok = core->push_answer;
        in->push_fail = !core->push_answer;
        core->pushing->running = core->push_accepted = core->push_answer;
    }
    if (is_done(core, &core->saves, &core->save_pattern, TRANSFER_CHANCE))
        in->save_done = core->saved = true;
    if (is_done(core, &core->restores, &core->restore_pattern, TRANSFER_CHANCE))
        in->restore_done = core->restoring->restored = true;
}

static void run_events(struct fake_core *core, struct sm_event_unit_in *in)
{
    in->exit_valid = 0;
    in->exit_warp = (uint8_t)rng_below(&core->rng, EVG_MAX_WARPS);
    for (uint32_t e = 0; e < EVG_PEWT_ENTRIES; e++) {
        struct fake_event *event = &core->events[e];
        if (!event->used || !event->pushed || event->exited)
            continue;
        if (event->left > 0)
            event->left--;
        if (event->left || !event->running || in->exit_valid)
            continue;
        in->exit_valid = 1;
        in->exit_warp = event->warp;
        in->exit_aborted = event->tag % 3 == 0;
        event->exited = true;
        core->counts[FAKE_AT_ONCE] += in->push_ok && core->pushing == event;
        core->exit_tags[core->n_exit_tags++] = event->tag;
    }
    if (!in->exit_valid && !core->warps[in->exit_warp].event)
        in->exit_valid = rng_chance(&core->rng, 1, JUNK_ODDS);
}

static void take_completion(struct fake_core *core, const struct sm_event_unit_out *out,
                            struct sm_event_unit_in *in)
{
    in->done_ready = pattern_next(&core->done_pattern, &core->rng, DONE_CHANCE);
    if (!out->done_valid || !in->done_ready)
        return;
    for (uint32_t e = 0; e < EVG_PEWT_ENTRIES; e++)
        if (core->events[e].used && core->events[e].tag == out->done_tag)
            core->events[e].completed = true;
    core->n_exit_tags--;
    for (uint32_t i = 0; i < core->n_exit_tags; i++)
        core->exit_tags[i] = core->exit_tags[i + 1];
}

static void offer_event(struct fake_core *core, const struct sm_event_unit_out *out,
                        struct sm_event_unit_in *in)
{
    struct rng *rng = &core->rng;
    in->ev_valid = 1;
    in->ev_kernel = rng_u64(rng);
    in->ev_param = rng_u64(rng);
    in->ev_mask = (uint32_t)rng_u64(rng);
    in->ev_dims = rng_below(rng, 1U << 18);
    in->ev_regs = (uint8_t)(1 + rng_below(rng, core->config.event_regs));
    in->ev_row = (uint8_t)rng_below(rng, EVG_EKT_ROWS);
    in->ev_priority = (uint8_t)rng_below(rng, 1 << EVG_PRIORITY_BITS);
    in->ev_tag = core->next_tag;
    if (!out->ev_ready)
        return;
    struct fake_event *event = core->events;
    while (event->used)
        event++;
    *event = (struct fake_event){.used = true,
                                 .kernel = in->ev_kernel,
                                 .param = in->ev_param,
                                 .mask = in->ev_mask,
                                 .dims = in->ev_dims,
                                 .tag = core->next_tag++,
                                 .regs = in->ev_regs,
                                 .row = in->ev_row,
                                 .priority = in->ev_priority,
                                 .accepted_at = core->cycle};
    core->counts[FAKE_EVENTS]++;
}

static void new_patterns(struct fake_core *core)
{
    core->push_pattern = pattern_random(&core->rng);
    core->save_pattern = pattern_random(&core->rng);
    core->restore_pattern = pattern_random(&core->rng);
    core->done_pattern = pattern_random(&core->rng);
    core->event_pattern = pattern_random(&core->rng);
    core->scan_pattern = pattern_random(&core->rng);
}

void fake_core_proceed(struct fake_core *core, const struct sm_event_unit_out *out, bool offer,
                       struct sm_event_unit_in *in)
{
    if (core->cycle % PATTERN_CYCLES == 0)
        new_patterns(core);
    answer_commands(core, in);
    run_events(core, in);
    take_completion(core, out, in);
    uint32_t chance = 1U + (uint32_t)ALWAYS / core->config.event_rate;
    in->ev_valid = 0;
    if (offer && pattern_next(&core->event_pattern, &core->rng, chance))
        offer_event(core, out, in);
}
