// The kernels of cuRAND's host side: names are GENERATOR_KIND.
//
// A result is what one draw of a kind gives: a number, or a pair of normal ones. Result `first` goes to out[0]. XORWOW
// and MRG32k3a have `streams` subsequences that take turns: result k comes from subsequence k mod streams, whose state
// lies in memory. Philox and Sobol compute a result from its number. Mersenne Twisters (twister.cuh) make words, of which
// other kernels make numbers.
#include <curand_kernel.h>

#include "sw/cuda/rand/poisson.cuh"
#include "sw/cuda/rand/twister.cuh"

// --- kinds ---------------------------------------------------------------------------------------------

#define KIND(name, type, ...)                                                                                          \
    struct name {                                                                                                      \
        typedef type out;                                                                                              \
        template <class State> static __device__ out draw(State *state, double a, double b)                            \
        {                                                                                                              \
            (void)a, (void)b;                                                                                          \
            __VA_ARGS__                                                                                                \
        }                                                                                                              \
    };
KIND(bits, unsigned int, return curand(state);)
KIND(uniform, float, return curand_uniform(state);)
KIND(uniform_double, double, return curand_uniform_double(state);)
KIND(normal, float2, float2 n = curand_normal2(state);
     return make_float2((float)a + (float)b * n.x, (float)a + (float)b * n.y);)
KIND(normal_double, double2, double2 n = curand_normal2_double(state); return make_double2(a + b * n.x, a + b * n.y);)
KIND(log_normal, float2, float2 n = curand_normal2(state);
     return make_float2(expf((float)a + (float)b * n.x), expf((float)a + (float)b * n.y));)
KIND(log_normal_double, double2, double2 n = curand_normal2_double(state);
     return make_double2(exp(a + b * n.x), exp(a + b * n.y));)
KIND(poisson, unsigned int, return curand_poisson(state, a);)

// --- XORWOW and MRG32k3a -------------------------------------------------------------------------------

// States `from` to `to` stand where their subsequences have been left by `offset` results.
template <class State>
static __device__ void make_states(State *states, unsigned int from, unsigned int to, unsigned int streams,
                                   unsigned long long seed, unsigned long long offset)
{
    unsigned int s = from + blockIdx.x * blockDim.x + threadIdx.x;
    if (s < to)
        curand_init(seed, s, (offset + streams - 1 - s) / streams, &states[s]);
}

template <class State, class Kind>
static __device__ void take_turns(State *states, unsigned int streams, unsigned long long first, unsigned long long n,
                                  void *out, double a, double b)
{
    unsigned long long k = (unsigned long long)blockIdx.x * blockDim.x + threadIdx.x;
    typename Kind::out *results = (typename Kind::out *)out;
    if (k >= n || k >= streams)
        return;
    State *mine = &states[(first + k) % streams], state = *mine;
    for (; k < n; k += streams)
        results[k] = Kind::draw(&state, a, b);
    *mine = state;
}

#define STREAM_KERNEL(generator, State, kind)                                                                          \
    extern "C" __global__ void generator##_##kind(State *states, unsigned int streams, unsigned long long first,       \
                                                  unsigned long long n, void *out, double a, double b)                 \
    {                                                                                                                  \
        take_turns<State, kind>(states, streams, first, n, out, a, b);                                                 \
    }
#define STREAM_KERNELS(generator, State)                                                                               \
    extern "C" __global__ void generator##_states(State *states, unsigned int from, unsigned int to,                   \
                                                  unsigned int streams, unsigned long long seed,                       \
                                                  unsigned long long offset)                                           \
    {                                                                                                                  \
        make_states(states, from, to, streams, seed, offset);                                                          \
    }                                                                                                                  \
    STREAM_KERNEL(generator, State, bits)                                                                              \
    STREAM_KERNEL(generator, State, uniform)                                                                           \
    STREAM_KERNEL(generator, State, uniform_double)                                                                    \
    STREAM_KERNEL(generator, State, normal)                                                                            \
    STREAM_KERNEL(generator, State, normal_double)                                                                     \
    STREAM_KERNEL(generator, State, log_normal)                                                                        \
    STREAM_KERNEL(generator, State, log_normal_double)                                                                 \
    STREAM_KERNEL(generator, State, poisson)
STREAM_KERNELS(xorwow, curandStateXORWOW)
STREAM_KERNELS(mrg, curandStateMRG32k3a)

// --- Philox --------------------------------------------------------------------------------------------

#define PHILOX_STREAMS 65536

// A state whose next integers are those from `at` on: PER of a subsequence, then PER of the next one. Numbers of 32 bits
// have 4, those of 64 bits 8. The `skipped` first turns of all took 4, whatever is generated.
template <unsigned int PER> struct philox_from {
    unsigned long long seed, at, skipped;
};
template <unsigned int PER> static __device__ unsigned int curand(philox_from<PER> *state)
{
    unsigned long long turn = state->at / PER;
    unsigned int stream = (unsigned int)(turn % PHILOX_STREAMS);
    unsigned long long of_4 = (state->skipped + PHILOX_STREAMS - 1 - stream) / PHILOX_STREAMS;
    unsigned long long block = of_4 + (turn / PHILOX_STREAMS - of_4) * (PER / 4) + state->at % PER / 4;
    uint4 r = curand_Philox4x32_10(make_uint4((unsigned int)block, (unsigned int)(block >> 32), stream, 0),
                                   make_uint2((unsigned int)state->seed, (unsigned int)(state->seed >> 32)));
    unsigned int k = (unsigned int)(state->at++ % 4);
    return k == 0 ? r.x : k == 1 ? r.y : k == 2 ? r.z : r.w;
}
template <unsigned int PER> static __device__ float curand_uniform(philox_from<PER> *state)
{
    return evgpu_rand_float(curand(state));
}

// `first` counts numbers.
template <class Kind, unsigned int WORDS, unsigned int PAIR>
static __device__ void philox_fill(unsigned long long seed, unsigned long long offset, unsigned long long first,
                                   unsigned long long n, void *out, double a, double b)
{
    unsigned long long step = (unsigned long long)gridDim.x * blockDim.x;
    for (unsigned long long k = (unsigned long long)blockIdx.x * blockDim.x + threadIdx.x; k < n; k += step) {
        philox_from<4 * WORDS> state = {seed, (first + k * PAIR) * WORDS, offset / 4};
        ((typename Kind::out *)out)[k] = Kind::draw(&state, a, b);
    }
}
#define PHILOX_KERNEL(kind, words, pair)                                                                               \
    extern "C" __global__ void philox_##kind(unsigned long long seed, unsigned long long offset,                       \
                                             unsigned long long first, unsigned long long n, void *out, double a,      \
                                             double b)                                                                 \
    {                                                                                                                  \
        philox_fill<kind, words, pair>(seed, offset, first, n, out, a, b);                                             \
    }
PHILOX_KERNEL(bits, 1, 1)
PHILOX_KERNEL(uniform, 1, 1)
PHILOX_KERNEL(uniform_double, 2, 1)
PHILOX_KERNEL(normal, 1, 2)
PHILOX_KERNEL(normal_double, 2, 2)
PHILOX_KERNEL(log_normal, 1, 2)
PHILOX_KERNEL(log_normal_double, 2, 2)

// A Poisson number takes integers until it is done: each has a subsequence of its own, behind those of the others.
extern "C" __global__ void philox_poisson(unsigned long long seed, unsigned long long offset, unsigned long long first,
                                          unsigned long long n, void *out, double a, double b)
{
    (void)offset, (void)b;
    unsigned long long step = (unsigned long long)gridDim.x * blockDim.x;
    for (unsigned long long k = (unsigned long long)blockIdx.x * blockDim.x + threadIdx.x; k < n; k += step) {
        curandStatePhilox4_32_10_t state;
        curand_init(seed, PHILOX_STREAMS + first + k, 0, &state);
        ((unsigned int *)out)[k] = curand_poisson(&state, a);
    }
}

// --- Sobol ---------------------------------------------------------------------------------------------

// `n` points of each dimension, all of one dimension before those of the next.
#define SOBOL_KERNEL(name, word, Word, shift, kind, type, ...)                                                         \
    extern "C" __global__ void name##word##_##kind(const Word *vectors, unsigned int dimensions,                       \
                                                   unsigned long long first, unsigned long long n, void *out,          \
                                                   double a, double b)                                                 \
    {                                                                                                                  \
        (void)a, (void)b;                                                                                              \
        unsigned long long step = (unsigned long long)gridDim.x * blockDim.x;                                          \
        for (unsigned long long k = (unsigned long long)blockIdx.x * blockDim.x + threadIdx.x; k < n * dimensions;     \
             k += step) {                                                                                              \
            Word x = evgpu_sobol_point(vectors + k / n * word, first + k % n) shift;                                   \
            ((type *)out)[k] = __VA_ARGS__;                                                                            \
        }                                                                                                              \
    }
#define SOBOL_KERNELS(name, word, Word, shift)                                                                         \
    SOBOL_KERNEL(name, word, Word, shift, bits, Word, x)                                                               \
    SOBOL_KERNEL(name, word, Word, shift, uniform, float, evgpu_sobol_float(x))                                        \
    SOBOL_KERNEL(name, word, Word, shift, uniform_double, double, evgpu_sobol_double(x))                               \
    SOBOL_KERNEL(name, word, Word, shift, normal, float, (float)a + (float)b * evgpu_sobol_normal(x))                  \
    SOBOL_KERNEL(name, word, Word, shift, normal_double, double, a + b * evgpu_sobol_normal_double(x))                 \
    SOBOL_KERNEL(name, word, Word, shift, log_normal, float, expf((float)a + (float)b * evgpu_sobol_normal(x)))        \
    SOBOL_KERNEL(name, word, Word, shift, log_normal_double, double, exp(a + b * evgpu_sobol_normal_double(x)))
SOBOL_KERNELS(sobol, 32, unsigned int, )
SOBOL_KERNELS(sobol, 64, unsigned long long, )
// Each dimension's shift lies behind the vectors of all.
SOBOL_KERNELS(scrambled, 32, unsigned int, ^ vectors[dimensions * 32 + k / n])
SOBOL_KERNELS(scrambled, 64, unsigned long long, ^ vectors[dimensions * 64 + k / n])
