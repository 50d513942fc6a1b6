/* Kernels that two compilers compile to PTX (conformance.c), without any header. Each thread i < n
 * reads in[i] and in[i + n], random bits, and writes out[4 * i] to out[4 * i + 3].
 * WITHIN(name, bits, ulp): results are numbers of so many bits, and may differ by so many units in
 * the last place. */
typedef unsigned char u8;
typedef unsigned short u16;
typedef unsigned int u32;
typedef long long s64;
typedef unsigned long long u64;

#define KERNEL(name)            extern "C" __global__ void name(const u64 *in, u64 *out, int n)
#define WITHIN(name, bits, ulp) KERNEL(name)
#define THREAD                                                                                     \
    const int i = blockIdx.x * blockDim.x + threadIdx.x;                                           \
    if (i >= n)                                                                                    \
        return;                                                                                    \
    const u64 a = in[i], b = in[i + n];                                                            \
    u64 *const o = out + 4 * i
#define BITS(x)   ((u64)__float_as_uint(x))
#define BITS64(x) ((u64)__double_as_longlong(x))

/* A number of (-range, range), and any number, infinities and NaNs included. */
static __device__ float real(u32 bits, float range)
{
    return ((float)(bits >> 8) / 8388608.0f - 1.0f) * range;
}
static __device__ double real64(u64 bits, double range)
{
    return ((double)(bits >> 11) / 4503599627370496.0 - 1.0) * range;
}
static __device__ float any(u32 bits)
{
    return __uint_as_float(bits);
}
/* All NaNs are one: which bits one has is not said anywhere. */
static __device__ u64 known(float x)
{
    return x != x ? 0x7fffffffull : BITS(x);
}
static __device__ u64 known64(double x)
{
    return x != x ? 0x7fffffffffffffffull : BITS64(x);
}

/* --- integers ----------------------------------------------------------------------------------
 */
KERNEL(wrap)
{
    THREAD;
    const u32 x = (u32)a, y = (u32)b;
    o[0] = (u32)(x + y) | (u64)(u32)(x - y) << 32;
    o[1] = (u32)(x * y);
    o[2] = a * b + (a ^ b);
    o[3] = (u64)((int)x * (s64)(int)y);
}
KERNEL(high_products)
{
    THREAD;
    o[0] = (u32)__mulhi((int)a, (int)b);
    o[1] = __umulhi((u32)a, (u32)b);
    o[2] = (u64)__mul64hi((s64)a, (s64)b);
    o[3] = __umul64hi(a, b);
}
KERNEL(quotients)
{
    THREAD;
    const int x = (int)a, y = (int)(b & 0xffff) - 0x8000, d = y ? y : 7;
    o[0] = (u32)(x / d);
    o[1] = (u32)(x % d);
    o[2] = (u32)a / (u32)d;
    o[3] = (u32)a % (u32)d;
}
KERNEL(quotients_64)
{
    THREAD;
    const s64 d = (s64)b >> (a & 63) ? (s64)b >> (a & 63) : 3;
    o[0] = (u64)((s64)a / d);
    o[1] = (u64)((s64)a % d);
    o[2] = a / (u64)d;
    o[3] = a % (u64)d;
}
KERNEL(quotients_of_constants)
{
    THREAD;
    o[0] = (u64)((s64)a / 10) ^ (u64)((int)b / 7);
    o[1] = a % 1000000007ull;
    o[2] = (u32)a / 3 + (u32)a % 641;
    o[3] = (u64)((s64)b % -13);
}
KERNEL(shifts)
{
    THREAD;
    const u32 s = (u32)(b & 31), w = (u32)(b & 63);
    o[0] = (u32)a << s | (u64)((u32)a >> s) << 32;
    o[1] = (u64)((s64)a >> w);
    o[2] = a << w ^ a >> (63 - w);
    o[3] = (u64)__funnelshift_l((u32)a, (u32)b, s) << 32 | __funnelshift_r((u32)a, (u32)b, s);
}
KERNEL(bits)
{
    THREAD;
    o[0] = (u64)__popc((u32)a) << 32 | (u32)__popcll(b);
    o[1] = (u64)__clz((int)(a >> (b & 31))) << 32 | (u32)__clzll((s64)(b >> (a & 63)));
    o[2] = (u64)__ffs((int)(a << (b & 31))) << 32 | (u32)__ffsll((s64)(b << (a & 63)));
    o[3] = (u64)__brev((u32)a) << 32 ^ __brevll(b);
}
KERNEL(bytes)
{
    THREAD;
    o[0] = __byte_perm((u32)a, (u32)b, 0x3210 ^ (u32)a);
    o[1] = __sad((int)a, (int)b, 5) | (u64)__usad((u32)a, (u32)b, 9) << 32;
    o[2] = (u32)__mul24((int)a, (int)b) | (u64)__umul24((u32)a, (u32)b) << 32;
    o[3] = (u32)__hadd((int)a, (int)b) | (u64)__urhadd((u32)a, (u32)b) << 32;
}
KERNEL(extremes)
{
    THREAD;
    o[0] = (u32)min((int)a, (int)b) | (u64)max((u32)a, (u32)b) << 32;
    o[1] = (u64)min((s64)a, (s64)b);
    o[2] = max(a, b);
    o[3] = (u32)abs((int)a) + (u64)llabs((s64)b >> 1);
}
KERNEL(narrow)
{
    THREAD;
    const signed char c = (signed char)a;
    const short s = (short)b;
    o[0] = (u64)(s64)(c * s);
    o[1] = (u8)(a + b) | (u64)(u16)(a * b) << 16;
    o[2] = (u64)(s64)(short)(s << 3) + (u64)(s64)(signed char)(c - 100);
    o[3] = (u64)(c > s) | (u64)((u8)c > (u16)s) << 1;
}
struct fields {
    u32 low : 5, middle : 11, high : 16;
    int small : 7;
};
KERNEL(bit_fields)
{
    THREAD;
    fields f;
    f.low = (u32)a;
    f.middle = (u32)(a >> 9);
    f.high = (u32)b;
    f.small = (int)(b >> 20);
    f.middle += f.low;
    o[0] = f.low | f.middle << 8;
    o[1] = f.high;
    o[2] = (u64)(s64)f.small;
    o[3] = (u64)(f.small < 0);
}
KERNEL(wide_128)
{
    THREAD;
    /* Carries by hand: a 128-bit sum of products. */
    u64 low = a * b, high = __umul64hi(a, b);
    for (int k = 1; k < 5; k++) {
        const u64 p = (a + k) * (b ^ k), l = low + p;
        high += __umul64hi(a + k, b ^ k) + (l < low);
        low = l;
    }
    o[0] = low;
    o[1] = high;
    o[2] = low ^ high;
    o[3] = low > high;
}

/* --- floating point: exact -------------------------------------------------------------------- */
KERNEL(arithmetic)
{
    THREAD;
    const float x = any((u32)a), y = any((u32)b);
    o[0] = known(x + y);
    o[1] = known(x * y);
    o[2] = known(x / y);
    o[3] = known(sqrtf(x));
}
KERNEL(arithmetic_64)
{
    THREAD;
    const double x = __longlong_as_double((s64)a), y = __longlong_as_double((s64)b);
    o[0] = known64(x + y);
    o[1] = known64(x * y);
    o[2] = known64(x / y);
    o[3] = known64(sqrt(x));
}
KERNEL(fused)
{
    THREAD;
    const float x = any((u32)a), y = any((u32)b), z = any((u32)(a >> 32));
    o[0] = known(fmaf(x, y, z));
    o[1] = known(__fmaf_rz(x, y, z));
    o[2] = known64(fma((double)x, (double)y, (double)z));
    o[3] = known64(__fma_ru((double)y, (double)z, (double)x));
}
KERNEL(roundings)
{
    THREAD;
    const float x = any((u32)a), y = any((u32)b);
    o[0] = known(__fadd_rz(x, y)) | known(__fadd_ru(x, y)) << 32;
    o[1] = known(__fmul_rd(x, y)) | known(__fdiv_ru(x, y)) << 32;
    o[2] = known(__fsqrt_rd(x)) | known(__frcp_rz(y)) << 32;
    o[3] = known64(__dadd_rd((double)x, (double)y * 1e-9)) ^ known(__frsqrt_rn(x));
}
KERNEL(whole_numbers)
{
    THREAD;
    const float x = real((u32)a, 1000.0f);
    const double y = real64(b, 1e6);
    o[0] = BITS(floorf(x)) | BITS(ceilf(x)) << 32;
    o[1] = BITS(rintf(x)) | BITS(truncf(x)) << 32;
    o[2] = BITS64(floor(y)) ^ BITS64(nearbyint(y)) << 1;
    o[3] = BITS(roundf(x)) ^ BITS64(round(y));
}
KERNEL(to_integers)
{
    THREAD;
    const float x = real((u32)a, 5e9f);
    const double y = real64(b, 2e19);
    o[0] = (u32)__float2int_rz(x) | (u64)__float2uint_rn(x) << 32;
    o[1] = (u64)__float2ll_rd(x);
    o[2] = (u64)__double2ll_ru(y);
    o[3] = __double2ull_rz(y) ^ (u32)__double2int_rn(y);
}
KERNEL(from_integers)
{
    THREAD;
    o[0] = BITS(__int2float_rn((int)a)) | BITS(__uint2float_ru((u32)b)) << 32;
    o[1] = BITS(__ll2float_rz((s64)a)) | BITS(__ull2float_rd(b)) << 32;
    o[2] = BITS64(__ll2double_rz((s64)a)) ^ BITS(__int2float_rz((int)b));
    o[3] = BITS64(__ull2double_ru(b)) ^ BITS((float)real64(b, 3.0));
}
KERNEL(comparisons)
{
    THREAD;
    const float x = i & 1 ? any((u32)a) : any((u32)a | 0x7f800000u), y = i & 2 ? x : any((u32)b);
    o[0] = (u64)(x < y) | (u64)(x <= y) << 1 | (u64)(x == y) << 2 | (u64)(x != y) << 3 |
           (u64) !(x > y) << 4 | (u64) !(x >= y) << 5;
    o[1] = known(fminf(x, y)) | known(fmaxf(x, y)) << 32;
    o[2] = (u64)(isnan(x) != 0) | (u64)(isinf(y) != 0) << 1 | (u64)(isfinite(x) != 0) << 2 |
           (u64)(signbit(y) != 0) << 3;
    o[3] = known64(fmin((double)x, (double)y)) ^ known(fdimf(x, y));
}
KERNEL(parts_of_numbers)
{
    THREAD;
    const float x = real((u32)a, 1e20f);
    const double y = real64(b, 1e-200);
    int e, f;
    o[0] = BITS(frexpf(x, &e)) | (u64)(u32)e << 32;
    o[1] = BITS(ldexpf(x, (int)(b & 31) - 16)) ^ BITS64(scalbn(y, (int)(a & 63)));
    o[2] = BITS64(frexp(y, &f)) ^ (u64)(s64)f ^ (u64)(s64)ilogbf(x);
    o[3] = BITS(copysignf(x, real((u32)b, 1))) ^ BITS(nextafterf(x, 0.0f)) << 32 ^ BITS(logbf(x));
}
KERNEL(remainders)
{
    THREAD;
    const float x = real((u32)a, 1e6f), y = real((u32)b, 10.0f) + 10.5f;
    float whole;
    o[0] = BITS(fmodf(x, y));
    o[1] = BITS64(fmod(real64(a, 1e9), (double)y));
    o[2] = BITS(remainderf(x, y));
    o[3] = BITS(modff(x, &whole)) | BITS(whole) << 32;
}
KERNEL(saturated)
{
    THREAD;
    o[0] = BITS(__saturatef(real((u32)a, 2.0f)));
    o[1] = BITS(fminf(fmaxf(real((u32)b, 3.0f), 0.0f), 1.0f));
    o[2] = BITS(fabsf(real((u32)a, 2.0f))) ^ BITS64(-real64(b, 2.0));
    o[3] = (u64)(u8)(int)(__saturatef(real((u32)b, 2.0f)) * 255.0f);
}
KERNEL(subnormal)
{
    THREAD;
    const float x = any((u32)a & 0x807fffffu), y = any(((u32)b & 0x007fffffu) | 0x00800000u);
    o[0] = BITS(x + y);
    o[1] = BITS(x * 0.5f);
    o[2] = BITS(y / 3.0f);
    o[3] = BITS64((double)x * (double)y);
}
KERNEL(horner)
{
    THREAD;
    const float x = real((u32)a, 2.0f);
    const double y = real64(b, 2.0);
    float p = 0;
    double q = 0;
    for (int k = 0; k < 12; k++) {
        p = __fadd_rn(__fmul_rn(p, x), 1.0f / (k + 1));
        q = __dadd_rn(__dmul_rn(q, y), 1.0 / (k + 1));
    }
    o[0] = BITS(p);
    o[1] = BITS64(q);
    o[2] = (u64)(p > q);
    o[3] = BITS((float)q);
}

/* --- floating point: mathematics, within what CUDA's programming guide grants each side ----------
 */
WITHIN(sine, 32, 4)
{
    THREAD;
    o[0] = BITS(sinf(real((u32)a, 100.0f)));
    o[1] = BITS(cosf(real((u32)a, 100.0f)));
    o[2] = BITS(sinf(real((u32)b, 1e7f)));
    o[3] = BITS(cosf(real((u32)b, 0.1f)));
}
WITHIN(tangents, 32, 8)
{
    THREAD;
    o[0] = BITS(tanf(real((u32)a, 1.5f)));
    o[1] = BITS(atanf(real((u32)a, 20.0f)));
    o[2] = BITS(atan2f(real((u32)a, 2.0f), real((u32)b, 2.0f)));
    o[3] = BITS(asinf(real((u32)b, 1.0f)));
}
WITHIN(exponentials, 32, 4)
{
    THREAD;
    o[0] = BITS(expf(real((u32)a, 80.0f)));
    o[1] = BITS(exp2f(real((u32)a, 120.0f)));
    o[2] = BITS(exp10f(real((u32)b, 30.0f)));
    o[3] = BITS(expm1f(real((u32)b, 3.0f)));
}
WITHIN(logarithms, 32, 4)
{
    THREAD;
    o[0] = BITS(logf(real((u32)a, 1e5f) + 1.1e5f));
    o[1] = BITS(log2f(real((u32)a, 0.9f) + 1.0f));
    o[2] = BITS(log10f(real((u32)b, 1e5f) + 1.1e5f));
    o[3] = BITS(log1pf(real((u32)b, 0.9f)));
}
WITHIN(powers, 32, 10)
{
    THREAD;
    o[0] = BITS(powf(real((u32)a, 5.0f) + 5.1f, real((u32)b, 8.0f)));
    o[1] = BITS(cbrtf(real((u32)a, 1e6f)));
    o[2] = BITS(rsqrtf(real((u32)b, 10.0f) + 10.5f));
    o[3] = BITS(hypotf(real((u32)a, 3.0f), real((u32)b, 4.0f)));
}
WITHIN(hyperbolic, 32, 8)
{
    THREAD;
    o[0] = BITS(sinhf(real((u32)a, 10.0f)));
    o[1] = BITS(coshf(real((u32)a, 10.0f)));
    o[2] = BITS(tanhf(real((u32)b, 4.0f)));
    o[3] = BITS(acosf(real((u32)b, 1.0f)));
}
WITHIN(error_functions, 32, 12)
{
    THREAD;
    o[0] = BITS(erff(real((u32)a, 3.0f)));
    o[1] = BITS(erfcf(real((u32)a, 3.0f)));
    o[2] = BITS(lgammaf(real((u32)b, 4.0f) + 8.0f));
    o[3] = BITS(tgammaf(real((u32)b, 4.0f) + 5.0f));
}
WITHIN(sine_64, 64, 4)
{
    THREAD;
    o[0] = BITS64(sin(real64(a, 100.0)));
    o[1] = BITS64(cos(real64(a, 1e6)));
    o[2] = BITS64(tan(real64(b, 1.5)));
    o[3] = BITS64(sinpi(real64(b, 3.0)));
}
WITHIN(exponentials_64, 64, 4)
{
    THREAD;
    o[0] = BITS64(exp(real64(a, 300.0)));
    o[1] = BITS64(log(real64(a, 1e9) + 1.1e9));
    o[2] = BITS64(pow(real64(a, 5.0) + 5.1, real64(b, 8.0)));
    o[3] = BITS64(log10(real64(b, 1e9) + 1.1e9));
}
WITHIN(angles_64, 64, 4)
{
    THREAD;
    o[0] = BITS64(atan(real64(a, 20.0)));
    o[1] = BITS64(atan2(real64(a, 2.0), real64(b, 2.0)));
    o[2] = BITS64(asin(real64(b, 1.0)));
    o[3] = BITS64(tanh(real64(b, 4.0)));
}
WITHIN(roots_64, 64, 4)
{
    THREAD;
    o[0] = BITS64(cbrt(real64(a, 1e6)));
    o[1] = BITS64(rsqrt(real64(a, 10.0) + 10.5));
    o[2] = BITS64(hypot(real64(a, 3.0), real64(b, 4.0)));
    o[3] = BITS64(erf(real64(b, 3.0)));
}

/* --- memory ------------------------------------------------------------------------------------
 */
KERNEL(transposed)
{
    __shared__ u32 tile[16][17];
    const int i = blockIdx.x * blockDim.x + threadIdx.x, t = threadIdx.x;
    for (int k = t; k < 256; k += blockDim.x)
        tile[k / 16][k % 16] = (u32)in[(k + blockIdx.x) % n];
    __syncthreads();
    if (i < n)
        for (int k = 0; k < 4; k++)
            out[4 * i + k] = tile[(t + k) % 16][(t * 3 + k) / 16 % 16];
}
KERNEL(block_sums)
{
    __shared__ u64 part[128];
    const int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    part[t] = i < n ? in[i] : 0;
    __syncthreads();
    for (int step = 64; step; step >>= 1) {
        if (t < step && t + step < (int)blockDim.x)
            part[t] += part[t + step];
        __syncthreads();
    }
    if (i < n)
        for (int k = 0; k < 4; k++)
            out[4 * i + k] = part[0] + k;
}
KERNEL(local_arrays)
{
    THREAD;
    u32 v[16];
    for (int k = 0; k < 16; k++)
        v[k] = (u32)(a * (k + 1) ^ b >> k);
    /* sorted by insertion, at indices known only here */
    for (int k = 1; k < 16; k++) {
        const u32 x = v[k];
        int at = k;
        for (; at > 0 && v[at - 1] > x; at--)
            v[at] = v[at - 1];
        v[at] = x;
    }
    for (int k = 0; k < 4; k++)
        o[k] = v[(b + k) & 15];
}
__constant__ u32 primes[8] = {2, 3, 5, 7, 11, 13, 17, 19};
__device__ double scales[3] = {0.5, 0.25, -3.0};
KERNEL(variables)
{
    THREAD;
    o[0] = primes[a & 7];
    o[1] = a % primes[b & 7];
    o[2] = BITS64(scales[a % 3] * (double)(u32)b);
    o[3] = primes[i & 7] + (u64)primes[0];
}
struct mixed {
    u8 tag;
    double value;
    u16 count;
    float4 quad;
    s64 *where;
};
static __device__ __noinline__ mixed filled(u64 a, u64 b, s64 *where)
{
    mixed m;
    m.tag = (u8)a;
    m.value = real64(b, 9.0);
    m.count = (u16)(a >> 8);
    m.quad = make_float4(1, 2, real((u32)b, 1.0f), 4);
    m.where = where;
    return m;
}
KERNEL(structures)
{
    THREAD;
    s64 there = (s64)(a ^ b);
    const mixed m = filled(a, b, &there);
    *m.where += m.tag;
    o[0] = m.tag | (u64)m.count << 8;
    o[1] = BITS64(m.value);
    o[2] = BITS(m.quad.z) | (u64)sizeof(mixed) << 32;
    o[3] = (u64)there;
}
KERNEL(vectors)
{
    THREAD;
    const uint4 q = ((const uint4 *)in)[i / 2];
    const uchar4 c = ((const uchar4 *)in)[i];
    const ushort2 s = ((const ushort2 *)(in + n))[i];
    ((ulonglong2 *)o)[0] = make_ulonglong2(q.x ^ q.w, q.y + (u64)q.z);
    ((int4 *)o)[1] = make_int4(c.x - c.y, c.z * c.w, s.x, s.y);
}
KERNEL(bytes_of_memory)
{
    THREAD;
    const u8 *bytes = (const u8 *)(in + i);
    u32 sum = 0;
    for (int k = 0; k < 8; k++)
        sum = sum * 31 + bytes[k];
    u8 *to = (u8 *)o;
    for (int k = 0; k < 32; k++)
        to[k] = (u8)(sum >> (k % 4 * 8)) + (u8)k;
}
KERNEL(volatile_and_read_only)
{
    THREAD;
    volatile u64 *v = o;
    v[0] = a;
    v[1] = v[0] + b;
    v[2] = __ldg(in + (i + 1) % n) + v[1];
    v[3] = v[2] ^ v[0];
}
KERNEL(atomics)
{
    __shared__ u32 counts[4];
    __shared__ u64 most;
    const int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    if (t < 4)
        counts[t] = 0;
    if (t == 0)
        most = 0;
    __syncthreads();
    if (i < n) {
        atomicAdd(&counts[in[i] & 3], (u32)(in[i] >> 40));
        atomicMax(&most, in[i + n]);
    }
    __syncthreads();
    if (i < n)
        for (int k = 0; k < 4; k++)
            out[4 * i + k] = counts[k] ^ most;
}
KERNEL(atomics_of_device_memory)
{
    THREAD;
    o[0] = o[1] = o[2] = o[3] = 0;
    float *f = (float *)&o[3];
    atomicAdd((u32 *)&o[0], (u32)a);
    atomicMin((int *)&o[0] + 1, (int)b);
    atomicXor(&o[1], b);
    atomicExch((u32 *)&o[2], (u32)b);
    u64 assumed, old = o[1];
    do {
        assumed = old;
        old = atomicCAS(&o[1], assumed, assumed * 3 + 1);
    } while (assumed != old);
    atomicAdd(f, 1.5f);
    atomicInc((u32 *)f + 1, 5);
}
KERNEL(heap)
{
    THREAD;
    struct node {
        u32 value;
        node *next;
    } *list = 0;
    for (u32 k = 0; k < 4; k++) {
        node *more = new node;
        more->value = (u32)(a >> k * 8);
        more->next = list;
        list = more;
    }
    for (int k = 0; list; k++) {
        node *next = list->next;
        o[k] = list->value;
        delete list;
        list = next;
    }
}

/* --- warps and blocks --------------------------------------------------------------------------
 */
KERNEL(shuffles)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const u64 a = in[i % n];
    const u64 up = __shfl_up_sync(0xffffffffu, a, 3),
              down = __shfl_down_sync(0xffffffffu, a, 5, 16);
    const u64 swap = __shfl_xor_sync(0xffffffffu, a, 9),
              one = __shfl_sync(0xffffffffu, a, (int)a & 31);
    if (i < n) {
        out[4 * i] = up;
        out[4 * i + 1] = down;
        out[4 * i + 2] = swap;
        out[4 * i + 3] = one;
    }
}
KERNEL(votes)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const u64 a = in[i % n];
    const u32 ballot = __ballot_sync(0xffffffffu, a & 1);
    const int all = __all_sync(0xffffffffu, (int)(a & 15)),
              some = __any_sync(0xffffffffu, (a & 31) == 3);
    u32 inner = 0;
    if (a & 2)
        inner = __popc(__activemask() & __ballot_sync(__activemask(), a & 4));
    __syncwarp();
    if (i < n) {
        out[4 * i] = ballot;
        out[4 * i + 1] = (u64)(all != 0) | (u64)(some != 0) << 1;
        out[4 * i + 2] = inner;
        out[4 * i + 3] = threadIdx.x % warpSize;
    }
}
KERNEL(warp_scan)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x % 32;
    u32 sum = (u32)in[i % n];
    for (int step = 1; step < 32; step *= 2) {
        const u32 other = __shfl_up_sync(0xffffffffu, sum, step);
        if (lane >= step)
            sum += other;
    }
    if (i < n)
        for (int k = 0; k < 4; k++)
            out[4 * i + k] = sum * (k + 1);
}
KERNEL(counting_barriers)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const u64 a = in[i % n];
    const int odd = __syncthreads_count((int)(a & 1)), all = __syncthreads_and((int)(a & 255));
    const int some = __syncthreads_or((a & 63) == 5);
    if (i < n) {
        out[4 * i] = odd;
        out[4 * i + 1] = all != 0;
        out[4 * i + 2] = some != 0;
        out[4 * i + 3] = blockDim.x + 1000 * blockIdx.x + 100000 * gridDim.x;
    }
}

/* --- control and C++ ---------------------------------------------------------------------------
 */
KERNEL(switches)
{
    THREAD;
    u64 x = a;
    for (int k = 0; k < 12; k++) {
        switch (x % 9) {
        case 0:
            x += b;
            break;
        case 1:
            x ^= x >> 7; /* falls through */
        case 2:
            x *= 5;
            break;
        case 3:
            x = ~x;
            break;
        case 4:
            continue;
        case 5:
            x = x << 9 | x >> 55;
            break;
        case 7:
            x -= k;
            break;
        default:
            x += 0x9e3779b97f4a7c15ull;
        }
        x += k;
    }
    for (int k = 0; k < 4; k++)
        o[k] = x >> k;
}
static __device__ __noinline__ u32 ackermann(u32 m, u32 n)
{
    return m == 0 ? n + 1 : n == 0 ? ackermann(m - 1, 1) : ackermann(m - 1, ackermann(m, n - 1));
}
KERNEL(recursion)
{
    THREAD;
    o[0] = ackermann((u32)a & 1, (u32)b & 3);
    o[1] = ackermann(2, (u32)a & 1);
    o[2] = o[3] = 0;
}
struct shape {
    virtual __device__ u64 area() const = 0;
};
struct box : shape {
    u32 x, y;
    __device__ box(u32 x, u32 y) : x(x), y(y)
    {
    }
    virtual __device__ u64 area() const
    {
        return (u64)x * y;
    }
};
struct line : shape {
    virtual __device__ u64 area() const
    {
        return 1;
    }
};
static __device__ __noinline__ u64 area_of(const shape *s)
{
    return s->area();
}
typedef u64 (*operation)(u64, u64);
static __device__ u64 sum_of(u64 x, u64 y)
{
    return x + y;
}
static __device__ u64 mix_of(u64 x, u64 y)
{
    return x * 31 ^ y;
}
KERNEL(indirect_calls)
{
    THREAD;
    box of_two((u32)a, (u32)b);
    line none;
    const shape *chosen = a & 16 ? (const shape *)&of_two : (const shape *)&none;
    operation which = b & 1 ? sum_of : mix_of;
    o[0] = area_of(chosen);
    o[1] = which(a, b);
    o[2] = area_of(&of_two);
    o[3] = (b & 2 ? mix_of : sum_of)(b, a);
}
template <class T, int N> struct polynomial {
    static __device__ T at(T x)
    {
        return polynomial<T, N - 1>::at(x) * x + (T)N;
    }
};
template <class T> struct polynomial<T, 0> {
    static __device__ T at(T)
    {
        return (T)1;
    }
};
KERNEL(templates)
{
    THREAD;
    auto twice = [=](u64 x) { return x * 2 + b; };
    o[0] = polynomial<u64, 7>::at(a);
    o[1] = polynomial<u32, 3>::at((u32)b);
    o[2] = twice(twice(a));
    o[3] = (u64)(s64)polynomial<int, 5>::at((int)a);
}
KERNEL(loops)
{
    THREAD;
    u32 steps = 0, x = (u32)(a % 2000) + 1;
    while (x != 1 && steps < 300) {
        x = x & 1 ? 3 * x + 1 : x / 2;
        steps++;
    }
    u32 g = (u32)a | 1, h = (u32)b | 1;
    while (h) {
        const u32 r = g % h;
        g = h;
        h = r;
    }
    u32 found = 0;
    for (u32 p = 2; p < 60; p++) {
        for (u32 d = 2; d * d <= p; d++)
            if (p % d == 0)
                goto composite;
        found += p ^ (u32)(a & 3);
    composite:;
    }
    o[0] = steps;
    o[1] = g;
    o[2] = found;
    o[3] = steps > 40 && g == 1 || found & 1;
}
KERNEL(checksum)
{
    THREAD;
    u32 crc = ~0u;
    for (int k = 0; k < 16; k++) {
        crc ^= (u8)((k < 8 ? a : b) >> (k % 8 * 8));
        for (int bit = 0; bit < 8; bit++)
            crc = crc >> 1 ^ (crc & 1 ? 0xedb88320u : 0);
    }
    u64 h = a ^ b * 0xc6a4a7935bd1e995ull;
    h ^= h >> 47;
    h *= 0xc6a4a7935bd1e995ull;
    o[0] = ~crc;
    o[1] = h;
    o[2] = (h >> 13 | h << 51) + crc;
    o[3] = __byte_perm(crc, (u32)h, 0x1357);
}
KERNEL(assembler)
{
    THREAD;
    u32 lanes, sum, carry;
    u64 wide;
    asm("mov.u32 %0, %%laneid;" : "=r"(lanes));
    asm("add.cc.u32 %0, %2, %3;\n\taddc.u32 %1, 0, 0;"
        : "=r"(sum), "=r"(carry)
        : "r"((u32)a), "r"((u32)b));
    asm volatile("{\n\t.reg .pred p;\n\tsetp.lt.u32 p, %1, %2;\n\tselp.u64 %0, 5, 9, p;\n\t}"
                 : "=l"(wide)
                 : "r"((u32)a), "r"((u32)b));
    o[0] = lanes;
    o[1] = sum;
    o[2] = carry;
    o[3] = wide;
}
