/* Inside cuBLAS: what its calls share. A call checks its arguments, then launches kernels whose
 * name ends with its precision. */
#ifndef EVGPU_CUDA_BLAS_BLAS_H
#define EVGPU_CUDA_BLAS_BLAS_H

#include <stdbool.h>
#include <stddef.h>

#include "sw/cuda/blas/shape.h"
#include "sw/cuda/include/cublas_v2.h"
#include "sw/cuda/library/call.h"
#include "sw/cuda/library/handles.h"

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

/* Of the largest part that a block leaves. */
#define BLAS_PART_BYTES (3 * sizeof(double))

/* call.c */
size_t blas_bytes(enum library_precision precision); /* of a number */
bool blas_precision(cudaDataType type,
                    enum library_precision *precision); /* false: there is none */
struct library_call blas_call(cublasHandle_t handle, enum library_precision precision);
cublasStatus_t blas_launch(struct library_call *call, const char *kernel, dim3 grid, dim3 block);
/* `to_host`: waits for the stream. */
cublasStatus_t blas_fetch(cublasHandle_t handle, void *to_host, const void *from, size_t bytes);

/* The kernels' struct factor: where a scalar is, or its value. */
struct blas_factor {
    const void *device;
    long long form; /* FACTOR_... */
    union {
        cuDoubleComplex complex; /* room for each precision */
        double twice;
        float single;
    } value;
};
/* The scalar is where the pointer mode says. With FACTOR_REAL it is the real part of a number of
 * the precision, else one of the precision. */
struct blas_factor blas_factor(cublasHandle_t handle, enum library_precision precision,
                               const void *scalar, int form);
struct blas_factor blas_one(enum library_precision precision);

/* --- level 1: vectors.c -------------------------------------------------------------------------
 */

struct blas_vectors {
    int n;
    const void *x;
    int incx;
    void *y; /* NULL: there is one */
    int incy;
};
/* A kernel of (n, x, incx[, y, incy][, first[, second]]), whose last parameters are not NULL. */
cublasStatus_t blas_over(cublasHandle_t handle, enum library_precision precision,
                         const char *kernel, const struct blas_vectors *v, const void *first,
                         const void *second);

/* A kernel that leaves parts, and the one that joins them to a number of a precision. */
struct blas_reduction {
    const char *kernel, *finish;
    enum library_precision precision;
    size_t bytes;
};
cublasStatus_t blas_reduce(cublasHandle_t handle, enum library_precision precision,
                           const struct blas_reduction *of, const struct blas_vectors *v,
                           void *result);

/* --- matrices: view.c ---------------------------------------------------------------------------
 */

/* The kernels' struct matrix. */
struct blas_matrix {
    const void *data;
    const void *list;
    long long row, column, stride, conjugated;
};
struct blas_matrix blas_turned(cublasOperation_t trans, const void *data, int ld);

/* The kernels' struct view. */
struct blas_view {
    struct blas_matrix all;
    int n, packing, below, above, half, mirror, unit;
};

/* A square matrix of which a half is stored: as a whole, as a band, or packed. */
struct blas_half {
    enum { HALF_FULL, HALF_BAND, HALF_PACKED } form;
    cublasFillMode_t uplo;
    int n, k, ld; /* k: of a band, elements beside the diagonal; ld: not of packed ones */
    const void *a;
};
bool blas_half_valid(const struct blas_half *half);
/* With MIRROR_NONE the other triangle is 0. */
struct blas_view blas_view(enum library_precision precision, const struct blas_half *half,
                           enum blas_mirror mirror);
/* op of a triangle or a band. */
void blas_turn(struct blas_view *view, cublasOperation_t trans);

/* level2.c: op(a) x = alpha b for `count` right-hand sides, which x replaces; without `solve`, b
 * becomes alpha op(a) b. Element i of the right-hand side r is b[r * next + i * step]. */
struct blas_triangle {
    struct blas_view a; /* op(a) */
    bool solve;
    int n;
    struct blas_factor alpha;
    void *b;
    const void *list; /* of `batch` b, in place of b */
    int count, batch;
    long long next, step;
};
cublasStatus_t blas_triangle(cublasHandle_t handle, enum library_precision precision,
                             const struct blas_triangle *t);

/* level3.c: c = alpha op(a) op(b) + beta c, `batch` times. */
struct blas_gemm {
    int m, n, k;
    const void *alpha, *beta;
    struct blas_matrix a, b;
    void *c;
    const void *c_list;
    long long stride_c;
    int ldc, fill, hermitian, batch;
};
/* choice.c. Side of the tile of a block, for c of a precision. Large tiles reuse more; small ones
 * fill the machine with a small matrix. */
unsigned int blas_tile(const struct blas_gemm *g, enum library_precision precision);
/* No product is rounded to fewer bits, whatever a type permits. */
cublasComputeType_t blas_exact(cublasComputeType_t type);
/* Checks the numbers and turns a and b, of these distances of columns. */
cublasStatus_t blas_gemm_check(cublasOperation_t transa, cublasOperation_t transb, int lda, int ldb,
                               struct blas_gemm *g);
struct blas_operands {
    const void *a, *b; /* the kernel's matrices or views */
    struct blas_factor alpha, beta;
};
/* A kernel for tiles of this side; of g's fields, what is in `o` does not count. */
cublasStatus_t blas_multiply(struct library_call *call, const char *kernel, unsigned int side,
                             const struct blas_gemm *g, const struct blas_operands *o);

/* sizes.c. A size of a call whose name ends in _64. */
struct blas_size {
    const char *name;
    int64_t value;
};
/* False: one has more than 32 bits; a line on stderr names it. */
bool blas_narrow(const char *call, const struct blas_size *sizes, size_t count);

#define BLAS_CHECK            LIBRARY_CHECK
#define BLAS_HANDLE(handle)   BLAS_CHECK(library_knows(handle), CUBLAS_STATUS_NOT_INITIALIZED)
#define BLAS_VALID(condition) BLAS_CHECK(condition, CUBLAS_STATUS_INVALID_VALUE)

static inline bool blas_is_fill(cublasFillMode_t fill)
{
    return fill == CUBLAS_FILL_MODE_LOWER || fill == CUBLAS_FILL_MODE_UPPER;
}
static inline bool blas_is_trans(cublasOperation_t trans)
{
    return trans == CUBLAS_OP_N || trans == CUBLAS_OP_T || trans == CUBLAS_OP_C;
}
static inline bool blas_is_diag(cublasDiagType_t diag)
{
    return diag == CUBLAS_DIAG_UNIT || diag == CUBLAS_DIAG_NON_UNIT;
}
static inline bool blas_is_side(cublasSideMode_t side)
{
    return side == CUBLAS_SIDE_LEFT || side == CUBLAS_SIDE_RIGHT;
}
static inline int blas_fill(cublasFillMode_t uplo)
{
    return uplo == CUBLAS_FILL_MODE_LOWER ? FILL_LOWER : FILL_UPPER;
}
/* A matrix with so many rows may have this distance of columns. */
static inline bool blas_fits(int ld, int rows)
{
    return ld >= (rows > 1 ? rows : 1);
}
static inline bool blas_is_complex(enum library_precision precision)
{
    return precision == LIBRARY_C || precision == LIBRARY_Z;
}

#pragma GCC visibility pop

#endif
