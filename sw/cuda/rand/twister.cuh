// Mersenne Twisters: MTGP32 (Saito and Matsumoto, 2013) and MT19937 (Matsumoto and Nishimura, 1998).
//
// A sequence is words, of which each comes from earlier ones; a block makes as many at once as do not need each other,
// a round. With several sequences, rounds take turns: the first ones of all, then the second ones.
#ifndef EVGPU_CUDA_RAND_TWISTER_CUH
#define EVGPU_CUDA_RAND_TWISTER_CUH

#include "sw/cuda/rand/shape.h"

struct mtgp_parameters {
    unsigned int place, shift1, shift2, recursion[4], tempering[4];
};
static __constant__ const mtgp_parameters mtgp[MTGP_STREAMS] = {
#define MTGP(place, shift1, shift2, r0, r1, r2, r3, t0, t1, t2, t3)                                                    \
    {place, shift1, shift2, {r0, r1, r2, r3}, {t0, t1, t2, t3}},
#include "sw/cuda/rand/mtgp.def"
#undef MTGP
};

/* The sum of those rows whose bits are set. */
static __device__ unsigned int rows_of(const unsigned int rows[4], unsigned int bits)
{
    unsigned int sum = 0;
    for (int i = 0; i < 4; i++)
        sum ^= bits >> i & 1 ? rows[i] : 0;
    return sum;
}

/* What both families are: words of state, threads of a round, the word behind `a`'s state, and the number of it. */
struct mtgp_family {
    static const int WORDS = MTGP_WORDS, ROUND = MTGP_ROUND;
    static __device__ void seed(unsigned int sequence, unsigned long long seed, unsigned int *a)
    {
        const mtgp_parameters &p = mtgp[sequence];
        unsigned int hidden = p.recursion[2] ^ p.recursion[3] << 16, fill = hidden;
        fill += fill >> 16;
        fill += fill >> 8;
        fill = (fill & 255) * 0x01010101u;
        a[0] = (unsigned int)(seed ^ seed >> 32) + sequence + 1;
        a[1] = (hidden ^ (1812433253u * (a[0] ^ a[0] >> 30) + 1));
        for (unsigned int i = 2; i < WORDS; i++)
            a[i] = fill ^ (1812433253u * (a[i - 1] ^ a[i - 1] >> 30) + i);
    }
    static __device__ unsigned int next(unsigned int sequence, const unsigned int *a)
    {
        const mtgp_parameters &p = mtgp[sequence];
        unsigned int x = (a[0] & 0xfff80000u) ^ a[1];
        x ^= x << p.shift1;
        x ^= a[p.place] >> p.shift2;
        return x ^ rows_of(p.recursion, x);
    }
    static __device__ unsigned int number(unsigned int sequence, const unsigned int *a)
    {
        unsigned int t = a[mtgp[sequence].place - 1];
        t ^= t >> 16;
        t ^= t >> 8;
        return a[WORDS] ^ rows_of(mtgp[sequence].tempering, t);
    }
};

struct mt19937_family {
    static const int WORDS = MT19937_WORDS, ROUND = MT19937_ROUND;
    static __device__ void seed(unsigned int, unsigned long long seed, unsigned int *a)
    {
        a[0] = (unsigned int)seed;
        for (unsigned int i = 1; i < WORDS; i++)
            a[i] = 1812433253u * (a[i - 1] ^ a[i - 1] >> 30) + i;
    }
    static __device__ unsigned int next(unsigned int, const unsigned int *a)
    {
        unsigned int y = (a[0] & 0x80000000u) | (a[1] & 0x7fffffffu);
        return a[397] ^ y >> 1 ^ (y & 1 ? 0x9908b0dfu : 0);
    }
    static __device__ unsigned int number(unsigned int, const unsigned int *a)
    {
        unsigned int y = a[WORDS];
        y ^= y >> 11;
        y ^= y << 7 & 0x9d2c5680u;
        y ^= y << 15 & 0xefc60000u;
        return y ^ y >> 18;
    }
};

template <class F>
static __device__ void seed_twisters(unsigned int *states, unsigned int sequences, unsigned long long seed)
{
    unsigned int s = blockIdx.x * blockDim.x + threadIdx.x;
    if (s < sequences)
        F::seed(s, seed, states + s * F::WORDS);
}

/* Numbers `first` to `first + n`; each block a sequence, whose state is kept as its round with number `first` finds
 * it. */
template <class F>
static __device__ void twist(unsigned int *states, unsigned long long first, unsigned long long n, unsigned int *out)
{
    __shared__ unsigned int a[F::WORDS + F::ROUND];
    const unsigned int sequence = blockIdx.x, thread = threadIdx.x;
    const unsigned long long turn = (unsigned long long)gridDim.x * F::ROUND, end = (first + n) / turn;
    unsigned int *mine = states + sequence * F::WORDS;
    for (int i = thread; i < F::WORDS; i += F::ROUND)
        a[i] = mine[i];
    __syncthreads();
    for (unsigned long long round = first / turn;; round++) {
        if (round == end) {
            for (int i = thread; i < F::WORDS; i += F::ROUND)
                mine[i] = a[i];
        }
        unsigned long long k = round * turn + sequence * F::ROUND + thread;
        a[F::WORDS + thread] = F::next(sequence, a + thread);
        __syncthreads();
        if (k >= first && k < first + n)
            out[k - first] = F::number(sequence, a + thread);
        if (round == end)
            break;
        unsigned int kept[(F::WORDS + F::ROUND - 1) / F::ROUND];
        for (int i = thread, j = 0; i < F::WORDS; i += F::ROUND)
            kept[j++] = a[i + F::ROUND];
        __syncthreads();
        for (int i = thread, j = 0; i < F::WORDS; i += F::ROUND)
            a[i] = kept[j++];
        __syncthreads();
    }
}

#define TWISTER_KERNELS(name, family)                                                                                  \
    extern "C" __global__ void name##_states(unsigned int *states, unsigned int sequences, unsigned long long seed)    \
    {                                                                                                                  \
        seed_twisters<family>(states, sequences, seed);                                                                \
    }                                                                                                                  \
    extern "C" __global__ void name##_words(unsigned int *states, unsigned long long first, unsigned long long n,      \
                                            unsigned int *out)                                                         \
    {                                                                                                                  \
        twist<family>(states, first, n, out);                                                                          \
    }
TWISTER_KERNELS(mtgp32, mtgp_family)
TWISTER_KERNELS(mt19937, mt19937_family)

// A result for each number. NVIDIA's normal numbers are single ones, also as doubles.
#define WORD_KERNEL(kind, type, ...)                                                                                   \
    extern "C" __global__ void words_##kind(const unsigned int *words, unsigned long long n, void *out, double a,      \
                                            double b)                                                                  \
    {                                                                                                                  \
        (void)a, (void)b;                                                                                              \
        unsigned long long step = (unsigned long long)gridDim.x * blockDim.x;                                          \
        for (unsigned long long k = (unsigned long long)blockIdx.x * blockDim.x + threadIdx.x; k < n; k += step) {     \
            unsigned int x = words[k];                                                                                 \
            ((type *)out)[k] = __VA_ARGS__;                                                                            \
        }                                                                                                              \
    }
WORD_KERNEL(uniform, float, evgpu_sobol_float(x))
WORD_KERNEL(uniform_double, double, (x + 1.0) * 0x1p-32)
WORD_KERNEL(normal, float, (float)a + (float)b * evgpu_sobol_normal(x))
WORD_KERNEL(normal_double, double, a + b * (double)evgpu_sobol_normal(x))
WORD_KERNEL(log_normal, float, expf((float)a + (float)b * evgpu_sobol_normal(x)))
WORD_KERNEL(log_normal_double, double, exp(a + b * (double)evgpu_sobol_normal(x)))

#endif
