/* What the fake core tells the tile, and its own opinion of the best victim. */
#include "tests/tb/fake_core_state.h"

#include <string.h>

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
        core->scan.any = core->config.spare && event && core->last_in.core_free_regs >= event->regs;
    }
    in->cand_valid = 1;
    in->cand_group = out->cand_req_group;
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
