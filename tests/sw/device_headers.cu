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
