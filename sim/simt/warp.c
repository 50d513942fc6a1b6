/* Warp slots: start, exit, draining, release; the warp limit (SWL). */
#include "sim/simt/core_internal.h"

#include <string.h>

void ctx_thread_ids(struct lane_ctx *ctx, const uint32_t block[3], uint32_t first)
{
    uint32_t x = first % block[0];
    uint32_t y = first / block[0] % block[1];
    uint32_t z = first / block[0] / block[1];
    for (uint32_t lane = 0; lane < WARP_SIZE; lane++) {
        ctx->tid[0][lane] = x;
        ctx->tid[1][lane] = y;
        ctx->tid[2][lane] = z;
        if (++x == block[0]) {
            x = 0;
            if (++y == block[1]) {
                y = 0;
                z++;
            }
        }
    }
    memcpy(ctx->ntid, block, sizeof ctx->ntid);
}

void ctx_common(struct core *c, struct lane_ctx *ctx, const struct kernel *kernel, uint32_t slot)
{
    ctx->konst = (const uint32_t(*)[WARP_SIZE])kernel->konst;
    ctx->warpid = slot;
    ctx->nwarpid = c->config.warps;
    ctx->smid = c->env.port;
    ctx->nsmid = c->env.n_cores;
    ctx->local_bytes = kernel->local_bytes;
    memset(ctx->reg, 0, (size_t)kernel->regs * sizeof *ctx->reg);
    memset(ctx->pred, 0, MAX_PREDS * sizeof *ctx->pred);
}

void warp_start(struct core *c, uint32_t w)
{
    uint64_t bit = BIT(w);
    for (uint32_t v = 0; v < c->config.warps; v++)
        c->older[v] &= ~bit;
    c->older[w] = c->resident & ~bit;
    c->resident |= bit;
    c->alive |= bit;
    c->ibuf_room |= bit;
    c->ibuf_some &= ~bit;
    c->ibuf[w] = 0;
    c->pc[w] = 0;
    c->rpc[w] = NO_RECONV;
    c->depth[w] = c->base[w] = 0;
    c->stamp[w] = c->launches++;
    c->issued[w] = c->other_seq[w] = c->pipe_until[w] = 0;
    c->undo_count[w] = 0;
    c->limit_stale = true;
}

void warp_flush_ibuf(struct core *c, uint32_t w)
{
    uint64_t bit = BIT(w);
    c->ibuf[w] = 0;
    c->ibuf_some &= ~bit;
    c->ibuf_room |= bit;
    if (c->fetch_busy & bit)
        fetch_kill(c, w);
}

/* The last lane has executed exit. The slot is given back when nothing is in flight any more, so
 * that a finished block's stores have been performed. */
void warp_exited(struct core *c, uint32_t w)
{
    uint64_t bit = BIT(w);
    c->alive &= ~bit;
    if (!(c->borrowed & bit))
        c->died |= bit;
    warp_flush_ibuf(c, w);
    c->ibuf_room &= ~bit;
    c->limit_stale = true;
    if (c->warp[w].block != NO_BLOCK) {
        struct block *block = &c->blocks[c->warp[w].block];
        block->live--;
        barrier_warp_exited(c, block);
    }
}

static void release(struct core *c, uint32_t w)
{
    struct warp *warp = &c->warp[w];
    warp->grid->warp_instructions += warp->warp_instructions;
    warp->grid->thread_instructions += warp->thread_instructions;
    fetch_forget(c, w);
    c->resident &= ~BIT(w);
    block_warp_released(c, w);
}

void warp_settle(struct core *c, uint32_t w)
{
    uint64_t bit = BIT(w);
    if (c->alive & bit) {
        if ((c->at_fence & bit) && !c->loads[w] && !c->stores[w] && !c->remotes[w]) {
            c->at_fence &= ~bit;
            warp_refresh(c, w);
        }
        return;
    }
    if (!(c->resident & bit) || c->pipe[w] || c->loads[w] || c->stores[w] || c->remotes[w])
        return;
    if (warp_is_event(c, w))
        event_finished(c, w);
    else
        release(c, w);
}

/* The oldest warps that can run, up to the limit. Warps that wait at a barrier do not count, or the
 * younger warps of their block would never reach it. Events are exempt. */
void warp_update_limit(struct core *c)
{
    c->limit_stale = false;
    c->allowed = UINT64_MAX;
    if (!c->config.warp_limit)
        return;
    uint64_t able = c->alive & ~c->at_barrier & ~c->is_event & ~c->frozen;
    c->allowed = c->is_event;
    for (uint64_t m = able; m; m &= m - 1) {
        uint32_t w = lowest(m);
        if ((uint32_t)__builtin_popcountll(c->older[w] & able) < c->config.warp_limit)
            c->allowed |= BIT(w);
    }
}
