/* Golden model of event_dispatch. */
#include "tb/model/gpu_frontend_blocks.h"

#include <string.h>

#define CODE_MASK (((uint64_t)1 << 56) - 1)

bool model_is_warp_event(const uint32_t dims[6], uint16_t shared)
{
    if (dims[0] != 1 || dims[1] != 1 || dims[2] != 1 || shared)
        return false;
    uint64_t threads = 1;
    for (int i = 3; i < 6; i++) {
        if (dims[i] > EVG_WARP_LANES)
            return false;
        threads *= dims[i];
    }
    return threads <= EVG_WARP_LANES;
}

static bool is_warp(const struct kernel_launch *k)
{
    return model_is_warp_event(k->dims, k->shared);
}

static void show_warp_event(const struct kernel_launch *k, struct gpu_frontend_out *out)
{
    uint32_t threads = k->dims[3] * k->dims[4] * k->dims[5];
    out->ev_kernel = k->code & CODE_MASK;
    out->ev_regs = out->stat_req_regs = (uint8_t)(k->code >> 56);
    out->ev_param = k->param;
    out->ev_mask = (uint32_t)(((uint64_t)1 << threads) - 1);
    out->ev_dims = k->dims[3] | k->dims[4] << 6 | k->dims[5] << 12;
    out->ev_row = k->from.row;
    out->ev_tag = k->from.tag;
}

static void show_big_event(const struct kernel_launch *k, struct gpu_frontend_out *out)
{
    out->big_kernel = k->code & CODE_MASK;
    out->big_regs = (uint8_t)(k->code >> 56);
    out->big_param = k->param;
    memcpy(out->big_dims, k->dims, sizeof out->big_dims);
    out->big_shared = k->shared;
    out->big_row = k->from.row;
    out->big_tag = k->from.tag;
}

static uint16_t key_of(const struct gpu_frontend_in *in, uint32_t lane)
{
    uint32_t occupancy = in->stat_occupancy >> 3 * lane & 7;
    uint32_t victims = in->stat_victims >> 3 * lane & 7;
    uint32_t busy = in->stat_busy >> lane & 1u;
    uint32_t not_free = !(in->stat_free >> lane & 1u);
    uint32_t cannot = not_free && !(in->stat_fits >> lane & 1);
    if (in->cfg_mode == SCHED_MODE_PREEMPT)
        return (uint16_t)(not_free << 8 | cannot << 7 | victims << 4 | occupancy << 1 | busy);
    uint32_t key = occupancy << 4 | victims << 1 | busy;
    if (in->cfg_mode != SCHED_MODE_DYNAMIC)
        return (uint16_t)(not_free << 7 | key);
    if (!not_free)
        return (uint16_t)(key | (in->stat_kept >> lane & 1 ? 0u : 0x200u));
    return (uint16_t)(key | (cannot ? 0x380u : 0x300u));
}

/* Entries of the lane's table that the event leaves to priorities without one there: if its own has
 * one, to each that waits and one to all others with rows, else to each higher one that waits. */
static uint32_t entries_kept(const struct model_dispatch *d, const struct gpu_frontend_in *in,
                             uint32_t levels, uint32_t lane)
{
    uint32_t held = in->stat_levels >> (PRIORITY_LEVELS * lane), waiting = 0;
    for (uint32_t level = 0; level < PRIORITY_LEVELS; level++)
        waiting |= (uint32_t)(d->n_warps[level] > 0) << level;
    uint32_t absent = ~held & ~(1u << d->tried);
    if (!(held >> d->tried & 1))
        return (uint32_t)__builtin_popcount(waiting & absent & ~0u << d->tried);
    bool lent = levels & absent & ~waiting;
    return (uint32_t)__builtin_popcount(waiting & absent) + lent;
}

static void note_answer(struct model_dispatch *d, const struct gpu_frontend_in *in, uint32_t group,
                        uint32_t levels)
{
    d->answered = true;
    d->answer_first = group * EVG_SCAN_LANES;
    d->answer_ok = 0;
    for (uint32_t lane = 0; lane < EVG_SCAN_LANES; lane++) {
        bool wanted = in->cfg_core_mask >> (d->answer_first + lane) & 1;
        bool has_room = (in->stat_occupancy >> 3 * lane & 7) + entries_kept(d, in, levels, lane) <
                        EVG_PEWT_ENTRIES;
        d->answer_ok |= (uint8_t)((wanted && has_room) << lane);
        d->answer_key[lane] = key_of(in, lane);
    }
}

static void compare_answer(struct model_dispatch *d)
{
    for (uint32_t lane = 0; d->answered && lane < EVG_SCAN_LANES; lane++) {
        if (!(d->answer_ok >> lane & 1) || (d->best >= 0 && d->answer_key[lane] >= d->best_key))
            continue;
        d->best = (int32_t)(d->answer_first + lane);
        d->best_key = d->answer_key[lane];
    }
    d->answered = false;
}

/* The highest priority below `limit` that waits, -1: none. */
static int highest_below(const uint8_t *waiting, int limit)
{
    while (--limit >= 0 && !waiting[limit])
        ;
    return limit;
}

/* Tries the next event, if one waits: of the highest priority, or in its turn of a lower one. */
static void start_scan(struct model_dispatch *d, struct gpu_frontend_out *out, bool failed)
{
    int level = highest_below(d->n_warps, PRIORITY_LEVELS);
    if (level < 0)
        return;
    int lower = highest_below(d->n_warps, d->tried);
    d->down = lower >= 0 && (failed || d->down || d->found >= EVG_FAIR_EVERY);
    if (d->down) {
        level = lower;
        d->found = 0;
    }
    d->tried = out->ev_priority = (uint8_t)level;
    show_warp_event(&d->warps[level][0], out);
    d->step = SCAN_ASK;
    d->best = -1;
    out->stat_req = 1;
    out->stat_req_group = 0;
}

static void placed(struct model_dispatch *d, struct gpu_frontend_out *out)
{
    out->ev_valid = 0;
    d->step = SCAN_NONE;
    d->warps[d->tried][0] = d->warps[d->tried][1];
    d->n_warps[d->tried]--;
    d->found++;
}

static void scan(struct model_dispatch *d, const struct gpu_frontend_in *in, uint32_t levels,
                 struct gpu_frontend_out *out)
{
    compare_answer(d);
    switch (d->step) {
    case SCAN_NONE:
        break;
    case SCAN_ASK:
        if (!in->stat_valid || in->stat_group != out->stat_req_group)
            break;
        note_answer(d, in, out->stat_req_group, levels);
        if (out->stat_req_group + 1 >= in->cfg_core_groups ||
            out->stat_req_group + 1 == EVG_MAX_CORES / EVG_SCAN_LANES) {
            out->stat_req = 0;
            d->step = SCAN_COMPARE;
        } else {
            out->stat_req_group++;
        }
        break;
    case SCAN_COMPARE:
        d->step = SCAN_CHOOSE;
        break;
    case SCAN_CHOOSE:
        if (d->best < 0) {
            start_scan(d, out, true);
            break;
        }
        out->ev_core = (uint8_t)d->best;
        out->ev_valid = 1;
        d->step = SCAN_OFFER;
        break;
    case SCAN_OFFER:
        if (in->ev_ack)
            placed(d, out);
        break;
    }
}

/* What was shown stays, as all data. */
void model_dispatch_reset(struct model_dispatch *d, struct gpu_frontend_out *out)
{
    memset(d->n_warps, 0, sizeof d->n_warps);
    memset(d->n_bigs, 0, sizeof d->n_bigs);
    d->tried = out->ev_priority = 0;
    d->down = d->answered = false;
    d->found = 0;
    d->step = SCAN_NONE;
    d->best = -1;
}

bool model_dispatch_takes(const struct model_dispatch *d, const struct kernel_launch *k)
{
    return is_warp(k) ? d->n_warps[k->priority] < 2 : !d->n_bigs[k->priority];
}

static void take(struct model_dispatch *d, const struct kernel_launch *k)
{
    if (is_warp(k)) {
        d->warps[k->priority][d->n_warps[k->priority]++] = *k;
    } else {
        d->bigs[k->priority] = *k;
        d->n_bigs[k->priority] = 1;
    }
}

/* The larger kernel of the highest priority, after a cycle in vain the next lower one. */
static void show_next_big(struct model_dispatch *d, bool in_vain, struct gpu_frontend_out *out)
{
    int next = in_vain ? highest_below(d->n_bigs, d->big_shown) : -1;
    if (next < 0)
        next = highest_below(d->n_bigs, PRIORITY_LEVELS);
    out->big_valid = next >= 0;
    if (next >= 0)
        d->big_shown = out->big_priority = (uint8_t)next;
    show_big_event(&d->bigs[d->big_shown], out);
}

void model_dispatch_step(struct model_dispatch *d, const struct gpu_frontend_in *in,
                         const struct wires *w, const struct kernel_launch *launched,
                         struct gpu_frontend_out *out)
{
    const uint32_t levels = out->levels;
    const bool in_vain = out->big_valid && !in->big_ready, idle = d->step == SCAN_NONE;
    if (w->queued)
        d->n_bigs[d->big_shown] = 0;
    const int waiting = highest_below(d->n_warps, PRIORITY_LEVELS);
    if (idle && waiting >= 0)
        start_scan(d, out, false);
    else
        scan(d, in, levels, out);
    if (w->kernel)
        take(d, launched);
    if (idle && waiting < 0)
        start_scan(d, out, false);
    show_next_big(d, in_vain, out);
}

bool model_dispatch_quiet(const struct model_dispatch *d)
{
    return d->step == SCAN_NONE && highest_below(d->n_warps, PRIORITY_LEVELS) < 0 &&
           highest_below(d->n_bigs, PRIORITY_LEVELS) < 0;
}
