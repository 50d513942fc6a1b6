/* Blocks: what a core has room for, starting them, and giving back what they held. */
#include "sim/simt/pipeline/block.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

#define LOCAL_ALIGN 16 /* bytes; a lane's largest access */

static uint32_t round_up(uint32_t value, uint32_t to)
{
    return (value + to - 1) / to * to;
}

static uint32_t local_lane_bytes(const struct kernel *kernel)
{
    return round_up(kernel->local_bytes, LOCAL_ALIGN);
}

uint64_t block_local_bytes(const struct core_config *config, const struct kernel *kernel,
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
                          " registers; a core has %u, of which "
                          "event.register_reserve keeps %u for events; use smaller blocks",
                          name, n->threads, n->registers, config->registers,
                          config->register_reserve);
    if (n->shared > config->shared_bytes)
        return !error_set(err,
                          "%s: a block needs %" PRIu64 " bytes of shared memory, but a core has %u",
                          name, n->shared, config->shared_bytes);
    return false;
}

uint32_t block_occupancy(const struct core_config *config, const struct kernel *kernel,
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

void blocks_create(struct blocks *b, struct slots *slots)
{
    const struct core_config *k = &slots->config;
    b->warp_slots = slots;
    b->slot = ALLOC_ARRAY(struct block, k->blocks);
    b->shared = alloc_sparse((size_t)k->blocks, k->shared_bytes, &b->shared_memory);
    b->free_threads = k->threads;
    b->free_registers = k->registers;
    b->free_shared = k->shared_bytes;
    b->slots = b->free_slots = k->blocks;
}

void blocks_destroy(struct blocks *b)
{
    free(b->slot);
    free(b->shared_memory);
}

static uint32_t beyond(uint32_t value, uint32_t taken)
{
    return value > taken ? value - taken : 0;
}

/* Does the block leave the room of events alone? A core without background blocks takes any, so
 * that room never keeps a kernel from running; and the blocks of a cooperative grid wait for each
 * other. */
static bool keeps_room(const struct blocks *b, const struct grid *grid)
{
    return !grid->is_event && !grid->cooperative && b->slots - b->free_slots > b->held.blocks;
}

/* Free registers that a block of this grid may take: not what the tile claims for the event that it
 * is placing, and of reserve and room only what events hold already, unless it is an event's. */
static uint32_t open_registers(const struct blocks *b, const struct grid *grid)
{
    uint32_t reserve = grid->is_event ? 0 : b->warp_slots->config.register_reserve;
    if (keeps_room(b, grid) && reserve < b->room.registers)
        reserve = b->room.registers;
    uint32_t kept = beyond(reserve, b->held.registers);
    return beyond(b->free_registers, kept < b->claim ? b->claim : kept);
}

static uint32_t open_contexts(const struct blocks *b, const struct grid *grid)
{
    uint32_t open = (uint32_t)__builtin_popcountll(warps_free(&b->warp_slots->warps));
    return keeps_room(b, grid) ? beyond(open, beyond(b->room.warps, b->held.warps)) : open;
}

bool blocks_accept(const struct blocks *b, const struct grid *grid)
{
    struct need n = block_need(grid->kernel, grid->block, grid->dynamic_shared);
    return b->free_slots && n.threads <= b->free_threads &&
           n.registers <= open_registers(b, grid) && n.shared <= b->free_shared &&
           n.warps <= open_contexts(b, grid);
}

uint32_t block_take(struct blocks *b, struct grid *grid, uint64_t number)
{
    struct need n = block_need(grid->kernel, grid->block, grid->dynamic_shared);
    uint32_t slot = 0;
    while (b->slot[slot].used)
        slot++;
    struct block *block = &b->slot[slot];
    *block = (struct block){.used = true,
                            .grid = grid,
                            .warps = (uint32_t)n.warps,
                            .resident = (uint32_t)n.warps,
                            .live = (uint32_t)n.warps,
                            .threads = (uint32_t)n.threads,
                            .registers = (uint32_t)n.registers,
                            .shared_bytes = (uint32_t)n.shared};
    block->ctaid[0] = (uint32_t)(number % grid->dims[0]);
    block->ctaid[1] = (uint32_t)(number / grid->dims[0] % grid->dims[1]);
    block->ctaid[2] = (uint32_t)(number / grid->dims[0] / grid->dims[1]);
    b->free_slots--;
    b->free_threads -= block->threads;
    b->free_registers -= block->registers;
    b->free_shared -= block->shared_bytes;
    if (grid->is_event) {
        b->held.registers += block->registers;
        b->held.warps += block->warps;
        b->held.blocks++;
    }
    return slot;
}

static struct lane_ctx *block_ctx(struct slots *slots, uint32_t w, const struct block *block,
                                  uint32_t first)
{
    const struct grid *grid = block->grid;
    struct lane_ctx *ctx = warp_make_ctx(slots, grid->kernel, w, HOME_SLOT, NO_ENTRY);
    warp_thread_ids(ctx, grid->block, first);
    memcpy(ctx->ctaid, block->ctaid, sizeof ctx->ctaid);
    memcpy(ctx->nctaid, grid->dims, sizeof ctx->nctaid);
    ctx->gridid = grid->id;
    ctx->dynamic_smem = grid->dynamic_shared;
    ctx->total_smem = block->shared_bytes;
    return ctx;
}

uint32_t block_lanes(const struct blocks *b, uint32_t block, uint32_t index)
{
    uint32_t left = b->slot[block].threads - index * WARP_SIZE;
    return left >= WARP_SIZE ? FULL_MASK : (1u << left) - 1;
}

struct warp block_warp(const struct blocks *b, uint32_t block, uint32_t index, uint32_t w)
{
    struct slots *slots = b->warp_slots;
    const struct block *one = &b->slot[block];
    const struct grid *grid = one->grid;
    uint32_t lane_bytes = local_lane_bytes(grid->kernel);
    uint64_t place = (uint64_t)slots->env.port * slots->config.warps + w;
    return (struct warp){.kernel = grid->kernel,
                         .grid = one->grid,
                         .ctx = block_ctx(slots, w, one, index * WARP_SIZE),
                         .block = block,
                         .index = index,
                         .param = grid->param,
                         .local = grid->local_base + place * WARP_SIZE * lane_bytes,
                         .local_lane = lane_bytes,
                         .shared = b->shared + (size_t)block * slots->config.shared_bytes,
                         .shared_bytes = one->shared_bytes,
                         .entry = NO_ENTRY,
                         .owner = grid->owner};
}

void block_warp_released(struct blocks *b, uint32_t block, uint32_t w)
{
    struct slots *slots = b->warp_slots;
    struct warps *warps = &b->warp_slots->warps;
    struct block *one = &b->slot[block];
    if (--one->resident) {
        one->kept |= slots->config.event_context ? BIT(w) : 0;
        warps_keep(warps, one->kept);
        return;
    }
    warps_give_back(warps, one->kept);
    const struct grid *grid = one->grid;
    one->used = false;
    b->free_slots++;
    b->free_threads += one->threads;
    b->free_registers += one->registers;
    b->free_shared += one->shared_bytes;
    if (grid->is_event) {
        b->held.registers -= one->registers;
        b->held.warps -= one->warps;
        b->held.blocks--;
    }
    outbox_add(&slots->outbox, OUT_BLOCK_DONE)->of.grid = one->grid;
}

uint64_t blocks_of_grid(const struct blocks *b, const struct grid *grid)
{
    uint64_t found = 0;
    for (uint32_t i = 0; i < b->slots; i++)
        found |= b->slot[i].used && b->slot[i].grid == grid ? BIT(i) : 0;
    return found;
}

uint64_t blocks_of_owner(const struct blocks *b, uint32_t owner)
{
    uint64_t found = 0;
    for (uint32_t i = 0; i < b->slots; i++)
        found |= b->slot[i].used && b->slot[i].grid->kernel->owner == owner ? BIT(i) : 0;
    return found;
}
