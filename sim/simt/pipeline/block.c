/* Blocks: what a core has room for, starting them, and giving back what they held. */
#include "sim/simt/pipeline/block.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "sim/simt/check/check.h"
#include "sim/simt/core_internal.h"

#define LOCAL_ALIGN 16 /* bytes; a lane's largest access */

static uint32_t round_up(uint32_t value, uint32_t to)
{
    return (value + to - 1) / to * to;
}

static uint32_t local_lane_bytes(const struct kernel *kernel)
{
    return round_up(kernel->local_bytes, LOCAL_ALIGN);
}

uint64_t core_local_bytes(const struct core_config *config, const struct kernel *kernel,
                          uint32_t n_cores)
{
    return (uint64_t)config->warps * WARP_SIZE * local_lane_bytes(kernel) * n_cores;
}

struct need {
    uint64_t threads, warps, registers, shared;
};

static struct need block_need(const struct kernel *kernel, const uint32_t block[3],
                              uint32_t dynamic_shared)
{
    struct need n;
    n.threads = (uint64_t)block[0] * block[1] * block[2];
    n.warps = (n.threads + WARP_SIZE - 1) / WARP_SIZE;
    n.registers = n.warps * kernel->regs * WARP_SIZE;
    n.shared = (uint64_t)kernel->shared_bytes + dynamic_shared;
    return n;
}

static bool too_large(const struct core_config *config, const struct kernel *kernel,
                      const struct need *n, struct error *err)
{
    const char *name = kernel->name;
    if (kernel->max_threads && n->threads > kernel->max_threads)
        return !error_set(err, "%s: a block of %" PRIu64 " threads exceeds its .maxntid of %u",
                          name, n->threads, kernel->max_threads);
    if (n->threads > config->threads || n->warps > config->warps)
        return !error_set(err,
                          "%s: a block of %" PRIu64 " threads is larger than a core (%u threads, "
                          "%u warps)",
                          name, n->threads, config->threads, config->warps);
    if (n->registers > config->registers - config->register_reserve)
        return !error_set(err,
                          "%s: a block of %" PRIu64 " threads needs %" PRIu64
                          " registers, a core has %u, %u of them for events only "
                          "(event.register_reserve); use smaller blocks",
                          name, n->threads, n->registers, config->registers,
                          config->register_reserve);
    if (n->shared > config->shared_bytes)
        return !error_set(err,
                          "%s: a block needs %" PRIu64 " bytes of shared memory, a core has %u",
                          name, n->shared, config->shared_bytes);
    return false;
}

uint32_t core_occupancy(const struct core_config *config, const struct kernel *kernel,
                        const uint32_t block[3], uint32_t dynamic_shared, const char **limiter,
                        struct error *err)
{
    for (uint32_t i = 0; i < 3; i++) {
        if (!block[i] || block[i] > 65535) {
            error_set(err, "%s: block dimension %c is %u; it must be 1 to 65535", kernel->name,
                      "xyz"[i], block[i]);
            return 0;
        }
    }
    struct need n = block_need(kernel, block, dynamic_shared);
    if (too_large(config, kernel, &n, err))
        return 0;
    const struct {
        uint64_t have, need;
        const char *name;
    } limits[] = {{config->blocks, 1, "blocks"},
                  {config->warps, n.warps, "warps"},
                  {config->threads, n.threads, "threads"},
                  {config->registers - config->register_reserve, n.registers, "registers"},
                  {config->shared_bytes, n.shared, "shared memory"}};
    uint64_t best = UINT64_MAX;
    for (size_t i = 0; i < sizeof limits / sizeof *limits; i++) {
        if (!limits[i].need || limits[i].have / limits[i].need >= best)
            continue;
        best = limits[i].have / limits[i].need;
        if (limiter)
            *limiter = limits[i].name;
    }
    return (uint32_t)best;
}

void blocks_create(struct core *c)
{
    const struct core_config *k = &c->config;
    struct blocks *b = &c->blocks;
    b->slot = ALLOC_ARRAY(struct block, k->blocks);
    b->shared = alloc_array((size_t)k->blocks, k->shared_bytes ? k->shared_bytes : 1);
    b->free_threads = k->threads;
    b->free_registers = k->registers;
    b->free_shared = k->shared_bytes;
    b->slots = b->free_slots = k->blocks;
}

void blocks_destroy(struct core *c)
{
    free(c->blocks.slot);
    free(c->blocks.shared);
}

/* Free registers that a block of this grid may take: not what the tile claims for the event that it
 * is placing, and of the reserve only what events hold already, unless it is an event's. */
static uint32_t open_registers(const struct core *c, const struct grid *grid)
{
    const struct blocks *b = &c->blocks;
    uint32_t reserve = c->config.register_reserve;
    uint32_t kept =
        grid->is_event || b->event_registers > reserve ? 0 : reserve - b->event_registers;
    if (kept < port_claim(&c->port))
        kept = port_claim(&c->port);
    return b->free_registers > kept ? b->free_registers - kept : 0;
}

bool core_accepts(const struct core *c, const struct grid *grid)
{
    struct need n = block_need(grid->kernel, grid->block, grid->dynamic_shared);
    uint64_t free_slots = warps_free(&c->warps);
    return c->blocks.free_slots && n.threads <= c->blocks.free_threads &&
           n.registers <= open_registers(c, grid) && n.shared <= c->blocks.free_shared &&
           n.warps <= (uint64_t)__builtin_popcountll(free_slots);
}

static struct lane_ctx *block_ctx(struct core *c, uint32_t w, const struct block *block,
                                  uint32_t first)
{
    const struct grid *grid = block->grid;
    struct lane_ctx *ctx = warp_make_ctx(c, grid->kernel, w, HOME_SLOT, NO_ENTRY);
    warp_thread_ids(ctx, grid->block, first);
    memcpy(ctx->ctaid, block->ctaid, sizeof ctx->ctaid);
    memcpy(ctx->nctaid, grid->dims, sizeof ctx->nctaid);
    ctx->gridid = grid->id;
    ctx->dynamic_smem = grid->dynamic_shared;
    ctx->total_smem = block->shared_bytes;
    return ctx;
}

static void start_warp(struct core *c, uint32_t slot, uint32_t index)
{
    struct block *block = &c->blocks.slot[slot];
    const struct kernel *kernel = block->grid->kernel;
    uint32_t w = lowest(warps_free(&c->warps));
    uint32_t first = index * WARP_SIZE, left = block->threads - first;
    uint32_t lane_bytes = local_lane_bytes(kernel);
    struct warp warp = {.kernel = kernel,
                        .grid = block->grid,
                        .ctx = block_ctx(c, w, block, first),
                        .block = slot,
                        .index = index,
                        .param = block->grid->param,
                        .local =
                            block->grid->local_base +
                            ((uint64_t)c->env.port * c->config.warps + w) * WARP_SIZE * lane_bytes,
                        .local_lane = lane_bytes,
                        .shared = c->blocks.shared + (size_t)slot * c->config.shared_bytes,
                        .shared_bytes = block->shared_bytes,
                        .entry = NO_ENTRY,
                        .owner = block->grid->owner};
    warp_start(c, w, &warp, left >= WARP_SIZE ? FULL_MASK : (1u << left) - 1);
}

void core_launch_block(struct core *c, struct grid *grid, uint64_t number)
{
    struct need n = block_need(grid->kernel, grid->block, grid->dynamic_shared);
    uint32_t slot = 0;
    while (c->blocks.slot[slot].used)
        slot++;
    struct block *block = &c->blocks.slot[slot];
    *block = (struct block){.used = true,
                            .grid = grid,
                            .warps = (uint32_t)n.warps,
                            .live = (uint32_t)n.warps,
                            .threads = (uint32_t)n.threads,
                            .registers = (uint32_t)n.registers,
                            .shared_bytes = (uint32_t)n.shared};
    block->ctaid[0] = (uint32_t)(number % grid->dims[0]);
    block->ctaid[1] = (uint32_t)(number / grid->dims[0] % grid->dims[1]);
    block->ctaid[2] = (uint32_t)(number / grid->dims[0] / grid->dims[1]);
    barriers_start(&c->barriers, slot);
    c->blocks.free_slots--;
    c->blocks.free_threads -= block->threads;
    c->blocks.free_registers -= block->registers;
    c->blocks.event_registers += grid->is_event ? block->registers : 0;
    c->blocks.free_shared -= block->shared_bytes;
    for (uint32_t i = 0; i < block->warps; i++)
        start_warp(c, slot, i);
    block->resident = block->warps;
    if (c->env.check)
        check_block(c, slot);
}

void block_warp_exited(struct core *c, uint32_t slot)
{
    c->blocks.slot[slot].live--;
    barrier_warp_exited(c, slot);
}

void block_warp_released(struct core *c, uint32_t slot, uint32_t w)
{
    struct block *block = &c->blocks.slot[slot];
    if (--block->resident) {
        block->kept |= c->config.event_context ? BIT(w) : 0;
        warps_keep(&c->warps, block->kept);
        return;
    }
    warps_give_back(&c->warps, block->kept);
    struct grid *grid = block->grid;
    block->used = false;
    c->blocks.free_slots++;
    c->blocks.free_threads += block->threads;
    c->blocks.free_registers += block->registers;
    c->blocks.event_registers -= grid->is_event ? block->registers : 0;
    c->blocks.free_shared += block->shared_bytes;
    grid->blocks_done++;
    if (c->env.block_done)
        c->env.block_done(c->env.user, c->env.port, grid);
}

void blocks_end_grid(struct core *c, const struct grid *grid)
{
    for (uint32_t i = 0; i < c->config.blocks; i++) {
        if (c->blocks.slot[i].used && c->blocks.slot[i].grid == grid)
            barriers_open(c, i);
    }
}

void blocks_end_owner(struct core *c, uint32_t owner)
{
    for (uint32_t i = 0; i < c->config.blocks; i++) {
        const struct block *block = &c->blocks.slot[i];
        if (block->used && block->grid->kernel->owner == owner)
            barriers_open(c, i);
    }
}
