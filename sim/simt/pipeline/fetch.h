/* Instruction fetch: i-buffers of two entries, filled through the instruction cache. Owner:
 * fetch.c.
 *
 * The i-buffer of a warp holds the instructions at pc and pc + 1, so that a count describes it. */
#ifndef EVGPU_SIMT_PIPELINE_FETCH_H
#define EVGPU_SIMT_PIPELINE_FETCH_H

#include "sim/mem/cache/cache.h"
#include "sim/simt/units.h"

#define IBUF_ENTRIES 2
#define INST_BYTES   8

struct core;
struct core_stats;

struct icache_miss {
    uint64_t line, waiting;
    bool used, sent;
};

/* A hit on its way to the i-buffer. */
struct fetch_hit {
    uint64_t cycle;
    uint8_t warp, count;
    bool dead;
};

struct fetch {
    uint64_t some, room, busy; /* i-buffers that are not empty, not full, or being fetched for */
    uint8_t ibuf[SLOTS];
    uint32_t entry[SLOTS]; /* instruction cache entry of the last fetch */
    struct cache icache;
    struct icache_miss miss[SLOTS];
    uint32_t unsent, turn;
    struct fetch_hit *hit; /* ring */
    uint32_t head, count, size;
    uint64_t misses;
};

static inline uint64_t fetch_some(const struct fetch *f)
{
    return f->some;
}

static inline uint64_t fetch_busy(const struct fetch *f)
{
    return f->busy;
}

static inline uint8_t fetch_ibuf(const struct fetch *f, uint32_t w)
{
    return f->ibuf[w];
}

static inline uint32_t fetch_on_way(const struct fetch *f)
{
    return f->count;
}

static inline uint32_t fetch_unsent(const struct fetch *f)
{
    return f->unsent;
}

/* Cycle of the next arrival, if any is on its way. */
static inline uint64_t fetch_next_arrival(const struct fetch *f)
{
    return f->count ? f->hit[f->head].cycle : UINT64_MAX;
}

/* The first instruction has been issued, and the warp goes on with the one after it. */
static inline void fetch_consume(struct fetch *f, uint32_t w)
{
    uint64_t bit = BIT(w);
    if (!--f->ibuf[w])
        f->some &= ~bit;
    f->room |= bit;
}

bool fetch_create(struct core *c, struct error *err);
void fetch_destroy(struct core *c);
void fetch_arrivals(struct core *c);
void fetch_tick(struct core *c);
void fetch_send_misses(struct core *c);
void fetch_reply(struct core *c, uint32_t value);
uint64_t fetch_candidates(const struct core *c);
void fetch_flush(struct fetch *f, uint32_t w);  /* empties the i-buffer, to fill it again */
void fetch_stop(struct fetch *f, uint32_t w);   /* empties it for good: the warp has exited */
void fetch_forget(struct fetch *f, uint32_t w); /* the slot is given back */
void fetch_stats(const struct fetch *f, struct core_stats *stats);

#endif
