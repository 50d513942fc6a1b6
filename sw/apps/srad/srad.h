/* Host side of sw/apps/srad/srad.cu. */
#ifndef EVGPU_SW_SRAD_H
#define EVGPU_SW_SRAD_H

#include <stdint.h>

#define SRAD_SIDE 16u /* the kernels' block is 16 x 16 threads, a thread for each pixel */

/* A rectangle of the image without structure, which shows how strong the speckle is. */
struct srad_region {
    uint32_t first_row, last_row, first_column, last_column; /* both ends are inside */
};

/* Row-major, both a multiple of SRAD_SIDE. */
struct srad_image {
    uint32_t rows, columns;
    float *pixels; /* above 0 */
};

/* exp of uniform values in [0, 1): what Rodinia starts from. Deterministic in `seed`. */
void srad_generate(uint64_t seed, struct srad_image *image);

/* Variance over mean squared within the region, which the host computes for each iteration. */
float srad_speckle(const struct srad_image *image, const struct srad_region *region);

/* One iteration, bit for bit as both kernels together compute it. */
void srad_reference(struct srad_image *image, float speckle, float lambda);

#endif
