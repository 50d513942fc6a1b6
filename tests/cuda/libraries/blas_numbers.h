// What the tests of cuBLAS share: numbers on host and device, matrices, pointer modes.
#ifndef BLAS_NUMBERS_H
#define BLAS_NUMBERS_H

#include <cuda_runtime.h>

#include <cmath>
#include <limits>
#include <vector>

#include "blas_parts.h"
#include "blas_values.h"

// Of a sum of some dozen products of numbers about 1.
template <class T> constexpr double tolerance()
{
    return 2e-5;
}
template <> constexpr double tolerance<double>()
{
    return 1e-13;
}
template <> constexpr double tolerance<cuDoubleComplex>()
{
    return 1e-13;
}
template <> constexpr double tolerance<__half>()
{
    return 1e-3;
}
template <> constexpr double tolerance<__nv_bfloat16>()
{
    return 8e-3;
}

inline double next_number()
{
    static unsigned seed = 7;
    seed = seed * 1664525u + 1013904223u;
    return (seed >> 8) / 8388608.0 - 1.0;
}
template <class T> T next()
{
    double x = next_number();
    return number<T>::made({x, next_number()});
}
// As T has it.
template <class T> wide rounded(wide x)
{
    return number<T>::value(number<T>::made(x));
}

// A handle, and the pointer mode that it has.
struct session {
    cublasHandle_t handle;
    bool on_device = false;

    explicit session(cublasHandle_t blas) : handle(blas)
    {
    }
    template <class T> void near(T got, wide want, const char *what, long at = 0)
    {
        double error = std::abs(number<T>::value(got) - want);
        expect(error <= tolerance<T>() * (1 + std::abs(want)), what, at);
    }
    // The other pointer mode.
    void turn()
    {
        on_device = !on_device;
        expect(cublasSetPointerMode(handle, on_device ? CUBLAS_POINTER_MODE_DEVICE
                                                      : CUBLAS_POINTER_MODE_HOST) ==
                   CUBLAS_STATUS_SUCCESS,
               "cublasSetPointerMode");
    }
};

// Numbers that host and device both have.
template <class T> struct numbers {
    std::vector<T> host;
    T *device = nullptr;
    explicit numbers(size_t n) : host(n)
    {
        for (T &x : host)
            x = next<T>();
        cudaMalloc(&device, n * sizeof(T));
        send();
    }
    explicit numbers(const std::vector<wide> &from) : numbers(from.size())
    {
        *this = from;
    }
    numbers(const numbers &) = delete;
    ~numbers()
    {
        cudaFree(device);
    }
    void operator=(const std::vector<wide> &from)
    {
        for (size_t i = 0; i < from.size(); i++)
            host[i] = number<T>::made(from[i]);
        send();
    }
    void send()
    {
        cudaMemcpy(device, host.data(), host.size() * sizeof(T), cudaMemcpyHostToDevice);
    }
    std::vector<wide> wides() const
    {
        std::vector<wide> out;
        for (T x : host)
            out.push_back(number<T>::value(x));
        return out;
    }
    // What lies between the elements must not change either; what is no number stays none.
    void check(session &s, const std::vector<wide> &want, const char *what) const
    {
        std::vector<T> have(host.size());
        cudaMemcpy(have.data(), device, have.size() * sizeof(T), cudaMemcpyDeviceToHost);
        for (size_t i = 0; i < have.size(); i++)
            if (std::isnan(want[i].real()))
                expect(std::isnan(number<T>::value(have[i]).real()), what, (long)i);
            else
                s.near(have[i], want[i], what, (long)i);
    }
};

// Scalars where the pointer mode wants them.
template <class T> struct scalars : numbers<T> {
    bool there;
    scalars(const session &s, const std::vector<wide> &values)
        : numbers<T>(values), there(s.on_device)
    {
    }
    T *at(int i = 0)
    {
        return there ? this->device + i : this->host.data() + i;
    }
    std::vector<wide> got()
    {
        if (there)
            cudaMemcpy(this->host.data(), this->device, this->host.size() * sizeof(T),
                       cudaMemcpyDeviceToHost);
        return this->wides();
    }
};

inline long at(int n, int increment, int i)
{
    return increment < 0 ? (long)(i + 1 - n) * increment : (long)i * increment;
}
inline wide nan_number()
{
    double none = std::numeric_limits<double>::quiet_NaN();
    return {none, none};
}
inline const char *letter(cublasOperation_t trans)
{
    return trans == CUBLAS_OP_N ? "N" : trans == CUBLAS_OP_T ? "T" : "C";
}

// A matrix on the host, all of whose elements are there.
struct dense {
    int rows, columns;
    std::vector<wide> at;
    dense(int m, int n) : rows(m), columns(n), at((size_t)m * n)
    {
    }
    wide &operator()(int i, int j)
    {
        return at[i + (size_t)j * rows];
    }
    wide operator()(int i, int j) const
    {
        return at[i + (size_t)j * rows];
    }
};
template <class T> dense random_dense(int m, int n)
{
    dense out(m, n);
    for (wide &x : out.at)
        x = number<T>::value(next<T>());
    return out;
}
inline dense op(const dense &a, cublasOperation_t trans)
{
    dense out(trans == CUBLAS_OP_N ? a.rows : a.columns, trans == CUBLAS_OP_N ? a.columns : a.rows);
    for (int j = 0; j < out.columns; j++)
        for (int i = 0; i < out.rows; i++)
            out(i, j) = trans == CUBLAS_OP_N   ? a(i, j)
                        : trans == CUBLAS_OP_T ? a(j, i)
                                               : std::conj(a(j, i));
    return out;
}
inline dense operator*(const dense &a, const dense &b)
{
    dense out(a.rows, b.columns);
    for (int j = 0; j < out.columns; j++)
        for (int k = 0; k < a.columns; k++)
            for (int i = 0; i < out.rows; i++)
                out(i, j) += a(i, k) * b(k, j);
    return out;
}
inline dense sum(wide alpha, const dense &a, wide beta, const dense &b)
{
    dense out(a.rows, a.columns);
    for (size_t i = 0; i < out.at.size(); i++)
        out.at[i] = alpha * a.at[i] + beta * b.at[i];
    return out;
}
// In memory, ld apart; what is behind a column is no number.
inline std::vector<wide> stored(const dense &a, int ld)
{
    std::vector<wide> out((size_t)ld * a.columns, nan_number());
    for (int j = 0; j < a.columns; j++)
        for (int i = 0; i < a.rows; i++)
            out[i + (size_t)j * ld] = a(i, j);
    return out;
}
// ... with no numbers where the other half is.
inline std::vector<wide> stored_half(const dense &a, int ld, cublasFillMode_t uplo)
{
    std::vector<wide> out = stored(a, ld);
    for (int j = 0; j < a.columns; j++)
        for (int i = 0; i < a.rows; i++)
            if (uplo == CUBLAS_FILL_MODE_LOWER ? i < j : i > j)
                out[i + (size_t)j * ld] = nan_number();
    return out;
}

#define EACH_FILL                                                                                  \
    {                                                                                              \
        CUBLAS_FILL_MODE_LOWER, CUBLAS_FILL_MODE_UPPER                                             \
    }
#define EACH_TRANS                                                                                 \
    {                                                                                              \
        CUBLAS_OP_N, CUBLAS_OP_T, CUBLAS_OP_C                                                      \
    }
#define EACH_DIAG                                                                                  \
    {                                                                                              \
        CUBLAS_DIAG_NON_UNIT, CUBLAS_DIAG_UNIT                                                     \
    }
#define EACH_SIDE                                                                                  \
    {                                                                                              \
        CUBLAS_SIDE_LEFT, CUBLAS_SIDE_RIGHT                                                        \
    }

#endif
