/* Intrinsics and library functions; test_ptx.c compiles it and loads what comes out. */
#include <cstdio>
#include <cassert>
#include <cmath>
#include <complex>
#include <algorithm>
#include <cuda_fp16.h>
#include <math_constants.h>
#define V2(n) s += n(a, b)
#define V1(n) s += n(a)
extern "C" __global__ void simd(unsigned *p)
{
    unsigned a = p[threadIdx.x], b = p[threadIdx.x + 32], s = 0;
    V1(__vabs2);
    V1(__vabs4);
    V1(__vabsss2);
    V1(__vneg2);
    V1(__vneg4);
    V1(__vnegss4);
    V2(__vadd2);
    V2(__vadd4);
    V2(__vaddss2);
    V2(__vaddus4);
    V2(__vavgs2);
    V2(__vavgu4);
    V2(__vhaddu2);
    V2(__vcmpeq2);
    V2(__vcmpeq4);
    V2(__vcmpges4);
    V2(__vcmpgtu2);
    V2(__vcmplts4);
    V2(__vcmpne2);
    V2(__vmaxs2);
    V2(__vmaxu4);
    V2(__vmins4);
    V2(__vminu2);
    V2(__vseteq2);
    V2(__vsetgts4);
    V2(__vsetltu2);
    V2(__vsads2);
    V2(__vsadu4);
    V2(__vsub2);
    V2(__vsubss4);
    V2(__vsubus2);
    V2(__vabsdiffu4);
    V2(__vabsdiffs2);
    s += __sad(a, b, s) + __usad(a, b, s) + __hadd(a, b) + __rhadd(a, b) + __uhadd(a, b) +
         __urhadd(a, b) + __mul24(a, b) + __umul24(a, b) + __mulhi(a, b) + __umulhi(a, b) +
         __byte_perm(a, b, 0x3210) + __funnelshift_lc(a, b, 40) + __funnelshift_rc(a, b, 33);
    s += __dp4a((int)a, (int)b, 1) + __popcll(a) + __ffsll(b) + __clzll(a) + __brevll(a);
    p[threadIdx.x] = s;
}
extern "C" __global__ void conv(float *f, double *d, int *i, long long *l)
{
    float x = f[0];
    double y = d[0];
    i[0] = __float2int_rn(x) + __float2int_rd(x) + __double2int_ru(y) + __float2uint_rz(x) +
           __double2hiint(y) + __double2loint(y) + __float_as_int(x);
    l[0] = __float2ll_rd(x) + __double2ull_rn(y) + llrint(y) + llroundf(x) + lround(y);
    f[1] = __int2float_ru(i[0]) + __ll2float_rz(l[0]) + __fadd_rd(x, x) + __fmul_ru(x, x) +
           __fmaf_rz(x, x, x) + __frcp_rd(x) + __fsqrt_ru(x) + __fdiv_rd(x, 3.0f) +
           __double2float_rz(y) + __fdividef(x, 2.f) + __saturatef(x) + __frsqrt_rn(x) +
           __powf(x, x) + __exp10f(x) + __tanf(x);
    d[1] = __dadd_ru(y, y) + __dmul_rd(y, y) + __fma_rz(y, y, y) + __ddiv_rn(y, 3) + __dsqrt_rd(y) +
           __drcp_ru(y) + __ll2double_ru(l[0]) + __hiloint2double(i[0], i[0]);
}
struct Base {
    __device__ virtual float f(float x) const
    {
        return x;
    }
    __device__ virtual ~Base()
    {
    }
};
struct Derived : Base {
    float k;
    __device__ Derived(float a) : k(a)
    {
    }
    __device__ float f(float x) const override
    {
        return k * x;
    }
};
__device__ float apply(const Base &b, float x)
{
    return b.f(x);
}
extern "C" __global__ void objects(float *f)
{
    Derived d(f[1]);
    Base b;
    f[0] = apply(threadIdx.x & 1 ? (const Base &)d : b, f[2]);
}
typedef float (*Op)(float, float);
__device__ float add(float a, float b)
{
    return a + b;
}
__device__ float mul(float a, float b)
{
    return a * b;
}
__device__ Op table[2] = {add, mul};
extern "C" __global__ void pointers(float *f, int n)
{
    f[0] = table[n](f[1], f[2]);
}
__device__ int fib(int n)
{
    return n < 2 ? n : fib(n - 1) + fib(n - 2);
}
extern "C" __global__ void recursive(int *p)
{
    p[0] = fib(p[1]);
}
template <class T, int N> struct Vec {
    T v[N];
    __device__ T sum() const
    {
        T s = 0;
        for (int i = 0; i < N; i++)
            s += v[i];
        return s;
    }
};
extern "C" __global__ void byvalue(Vec<double, 6> v, double *o)
{
    o[threadIdx.x] = v.sum() * v.v[threadIdx.x % 6];
}
extern "C" __global__ void __launch_bounds__(256, 2) bounds(int *p, int sel)
{
    switch (sel) {
    case 0:
        p[0] = 1;
        break;
    case 1:
        p[1] = 3;
        break;
    case 2:
        p[2] = 9;
        break;
    case 3:
        p[5] = 1;
        break;
    case 4:
        p[6] = 4;
        break;
    case 7:
        p[7] = 2;
        break;
    default:
        p[8] = 1;
    }
    __prof_trigger(1);
    if (p[3] == 77)
        __trap();
}
extern __shared__ char dyn[];
__constant__ float coef[16] = {1, 2, 3};
__device__ int counter;
extern "C" __global__ void shared(float *f, int n)
{
    __shared__ volatile float s[64];
    float *d = (float *)dyn;
    int *q = (int *)&d[n];
    s[threadIdx.x] = f[threadIdx.x];
    __syncthreads();
    d[threadIdx.x] = s[63 - threadIdx.x] * coef[n];
    q[threadIdx.x] = atomicInc((unsigned *)&counter, 7);
    if (__syncthreads_or(n))
        __threadfence_system();
    f[threadIdx.x] = d[threadIdx.x] + q[threadIdx.x];
    memset(d, 0, 64);
    memcpy(f + 64, d, 64);
}
extern "C" __global__ void cplx(float2 *p)
{
    std::complex<float> a(p[0].x, p[0].y), b = a * a + std::complex<float>(1, 2);
    b = b / a;
    p[1] = make_float2(b.real(), abs(b));
}
extern "C" __global__ void wide(__int128 *p, unsigned long long *q)
{
    p[0] = p[1] * p[2] + 7;
    q[0] = q[1] / q[2] + q[3] % q[4];
    p[3] = p[1] >> 3;
}
extern "C" __global__ void ptx(unsigned *p)
{
    unsigned lane, r, t;
    unsigned long long g;
    asm volatile("mov.u32 %0, %%laneid;" : "=r"(lane));
    asm("bfe.u32 %0, %1, 3, 5;" : "=r"(r) : "r"(p[0]));
    asm("lop3.b32 %0, %1, %2, %1, 0x96;" : "=r"(t) : "r"(p[1]), "r"(p[2]));
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(g));
    asm volatile("prefetch.global.L2 [%0];" ::"l"(p));
    asm volatile("membar.gl;" ::: "memory");
    asm volatile("fence.acq_rel.gpu;" ::: "memory");
    asm volatile("ld.acquire.gpu.u32 %0, [%1];" : "=r"(t) : "l"(p + 3) : "memory");
    asm volatile("st.release.sys.u32 [%0], %1;" ::"l"(p + 4), "r"(t) : "memory");
    asm volatile("red.release.gpu.global.add.u32 [%0], 1;" ::"l"(p + 5) : "memory");
    asm volatile("atom.acq_rel.cta.cas.b32 %0, [%1], 1, 2;" : "=r"(t) : "l"(p + 6) : "memory");
    asm volatile("ld.global.nc.L1::no_allocate.v4.u32 {%0, _, _, _}, [%1];" : "=r"(t) : "l"(p + 8));
    unsigned dyn_size, total;
    asm volatile("mov.u32 %0, %%dynamic_smem_size;" : "=r"(dyn_size));
    asm volatile("mov.u32 %0, %%total_smem_size;" : "=r"(total));
    p[7] = lane + r + t + (unsigned)g + dyn_size + total + __activemask() +
           __match_any_sync(~0u, p[0]) + __reduce_add_sync(~0u, p[1]) + (unsigned)clock64() +
           atomicAdd_system(p, 1u) + atomicMax_block(p, 5u);
    __nanosleep(100);
    __syncwarp();
}
extern "C" __global__ void dbl(double *d, float *f)
{
    d[0] = sin(d[1]) + cos(d[1]) + pow(d[2], 3.0) + tgamma(d[3]) + lgamma(d[3]) + erf(d[1]) +
           normcdf(d[1]) + cbrt(d[2]) + fmod(d[1], d[2]) + std::max(d[1], d[2]) + fmax(d[1], 2.0) +
           CUDART_PI + j0(d[1]) + exp10(d[1]) + rsqrt(d[2]) + rhypot(d[1], d[2]) + isnan(d[1]) +
           std::isfinite(d[1]) + ldexp(d[1], 3) + floor(d[1]);
    f[0] = powf(f[1], 2) + sqrtf(f[1]) + __expf(f[1]) + fabs(f[1]) + log2f(f[1]) +
           copysign(f[1], -1.f) + std::pow(f[1], 2) + sinpi(f[1]);
    atomicAdd(d, 1.0);
}
