/* Generations: one kernel each, which writes all results. */
#include <stdio.h>

#include "sw/cuda/rand/generator.h"

#define BLOCK      256u
#define MOST_BLOCK 1024u

/* What is generated; as kernels.cu names it. */
struct kind {
    const char *name;
    size_t bytes;      /* of a result */
    unsigned int pair; /* results of a draw, unless the sequence is quasirandom */
};
static const struct kind bits = {"bits", 4, 1}, bits_64 = {"bits", 8, 1},
                         uniform = {"uniform", 4, 1}, uniform_double = {"uniform_double", 8, 1},
                         normal = {"normal", 4, 2}, normal_double = {"normal_double", 8, 2},
                         log_normal = {"log_normal", 4, 2},
                         log_normal_double = {"log_normal_double", 8, 2},
                         poisson = {"poisson", 4, 1};

struct request {
    const struct kind *kind;
    void *out;
    size_t n;
    double a, b; /* mean and deviation, or the mean */
};

unsigned int rand_streams(const struct curandGenerator_st *generator)
{
    if (generator->type == CURAND_RNG_PSEUDO_MRG32K3A)
        return generator->ordering == CURAND_ORDERING_PSEUDO_LEGACY ? 4096 : 81920;
    return generator->type == CURAND_RNG_PSEUDO_XORWOW ? 4096 : 0;
}

static curandStatus_t status_of(cudaError_t error)
{
    return error == cudaSuccess                 ? CURAND_STATUS_SUCCESS
           : error == cudaErrorMemoryAllocation ? CURAND_STATUS_ALLOCATION_FAILED
                                                : CURAND_STATUS_LAUNCH_FAILURE;
}

static dim3 blocks_for(unsigned long long threads)
{
    unsigned long long blocks = (threads + BLOCK - 1) / BLOCK;
    return (dim3){(unsigned int)(blocks < MOST_BLOCK ? blocks : MOST_BLOCK), 1, 1};
}

static curandStatus_t make_states(curandGenerator_t g, unsigned int wanted)
{
    unsigned int streams = rand_streams(g), from = g->made;
    unsigned long long seed = g->seed, offset = g->offset;
    const dim3 block = {BLOCK, 1, 1};
    void *arguments[] = {&g->table, &from, &wanted, &streams, &seed, &offset};
    const char *kernel = g->type == CURAND_RNG_PSEUDO_XORWOW ? "xorwow_states" : "mrg_states";
    if (wanted <= from)
        return CURAND_STATUS_SUCCESS;
    curandStatus_t status = status_of(library_launch(&g->library, kernel, blocks_for(wanted - from),
                                                     block, g->stream, arguments));
    if (!status)
        g->made = wanted;
    return status;
}

static curandStatus_t copy_vectors(curandGenerator_t g)
{
    curandDirectionVectors32_t *of_32;
    curandDirectionVectors64_t *of_64;
    curandGetDirectionVectors32(&of_32, CURAND_DIRECTION_VECTORS_32_JOEKUO6);
    curandGetDirectionVectors64(&of_64, CURAND_DIRECTION_VECTORS_64_JOEKUO6);
    bool narrow = g->type == CURAND_RNG_QUASI_SOBOL32;
    const void *from = narrow ? (const void *)of_32 : (const void *)of_64;
    return status_of(cudaMemcpy(g->table, from,
                                g->dimensions * (narrow ? sizeof *of_32 : sizeof *of_64),
                                cudaMemcpyHostToDevice));
}

curandStatus_t rand_prepare(curandGenerator_t g, unsigned int streams)
{
    /* 64 bytes hold a state of XORWOW or MRG32k3a with its kept normal numbers. */
    size_t bytes = rand_is_quasi(g->type) ? g->dimensions * sizeof(curandDirectionVectors64_t)
                                          : (size_t)rand_streams(g) * 64;
    if (!bytes)
        return CURAND_STATUS_SUCCESS;
    if (!g->table) {
        curandStatus_t status = status_of(cudaMalloc(&g->table, bytes));
        if (!status && rand_is_quasi(g->type))
            status = copy_vectors(g);
        RAND_CHECK(!status, status);
    }
    return rand_is_quasi(g->type) ? CURAND_STATUS_SUCCESS : make_states(g, streams);
}

/* The kernel of a generator for draws `first` to `first + n`; `*out` are results. */
static cudaError_t launch(curandGenerator_t g, const struct request *r, unsigned long long n,
                          void *out)
{
    char name[40];
    struct request values = *r;
    unsigned int streams = rand_streams(g);
    unsigned long long threads = n;
    const dim3 block = {BLOCK, 1, 1};
    void *turns[] = {&g->table, &streams, &g->position, &n, &out, &values.a, &values.b};
    void *counted[] = {&g->seed, &g->offset, &g->position, &n, &out, &values.a, &values.b};
    void *points[] = {&g->table, &g->dimensions, &g->position, &n, &out, &values.a, &values.b};
    void **arguments = turns;
    const char *generator = g->type == CURAND_RNG_PSEUDO_XORWOW ? "xorwow" : "mrg";
    if (g->type == CURAND_RNG_PSEUDO_PHILOX4_32_10) {
        generator = "philox";
        arguments = counted;
    } else if (rand_is_quasi(g->type)) {
        generator = g->type == CURAND_RNG_QUASI_SOBOL32 ? "sobol32" : "sobol64";
        arguments = points;
        threads = n * g->dimensions;
    } else if (n > streams) {
        threads = streams;
    }
    snprintf(name, sizeof name, "%s_%s", generator, r->kind->name);
    return library_launch(&g->library, name, blocks_for(threads), block, g->stream, arguments);
}

static curandStatus_t generate_to(curandGenerator_t g, const struct request *r, void *out)
{
    bool quasi = rand_is_quasi(g->type);
    unsigned long long n = quasi ? r->n / g->dimensions : r->n / r->kind->pair;
    unsigned long long reach = g->position + n;
    unsigned int streams = rand_streams(g);
    curandStatus_t status = rand_prepare(g, reach < streams ? (unsigned int)reach : streams);
    RAND_CHECK(!status, status);
    status = status_of(launch(g, r, n, out));
    if (!status)
        g->position += g->type == CURAND_RNG_PSEUDO_PHILOX4_32_10 ? n * r->kind->pair : n;
    return status;
}

static curandStatus_t generate(curandGenerator_t g, const struct request *r)
{
    void *out = r->out;
    size_t bytes = r->n * r->kind->bytes;
    RAND_GENERATOR(g);
    RAND_CHECK(r->out || !r->n, CURAND_STATUS_OUT_OF_RANGE);
    RAND_CHECK(r->n % (rand_is_quasi(g->type) ? g->dimensions : r->kind->pair) == 0,
               CURAND_STATUS_LENGTH_NOT_MULTIPLE);
    RAND_CHECK(r->n, CURAND_STATUS_SUCCESS);
    if (!g->on_host)
        return generate_to(g, r, out);
    curandStatus_t status = status_of(cudaMalloc(&out, bytes));
    RAND_CHECK(!status, status);
    status = generate_to(g, r, out);
    if (!status)
        status = status_of(cudaMemcpyAsync(r->out, out, bytes, cudaMemcpyDeviceToHost, g->stream));
    if (!status)
        status = status_of(cudaStreamSynchronize(g->stream));
    cudaFree(out);
    return status;
}

curandStatus_t curandGenerate(curandGenerator_t generator, unsigned int *outputPtr, size_t num)
{
    RAND_GENERATOR(generator);
    RAND_CHECK(generator->type != CURAND_RNG_QUASI_SOBOL64, CURAND_STATUS_TYPE_ERROR);
    return generate(generator, &(struct request){&bits, outputPtr, num, 0, 0});
}

curandStatus_t curandGenerateLongLong(curandGenerator_t generator, unsigned long long *outputPtr,
                                      size_t num)
{
    RAND_GENERATOR(generator);
    RAND_CHECK(generator->type == CURAND_RNG_QUASI_SOBOL64, CURAND_STATUS_TYPE_ERROR);
    return generate(generator, &(struct request){&bits_64, outputPtr, num, 0, 0});
}

curandStatus_t curandGenerateUniform(curandGenerator_t generator, float *outputPtr, size_t num)
{
    return generate(generator, &(struct request){&uniform, outputPtr, num, 0, 0});
}

curandStatus_t curandGenerateUniformDouble(curandGenerator_t generator, double *outputPtr,
                                           size_t num)
{
    return generate(generator, &(struct request){&uniform_double, outputPtr, num, 0, 0});
}

curandStatus_t curandGenerateNormal(curandGenerator_t generator, float *outputPtr, size_t n,
                                    float mean, float stddev)
{
    return generate(generator, &(struct request){&normal, outputPtr, n, mean, stddev});
}

curandStatus_t curandGenerateNormalDouble(curandGenerator_t generator, double *outputPtr, size_t n,
                                          double mean, double stddev)
{
    return generate(generator, &(struct request){&normal_double, outputPtr, n, mean, stddev});
}

curandStatus_t curandGenerateLogNormal(curandGenerator_t generator, float *outputPtr, size_t n,
                                       float mean, float stddev)
{
    return generate(generator, &(struct request){&log_normal, outputPtr, n, mean, stddev});
}

curandStatus_t curandGenerateLogNormalDouble(curandGenerator_t generator, double *outputPtr,
                                             size_t n, double mean, double stddev)
{
    return generate(generator, &(struct request){&log_normal_double, outputPtr, n, mean, stddev});
}

curandStatus_t curandGeneratePoisson(curandGenerator_t generator, unsigned int *outputPtr, size_t n,
                                     double lambda)
{
    RAND_GENERATOR(generator);
    RAND_CHECK(!rand_is_quasi(generator->type), CURAND_STATUS_TYPE_ERROR);
    RAND_CHECK(lambda > 0 && lambda <= 400000, CURAND_STATUS_OUT_OF_RANGE);
    return generate(generator, &(struct request){&poisson, outputPtr, n, lambda, 0});
}
