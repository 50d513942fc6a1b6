#include "sim/cpu/cpu_cache.h"

#include <inttypes.h>
#include <stdlib.h>

#include "base/alloc.h"

static uint64_t sets_of(uint32_t bytes, uint32_t ways)
{
    return ways ? bytes / ((uint64_t)ways << CPU_LINE_SHIFT) : 0;
}

bool cpu_cache_check(const char *name, uint32_t bytes, uint32_t ways, struct error *err)
{
    uint64_t sets = sets_of(bytes, ways);
    if (sets && sets * ways << CPU_LINE_SHIFT == bytes && !(sets & (sets - 1)))
        return true;
    return error_set(err,
                     "%s of %" PRIu32 " bytes, %" PRIu32
                     " ways: the number of sets of 128-byte lines must be a power of two",
                     name, bytes, ways);
}

bool cpu_cache_create(struct cpu_cache *c, const char *name, uint32_t bytes, uint32_t ways,
                      struct error *err)
{
    uint64_t sets = sets_of(bytes, ways);
    *c = (struct cpu_cache){.ways = ways, .set_mask = (uint32_t)sets - 1};
    if (!cpu_cache_check(name, bytes, ways, err))
        return false;
    c->way = ALLOC_ARRAY(struct cpu_way, sets * ways);
    for (uint64_t i = 0; i < sets * ways; i++)
        c->way[i].line = CPU_WAY_FREE;
    return true;
}

void cpu_cache_destroy(struct cpu_cache *c)
{
    free(c->way);
    *c = (struct cpu_cache){0};
}

struct cpu_victim cpu_cache_fill(struct cpu_cache *c, uint64_t line, bool dirty, uint64_t there)
{
    struct cpu_way *set = &c->way[(line & c->set_mask) * c->ways];
    struct cpu_way last = set[c->ways - 1];
    for (uint32_t i = c->ways - 1; i; i--)
        set[i] = set[i - 1];
    set[0] = (struct cpu_way){line | (dirty ? CPU_DIRTY : 0), there};
    return (struct cpu_victim){last.line & ~CPU_DIRTY, last.line >> 63};
}
