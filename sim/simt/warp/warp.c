#include "sim/simt/warp/warp.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "sim/simt/warp/slots.h"

void warp_thread_ids(struct lane_ctx *ctx, const uint32_t block[3], uint32_t first)
{
    uint32_t x = first % block[0];
    uint32_t y = first / block[0] % block[1];
    uint32_t z = first / block[0] / block[1];
    bool one_row = block[0] - x >= WARP_SIZE;
    for (uint32_t lane = 0; lane < WARP_SIZE; lane++) {
        ctx->tid[0][lane] = one_row ? x + lane : x;
        ctx->tid[1][lane] = y;
        ctx->tid[2][lane] = z;
        if (!one_row && ++x == block[0]) {
            x = 0;
            if (++y == block[1]) {
                y = 0;
                z++;
            }
        }
    }
    memcpy(ctx->ntid, block, sizeof ctx->ntid);
}

void warps_create(struct slots *slots)
{
    const struct core_config *k = &slots->config;
    struct warps *s = &slots->warps;
    s->slots = k->warps == SLOTS ? UINT64_MAX : BIT(k->warps) - 1;
    s->file = alloc_sparse((size_t)k->warps * FILE_ROWS, sizeof *s->file, &s->file_memory);
    s->event_file =
        alloc_sparse((size_t)EVENTS * FILE_ROWS, sizeof *s->event_file, &s->event_file_memory);
    s->slot_ctx = alloc_array(k->warps, sizeof *s->slot_ctx);
    s->event_ctx = alloc_array(EVENTS, sizeof *s->event_ctx);
    s->slot_preds = alloc_array(k->warps, sizeof *s->slot_preds);
    s->event_preds = alloc_array(EVENTS, sizeof *s->event_preds);
}

void warps_destroy(struct slots *slots)
{
    free(slots->warps.file_memory);
    free(slots->warps.event_file_memory);
    free(slots->warps.slot_ctx);
    free(slots->warps.event_ctx);
    free(slots->warps.slot_preds);
    free(slots->warps.event_preds);
}

/* For texture fetches: what a load could read. */
static bool readable(const void *of, uint32_t owner, uint64_t address, uint64_t bounds[2])
{
    const struct image *image = of;
    return image_span(image, owner, address, false, false, &bounds[0], &bounds[1]);
}

struct lane_ctx *warp_make_ctx(struct slots *slots, const struct kernel *kernel, uint32_t slot,
                               enum warp_home home, uint32_t entry)
{
    struct warps *s = &slots->warps;
    bool own = home == HOME_SLOT;
    struct lane_ctx *ctx = own ? &s->slot_ctx[slot] : &s->event_ctx[entry];
    ctx->reg = home == HOME_SPARE ? s->event_file + (size_t)entry * FILE_ROWS
                                  : s->file + (size_t)slot * FILE_ROWS;
    ctx->pred = own ? s->slot_preds[slot] : s->event_preds[entry];
    ctx->konst = (const uint32_t(*)[WARP_SIZE])kernel->konst;
    ctx->warpid = slot;
    ctx->nwarpid = slots->config.warps;
    ctx->smid = slots->env.port;
    ctx->nsmid = slots->env.n_cores;
    ctx->local_bytes = kernel->local_bytes;
    memset(ctx->frame, 0, sizeof ctx->frame);
    ctx->memory = slots->env.image->base;
    ctx->memory_start = ctx->memory_bytes = 0;
    ctx->readable = readable;
    ctx->readable_of = slots->env.image;
    ctx->owner = kernel->owner;
    memset(ctx->reg, 0, (size_t)kernel->regs * sizeof *ctx->reg);
    memset(ctx->pred, 0, MAX_PREDS * sizeof *ctx->pred);
    return ctx;
}

static void occupy(struct warps *s, uint32_t w, const struct warp *warp)
{
    s->slot[w].warp = *warp;
    s->slot[w].warp.code = warp->kernel->code;
    s->alive |= BIT(w);
    s->doomed = (s->doomed & ~BIT(w)) | (warp->doomed ? BIT(w) : 0);
}

void warp_replace(struct warps *s, uint32_t w, const struct warp *warp)
{
    occupy(s, w, warp);
}

void warps_enter(struct warps *s, uint32_t w, const struct warp *warp)
{
    uint64_t bit = BIT(w);
    for (uint64_t m = s->resident; m; m &= m - 1)
        s->older[lowest(m)] &= ~bit;
    s->older[w] = s->resident & ~bit;
    s->resident |= bit;
    s->stamp[w] = s->launches++;
    occupy(s, w, warp);
}

void warp_doom(struct slots *slots, uint32_t w)
{
    struct warps *s = &slots->warps;
    uint64_t bit = BIT(w);
    if (!(s->alive & bit))
        return;
    s->slot[w].warp.doomed = true;
    s->doomed |= bit;
    ibuffer_flush(&slots->ibuffers, w);
    ready_refresh(slots, w);
}
