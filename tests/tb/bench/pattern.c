#include "tests/tb/bench/pattern.h"

enum { OUT_OF = 256, LONGEST_BURST = 24, LONGEST_WAIT = 900 };

struct pattern pattern_random(struct rng *rng)
{
    struct pattern p = {.on = 1 + rng_below(rng, LONGEST_BURST),
                        .off = 1 + rng_below(rng, LONGEST_BURST)};
    if (rng_chance(rng, 1, 2))
        p.kind = (enum pattern_kind)(PATTERN_ALWAYS + rng_below(rng, PATTERN_KINDS - 1));
    if (p.kind == PATTERN_NEVER)
        p.off = 1 + rng_below(rng, LONGEST_WAIT);
    return p;
}

bool pattern_next(struct pattern *p, struct rng *rng, uint32_t chance)
{
    uint32_t cycle = p->cycle++;
    switch (p->kind) {
    case PATTERN_ALWAYS:
        return true;
    case PATTERN_ALTERNATE:
        return cycle % 2;
    case PATTERN_BURSTS:
        return cycle % (p->on + p->off) < p->on;
    case PATTERN_NEVER:
        return cycle >= p->off;
    case PATTERN_CHANCE:
    case PATTERN_KINDS:
        break;
    }
    return rng_chance(rng, chance, OUT_OF);
}
