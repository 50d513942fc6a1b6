// What the tests of cuBLASLt share: elements, buffers, stored matrices.
#ifndef LT_PARTS_H
#define LT_PARTS_H

#include <cublasLt.h>

#include "blas_numbers.h"

extern cublasLtHandle_t handle;
void lt_transforms();
void lt_algorithms();

// Elements of each type; signed bytes and ints are whole.
template <class E> wide value(E x)
{
    return number<E>::value(x);
}
template <class E> E made(wide x)
{
    return number<E>::made(x);
}
template <> inline signed char made(wide x)
{
    return (signed char)std::nearbyint(std::min(127.0, std::max(-128.0, x.real())));
}

template <class E> struct buffer {
    std::vector<E> host;
    E *device = nullptr;
    explicit buffer(size_t n, double scale = 1) : host(n)
    {
        for (E &x : host) {
            double re = next_number();
            x = made<E>(wide(re, next_number()) * scale);
        }
        cudaMalloc(&device, n * sizeof(E));
        send();
    }
    ~buffer()
    {
        cudaFree(device);
    }
    void send()
    {
        cudaMemcpy(device, host.data(), host.size() * sizeof(E), cudaMemcpyHostToDevice);
    }
    std::vector<E> got() const
    {
        std::vector<E> out(host.size());
        cudaMemcpy(out.data(), device, out.size() * sizeof(E), cudaMemcpyDeviceToHost);
        return out;
    }
};

// A stored matrix: `by_rows`, its lines `pad` further apart than they are long.
struct shape {
    cudaDataType type;
    int rows, columns;
    bool by_rows;
    int pad, batch;
    int ld() const
    {
        return (by_rows ? columns : rows) + pad;
    }
    size_t stride() const
    {
        return (size_t)ld() * (by_rows ? rows : columns) + 5;
    }
    size_t at(int z, int i, int j) const
    {
        return z * stride() + (by_rows ? (size_t)i * ld() + j : (size_t)j * ld() + i);
    }
    cublasLtMatrixLayout_t layout() const
    {
        cublasLtMatrixLayout_t made;
        int32_t order = by_rows ? CUBLASLT_ORDER_ROW : CUBLASLT_ORDER_COL, count = batch;
        int64_t apart = (int64_t)stride();
        OK(cublasLtMatrixLayoutCreate(&made, type, rows, columns, ld()));
        OK(cublasLtMatrixLayoutSetAttribute(made, CUBLASLT_MATRIX_LAYOUT_ORDER, &order,
                                            sizeof order));
        OK(cublasLtMatrixLayoutSetAttribute(made, CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT, &count,
                                            sizeof count));
        OK(cublasLtMatrixLayoutSetAttribute(made, CUBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET,
                                            &apart, sizeof apart));
        return made;
    }
};

#endif
