#include "sw/apps/common/input_data.h"

#include "base/rng.h"

void input_floats(uint64_t seed, float *values, size_t count)
{
    struct rng rng;
    rng_seed(&rng, seed);
    for (size_t i = 0; i < count; i++) {
        int32_t fixed = (int32_t)(rng_u64(&rng) >> 40) - (1 << 23); /* 24 bits: exact in a float */
        values[i] = (float)fixed * 0x1p-23f;
    }
}

void input_range(uint64_t seed, float *values, size_t count, float low, float high)
{
    struct rng rng;
    rng_seed(&rng, seed);
    for (size_t i = 0; i < count; i++) {
        double part = (double)(rng_u64(&rng) >> 40) * 0x1p-24;
        values[i] = (float)((double)low + part * ((double)high - (double)low));
    }
}

void input_words(uint64_t seed, uint32_t *values, size_t count, uint32_t below)
{
    struct rng rng;
    rng_seed(&rng, seed);
    for (size_t i = 0; i < count; i++)
        values[i] = rng_below(&rng, below);
}

void input_bytes(uint64_t seed, uint8_t *values, size_t count)
{
    struct rng rng;
    rng_seed(&rng, seed);
    for (size_t i = 0; i < count; i++)
        values[i] = (uint8_t)(rng_u64(&rng) >> 56);
}
