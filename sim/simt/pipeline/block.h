/* Blocks on a core, and the resources that blocks and events take. Owner: block.c. */
#ifndef EVGPU_SIMT_PIPELINE_BLOCK_H
#define EVGPU_SIMT_PIPELINE_BLOCK_H

#include "sim/simt/units.h"

struct core;
struct grid;

struct block {
    bool used;
    struct grid *grid;
    uint32_t warps, resident, live; /* in all, not given back, not exited */
    uint32_t threads, registers, shared_bytes;
    uint32_t ctaid[3];
    uint64_t kept; /* contexts of its warps that are gone, with EVENT_CONTEXT_BLOCK or _CORE */
};

struct blocks {
    struct block *slot;
    uint8_t *shared; /* config.shared_bytes per block slot */
    uint32_t slots;
    uint32_t free_threads, free_registers, free_shared, free_slots;
    uint32_t event_registers; /* that events hold */
};

static inline uint32_t block_live(const struct blocks *b, uint32_t block)
{
    return b->slot[block].live;
}

static inline uint32_t block_warps(const struct blocks *b, uint32_t block)
{
    return b->slot[block].warps;
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
    b->event_registers += registers;
    return true;
}

static inline void blocks_give_registers(struct blocks *b, uint32_t registers)
{
    b->free_registers += registers;
    b->event_registers -= registers;
}

void blocks_create(struct core *c);
void blocks_destroy(struct core *c);
void block_warp_exited(struct core *c, uint32_t block);
void blocks_end_owner(struct core *c, uint32_t owner);         /* nobody waits in them any more */
void blocks_end_grid(struct core *c, const struct grid *grid); /* the same */
void block_warp_released(struct core *c, uint32_t block, uint32_t warp);

#endif
