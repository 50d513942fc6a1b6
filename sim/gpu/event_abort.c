/* The end of one event by the driver (rtl/edge/event_kernel_table.v, ABORT): whoever runs it ends
 * it, a core its warp, kernel management its grid. It then completes as any other event, with a
 * code of its own. What it has in flight comes to its end first; words of the synchronised region
 * that it waits for are marked full, since nobody else may ever do that. */
#include "sim/gpu/gpu_internal.h"

static bool core_aborts(struct gpu *gpu, uint32_t row, uint64_t entry, bool *begun)
{
    for (uint64_t left = gpu->active_units; left; left &= left - 1) {
        uint32_t i = (uint32_t)__builtin_ctzll(left);
        if (!core_abort_event(gpu->sm[i].core, row, entry, begun))
            continue;
        gpu->core_wake[i] = gpu->cycle;
        return true;
    }
    return false;
}

void events_answer_abort(struct gpu *gpu)
{
    const struct gpu_frontend_out *out = &gpu->fout;
    bool begun = false;
    gpu->fin.ab_hit = out->ab_valid && (core_aborts(gpu, out->ab_row, out->ab_param, &begun) ||
                                        kmu_abort_event(gpu, out->ab_row, out->ab_param, &begun));
    gpu->aborting += begun;
}

/* --- words that it waits for ------------------------------------------------------------------ */

struct waiter {
    const struct gpu *gpu;
    struct mem_request request;
    bool found;
};

static void look(void *user, const struct mem_request *r, bool left)
{
    struct waiter *w = user;
    const struct endpoint *from = memsys_requester(w->gpu->memsys, r->source);
    if (w->found || left || r->trigger != TRIGGER_FULL || from->kind != ENDPOINT_CORE ||
        !core_access_aborted(w->gpu->sm[from->index].core, r))
        return;
    w->request = *r;
    w->found = memsys_fe_against(w->gpu->memsys, r) != 0;
}

void events_free_aborted(struct gpu *gpu)
{
    struct waiter w = {.gpu = gpu};
    memsys_fe_each(gpu->memsys, look, &w);
    if (!w.found)
        return;
    uint32_t words = memsys_fe_against(gpu->memsys, &w.request);
    uint32_t first = (uint32_t)__builtin_ctz(words), last = 31 - (uint32_t)__builtin_clz(words);
    for (uint32_t i = first; i <= last; i++) {
        if (!(words >> i & 1))
            last = i - 1; /* one run of words at a time; the others come next */
    }
    region_port_fill(gpu, w.request.line + (uint64_t)first * EVG_FE_WORD_BYTES,
                     (uint64_t)(last - first + 1) * EVG_FE_WORD_BYTES);
}
