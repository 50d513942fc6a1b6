/* Generators and their options. */
#include "sw/cuda/rand/generator.h"

#include <stdlib.h>

static curandStatus_t create(curandGenerator_t *generator, curandRngType_t type, bool on_host)
{
    RAND_CHECK(generator, CURAND_STATUS_INITIALIZATION_FAILED);
    if (type == CURAND_RNG_PSEUDO_DEFAULT)
        type = CURAND_RNG_PSEUDO_XORWOW;
    if (type == CURAND_RNG_QUASI_DEFAULT)
        type = CURAND_RNG_QUASI_SOBOL32;
    switch (type) {
    case CURAND_RNG_PSEUDO_XORWOW:
    case CURAND_RNG_PSEUDO_MRG32K3A:
    case CURAND_RNG_PSEUDO_MTGP32:
    case CURAND_RNG_PSEUDO_MT19937:
    case CURAND_RNG_PSEUDO_PHILOX4_32_10:
    case CURAND_RNG_QUASI_SOBOL32:
    case CURAND_RNG_QUASI_SCRAMBLED_SOBOL32:
    case CURAND_RNG_QUASI_SOBOL64:
    case CURAND_RNG_QUASI_SCRAMBLED_SOBOL64:
        break;
    default:
        return CURAND_STATUS_TYPE_ERROR;
    }
    curandGenerator_t made = calloc(1, sizeof *made);
    RAND_CHECK(made, CURAND_STATUS_ALLOCATION_FAILED);
    made->type = type;
    made->ordering =
        rand_is_quasi(type) ? CURAND_ORDERING_QUASI_DEFAULT : CURAND_ORDERING_PSEUDO_DEFAULT;
    made->on_host = on_host;
    made->dimensions = 1;
    if (!library_keep(made)) {
        free(made);
        return CURAND_STATUS_ALLOCATION_FAILED;
    }
    *generator = made;
    return CURAND_STATUS_SUCCESS;
}

curandStatus_t curandCreateGenerator(curandGenerator_t *generator, curandRngType_t rng_type)
{
    return create(generator, rng_type, false);
}

curandStatus_t curandCreateGeneratorHost(curandGenerator_t *generator, curandRngType_t rng_type)
{
    return create(generator, rng_type, true);
}

/* The states are made again when they are needed. */
static void restart(curandGenerator_t generator)
{
    cudaFree(generator->table); /* waits for the generator's kernels */
    generator->table = NULL;
    generator->made = 0;
    generator->position = generator->offset;
}

curandStatus_t curandDestroyGenerator(curandGenerator_t generator)
{
    RAND_GENERATOR(generator);
    library_forget(generator);
    restart(generator);
    cudaFree(generator->words);
    cudaFree(generator->poisson.table);
    library_close(&generator->library);
    free(generator);
    return CURAND_STATUS_SUCCESS;
}

curandStatus_t curandGetVersion(int *version)
{
    RAND_CHECK(version, CURAND_STATUS_OUT_OF_RANGE);
    *version = CURAND_VERSION;
    return CURAND_STATUS_SUCCESS;
}

curandStatus_t curandGetProperty(libraryPropertyType type, int *value)
{
    const int parts[] = {CURAND_VER_MAJOR, CURAND_VER_MINOR, CURAND_VER_PATCH};
    RAND_CHECK(value && (unsigned int)type <= PATCH_LEVEL, CURAND_STATUS_OUT_OF_RANGE);
    *value = parts[type];
    return CURAND_STATUS_SUCCESS;
}

curandStatus_t curandSetStream(curandGenerator_t generator, cudaStream_t stream)
{
    RAND_GENERATOR(generator);
    generator->stream = stream;
    return CURAND_STATUS_SUCCESS;
}

curandStatus_t curandSetPseudoRandomGeneratorSeed(curandGenerator_t generator,
                                                  unsigned long long seed)
{
    RAND_GENERATOR(generator);
    RAND_CHECK(!rand_is_quasi(generator->type), CURAND_STATUS_TYPE_ERROR);
    generator->seed = seed;
    restart(generator);
    return CURAND_STATUS_SUCCESS;
}

curandStatus_t curandSetGeneratorOffset(curandGenerator_t generator, unsigned long long offset)
{
    RAND_GENERATOR(generator);
    RAND_CHECK(!rand_is_twister(generator->type), CURAND_STATUS_TYPE_ERROR);
    generator->offset = offset;
    restart(generator);
    return CURAND_STATUS_SUCCESS;
}

curandStatus_t curandSetGeneratorOrdering(curandGenerator_t generator, curandOrdering_t order)
{
    RAND_GENERATOR(generator);
    if (rand_is_quasi(generator->type))
        return order == CURAND_ORDERING_QUASI_DEFAULT ? CURAND_STATUS_SUCCESS
                                                      : CURAND_STATUS_OUT_OF_RANGE;
    if (order == CURAND_ORDERING_PSEUDO_SEEDED)
        evc_explain(CUDA_ERROR_NOT_SUPPORTED,
                    "cuRAND: evgpu has no CURAND_ORDERING_PSEUDO_SEEDED; LEGACY has as many "
                    "subsequences");
    RAND_CHECK(order == CURAND_ORDERING_PSEUDO_BEST || order == CURAND_ORDERING_PSEUDO_DEFAULT ||
                   order == CURAND_ORDERING_PSEUDO_LEGACY ||
                   (order == CURAND_ORDERING_PSEUDO_DYNAMIC && !generator->on_host &&
                    !rand_is_twister(generator->type)),
               CURAND_STATUS_OUT_OF_RANGE);
    generator->ordering = order;
    restart(generator);
    return CURAND_STATUS_SUCCESS;
}

curandStatus_t curandSetQuasiRandomGeneratorDimensions(curandGenerator_t generator,
                                                       unsigned int num_dimensions)
{
    RAND_GENERATOR(generator);
    RAND_CHECK(rand_is_quasi(generator->type), CURAND_STATUS_TYPE_ERROR);
    if (num_dimensions > SOBOL_DIMENSIONS)
        evc_explain(CUDA_ERROR_NOT_SUPPORTED,
                    "cuRAND: evgpu has Sobol sequences of at most %u dimensions, not %u",
                    SOBOL_DIMENSIONS, num_dimensions);
    RAND_CHECK(num_dimensions && num_dimensions <= SOBOL_DIMENSIONS, CURAND_STATUS_OUT_OF_RANGE);
    generator->dimensions = num_dimensions;
    restart(generator);
    return CURAND_STATUS_SUCCESS;
}

curandStatus_t curandGenerateSeeds(curandGenerator_t generator)
{
    RAND_GENERATOR(generator);
    return rand_prepare(generator, rand_streams(generator));
}
