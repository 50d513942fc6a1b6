#include "sw/apps/pathfinder/pathfinder.h"

#include <string.h>

#include "base/rng.h"

void pathfinder_generate(uint64_t seed, int32_t *wall, uint32_t rows, uint32_t columns)
{
    struct rng rng;
    rng_seed(&rng, seed);
    for (size_t i = 0; i < (size_t)rows * columns; i++)
        wall[i] = (int32_t)rng_below(&rng, 10);
}

void pathfinder_reference(const int32_t *wall, uint32_t rows, uint32_t columns, int32_t *sums)
{
    memcpy(sums, wall, columns * sizeof *sums);
    for (uint32_t r = 1; r < rows; r++) {
        const int32_t *row = wall + (size_t)r * columns;
        int32_t before = sums[0]; /* of the column to the left, in the row before */
        for (uint32_t c = 0; c < columns; c++) {
            int32_t own = sums[c], least = before < own ? before : own;
            if (c + 1 < columns && sums[c + 1] < least)
                least = sums[c + 1];
            sums[c] = least + row[c];
            before = own;
        }
    }
}
