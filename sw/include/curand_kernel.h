/* Random numbers in device code: curandState (XORWOW), curandStatePhilox4_32_10_t and
 * curandStateMRG32k3a, Sobol sequences, their distributions. Included by programs.
 *
 * XORWOW (Marsaglia, "Xorshift RNGs", with CURAND's seeding and subsequences 2^67 apart), Philox
 * (Salmon and others, "Parallel random numbers: as easy as 1, 2, 3") and MRG32k3a (L'Ecuyer, "Good
 * parameters and implementations for combined multiple recursive random number generators") give
 * CURAND's integers and uniform numbers. Normal numbers are Box and Muller's of those, as CURAND's,
 * up to the last bits of logarithm and sine. Poisson numbers have the right distribution, but are
 * not CURAND's. */
#ifndef EVGPU_SW_CURAND_KERNEL_H
#define EVGPU_SW_CURAND_KERNEL_H
#define CURAND_KERNEL_H_

#include "cuda_runtime.h"

#include "curand.h" /* as NVIDIA's does: generators of the host, directions of Sobol's */

/* The states, which host code allocates; the rest is for device code. */
#define EVGPU_RAND_CACHE /* the second number of a pair */                                         \
    int boxmuller_flag, boxmuller_flag_double;                                                     \
    float boxmuller_extra;                                                                         \
    double boxmuller_extra_double;

struct curandStateXORWOW {
    unsigned int d, v[5];
    EVGPU_RAND_CACHE
};
struct curandStatePhilox4_32_10 {
    uint4 ctr, output;
    uint2 key;
    unsigned int STATE;
    EVGPU_RAND_CACHE
};
struct curandStateMRG32k3a {
    unsigned int s1[3], s2[3];
    EVGPU_RAND_CACHE
};
#undef EVGPU_RAND_CACHE
typedef struct curandStateXORWOW curandStateXORWOW_t;
typedef struct curandStatePhilox4_32_10 curandStatePhilox4_32_10_t;
typedef struct curandStateMRG32k3a curandStateMRG32k3a_t;
typedef struct curandStateXORWOW curandState_t;
typedef struct curandStateXORWOW curandState;

#ifndef __CUDA__
#include "evgpu/curand_sobol.h"
#endif

#ifdef __CUDA__
#define EVGPU_RAND static __device__ __inline__ __attribute__((unused))
#define EVGPU_RAND_TABLE(name, rows)                                                               \
    static __device__ const unsigned int __attribute__((unused)) name[rows][5]

#include "evgpu/curand_xorwow.h"

template <class State> EVGPU_RAND void evgpu_rand_clear(State *state)
{
    state->boxmuller_flag = state->boxmuller_flag_double = 0;
    state->boxmuller_extra = 0;
    state->boxmuller_extra_double = 0;
}

/* --- XORWOW ----------------------------------------------------------------------------------- */
EVGPU_RAND void evgpu_xorwow_step(unsigned int v[5])
{
    unsigned int t = v[0] ^ v[0] >> 2;
    v[0] = v[1];
    v[1] = v[2];
    v[2] = v[3];
    v[3] = v[4];
    v[4] = (v[4] ^ v[4] << 4) ^ (t ^ t << 1);
}
EVGPU_RAND void evgpu_xorwow_jump(unsigned int v[5], const unsigned int polynomial[5])
{
    unsigned int sum[5] = {0, 0, 0, 0, 0};
    for (int i = 0; i < 160; i++) {
        unsigned int take = 0u - (polynomial[i >> 5] >> (i & 31) & 1u);
        for (int k = 0; k < 5; k++)
            sum[k] ^= v[k] & take;
        evgpu_xorwow_step(v);
    }
    for (int k = 0; k < 5; k++)
        v[k] = sum[k];
}
EVGPU_RAND void skipahead(unsigned long long n, curandStateXORWOW_t *state)
{
    for (int i = 0; i < 64 && n >> i; i++)
        if (n >> i & 1)
            evgpu_xorwow_jump(state->v, evgpu_xorwow_offset[i]);
    state->d += 362437u * (unsigned int)n;
}
EVGPU_RAND void skipahead_sequence(unsigned long long n, curandStateXORWOW_t *state)
{
    for (int i = 0; i < 64 && n >> i; i++)
        if (n >> i & 1)
            evgpu_xorwow_jump(state->v, evgpu_xorwow_sequence[i]);
}
EVGPU_RAND void curand_init(unsigned long long seed, unsigned long long subsequence,
                            unsigned long long offset, curandStateXORWOW_t *state)
{
    unsigned int low = 1099087573u * ((unsigned int)seed ^ 0xAAD26B49u);
    unsigned int high = 2591861531u * ((unsigned int)(seed >> 32) ^ 0xF7DCEFDDu);
    state->d = 6615241u + high + low;
    state->v[0] = 123456789u + low;
    state->v[1] = 362436069u ^ low;
    state->v[2] = 521288629u + high;
    state->v[3] = 88675123u ^ high;
    state->v[4] = 5783321u + low;
    skipahead_sequence(subsequence, state);
    skipahead(offset, state);
    evgpu_rand_clear(state);
}
EVGPU_RAND unsigned int curand(curandStateXORWOW_t *state)
{
    evgpu_xorwow_step(state->v);
    state->d += 362437u;
    return state->v[4] + state->d;
}

/* --- Philox 4x32, 10 rounds ---------------------------------------------------------------------
 */
EVGPU_RAND uint4 curand_Philox4x32_10(uint4 c, uint2 k)
{
    for (int round = 0; round < 10; round++) {
        unsigned int high0 = __umulhi(0xD2511F53u, c.x), low0 = 0xD2511F53u * c.x;
        unsigned int high1 = __umulhi(0xCD9E8D57u, c.z), low1 = 0xCD9E8D57u * c.z;
        c = make_uint4(high1 ^ c.y ^ k.x, low1, high0 ^ c.w ^ k.y, low0);
        k.x += 0x9E3779B9u;
        k.y += 0xBB67AE85u;
    }
    return c;
}
/* The counter's low half counts blocks of four numbers, its high half subsequences. */
EVGPU_RAND void evgpu_philox_add(curandStatePhilox4_32_10_t *state, unsigned long long low,
                                 unsigned long long high)
{
    unsigned long long a = state->ctr.x | (unsigned long long)state->ctr.y << 32;
    unsigned long long b = state->ctr.z | (unsigned long long)state->ctr.w << 32;
    a += low;
    b += high + (a < low);
    state->ctr = make_uint4((unsigned int)a, (unsigned int)(a >> 32), (unsigned int)b,
                            (unsigned int)(b >> 32));
}
EVGPU_RAND void skipahead(unsigned long long n, curandStatePhilox4_32_10_t *state)
{
    state->STATE += (unsigned int)(n & 3);
    n /= 4;
    if (state->STATE > 3) {
        n += 1;
        state->STATE -= 4;
    }
    evgpu_philox_add(state, n, 0);
    state->output = curand_Philox4x32_10(state->ctr, state->key);
}
EVGPU_RAND void skipahead_sequence(unsigned long long n, curandStatePhilox4_32_10_t *state)
{
    evgpu_philox_add(state, 0, n);
    state->output = curand_Philox4x32_10(state->ctr, state->key);
}
EVGPU_RAND void curand_init(unsigned long long seed, unsigned long long subsequence,
                            unsigned long long offset, curandStatePhilox4_32_10_t *state)
{
    state->ctr = make_uint4(0, 0, 0, 0);
    state->key = make_uint2((unsigned int)seed, (unsigned int)(seed >> 32));
    state->STATE = 0;
    evgpu_rand_clear(state);
    skipahead_sequence(subsequence, state);
    skipahead(offset, state);
}
EVGPU_RAND unsigned int curand(curandStatePhilox4_32_10_t *state)
{
    unsigned int n = state->STATE++;
    unsigned int r = n == 0   ? state->output.x
                     : n == 1 ? state->output.y
                     : n == 2 ? state->output.z
                              : state->output.w;
    if (state->STATE == 4) {
        evgpu_philox_add(state, 1, 0);
        state->output = curand_Philox4x32_10(state->ctr, state->key);
        state->STATE = 0;
    }
    return r;
}
EVGPU_RAND uint4 curand4(curandStatePhilox4_32_10_t *state)
{
    uint4 now = state->output, next;
    evgpu_philox_add(state, 1, 0);
    state->output = next = curand_Philox4x32_10(state->ctr, state->key);
    switch (state->STATE) {
    case 1:
        return make_uint4(now.y, now.z, now.w, next.x);
    case 2:
        return make_uint4(now.z, now.w, next.x, next.y);
    case 3:
        return make_uint4(now.w, next.x, next.y, next.z);
    default:
        return now;
    }
}

/* --- MRG32k3a ------------------------------------------------------------------------------------
 */
#define EVGPU_MRG_1 4294967087ull
#define EVGPU_MRG_2 4294944443ull
struct evgpu_mrg_matrix {
    unsigned int m[3][3];
};
EVGPU_RAND evgpu_mrg_matrix evgpu_mrg_product(const evgpu_mrg_matrix &a, const evgpu_mrg_matrix &b,
                                              unsigned long long modulus)
{
    evgpu_mrg_matrix r;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            unsigned long long sum = 0;
            for (int k = 0; k < 3; k++)
                sum = (sum + (unsigned long long)a.m[i][k] * b.m[k][j] % modulus) % modulus;
            r.m[i][j] = (unsigned int)sum;
        }
    return r;
}
/* The state times matrix^n. */
EVGPU_RAND void evgpu_mrg_jump(unsigned int s[3], evgpu_mrg_matrix a, unsigned long long n,
                               unsigned long long modulus)
{
    for (; n; n >>= 1) {
        if (n & 1) {
            unsigned int r[3];
            for (int i = 0; i < 3; i++) {
                unsigned long long sum = 0;
                for (int k = 0; k < 3; k++)
                    sum = (sum + (unsigned long long)a.m[i][k] * s[k] % modulus) % modulus;
                r[i] = (unsigned int)sum;
            }
            for (int i = 0; i < 3; i++)
                s[i] = r[i];
        }
        if (n >> 1)
            a = evgpu_mrg_product(a, a, modulus);
    }
}
EVGPU_RAND void skipahead(unsigned long long n, curandStateMRG32k3a_t *state)
{
    const evgpu_mrg_matrix a1 = {{{0, 1, 0}, {0, 0, 1}, {4294156359u, 1403580, 0}}};
    const evgpu_mrg_matrix a2 = {{{0, 1, 0}, {0, 0, 1}, {4293573854u, 0, 527612}}};
    evgpu_mrg_jump(state->s1, a1, n, EVGPU_MRG_1);
    evgpu_mrg_jump(state->s2, a2, n, EVGPU_MRG_2);
}
EVGPU_RAND void skipahead_subsequence(unsigned long long n, curandStateMRG32k3a_t *state)
{
    /* The step's matrices to the power 2^76. */
    const evgpu_mrg_matrix a1 = {{{82758667u, 1871391091u, 4127413238u},
                                  {3672831523u, 69195019u, 1871391091u},
                                  {3672091415u, 3528743235u, 69195019u}}};
    const evgpu_mrg_matrix a2 = {{{1511326704u, 3759209742u, 1610795712u},
                                  {4292754251u, 1511326704u, 3889917532u},
                                  {3859662829u, 4292754251u, 3708466080u}}};
    evgpu_mrg_jump(state->s1, a1, n, EVGPU_MRG_1);
    evgpu_mrg_jump(state->s2, a2, n, EVGPU_MRG_2);
}
EVGPU_RAND void curand_init(unsigned long long seed, unsigned long long subsequence,
                            unsigned long long offset, curandStateMRG32k3a_t *state)
{
    for (int i = 0; i < 3; i++)
        state->s1[i] = state->s2[i] = 12345;
    if (seed) {
        unsigned long long a = (unsigned int)seed ^ 0x55555555u;
        unsigned long long b = (unsigned int)(seed >> 32) ^ 0xAAAAAAAAu;
        for (int i = 0; i < 3; i++) {
            state->s1[i] = (unsigned int)((i == 1 ? b : a) * state->s1[i] % EVGPU_MRG_1);
            state->s2[i] = (unsigned int)((i == 1 ? a : b) * state->s2[i] % EVGPU_MRG_2);
        }
    }
    skipahead_subsequence(subsequence, state);
    skipahead(offset, state);
    evgpu_rand_clear(state);
}
EVGPU_RAND double curand_MRG32k3a(curandStateMRG32k3a_t *state)
{
    unsigned int *s = state->s1, *t = state->s2;
    unsigned long long p = (1403580ull * s[1] + 4294156359ull * s[0] % EVGPU_MRG_1) % EVGPU_MRG_1;
    unsigned long long q = (527612ull * t[2] + 4293573854ull * t[0] % EVGPU_MRG_2) % EVGPU_MRG_2;
    s[0] = s[1];
    s[1] = s[2];
    s[2] = (unsigned int)p;
    t[0] = t[1];
    t[1] = t[2];
    t[2] = (unsigned int)q;
    return p <= q ? (double)p - (double)q + 4294967087.0 : (double)p - (double)q;
}
EVGPU_RAND unsigned int curand(curandStateMRG32k3a_t *state)
{
    return (unsigned int)(curand_MRG32k3a(state) * 1.000000048662);
}

/* --- distributions -------------------------------------------------------------------------------
 */
#define EVGPU_RAND_2POW32 2.3283064e-10f
#define EVGPU_RAND_2POW53 1.1102230246251565e-16

EVGPU_RAND float evgpu_rand_float(unsigned int x)
{
    return x * EVGPU_RAND_2POW32 + EVGPU_RAND_2POW32 / 2.0f;
}
EVGPU_RAND double evgpu_rand_double(unsigned int x, unsigned int y)
{
    unsigned long long z = (unsigned long long)x ^ (unsigned long long)y << 21;
    return (double)z * EVGPU_RAND_2POW53 + EVGPU_RAND_2POW53 / 2.0;
}
EVGPU_RAND float2 evgpu_rand_pair(unsigned int x, unsigned int y)
{
    float2 r;
    float u = evgpu_rand_float(x), v = y * 1.4629180e-9f + 1.4629180e-9f / 2.0f; /* 2 pi / 2^32 */
    float s = sqrtf(-2.0f * logf(u));
    __sincosf(v, &r.x, &r.y);
    r.x *= s;
    r.y *= s;
    return r;
}
EVGPU_RAND double2 evgpu_rand_pair_double(unsigned int x0, unsigned int x1, unsigned int y0,
                                          unsigned int y1)
{
    double2 r;
    unsigned long long zx = (unsigned long long)x0 ^ (unsigned long long)x1 << 21;
    unsigned long long zy = (unsigned long long)y0 ^ (unsigned long long)y1 << 21;
    double u = (double)zx * EVGPU_RAND_2POW53 + EVGPU_RAND_2POW53 / 2.0;
    double v = (double)zy * (EVGPU_RAND_2POW53 * 2.0) + EVGPU_RAND_2POW53;
    double s = sqrt(-2.0 * log(u));
    sincospi(v, &r.x, &r.y);
    r.x *= s;
    r.y *= s;
    return r;
}

EVGPU_RAND float curand_uniform(curandStateXORWOW_t *state)
{
    return evgpu_rand_float(curand(state));
}
EVGPU_RAND float curand_uniform(curandStatePhilox4_32_10_t *state)
{
    return evgpu_rand_float(curand(state));
}
EVGPU_RAND float curand_uniform(curandStateMRG32k3a_t *state)
{
    return (float)(curand_MRG32k3a(state) * 2.3283065498378288e-10);
}
template <class State> EVGPU_RAND double curand_uniform_double(State *state)
{
    unsigned int x = curand(state), y = curand(state);
    return evgpu_rand_double(x, y);
}
EVGPU_RAND double curand_uniform_double(curandStateMRG32k3a_t *state)
{
    return curand_MRG32k3a(state) * 2.3283065498378288e-10;
}
template <class State> EVGPU_RAND float2 curand_normal2(State *state)
{
    unsigned int x = curand(state), y = curand(state);
    return evgpu_rand_pair(x, y);
}
template <class State> EVGPU_RAND double2 curand_normal2_double(State *state)
{
    unsigned int x0 = curand(state), x1 = curand(state), y0 = curand(state), y1 = curand(state);
    return evgpu_rand_pair_double(x0, x1, y0, y1);
}
/* Of MRG32k3a a double has one draw. */
EVGPU_RAND double2 curand_normal2_double(curandStateMRG32k3a_t *state)
{
    double2 r;
    double u = curand_uniform_double(state), v = curand_uniform_double(state) * 2.0;
    double s = sqrt(-2.0 * log(u));
    sincospi(v, &r.x, &r.y);
    r.x *= s;
    r.y *= s;
    return r;
}
template <class State> EVGPU_RAND float curand_normal(State *state)
{
    if (state->boxmuller_flag) {
        state->boxmuller_flag = 0;
        return state->boxmuller_extra;
    }
    float2 pair = curand_normal2(state);
    state->boxmuller_extra = pair.y;
    state->boxmuller_flag = 1;
    return pair.x;
}
template <class State> EVGPU_RAND double curand_normal_double(State *state)
{
    if (state->boxmuller_flag_double) {
        state->boxmuller_flag_double = 0;
        return state->boxmuller_extra_double;
    }
    double2 pair = curand_normal2_double(state);
    state->boxmuller_extra_double = pair.y;
    state->boxmuller_flag_double = 1;
    return pair.x;
}
template <class State> EVGPU_RAND float curand_log_normal(State *state, float mean, float deviation)
{
    return expf(mean + deviation * curand_normal(state));
}
template <class State>
EVGPU_RAND double curand_log_normal_double(State *state, double mean, double deviation)
{
    return exp(mean + deviation * curand_normal_double(state));
}
template <class State>
EVGPU_RAND float2 curand_log_normal2(State *state, float mean, float deviation)
{
    float2 n = curand_normal2(state);
    return make_float2(expf(mean + deviation * n.x), expf(mean + deviation * n.y));
}
EVGPU_RAND float4 curand_uniform4(curandStatePhilox4_32_10_t *state)
{
    uint4 r = curand4(state);
    return make_float4(evgpu_rand_float(r.x), evgpu_rand_float(r.y), evgpu_rand_float(r.z),
                       evgpu_rand_float(r.w));
}
EVGPU_RAND float4 curand_normal4(curandStatePhilox4_32_10_t *state)
{
    uint4 r = curand4(state);
    float2 a = evgpu_rand_pair(r.x, r.y), b = evgpu_rand_pair(r.z, r.w);
    return make_float4(a.x, a.y, b.x, b.y);
}
EVGPU_RAND double2 curand_uniform2_double(curandStatePhilox4_32_10_t *state)
{
    uint4 r = curand4(state);
    return make_double2(evgpu_rand_double(r.x, r.y), evgpu_rand_double(r.z, r.w));
}

#include "evgpu/curand_sobol.h"

/* Knuth's product for small means, for large ones the rounded normal approximation with its
 * third-order correction. */
template <class State> EVGPU_RAND unsigned int curand_poisson(State *state, double lambda)
{
    if (lambda > 64) {
        double z = curand_normal_double(state);
        double k = floor(lambda + sqrt(lambda) * z + (z * z - 1) / 6 + 0.5);
        return k < 0 ? 0 : (unsigned int)k;
    }
    double limit = exp(-lambda), product = curand_uniform_double(state);
    unsigned int k = 0;
    while (product > limit) {
        product *= curand_uniform_double(state);
        k++;
    }
    return k;
}

#undef EVGPU_RAND
#undef EVGPU_RAND_TABLE
#endif
#endif
