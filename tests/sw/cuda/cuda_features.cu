/* Uses everything that sw/include/evgpu_cuda.h offers, one kernel per subject. test_ptx compiles it
 * at every optimisation level without warnings; test_cuda_features runs it. Each thread i writes
 * what it found to out[]. */
#include <cuda_runtime.h>
#include <math.h>
#include <stdint.h>

__constant__ float table[4] = {1.0f, 2.0f, 4.0f, 8.0f};
__device__ unsigned counter;

static __device__ __noinline__ int called(int x)
{
    return x * 3 + 1;
}

extern "C" __global__ void f_votes(unsigned *out)
{
    unsigned i = threadIdx.x;
    unsigned odd = __ballot(i & 1), odd_sync = __ballot_sync(0xFF, i & 1);
    unsigned below = 0;
    if (i < 8)
        below = __activemask();
    out[i * 8 + 0] = odd;
    out[i * 8 + 1] = odd_sync;
    out[i * 8 + 2] = below;
    out[i * 8 + 3] = (unsigned)__any(i == 5) << 1 | (unsigned)__any(i > 99);
    out[i * 8 + 4] = (unsigned)__all(i < 99) << 1 | (unsigned)__all(i < 5);
    out[i * 8 + 5] = (unsigned)__any_sync(0xF, i == 9) << 1 | (unsigned)__all_sync(0xF, i < 4);
    out[i * 8 + 6] = __lane_id();
    out[i * 8 + 7] = __lanemask_lt();
}

extern "C" __global__ void f_shuffles(unsigned *out)
{
    unsigned i = threadIdx.x;
    out[i * 8 + 0] = __shfl(i * 10, 3);
    out[i * 8 + 1] = __shfl_up(i * 10, 2);
    out[i * 8 + 2] = __shfl_down_sync(0xFFFFFFFF, i * 10, 2);
    out[i * 8 + 3] = __shfl_xor(i * 10, 1);
    out[i * 8 + 4] = __shfl(i * 10, 1, 8);
    out[i * 8 + 5] = (unsigned)__shfl_up((int)i, 1, 4);
    unsigned long long wide = __shfl_xor(((unsigned long long)i << 32) | (i + 1), 16);
    out[i * 8 + 6] = (unsigned)(wide >> 32) * 100 + (unsigned)wide;
    out[i * 8 + 7] = (unsigned)(__shfl_down(i * 0.5f, 1) + __shfl(i * 2.0, 7));
}

extern "C" __global__ void f_barriers(unsigned *out)
{
    unsigned i = threadIdx.x;
    __shared__ unsigned shared[64];
    extern __shared__ unsigned dynamic[];
    shared[i] = i;
    dynamic[i] = 2 * i;
    __syncthreads();
    out[i * 8 + 0] = shared[(i + 33) & 63];
    out[i * 8 + 1] = dynamic[63 - i];
    out[i * 8 + 2] = (unsigned)__syncthreads_count(i % 3 == 0);
    out[i * 8 + 3] = (unsigned)(__syncthreads_and(i < 63) != 0);
    out[i * 8 + 4] = (unsigned)(__syncthreads_or(i == 63) != 0);
    __threadfence_block();
    __threadfence();
    __threadfence_system();
    __syncwarp();
    out[i * 8 + 5] = clock() >= 0 || clock64() >= 0;
    dim3 block = blockDim, grid = gridDim;
    uint3 thread = threadIdx, where = blockIdx;
    out[i * 8 + 6] = block.x * 1000 + grid.x * 100 + thread.y * 10 + where.x;
    out[i * 8 + 7] = (unsigned)warpSize;
}

extern "C" __global__ void f_atomics(unsigned *words, unsigned long long *wide, float *reals,
                                     double *doubles)
{
    unsigned i = threadIdx.x;
    int *ints = (int *)words;
    atomicAdd(&words[0], i);
    atomicSub(&ints[1], (int)i);
    atomicMin(&ints[2], (int)i - 16);
    atomicMax(&words[3], i);
    atomicInc(&words[4], 9u);
    atomicDec(&words[5], 9u);
    atomicAnd(&words[6], ~(1u << i));
    atomicOr(&words[7], 1u << i);
    atomicXor(&words[8], 3u << i);
    atomicExch(&words[9], 77u);
    atomicCAS(&words[10], i, i + 1);
    words[16 + i] = atomicAdd(&counter, 1u);
    atomicAdd(&wide[0], 1ull << 33);
    atomicMin(&wide[1], (unsigned long long)i + (1ull << 40));
    atomicMax(&wide[2], (unsigned long long)i << 40);
    atomicCAS(&wide[3], (unsigned long long)i, (unsigned long long)i + 1);
    atomicExch(&wide[4], 1ull << 63);
    atomicAdd(&reals[0], 0.5f);
    atomicExch(&reals[1], 2.5f);
    atomicAdd(&doubles[0], 0.25);
    __shared__ unsigned local;
    if (i == 0)
        local = 0;
    __syncthreads();
    atomicAdd(&local, i);
    __syncthreads();
    words[48 + i] = local;
}

extern "C" __global__ void f_integers(const int *in, unsigned *out)
{
    unsigned i = threadIdx.x;
    int x = __ldg(&in[i]);
    unsigned u = (unsigned)x;
    unsigned *o = out + i * 16;
    o[0] = (unsigned)__popc(u);
    o[1] = (unsigned)__clz(x);
    o[2] = (unsigned)__ffs(x);
    o[3] = __brev(u);
    o[4] = __byte_perm(u, 0x11223344, 0x6240);
    o[5] = (unsigned)__mulhi(x, 0x12345678);
    o[6] = __umulhi(u, 0x12345678u);
    o[7] = (unsigned)min(x, 5) + (unsigned)max(x, -5);
    o[8] = (unsigned)abs(x);
    o[9] = __funnelshift_l(u, 0xABCDEF01u, i);
    o[10] = __funnelshift_r(u, 0xABCDEF01u, i);
    o[11] = (unsigned)__popcll((unsigned long long)x) + (unsigned)__clzll(x);
    o[12] = (unsigned)__mul24(x, 3) + __umul24(u, 3u);
    o[13] = (unsigned)called(x);
    o[14] = __sad(x, 7, 1u);
    o[15] = (unsigned)(__umul64hi((unsigned long long)u << 32, 1ull << 40) + __brevll(u));
}

extern "C" __global__ void f_floats(const float *in, float *out)
{
    unsigned i = threadIdx.x;
    float x = in[i];
    float *o = out + i * 32;
    o[0] = sqrtf(fabsf(x));
    o[1] = rsqrtf(fabsf(x) + 1.0f);
    o[2] = expf(x);
    o[3] = logf(fabsf(x) + 1.0f);
    o[4] = sinf(x);
    o[5] = cosf(x);
    o[6] = powf(fabsf(x) + 0.5f, 1.5f);
    o[7] = tanhf(x);
    o[8] = floorf(x);
    o[9] = ceilf(x);
    o[10] = truncf(x);
    o[11] = rintf(x);
    o[12] = roundf(x);
    o[13] = fminf(x, 0.5f);
    o[14] = fmaxf(x, 0.5f);
    o[15] = fmaf(x, 2.0f, 1.0f);
    o[16] = __fdividef(x, 3.0f);
    o[17] = __frcp_rn(x + 10.0f);
    o[18] = copysignf(3.0f, x);
    o[19] = __saturatef(x);
    o[20] = __expf(x * 0.1f);
    o[21] = __logf(fabsf(x) + 1.0f);
    o[22] = __sinf(x) * __sinf(x) + __cosf(x) * __cosf(x);
    o[23] = __powf(2.0f, x * 0.25f);
    o[24] = (float)__float2int_rn(x) + (float)__float2int_rz(x) * 100.0f;
    o[25] = (float)(sqrt((double)fabsf(x)) + fma((double)x, 2.0, 1.0) + fabs((double)x));
    o[26] = __int_as_float(__float_as_int(x) ^ (int)0x80000000);
    o[27] = exp2f(x) + log2f(fabsf(x) + 2.0f) + log10f(fabsf(x) + 2.0f);
    o[28] = tanf(x * 0.1f);
    o[29] = powf(-2.0f, 3.0f) + powf(-2.0f, 2.0f);
    o[30] = table[i & 3];
    o[31] = (float)min(1.5, (double)x) + max(x, 2.0f);
}

extern "C" __global__ void __launch_bounds__(32)
    f_vectors(const float4 *__restrict__ in, const uint4 *words, float4 *out)
{
    unsigned i = threadIdx.x;
    float4 a = __ldg(&in[i]);
    uint4 w = __ldg(&words[i]);
    uint4 g = __ldcg(&words[i]);
    float2 pair = make_float2(a.x, a.y);
    uchar4 bytes = make_uchar4((unsigned char)w.x, 2, 3, 4);
    int3 three = make_int3((int)w.y, (int)g.z, (int)__ldcg(&words[i].w));
    out[i] = make_float4(pair.x + pair.y, a.z * a.w, (float)(bytes.x + bytes.w),
                         (float)(three.x + three.y + three.z));
}
