#include "sw/apps/matrixMul/matmul.h"

#include <math.h>
#include <stddef.h>

/* The loop over columns is innermost, which leaves the order of additions of each element as it is
 * and lets the compiler use vector FMA. */
static inline __attribute__((always_inline)) void multiply(const float *a, const float *b, float *c,
                                                           uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        float *row = c + (size_t)i * n;
        for (uint32_t j = 0; j < n; j++)
            row[j] = 0.0f;
        for (uint32_t k = 0; k < n; k++) {
            float x = a[(size_t)i * n + k];
            const float *from = b + (size_t)k * n;
            for (uint32_t j = 0; j < n; j++)
                row[j] = fmaf(x, from[j], row[j]);
        }
        if (n % MATMUL_TILE)
            for (uint32_t j = 0; j < n; j++)
                row[j] = fmaf(0.0f, 0.0f, row[j]);
    }
}

#if defined(__x86_64__)
/* fmaf is exact by definition, so both versions give the same bits; this one takes instructions
 * instead of calls. */
static __attribute__((target("avx2,fma"))) void multiply_fma(const float *a, const float *b,
                                                             float *c, uint32_t n)
{
    multiply(a, b, c, n);
}

void matmul_reference(const float *a, const float *b, float *c, uint32_t n)
{
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
        multiply_fma(a, b, c, n);
    else
        multiply(a, b, c, n);
}
#else
void matmul_reference(const float *a, const float *b, float *c, uint32_t n)
{
    multiply(a, b, c, n);
}
#endif
