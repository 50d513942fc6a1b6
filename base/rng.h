/* Seeded random numbers (xoshiro256**, seeded through splitmix64): the same seed gives the same
 * sequence on every machine. */
#ifndef EVGPU_BASE_RNG_H
#define EVGPU_BASE_RNG_H

#include <stdbool.h>
#include <stdint.h>

struct rng {
    uint64_t s[4];
};

void rng_seed(struct rng *rng, uint64_t seed);
uint64_t rng_u64(struct rng *rng);

/* Uniform in [0, n); n > 0. */
uint32_t rng_below(struct rng *rng, uint32_t n);

/* True with probability num/den. */
bool rng_chance(struct rng *rng, uint32_t num, uint32_t den);

#endif
