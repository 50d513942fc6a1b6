/* Kernels over cuda_fp16.h, cooperative_groups.h and curand_kernel.h, for test_device_headers.c. */
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
#include <cuda_fp16.h>
#include <curand_kernel.h>

namespace cg = cooperative_groups;

extern "C" __global__ void halves(const unsigned short *in, unsigned short *out, float *f)
{
    int i = threadIdx.x;
    half a = __ushort_as_half(in[i]), b = __float2half(1.5f), c;
    half2 p = __halves2half2(a, b);
    c = a * b + half(2.0f);
    if (c > b)
        c -= b;
    p = __hfma2(p, __float2half2_rn(0.5f), p);
    out[4 * i] = __half_as_ushort(c);
    out[4 * i + 1] = __half_as_ushort(__high2half(p));
    out[4 * i + 2] = __half_as_ushort(__shfl_xor_sync(~0u, a, 1));
    out[4 * i + 3] = (unsigned short)__half2int_rn(a);
    f[i] = __half2float(hsqrt(__habs(a))) + (float)c;
}

extern "C" __global__ void groups(const int *in, int *out)
{
    cg::thread_block block = cg::this_thread_block();
    cg::thread_block_tile<8> tile = cg::tiled_partition<8>(block);
    int i = (int)block.thread_rank(), v = in[i];
    out += 8 * i;
    out[0] = cg::reduce(tile, v, cg::plus<int>());
    out[1] = cg::reduce(tile, v, cg::greater<int>());
    out[2] = cg::inclusive_scan(tile, v);
    out[3] = tile.shfl_down(v, 2);
    out[4] = (int)tile.ballot(v & 1);
    out[5] = -1;
    if (v & 1) {
        cg::coalesced_group odd = cg::coalesced_threads();
        out[5] = (int)(odd.size() * 100 + odd.thread_rank());
        out[6] = odd.shfl(v, 0);
    }
    cg::sync(block);
    out[7] = (int)(tile.meta_group_rank() * 10 + tile.thread_rank());
}

struct Triple { /* more than a warp's room */
    int least, most, sum;
};
struct Join {
    __device__ Triple operator()(const Triple &a, const Triple &b) const
    {
        return {a.least < b.least ? a.least : b.least, a.most > b.most ? a.most : b.most,
                a.sum + b.sum};
    }
};
struct Last { /* whose sides may not be exchanged */
    __device__ int operator()(int a, int b) const
    {
        return b % 3 ? b : a;
    }
};

/* Tiles of CUDA 12: with the program's memory and, as from compute capability 8.0 on, without. */
extern "C" __global__ void wide_tiles(const int *in, int *out)
{
    __shared__ cg::block_tile_memory<1024> room;
    cg::thread_block block = cg::this_thread_block(room);
    cg::thread_block_tile<128> tile = cg::tiled_partition<128>(block);
    auto half = cg::tiled_partition<64>(tile);
    cg::thread_block_tile<32> warp = cg::tiled_partition<32>(tile);
    auto own = cg::tiled_partition<256>(cg::this_thread_block());
    int i = (int)block.thread_rank(), v = in[i];
    Triple of_tile = cg::reduce(tile, Triple{v, v, v}, Join());
    out += 12 * i;
    out[0] = cg::reduce(tile, v, cg::plus<int>());
    out[1] = of_tile.least;
    out[2] = of_tile.most;
    out[3] = of_tile.sum;
    out[4] = cg::inclusive_scan(tile, v);
    out[5] = cg::exclusive_scan(tile, v);
    out[6] = cg::inclusive_scan(half, v, Last());
    out[7] = cg::reduce(warp, v, cg::plus<int>());
    out[8] = cg::reduce(own, v, cg::plus<int>());
    out[9] = own.shfl(Triple{v, 1, i}, 200).sum;
    out[10] = (int)(tile.meta_group_rank() * 1000 + tile.meta_group_size() * 100 + half.meta_group_rank());
    out[11] = cg::exclusive_scan(own, v, cg::plus<int>());
}

/* Blocks of 1024 threads: 16 tiles of 64, with what each gets of all of them. */
extern "C" __global__ void wide_groups(const int *in, int *out)
{
    __shared__ cg::experimental::block_tile_memory<8, 1024> room;
    auto block = cg::experimental::this_thread_block(room);
    auto tile = cg::experimental::tiled_partition<64>(block);
    auto warp = cg::experimental::tiled_partition<32>(block);
    int i = (int)block.thread_rank(), v = in[i];
    out += 6 * i;
    out[0] = cg::reduce(tile, v, cg::plus<int>());
    out[1] = cg::reduce(tile, v, cg::greater<int>());
    out[2] = tile.shfl(v, 63);
    out[3] = tile.any(v == 5) * 10 + tile.all(v > 0);
    out[4] = cg::reduce(warp, v, cg::plus<int>());
    cg::sync(block);
    out[5] = (int)(tile.meta_group_rank() * 1000 + tile.meta_group_size() * 100 + tile.thread_rank());
}

extern "C" __global__ void together(unsigned int *word, unsigned int *seen)
{
    cg::grid_group grid = cg::this_grid();
    if (threadIdx.x == 0)
        atomicAdd(word, 1u);
    grid.sync();
    if (threadIdx.x == 0)
        seen[blockIdx.x] = *(volatile unsigned int *)word;
    grid.sync();
    if (grid.thread_rank() == 0)
        *word = 100;
}

extern "C" __global__ void xorwow(unsigned int *out, float *f, double *d)
{
    int i = threadIdx.x;
    curandState state, far;
    curand_init(1234, i, 0, &state);
    curand_init(1234, i, 5, &far);
    for (int k = 0; k < 8; k++)
        out[8 * i + k] = curand(&state);
    f[2 * i] = curand_uniform(&state);
    f[2 * i + 1] = curand_normal(&state);
    d[2 * i] = curand(&far);
    d[2 * i + 1] = curand_uniform_double(&far);
}

extern "C" __global__ void philox(unsigned int *out, float *f)
{
    int i = threadIdx.x;
    curandStatePhilox4_32_10_t state;
    curand_init(0, i, 0, &state);
    for (int k = 0; k < 6; k++)
        out[8 * i + k] = curand(&state);
    uint4 four = curand4(&state);
    out[8 * i + 6] = four.x;
    out[8 * i + 7] = four.w;
    f[i] = curand_normal4(&state).x;
}

extern "C" __global__ void mrg(double *out)
{
    int i = threadIdx.x;
    curandStateMRG32k3a_t state;
    curand_init(0, i, i, &state);
    out[2 * i] = curand_uniform_double(&state);
    out[2 * i + 1] = curand_uniform_double(&state);
}

/* The second dimension's vectors. */
static __device__ void directions(unsigned int v[32], unsigned long long w[64])
{
    v[0] = 1u << 31;
    w[0] = 1ull << 63;
    for (int k = 1; k < 32; k++)
        v[k] = v[k - 1] ^ v[k - 1] >> 1;
    for (int k = 1; k < 64; k++)
        w[k] = w[k - 1] ^ w[k - 1] >> 1;
}

/* Points of both sequences, from a start in them. */
extern "C" __global__ void sobol(unsigned int *out, unsigned long long *wide, double *d)
{
    unsigned int i = threadIdx.x, v[32];
    unsigned long long w[64];
    directions(v, w);
    curandStateSobol32_t state;
    curandStateSobol64_t state_wide;
    curand_init(v, 3 * i, &state);
    curand_init(w, 0, &state_wide);
    skipahead(3ull * i, &state_wide);
    for (int k = 0; k < 3; k++) {
        out[3 * i + k] = curand(&state);
        wide[3 * i + k] = curand(&state_wide);
    }
    d[4 * i] = curand_uniform(&state);
    d[4 * i + 1] = curand_uniform_double(&state_wide);
    d[4 * i + 2] = curand_normal(&state);
    d[4 * i + 3] = curand_normal_double(&state_wide);
}

/* The same two points of each thread, shifted. */
extern "C" __global__ void scrambled_sobol(unsigned int *out, unsigned long long *wide)
{
    unsigned int i = threadIdx.x, v[32];
    unsigned long long w[64];
    directions(v, w);
    curandStateScrambledSobol32_t state;
    curandStateScrambledSobol64_t state_wide;
    curand_init(v, 0x12345678u, 2 * i, &state);
    curand_init(w, 0x12345678ull << 32, 0, &state_wide);
    skipahead(2ull * i, &state_wide);
    for (int k = 0; k < 2; k++) {
        out[2 * i + k] = curand(&state);
        wide[2 * i + k] = curand(&state_wide);
    }
}

/* Every function of <cmath> that clang declares for device code, in its float and double overloads.
 */
#define ONE(name)   f[0] += name(f[1]), d[0] += name(d[1])
#define TWO(name)   f[0] += name(f[1], f[2]), d[0] += name(d[1], d[2])
#define WHOLE(name) i[0] += name(f[1]), i[1] += name(d[1])
extern "C" __global__ void overloads(float *f, double *d, int *i)
{
    ONE(acos), ONE(acosh), ONE(asin), ONE(asinh), ONE(atan), ONE(atanh), ONE(cbrt), ONE(ceil);
    ONE(cos), ONE(cosh), ONE(erf), ONE(erfc), ONE(exp), ONE(exp2), ONE(expm1), ONE(fabs);
    ONE(floor), ONE(lgamma), ONE(log), ONE(log10), ONE(log1p), ONE(log2), ONE(logb), ONE(nearbyint);
    ONE(rint), ONE(round), ONE(sin), ONE(sinh), ONE(sqrt), ONE(tan), ONE(tanh), ONE(tgamma);
    ONE(trunc), ONE(abs), ONE(std::abs), ONE(std::sqrt), ONE(std::exp), ONE(std::floor);
    ONE(rsqrt), ONE(rcbrt), ONE(sinpi), ONE(cospi), ONE(exp10), ONE(erfinv), ONE(erfcinv);
    ONE(erfcx), ONE(normcdf), ONE(normcdfinv), ONE(j0), ONE(j1), ONE(y0), ONE(y1);
    TWO(atan2), TWO(copysign), TWO(fdim), TWO(fmax), TWO(fmin), TWO(fmod), TWO(hypot);
    TWO(nextafter), TWO(pow), TWO(remainder), TWO(rhypot), TWO(min), TWO(max), TWO(std::pow);
    WHOLE(ilogb), WHOLE(lrint), WHOLE(lround), WHOLE(llrint), WHOLE(llround), WHOLE(isnan);
    WHOLE(isinf), WHOLE(isfinite), WHOLE(signbit), WHOLE(isnormal), WHOLE(std::isnan);
    f[0] += fma(f[1], f[2], f[3]) + remquo(f[1], f[2], i) + scalbn(f[1], 2) + scalbln(f[1], 2l) +
            ldexp(f[1], 2) + frexp(f[1], i) + modf(f[1], f + 4) + nanf("") + pow(f[1], 2);
    d[0] += fma(d[1], d[2], d[3]) + remquo(d[1], d[2], i) + scalbn(d[1], 2) + scalbln(d[1], 2l) +
            ldexp(d[1], 2) + frexp(d[1], i) + modf(d[1], d + 4) + nan("") + pow(d[1], 2);
    i[2] += max(i[3], 2) + min(3u, 4u) + max(1l, 2l) + abs(-3) + abs(-4l) + labs(-3) + llabs(-4);
    sincos(f[1], f + 5, f + 6), sincos(d[1], d + 5, d + 6), sincospi(f[1], f + 5, f + 6);
}
