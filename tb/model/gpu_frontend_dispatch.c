/* Golden model of event_dispatch. */
#include "tb/model/gpu_frontend_blocks.h"

#include <string.h>

#define CODE_MASK (((uint64_t)1 << 56) - 1)

static bool is_warp_event(const struct kernel_launch *k)
{
    if (k->dims[0] != 1 || k->dims[1] != 1 || k->dims[2] != 1 || k->shared)
        return false;
    uint64_t threads = 1;
    for (int i = 3; i < 6; i++) {
        if (k->dims[i] > EVG_WARP_LANES)
            return false;
        threads *= k->dims[i];
    }
    return threads <= EVG_WARP_LANES;
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
    out->ev_priority = k->priority;
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
    out->big_priority = k->priority;
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

static void note_answer(struct model_dispatch *d, const struct gpu_frontend_in *in, uint32_t group)
{
    d->answered = true;
    d->answer_first = group * EVG_SCAN_LANES;
    d->answer_ok = 0;
    for (uint32_t lane = 0; lane < EVG_SCAN_LANES; lane++) {
        bool wanted = in->cfg_core_mask >> (d->answer_first + lane) & 1;
        bool has_room = (in->stat_occupancy >> 3 * lane & 7) < EVG_PEWT_ENTRIES;
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

static void start_scan(struct model_dispatch *d, struct gpu_frontend_out *out)
{
    d->step = SCAN_ASK;
    d->best = -1;
    out->stat_req = 1;
    out->stat_req_group = 0;
}

static void scan(struct model_dispatch *d, const struct gpu_frontend_in *in,
                 struct gpu_frontend_out *out)
{
    compare_answer(d);
    switch (d->step) {
    case SCAN_NONE:
        break;
    case SCAN_ASK:
        if (!in->stat_valid || in->stat_group != out->stat_req_group)
            break;
        note_answer(d, in, out->stat_req_group);
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
            start_scan(d, out);
            break;
        }
        out->ev_core = (uint8_t)d->best;
        out->ev_valid = 1;
        d->step = SCAN_OFFER;
        break;
    case SCAN_OFFER:
        if (in->ev_ack) {
            out->ev_valid = 0;
            d->step = SCAN_NONE;
        }
        break;
    }
}

bool model_dispatch_takes(const struct model_dispatch *d, const struct kernel_launch *k,
                          const struct gpu_frontend_out *out)
{
    return is_warp_event(k) ? d->step == SCAN_NONE : !out->big_valid;
}

void model_dispatch_step(struct model_dispatch *d, const struct gpu_frontend_in *in,
                         const struct wires *w, const struct kernel_launch *launched,
                         struct gpu_frontend_out *out)
{
    if (out->big_valid && in->big_ready)
        out->big_valid = 0;
    scan(d, in, out);
    if (!w->kernel)
        return;
    if (is_warp_event(launched)) {
        show_warp_event(launched, out);
        start_scan(d, out);
    } else {
        show_big_event(launched, out);
        out->big_valid = 1;
    }
}

bool model_dispatch_quiet(const struct model_dispatch *d, const struct gpu_frontend_out *out)
{
    return d->step == SCAN_NONE && !out->big_valid;
}
