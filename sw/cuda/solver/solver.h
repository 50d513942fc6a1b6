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
/* Of a number without its imaginary part, as eigenvalues and singular values are. */
size_t solver_real_bytes(const struct dense *d);
/* What a ..._bufferSize answers, if its arguments are `valid`. */
cusolverStatus_t solver_tell_size(cusolverDnHandle_t handle, bool valid, size_t numbers,
                                  int *lwork);
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
/* b = op(a) b, or from the right. */
cusolverStatus_t solver_triangle_times(const struct dense *d, const struct solver_triangle *t);
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

/* What a program may choose for rotations, and what it hears of them: at `report`, on the device.
 */
struct solver_report {
    double residual;
    int sweeps;
};
struct solver_limits {
    double tolerance; /* of the cosine of two columns; 0: rounding */
    int sweeps;
    bool unsorted;
    struct solver_report *report; /* or NULL */
};

/* jacobi.c: the columns of w, m x n, become orthogonal, and v, n x n, or NULL, takes part. `info`
 * becomes 1 where they do not. Both lie without gaps. */
struct solver_columns {
    void *w, *v;
    int m, n;
    const struct solver_limits *limits; /* NULL: the usual ones */
};
cusolverStatus_t solver_orthogonal(const struct dense *d, const struct solver_columns *c,
                                   int *info);
/* The lengths of w's columns, less *shift, and columns in the order of their keys, from matrices
 * without gaps; shift, sorted, to.data may be NULL. */
cusolverStatus_t solver_lengths(const struct dense *d, const struct solver_columns *c,
                                const void *shift, void *lengths);
struct solver_order {
    int m, n, up; /* -1: as they are */
    const void *key, *from;
    void *sorted;
    struct solver_matrix to;
};
cusolverStatus_t solver_arrange(const struct dense *d, const struct solver_order *o);
/* What of w*w is beside the diagonal goes to the limits' report, if there is one; `scratch`: of n
 * numbers. */
cusolverStatus_t solver_residual(const struct dense *d, const struct solver_columns *c,
                                 void *scratch);

/* eigen.c: a = V W V* of a Hermitian matrix, whose vectors go to `vectors` (data NULL: nowhere),
 * which may be a. */
struct solver_eigen {
    cublasFillMode_t uplo;
    int n;
    struct solver_matrix a, vectors;
    void *values;
    int *info;
    void *work; /* solver_eigen_numbers */
    const struct solver_limits *limits;
};
size_t solver_eigen_numbers(int n);
cusolverStatus_t solver_eigenvalues(const struct dense *d, const struct solver_eigen *e);
bool solver_is_eigen(cusolverEigMode_t job, cublasFillMode_t uplo, int n, int lda);
/* The whole of a Hermitian matrix of which a triangle is stored, without gaps, with *shift on its
 * diagonal, or NULL. */
cusolverStatus_t solver_whole(const struct dense *d, const struct solver_eigen *e,
                              const void *shift, void *to);

/* gesvd.c: a = U S V*, m >= n. */
struct solver_svd {
    signed char jobu, jobvt;
    int m, n;
    struct solver_matrix a, u, vt;
    void *values;
    int *info;
    void *work; /* solver_svd_numbers */
    const struct solver_limits *limits;
};
size_t solver_svd_numbers(int m, int n);
cusolverStatus_t solver_singular(const struct dense *d, const struct solver_svd *s);

/* pencil.c: eigenvalues of a x = w b x and its like. b becomes its factor. */
struct solver_pencil {
    cusolverEigType_t type;
    cusolverEigMode_t job;
    struct solver_eigen e; /* work: solver_pencil_numbers */
    struct solver_matrix b;
};
size_t solver_pencil_numbers(int n);
cusolverStatus_t solver_pencil(const struct dense *d, const struct solver_pencil *p);
bool solver_is_pencil(const struct solver_pencil *p);

/* range.c: some of the eigenvalues: those above one limit and up to the other, or by numbers from
 * 1. Their number goes to *count. p->type 0: of the matrix alone. */
struct solver_range {
    cusolverEigRange_t range;
    double above, upto;
    int64_t first, last;
};
size_t solver_range_numbers(int n);
bool solver_is_range(const struct solver_range *r, int n);
cusolverStatus_t solver_some(const struct dense *d, const struct solver_pencil *p,
                             const struct solver_range *r, int *count);

/* rotations.c: what a program has chosen, of eigenvalues and singular values alike. A call of a
 * batch leaves no report. */
struct solver_rotations {
    double tolerance;
    int sweeps, unsorted;
    struct solver_report *report; /* on the device, from the first call on */
    bool reported;
};
cusolverStatus_t solver_limits_of(struct solver_rotations *chosen, bool batch,
                                  struct solver_limits *limits);
struct syevjInfo {
    struct solver_rotations rotations;
};
struct gesvdjInfo {
    struct solver_rotations rotations;
};

/* settle.c: `info` becomes n + *factor, else `failed` where it was not 0; factor may be NULL. */
cusolverStatus_t solver_settle(const struct dense *d, int n, const int *factor, int failed,
                               int *info);
/* to, n x m, becomes the adjoint of `from`, m x n. */
cusolverStatus_t solver_adjoint(const struct dense *d, int m, int n, struct solver_matrix from,
                                struct solver_matrix to);

#define SOLVER_CHECK            LIBRARY_CHECK
#define SOLVER_HANDLE(handle)   SOLVER_CHECK(library_knows(handle), CUSOLVER_STATUS_NOT_INITIALIZED)
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
