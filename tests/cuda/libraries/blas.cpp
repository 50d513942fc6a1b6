// cuBLAS against plain loops in double precision, in both precisions: increments of either sign,
// leading dimensions with gaps, every transposition, factors of 0, scalars on host and device,
// batches, streams.
#include <cublas_v2.h>
#include <cuda_runtime.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <vector>

#include "blas_parts.h"

static int failures, checks;

static void expect(bool ok, const char *what, long at = 0)
{
    checks++;
    if (!ok && failures++ < 20)
        printf("wrong: %s, at %ld\n", what, at);
}
#define OK(call)         expect((call) == CUBLAS_STATUS_SUCCESS, #call)
#define IS(status, call) expect((call) == CUBLAS_STATUS_##status, #call)

static unsigned seed = 7;
static double next()
{
    seed = seed * 1664525u + 1013904223u;
    return (seed >> 8) / 8388608.0 - 1.0;
}

// The calls of one precision under one name.
template <class T> struct blas;
#define BLAS(T, R, I)                                                                              \
    template <> struct blas<T> {                                                                   \
        static constexpr double tolerance = sizeof(T) == 4 ? 2e-5 : 1e-13;                         \
        static constexpr auto axpy = cublas##R##axpy;                                              \
        static constexpr auto scal = cublas##R##scal;                                              \
        static constexpr auto copy = cublas##R##copy;                                              \
        static constexpr auto swap = cublas##R##swap;                                              \
        static constexpr auto rot = cublas##R##rot;                                                \
        static constexpr auto dot = cublas##R##dot;                                                \
        static constexpr auto nrm2 = cublas##R##nrm2;                                              \
        static constexpr auto asum = cublas##R##asum;                                              \
        static constexpr auto amax = cublasI##I##amax;                                             \
        static constexpr auto amin = cublasI##I##amin;                                             \
        static constexpr auto gemv = cublas##R##gemv;                                              \
        static constexpr auto ger = cublas##R##ger;                                                \
        static constexpr auto symv = cublas##R##symv;                                              \
        static constexpr auto trsv = cublas##R##trsv;                                              \
        static constexpr auto gemm = cublas##R##gemm;                                              \
        static constexpr auto gemm_list = cublas##R##gemmBatched;                                  \
        static constexpr auto gemm_stride = cublas##R##gemmStridedBatched;                         \
        static constexpr auto syrk = cublas##R##syrk;                                              \
        static constexpr auto trsm = cublas##R##trsm;                                              \
        static constexpr auto geam = cublas##R##geam;                                              \
        static constexpr auto getrf = cublas##R##getrfBatched;                                     \
    };
BLAS(float, S, s)
BLAS(double, D, d)

// Numbers that host and device both have.
template <class T> struct numbers {
    std::vector<T> host;
    T *device = nullptr;
    explicit numbers(size_t n) : host(n)
    {
        for (T &x : host)
            x = (T)next();
        cudaMalloc(&device, n * sizeof(T));
        send();
    }
    ~numbers()
    {
        cudaFree(device);
    }
    void send()
    {
        cudaMemcpy(device, host.data(), host.size() * sizeof(T), cudaMemcpyHostToDevice);
    }
    std::vector<T> got() const
    {
        std::vector<T> out(host.size());
        cudaMemcpy(out.data(), device, out.size() * sizeof(T), cudaMemcpyDeviceToHost);
        return out;
    }
    // What lies between the elements must not change either.
    void check(const std::vector<double> &want, const char *what) const
    {
        std::vector<T> have = got();
        for (size_t i = 0; i < have.size(); i++)
            expect(std::fabs(have[i] - want[i]) <=
                       blas<T>::tolerance * std::fmax(1.0, std::fabs(want[i])),
                   what, (long)i);
    }
    std::vector<double> wide() const
    {
        return std::vector<double>(host.begin(), host.end());
    }
};

static long at(int n, int increment, int i)
{
    return increment < 0 ? (long)(i + 1 - n) * increment : (long)i * increment;
}

template <class T> static void level1(cublasHandle_t handle)
{
    typedef blas<T> B;
    const int sizes[] = {1, 33, 1000, 70001}, increments[][2] = {{1, 1}, {2, 3}, {-1, 2}, {3, -2}};
    for (int n : sizes)
        for (auto &inc : increments) {
            if (n > 10000 && inc[0] != 1)
                continue;
            int ix = inc[0], iy = inc[1];
            T alpha = (T)1.5, c = (T)0.6, s = (T)0.8, got = 0;
            numbers<T> x(n * std::abs(ix)), y(n * std::abs(iy));
            std::vector<double> wx = x.wide(), wy = y.wide();
            double dot = 0, sum = 0, squares = 0;
            int most = 0, least = 0;
            for (int i = 0; i < n; i++) {
                double v = wx[at(n, ix, i)];
                dot += v * wy[at(n, iy, i)];
                sum += std::fabs(v);
                squares += v * v;
                if (std::fabs(v) > std::fabs(wx[at(n, ix, most)]))
                    most = i;
                if (std::fabs(v) < std::fabs(wx[at(n, ix, least)]))
                    least = i;
            }
            double near = B::tolerance * std::sqrt((double)n) * 4;
            OK(B::dot(handle, n, x.device, ix, y.device, iy, &got));
            expect(std::fabs(got - dot) <= near, "dot", n);
            if (ix > 0) {
                int place = 0;
                OK(B::asum(handle, n, x.device, ix, &got));
                expect(std::fabs(got - sum) <= near * sum, "asum", n);
                OK(B::nrm2(handle, n, x.device, ix, &got));
                expect(std::fabs(got - std::sqrt(squares)) <= near, "nrm2", n);
                OK(B::amax(handle, n, x.device, ix, &place));
                expect(place == most + 1, "amax", n);
                OK(B::amin(handle, n, x.device, ix, &place));
                expect(place == least + 1, "amin", n);
            }
            OK(B::axpy(handle, n, &alpha, x.device, ix, y.device, iy));
            for (int i = 0; i < n; i++)
                wy[at(n, iy, i)] += 1.5 * wx[at(n, ix, i)];
            y.check(wy, "axpy");
            OK(B::rot(handle, n, x.device, ix, y.device, iy, &c, &s));
            for (int i = 0; i < n; i++) {
                double &a = wx[at(n, ix, i)], &b = wy[at(n, iy, i)], old = a;
                a = (double)c * a + (double)s * b;
                b = (double)c * b - (double)s * old;
            }
            x.check(wx, "rot, x");
            y.check(wy, "rot, y");
            OK(B::swap(handle, n, x.device, ix, y.device, iy));
            for (int i = 0; i < n; i++)
                std::swap(wx[at(n, ix, i)], wy[at(n, iy, i)]);
            x.check(wx, "swap, x");
            y.check(wy, "swap, y");
            OK(B::copy(handle, n, x.device, ix, y.device, iy));
            for (int i = 0; i < n; i++)
                wy[at(n, iy, i)] = wx[at(n, ix, i)];
            y.check(wy, "copy");
            OK(B::scal(handle, n, &alpha, x.device, ix));
            for (int i = 0; i < n && ix > 0; i++)
                wx[at(n, ix, i)] *= 1.5;
            x.check(wx, "scal");
        }
    // Equal extremes: the first. Nothing: 0. Squares beyond the type's range.
    numbers<T> same(3000);
    T got = 1, huge = (T)(sizeof(T) == 4 ? 1e30 : 1e300);
    int place = 7;
    for (T &v : same.host)
        v = 0.25;
    same.host[2000] = same.host[2100] = -3;
    same.host[1500] = same.host[1400] = 0;
    same.send();
    OK(B::amax(handle, 3000, same.device, 1, &place));
    expect(place == 2001, "the first greatest", place);
    OK(B::amin(handle, 3000, same.device, 1, &place));
    expect(place == 1401, "the first least", place);
    OK(B::amax(handle, 0, same.device, 1, &place));
    expect(place == 0, "greatest of nothing");
    OK(B::dot(handle, 0, same.device, 1, same.device, 1, &got));
    expect(got == 0, "dot of nothing");
    same.host[0] = 3 * huge;
    same.host[1] = 4 * huge;
    same.send();
    OK(B::nrm2(handle, 2, same.device, 1, &got));
    expect(std::fabs(got / huge - 5) < 1e-5, "a norm without overflow");
}

// op(a)(i, k) of a matrix as stored
static double of(const std::vector<double> &a, int ld, bool turned, int i, int k)
{
    return turned ? a[k + (long)i * ld] : a[i + (long)k * ld];
}

template <class T> static void level2(cublasHandle_t handle)
{
    typedef blas<T> B;
    const int m = 75, n = 42, lda = 80;
    T alpha = (T)0.75, beta = (T)-1.25;
    numbers<T> a(lda * lda), x(3 * m), y(3 * m);
    for (int turned = 0; turned < 2; turned++)
        for (int ix : {1, -2}) {
            numbers<T> out(2 * m);
            int rows = turned ? n : m, columns = turned ? m : n, iy = -ix / 2 ? 2 : 1;
            std::vector<double> wa = a.wide(), wx = x.wide(), want = out.wide();
            for (int i = 0; i < rows; i++) {
                double sum = 0;
                for (int k = 0; k < columns; k++)
                    sum += of(wa, lda, turned, i, k) * wx[at(columns, ix, k)];
                double &to = want[at(rows, iy, i)];
                to = alpha * sum + beta * to;
            }
            OK(B::gemv(handle, turned ? CUBLAS_OP_T : CUBLAS_OP_N, m, n, &alpha, a.device, lda,
                       x.device, ix, &beta, out.device, iy));
            out.check(want, "gemv");
        }
    for (cublasFillMode_t fill : {CUBLAS_FILL_MODE_LOWER, CUBLAS_FILL_MODE_UPPER}) {
        numbers<T> out(m), half(lda * m);
        bool lower = fill == CUBLAS_FILL_MODE_LOWER;
        std::vector<double> wa = half.wide(), wx = x.wide(), want = out.wide();
        for (int k = 0; k < m; k++) // the other half is never read
            for (int i = 0; i < m; i++)
                if (lower ? i < k : i > k)
                    half.host[i + k * lda] = std::numeric_limits<T>::quiet_NaN();
        half.send();
        for (int i = 0; i < m; i++) {
            double sum = 0;
            for (int k = 0; k < m; k++)
                sum +=
                    (lower ? i >= k : i <= k) ? wa[i + k * lda] * wx[k] : wa[k + i * lda] * wx[k];
            want[i] = alpha * sum + beta * want[i];
        }
        OK(B::symv(handle, fill, m, &alpha, half.device, lda, x.device, 1, &beta, out.device, 1));
        out.check(want, "symv");
    }
    std::vector<double> wa = a.wide(), wx = x.wide(), wy = y.wide();
    for (int j = 0; j < n; j++)
        for (int i = 0; i < m; i++)
            wa[i + j * lda] += alpha * wx[at(m, -1, i)] * wy[at(n, 2, j)];
    OK(B::ger(handle, m, n, &alpha, x.device, -1, y.device, 2, a.device, lda));
    a.check(wa, "ger");
}

template <class T>
static void multiply(cublasHandle_t handle, cublasOperation_t ta, cublasOperation_t tb, int m,
                     int n, int k)
{
    typedef blas<T> B;
    int lda = (ta ? k : m) + 3, ldb = (tb ? n : k) + 1, ldc = m + 2;
    T alpha = (T)1.25, beta = (T)0.5;
    numbers<T> a(lda * (ta ? m : k)), b(ldb * (tb ? k : n)), c(ldc * n);
    std::vector<double> wa = a.wide(), wb = b.wide(), want = c.wide();
    for (int j = 0; j < n; j++)
        for (int i = 0; i < m; i++) {
            double sum = 0;
            for (int p = 0; p < k; p++)
                sum += of(wa, lda, ta, i, p) * of(wb, ldb, tb, p, j);
            want[i + j * ldc] = alpha * sum + beta * want[i + j * ldc];
        }
    OK(B::gemm(handle, ta, tb, m, n, k, &alpha, a.device, lda, b.device, ldb, &beta, c.device,
               ldc));
    c.check(want, "gemm");
}

template <class T> static void batches(cublasHandle_t handle)
{
    typedef blas<T> B;
    const int side = 20, each = side * side, count = 5;
    T alpha = 1, beta = 0;
    numbers<T> a(each * count), b(each * count), c(each * count), d(each * count);
    std::vector<double> wa = a.wide(), wb = b.wide(), want(each * count);
    for (int p = 0; p < count; p++)
        for (int j = 0; j < side; j++)
            for (int i = 0; i < side; i++)
                for (int k = 0; k < side; k++)
                    want[p * each + i + j * side] +=
                        wa[p * each + i + k * side] * wb[p * each + j + k * side];
    for (T &v : c.host) // a factor of 0 reads nothing
        v = std::numeric_limits<T>::quiet_NaN();
    c.send();
    OK(B::gemm_stride(handle, CUBLAS_OP_N, CUBLAS_OP_T, side, side, side, &alpha, a.device, side,
                      each, b.device, side, each, &beta, c.device, side, each, count));
    c.check(want, "gemmStridedBatched");
    T *hosts[3][count], **lists;
    for (int p = 0; p < count; p++) {
        hosts[0][p] = a.device + p * each;
        hosts[1][p] = b.device + p * each;
        hosts[2][p] = d.device + p * each;
    }
    cudaMalloc(&lists, sizeof hosts);
    cudaMemcpy(lists, hosts, sizeof hosts, cudaMemcpyHostToDevice);
    OK(B::gemm_list(handle, CUBLAS_OP_N, CUBLAS_OP_T, side, side, side, &alpha, lists, side,
                    lists + count, side, &beta, lists + 2 * count, side, count));
    d.check(want, "gemmBatched");
    cudaFree(lists);
}

// L U of the result, with the rows exchanged back, is the matrix; the last one has a column of
// zeroes.
template <class T> static void factors(cublasHandle_t handle, bool exchange)
{
    typedef blas<T> B;
    const int n = 45, lda = 47, count = 3;
    numbers<T> a(lda * n * count);
    for (int i = 0; i < n; i++) {
        for (int b = 0; b < count && !exchange; b++)
            a.host[(b * n + i) * lda + i] += 50;
        a.host[((count - 1) * n + 2) * lda + i] = 0;
    }
    a.send();
    std::vector<T> before = a.host;
    T *hosts[count], **list;
    int *whole, got[(n + 1) * count];
    for (int b = 0; b < count; b++)
        hosts[b] = a.device + b * n * lda;
    cudaMalloc(&list, sizeof hosts);
    cudaMalloc(&whole, sizeof got);
    cudaMemcpy(list, hosts, sizeof hosts, cudaMemcpyHostToDevice);
    OK(B::getrf(handle, n, list, lda, exchange ? whole : nullptr, whole + n * count, count));
    cudaMemcpy(got, whole, sizeof got, cudaMemcpyDeviceToHost);
    cudaMemcpy(a.host.data(), a.device, a.host.size() * sizeof(T), cudaMemcpyDeviceToHost);
    for (int b = 0; b < count; b++) {
        const T *f = &a.host[b * n * lda];
        expect(got[n * count + b] == (b == count - 1 ? 3 : 0), "getrf's info", b);
        std::vector<double> product(n * n);
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++)
                for (int k = 0; k <= i && k <= j; k++)
                    product[i + j * n] += (k == i ? 1.0 : (double)f[i + k * lda]) * f[k + j * lda];
        for (int k = n; exchange && k-- > 0;)
            for (int j = 0, p = got[b * n + k] - 1; j < n; j++)
                std::swap(product[k + j * n], product[p + j * n]);
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++)
                expect(std::fabs(product[i + j * n] - before[(b * n + j) * lda + i]) <
                           (sizeof(T) == 4 ? 2e-4 : 1e-12),
                       "getrf", i + j * n);
        for (int j = 0; j < n; j++) // what is between the columns stays
            expect(f[n + j * lda] == before[(b * n + j) * lda + n], "getrf's gaps", j);
    }
    IS(INVALID_VALUE, B::getrf(handle, n, list, n - 1, nullptr, whole, count));
    cudaFree(list);
    cudaFree(whole);
}

// Triangular systems and symmetric products; the other triangle holds no numbers.
template <class T> static void triangles(cublasHandle_t handle)
{
    typedef blas<T> B;
    const int n = 37, other = 6, lda = 40;
    T alpha = (T)0.5, beta = (T)2;
    for (int which = 0; which < 16; which++) {
        cublasFillMode_t fill = which & 1 ? CUBLAS_FILL_MODE_UPPER : CUBLAS_FILL_MODE_LOWER;
        cublasOperation_t trans = which & 2 ? CUBLAS_OP_T : CUBLAS_OP_N;
        cublasDiagType_t diag = which & 4 ? CUBLAS_DIAG_UNIT : CUBLAS_DIAG_NON_UNIT;
        bool left = which & 8, lower = fill == CUBLAS_FILL_MODE_LOWER,
             unit = diag == CUBLAS_DIAG_UNIT;
        numbers<T> a(lda * n), x(2 * n), b(lda * lda);
        std::vector<double> solution = b.wide(), vector = x.wide();
        for (int k = 0; k < n; k++)
            for (int i = 0; i < n; i++)
                if (i == k)
                    a.host[i + k * lda] =
                        unit ? std::numeric_limits<T>::quiet_NaN() : (T)(2 + i % 3);
                else if (lower ? i < k : i > k)
                    a.host[i + k * lda] = std::numeric_limits<T>::quiet_NaN();
                else
                    a.host[i + k * lda] *= (T)0.1;
        a.send();
        auto element = [&](int i, int k) { // of op(a)
            int r = trans ? k : i, c = trans ? i : k;
            if (r == c)
                return unit ? 1.0 : (double)a.host[r + c * lda];
            return (lower ? r < c : r > c) ? 0.0 : (double)a.host[r + c * lda];
        };
        // b from a solution that is known
        for (int r = 0; r < other; r++)
            for (int i = 0; i < n; i++) {
                double sum = 0;
                for (int k = 0; k < n; k++)
                    sum += left ? element(i, k) * solution[k + r * lda]
                                : solution[r + k * lda] * element(k, i);
                b.host[left ? i + r * lda : r + i * lda] = (T)(sum / alpha);
            }
        b.send();
        OK(B::trsm(handle, left ? CUBLAS_SIDE_LEFT : CUBLAS_SIDE_RIGHT, fill, trans, diag,
                   left ? n : other, left ? other : n, &alpha, a.device, lda, b.device, lda));
        b.check(solution, "trsm");
        int step = left ? -2 : 1;
        for (int i = 0; i < n; i++) {
            double sum = 0;
            for (int k = 0; k < n; k++)
                sum += element(i, k) * vector[at(n, step, k)];
            x.host[at(n, step, i)] = (T)sum;
        }
        x.send();
        OK(B::trsv(handle, fill, trans, diag, n, a.device, lda, x.device, step));
        x.check(vector, "trsv");
        if (which & 4)
            continue;
        const int depth = 21;
        numbers<T> wide(lda * lda), c(lda * n);
        std::vector<double> w = wide.wide(), want = c.wide();
        for (int j = 0; j < n; j++)
            for (int i = 0; i < n; i++) {
                double sum = 0;
                for (int k = 0; k < depth; k++)
                    sum += of(w, lda, trans, i, k) * of(w, lda, trans, j, k);
                if (lower ? i >= j : i <= j)
                    want[i + j * lda] = alpha * sum + beta * want[i + j * lda];
            }
        OK(B::syrk(handle, fill, trans, n, depth, &alpha, wide.device, lda, &beta, c.device, lda));
        c.check(want, "syrk");
        cublasOperation_t second = left ? CUBLAS_OP_T : CUBLAS_OP_N;
        numbers<T> sum(lda * n);
        want = sum.wide();
        for (int j = 0; j < n; j++)
            for (int i = 0; i < n; i++)
                want[i + j * lda] = alpha * of(w, lda, trans, i, j) + beta * of(w, lda, left, i, j);
        OK(B::geam(handle, trans, second, n, n, &alpha, wide.device, lda, &beta, wide.device, lda,
                   sum.device, lda));
        sum.check(want, "geam");
    }
}

// Scalars on the device, a stream, what is wrong.
static void modes(cublasHandle_t handle)
{
    cublasPointerMode_t mode;
    cudaStream_t stream, current;
    numbers<float> x(1000), scalar(1), result(2);
    int version = 0, *place;
    std::vector<double> want = x.wide();
    double sum = 0;
    float one = 1, zero = 0;
    cudaStreamCreate(&stream);
    cudaMalloc(&place, sizeof *place);
    OK(cublasSetStream(handle, stream));
    OK(cublasGetStream(handle, &current));
    expect(current == stream, "the stream");
    OK(cublasSetPointerMode(handle, CUBLAS_POINTER_MODE_DEVICE));
    OK(cublasGetPointerMode(handle, &mode));
    expect(mode == CUBLAS_POINTER_MODE_DEVICE, "the pointer mode");
    for (double &v : want) {
        v *= scalar.host[0];
        sum += std::fabs(v);
    }
    OK(cublasSscal(handle, 1000, scalar.device, x.device, 1));
    OK(cublasSasum(handle, 1000, x.device, 1, result.device));
    OK(cublasIsamax(handle, 0, x.device, 1, place)); // of nothing: 0, on the device
    cudaStreamSynchronize(stream);
    x.check(want, "a scalar on the device");
    expect(std::fabs(result.got()[0] - sum) < 1e-3 * sum, "a result on the device");
    int first = 1;
    cudaMemcpy(&first, place, sizeof first, cudaMemcpyDeviceToHost);
    expect(first == 0, "nothing, on the device");
    OK(cublasSetPointerMode(handle, CUBLAS_POINTER_MODE_HOST));
    OK(cublasGetVersion(handle, &version));
    expect(version == CUBLAS_VERSION && version / 10000 == 11, "the version");

    IS(NOT_INITIALIZED, cublasSscal(nullptr, 1, &one, x.device, 1));
    IS(NOT_INITIALIZED, cublasSgemm(nullptr, CUBLAS_OP_N, CUBLAS_OP_N, 1, 1, 1, &one, x.device, 1,
                                    x.device, 1, &zero, x.device, 1));
    IS(INVALID_VALUE, cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, -1, 1, 1, &one, x.device, 1,
                                  x.device, 1, &zero, x.device, 1));
    IS(INVALID_VALUE, cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, 8, 8, 8, &one, x.device, 7,
                                  x.device, 8, &zero, x.device, 8));
    IS(INVALID_VALUE, cublasSgemm(handle, (cublasOperation_t)9, CUBLAS_OP_N, 8, 8, 8, &one,
                                  x.device, 8, x.device, 8, &zero, x.device, 8));
    IS(INVALID_VALUE,
       cublasSgemv(handle, CUBLAS_OP_N, 8, 8, &one, x.device, 8, x.device, 0, &zero, x.device, 1));
    IS(INVALID_VALUE, cublasSetPointerMode(handle, (cublasPointerMode_t)5));
    IS(INVALID_VALUE, cublasSetVector(-1, 4, &one, 1, x.device, 1));
    OK(cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, 0, 8, 8, &one, nullptr, 1, nullptr, 8, &zero,
                   nullptr, 1));
    OK(cublasSetStream(handle, nullptr));
    cudaStreamDestroy(stream);
    cudaFree(place);

    double rows[4][3], back[4][3];
    double *matrix;
    for (int i = 0; i < 12; i++)
        rows[i / 3][i % 3] = i;
    cudaMalloc(&matrix, 5 * 4 * sizeof *matrix);
    OK(cublasSetMatrix(3, 4, sizeof(double), rows, 3, matrix, 5));
    OK(cublasGetMatrix(3, 4, sizeof(double), matrix, 5, back, 3));
    for (int i = 0; i < 12; i++)
        expect(back[i / 3][i % 3] == i, "a matrix there and back", i);
    OK(cublasGetVector(4, sizeof(double), matrix + 1, 5, back, 2)); // the second row
    for (int i = 0; i < 4; i++)
        expect((&back[0][0])[2 * i] == 3 * i + 1, "a row", i);
    cudaFree(matrix);
}

template <class T> static void precision(cublasHandle_t handle)
{
    level1<T>(handle);
    level2<T>(handle);
    factors<T>(handle, true);
    factors<T>(handle, false);
    triangles<T>(handle);
    for (int trans = 0; trans < 4; trans++) {
        cublasOperation_t ta = trans & 1 ? CUBLAS_OP_T : CUBLAS_OP_N,
                          tb = trans & 2 ? CUBLAS_OP_C : CUBLAS_OP_N;
        multiply<T>(handle, ta, tb, 50, 23, 19);   // small tiles
        multiply<T>(handle, ta, tb, 150, 200, 35); // large ones
    }
    multiply<T>(handle, CUBLAS_OP_N, CUBLAS_OP_N, 17, 9, 0);
    batches<T>(handle);
}

int main()
{
    cublasHandle_t handle;
    OK(cublasCreate(&handle));
    if (failures)
        return 1;
    precision<float>(handle);
    precision<double>(handle);
    modes(handle);
    failures += blas_batches(handle, &checks);
    failures += blas_mixed(handle, &checks);
    OK(cublasDestroy(handle));
    IS(NOT_INITIALIZED, cublasDestroy(nullptr));
    expect(cudaGetLastError() == cudaSuccess, "no error of the runtime");
    printf("%d checks, %d failures\n%s\n", checks, failures, failures ? "FAILED" : "PASSED");
    return failures != 0;
}
