/* Operators and functions of __half, __half2 and __nv_bfloat16: the same bits on the host and on
 * the device. */
#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <cstring>
#include <vector>

#include "check.h"

#define TRIPLES 8192
#define RESULTS 76

bool host_only();

/* As programs have it for versions of CUDA before 12; the others are the header's. */
static __host__ __device__ unsigned __hgt2_mask(const __half2 a, const __half2 b)
{
    return (__hgt(a.x, b.x) ? 0xFFFFu : 0) | (__hgt(a.y, b.y) ? 0xFFFF0000u : 0);
}

struct Row {
    unsigned bits[RESULTS];
};

__host__ __device__ static unsigned word(__half a)
{
    return __half_as_ushort(a);
}
__host__ __device__ static unsigned word(__half2 a)
{
    return word(a.x) | word(a.y) << 16;
}
__host__ __device__ static unsigned word(__nv_bfloat16 a)
{
    return __bfloat16_as_ushort(a);
}

template <class T> __host__ __device__ static int operators(T a, T b, unsigned *out)
{
    int n = 0;
    T c = a, d = b, e = a, f = b;
    out[n++] = word(a + b);
    out[n++] = word(a - b);
    out[n++] = word(a * b);
    out[n++] = word(a / b);
    out[n++] = word(-a);
    out[n++] = word(+b);
    out[n++] = word(c += b);
    out[n++] = word(d -= a);
    out[n++] = word(e *= b);
    out[n++] = word(f /= a);
    out[n++] = word(c++);
    out[n++] = word(--d);
    out[n++] = word(++e);
    out[n++] = word(f--);
    out[n++] = word(c) ^ word(d) ^ word(e) ^ word(f);
    out[n++] =
        (a == b) | (a != b) << 1 | (a < b) << 2 | (a <= b) << 3 | (a > b) << 4 | (a >= b) << 5;
    return n;
}

__host__ __device__ static void compute(const unsigned short *in, Row *row)
{
    __half a = __ushort_as_half(in[0]), b = __ushort_as_half(in[1]), c = __ushort_as_half(in[2]);
    __half2 p(a, b), q(b, c);
    int n = operators(a, b, row->bits);
    n += operators(p, q, row->bits + n);
    n += operators(__ushort_as_bfloat16(in[0]), __ushort_as_bfloat16(in[1]), row->bits + n);
    unsigned *out = row->bits;
    out[n++] = word(__hadd_sat(a, b));
    out[n++] = word(__hsub_sat(a, b));
    out[n++] = word(__hmul_sat(a, b));
    out[n++] = word(__hmin(a, b));
    out[n++] = word(__hmax(a, b));
    out[n++] = word(__hmin_nan(a, b));
    out[n++] = word(__hmax_nan(a, b));
    out[n++] = word(__habs2(p));
    out[n++] = word(__hfma(a, b, c));
    out[n++] = word(__hfma_sat(a, b, c));
    out[n++] = word(__hfma_relu(a, b, c));
    out[n++] = word(__hfma2(p, q, p));
    out[n++] = __heq(a, b) | __hne(a, b) << 1 | __hlt(a, b) << 2 | __hle(a, b) << 3 |
               __hgt(a, b) << 4 | __hge(a, b) << 5 | __hequ(a, b) << 6 | __hneu(a, b) << 7 |
               __hltu(a, b) << 8 | __hleu(a, b) << 9 | __hgtu(a, b) << 10 | __hgeu(a, b) << 11 |
               __hbeq2(p, q) << 12 | __hisnan(a) << 13;
    out[n++] = word(__hltu2(p, q));
    out[n++] = __hgt2_mask(p, q);
    out[n++] = __hlt2_mask(p, q);
    out[n++] = __hneu2_mask(p, q);
    out[n++] = (int)a ^ (unsigned)(long long)b ^ (short)c ^ (unsigned short)a ^ (unsigned)b;
    out[n++] = word(__half((int)in[0])) + word(__half((long long)in[1] * -7)) +
               word(__half(0.1 * (double)in[2]));
    float2 floats = __half22float2(p);
    out[n++] = word(__float22half2_rn(make_float2(floats.x * 3, floats.y / 3)));
    __nv_bfloat16 big = __ushort_as_bfloat16(in[1]);
    out[n++] = (unsigned)(int)big ^ (short)big ^ (unsigned)((unsigned long long)big >> 32) ^
               __bfloat162int_ru(big) ^ __bfloat162uint_rd(big);
    for (; n < RESULTS; n++)
        out[n] = 0;
}

__global__ void on_device(const unsigned short *in, Row *rows)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    compute(in + 3 * i, rows + i);
}

/* Beside numbers of other types the host takes a half for a float. */
static bool mixed()
{
    __half h = 2049.0f; /* 2048 */
    __nv_bfloat16 b = 0.5f;
    float f = h + 1.0f;
    double d = h / 4096.0;
    auto i = 3 * h;
    return f == 2049.0f && d == 0.5 && sizeof i == sizeof(float) && i == 6144.0f && h > 7 &&
           7 < h && b == 0.5 && b * 3 == 1.5f && 1 - b == 0.5f &&
           (true ? -h : h) == __half(-2048.0f);
}

static bool masks()
{
    __half2 a(__half(1.0f), __half(3.0f)), b(__half(2.0f), __half(2.0f));
    return __hgt2_mask(a, b) == 0xFFFF0000u && __hlt2_mask(a, b) == 0xFFFFu && !__heq2_mask(a, b) &&
           __hne2_mask(a, b) == ~0u;
}

int main()
{
    const unsigned short special[] = {0,      0x8000, 1,      0x8001, 0x3C00, 0xBC00,
                                      0x7BFF, 0x7C00, 0xFC00, 0x7E00, 0x03FF, 0x0400};
    std::vector<unsigned short> in(3 * TRIPLES);
    std::vector<Row> rows(TRIPLES);
    unsigned seed = 21, wrong = 0;
    for (size_t i = 0; i < in.size(); i++)
        in[i] = i < 3 * 1728 ? special[(i % 3 == 0   ? i / 3
                                        : i % 3 == 1 ? i / 36
                                                     : i / 432) %
                                       12]
                             : (unsigned short)next_random(&seed);
    for (size_t i = 3 * 1728; i < in.size(); i += 5) /* near each other */
        in[i] = (unsigned short)(in[i - 1] + next_random(&seed) % 64);
    unsigned short *from;
    Row *to;
    CHECK(cudaMalloc(&from, in.size() * sizeof in[0]));
    CHECK(cudaMalloc(&to, rows.size() * sizeof rows[0]));
    CHECK(cudaMemcpy(from, in.data(), in.size() * sizeof in[0], cudaMemcpyHostToDevice));
    on_device<<<TRIPLES / 128, 128>>>(from, to);
    CHECK(cudaMemcpy(rows.data(), to, rows.size() * sizeof rows[0], cudaMemcpyDeviceToHost));
    for (int i = 0; i < TRIPLES; i++) {
        Row want;
        compute(&in[3 * i], &want);
        for (int k = 0; k < RESULTS; k++)
            if (want.bits[k] != rows[i].bits[k] && wrong++ < 20)
                printf("result %d of %04x %04x %04x: %x on the device, %x on the host\n", k,
                       in[3 * i], in[3 * i + 1], in[3 * i + 2], rows[i].bits[k], want.bits[k]);
    }
    return verdict("halves", !wrong && mixed() && masks() && host_only());
}
