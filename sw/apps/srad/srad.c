#include "sw/apps/srad/srad.h"

#include <math.h>
#include <stddef.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "sw/apps/common/input_data.h"

struct gradient {
    float north, south, west, east, coefficient;
};

void srad_generate(uint64_t seed, struct srad_image *image)
{
    size_t count = (size_t)image->rows * image->columns;
    input_range(seed, image->pixels, count, 0.0f, 1.0f);
    for (size_t i = 0; i < count; i++)
        image->pixels[i] = (float)exp((double)image->pixels[i]);
}

float srad_speckle(const struct srad_image *image, const struct srad_region *region)
{
    uint32_t rows = region->last_row - region->first_row + 1,
             columns = region->last_column - region->first_column + 1;
    float count = (float)rows * (float)columns, sum = 0.0f, squares = 0.0f;
    for (uint32_t i = region->first_row; i <= region->last_row; i++)
        for (uint32_t j = region->first_column; j <= region->last_column; j++) {
            float pixel = image->pixels[(size_t)i * image->columns + j];
            sum += pixel;
            squares += pixel * pixel;
        }
    float mean = sum / count;
    return (squares / count - mean * mean) / (mean * mean);
}

static inline __attribute__((always_inline)) struct gradient
gradient_at(const struct srad_image *image, uint32_t i, uint32_t j, float speckle)
{
    const float *at = image->pixels + (size_t)i * image->columns + j;
    float here = *at;
    struct gradient g = {.north = (i ? at[-(ptrdiff_t)image->columns] : here) - here,
                         .south = (i + 1 < image->rows ? at[image->columns] : here) - here,
                         .west = (j ? at[-1] : here) - here,
                         .east = (j + 1 < image->columns ? at[1] : here) - here};
    float square =
        fmaf(g.east, g.east, fmaf(g.west, g.west, fmaf(g.south, g.south, g.north * g.north))) /
        (here * here);
    float laplacian = (g.north + g.south + g.west + g.east) / here;
    float over = (float)fma(-1.0 / 16.0, (double)(laplacian * laplacian), 0.5 * (double)square);
    float under = (float)fma(0.25, (double)laplacian, 1.0);
    float variation = over / (under * under);
    float apart = (variation - speckle) / fmaf(speckle, speckle, speckle);
    float c = (float)(1.0 / (1.0 + (double)apart));
    g.coefficient = c < 0.0f ? 0.0f : c > 1.0f ? 1.0f : c;
    return g;
}

static inline __attribute__((always_inline)) void
iterate(struct srad_image *image, struct gradient *g, float speckle, float lambda)
{
    uint32_t rows = image->rows, columns = image->columns;
    for (uint32_t i = 0; i < rows; i++)
        for (uint32_t j = 0; j < columns; j++)
            g[(size_t)i * columns + j] = gradient_at(image, i, j, speckle);
    for (uint32_t i = 0; i < rows; i++)
        for (uint32_t j = 0; j < columns; j++) {
            const struct gradient *at = g + (size_t)i * columns + j;
            float south = at[i + 1 < rows ? columns : 0].coefficient,
                  east = at[j + 1 < columns].coefficient;
            float divergence = fmaf(east, at->east,
                                    fmaf(at->coefficient, at->west,
                                         fmaf(south, at->south, at->coefficient * at->north)));
            float *pixel = &image->pixels[(size_t)i * columns + j];
            *pixel = (float)fma(0.25 * (double)lambda, (double)divergence, (double)*pixel);
        }
}

#if defined(__x86_64__)
/* fma is exact by definition: the same bits, with instructions instead of calls. */
static __attribute__((target("avx2,fma"))) void
iterate_fma(struct srad_image *image, struct gradient *g, float speckle, float lambda)
{
    iterate(image, g, speckle, lambda);
}
#endif

void srad_reference(struct srad_image *image, float speckle, float lambda)
{
    struct gradient *g = ALLOC_ARRAY(struct gradient, (size_t)image->rows * image->columns);
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
        iterate_fma(image, g, speckle, lambda);
    else
#endif
        iterate(image, g, speckle, lambda);
    free(g);
}
