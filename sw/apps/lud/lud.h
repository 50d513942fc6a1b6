/* Host side of sw/apps/lud/lud.cu: LU decomposition without pivoting in tiles of 16 x 16. */
#ifndef EVGPU_SW_LUD_H
#define EVGPU_SW_LUD_H

#include <stdint.h>

#define LUD_TILE 16u

/* n x n, row-major, values in [-1, 1) with n added on the diagonal: no pivot is near zero.
 * Deterministic in `seed`. */
void lud_generate(uint64_t seed, uint32_t n, float *matrix);

/* In place, bit for bit as the kernels compute it: an element of a tile is reduced by the chain of
 * fused operations of each earlier tile of its row and column, summed from 0 and then subtracted,
 * and last within its own row or column of tiles. n is a multiple of LUD_TILE. */
void lud_reference(float *matrix, uint32_t n);

/* Greatest |L x U - original| over all elements, in double precision. */
double lud_error(const float *decomposed, const float *original, uint32_t n);

#endif
