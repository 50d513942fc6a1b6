/* Inside cuBLAS: what its calls share. A call checks its arguments, then launches kernels whose
 * name ends with its precision. */
#ifndef EVGPU_CUDA_BLAS_BLAS_H
#define EVGPU_CUDA_BLAS_BLAS_H

#include <stdbool.h>
#include <stddef.h>

#include "sw/cuda/blas/shape.h"
#include "sw/cuda/include/cublas_v2.h"
#include "sw/cuda/library/call.h"

/* Not for programs. */
#pragma GCC visibility push(hidden)

struct cublasContext {
    struct library library;
    cudaStream_t stream;
    cublasPointerMode_t pointers;
    cublasAtomicsMode_t atomics;
    cublasMath_t math;
    void *parts; /* on the device: of REDUCE_BLOCKS blocks, then a result for the host */
};

static inline size_t blas_bytes(enum library_precision precision)
{
    return precision == LIBRARY_S ? sizeof(float) : sizeof(double);
}

/* Of the largest part that a block leaves. */
#define BLAS_PART_BYTES (2 * sizeof(double))

/* call.c */
struct library_call blas_call(cublasHandle_t handle, enum library_precision precision);
cublasStatus_t blas_launch(struct library_call *call, const char *kernel, dim3 grid, dim3 block);

/* level2.c: op(a) x = alpha b for `count` right-hand sides, which x replaces. Element i of the
 * right-hand side r is b[r * next + i * step]. */
struct blas_triangle {
    cublasFillMode_t uplo;
    cublasOperation_t trans;
    bool unit;
    int n, lda;
    const void *a, *alpha; /* alpha NULL: 1 */
    void *b;
    int count;
    long long next, step;
};
cublasStatus_t blas_solve(cublasHandle_t handle, enum library_precision precision,
                          const struct blas_triangle *t);

/* level3.c: the kernels' struct matrix. */
struct blas_matrix {
    const void *data;
    const void *list;
    long long row, column, stride;
};
/* c = alpha op(a) op(b) + beta c, `batch` times. */
struct blas_gemm {
    int m, n, k;
    const void *alpha, *beta;
    struct blas_matrix a, b;
    void *c;
    const void *c_list;
    long long stride_c;
    int ldc, fill, batch;
};
/* Checks the numbers and turns a and b, of these distances of columns. */
cublasStatus_t blas_gemm_check(cublasOperation_t transa, cublasOperation_t transb, int lda, int ldb,
                               struct blas_gemm *g);
/* Of a block. Large tiles reuse more; small ones fill the machine with a small matrix. */
unsigned int blas_tile_side(const struct blas_gemm *g);

/* Returns the status from the calling function. */
#define BLAS_CHECK(condition, status)                                                              \
    do {                                                                                           \
        if (!(condition))                                                                          \
            return (status);                                                                       \
    } while (0)
#define BLAS_HANDLE(handle)   BLAS_CHECK(handle, CUBLAS_STATUS_NOT_INITIALIZED)
#define BLAS_VALID(condition) BLAS_CHECK(condition, CUBLAS_STATUS_INVALID_VALUE)

static inline bool blas_is_fill(cublasFillMode_t fill)
{
    return fill == CUBLAS_FILL_MODE_LOWER || fill == CUBLAS_FILL_MODE_UPPER;
}
static inline bool blas_is_trans(cublasOperation_t trans)
{
    return trans == CUBLAS_OP_N || trans == CUBLAS_OP_T || trans == CUBLAS_OP_C;
}
/* A matrix with so many rows may have this distance of columns. */
static inline bool blas_fits(int ld, int rows)
{
    return ld >= (rows > 1 ? rows : 1);
}

#pragma GCC visibility pop

#endif
