/* Host side of sw/apps/pathfinder/pathfinder.cu. */
#ifndef EVGPU_SW_PATHFINDER_H
#define EVGPU_SW_PATHFINDER_H

#include <stdint.h>

#define PATHFINDER_BLOCK 256u
#define PATHFINDER_MAX   ((PATHFINDER_BLOCK - 1) / 2) /* rows of a pyramid */

/* Costs of 0 to 9, rows x columns, row-major; deterministic in `seed`. */
void pathfinder_generate(uint64_t seed, int32_t *wall, uint32_t rows, uint32_t columns);

/* sums[c]: the cost of the cheapest way from anywhere in the first row to column c of the last one;
 * a step goes to the next row, at most one column aside. */
void pathfinder_reference(const int32_t *wall, uint32_t rows, uint32_t columns, int32_t *sums);

#endif
