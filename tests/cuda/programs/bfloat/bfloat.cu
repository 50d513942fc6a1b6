/* bfloat16 on the device and on the host, against rounding by exact arithmetic. */
#include <cmath>
#include <cstdio>
#include <cstring>
#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include "../common/check.h"

#define PAIRS 4096

struct results {
    unsigned short sum, difference, product, quotient, fma, least, most, root;
    int less, equal, whole, near, below, above, half;
    float low, high;
};

__host__ __device__ static results compute(__nv_bfloat16 a, __nv_bfloat16 b, __nv_bfloat16 c)
{
    results r;
    __nv_bfloat162 two = __hadd2(__nv_bfloat162(a, b), __nv_bfloat162(c, c));
    r.sum = __bfloat16_as_ushort(a + b);
    r.difference = __bfloat16_as_ushort(a - b);
    r.product = __bfloat16_as_ushort(a * b);
    r.quotient = __bfloat16_as_ushort(a / b);
    r.fma = __bfloat16_as_ushort(__hfma(a, b, c));
    r.least = __bfloat16_as_ushort(__hmin(a, b));
    r.most = __bfloat16_as_ushort(__hmax(a, b));
    r.root = __bfloat16_as_ushort(hsqrt(__habs(a)));
    r.less = a < b;
    r.equal = __heq(a, b);
    r.whole = __bfloat162int_rz(a);
    r.near = __bfloat162int_rn(a);
    r.below = __bfloat162int_rd(a);
    r.above = (int)__bfloat162ll_ru(a);
    __half small;
    small = r.whole % 1000; /* of an int, as of a float */
    r.half = (int)small;
    r.low = __low2float(two);
    r.high = __high2float(two);
    return r;
}

__global__ void on_device(const unsigned short *in, results *out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = compute(__ushort_as_bfloat16(in[i]), __ushort_as_bfloat16(in[PAIRS + i]),
                     __ushort_as_bfloat16(in[2 * PAIRS + i]));
}

/* Each thread adds 1 to both values of a pair, and to one value alone on either side of a word. */
#define ADDITIONS 200 /* all sums are exact */
__global__ void add_ones(__nv_bfloat162 *pair, __nv_bfloat16 *alone, float *old_sums)
{
    const __nv_bfloat162 old = atomicAdd(pair, __nv_bfloat162(1.0f, 1.0f));
    atomicAdd(&old_sums[0], (float)old.x);
    atomicAdd(&old_sums[1], (float)old.y);
    atomicAdd(&old_sums[2], (float)atomicAdd(&alone[threadIdx.x % 2], __nv_bfloat16(1.0f)));
}
static bool atomics()
{
    struct {
        __nv_bfloat162 pair;
        __nv_bfloat16 alone[2], beside[2];
        float old_sums[3];
    } * all;
    CHECK(cudaMallocManaged(&all, sizeof *all));
    memset(all, 0, sizeof *all);
    all->pair.y = 2.0f;
    all->beside[0] = all->beside[1] = 7.0f;
    add_ones<<<1, ADDITIONS>>>(&all->pair, all->alone, all->old_sums);
    CHECK(cudaDeviceSynchronize());
    const float olds = ADDITIONS * (ADDITIONS - 1) / 2, half = ADDITIONS / 2;
    return (float)all->pair.x == ADDITIONS && (float)all->pair.y == ADDITIONS + 2.0f &&
           (float)all->alone[0] == half && (float)all->alone[1] == half &&
           (float)all->beside[0] == 7.0f && (float)all->beside[1] == 7.0f &&
           all->old_sums[0] == olds && all->old_sums[1] == olds + 2 * ADDITIONS &&
           all->old_sums[2] == half * (half - 1);
}

/* To nearest even, by comparing with both neighbours in 128 bits of exponent-free arithmetic: all
 * values here are multiples of 2^-40 below 2^40. */
typedef __int128 wide;
static wide exact(unsigned short bits)
{
    float f = __bfloat162float(__ushort_as_bfloat16(bits));
    return (wide)((double)f * 1099511627776.0); /* 2^40, exact */
}
static unsigned short nearest(wide value, int scale) /* value * 2^-scale */
{
    bool negative = value < 0;
    wide v = negative ? -value : value;
    if (!v)
        return 0;
    int top = 0;
    while (v >> top > 1)
        top++;
    int cut = top - 7;
    wide kept = cut > 0 ? v >> cut : v << -cut;
    if (cut > 0) {
        wide rest = v - (kept << cut), half = (wide)1 << (cut - 1);
        if (rest > half || (rest == half && (kept & 1)))
            kept++;
    }
    double d = (double)(long long)kept;
    for (int e = cut - scale; e; e += e > 0 ? -1 : 1)
        d *= e > 0 ? 2.0 : 0.5;
    float f = (float)(negative ? -d : d);
    unsigned int word;
    memcpy(&word, &f, sizeof word);
    return (unsigned short)(word >> 16);
}

int main()
{
    static unsigned short in[3 * PAIRS];
    static results got[PAIRS];
    unsigned short *d_in;
    results *d_out;
    unsigned int seed = 12345;
    for (int i = 0; i < 3 * PAIRS; i++) {
        seed = seed * 1664525u + 1013904223u;
        /* 2^-12 .. 2^11, either sign; every eighth third operand so small that it decides ties */
        unsigned int e = 127 - 12 + (seed >> 8) % 24;
        if (i >= 2 * PAIRS && i % 8 == 0)
            e = 127 - 30 + (seed >> 8) % 3;
        in[i] = (unsigned short)((seed >> 31) << 15 | e << 7 | (seed >> 16 & 0x7F));
    }
    CHECK(cudaMalloc(&d_in, sizeof in));
    CHECK(cudaMalloc(&d_out, sizeof got));
    CHECK(cudaMemcpy(d_in, in, sizeof in, cudaMemcpyHostToDevice));
    on_device<<<PAIRS / 256, 256>>>(d_in, d_out);
    CHECK(cudaMemcpy(got, d_out, sizeof got, cudaMemcpyDeviceToHost));
    for (int i = 0; i < PAIRS; i++) {
        unsigned short a = in[i], b = in[PAIRS + i], c = in[2 * PAIRS + i];
        results host =
            compute(__ushort_as_bfloat16(a), __ushort_as_bfloat16(b), __ushort_as_bfloat16(c));
        wide x = exact(a), y = exact(b), z = exact(c);
        const results &r = got[i];
        bool right = r.sum == nearest(x + y, 40) && r.difference == nearest(x - y, 40) &&
                     r.product == nearest(x * y, 80) && r.fma == nearest(x * y + (z << 40), 80) &&
                     r.less == (x < y) && r.equal == (x == y) &&
                     r.whole == (int)(x / ((wide)1 << 40)) && r.half == r.whole % 1000 &&
                     r.below == (int)(x >> 40) && r.above == -(int)(-x >> 40) &&
                     r.near == (int)rint((double)x / 1099511627776.0) &&
                     exact(r.least) == (x < y ? x : y) && exact(r.most) == (x < y ? y : x);
        if (!right || memcmp(&host, &r, sizeof host)) {
            printf("%04x %04x %04x: sum %04x product %04x fma %04x (%04x)\n", a, b, c, r.sum,
                   r.product, r.fma, nearest(x * y + (z << 40), 80));
            return 1;
        }
    }
    return verdict("bfloat", atomics());
}
