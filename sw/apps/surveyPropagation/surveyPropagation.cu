/* Survey propagation on the factor graph of a Boolean formula (LonestarGPU sp; Braunstein, Mezard, Zecchina
 * 2005). Edges lie between clauses and the variables in them; an edge carries a survey, the clause's warning to
 * the variable, and three products of the variable's other surveys.
 *
 * A sweep is sp_products and sp_surveys; when the surveys stand still, sp_bias says how much each variable
 * leans to true or false, sp_sort_* order the variables by that, and sp_fix fixes those that lean most, which
 * takes away the clauses that this satisfies. A thread takes elements in strides of the whole grid.
 *
 * All arithmetic is IEEE 754 with one rounding each, written as functions so that no compiler fuses it, and
 * sums over threads are of integers: results do not depend on the order, and the host has the same bits. */
#define BLOCK 384
#define CHUNK 1024 /* keys that a block sorts in shared memory, two per thread */

struct Formula {
    const unsigned *clause_rows;    /* edges of clause c: clause_rows[c] .. clause_rows[c + 1] - 1 */
    const unsigned *variable_rows;  /* edges of variable v: variable_edges[variable_rows[v]] ... */
    const unsigned *variable_edges;
    const unsigned *clause_of, *variable_of; /* ends of an edge */
    const unsigned char *negated;            /* of an edge */
    unsigned char *satisfied;                /* clause is no longer there */
    unsigned char *fixed, *value;            /* variable */
    float *survey;                           /* of an edge */
    float *product, *towards, *against;      /* of an edge, from its variable */
    unsigned edges, variables;
};

__device__ static float without(float survey)
{
    return __fsub_rn(1.0f, survey);
}

extern "C" __global__ void sp_products(Formula f)
{
    for (unsigned e = blockIdx.x * blockDim.x + threadIdx.x; e < f.edges;
         e += gridDim.x * blockDim.x) {
        unsigned clause = f.clause_of[e], variable = f.variable_of[e];
        if (f.satisfied[clause] || f.fixed[variable])
            continue;
        float all = 1.0f, same = 1.0f, other = 1.0f; /* by the sign of the variable's other edges */
        unsigned char sign = f.negated[e];
        for (unsigned i = f.variable_rows[variable]; i < f.variable_rows[variable + 1]; i++) {
            unsigned edge = f.variable_edges[i], there = f.clause_of[edge];
            if (there == clause || f.satisfied[there])
                continue;
            float factor = without(f.survey[edge]);
            all = __fmul_rn(all, factor);
            if (f.negated[edge] == sign)
                same = __fmul_rn(same, factor);
            else
                other = __fmul_rn(other, factor);
        }
        f.product[e] = all;
        f.against[e] = __fmul_rn(without(other), same);
        f.towards[e] = __fmul_rn(without(same), other);
    }
}

/* *change: the bits of the largest change of a survey; it is not negative, so they are in its order. */
extern "C" __global__ void sp_surveys(Formula f, unsigned *change)
{
    float most = 0.0f;
    for (unsigned e = blockIdx.x * blockDim.x + threadIdx.x; e < f.edges;
         e += gridDim.x * blockDim.x) {
        unsigned clause = f.clause_of[e], variable = f.variable_of[e];
        if (f.satisfied[clause] || f.fixed[variable])
            continue;
        float survey = 1.0f;
        for (unsigned edge = f.clause_rows[clause]; edge < f.clause_rows[clause + 1]; edge++) {
            unsigned there = f.variable_of[edge];
            if (there == variable || f.fixed[there])
                continue;
            float sum = __fadd_rn(__fadd_rn(f.product[edge], f.towards[edge]), f.against[edge]);
            if (sum == 0.0f) { /* the variable is warned of both values */
                survey = 0.0f;
                break;
            }
            survey = __fmul_rn(survey, __fdiv_rn(f.against[edge], sum));
        }
        most = fmaxf(most, fabsf(__fsub_rn(survey, f.survey[e])));
        f.survey[e] = survey;
    }
    if (most > 0.0f)
        atomicMax(change, __float_as_uint(most));
}

struct Leaning {
    unsigned long long sum; /* of the larger weight of every variable, in units of 2^-32 */
    unsigned count;         /* variables that are not fixed */
};

/* keys[]: of every variable that is not fixed, in any order: how much it leans, then its number and 1. */
extern "C" __global__ void sp_bias(Formula f, unsigned long long *keys, Leaning *leaning)
{
    __shared__ unsigned long long sums[BLOCK];
    unsigned long long sum = 0;
    for (unsigned v = blockIdx.x * blockDim.x + threadIdx.x; v < f.variables;
         v += gridDim.x * blockDim.x) {
        if (f.fixed[v])
            continue;
        float all = 1.0f, plus = 1.0f, minus = 1.0f;
        for (unsigned i = f.variable_rows[v]; i < f.variable_rows[v + 1]; i++) {
            unsigned edge = f.variable_edges[i];
            if (f.satisfied[f.clause_of[edge]])
                continue;
            float factor = without(f.survey[edge]);
            all = __fmul_rn(all, factor);
            if (f.negated[edge])
                minus = __fmul_rn(minus, factor);
            else
                plus = __fmul_rn(plus, factor);
        }
        float yes = __fmul_rn(without(plus), minus), no = __fmul_rn(without(minus), plus);
        float weight = __fadd_rn(__fadd_rn(all, yes), no);
        yes = weight == 0.0f ? 0.0f : __fdiv_rn(yes, weight);
        no = weight == 0.0f ? 0.0f : __fdiv_rn(no, weight);
        f.value[v] = yes > no;
        sum += __float2ull_rz(__fmul_rn(fmaxf(yes, no), 4294967296.0f));
        unsigned bits = __float_as_uint(fabsf(__fsub_rn(yes, no)));
        keys[atomicAdd(&leaning->count, 1u)] = (unsigned long long)bits << 32 | (v + 1);
    }
    sums[threadIdx.x] = sum;
    for (unsigned half = 256; half; half /= 2) {
        __syncthreads();
        if (threadIdx.x < half && threadIdx.x + half < BLOCK)
            sums[threadIdx.x] += sums[threadIdx.x + half];
    }
    if (threadIdx.x == 0)
        atomicAdd(&leaning->sum, sums[0]);
}

__device__ static void sort_pair(unsigned long long *a, unsigned long long *b, bool ascending)
{
    unsigned long long x = *a, y = *b;
    if ((x > y) == ascending) {
        *a = y;
        *b = x;
    }
}

/* Bitonic sort, ascending: the steps of runs first_run to last_run whose distance fits into a chunk. Block of
 * CHUNK / 2 threads per chunk. */
extern "C" __global__ void sp_sort_chunk(unsigned long long *keys, unsigned first_run,
                                         unsigned last_run)
{
    __shared__ unsigned long long chunk[CHUNK];
    unsigned x = threadIdx.x, base = blockIdx.x * CHUNK;
    chunk[x] = keys[base + x];
    chunk[x + CHUNK / 2] = keys[base + x + CHUNK / 2];
    for (unsigned run = first_run; run <= last_run; run *= 2)
        for (unsigned distance = min(run, CHUNK) / 2; distance; distance /= 2) {
            unsigned low = 2 * x - (x & (distance - 1));
            __syncthreads();
            sort_pair(chunk + low, chunk + low + distance, ((base + low) & run) == 0);
        }
    __syncthreads();
    keys[base + x] = chunk[x];
    keys[base + x + CHUNK / 2] = chunk[x + CHUNK / 2];
}

/* One step over a distance of at least a chunk. A thread per pair. */
extern "C" __global__ void sp_sort_step(unsigned long long *keys, unsigned run, unsigned distance)
{
    unsigned x = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned low = 2 * x - (x & (distance - 1));
    sort_pair(keys + low, keys + low + distance, (low & run) == 0);
}

/* Fixes the variables of `count` keys. A thread per key. */
extern "C" __global__ void sp_fix(Formula f, const unsigned long long *__restrict__ keys,
                                  unsigned count)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= count)
        return;
    unsigned v = (unsigned)keys[i] - 1;
    f.fixed[v] = 1;
    for (unsigned at = f.variable_rows[v]; at < f.variable_rows[v + 1]; at++) {
        unsigned edge = f.variable_edges[at];
        if (f.negated[edge] != f.value[v])
            f.satisfied[f.clause_of[edge]] = 1;
    }
}
