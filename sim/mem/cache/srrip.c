/* Static re-reference interval prediction with hit priority (SRRIP-HP; Jaleel et al., ISCA 2010,
 * section 4.1), 2 bits per line.
 *
 * A line's value predicts when it is used again: 0 soon, 3 in the distant future. A new line starts
 * at 2, so that a scan, whose lines are used once, evicts its own lines and not those that were
 * used again. A hit sets 0. The victim is the first line at 3; when there is none, every line of
 * the set moves up together until one is there. That step belongs to the eviction: `victim` only
 * names the first line with the greatest value, and `fill` moves the set up by what that lacked. */
#include "sim/mem/cache/cache.h"
#include "sim/mem/cache/policy.h"

enum { SOON = 0, LONG = 2, DISTANT = 3 };

static void touch(struct cache *c, uint32_t entry)
{
    uint8_t *interval = c->state;
    interval[entry] = SOON;
}

static void fill(struct cache *c, uint32_t entry, bool evicts)
{
    uint8_t *interval = c->state;
    uint32_t first = entry - entry % c->ways;
    uint32_t step = evicts ? (uint32_t)DISTANT - interval[entry] : 0;
    for (uint32_t e = first; step && e < first + c->ways; e++) {
        uint32_t moved = interval[e] + step;
        interval[e] = (uint8_t)(moved < DISTANT ? moved : DISTANT);
    }
    interval[entry] = LONG;
}

static uint32_t victim(const struct cache *c, uint32_t first)
{
    const uint8_t *interval = c->state;
    uint32_t farthest = CACHE_NONE;
    for (uint32_t e = first; e < first + c->ways; e++)
        if (!c->pins[e] && (farthest == CACHE_NONE || interval[e] > interval[farthest]))
            farthest = e;
    return farthest;
}

const struct cache_policy cache_policy_srrip = {
    .name = "srrip",
    .line_bytes = sizeof(uint8_t),
    .touch = touch,
    .fill = fill,
    .victim = victim,
};
