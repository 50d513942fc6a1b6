// Products of matrices by warps: nvcuda::wmma in every shape, layout and type, and PTX's mma.sync,
// against the host; the cycles of one product.
#include <cuda_runtime.h>
#include <mma.h>

#include <vector>

#include "../common/check.h"

using namespace nvcuda;

static int failures;
static unsigned seed = 3;

static void expect(bool ok, const char *what, int at, double got = 0, double want = 0)
{
    if (!ok && failures++ < 20)
        printf("wrong: %s, at %d: %g instead of %g\n", what, at, got, want);
}

// A warp, one product: d = a b + c, with leading dimensions beyond the sides.
template <int M, int N, int K, class LA, class LB, class C, class D>
__global__ void one(const __half *a, int lda, const __half *b, int ldb, const C *c, D *d, int ldc,
                    wmma::layout_t layout)
{
    wmma::fragment<wmma::matrix_a, M, N, K, __half, LA> fa;
    wmma::fragment<wmma::matrix_b, M, N, K, __half, LB> fb;
    wmma::fragment<wmma::accumulator, M, N, K, C> fc;
    wmma::fragment<wmma::accumulator, M, N, K, D> fd;
    wmma::load_matrix_sync(fa, a, lda);
    wmma::load_matrix_sync(fb, b, ldb);
    wmma::load_matrix_sync(fc, c, ldc, layout);
    for (int i = 0; i < fc.num_elements; i++)
        fc.x[i] = fc.x[i] * (C)2.0f;
    wmma::mma_sync(fd, fa, fb, fc);
    wmma::store_matrix_sync(d, fd, ldc, layout);
}

static float value(float x)
{
    return x;
}
static float value(__half x)
{
    return __half2float(x);
}
static void set(float &to, float x)
{
    to = x;
}
static void set(__half &to, float x)
{
    to = __float2half(x);
}

template <class T> struct device {
    std::vector<T> host;
    T *data;
    explicit device(size_t n) : host(n)
    {
        for (T &x : host)
            set(x, (next_float(&seed) - 0.5f) * 2);
        CHECK(cudaMalloc(&data, n * sizeof(T)));
        CHECK(cudaMemcpy(data, host.data(), n * sizeof(T), cudaMemcpyHostToDevice));
    }
    ~device()
    {
        cudaFree(data);
    }
    std::vector<T> get() const
    {
        std::vector<T> got(host.size());
        CHECK(cudaMemcpy(got.data(), data, got.size() * sizeof(T), cudaMemcpyDeviceToHost));
        return got;
    }
};

template <int M, int N, int K, class LA, class LB, class C, class D>
static void product(const char *what, wmma::layout_t layout)
{
    const bool row_a = sizeof(LA) && std::is_same<LA, wmma::row_major>::value;
    const bool row_b = std::is_same<LB, wmma::row_major>::value,
               row_c = layout == wmma::mem_row_major;
    int lda = (row_a ? K : M) + 8, ldb = (row_b ? N : K) + 16, ldc = (row_c ? N : M) + 8;
    device<__half> a(lda * 40), b(ldb * 40);
    device<C> c(ldc * 40);
    device<D> d(ldc * 40);
    one<M, N, K, LA, LB, C, D><<<1, 32>>>(a.data, lda, b.data, ldb, c.data, d.data, ldc, layout);
    std::vector<D> got = d.get();
    std::vector<bool> written(got.size());
    for (int i = 0; i < M; i++)
        for (int j = 0; j < N; j++) {
            int at = row_c ? i * ldc + j : j * ldc + i;
            double want = 2 * value(c.host[at]);
            for (int k = 0; k < K; k++)
                want += (double)value(a.host[row_a ? i * lda + k : k * lda + i]) *
                        value(b.host[row_b ? k * ldb + j : j * ldb + k]);
            written[at] = true;
            expect(near(value(got[at]), want, sizeof(D) == 2 ? 2e-3 : 2e-6), what, at,
                   value(got[at]), want);
        }
    for (size_t i = 0; i < got.size(); i++)
        expect(written[i] || value(got[i]) == value(d.host[i]), "beside the matrix", (int)i);
}

template <int M, int N, int K> static void shape(const char *what)
{
    typedef wmma::row_major R;
    typedef wmma::col_major L;
    product<M, N, K, R, L, float, float>(what, wmma::mem_row_major);
    product<M, N, K, R, R, float, float>(what, wmma::mem_col_major);
    product<M, N, K, L, L, __half, __half>(what, wmma::mem_row_major);
    product<M, N, K, L, R, __half, __half>(what, wmma::mem_col_major);
    product<M, N, K, L, R, __half, float>(what, wmma::mem_row_major);
    product<M, N, K, R, L, float, __half>(what, wmma::mem_col_major);
}

// A matrix product by blocks, with tiles in shared memory; a warp for each tile of the result.
__global__ void gemm(const __half *a, const __half *b, float *c, int n)
{
    __shared__ __half tile_a[16 * 16], tile_b[16 * 16];
    wmma::fragment<wmma::matrix_a, 16, 16, 16, __half, wmma::row_major> fa;
    wmma::fragment<wmma::matrix_b, 16, 16, 16, __half, wmma::col_major> fb;
    wmma::fragment<wmma::accumulator, 16, 16, 16, float> sum;
    int row = blockIdx.y * 16, column = blockIdx.x * 16;
    wmma::fill_fragment(sum, 0.0f);
    for (int k = 0; k < n; k += 16) {
        for (int i = threadIdx.x; i < 256; i += 32) {
            tile_a[i] = a[(row + i / 16) * n + k + i % 16];
            tile_b[i] = b[(column + i / 16) * n + k + i % 16];
        }
        __syncthreads();
        wmma::load_matrix_sync(fa, tile_a, 16);
        wmma::load_matrix_sync(fb, tile_b, 16);
        wmma::mma_sync(sum, fa, fb, sum);
        __syncthreads();
    }
    wmma::store_matrix_sync(c + row * n + column, sum, n, wmma::mem_row_major);
}

static void blocks()
{
    const int n = 64;
    device<__half> a(n * n), b(n * n);
    device<float> c(n * n);
    gemm<<<dim3(n / 16, n / 16), 32>>>(a.data, b.data, c.data, n);
    std::vector<float> got = c.get();
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            double want = 0;
            for (int k = 0; k < n; k++)
                want += (double)value(a.host[i * n + k]) * value(b.host[j * n + k]);
            expect(near(got[i * n + j], want, 1e-5), "by blocks", i * n + j, got[i * n + j], want);
        }
}

// PTX: the fragments are as its manual says.
__device__ unsigned pair(const __half *p)
{
    return *(const unsigned *)p;
}
__global__ void m16n8k16(const __half *a, const __half *b, float *c, __half *h)
{
    int g = threadIdx.x / 4, t = threadIdx.x % 4 * 2;
    unsigned a0 = pair(a + g * 16 + t), a1 = pair(a + (g + 8) * 16 + t),
             a2 = pair(a + g * 16 + t + 8), a3 = pair(a + (g + 8) * 16 + t + 8);
    unsigned b0 = pair(b + g * 16 + t), b1 = pair(b + g * 16 + t + 8); // column by column
    float d0, d1, d2, d3, c0 = c[g * 8 + t], c1 = c[g * 8 + t + 1], c2 = c[(g + 8) * 8 + t],
                          c3 = c[(g + 8) * 8 + t + 1];
    asm("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, "
        "{%8, %9}, "
        "{%10, %11, %12, %13};"
        : "=f"(d0), "=f"(d1), "=f"(d2), "=f"(d3)
        : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "r"(b0), "r"(b1), "f"(c0), "f"(c1), "f"(c2), "f"(c3));
    // The lower half of the depth alone, on halves and in place.
    unsigned h0 = pair(h + g * 8 + t), h1 = pair(h + (g + 8) * 8 + t);
    asm("mma.sync.aligned.m16n8k8.row.col.f16.f16.f16.f16 {%0, %1}, {%2, %3}, {%4}, {%0, %1};"
        : "+r"(h0), "+r"(h1)
        : "r"(a0), "r"(a1), "r"(b0));
    c[g * 8 + t] = d0;
    c[g * 8 + t + 1] = d1;
    c[(g + 8) * 8 + t] = d2;
    c[(g + 8) * 8 + t + 1] = d3;
    *(unsigned *)(h + g * 8 + t) = h0;
    *(unsigned *)(h + (g + 8) * 8 + t) = h1;
}

static void ptx()
{
    device<__half> a(256), b(128), h(128);
    device<float> c(128);
    m16n8k16<<<1, 32>>>(a.data, b.data, c.data, h.data);
    std::vector<float> got = c.get();
    std::vector<__half> halves = h.get();
    for (int i = 0; i < 16; i++)
        for (int j = 0; j < 8; j++) {
            double want = value(c.host[i * 8 + j]), half = value(h.host[i * 8 + j]);
            for (int k = 0; k < 16; k++) {
                double term = (double)value(a.host[i * 16 + k]) * value(b.host[j * 16 + k]);
                want += term;
                half += k < 8 ? term : 0;
            }
            expect(near(got[i * 8 + j], want, 2e-6), "m16n8k16", i * 8 + j, got[i * 8 + j], want);
            expect(near(value(halves[i * 8 + j]), half, 1e-3), "m16n8k8", i * 8 + j);
        }
}

// A chain of products: the cycles of each.
__global__ void chain(float *out, long long *cycles, int n)
{
    wmma::fragment<wmma::matrix_a, 16, 16, 16, __half, wmma::row_major> fa;
    wmma::fragment<wmma::matrix_b, 16, 16, 16, __half, wmma::col_major> fb;
    wmma::fragment<wmma::accumulator, 16, 16, 16, float> sum;
    wmma::fill_fragment(fa, __float2half(0.5f));
    wmma::fill_fragment(fb, __float2half(0.25f));
    wmma::fill_fragment(sum, 0.0f);
    long long start = clock64();
    for (int i = 0; i < n; i++)
        wmma::mma_sync(sum, fa, fb, sum);
    wmma::store_matrix_sync(out, sum, 16, wmma::mem_row_major);
    if (threadIdx.x == 0)
        *cycles = clock64() - start;
}

static void time_of_one()
{
    float *out, sums[256];
    long long *cycles, few, many;
    CHECK(cudaMalloc(&out, sizeof sums));
    CHECK(cudaMalloc(&cycles, sizeof few));
    chain<<<1, 32>>>(out, cycles, 16);
    CHECK(cudaMemcpy(&few, cycles, sizeof few, cudaMemcpyDeviceToHost));
    chain<<<1, 32>>>(out, cycles, 80);
    CHECK(cudaMemcpy(&many, cycles, sizeof many, cudaMemcpyDeviceToHost));
    CHECK(cudaMemcpy(sums, out, sizeof sums, cudaMemcpyDeviceToHost));
    for (int i = 0; i < 256; i++)
        expect(sums[i] == 80 * 16 * 0.125f, "a chain", i, sums[i]);
    // Measured on a Titan V: 54. Kernels without time count an instruction as a cycle: 8.
    double each = (many - few) / 64.0;
    printf("cycles of a product: %.1f\n", each);
    expect((each > 45 && each < 62) || (each > 7 && each < 12), "cycles", (int)each);
    CHECK(cudaFree(out));
    CHECK(cudaFree(cycles));
}

int main()
{
    shape<16, 16, 16>("16 x 16 x 16");
    shape<32, 8, 16>("32 x 8 x 16");
    shape<8, 32, 16>("8 x 32 x 16");
    blocks();
    ptx();
    time_of_one();
    return verdict("wmma", !failures);
}
