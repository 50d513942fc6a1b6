/* Generations: one kernel each, which writes all results. */
#include <stdio.h>
#include <string.h>

#include "sw/cuda/rand/generator.h"

#define MOST_BLOCK 1024u

/* What is generated; as kernels.cu names it. */
struct kind {
    const char *name;
    size_t bytes;      /* of a result */
    unsigned int pair; /* results of a draw, where a draw takes several words */
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

curandStatus_t rand_status(cudaError_t error)
{
    return error == cudaSuccess                 ? CURAND_STATUS_SUCCESS
           : error == cudaErrorMemoryAllocation ? CURAND_STATUS_ALLOCATION_FAILED
                                                : CURAND_STATUS_LAUNCH_FAILURE;
}

dim3 rand_blocks(unsigned long long threads)
{
    unsigned long long blocks = (threads + RAND_BLOCK - 1) / RAND_BLOCK;
    return (dim3){(unsigned int)(blocks < MOST_BLOCK ? blocks : MOST_BLOCK), 1, 1};
}

static curandStatus_t make_states(curandGenerator_t g, unsigned int wanted)
{
    unsigned int streams = rand_streams(g), from = g->made;
    unsigned long long seed = g->seed, offset = g->offset;
    const dim3 block = {RAND_BLOCK, 1, 1};
    void *arguments[] = {&g->table, &from, &wanted, &streams, &seed, &offset};
    const char *kernel = g->type == CURAND_RNG_PSEUDO_XORWOW ? "xorwow_states" : "mrg_states";
    if (wanted <= from)
        return CURAND_STATUS_SUCCESS;
    curandStatus_t status = rand_status(library_launch(
        &g->library, kernel, rand_blocks(wanted - from), block, g->stream, arguments));
    if (!status)
        g->made = wanted;
    return status;
}

/* Direction vectors, and behind those of all dimensions the scrambled ones' shifts. */
static curandStatus_t copy_vectors(curandGenerator_t g)
{
    curandDirectionVectors32_t *of_32;
    curandDirectionVectors64_t *of_64;
    unsigned int *shifts_32;
    unsigned long long *shifts_64;
    bool scrambled = rand_is_scrambled(g->type), narrow = rand_is_narrow(g->type);
    curandGetDirectionVectors32(&of_32, scrambled ? CURAND_SCRAMBLED_DIRECTION_VECTORS_32_JOEKUO6
                                                  : CURAND_DIRECTION_VECTORS_32_JOEKUO6);
    curandGetDirectionVectors64(&of_64, scrambled ? CURAND_SCRAMBLED_DIRECTION_VECTORS_64_JOEKUO6
                                                  : CURAND_DIRECTION_VECTORS_64_JOEKUO6);
    curandGetScrambleConstants32(&shifts_32);
    curandGetScrambleConstants64(&shifts_64);
    const void *from = narrow ? (const void *)of_32 : (const void *)of_64,
               *shifts = narrow ? (const void *)shifts_32 : (const void *)shifts_64;
    size_t bytes = g->dimensions * (narrow ? sizeof *of_32 : sizeof *of_64);
    curandStatus_t status = rand_status(cudaMemcpy(g->table, from, bytes, cudaMemcpyHostToDevice));
    if (!status && scrambled)
        status =
            rand_status(cudaMemcpy((char *)g->table + bytes, shifts,
                                   g->dimensions * (narrow ? sizeof *shifts_32 : sizeof *shifts_64),
                                   cudaMemcpyHostToDevice));
    return status;
}

curandStatus_t rand_prepare(curandGenerator_t g, unsigned int streams)
{
    if (rand_is_twister(g->type))
        return rand_seed_twister(g);
    /* 64 bytes hold a state of XORWOW or MRG32k3a with its kept normal numbers. */
    size_t bytes =
        rand_is_quasi(g->type)
            ? g->dimensions * (sizeof(curandDirectionVectors64_t) + sizeof(unsigned long long))
            : (size_t)rand_streams(g) * 64;
    if (!bytes)
        return CURAND_STATUS_SUCCESS;
    if (!g->table) {
        curandStatus_t status = rand_status(cudaMalloc(&g->table, bytes));
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
    const dim3 block = {RAND_BLOCK, 1, 1};
    void *turns[] = {&g->table, &streams, &g->position, &n, &out, &values.a, &values.b};
    void *counted[] = {&g->seed, &g->offset, &g->position, &n, &out, &values.a, &values.b};
    void *points[] = {&g->table, &g->dimensions, &g->position, &n, &out, &values.a, &values.b};
    void **arguments = turns;
    const char *generator = g->type == CURAND_RNG_PSEUDO_XORWOW ? "xorwow" : "mrg";
    if (g->type == CURAND_RNG_PSEUDO_PHILOX4_32_10) {
        generator = "philox";
        arguments = counted;
    } else if (rand_is_quasi(g->type)) {
        bool narrow = rand_is_narrow(g->type);
        generator = rand_is_scrambled(g->type) ? (narrow ? "scrambled32" : "scrambled64")
                                               : (narrow ? "sobol32" : "sobol64");
        arguments = points;
        threads = n * g->dimensions;
    } else if (n > streams) {
        threads = streams;
    }
    snprintf(name, sizeof name, "%s_%s", generator, r->kind->name);
    return library_launch(&g->library, name, rand_blocks(threads), block, g->stream, arguments);
}

/* Room for the words that a call makes numbers of. */
static curandStatus_t make_room(curandGenerator_t g, size_t bytes)
{
    if (bytes <= g->words_bytes)
        return CURAND_STATUS_SUCCESS;
    cudaFree(g->words); /* waits for the generator's kernels */
    g->words = NULL;
    g->words_bytes = 0;
    curandStatus_t status = rand_status(cudaMalloc(&g->words, bytes));
    if (!status)
        g->words_bytes = bytes;
    return status;
}

static curandStatus_t generate_to(curandGenerator_t g, const struct request *r, void *out);

/* A number of each word: Mersenne Twisters, and Poisson numbers of Sobol's points. */
static curandStatus_t by_words(curandGenerator_t g, const struct request *r, void *out)
{
    bool alone = !strcmp(r->kind->name, bits.name);
    void *words = out;
    struct request values = *r, plain = {&bits, NULL, r->n, 0, 0};
    unsigned long long n = r->n;
    char name[40];
    if (!alone) {
        curandStatus_t status = make_room(g, r->n * sizeof(unsigned long long));
        RAND_CHECK(!status, status);
        words = g->words;
    }
    curandStatus_t status =
        rand_is_twister(g->type) ? rand_twist(g, n, words) : generate_to(g, &plain, words);
    if (status || alone)
        return status;
    if (r->kind == &poisson)
        return rand_poisson_of(g, words, n, out, r->a);
    void *arguments[] = {&words, &n, &out, &values.a, &values.b};
    snprintf(name, sizeof name, "words_%s", r->kind->name);
    return rand_status(library_launch(&g->library, name, rand_blocks(n), (dim3){RAND_BLOCK, 1, 1},
                                      g->stream, arguments));
}

/* Of a call's numbers there is a multiple of this. */
static size_t multiple_of(const struct curandGenerator_st *g, const struct kind *kind)
{
    if (rand_is_quasi(g->type))
        return g->dimensions;
    return rand_is_twister(g->type) ? 1 : kind->pair;
}

static curandStatus_t generate_to(curandGenerator_t g, const struct request *r, void *out)
{
    if (rand_is_twister(g->type) || (rand_is_quasi(g->type) && r->kind == &poisson))
        return by_words(g, r, out);
    bool quasi = rand_is_quasi(g->type);
    unsigned long long n = quasi ? r->n / g->dimensions : r->n / r->kind->pair;
    unsigned long long reach = g->position + n;
    unsigned int streams = rand_streams(g);
    curandStatus_t status = rand_prepare(g, reach < streams ? (unsigned int)reach : streams);
    RAND_CHECK(!status, status);
    status = rand_status(launch(g, r, n, out));
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
    RAND_CHECK(r->n % multiple_of(g, r->kind) == 0, CURAND_STATUS_LENGTH_NOT_MULTIPLE);
    RAND_CHECK(r->n, CURAND_STATUS_SUCCESS);
    if (!g->on_host)
        return generate_to(g, r, out);
    curandStatus_t status = rand_status(cudaMalloc(&out, bytes));
    RAND_CHECK(!status, status);
    status = generate_to(g, r, out);
    if (!status)
        status =
            rand_status(cudaMemcpyAsync(r->out, out, bytes, cudaMemcpyDeviceToHost, g->stream));
    if (!status)
        status = rand_status(cudaStreamSynchronize(g->stream));
    cudaFree(out);
    return status;
}

curandStatus_t curandGenerate(curandGenerator_t generator, unsigned int *outputPtr, size_t num)
{
    RAND_GENERATOR(generator);
    RAND_CHECK(!rand_is_wide(generator->type), CURAND_STATUS_TYPE_ERROR);
    return generate(generator, &(struct request){&bits, outputPtr, num, 0, 0});
}

curandStatus_t curandGenerateLongLong(curandGenerator_t generator, unsigned long long *outputPtr,
                                      size_t num)
{
    RAND_GENERATOR(generator);
    RAND_CHECK(rand_is_wide(generator->type), CURAND_STATUS_TYPE_ERROR);
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
    RAND_CHECK(lambda > 0 && lambda <= 400000, CURAND_STATUS_OUT_OF_RANGE);
    return generate(generator, &(struct request){&poisson, outputPtr, n, lambda, 0});
}
