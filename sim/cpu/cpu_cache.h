/* Tags of a private cache. A set is a few adjacent words, most recently used first: a hit on the
 * line used last looks at one of them, and an L1 set is one cache line of the host's. That is why
 * CPU cores do not use sim/mem/cache/cache.h, whose entries have masks of valid and dirty words. */
#ifndef EVGPU_CPU_CPU_CACHE_H
#define EVGPU_CPU_CPU_CACHE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"

#define CPU_LINE_SHIFT 7
#define CPU_WAY_FREE   (UINT64_MAX >> 1) /* no line has this number */

struct cpu_way {
    uint64_t line;  /* number of the line, bit 63: dirty */
    uint64_t there; /* cycle from which on the data are there */
};

struct cpu_cache {
    struct cpu_way *way; /* [set * ways + place], most recently used first */
    uint32_t ways, set_mask;
};

/* The evicted line. */
struct cpu_victim {
    uint64_t line;
    bool dirty; /* false also when nothing left */
};

/* False with `err` when there is no power of two of sets. */
bool cpu_cache_check(const char *name, uint32_t bytes, uint32_t ways, struct error *err);
bool cpu_cache_create(struct cpu_cache *c, const char *name, uint32_t bytes, uint32_t ways,
                      struct error *err);
void cpu_cache_destroy(struct cpu_cache *c);

/* Puts a line that is not there in front of its set. */
struct cpu_victim cpu_cache_fill(struct cpu_cache *c, uint64_t line, bool dirty, uint64_t there);

#define CPU_DIRTY (1ull << 63)

/* The line's way, now in front of its set; NULL when it is not there. */
static inline struct cpu_way *cpu_cache_find(struct cpu_cache *c, uint64_t line)
{
    struct cpu_way *set = &c->way[(line & c->set_mask) * c->ways];
    if ((set[0].line & ~CPU_DIRTY) == line)
        return set;
    for (uint32_t i = 1; i < c->ways; i++) {
        if ((set[i].line & ~CPU_DIRTY) != line)
            continue;
        struct cpu_way found = set[i];
        for (; i; i--)
            set[i] = set[i - 1];
        set[0] = found;
        return set;
    }
    return 0;
}

#endif
