/* Least recently used, exactly: each line has the time of its last use, in uses of the cache. */
#include "sim/mem/cache/cache.h"
#include "sim/mem/cache/policy.h"

static void touch(struct cache *c, uint32_t entry)
{
    uint64_t *used = c->state;
    used[entry] = ++c->clock;
}

static void fill(struct cache *c, uint32_t entry, bool evicts)
{
    (void)evicts;
    touch(c, entry);
}

static uint32_t victim(const struct cache *c, uint32_t first)
{
    const uint64_t *used = c->state;
    uint32_t oldest = CACHE_NONE;
    for (uint32_t e = first; e < first + c->ways; e++)
        if (!c->pins[e] && (oldest == CACHE_NONE || used[e] < used[oldest]))
            oldest = e;
    return oldest;
}

const struct cache_policy cache_policy_lru = {
    .name = "lru",
    .line_bytes = sizeof(uint64_t),
    .touch = touch,
    .fill = fill,
    .victim = victim,
};
