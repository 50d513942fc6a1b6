/* Inside cuSOLVER: what its calls share. A call checks its arguments, then launches kernels whose
 * name ends with its precision, and cuBLAS's products. */
#ifndef EVGPU_CUDA_SOLVER_SOLVER_H
#define EVGPU_CUDA_SOLVER_SOLVER_H

#include "sw/cuda/blas/blas.h"
#include "sw/cuda/include/cusolverDn.h"
#include "sw/cuda/solver/shape.h"

/* Not for programs. */
#pragma GCC visibility push(hidden)

struct cusolverDnContext {
    struct library library;
    cublasHandle_t blas;
    cudaStream_t stream;
};

/* A handle in a precision. */
struct dense {
    cusolverDnHandle_t handle;
    enum library_precision precision;
};

/* A matrix by columns. */
struct solver_matrix {
    void *data;
    int ld;
};

/* calls.c */
struct library_call solver_call(const struct dense *d);
cusolverStatus_t solver_launch(struct library_call *call, const char *kernel, unsigned int blocks,
                               unsigned int threads);
/* The matrix from row i and column j on. */
struct solver_matrix solver_at(const struct dense *d, struct solver_matrix a, int i, int j);
/* `count` numbers further. */
void *solver_behind(const struct dense *d, void *data, size_t count);
cusolverStatus_t solver_clear(const struct dense *d, int *info, int count);
/* A part of m x n numbers (enum blas_fill); the rest of `to` becomes 0. */
cusolverStatus_t solver_copy(const struct dense *d, const int size[2], enum blas_fill fill,
                             struct solver_matrix from, struct solver_matrix to);
cusolverStatus_t solver_identity(const struct dense *d, int m, int n, struct solver_matrix a);

/* products.c: cuBLAS's calls. b = op(a)^-1 b, or from the right. */
struct solver_triangle {
    cublasSideMode_t side;
    cublasFillMode_t uplo;
    cublasOperation_t trans;
    cublasDiagType_t diag;
    int m, n;
    struct solver_matrix a, b;
};
cusolverStatus_t solver_triangle(const struct dense *d, const struct solver_triangle *t);
/* `batch` of them, whose matrices are in lists on the device. */
cusolverStatus_t solver_triangles(const struct dense *d, const struct solver_triangle *t,
                                  int batch);
/* c -= a b, of m x k and k x n; `adjoint`: a is stored as k x m. */
struct solver_product {
    int m, n, k;
    bool adjoint;
    struct solver_matrix a, b, c;
};
cusolverStatus_t solver_product(const struct dense *d, const struct solver_product *p);
/* A triangle of c -= a a*, of n x k; `adjoint`: of c -= a* a, of k x n. */
struct solver_rank {
    cublasFillMode_t uplo;
    bool adjoint;
    int n, k;
    struct solver_matrix a, c;
};
cusolverStatus_t solver_rank(const struct dense *d, const struct solver_rank *r);

/* cholesky.c: of a matrix whose entries are less than `reach` columns beside a panel. */
cusolverStatus_t solver_factor_cholesky(const struct dense *d, cublasFillMode_t uplo, int n,
                                        int reach, struct solver_matrix a, int *info);

/* lu.c: p a = l u; pivots may be NULL. Then b = op(a)^-1 b. */
struct solver_lu {
    int m, n;
    struct solver_matrix a;
    int *pivots, *info;
};
struct solver_system {
    cublasOperation_t trans;
    int n, count;
    struct solver_matrix a, b;
    const int *pivots;
    int step; /* ints for each pivot: 2 of 64 bits, whose lower half comes first */
};
cusolverStatus_t solver_getrf(const struct dense *d, const struct solver_lu *lu);
cusolverStatus_t solver_getrs(const struct dense *d, const struct solver_system *s, int *info);

/* qr.c: lines of c (kernels.cu) by Q of k reflections, or its adjoint. */
struct solver_q {
    bool rows, adjoint; /* from the right */
    int m, n, k;        /* of c; reflections */
    struct solver_matrix a, c;
    const void *tau;
};
/* One panel of m rows. */
cusolverStatus_t solver_panel_qr(const struct dense *d, int m, int n, struct solver_matrix a,
                                 void *tau);
cusolverStatus_t solver_factor_qr(const struct dense *d, int m, int n, struct solver_matrix a,
                                  void *tau);
cusolverStatus_t solver_apply_q(const struct dense *d, const struct solver_q *q);

/* jacobi.c: the columns of w, m x n, become orthogonal, and v, n x n, or NULL, takes part. `info`
 * becomes 1 where they do not. Both lie without gaps. */
struct solver_columns {
    void *w, *v;
    int m, n;
};
cusolverStatus_t solver_orthogonal(const struct dense *d, const struct solver_columns *c,
                                   int *info);
/* The lengths of w's columns, less *shift, and columns in the order of their keys, from matrices
 * without gaps; shift, sorted, to.data may be NULL. */
cusolverStatus_t solver_lengths(const struct dense *d, const struct solver_columns *c,
                                const void *shift, void *lengths);
struct solver_order {
    int m, n, up;
    const void *key, *from;
    void *sorted;
    struct solver_matrix to;
};
cusolverStatus_t solver_arrange(const struct dense *d, const struct solver_order *o);

/* Returns the status from the calling function. */
#define SOLVER_CHECK(condition, status)                                                            \
    do {                                                                                           \
        if (!(condition))                                                                          \
            return (status);                                                                       \
    } while (0)
#define SOLVER_HANDLE(handle)   SOLVER_CHECK(handle, CUSOLVER_STATUS_NOT_INITIALIZED)
#define SOLVER_VALID(condition) SOLVER_CHECK(condition, CUSOLVER_STATUS_INVALID_VALUE)
/* Returns what a call returns, unless that is success. */
#define SOLVER_TRY(call)                                                                           \
    do {                                                                                           \
        cusolverStatus_t status_ = (call);                                                         \
        if (status_)                                                                               \
            return status_;                                                                        \
    } while (0)

#pragma GCC visibility pop

#endif
