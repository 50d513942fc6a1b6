/* Instruction fetch: the i-buffers are filled through the instruction cache. Owner: fetch.c. */
#ifndef EVGPU_SIMT_PIPELINE_FETCH_H
#define EVGPU_SIMT_PIPELINE_FETCH_H

#include "sim/mem/cache/cache.h"
#include "sim/simt/lsu/lsu.h"

struct icache_miss {
    uint64_t line, waiting;
    bool used, sent;
};

struct fetch {
    struct slots *slots;
    struct mem_port *port;
    uint32_t entry[SLOTS]; /* instruction cache entry of the last fetch */
    struct cache icache;
    struct icache_miss miss[SLOTS];
    uint32_t unsent, turn;
    uint64_t misses;
};

/* What every cycle looks at comes to the host's cache. */
static inline void fetch_expect(const struct fetch *f)
{
    __builtin_prefetch(&f->unsent);
}

static inline uint32_t fetch_unsent(const struct fetch *f)
{
    return f->unsent;
}

bool fetch_create(struct fetch *f, struct slots *slots, struct mem_port *port, struct error *err);
void fetch_destroy(struct fetch *f);
void fetch_tick(struct fetch *f);
void fetch_warm(struct fetch *f, uint64_t line); /* without time: the tags alone */
void fetch_send_misses(struct fetch *f);
void fetch_reply(struct fetch *f, uint32_t value);
uint64_t fetch_candidates(const struct fetch *f);
void fetch_forget(struct fetch *f, uint32_t w); /* the slot is given back */
void fetch_stats(const struct fetch *f, struct core_stats *stats);

#endif
