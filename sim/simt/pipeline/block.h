/* Blocks on a core, and the resources that blocks and events take. Owner: block.c. */
#ifndef EVGPU_SIMT_PIPELINE_BLOCK_H
#define EVGPU_SIMT_PIPELINE_BLOCK_H

#include "sim/simt/warp/slots.h"

struct block {
    bool used;
    struct grid *grid;
    uint32_t warps, resident, live; /* in all, not given back, not exited */
    uint32_t threads, registers, shared_bytes;
    uint32_t ctaid[3];
    uint64_t kept; /* contexts of its warps that are gone, with EVENT_CONTEXT_BLOCK or _CORE */
};

struct blocks {
    struct slots *warp_slots;
    struct block *slot;
    uint8_t *shared; /* config.shared_bytes per block slot */
    void *shared_memory;
    uint32_t slots;
    uint32_t free_threads, free_registers, free_shared, free_slots;
    struct {
        uint32_t registers, warps, blocks;
    } held; /* what events hold: in free contexts, by spare registers, as blocks */
    struct {
        uint32_t registers, warps;
    } room;         /* that background blocks leave to events, those that events hold among them */
    uint32_t claim; /* free registers for the event that is being placed */
};

static inline uint32_t block_live(const struct blocks *b, uint32_t block)
{
    return b->slot[block].live;
}

static inline uint32_t block_warps(const struct blocks *b, uint32_t block)
{
    return b->slot[block].warps;
}

/* The block's shared memory, from 0 on. */
static inline struct memory_window block_shared(const struct blocks *b, uint32_t block)
{
    size_t at = (size_t)block * b->warp_slots->config.shared_bytes;
    return (struct memory_window){b->shared + at, 0, b->slot[block].shared_bytes};
}

/* The grid of the block in the slot; NULL: it is free. */
static inline const struct grid *block_grid(const struct blocks *b, uint32_t block)
{
    return b->slot[block].used ? b->slot[block].grid : NULL;
}

/* Blocks on the core. */
static inline bool blocks_used(const struct blocks *b)
{
    return b->free_slots != b->slots;
}

static inline uint32_t blocks_free_registers(const struct blocks *b)
{
    return b->free_registers;
}

/* Registers for an event. False: there are not so many. */
static inline bool blocks_take_registers(struct blocks *b, uint32_t registers)
{
    if (registers > b->free_registers)
        return false;
    b->free_registers -= registers;
    b->held.registers += registers;
    return true;
}

static inline void blocks_give_registers(struct blocks *b, uint32_t registers)
{
    b->free_registers += registers;
    b->held.registers -= registers;
}

/* An event has begun, or ended, in a context that was free. */
static inline void blocks_take_context(struct blocks *b)
{
    b->held.warps++;
}

static inline void blocks_give_context(struct blocks *b)
{
    b->held.warps--;
}

/* As core_keep_room. */
static inline void blocks_keep_room(struct blocks *b, uint32_t warps, uint32_t registers)
{
    b->room.warps = warps;
    b->room.registers = registers;
}

/* The event unit is placing an event with so many registers; 0: it is not. */
static inline void blocks_claim(struct blocks *b, uint32_t registers)
{
    b->claim = registers;
}

/* A warp of the block has exited. */
static inline void block_warp_exited(struct blocks *b, uint32_t block)
{
    b->slot[block].live--;
}

void blocks_create(struct blocks *b, struct slots *slots);
void blocks_destroy(struct blocks *b);
/* As core_occupancy and core_local_bytes. */
uint32_t block_occupancy(const struct core_config *config, const struct kernel *kernel,
                         const uint32_t block[3], uint32_t dynamic_shared, const char **limiter,
                         struct error *err);
uint64_t block_local_bytes(const struct core_config *config, const struct kernel *kernel,
                           uint32_t n_cores);
bool blocks_accept(const struct blocks *b, const struct grid *grid);
/* Takes a free slot and what the block needs; the slot. */
uint32_t block_take(struct blocks *b, struct grid *grid, uint64_t number);
/* The block's index-th warp as it starts in slot `w`, and the lanes that it has. */
struct warp block_warp(const struct blocks *b, uint32_t block, uint32_t index, uint32_t w);
uint32_t block_lanes(const struct blocks *b, uint32_t block, uint32_t index);
/* A warp of the block has given back its slot; the last one gives back what the block held. */
void block_warp_released(struct blocks *b, uint32_t block, uint32_t w);
/* Blocks of the grid, or of the owner's kernels: their slots as a mask. */
uint64_t blocks_of_grid(const struct blocks *b, const struct grid *grid);
uint64_t blocks_of_owner(const struct blocks *b, uint32_t owner);

#endif
