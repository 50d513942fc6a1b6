/* Sobol sequences in device code, of 32 and 64 bits, scrambled or not; included by curand_kernel.h.
 * A state keeps its dimension's direction vectors, the number of the next point, and that point
 * (Bratley and Fox, "Algorithm 659", in Gray code order as Antonov and Saleev have it). */
#ifndef EVGPU_SW_CURAND_SOBOL_H
#define EVGPU_SW_CURAND_SOBOL_H

struct curandStateSobol32 {
    unsigned int i, x, c;
    unsigned int direction_vectors[32];
};
struct curandStateSobol64 {
    unsigned long long i, x, c;
    unsigned long long direction_vectors[64];
};
typedef struct curandStateSobol32 curandStateSobol32_t;
typedef struct curandStateSobol64 curandStateSobol64_t;
/* The same with a shift c, the dimension's scramble constant. */
#ifdef __cplusplus
struct curandStateScrambledSobol32 : curandStateSobol32 {
};
struct curandStateScrambledSobol64 : curandStateSobol64 {
};
#endif
typedef struct curandStateScrambledSobol32 curandStateScrambledSobol32_t;
typedef struct curandStateScrambledSobol64 curandStateScrambledSobol64_t;

#ifdef __CUDA__
/* Point n of a sequence without a shift. */
template <class Word> EVGPU_RAND Word evgpu_sobol_point(const Word *vectors, unsigned long long n)
{
    Word x = 0;
    for (unsigned long long gray = n ^ n >> 1; gray; gray &= gray - 1) {
        int bit = __ffsll((long long)gray) - 1;
        if (bit < (int)(8 * sizeof(Word)))
            x ^= vectors[bit];
    }
    return x;
}
EVGPU_RAND void skipahead(unsigned int n, curandStateSobol32_t *state)
{
    state->i += n;
    state->x = state->c ^ evgpu_sobol_point(state->direction_vectors, state->i);
}
EVGPU_RAND void skipahead(unsigned long long n, curandStateSobol64_t *state)
{
    state->i += n;
    state->x = state->c ^ evgpu_sobol_point(state->direction_vectors, state->i);
}
EVGPU_RAND void curand_init(const unsigned int *direction_vectors, unsigned int offset,
                            curandStateSobol32_t *state)
{
    for (int k = 0; k < 32; k++)
        state->direction_vectors[k] = direction_vectors[k];
    state->i = state->c = 0;
    skipahead(offset, state);
}
EVGPU_RAND void curand_init(const unsigned long long *direction_vectors, unsigned long long offset,
                            curandStateSobol64_t *state)
{
    for (int k = 0; k < 64; k++)
        state->direction_vectors[k] = direction_vectors[k];
    state->i = state->c = 0;
    skipahead(offset, state);
}
EVGPU_RAND void curand_init(const unsigned int *direction_vectors, unsigned int scramble_c,
                            unsigned int offset, curandStateScrambledSobol32_t *state)
{
    curand_init(direction_vectors, 0u, (curandStateSobol32_t *)state);
    state->c = scramble_c;
    skipahead(offset, state);
}
EVGPU_RAND void curand_init(const unsigned long long *direction_vectors,
                            unsigned long long scramble_c, unsigned long long offset,
                            curandStateScrambledSobol64_t *state)
{
    curand_init(direction_vectors, 0ull, (curandStateSobol64_t *)state);
    state->c = scramble_c;
    skipahead(offset, state);
}
/* The next point differs in the vector of the lowest zero of its number. */
EVGPU_RAND unsigned int curand(curandStateSobol32_t *state)
{
    unsigned int now = state->x;
    int bit = __ffs((int)~state->i) - 1;
    if (bit >= 0)
        state->x ^= state->direction_vectors[bit];
    state->i++;
    return now;
}
EVGPU_RAND unsigned long long curand(curandStateSobol64_t *state)
{
    unsigned long long now = state->x;
    int bit = __ffsll((long long)~state->i) - 1;
    if (bit >= 0)
        state->x ^= state->direction_vectors[bit];
    state->i++;
    return now;
}

EVGPU_RAND float evgpu_sobol_float(unsigned int x)
{
    return evgpu_rand_float(x);
}
EVGPU_RAND float evgpu_sobol_float(unsigned long long x)
{
    return evgpu_rand_float((unsigned int)(x >> 32));
}
EVGPU_RAND double evgpu_sobol_double(unsigned int x)
{
    return x * 2.3283064365386963e-10 + 2.3283064365386963e-10 / 2.0;
}
EVGPU_RAND double evgpu_sobol_double(unsigned long long x)
{
    return (double)(x >> 11) * EVGPU_RAND_2POW53 + EVGPU_RAND_2POW53 / 2.0;
}
/* By the inverse of the distribution function: Box and Muller's pairs would take two dimensions. */
EVGPU_RAND float evgpu_sobol_normal(unsigned int x)
{
    float sign = -1.41421356f;
    if (x > 0x80000000u) {
        x = 0xffffffffu - x;
        sign = -sign;
    }
    float p = x * EVGPU_RAND_2POW32 + EVGPU_RAND_2POW32 / 2.0f;
    return sign * erfcinvf(2.0f * p);
}
EVGPU_RAND float evgpu_sobol_normal(unsigned long long x)
{
    return evgpu_sobol_normal((unsigned int)(x >> 32));
}
EVGPU_RAND double evgpu_sobol_normal_double(unsigned int x)
{
    double sign = -1.4142135623730951;
    if (x > 0x80000000u) {
        x = 0xffffffffu - x;
        sign = -sign;
    }
    return sign * erfcinv(2.0 * (x * 2.3283064365386963e-10 + 2.3283064365386963e-10 / 2.0));
}
EVGPU_RAND double evgpu_sobol_normal_double(unsigned long long x)
{
    double sign = -1.4142135623730951;
    x >>= 11;
    if (x > 0x10000000000000ull) {
        x = 0x1fffffffffffffull - x;
        sign = -sign;
    }
    return sign * erfcinv(2.0 * ((double)x * EVGPU_RAND_2POW53 + EVGPU_RAND_2POW53 / 2.0));
}

#define EVGPU_SOBOL_NUMBERS(State)                                                                 \
    EVGPU_RAND float curand_uniform(State *state)                                                  \
    {                                                                                              \
        return evgpu_sobol_float(curand(state));                                                   \
    }                                                                                              \
    EVGPU_RAND double curand_uniform_double(State *state)                                          \
    {                                                                                              \
        return evgpu_sobol_double(curand(state));                                                  \
    }                                                                                              \
    EVGPU_RAND float curand_normal(State *state)                                                   \
    {                                                                                              \
        return evgpu_sobol_normal(curand(state));                                                  \
    }                                                                                              \
    EVGPU_RAND double curand_normal_double(State *state)                                           \
    {                                                                                              \
        return evgpu_sobol_normal_double(curand(state));                                           \
    }                                                                                              \
    EVGPU_RAND float curand_log_normal(State *state, float mean, float deviation)                  \
    {                                                                                              \
        return expf(mean + deviation * curand_normal(state));                                      \
    }                                                                                              \
    EVGPU_RAND double curand_log_normal_double(State *state, double mean, double deviation)        \
    {                                                                                              \
        return exp(mean + deviation * curand_normal_double(state));                                \
    }
EVGPU_SOBOL_NUMBERS(curandStateSobol32_t)
EVGPU_SOBOL_NUMBERS(curandStateSobol64_t)
#undef EVGPU_SOBOL_NUMBERS
#endif
#endif
