/* Direction vectors: the recurrence of each dimension's primitive polynomial over its first numbers
 * (Bratley and Fox, "Algorithm 659", 1988). */
#include <pthread.h>

#include "sw/cuda/rand/generator.h"

/* Dimension 1, whose vectors are the single bits, has no row. */
static const struct {
    unsigned int polynomial, first[10];
} rows[] = {
#define SOBOL(polynomial, ...) {polynomial, {__VA_ARGS__}},
#include "sw/cuda/rand/joe_kuo.def"
#undef SOBOL
};
_Static_assert(sizeof rows / sizeof rows[0] + 1 == SOBOL_DIMENSIONS, "joe_kuo.def");

static struct {
    pthread_once_t once;
    curandDirectionVectors32_t of_32[SOBOL_DIMENSIONS];
    curandDirectionVectors64_t of_64[SOBOL_DIMENSIONS];

} tables = {.once = PTHREAD_ONCE_INIT};

/* Vectors of 64 bits; those of 32 are their upper halves. */
static void fill(unsigned long long *v, unsigned int dimension)
{
    unsigned int polynomial = dimension ? rows[dimension - 1].polynomial : 1, degree = 0;
    while (polynomial >> (degree + 1))
        degree++;
    for (unsigned int i = 0; i < 64; i++) {
        if (!dimension || i < degree) {
            v[i] = (dimension ? rows[dimension - 1].first[i] : 1ull) << (63 - i);
            continue;
        }
        v[i] = v[i - degree] ^ v[i - degree] >> degree;
        for (unsigned int k = 1; k < degree; k++) {
            if (polynomial >> (degree - k) & 1)
                v[i] ^= v[i - k];
        }
    }
}

static void fill_tables(void)
{
    for (unsigned int d = 0; d < SOBOL_DIMENSIONS; d++) {
        fill(tables.of_64[d], d);
        for (unsigned int i = 0; i < 32; i++)
            tables.of_32[d][i] = (unsigned int)(tables.of_64[d][i] >> 32);
    }
}

/* No scrambled ones. */
curandStatus_t curandGetDirectionVectors32(curandDirectionVectors32_t *vectors[],
                                           curandDirectionVectorSet_t set)
{
    RAND_CHECK(vectors && set == CURAND_DIRECTION_VECTORS_32_JOEKUO6, CURAND_STATUS_OUT_OF_RANGE);
    pthread_once(&tables.once, fill_tables);
    *vectors = tables.of_32;
    return CURAND_STATUS_SUCCESS;
}

curandStatus_t curandGetDirectionVectors64(curandDirectionVectors64_t *vectors[],
                                           curandDirectionVectorSet_t set)
{
    RAND_CHECK(vectors && set == CURAND_DIRECTION_VECTORS_64_JOEKUO6, CURAND_STATUS_OUT_OF_RANGE);
    pthread_once(&tables.once, fill_tables);
    *vectors = tables.of_64;
    return CURAND_STATUS_SUCCESS;
}
