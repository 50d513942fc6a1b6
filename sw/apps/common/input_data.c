#include "sw/apps/common/input_data.h"

#include "sim/base/rng.h"

void input_floats(uint64_t seed, float *values, size_t count)
{
    struct rng rng;
    rng_seed(&rng, seed);
    for (size_t i = 0; i < count; i++) {
        int32_t fixed = (int32_t)(rng_u64(&rng) >> 40) - (1 << 23); /* 24 bits: exact in a float */
        values[i] = (float)fixed * 0x1p-23f;
    }
}
