/* What CUDA C++ may look like; test_ptx.c compiles it and loads what comes out. */
#include <array>
#include <tuple>
#include <complex>
#include <utility>
#include <limits>
#include <type_traits>
typedef float v4 __attribute__((ext_vector_type(4)));
typedef int i3 __attribute__((ext_vector_type(3)));
typedef unsigned char b16 __attribute__((ext_vector_type(16)));
struct Big {
    int a[40];
    double d;
    char c;
};
struct __attribute__((packed)) Packed {
    char c;
    int i;
    short s;
    double d;
};
union U {
    double d;
    unsigned u[2];
};
struct Bits {
    unsigned a : 3, b : 9, c : 20;
    long long e : 37;
};
extern "C" __global__ void k1(v4 *x, i3 *y, b16 *z)
{
    x[0] = x[1] * x[2] + x[3].wzyx;
    y[0] = y[1] + y[2];
    z[0] = z[1] + z[2];
}
extern "C" __global__ void k2(Big b, Big *o, Packed *p, Bits *q)
{
    Big c = b;
    c.a[threadIdx.x] += 3;
    *o = c;
    p->i = p->s + p->c;
    p->d = p->i;
    q->b = q->a + q->c;
    q->e -= 5;
}
extern "C" __global__ void k3(int *p, long long *l, float *f, double *d)
{
    p[0] =
        __atomic_fetch_add(p + 1, 3, __ATOMIC_RELAXED) + __atomic_load_n(p + 2, __ATOMIC_RELAXED);
    __atomic_store_n(p + 3, 5, __ATOMIC_RELAXED);
    int e = 4;
    __atomic_compare_exchange_n(p + 4, &e, 7, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
    l[0] = __sync_fetch_and_or(l + 1, 4LL);
    p[5] = __sync_lock_test_and_set(p + 6, 1);
    p[7] = __builtin_bswap32(p[8]) ^ __builtin_rotateleft32(p[9], 5) ^
           __builtin_rotateright32(p[9], p[10]);
    l[2] = __builtin_bswap64(l[3]) + __builtin_rotateleft64(l[4], 9) + __builtin_ctzll(l[5]) +
           __builtin_clzll(l[6]) + __builtin_parityll(l[7]);
    int r;
    p[11] = __builtin_add_overflow(p[12], p[13], &r);
    p[14] = r;
    unsigned u;
    p[15] = __builtin_umul_overflow(p[16], p[17], &u);
    p[18] = u;
    p[19] = __builtin_bswap16(p[20]);
    f[0] = __builtin_nontemporal_load(f + 1);
    __builtin_nontemporal_store(f[2], f + 3);
    f[4] = __builtin_roundf(f[5]) + __builtin_truncf(f[6]) + __builtin_copysignf(f[7], f[8]);
    d[0] = __builtin_floor(d[1]) + __builtin_fabs(d[2]) + __builtin_fma(d[1], d[2], d[3]);
}
extern "C" __global__ void k4(__fp16 *h, float *f)
{
    f[0] = h[0] + h[1];
    h[2] = f[1] * f[2];
    h[3] = (__fp16)(float)h[0];
}
extern "C" __global__ void k5(int *p, int n)
{
    auto f = [=](int x) { return x * n; };
    std::array<int, 5> a = {1, 2, 3, 4, n};
    int s = 0;
    for (auto v : a)
        s += f(v);
    auto t = std::make_tuple(s, 2.0);
    p[0] = std::get<0>(t) + std::numeric_limits<int>::max() / n;
}
extern "C" __global__ void k6(double2 *p)
{
    std::complex<double> a(p[0].x, p[0].y);
    a = a * a / std::complex<double>(1, p[1].x);
    a = exp(a) + sqrt(a);
    p[2] = make_double2(a.real(), a.imag());
}
template <int N> __device__ int unroll(int *p)
{
    int s = 0;
#pragma unroll
    for (int i = 0; i < N; i++)
        s += p[i] * i;
    return s + unroll<N / 2>(p + 1);
}
template <> __device__ int unroll<0>(int *p)
{
    return p[0];
}
extern "C" __global__ void k7(int *p)
{
    p[100] = unroll<64>(p);
    goto a;
b:
    p[0] = 2;
    return;
a:
    if (p[1])
        goto b;
    p[2] = 4;
}
__device__ int sw(int x)
{
    switch (x) {
    case 0:
        return 5;
    case 1:
        return 9;
    case 2:
        return 1;
    case 3:
        return 44;
    case 4:
        return 12;
    case 5:
        return 8;
    case 6:
        return 3;
    case 7:
        return 2;
    case 100:
        return 7;
    default:
        return -1;
    }
}
extern "C" __global__ void k8(int *p, const char *s)
{
    p[threadIdx.x] = sw(p[threadIdx.x]);
    static __device__ int calls;
    p[42] = ++calls;
    p[43] = s[0];
}
extern "C" __global__ void k9(bool *b, char *c, short *s, unsigned char *u, signed char *g,
                              unsigned short *t)
{
    b[0] = c[0] < s[0];
    c[1] = c[2] * c[3] >> 1;
    s[1] = s[2] / s[3];
    u[0] = u[1] % u[2];
    g[0] = -g[1];
    t[0] = t[1] << 3;
    b[1] = !b[2] && u[3];
    s[4] = (short)(float)s[5];
    c[4] = (char)(double)c[5];
}
struct alignas(16) A16 {
    long long x, y;
};
extern "C" __global__ void k10(A16 *a, int n)
{
    __shared__ A16 s[32];
    __shared__ int m[8][9];
    s[threadIdx.x] = a[threadIdx.x];
    __syncthreads();
    a[threadIdx.x] = s[31 - threadIdx.x];
    int loc[64];
    for (int i = 0; i < n; i++)
        loc[i & 63] = i;
    m[threadIdx.x & 7][2] = loc[n & 63];
    __syncthreads();
    a[0].x = m[3][2];
}
namespace ns
{
template <class T> __global__ void tk(T *p, T v)
{
    p[blockIdx.x] = v;
}
} // namespace ns
template __global__ void ns::tk<double>(double *, double);
template __global__ void ns::tk<unsigned char>(unsigned char *, unsigned char);
struct V {
    virtual __device__ int f() = 0;
    __device__ virtual ~V()
    {
    }
};
struct W : V {
    int x;
    __device__ int f() override
    {
        return x;
    }
};
extern "C" __global__ void k11(int *p)
{
    W w;
    w.x = 5;
    V *v = &w;
    p[0] = v->f();
}
extern "C" __global__ void k12(unsigned long long *p, unsigned n)
{
    unsigned __int128 a = p[0];
    a = a * p[1] + p[2];
    p[3] = (unsigned long long)(a >> 64);
    double d = (double)p[1];
    p[6] = (unsigned long long)d;
    float f = (float)p[7];
    p[8] = (unsigned long long)f;
}
