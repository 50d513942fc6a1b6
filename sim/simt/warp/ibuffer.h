/* Instruction buffers: two entries per warp, and the instructions on their way to them from the
 * instruction cache. Owner: ibuffer.c.
 *
 * The i-buffer of a warp holds the instructions at pc and pc + 1, so that a count describes it. */
#ifndef EVGPU_SIMT_WARP_IBUFFER_H
#define EVGPU_SIMT_WARP_IBUFFER_H

#include "sim/simt/warp/units.h"

#define IBUF_ENTRIES 2
#define INST_BYTES   8

struct slots;

/* A hit of the instruction cache on its way to the i-buffer. */
struct fetch_hit {
    uint64_t cycle;
    uint8_t warp, count;
    bool dead;
};

struct ibuffers {
    uint64_t some, room, busy; /* i-buffers that are not empty, not full, or being fetched for */
    uint8_t entries[SLOTS];
    struct fetch_hit *hit; /* ring of a power of two, `mask` + 1 */
    uint32_t head, count, mask;
};

static inline uint64_t ibuffers_some(const struct ibuffers *b)
{
    return b->some;
}

static inline uint64_t ibuffers_room(const struct ibuffers *b)
{
    return b->room;
}

static inline uint64_t ibuffers_busy(const struct ibuffers *b)
{
    return b->busy;
}

static inline uint8_t ibuffer_entries(const struct ibuffers *b, uint32_t w)
{
    return b->entries[w];
}

static inline uint32_t ibuffers_on_way(const struct ibuffers *b)
{
    return b->count;
}

/* Cycle of the next arrival; UINT64_MAX: nothing is on its way. */
static inline uint64_t ibuffers_next_arrival(const struct ibuffers *b)
{
    return b->count ? b->hit[b->head].cycle : UINT64_MAX;
}

/* Whose that is. */
static inline uint32_t ibuffers_next_warp(const struct ibuffers *b)
{
    return b->hit[b->head].warp;
}

/* The first instruction has been issued, and the warp goes on with the one after it. */
static inline void ibuffer_consume(struct ibuffers *b, uint32_t w)
{
    uint64_t bit = BIT(w);
    if (!--b->entries[w])
        b->some &= ~bit;
    b->room |= bit;
}

/* Nothing follows the instructions in the i-buffer. */
static inline void ibuffer_last(struct ibuffers *b, uint32_t w)
{
    b->room &= ~BIT(w);
}

/* A fetch for the warps misses the instruction cache, or its line has come. */
static inline void ibuffers_wait(struct ibuffers *b, uint64_t warps)
{
    b->busy |= warps;
}

static inline void ibuffers_go_on(struct ibuffers *b, uint64_t warps)
{
    b->busy &= ~warps;
}

/* As many instructions arrive at `cycle`. */
static inline void ibuffer_send(struct ibuffers *b, uint32_t w, uint32_t count, uint64_t cycle)
{
    uint32_t at = (b->head + b->count++) & b->mask;
    b->busy |= BIT(w);
    b->hit[at] = (struct fetch_hit){cycle, (uint8_t)w, (uint8_t)count, false};
}

/* `size`: fetches on their way at most. */
void ibuffers_create(struct ibuffers *b, uint32_t size);
void ibuffers_destroy(struct ibuffers *b);
void ibuffer_fill(struct slots *slots, uint32_t w, uint32_t count);
void ibuffers_take_arrivals(struct slots *slots);
void ibuffer_flush(struct ibuffers *b, uint32_t w); /* empties it, to fill it again */
void ibuffer_stop(struct ibuffers *b, uint32_t w);  /* empties it for good: the warp has exited */
/* The slot is given back. True: a miss was on its way for it. */
bool ibuffer_forget(struct ibuffers *b, uint32_t w);

#endif
