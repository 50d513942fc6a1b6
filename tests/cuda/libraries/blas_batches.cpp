// cuBLAS's batches of small matrices against the host, real and complex: every result is put back
// into the equation that it solves.
#include <cublas_v2.h>
#include <cuda_runtime.h>

#include <cmath>
#include <vector>

#include "blas_parts.h"
#include "blas_values.h"

namespace
{

unsigned seed = 99;
double next()
{
    seed = seed * 1664525u + 1013904223u;
    return (seed >> 8) / 8388608.0 - 1.0;
}

// The calls of one precision under one name.
template <class T> struct blas;
#define BLAS(T, R)                                                                                 \
    template <> struct blas<T> {                                                                   \
        static constexpr auto getrf = cublas##R##getrfBatched;                                     \
        static constexpr auto getrs = cublas##R##getrsBatched;                                     \
        static constexpr auto getri = cublas##R##getriBatched;                                     \
        static constexpr auto matinv = cublas##R##matinvBatched;                                   \
        static constexpr auto geqrf = cublas##R##geqrfBatched;                                     \
        static constexpr auto gels = cublas##R##gelsBatched;                                       \
    };
BLAS(float, S)
BLAS(double, D)
BLAS(cuComplex, C)
BLAS(cuDoubleComplex, Z)

template <class T> wide value(T x)
{
    return number<T>::value(x);
}
template <class T> void set(T &to, wide x)
{
    to = number<T>::made(x);
}
template <class T> double tolerance()
{
    return sizeof(T) == sizeof(float) || sizeof(T) == sizeof(cuComplex) ? 1e-4 : 1e-11;
}
template <> double tolerance<double>()
{
    return 1e-11;
}

#define COUNT 3

// A batch of matrices with a gap behind each column, on the host and on the device.
template <class T> struct matrices {
    int rows, columns, ld;
    std::vector<T> host;
    T *device = nullptr, **list = nullptr;
    matrices(int m, int n) : rows(m), columns(n), ld(m + 2), host((size_t)ld * n * COUNT)
    {
        for (T &x : host)
            set(x, {next(), next()});
        cudaMalloc(&device, host.size() * sizeof(T));
        cudaMalloc(&list, COUNT * sizeof(T *));
        T *each[COUNT];
        for (int b = 0; b < COUNT; b++)
            each[b] = device + (size_t)b * ld * n;
        cudaMemcpy(list, each, sizeof each, cudaMemcpyHostToDevice);
        send();
    }
    ~matrices()
    {
        cudaFree(device);
        cudaFree(list);
    }
    void send()
    {
        cudaMemcpy(device, host.data(), host.size() * sizeof(T), cudaMemcpyHostToDevice);
    }
    T &at(int b, int i, int j)
    {
        return host[((size_t)b * columns + j) * ld + i];
    }
    wide operator()(int b, int i, int j) const
    {
        return value(host[((size_t)b * columns + j) * ld + i]);
    }
    // What the device has now; what is between the columns stays.
    matrices got() const
    {
        matrices out(rows, columns);
        cudaMemcpy(out.host.data(), device, host.size() * sizeof(T), cudaMemcpyDeviceToHost);
        for (int b = 0; b < COUNT; b++)
            for (int j = 0; j < columns; j++)
                for (int i = rows; i < ld; i++)
                    expect(out(b, i, j) == (*this)(b, i, j), "a gap between columns", j);
        return out;
    }
    matrices(const matrices &) = delete;
    matrices(matrices &&other)
        : rows(other.rows), columns(other.columns), ld(other.ld), host(other.host)
    {
        std::swap(device, other.device);
        std::swap(list, other.list);
    }
};

struct numbers { // of ints on the device
    int *device;
    explicit numbers(int n)
    {
        cudaMalloc(&device, n * sizeof(int));
        cudaMemset(device, 0x55, n * sizeof(int));
    }
    ~numbers()
    {
        cudaFree(device);
    }
    int operator[](int i) const
    {
        int got;
        cudaMemcpy(&got, device + i, sizeof got, cudaMemcpyDeviceToHost);
        return got;
    }
};

template <class T> void expect_near(wide got, wide want, double scale, const char *what, long at)
{
    expect(std::abs(got - want) <= tolerance<T>() * scale, what, at);
}

template <class T> void solutions(cublasHandle_t handle, int n, bool exchange)
{
    const int count = 4;
    const cublasOperation_t all[] = {CUBLAS_OP_N, CUBLAS_OP_T, CUBLAS_OP_C};
    for (cublasOperation_t trans : all) {
        matrices<T> a(n, n), b(n, count);
        for (int k = 0; k < COUNT && !exchange; k++)
            for (int i = 0; i < n; i++)
                set(a.at(k, i, i), 3.0 * n);
        a.send();
        numbers pivots(n * COUNT), infos(COUNT);
        int info = 7;
        OK(blas<T>::getrf(handle, n, a.list, a.ld, exchange ? pivots.device : nullptr, infos.device,
                          COUNT));
        OK(blas<T>::getrs(handle, trans, n, count, a.list, a.ld, exchange ? pivots.device : nullptr,
                          b.list, b.ld, &info, COUNT));
        matrices<T> x = b.got();
        expect(info == 0, "getrs's info");
        for (int k = 0; k < COUNT; k++) {
            expect(infos[k] == 0, "getrf's info", k);
            for (int c = 0; c < count; c++)
                for (int i = 0; i < n; i++) {
                    wide sum = 0;
                    double scale = n;
                    for (int j = 0; j < n; j++) {
                        wide of_a = trans == CUBLAS_OP_N ? a(k, i, j) : a(k, j, i);
                        sum += (trans == CUBLAS_OP_C ? std::conj(of_a) : of_a) * x(k, j, c);
                        scale += std::abs(x(k, j, c));
                    }
                    expect_near<T>(sum, b(k, i, c), scale, "getrs", i);
                }
        }
    }
}

template <class T>
void expect_inverse(const matrices<T> &a, const matrices<T> &c, int first, const char *what)
{
    int n = a.rows;
    for (int b = first; b < COUNT; b++)
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++) {
                wide sum = 0;
                double scale = n;
                for (int k = 0; k < n; k++) {
                    sum += a(b, i, k) * c(b, k, j);
                    scale += std::abs(c(b, k, j));
                }
                expect_near<T>(sum, i == j ? 1 : 0, scale, what, i * 100 + j);
            }
}

template <class T> void inverses(cublasHandle_t handle, int n)
{
    matrices<T> a(n, n), c(n, n), d(n, n);
    for (int i = 0; i < n && n > 2; i++) // the first one has a column of zeroes
        set(a.at(0, i, 2), 0);
    a.send();
    numbers pivots(n * COUNT), infos(COUNT);
    int first = n > 2;
    if (n <= 32) {
        OK(blas<T>::matinv(handle, n, a.list, a.ld, d.list, d.ld, infos.device, COUNT));
        expect_inverse(a, d.got(), first, "matinv");
        expect(infos[0] == (first ? 3 : 0) && infos[1] == 0, "matinv's info", infos[0]);
        matrices<T> same = a.got();
        for (size_t i = 0; i < same.host.size(); i++)
            expect(value(same.host[i]) == value(a.host[i]), "what matinv inverts stays", (long)i);
    } else {
        IS(INVALID_VALUE,
           blas<T>::matinv(handle, n, a.list, a.ld, d.list, d.ld, infos.device, COUNT));
    }
    OK(blas<T>::getrf(handle, n, a.list, a.ld, pivots.device, infos.device, COUNT));
    OK(blas<T>::getri(handle, n, a.list, a.ld, pivots.device, c.list, c.ld, infos.device, COUNT));
    expect_inverse(a, c.got(), first, "getri");
    expect(infos[0] == (first ? 3 : 0) && infos[1] == 0, "getri's info", infos[0]);
    IS(INVALID_VALUE,
       blas<T>::getri(handle, n, a.list, n - 1, pivots.device, c.list, c.ld, infos.device, COUNT));
}

// The reflections, from the last to the first, make the matrix of R again.
template <class T> void reflections(cublasHandle_t handle, int m, int n)
{
    matrices<T> a(m, n), tau(m < n ? m : n, 1);
    int info = 7;
    OK(blas<T>::geqrf(handle, m, n, a.list, a.ld, tau.list, &info, COUNT));
    expect(info == 0, "geqrf's info");
    matrices<T> f = a.got(), t = tau.got();
    for (int b = 0; b < COUNT; b++) {
        std::vector<wide> r((size_t)m * n);
        for (int j = 0; j < n; j++)
            for (int i = 0; i <= j && i < m; i++)
                r[i + (size_t)j * m] = f(b, i, j);
        for (int k = tau.rows; k-- > 0;)
            for (int j = 0; j < n; j++) {
                wide sum = r[k + (size_t)j * m];
                for (int i = k + 1; i < m; i++)
                    sum += std::conj(f(b, i, k)) * r[i + (size_t)j * m];
                sum *= t(b, k, 0);
                r[k + (size_t)j * m] -= sum;
                for (int i = k + 1; i < m; i++)
                    r[i + (size_t)j * m] -= f(b, i, k) * sum;
            }
        for (int j = 0; j < n; j++)
            for (int i = 0; i < m; i++)
                expect_near<T>(r[i + (size_t)j * m], a(b, i, j), m, "geqrf", i + j * 100);
    }
}

// What is left of b has no part in the columns of a, and the squares that gels leaves below x.
template <class T> void least_squares(cublasHandle_t handle, int m, int n)
{
    const int count = 3;
    matrices<T> a(m, n), b(m, count);
    for (int i = 0; i < m && n > 3;
         i++) // of two equal columns; exact, since one is reflected as the other
        set(a.at(1, i, 3), 0);
    a.send();
    numbers infos(COUNT);
    int info = 7;
    OK(blas<T>::gels(handle, CUBLAS_OP_N, m, n, count, a.list, a.ld, b.list, b.ld, &info,
                     infos.device, COUNT));
    matrices<T> x = b.got();
    expect(info == 0, "gels's info");
    for (int k = 0; k < COUNT; k++) {
        bool singular = k == 1 && n > 3;
        expect(infos[k] == (singular ? 4 : 0), "gels's infos", infos[k]);
        for (int c = 0; c < count && !singular; c++) {
            std::vector<wide> left(m);
            double squares = 0, below = 0, scale = m;
            for (int i = 0; i < m; i++) {
                left[i] = b(k, i, c);
                for (int j = 0; j < n; j++)
                    left[i] -= a(k, i, j) * x(k, j, c);
                squares += std::norm(left[i]);
                below += i < n ? 0 : std::norm(x(k, i, c));
            }
            for (int j = 0; j < n; j++)
                scale += std::abs(x(k, j, c));
            for (int j = 0; j < n; j++) {
                wide part = 0;
                for (int i = 0; i < m; i++)
                    part += std::conj(a(k, i, j)) * left[i];
                expect_near<T>(part, 0, m * scale, "gels", j);
            }
            expect_near<T>(squares, below, m * scale, "squares of what gels leaves", c);
        }
    }
    OK(blas<T>::gels(handle, CUBLAS_OP_N, m, n, count, a.list, a.ld, b.list, b.ld, &info, nullptr,
                     COUNT));
}

template <class T> void mistakes(cublasHandle_t handle)
{
    matrices<T> a(4, 4), b(4, 2);
    numbers infos(COUNT);
    int info = 7;
    IS(INVALID_VALUE, blas<T>::gels(handle, CUBLAS_OP_N, 4, 4, 2, a.list, 3, b.list, b.ld, &info,
                                    infos.device, COUNT));
    expect(info == -6, "gels's lda", info);
    IS(NOT_SUPPORTED, blas<T>::gels(handle, CUBLAS_OP_T, 4, 4, 2, a.list, 4, b.list, b.ld, &info,
                                    infos.device, COUNT));
    IS(NOT_SUPPORTED, blas<T>::gels(handle, CUBLAS_OP_N, 3, 4, 2, a.list, 4, b.list, b.ld, &info,
                                    infos.device, COUNT));
    IS(INVALID_VALUE,
       blas<T>::getrs(handle, CUBLAS_OP_N, 4, 2, a.list, 4, nullptr, b.list, 3, &info, COUNT));
    expect(info == -8, "getrs's ldb", info);
    IS(INVALID_VALUE, blas<T>::geqrf(handle, 4, 4, a.list, 4, b.list, &info, -1));
    expect(info == -7, "geqrf's batch", info);
    OK(blas<T>::getrs(handle, CUBLAS_OP_N, 0, 2, nullptr, 4, nullptr, nullptr, 3, &info, COUNT));
    IS(NOT_INITIALIZED, blas<T>::matinv(nullptr, 4, a.list, 4, a.list, 4, infos.device, COUNT));
}

template <class T> void precision(cublasHandle_t handle)
{
    for (int n : {1, 2, 7, 32, 45}) {
        solutions<T>(handle, n, true);
        solutions<T>(handle, n, false);
        inverses<T>(handle, n);
    }
    const int shapes[][2] = {{1, 1}, {5, 5}, {40, 9}, {150, 6}, {6, 40}};
    for (auto &s : shapes) {
        reflections<T>(handle, s[0], s[1]);
        if (s[0] >= s[1])
            least_squares<T>(handle, s[0], s[1]);
    }
    mistakes<T>(handle);
}

} // namespace

void blas_batches(cublasHandle_t handle)
{
    precision<float>(handle);
    precision<double>(handle);
    precision<cuComplex>(handle);
    precision<cuDoubleComplex>(handle);
}
