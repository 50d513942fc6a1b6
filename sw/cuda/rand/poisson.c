/* Poisson numbers of those generators that have one word for each. */
#include <math.h>

#include "sw/cuda/rand/generator.h"
#include "sw/cuda/rand/shape.h"

/* The table of this mean; NULL: none is needed. */
static curandStatus_t table_of(curandGenerator_t g, double mean)
{
    const dim3 one = {1, 1, 1}, block = {POISSON_THREADS, 1, 1};
    if (g->poisson.mean == mean)
        return CURAND_STATUS_SUCCESS;
    cudaFree(g->poisson.table); /* waits for the generator's kernels */
    g->poisson = (struct rand_poisson){.mean = 0};
    if (mean >= POISSON_WIDE)
        return CURAND_STATUS_SUCCESS;
    unsigned int count = (unsigned int)(mean + 12 * sqrt(mean)) + 30;
    curandStatus_t status =
        rand_status(cudaMalloc((void **)&g->poisson.table, count * sizeof(double)));
    RAND_CHECK(!status, status);
    void *arguments[] = {&mean, &count, &g->poisson.table};
    g->poisson.count = count;
    g->poisson.mean = mean;
    return rand_status(
        library_launch(&g->library, "poisson_table", one, block, g->stream, arguments));
}

curandStatus_t rand_poisson_of(curandGenerator_t g, void *words, unsigned long long n, void *out,
                               double mean)
{
    bool wide = rand_is_wide(g->type);
    const dim3 block = {RAND_BLOCK, 1, 1};
    curandStatus_t status = table_of(g, mean);
    RAND_CHECK(!status, status);
    void *arguments[] = {&words, &n, &out, &g->poisson.table, &g->poisson.count, &mean};
    return rand_status(library_launch(&g->library, wide ? "wide_poisson" : "words_poisson",
                                      rand_blocks(n), block, g->stream, arguments));
}
