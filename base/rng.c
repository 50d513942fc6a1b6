#include "base/rng.h"

static uint64_t rotl(uint64_t x, unsigned k)
{
    return (x << k) | (x >> (64 - k));
}

void rng_seed(struct rng *rng, uint64_t seed)
{
    for (int i = 0; i < 4; i++) {
        seed += 0x9E3779B97F4A7C15u;
        uint64_t z = seed;
        z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
        z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
        rng->s[i] = z ^ (z >> 31);
    }
}

uint64_t rng_u64(struct rng *rng)
{
    uint64_t *s = rng->s;
    uint64_t result = rotl(s[1] * 5, 7) * 9;
    uint64_t t = s[1] << 17;
    s[2] ^= s[0];
    s[3] ^= s[1];
    s[1] ^= s[2];
    s[0] ^= s[3];
    s[2] ^= t;
    s[3] = rotl(s[3], 45);
    return result;
}

uint32_t rng_below(struct rng *rng, uint32_t n)
{
    return (uint32_t)(((rng_u64(rng) >> 32) * n) >> 32);
}

bool rng_chance(struct rng *rng, uint32_t num, uint32_t den)
{
    return rng_below(rng, den) < num;
}
