// Products of matrices by warps on everything but halves (wmma has those): nvcuda::wmma in every
// shape and layout, and PTX's mma.sync, against the host. Integers and doubles have to be equal,
// sums of bfloat16 and tf32 near to one rounding.
#include <cuda_runtime.h>
#include <mma.h>

#include <string.h>

#include <type_traits>
#include <vector>

#include "../common/check.h"

using namespace nvcuda;
using namespace nvcuda::wmma;
namespace narrow = nvcuda::wmma::experimental::precision;

static int failures;
static unsigned seed = 5;

static void expect(bool ok, const char *what, int at, double got, double want)
{
    if (!ok && failures++ < 20)
        printf("wrong: %s, at %d: %g instead of %g\n", what, at, got, want);
}

template <class T> static T *device(const std::vector<T> &host)
{
    T *data;
    CHECK(cudaMalloc(&data, host.size() * sizeof(T)));
    CHECK(cudaMemcpy(data, host.data(), host.size() * sizeof(T), cudaMemcpyHostToDevice));
    return data;
}
template <class T> static std::vector<T> take(T *data, size_t n)
{
    std::vector<T> got(n);
    CHECK(cudaMemcpy(got.data(), data, n * sizeof(T), cudaMemcpyDeviceToHost));
    CHECK(cudaFree(data));
    return got;
}

// --- elements in memory, and what they are worth ------------------------------------------------

template <class T> struct memory {
    typedef T type;
};
template <> struct memory<precision::tf32> {
    typedef float type;
};

static double worth(signed char x)
{
    return x;
}
static double worth(unsigned char x)
{
    return x;
}
static double worth(double x)
{
    return x;
}
static double worth(__nv_bfloat16 x)
{
    return __bfloat162float(x);
}
// tf32: 13 bits of the float do not count.
static double worth(float x)
{
    unsigned bits;
    memcpy(&bits, &x, sizeof bits);
    bits &= 0xFFFFE000u;
    memcpy(&x, &bits, sizeof bits);
    return x;
}
static void draw(signed char &x)
{
    x = (signed char)next_random(&seed);
}
static void draw(unsigned char &x)
{
    x = (unsigned char)next_random(&seed);
}
static void draw(int &x)
{
    x = (int)(next_random(&seed) << 4 ^ next_random(&seed));
}
static void draw(float &x)
{
    x = (next_float(&seed) - 0.5f) * 4;
}
static void draw(double &x)
{
    x = next_float(&seed) * 3.0 - next_float(&seed) / 65536.0 - 1;
}
static void draw(__nv_bfloat16 &x)
{
    x = __float2bfloat16((next_float(&seed) - 0.5f) * 4);
}

// c + a b as the machine has to give it: integers wrap, doubles by fma in order of the depth.
static int sum_up(int c, const double *a, const double *b, int depth)
{
    long long sum = c;
    for (int k = 0; k < depth; k++)
        sum += (long long)a[k] * (long long)b[k];
    return (int)sum;
}
static double sum_up(double c, const double *a, const double *b, int depth)
{
    for (int k = 0; k < depth; k++)
        c = fma(a[k], b[k], c);
    return c;
}
static float sum_up(float c, const double *a, const double *b, int depth)
{
    double sum = c;
    for (int k = 0; k < depth; k++)
        sum += a[k] * b[k];
    return (float)sum;
}
static bool same(int got, int want)
{
    return got == want;
}
static bool same(double got, double want)
{
    return got == want;
}
static bool same(float got, float want)
{
    return near(got, want, 1e-6);
}

// --- nvcuda::wmma
// ---------------------------------------------------------------------------------

// A warp, one product, with leading dimensions beyond the sides.
template <int M, int N, int K, class T, class E, class LA, class LB, class S>
__global__ void one(const E *a, int lda, const E *b, int ldb, const S *c, S *d, int ldc,
                    layout_t layout)
{
    fragment<matrix_a, M, N, K, T, LA> fa;
    fragment<matrix_b, M, N, K, T, LB> fb;
    fragment<accumulator, M, N, K, S> fc, fd;
    load_matrix_sync(fa, a, lda);
    load_matrix_sync(fb, b, ldb);
    load_matrix_sync(fc, c, ldc, layout);
    mma_sync(fd, fa, fb, fc);
    store_matrix_sync(d, fd, ldc, layout);
}

template <int M, int N, int K, class T, class LA, class LB, class S>
static void product(const char *what, layout_t layout)
{
    typedef typename memory<T>::type E;
    const bool row_a = std::is_same<LA, row_major>::value;
    const bool row_b = std::is_same<LB, row_major>::value, row_c = layout == mem_row_major;
    int lda = (row_a ? K : M) + 16, ldb = (row_b ? N : K) + 16, ldc = (row_c ? N : M) + 4;
    std::vector<E> a(lda * 32), b(ldb * 32);
    std::vector<S> c(ldc * 32);
    for (E &x : a)
        draw(x);
    for (E &x : b)
        draw(x);
    for (S &x : c)
        draw(x);
    E *on_a = device(a), *on_b = device(b);
    S *on_c = device(c), *on_d = device(c);
    one<M, N, K, T, E, LA, LB, S><<<1, 32>>>(on_a, lda, on_b, ldb, on_c, on_d, ldc, layout);
    std::vector<S> got = take(on_d, c.size());
    std::vector<S> want = c;
    for (int i = 0; i < M; i++)
        for (int j = 0; j < N; j++) {
            double row[K], column[K];
            for (int k = 0; k < K; k++) {
                row[k] = worth(a[row_a ? i * lda + k : k * lda + i]);
                column[k] = worth(b[row_b ? k * ldb + j : j * ldb + k]);
            }
            int at = row_c ? i * ldc + j : j * ldc + i;
            want[at] = sum_up(c[at], row, column, K);
        }
    for (size_t i = 0; i < got.size(); i++)
        expect(same(got[i], want[i]), what, (int)i, got[i], want[i]);
    CHECK(cudaFree(on_a));
    CHECK(cudaFree(on_b));
    CHECK(cudaFree(on_c));
}

template <int M, int N, int K, class T, class S> static void layouts(const char *what)
{
    product<M, N, K, T, row_major, col_major, S>(what, mem_row_major);
    product<M, N, K, T, row_major, row_major, S>(what, mem_col_major);
    product<M, N, K, T, col_major, row_major, S>(what, mem_row_major);
    product<M, N, K, T, col_major, col_major, S>(what, mem_col_major);
}
template <class T, class S> static void shapes(const char *what)
{
    layouts<16, 16, 16, T, S>(what);
    layouts<32, 8, 16, T, S>(what);
    layouts<8, 32, 16, T, S>(what);
}

// --- less than a byte
// -------------------------------------------------------------------------------

template <class T, int K> __global__ void nibbles(const unsigned *a, const unsigned *b, int *c)
{
    fragment<matrix_a, 8, 8, K, T, row_major> fa;
    fragment<matrix_b, 8, 8, K, T, col_major> fb;
    fragment<accumulator, 8, 8, K, int> fc;
    load_matrix_sync(fa, a, 2 * K); // a line is left out after each
    load_matrix_sync(fb, b, K);
    load_matrix_sync(fc, c, 8, mem_row_major);
    mma_sync(fc, fa, fb, fc);
    store_matrix_sync(c, fc, 8, mem_row_major);
}
__global__ void bits(const unsigned *a, const unsigned *b, int *c)
{
    fragment<matrix_a, 8, 8, 128, narrow::b1, row_major> fa;
    fragment<matrix_b, 8, 8, 128, narrow::b1, col_major> fb;
    fragment<accumulator, 8, 8, 128, int> fc, fd;
    load_matrix_sync(fa, a, 256);
    load_matrix_sync(fb, b, 128);
    load_matrix_sync(fc, c, 8, mem_row_major);
    bmma_sync(fd, fa, fb, fc);
    store_matrix_sync(c, fd, 8, mem_row_major);
    bmma_sync(fd, fa, fb, fc, experimental::bmmaBitOpAND);
    store_matrix_sync(c + 64, fd, 8, mem_row_major);
}

static int nibble(const std::vector<unsigned> &words, int at, bool is_signed)
{
    int x = (int)(words[at / 8] >> at % 8 * 4 & 15);
    return is_signed && x > 7 ? x - 16 : x;
}
static int bit(const std::vector<unsigned> &words, int at)
{
    return (int)(words[at / 32] >> at % 32 & 1);
}

static void small()
{
    std::vector<unsigned> a(64), b(64);
    std::vector<int> c(128);
    for (int way = 0; way < 3; way++) {
        for (unsigned &x : a)
            x = next_random(&seed) << 12 ^ next_random(&seed);
        for (unsigned &x : b)
            x = next_random(&seed) << 12 ^ next_random(&seed);
        for (int &x : c)
            draw(x);
        unsigned *on_a = device(a), *on_b = device(b);
        int *on_c = device(c);
        if (way == 0)
            nibbles<narrow::s4, 32><<<1, 32>>>(on_a, on_b, on_c);
        else if (way == 1)
            nibbles<narrow::u4, 32><<<1, 32>>>(on_a, on_b, on_c);
        else
            bits<<<1, 32>>>(on_a, on_b, on_c);
        std::vector<int> got = take(on_c, c.size());
        for (int i = 0; i < 64; i++) {
            int want = c[i], both = c[i], row = i / 8, column = i % 8;
            for (int k = 0; k < 32 && way < 2; k++)
                want += nibble(a, row * 64 + k, way == 0) * nibble(b, column * 32 + k, way == 0);
            for (int k = 0; k < 128 && way == 2; k++) {
                int x = bit(a, row * 256 + k), y = bit(b, column * 128 + k);
                want += x ^ y;
                both += x & y;
            }
            expect(got[i] == want, way == 0 ? "s4" : way == 1 ? "u4" : "xor", i, got[i], want);
            if (way == 2)
                expect(got[64 + i] == both, "and", i, got[64 + i], both);
        }
        CHECK(cudaFree(on_a));
        CHECK(cudaFree(on_b));
    }
}

// --- PTX: the fragments are as its manual says
// ------------------------------------------------------

// Sixteen rows of a and eight columns of b, each of `words` words, as the lanes have them.
struct lane_words {
    unsigned a[4], b[2];
};
template <int words> __device__ lane_words words_of(const unsigned *a, const unsigned *b)
{
    lane_words w;
    int g = threadIdx.x / 4, t = threadIdx.x % 4;
    for (int i = 0; i < words / 2; i++)
        w.a[i] = a[(g + i % 2 * 8) * words + t + i / 2 * 4];
    for (int i = 0; i < words / 4; i++)
        w.b[i] = b[g * words + t + i * 4];
    return w;
}
template <class S> __device__ S &cell(S *c, int i)
{
    return c[(threadIdx.x / 4 + i / 2 * 8) * 8 + threadIdx.x % 4 * 2 + i % 2];
}

#define DEEP(name, words, S, constraint, instruction)                                              \
    __global__ void name(const unsigned *a, const unsigned *b, S *c)                               \
    {                                                                                              \
        lane_words w = words_of<8>(a, b);                                                          \
        S d[4];                                                                                    \
        asm(instruction " {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%10, %11, %12, %13};"     \
            : "=" constraint(d[0]), "=" constraint(d[1]), "=" constraint(d[2]),                    \
              "=" constraint(d[3])                                                                 \
            : "r"(w.a[0]), "r"(w.a[1]), "r"(w.a[2]), "r"(w.a[3]), "r"(w.b[0]), "r"(w.b[1]),        \
              constraint(cell(c, 0)), constraint(cell(c, 1)), constraint(cell(c, 2)),              \
              constraint(cell(c, 3)));                                                             \
        for (int i = 0; i < 4; i++)                                                                \
            cell(c, i) = d[i];                                                                     \
    }
#define FLAT(name, words, S, constraint, instruction)                                              \
    __global__ void name(const unsigned *a, const unsigned *b, S *c)                               \
    {                                                                                              \
        lane_words w = words_of<4>(a, b);                                                          \
        S d[4] = {cell(c, 0), cell(c, 1), cell(c, 2), cell(c, 3)};                                 \
        asm(instruction " {%0, %1, %2, %3}, {%4, %5}, {%6}, {%0, %1, %2, %3};"                     \
            : "+" constraint(d[0]), "+" constraint(d[1]), "+" constraint(d[2]),                    \
              "+" constraint(d[3])                                                                 \
            : "r"(w.a[0]), "r"(w.a[1]), "r"(w.b[0]));                                              \
        for (int i = 0; i < 4; i++)                                                                \
            cell(c, i) = d[i];                                                                     \
    }
DEEP(bf16_k16, 8, float, "f", "mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32")
FLAT(bf16_k8, 4, float, "f", "mma.sync.aligned.m16n8k8.row.col.f32.bf16.bf16.f32")
DEEP(tf32_k8, 8, float, "f", "mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32")
FLAT(tf32_k4, 4, float, "f", "mma.sync.aligned.m16n8k4.row.col.f32.tf32.tf32.f32")
DEEP(s8_k32, 8, int, "r", "mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32")
DEEP(us8_k32, 8, int, "r", "mma.sync.aligned.m16n8k32.row.col.s32.u8.s8.s32")
DEEP(s8_k32_limit, 8, int, "r", "mma.sync.aligned.m16n8k32.row.col.satfinite.s32.s8.s8.s32")
FLAT(u8_k16, 4, int, "r", "mma.sync.aligned.m16n8k16.row.col.s32.u8.u8.s32")
FLAT(s8_k16_limit, 4, int, "r", "mma.sync.aligned.m16n8k16.row.col.satfinite.s32.s8.s8.s32")
DEEP(s4_k64, 8, int, "r", "mma.sync.aligned.m16n8k64.row.col.s32.s4.s4.s32")
FLAT(su4_k32, 4, int, "r", "mma.sync.aligned.m16n8k32.row.col.s32.s4.u4.s32")
DEEP(b1_k256, 8, int, "r", "mma.sync.aligned.m16n8k256.row.col.s32.b1.b1.s32.xor.popc")
FLAT(b1_k128, 4, int, "r", "mma.sync.aligned.m16n8k128.row.col.s32.b1.b1.s32.and.popc")

enum kind { BF16, TF32, S8, U8, US8, S4, SU4, XOR, AND };
struct form {
    const char *name;
    kind of;
    int words, per_word; // of a line; elements of a word
    bool limit;
    void (*of_floats)(const unsigned *, const unsigned *, float *);
    void (*of_ints)(const unsigned *, const unsigned *, int *);
};

static double element(unsigned word, int i, kind of, bool in_b)
{
    bool is_signed = of == S8 || of == S4 || (of == US8 && in_b) || (of == SU4 && !in_b);
    unsigned bits = of == BF16   ? (i ? word & 0xFFFF0000u : word << 16)
                    : of == TF32 ? word & 0xFFFFE000u
                                 : 0;
    float x;
    memcpy(&x, &bits, sizeof x);
    switch (of) {
    case BF16:
    case TF32:
        return x;
    case S8:
    case U8:
    case US8:
        return is_signed ? (signed char)(word >> 8 * i) : (unsigned char)(word >> 8 * i);
    case S4:
    case SU4:
        return (int)((word >> 4 * i & 15) ^ (is_signed ? 8 : 0)) - (is_signed ? 8 : 0);
    default:
        return word >> i & 1;
    }
}

static double term(const form &f, const unsigned *a, const unsigned *b, int k)
{
    double x = element(a[k / f.per_word], k % f.per_word, f.of, false);
    double y = element(b[k / f.per_word], k % f.per_word, f.of, true);
    return f.of == XOR ? x != y : x * y;
}

template <class S>
static void check_form(const form &f, void (*kernel)(const unsigned *, const unsigned *, S *))
{
    std::vector<unsigned> a(16 * f.words), b(8 * f.words);
    std::vector<S> c(128);
    for (unsigned &x : a)
        x = next_random(&seed) << 12 ^ next_random(&seed);
    for (unsigned &x : b)
        x = next_random(&seed) << 12 ^ next_random(&seed);
    if (std::is_same<S, float>::value)
        for (std::vector<unsigned> *m : {&a, &b})
            for (unsigned &x : *m)
                x = (x & 0x81FF81FFu) | 0x3E003E00u; // between 1/8 and 2
    for (S &x : c)
        draw(x);
    for (size_t i = 0; f.limit && i < c.size(); i++)
        c[i] = i % 2 ? (S)0x7FFFFF00 : (S)-0x7FFFFF00;
    unsigned *on_a = device(a), *on_b = device(b);
    S *on_c = device(c);
    kernel<<<1, 32>>>(on_a, on_b, on_c);
    std::vector<S> got = take(on_c, c.size());
    for (int i = 0; i < 128; i++) {
        double want = c[i];
        for (int k = 0; k < f.words * f.per_word; k++)
            want += term(f, &a[i / 8 * f.words], &b[i % 8 * f.words], k);
        if (f.limit)
            want = fmax(fmin(want, 2147483647.0), -2147483648.0);
        bool ok = std::is_same<S, float>::value ? near(got[i], want, 1e-6)
                                                : (unsigned)got[i] == (unsigned)(long long)want;
        expect(ok, f.name, i, got[i], want);
    }
    CHECK(cudaFree(on_a));
    CHECK(cudaFree(on_b));
}

static void ptx()
{
    const form forms[] = {
        {"bf16 k16", BF16, 8, 2, false, bf16_k16, nullptr},
        {"bf16 k8", BF16, 4, 2, false, bf16_k8, nullptr},
        {"tf32 k8", TF32, 8, 1, false, tf32_k8, nullptr},
        {"tf32 k4", TF32, 4, 1, false, tf32_k4, nullptr},
        {"s8 k32", S8, 8, 4, false, nullptr, s8_k32},
        {"u8 and s8 k32", US8, 8, 4, false, nullptr, us8_k32},
        {"s8 k32, to the limit", S8, 8, 4, true, nullptr, s8_k32_limit},
        {"u8 k16", U8, 4, 4, false, nullptr, u8_k16},
        {"s8 k16, to the limit", S8, 4, 4, true, nullptr, s8_k16_limit},
        {"s4 k64", S4, 8, 8, false, nullptr, s4_k64},
        {"s4 and u4 k32", SU4, 4, 8, false, nullptr, su4_k32},
        {"xor k256", XOR, 8, 32, false, nullptr, b1_k256},
        {"and k128", AND, 4, 32, false, nullptr, b1_k128},
    };
    for (const form &f : forms)
        f.of_floats ? check_form<float>(f, f.of_floats) : check_form<int>(f, f.of_ints);
}

// --- one whose sums do not fit, and cycles
// ------------------------------------------------------------

__global__ void limits(int *out, bool saturates)
{
    fragment<matrix_a, 16, 16, 16, signed char, row_major> a;
    fragment<matrix_b, 16, 16, 16, signed char, col_major> b;
    fragment<accumulator, 16, 16, 16, int> c;
    fill_fragment(a, (signed char)127);
    fill_fragment(b, (signed char)127);
    fill_fragment(c, 0x7FFFFFF0);
    mma_sync(c, a, b, c, saturates);
    store_matrix_sync(out, c, 16, mem_row_major);
}

// Cycles of a product in a chain: doubles take a unit eight times as long as bytes.
template <int M, int N, int K, class T, class S>
__global__ void chain(S *out, long long *cycles, int n)
{
    fragment<matrix_a, M, N, K, T, row_major> a;
    fragment<matrix_b, M, N, K, T, col_major> b;
    fragment<accumulator, M, N, K, S> c;
    fill_fragment(a, 1);
    fill_fragment(b, 2);
    fill_fragment(c, 0);
    long long start = clock64();
#pragma unroll 1
    for (int i = 0; i < n; i++)
        mma_sync(c, a, b, c);
    store_matrix_sync(out, c, N, mem_row_major);
    *cycles = clock64() - start;
}

// Of a chain, from two lengths of it.
template <class L> static double cycles_of(L launch, long long *on_device)
{
    long long cycles[2];
    for (int i = 0; i < 2; i++) {
        launch(i ? 80 : 16);
        CHECK(cudaMemcpy(&cycles[i], on_device, sizeof *cycles, cudaMemcpyDeviceToHost));
    }
    return (cycles[1] - cycles[0]) / 64.0;
}

static void rest()
{
    int *out;
    double *sums;
    long long *cycles;
    CHECK(cudaMalloc(&out, 256 * sizeof *out));
    CHECK(cudaMalloc(&sums, 64 * sizeof *sums));
    CHECK(cudaMalloc(&cycles, sizeof *cycles));
    for (int saturates = 0; saturates < 2; saturates++) {
        int got, want = saturates ? 0x7FFFFFFF : (int)(0x7FFFFFF0u + 16u * 127u * 127u);
        limits<<<1, 32>>>(out, saturates);
        CHECK(cudaMemcpy(&got, out + 255, sizeof got, cudaMemcpyDeviceToHost));
        expect(got == want, "the limit", saturates, got, want);
    }
    double bytes, doubles;
    bytes = cycles_of(
        [&](int n) { chain<16, 16, 16, signed char, int><<<1, 32>>>(out, cycles, n); }, cycles);
    doubles = cycles_of([&](int n) { chain<8, 8, 4, double, double><<<1, 32>>>(sums, cycles, n); },
                        cycles);
    printf("cycles of a product: 16 x 16 x 16 bytes %.1f, 8 x 8 x 4 doubles %.1f\n", bytes,
           doubles);
    // Without time an instruction is a cycle.
    for (double each : {bytes, doubles})
        expect((each > 20 && each < 40) || (each > 4 && each < 12), "cycles", 0, each, 28);
    CHECK(cudaFree(out));
    CHECK(cudaFree(sums));
    CHECK(cudaFree(cycles));
}

int main()
{
    shapes<signed char, int>("s8");
    shapes<unsigned char, int>("u8");
    shapes<__nv_bfloat16, float>("bf16");
    layouts<16, 16, 8, precision::tf32, float>("tf32");
    layouts<8, 8, 4, double, double>("f64");
    small();
    ptx();
    rest();
    return verdict("wmma_types", !failures);
}
