#include "sim/simt/pipeline/warp.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "sim/simt/core_internal.h"

void warp_thread_ids(struct lane_ctx *ctx, const uint32_t block[3], uint32_t first)
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

void warps_create(struct core *c)
{
    const struct core_config *k = &c->config;
    struct warps *s = &c->warps;
    s->slots = k->warps == SLOTS ? UINT64_MAX : BIT(k->warps) - 1;
    s->file = alloc_array((size_t)k->warps * FILE_ROWS, sizeof *s->file);
    s->event_file = alloc_array((size_t)EVENTS * FILE_ROWS, sizeof *s->event_file);
    s->slot_ctx = alloc_array(k->warps, sizeof *s->slot_ctx);
    s->event_ctx = alloc_array(EVENTS, sizeof *s->event_ctx);
    s->slot_preds = alloc_array(k->warps, sizeof *s->slot_preds);
    s->event_preds = alloc_array(EVENTS, sizeof *s->event_preds);
}

void warps_destroy(struct core *c)
{
    free(c->warps.file);
    free(c->warps.event_file);
    free(c->warps.slot_ctx);
    free(c->warps.event_ctx);
    free(c->warps.slot_preds);
    free(c->warps.event_preds);
}

struct lane_ctx *warp_make_ctx(struct core *c, const struct kernel *kernel, uint32_t slot,
                               enum warp_home home, uint32_t entry)
{
    struct warps *s = &c->warps;
    bool own = home == HOME_SLOT;
    struct lane_ctx *ctx = own ? &s->slot_ctx[slot] : &s->event_ctx[entry];
    ctx->reg = home == HOME_SPARE ? s->event_file + (size_t)entry * FILE_ROWS
                                  : s->file + (size_t)slot * FILE_ROWS;
    ctx->pred = own ? s->slot_preds[slot] : s->event_preds[entry];
    ctx->konst = (const uint32_t(*)[WARP_SIZE])kernel->konst;
    ctx->warpid = slot;
    ctx->nwarpid = c->config.warps;
    ctx->smid = c->env.port;
    ctx->nsmid = c->env.n_cores;
    ctx->local_bytes = kernel->local_bytes;
    memset(ctx->frame, 0, sizeof ctx->frame);
    ctx->memory = c->env.image->base;
    ctx->memory_start = c->env.image->start;
    ctx->memory_bytes = c->env.image->start + c->env.image->bytes;
    memset(ctx->reg, 0, (size_t)kernel->regs * sizeof *ctx->reg);
    memset(ctx->pred, 0, MAX_PREDS * sizeof *ctx->pred);
    return ctx;
}

static void occupy(struct warps *s, uint32_t w, const struct warp *warp)
{
    s->warp[w] = *warp;
    s->code[w] = warp->kernel->code;
    s->ctx[w] = warp->ctx;
    s->alive |= BIT(w);
    s->doomed = (s->doomed & ~BIT(w)) | (warp->doomed ? BIT(w) : 0);
}

void warp_start(struct core *c, uint32_t w, const struct warp *warp, uint32_t lanes)
{
    struct warps *s = &c->warps;
    uint64_t bit = BIT(w);
    for (uint32_t v = 0; v < c->config.warps; v++)
        s->older[v] &= ~bit;
    s->older[w] = s->resident & ~bit;
    s->resident |= bit;
    s->stamp[w] = s->launches++;
    occupy(s, w, warp);
    fetch_flush(&c->fetch, w);
    stack_start(c, w, lanes);
    scoreboard_start(&c->scoreboard, w);
    replay_start(&c->replay, w);
    issue_start(&c->issue, w);
    account_enter(&c->accounts, w, warp->owner);
}

void warp_replace(struct core *c, uint32_t w, const struct warp *warp)
{
    occupy(&c->warps, w, warp);
    issue_limit_stale(&c->issue);
}

/* The last lane has executed exit. The slot is given back when nothing is in flight any more, so
 * that a finished block's stores have been performed. */
void warp_exited(struct core *c, uint32_t w)
{
    uint64_t bit = BIT(w);
    c->warps.alive &= ~bit;
    if (!(events_borrowed(&c->events) & bit))
        port_died(&c->port, w);
    fetch_stop(&c->fetch, w);
    issue_limit_stale(&c->issue);
    if (c->warps.warp[w].block != NO_BLOCK)
        block_warp_exited(c, c->warps.warp[w].block);
}

void warp_vacate(struct core *c, uint32_t w)
{
    fetch_forget(&c->fetch, w);
    account_leave(&c->accounts, w, c->warps.warp[w].owner);
    c->warps.resident &= ~BIT(w);
}

static void release(struct core *c, uint32_t w)
{
    struct warp *warp = &c->warps.warp[w];
    warp->grid->warp_instructions += warp->warp_instructions;
    warp->grid->thread_instructions += warp->thread_instructions;
    account_instructions(&c->accounts, warp->owner, warp->warp_instructions,
                         warp->thread_instructions);
    warp_vacate(c, w);
    block_warp_released(c, warp->block, w);
}

static bool accesses_in_flight(const struct core *c, uint32_t w)
{
    return lsu_loads(&c->lsu, w) || lsu_stores(&c->lsu, w) || remotes_in_flight(&c->remotes, w);
}

void warp_settle(struct core *c, uint32_t w)
{
    uint64_t bit = BIT(w);
    if (c->warps.alive & bit) {
        if ((issue_fences(&c->issue) & bit) && !accesses_in_flight(c, w)) {
            issue_leave_fence(&c->issue, w);
            issue_refresh(c, w);
        }
        return;
    }
    if (!(c->warps.resident & bit) || pipe_count(&c->scoreboard, w) || accesses_in_flight(c, w))
        return;
    if (event_on(&c->events, w))
        event_finished(c, w);
    else
        release(c, w);
}

/* --- the end of an owner ---------------------------------------------------------------------- */

void warp_doom(struct core *c, uint32_t w)
{
    uint64_t bit = BIT(w);
    if (!(c->warps.alive & bit))
        return;
    c->warps.warp[w].doomed = true;
    c->warps.doomed |= bit;
    fetch_flush(&c->fetch, w);
    issue_refresh(c, w);
}

/* A victim on hold stays until the tile lets it go or has had its event on it: once flushed it must
 * not exit (warp_take_ctrl.v). An event exits only when the tile has seen that it runs. */
void warps_reap(struct core *c)
{
    uint64_t off =
        events_frozen(&c->events) |
        ((events_displaced(&c->events) | port_held(&c->port)) & ~events_running(&c->events));
    if (port_push_unseen(&c->port))
        off |= events_running(&c->events);
    for (uint64_t m = c->warps.doomed & c->warps.alive & ~off; m; m &= m - 1) {
        uint32_t w = lowest(m);
        c->warps.doomed &= ~BIT(w);
        stack_end(&c->stacks, w);
        issue_forget(&c->issue, w);
        remotes_forget(&c->remotes, w);
        warp_exited(c, w);
        issue_refresh(c, w);
        warp_settle(c, w);
    }
}

void core_end_owner(struct core *c, uint32_t owner)
{
    for (uint64_t m = c->warps.alive; m; m &= m - 1) {
        uint32_t w = lowest(m);
        if (c->warps.warp[w].kernel->owner == owner)
            warp_doom(c, w);
    }
    events_end_owner(&c->events, owner);
    blocks_end_owner(c, owner);
    issue_limit_stale(&c->issue);
}

void core_end_grid(struct core *c, const struct grid *grid)
{
    for (uint64_t m = c->warps.alive; m; m &= m - 1) {
        uint32_t w = lowest(m);
        if (c->warps.warp[w].grid == grid)
            warp_doom(c, w);
    }
    events_end_grid(&c->events, grid);
    blocks_end_grid(c, grid);
    issue_limit_stale(&c->issue);
}

bool core_access_aborted(const struct core *c, const struct mem_request *request)
{
    uint32_t w = remote_access(c, request)->warp;
    const struct grid *grid = c->warps.warp[w].grid;
    return grid ? grid->aborted : event_aborted(c, w);
}

void core_add_instructions(const struct core *c, const struct grid *grid,
                           uint64_t *warp_instructions, uint64_t *thread_instructions)
{
    for (uint64_t left = c->warps.resident; left; left &= left - 1) {
        const struct warp *warp = &c->warps.warp[lowest(left)];
        if (warp->grid != grid)
            continue;
        *warp_instructions += warp->warp_instructions;
        *thread_instructions += warp->thread_instructions;
    }
}
