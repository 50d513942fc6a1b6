#include "sw/apps/lud/lud.h"

#include <math.h>
#include <stddef.h>

#include "sw/apps/common/input_data.h"

void lud_generate(uint64_t seed, uint32_t n, float *matrix)
{
    input_floats(seed, matrix, (size_t)n * n);
    for (uint32_t i = 0; i < n; i++)
        matrix[(size_t)i * n + i] += (float)n;
}

/* One element (row, column) of a tile on, right of or below the diagonal tile at `at`: the rows
 * above and the columns left of it within the tiles are done. */
static void reduce(float *matrix, uint32_t n, uint32_t at, uint32_t row, uint32_t column)
{
    float *element = &matrix[(size_t)row * n + column];
    uint32_t last = row < column ? row : column;
    for (uint32_t j = at; j < last && j < at + LUD_TILE; j++)
        *element = fmaf(-matrix[(size_t)row * n + j], matrix[(size_t)j * n + column], *element);
    if (row > column)
        *element /= matrix[(size_t)column * n + column];
}

static inline __attribute__((always_inline)) void subtract_products(float *matrix, uint32_t n,
                                                                    uint32_t at)
{
    float sum[LUD_TILE];
    for (uint32_t row = at + LUD_TILE; row < n; row++)
        for (uint32_t column = at + LUD_TILE; column < n; column += LUD_TILE) {
            for (uint32_t x = 0; x < LUD_TILE; x++)
                sum[x] = 0.0f;
            for (uint32_t j = at; j < at + LUD_TILE; j++)
                for (uint32_t x = 0; x < LUD_TILE; x++)
                    sum[x] = fmaf(matrix[(size_t)row * n + j], matrix[(size_t)j * n + column + x],
                                  sum[x]);
            for (uint32_t x = 0; x < LUD_TILE; x++)
                matrix[(size_t)row * n + column + x] -= sum[x];
        }
}

static inline __attribute__((always_inline)) void decompose(float *matrix, uint32_t n)
{
    for (uint32_t at = 0; at < n; at += LUD_TILE) {
        for (uint32_t row = at; row < at + LUD_TILE; row++)
            for (uint32_t column = at; column < n; column++)
                reduce(matrix, n, at, row, column);
        for (uint32_t row = at + LUD_TILE; row < n; row++)
            for (uint32_t column = at; column < at + LUD_TILE; column++)
                reduce(matrix, n, at, row, column);
        subtract_products(matrix, n, at);
    }
}

#if defined(__x86_64__)
/* fmaf is exact by definition: the same bits, with instructions instead of calls. */
static __attribute__((target("avx2,fma"))) void decompose_fma(float *matrix, uint32_t n)
{
    decompose(matrix, n);
}

void lud_reference(float *matrix, uint32_t n)
{
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
        decompose_fma(matrix, n);
    else
        decompose(matrix, n);
}
#else
void lud_reference(float *matrix, uint32_t n)
{
    decompose(matrix, n);
}
#endif

double lud_error(const float *decomposed, const float *original, uint32_t n)
{
    double worst = 0.0;
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t j = 0; j < n; j++) {
            double sum = 0.0;
            for (uint32_t k = 0; k <= i && k <= j; k++)
                sum += (k < i ? (double)decomposed[(size_t)i * n + k] : 1.0) *
                       (double)decomposed[(size_t)k * n + j];
            worst = fmax(worst, fabs(sum - (double)original[(size_t)i * n + j]));
        }
    return worst;
}
