/* Golden model of event_reserve. */
#include "tb/model/gpu_frontend_blocks.h"

static uint32_t wanted(const struct model_reserve *r)
{
    if (!r->most)
        return 0;
    uint32_t cores = (r->events + r->per_core - 1) / r->per_core;
    return cores < r->most ? cores : r->most;
}

void model_reserve_step(struct model_reserve *r, const struct gpu_frontend_in *in,
                        const struct wires *w, struct gpu_frontend_out *out)
{
    uint32_t now = r->wanted, cores = out->keep_cores;
    r->wanted = wanted(r);
    if (cores < now)
        out->keep_cores++;
    if (cores <= now) {
        r->above = 0;
    } else if (r->above >= r->patience) {
        out->keep_cores--;
        r->above = 0;
    } else {
        r->above++;
    }
    uint32_t completed = w->completed && r->events;
    r->events += out->acc_valid;
    r->events -= completed;
    if (!out->acc_valid)
        return;
    r->most = in->cfg_mode == SCHED_MODE_DYNAMIC ? in->cfg_keep_most : 0;
    r->per_core = 1u << in->cfg_keep_shift;
    r->patience = in->cfg_keep_patience;
}

bool model_reserve_quiet(const struct model_reserve *r, const struct wires *w,
                         const struct gpu_frontend_out *out)
{
    return !out->acc_valid && !w->completed && r->wanted == wanted(r) &&
           out->keep_cores == r->wanted && !r->above;
}
