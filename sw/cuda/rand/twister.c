/* Mersenne Twisters: states, and words from where the last call has stopped. */
#include "sw/cuda/rand/generator.h"
#include "sw/cuda/rand/shape.h"

struct family {
    const char *seed, *words;
    unsigned int bytes, round;
};

static struct family family_of(const struct curandGenerator_st *g)
{
    static const struct family mtgp = {"mtgp32_states", "mtgp32_words", 4 * MTGP_WORDS, MTGP_ROUND},
                               single = {"mt19937_states", "mt19937_words", 4 * MT19937_WORDS,
                                         MT19937_ROUND};
    return g->type == CURAND_RNG_PSEUDO_MTGP32 ? mtgp : single;
}

static unsigned int sequences(const struct curandGenerator_st *g)
{
    if (g->type == CURAND_RNG_PSEUDO_MT19937)
        return 1;
    return g->ordering == CURAND_ORDERING_PSEUDO_LEGACY ? MTGP_STREAMS_LEGACY : MTGP_STREAMS;
}

curandStatus_t rand_seed_twister(curandGenerator_t g)
{
    struct family f = family_of(g);
    unsigned int count = sequences(g);
    unsigned long long seed = g->seed;
    const dim3 one = {1, 1, 1}, blocks = {count, 1, 1};
    if (g->table)
        return CURAND_STATUS_SUCCESS;
    curandStatus_t status = rand_status(cudaMalloc(&g->table, (size_t)count * f.bytes));
    RAND_CHECK(!status, status);
    void *arguments[] = {&g->table, &count, &seed};
    return rand_status(library_launch(&g->library, f.seed, blocks, one, g->stream, arguments));
}

curandStatus_t rand_twist(curandGenerator_t g, unsigned long long n, void *out)
{
    struct family f = family_of(g);
    const dim3 block = {f.round, 1, 1}, blocks = {sequences(g), 1, 1};
    curandStatus_t status = rand_seed_twister(g);
    RAND_CHECK(!status, status);
    void *arguments[] = {&g->table, &g->position, &n, &out};
    status = rand_status(library_launch(&g->library, f.words, blocks, block, g->stream, arguments));
    if (!status)
        g->position += n;
    return status;
}
