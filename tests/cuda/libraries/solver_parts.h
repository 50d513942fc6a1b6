// What the tests of cuSOLVER share: matrices of every type on host and device, the host's products.
#ifndef SOLVER_PARTS_H
#define SOLVER_PARTS_H

#include <cuda_runtime.h>
#include <cusolverDn.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "blas_values.h"
#include "checks.h"

#define OK(call)         expect((call) == CUSOLVER_STATUS_SUCCESS, #call, __LINE__)
#define IS(status, call) expect((call) == CUSOLVER_STATUS_##status, #call, __LINE__)

void solver_factors(cusolverDnHandle_t handle);
void solver_spectrum(cusolverDnHandle_t handle);
void solver_wide(cusolverDnHandle_t handle);
void solver_general(cusolverDnHandle_t handle);
void solver_pencils(cusolverDnHandle_t handle);
void solver_rotations(cusolverDnHandle_t handle);
void solver_sparse(); // has its own handle
void solver_orders(); // these, too
void solver_refactor();

// Times the number of rows and the largest number.
template <class T> constexpr double tolerance()
{
    return sizeof(T) / (number<T>::is_complex ? 2 : 1) == 4 ? 1e-6 : 1e-14;
}
template <class T> struct real_of {
    typedef T type;
};
template <> struct real_of<cuComplex> {
    typedef float type;
};
template <> struct real_of<cuDoubleComplex> {
    typedef double type;
};

inline double next_number()
{
    static unsigned seed = 11;
    seed = seed * 1664525u + 1013904223u;
    return (seed >> 8) / 8388608.0 - 1.0;
}

struct dense { // on the host, by columns
    int m, n;
    std::vector<wide> all;
    dense(int rows, int columns) : m(rows), n(columns), all((size_t)rows * columns)
    {
    }
    wide &operator()(int i, int j)
    {
        return all[(size_t)j * m + i];
    }
    wide operator()(int i, int j) const
    {
        return all[(size_t)j * m + i];
    }
    double most() const
    {
        double x = 0;
        for (wide e : all)
            x = std::max(x, std::abs(e));
        return x;
    }
};

// As T has the numbers, which are real for a real T.
template <class T> dense random_matrix(int m, int n)
{
    dense a(m, n);
    for (wide &x : a.all) {
        double re = next_number();
        x = number<T>::value(number<T>::made({re, next_number()}));
    }
    return a;
}
inline dense identity(int n)
{
    dense a(n, n);
    for (int i = 0; i < n; i++)
        a(i, i) = 1;
    return a;
}
inline dense operator*(const dense &a, const dense &b)
{
    dense c(a.m, b.n);
    for (int j = 0; j < b.n; j++)
        for (int k = 0; k < a.n; k++)
            for (int i = 0; i < a.m; i++)
                c(i, j) += a(i, k) * b(k, j);
    return c;
}
inline dense adjoint(const dense &a, bool conjugated = true)
{
    dense t(a.n, a.m);
    for (int i = 0; i < a.m; i++)
        for (int j = 0; j < a.n; j++)
            t(j, i) = conjugated ? std::conj(a(i, j)) : a(i, j);
    return t;
}
inline dense part(const dense &a, int rows, int columns)
{
    dense p(rows, columns);
    for (int j = 0; j < columns; j++)
        for (int i = 0; i < rows; i++)
            p(i, j) = a(i, j);
    return p;
}
// Its triangle; `unit`: with ones on the diagonal.
inline dense triangle(const dense &a, bool lower, bool unit = false)
{
    dense t = a;
    for (int j = 0; j < a.n; j++)
        for (int i = 0; i < a.m; i++)
            if (lower ? i < j : i > j)
                t(i, j) = 0;
            else if (unit && i == j)
                t(i, j) = 1;
    return t;
}
template <class T> void near(const dense &got, const dense &want, const char *what)
{
    double allowed = tolerance<T>() * (got.m + 20) * (1 + want.most());
    expect(got.m == want.m && got.n == want.n, what);
    for (int j = 0; j < want.n; j++)
        for (int i = 0; i < want.m; i++)
            expect(std::abs(got(i, j) - want(i, j)) <= allowed, what, i + 1000L * j);
}
template <class T> void orthogonal(const dense &q, const char *what)
{
    near<T>(adjoint(q) * q, identity(q.n), what);
}

template <class T> dense hermitian(int n)
{
    dense b = random_matrix<T>(n, n), a = adjoint(b);
    for (size_t i = 0; i < a.all.size(); i++)
        a.all[i] += b.all[i];
    return a;
}
template <class V> dense diagonal(const std::vector<V> &values)
{
    dense d((int)values.size(), (int)values.size());
    for (int i = 0; i < d.n; i++)
        d(i, i) = values[i];
    return d;
}

// On the device, with a gap behind each column, which must stay.
template <class T> struct matrix {
    static constexpr int gap = 3;
    int m, n, ld;
    T *device = nullptr;
    explicit matrix(const dense &a) : m(a.m), n(a.n), ld(a.m + gap)
    {
        std::vector<T> out((size_t)ld * n + 1);
        for (size_t i = 0; i < out.size(); i++)
            out[i] = number<T>::made((double)(i % 7));
        for (int j = 0; j < n; j++)
            for (int i = 0; i < m; i++)
                out[(size_t)j * ld + i] = number<T>::made(a(i, j));
        cudaMalloc(&device, out.size() * sizeof(T));
        cudaMemcpy(device, out.data(), out.size() * sizeof(T), cudaMemcpyHostToDevice);
    }
    matrix(int rows, int columns) : matrix(dense(rows, columns))
    {
    }
    matrix(const matrix &) = delete;
    ~matrix()
    {
        cudaFree(device);
    }
    dense got() const
    {
        std::vector<T> in((size_t)ld * n + 1);
        dense a(m, n);
        cudaMemcpy(in.data(), device, in.size() * sizeof(T), cudaMemcpyDeviceToHost);
        for (int j = 0; j < n; j++)
            for (int i = 0; i < ld; i++)
                if (i < m)
                    a(i, j) = number<T>::value(in[(size_t)j * ld + i]);
                else
                    expect(number<T>::value(in[(size_t)j * ld + i]) ==
                               (double)(((size_t)j * ld + i) % 7),
                           "a gap between columns", j);
        return a;
    }
};

template <class T> struct room { // of plain values on the device
    T *device = nullptr;
    size_t count;
    explicit room(size_t n) : count(n)
    {
        cudaMalloc(&device, (n + 1) * sizeof(T));
        cudaMemset(device, 0x55, (n + 1) * sizeof(T));
    }
    room(const room &) = delete;
    ~room()
    {
        cudaFree(device);
    }
    std::vector<T> got() const
    {
        std::vector<T> out(count);
        cudaMemcpy(out.data(), device, count * sizeof(T), cudaMemcpyDeviceToHost);
        return out;
    }
};

// The calls of one precision under one name.
template <class T> struct solver;
#define SOLVER(T, R, mqr_, gqr_, e_, g_)                                                           \
    template <> struct solver<T> {                                                                 \
        static constexpr auto potrf_size = cusolverDn##R##potrf_bufferSize;                        \
        static constexpr auto potrf = cusolverDn##R##potrf;                                        \
        static constexpr auto potrs = cusolverDn##R##potrs;                                        \
        static constexpr auto potri_size = cusolverDn##R##potri_bufferSize;                        \
        static constexpr auto potri = cusolverDn##R##potri;                                        \
        static constexpr auto potrf_batched = cusolverDn##R##potrfBatched;                         \
        static constexpr auto potrs_batched = cusolverDn##R##potrsBatched;                         \
        static constexpr auto getrf_size = cusolverDn##R##getrf_bufferSize;                        \
        static constexpr auto getrf = cusolverDn##R##getrf;                                        \
        static constexpr auto getrs = cusolverDn##R##getrs;                                        \
        static constexpr auto geqrf_size = cusolverDn##R##geqrf_bufferSize;                        \
        static constexpr auto geqrf = cusolverDn##R##geqrf;                                        \
        static constexpr auto mqr_size = cusolverDn##R##mqr_##_bufferSize;                         \
        static constexpr auto mqr = cusolverDn##R##mqr_;                                           \
        static constexpr auto gqr_size = cusolverDn##R##gqr_##_bufferSize;                         \
        static constexpr auto gqr = cusolverDn##R##gqr_;                                           \
        static constexpr auto gesvd_size = cusolverDn##R##gesvd_bufferSize;                        \
        static constexpr auto gesvd = cusolverDn##R##gesvd;                                        \
        static constexpr auto evd_size = cusolverDn##R##e_##vd_bufferSize;                         \
        static constexpr auto evd = cusolverDn##R##e_##vd;                                         \
        static constexpr auto evdx_size = cusolverDn##R##e_##vdx_bufferSize;                       \
        static constexpr auto evdx = cusolverDn##R##e_##vdx;                                       \
        static constexpr auto evj_size = cusolverDn##R##e_##vj_bufferSize;                         \
        static constexpr auto evj = cusolverDn##R##e_##vj;                                         \
        static constexpr auto evj_batched_size = cusolverDn##R##e_##vjBatched_bufferSize;          \
        static constexpr auto evj_batched = cusolverDn##R##e_##vjBatched;                          \
        static constexpr auto gvd_size = cusolverDn##R##g_##vd_bufferSize;                         \
        static constexpr auto gvd = cusolverDn##R##g_##vd;                                         \
        static constexpr auto gvdx_size = cusolverDn##R##g_##vdx_bufferSize;                       \
        static constexpr auto gvdx = cusolverDn##R##g_##vdx;                                       \
        static constexpr auto gvj_size = cusolverDn##R##g_##vj_bufferSize;                         \
        static constexpr auto gvj = cusolverDn##R##g_##vj;                                         \
        static constexpr auto gesvdj_size = cusolverDn##R##gesvdj_bufferSize;                      \
        static constexpr auto gesvdj = cusolverDn##R##gesvdj;                                      \
        static constexpr auto gesvdj_batched_size = cusolverDn##R##gesvdjBatched_bufferSize;       \
        static constexpr auto gesvdj_batched = cusolverDn##R##gesvdjBatched;                       \
        static constexpr auto gesvda_size = cusolverDn##R##gesvdaStridedBatched_bufferSize;        \
        static constexpr auto gesvda = cusolverDn##R##gesvdaStridedBatched;                        \
    };
SOLVER(float, S, ormqr, orgqr, sye, syg)
SOLVER(double, D, ormqr, orgqr, sye, syg)
SOLVER(cuComplex, C, unmqr, ungqr, hee, heg)
SOLVER(cuDoubleComplex, Z, unmqr, ungqr, hee, heg)

#endif
