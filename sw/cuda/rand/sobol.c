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
    curandDirectionVectors32_t scrambled_32[SOBOL_DIMENSIONS];
    curandDirectionVectors64_t scrambled_64[SOBOL_DIMENSIONS];
    unsigned int shifts_32[SOBOL_DIMENSIONS];
    unsigned long long shifts_64[SOBOL_DIMENSIONS];
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

/* Pseudorandom bits, the same for every program: the upper halves of a congruential sequence. */
static unsigned long long next_bits(unsigned long long *state)
{
    unsigned long long upper = 0;
    for (int i = 0; i < 2; i++) {
        *state = *state * 6364136223846793005ull + 1442695040888963407ull;
        upper = upper << 32 | *state >> 32;
    }
    return upper;
}

/* Each bit becomes its sum with some of the bits above it, the same in all vectors of a dimension:
 * the points stay as evenly spread (Matousek, "On the L2-discrepancy for anchored boxes", 1998). */
static void scramble(const unsigned long long *v, unsigned long long *to, unsigned long long *state)
{
    for (unsigned int i = 0; i < 64; i++)
        to[i] = 0;
    for (unsigned int bit = 0; bit < 64; bit++) {
        unsigned long long own = 1ull << bit, row = (next_bits(state) & ~(2 * own - 1)) | own;
        for (unsigned int i = 0; i < 64; i++)
            to[i] |= __builtin_parityll(row & v[i]) ? own : 0;
    }
}

static void fill_tables(void)
{
    unsigned long long state = SOBOL_DIMENSIONS;
    for (unsigned int d = 0; d < SOBOL_DIMENSIONS; d++) {
        fill(tables.of_64[d], d);
        scramble(tables.of_64[d], tables.scrambled_64[d], &state);
        tables.shifts_64[d] = next_bits(&state);
        tables.shifts_32[d] = (unsigned int)(tables.shifts_64[d] >> 32);
        for (unsigned int i = 0; i < 32; i++) {
            tables.of_32[d][i] = (unsigned int)(tables.of_64[d][i] >> 32);
            tables.scrambled_32[d][i] = (unsigned int)(tables.scrambled_64[d][i] >> 32);
        }
    }
}

curandStatus_t curandGetDirectionVectors32(curandDirectionVectors32_t *vectors[],
                                           curandDirectionVectorSet_t set)
{
    bool scrambled = set == CURAND_SCRAMBLED_DIRECTION_VECTORS_32_JOEKUO6;
    RAND_CHECK(vectors && (scrambled || set == CURAND_DIRECTION_VECTORS_32_JOEKUO6),
               CURAND_STATUS_OUT_OF_RANGE);
    pthread_once(&tables.once, fill_tables);
    *vectors = scrambled ? tables.scrambled_32 : tables.of_32;
    return CURAND_STATUS_SUCCESS;
}

curandStatus_t curandGetDirectionVectors64(curandDirectionVectors64_t *vectors[],
                                           curandDirectionVectorSet_t set)
{
    bool scrambled = set == CURAND_SCRAMBLED_DIRECTION_VECTORS_64_JOEKUO6;
    RAND_CHECK(vectors && (scrambled || set == CURAND_DIRECTION_VECTORS_64_JOEKUO6),
               CURAND_STATUS_OUT_OF_RANGE);
    pthread_once(&tables.once, fill_tables);
    *vectors = scrambled ? tables.scrambled_64 : tables.of_64;
    return CURAND_STATUS_SUCCESS;
}

curandStatus_t curandGetScrambleConstants32(unsigned int **constants)
{
    RAND_CHECK(constants, CURAND_STATUS_OUT_OF_RANGE);
    pthread_once(&tables.once, fill_tables);
    *constants = tables.shifts_32;
    return CURAND_STATUS_SUCCESS;
}

curandStatus_t curandGetScrambleConstants64(unsigned long long **constants)
{
    RAND_CHECK(constants, CURAND_STATUS_OUT_OF_RANGE);
    pthread_once(&tables.once, fill_tables);
    *constants = tables.shifts_64;
    return CURAND_STATUS_SUCCESS;
}
