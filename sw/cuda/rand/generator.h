/* Inside cuRAND: a generator. */
#ifndef EVGPU_CUDA_RAND_GENERATOR_H
#define EVGPU_CUDA_RAND_GENERATOR_H

#include <stdbool.h>
#include <stdint.h>

#include "sw/cuda/include/curand.h"
#include "sw/cuda/library/handles.h"
#include "sw/cuda/library/library.h"

/* Not for programs. */
#pragma GCC visibility push(hidden)

#define SOBOL_DIMENSIONS 161u
#define RAND_BLOCK       256u /* threads */

/* The distribution function of a mean, on the device; mean 0: none. */
struct rand_poisson {
    double *table, mean;
    unsigned int count;
};

struct curandGenerator_st {
    struct library library;
    curandRngType_t type; /* never a default */
    curandOrdering_t ordering;
    bool on_host; /* results go to host memory */
    cudaStream_t stream;
    unsigned long long seed, offset;
    /* So far, the offset included: results for Philox and Mersenne Twisters, points for Sobol,
     * draws for the others. */
    unsigned long long position;
    unsigned int dimensions;
    /* States of subsequences, or direction vectors, on the device; the first `made` are valid. */
    void *table;
    unsigned int made;
    void *words; /* of which other numbers are made, on the device */
    size_t words_bytes;
    struct rand_poisson poisson;
};

static inline bool rand_is_quasi(curandRngType_t type)
{
    return type >= CURAND_RNG_QUASI_DEFAULT;
}

static inline bool rand_is_scrambled(curandRngType_t type)
{
    return type == CURAND_RNG_QUASI_SCRAMBLED_SOBOL32 || type == CURAND_RNG_QUASI_SCRAMBLED_SOBOL64;
}

/* Points of 32 bits. */
static inline bool rand_is_narrow(curandRngType_t type)
{
    return type == CURAND_RNG_QUASI_SOBOL32 || type == CURAND_RNG_QUASI_SCRAMBLED_SOBOL32;
}

/* Points of 64 bits. */
static inline bool rand_is_wide(curandRngType_t type)
{
    return rand_is_quasi(type) && !rand_is_narrow(type);
}

static inline bool rand_is_twister(curandRngType_t type)
{
    return type == CURAND_RNG_PSEUDO_MTGP32 || type == CURAND_RNG_PSEUDO_MT19937;
}

/* Subsequences that take turns. */
unsigned int rand_streams(const struct curandGenerator_st *generator);

/* Makes the table ready for results of so many subsequences, or for the dimensions. */
curandStatus_t rand_prepare(curandGenerator_t generator, unsigned int streams);

/* generate.c */
curandStatus_t rand_status(cudaError_t error);
dim3 rand_blocks(unsigned long long threads);

/* twister.c: states of a seed, unless they are there; the next words. */
curandStatus_t rand_seed_twister(curandGenerator_t generator);
curandStatus_t rand_twist(curandGenerator_t generator, unsigned long long n, void *out);

/* poisson.c: one number of each word, of 64 bits from 64-bit generators. */
curandStatus_t rand_poisson_of(curandGenerator_t generator, void *words, unsigned long long n,
                               void *out, double mean);

#pragma GCC visibility pop

#define RAND_CHECK LIBRARY_CHECK
#define RAND_GENERATOR(generator)                                                                  \
    RAND_CHECK(library_knows(generator), CURAND_STATUS_NOT_INITIALIZED)

#endif
