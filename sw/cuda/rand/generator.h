/* Inside cuRAND: a generator. */
#ifndef EVGPU_CUDA_RAND_GENERATOR_H
#define EVGPU_CUDA_RAND_GENERATOR_H

#include <stdbool.h>
#include <stdint.h>

#include "sw/cuda/include/curand.h"
#include "sw/cuda/library/library.h"

/* Not for programs. */
#pragma GCC visibility push(hidden)

#define SOBOL_DIMENSIONS 161u

struct curandGenerator_st {
    struct library library;
    curandRngType_t type; /* never a default */
    curandOrdering_t ordering;
    bool on_host; /* results go to host memory */
    cudaStream_t stream;
    unsigned long long seed, offset;
    /* So far, the offset included: results for Philox, points for Sobol, draws for the others. */
    unsigned long long position;
    unsigned int dimensions;
    /* States of subsequences, or direction vectors, on the device; the first `made` are valid. */
    void *table;
    unsigned int made;
};

static inline bool rand_is_quasi(curandRngType_t type)
{
    return type >= CURAND_RNG_QUASI_DEFAULT;
}

/* Subsequences that take turns. */
unsigned int rand_streams(const struct curandGenerator_st *generator);

/* Makes the table ready for results of so many subsequences, or for the dimensions. */
curandStatus_t rand_prepare(curandGenerator_t generator, unsigned int streams);

/* generator.c: a generator that curandCreateGenerator has made. */
bool rand_valid(curandGenerator_t generator);

#pragma GCC visibility pop

#define RAND_CHECK(condition, status)                                                              \
    do {                                                                                           \
        if (!(condition))                                                                          \
            return (status);                                                                       \
    } while (0)
#define RAND_GENERATOR(generator) RAND_CHECK(rand_valid(generator), CURAND_STATUS_NOT_INITIALIZED)

#endif
