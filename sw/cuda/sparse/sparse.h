/* Inside cuSPARSE: handles, descriptions, and what its calls share. */
#ifndef EVGPU_CUDA_SPARSE_SPARSE_H
#define EVGPU_CUDA_SPARSE_SPARSE_H

#include <stdbool.h>
#include <stddef.h>

#include "sw/cuda/include/cusparse.h"
#include "sw/cuda/library/call.h"
#include "sw/cuda/library/handles.h"
#include "sw/cuda/sparse/shape.h"

/* Not for programs. */
#pragma GCC visibility push(hidden)

struct cusparseContext {
    struct library library;
    cudaStream_t stream;
    cusparsePointerMode_t pointers;
};

struct cusparseDnVecDescr {
    int64_t size;
    void *values;
    cudaDataType type;
};

struct cusparseSpVecDescr {
    int64_t size, nnz;
    void *indices, *values;
    cusparseIndexType_t index;
    cusparseIndexBase_t base;
    cudaDataType type;
};

struct cusparseDnMatDescr {
    int64_t rows, columns, ld;
    void *values;
    cudaDataType type;
    cusparseOrder_t order;
    int batch; /* matrices, values so many apart; 0: one */
    int64_t stride;
};

/* Counts fit an int, also where indices have 64 bits. */
struct cusparseSpMatDescr {
    cusparseFormat_t format;
    bool wide_offsets, wide_indices; /* have 64 bits */
    int64_t rows, columns, nnz;
    void *offsets; /* CSR and CSC: of rows or columns; COO: the row of each entry */
    void *indices; /* COO: the columns */
    void *values;
    cusparseIndexBase_t base;
    cudaDataType type;
    cusparseFillMode_t fill;
    cusparseDiagType_t diag;
    int batch; /* matrices, offsets and entries so many apart; 0: one */
    int64_t offsets_stride, stride;
    struct sparse_blocks blocks; /* its shape; height 0: no blocks */
};

struct cusparseMatDescr {
    cusparseMatrixType_t type;
    cusparseFillMode_t fill;
    cusparseDiagType_t diag;
    cusparseIndexBase_t base;
};

/* handle.c: what a call has made for the program is known from now on; NULL: there was no memory.
 */
cusparseStatus_t sparse_keep(void *made);

/* --- call.c ------------------------------------------------------------------------------------
 */

struct library_call sparse_call(cusparseHandle_t handle, cudaDataType type);
/* Every kernel has blocks of SPARSE_THREADS threads. */
cusparseStatus_t sparse_launch(struct library_call *call, const char *kernel, dim3 grid);
/* A kernel of both precisions. */
cusparseStatus_t sparse_launch_plain(struct library_call *call, const char *kernel, dim3 grid);
/* Blocks with a thread for each of n elements; kernels take further elements in turn. */
dim3 sparse_over(long long n);
/* Of a value, which is a half, a float or a double. */
size_t sparse_value_bytes(cudaDataType type);
/* Threads that share a row, a power of two up to a warp: each has some entries. */
int sparse_lanes(int64_t rows, int64_t nnz);

/* Copies an int from the device; waits for the stream. */
cusparseStatus_t sparse_fetch(cusparseHandle_t handle, int *to_host, const int *from);

/* --- describe.c: matrix i of a batch; a single one is all of them --------------------------------
 */

struct cusparseSpMatDescr sparse_member(const struct cusparseSpMatDescr *batch, int i);
struct cusparseDnMatDescr sparse_dense_member(const struct cusparseDnMatDescr *batch, int i);
/* How many matrices a call has, or 0: they differ. */
int sparse_batch(int a, int b, int c);

/* --- wide.c: indices of 64 bits; the kernels compute with 32 ------------------------------------
 */

static inline bool sparse_is_wide(const struct cusparseSpMatDescr *a)
{
    return a->wide_offsets || a->wide_indices;
}
size_t sparse_narrow_bytes(const struct cusparseSpMatDescr *a);
/* The matrix with indices of 32 bits, which lie in the buffer; the buffer then begins behind them.
 */
cusparseStatus_t sparse_narrow(cusparseHandle_t handle, const struct cusparseSpMatDescr *a,
                               void **buffer, struct cusparseSpMatDescr *narrow);
/* to[i] = from[i] + base. */
cusparseStatus_t sparse_widen(cusparseHandle_t handle, int n, int base, const int *from, void *to);

/* --- dense.c: vectors as matrices of one column ------------------------------------------------
 */

struct sparse_dense {
    struct sparse_lines lines;
    int64_t rows, columns;
    cudaDataType type;
};
struct sparse_dense sparse_of_vector(cusparseDnVecDescr_t vector);
struct sparse_dense sparse_of_matrix(cusparseDnMatDescr_t matrix, cusparseOperation_t op);

/* --- turned.c: op(a) row by row ----------------------------------------------------------------
 */

/* The matrix has the rows of op(a) as it is. */
bool sparse_has_rows(cusparseOperation_t op, const struct cusparseSpMatDescr *a);
size_t sparse_turned_bytes(cusparseOperation_t op, cusparseSpMatDescr_t a);
/* What has no rows (in blocks: slices alone) is put into the buffer, of turned_bytes; entries of a
 * row are in the order in which the matrix has them. */
cusparseStatus_t sparse_turned(cusparseHandle_t handle, cusparseOperation_t op,
                               cusparseSpMatDescr_t a, void *buffer, struct sparse_rows *rows);
struct sparse_entries sparse_entries_of(cusparseOperation_t op, const struct cusparseSpMatDescr *a);
/* Of n counts, where each ends; the end of all behind them. */
cusparseStatus_t sparse_ends(cusparseHandle_t handle, int n, int *counts);
/* Of nnz entries the offsets of `rows` rows, from 0, and in these their columns and numbers. */
cusparseStatus_t sparse_put_into_rows(cusparseHandle_t handle, const struct sparse_entries *from,
                                      int rows, int nnz, int *offsets, int *columns, int *order);

/* --- convert.c ---------------------------------------------------------------------------------
 */

/* Indices from 0 become those from `base`. */
cusparseStatus_t sparse_rebase(cusparseHandle_t handle, int n, int base, int *indices);
/* to[i] = from[order[i]], of n numbers; the kernel's name ends with their bytes. */
cusparseStatus_t sparse_reorder(cusparseHandle_t handle, const char *kernel, int n,
                                const int *order, const void *from, void *to);

/* --- multiply.c, blocked.c
 * ------------------------------------------------------------------------
 */

struct sparse_product { /* y = alpha op(a) x + beta y */
    cusparseOperation_t op;
    cusparseSpMatDescr_t a;
    const void *alpha, *beta;
    struct sparse_dense x, y;
    cudaDataType compute;
};
/* Columns of a kernel's grid at most; further ones are taken in turn. */
#define SPARSE_COLUMNS_MOST 1024u
/* The product by this kernel, whose first argument, the matrix, `call` has already. */
cusparseStatus_t sparse_launch_product(struct library_call *call, const char *kernel,
                                       const struct sparse_product *p);
/* Of a matrix in blocks, as it is. */
cusparseStatus_t sparse_multiply_blocks(cusparseHandle_t handle, const struct sparse_product *p);
bool sparse_is_blocked(const struct cusparseSpMatDescr *a);
struct sparse_blocks sparse_blocks_of(const struct cusparseSpMatDescr *a);
int64_t sparse_group_count(const struct cusparseSpMatDescr *a); /* of rows */
int64_t sparse_block_count(const struct cusparseSpMatDescr *a); /* whose columns are stored */

/* --- levels.c: rows that do not wait for each other ---------------------------------------------
 */

struct sparse_levels {
    const int *list, *starts; /* on the device */
    struct sparse_step {
        int first, last; /* levels of a launch */
        int rows;        /* of the widest */
    } * steps;
    size_t n_steps;
    int no_diagonal; /* the first row without a diagonal entry, from 0, or SPARSE_NO_ROW */
    bool ascending;  /* columns of each row */
};

size_t sparse_levels_bytes(int64_t rows);
/* Finds the levels of a square matrix' lower or upper triangle; waits for the stream. `buffer` on
 * the device is of levels_bytes. Frees what an earlier call has found. */
cusparseStatus_t sparse_levels_find(cusparseHandle_t handle, const struct sparse_rows *rows,
                                    int64_t nnz, bool lower, int lanes, void *buffer,
                                    struct sparse_levels *levels);
void sparse_levels_free(struct sparse_levels *levels);
/* Blocks of a launch, by threads of a row. */
dim3 sparse_step_grid(const struct sparse_step *step, int lanes);

/* --- triangle.c: solutions of op(a) x = alpha b ------------------------------------------------
 */

/* What the analysis found; freed by sparse_levels_free of `levels`. */
struct sparse_triangle {
    bool analysed, lower; /* of op(a) */
    cusparseOperation_t op;
    struct sparse_rows rows; /* of op(a) */
    struct sparse_levels levels;
    int lanes;
};

struct sparse_solution {
    cusparseOperation_t op;
    cusparseSpMatDescr_t a;
    const void *alpha;
    struct sparse_dense b, x;
    cudaDataType compute;
    int *pivot; /* on the device, or NULL: gets the least row that is divided by 0 */
};

/* Of the buffer: a transposed matrix, the levels. */
size_t sparse_triangle_bytes(cusparseOperation_t op, cusparseSpMatDescr_t a);
cusparseStatus_t sparse_triangle_check(const struct sparse_solution *s);
/* Waits for the stream. The buffer stays in use. */
cusparseStatus_t sparse_triangle_analyse(cusparseHandle_t handle, const struct sparse_solution *s,
                                         void *buffer, struct sparse_triangle *t);
cusparseStatus_t sparse_triangle_solve(cusparseHandle_t handle, const struct sparse_solution *s,
                                       const struct sparse_triangle *t);

/* --- spgemm.c: products of sparse matrices ------------------------------------------------------
 */

/* What one call leaves for the next one. */
struct cusparseSpGEMMDescr {
    int *ends;   /* in the first buffer: of each row's products; those of c's rows follow */
    int *places; /* in the second one: columns, order, then values of products */
    int *from;   /* for reuse, in a third one: the entry of a, and that of b, of each product */
    int products;
};

struct sparse_pairs {
    cusparseOperation_t op_a, op_b;
    const void *alpha, *beta;
    cusparseSpMatDescr_t a, b, c;
    cudaDataType compute;
    cusparseSpGEMMAlg_t alg;
    cusparseSpGEMMDescr_t state;
};
cusparseStatus_t sparse_pairs_check(const struct sparse_pairs *p);
bool sparse_is_complete(const struct cusparseSpMatDescr *a);
struct sparse_rows sparse_rows_of(const struct cusparseSpMatDescr *a);
/* The caller asks for the bytes of a buffer with NULL, and states those of its own. */
cusparseStatus_t sparse_ask(size_t *size, const void *buffer, size_t bytes);
/* Ends of each row's products into `ends`, and their number; waits for the stream. */
cusparseStatus_t sparse_count_products(cusparseHandle_t handle, const struct sparse_pairs *p,
                                       int *ends);
/* Sorts them, and counts c's entries; waits for the stream. */
cusparseStatus_t sparse_sort_products(cusparseHandle_t handle, const struct sparse_pairs *p);
/* c's offsets from what that has found. */
cusparseStatus_t sparse_put_offsets(cusparseHandle_t handle, const struct sparse_pairs *p);

/* --- pivot.c: the first row whose pivot is missing or 0 -----------------------------------------
 */

/* Memory that an info object keeps on the device, with the row of a pivot at its begin. */
struct sparse_memory {
    int *pivot;
    void *rest;
    bool used;   /* a kernel may have written the pivot */
    int missing; /* the first row without a diagonal entry, or SPARSE_NO_ROW */
    int base;
};
cusparseStatus_t sparse_memory_make(struct sparse_memory *memory, size_t rest);
void sparse_memory_free(struct sparse_memory *memory);
/* Before kernels that write the pivot. */
cusparseStatus_t sparse_pivot_clear(cusparseHandle_t handle, struct sparse_memory *memory);
/* Waits for the stream. */
cusparseStatus_t sparse_pivot_get(cusparseHandle_t handle, const struct sparse_memory *memory,
                                  int *position);

#pragma GCC visibility pop

/* Programs refuse a buffer that is null, also where none is needed. */
#define SPARSE_NO_BUFFER ((int)sizeof(int))

#define SPARSE_CHECK                LIBRARY_CHECK
#define SPARSE_HANDLE(handle)       SPARSE_CHECK(library_knows(handle), CUSPARSE_STATUS_NOT_INITIALIZED)
#define SPARSE_VALID(condition)     SPARSE_CHECK(condition, CUSPARSE_STATUS_INVALID_VALUE)
#define SPARSE_SUPPORTED(condition) SPARSE_CHECK(condition, CUSPARSE_STATUS_NOT_SUPPORTED)

static inline bool sparse_is_op(cusparseOperation_t op)
{
    return op == CUSPARSE_OPERATION_NON_TRANSPOSE || op == CUSPARSE_OPERATION_TRANSPOSE ||
           op == CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE;
}
static inline bool sparse_is_base(cusparseIndexBase_t base)
{
    return base == CUSPARSE_INDEX_BASE_ZERO || base == CUSPARSE_INDEX_BASE_ONE;
}
static inline bool sparse_is_fill(cusparseFillMode_t fill)
{
    return fill == CUSPARSE_FILL_MODE_LOWER || fill == CUSPARSE_FILL_MODE_UPPER;
}
static inline bool sparse_is_diag(cusparseDiagType_t diag)
{
    return diag == CUSPARSE_DIAG_TYPE_NON_UNIT || diag == CUSPARSE_DIAG_TYPE_UNIT;
}
/* The kernels compute with these. */
static inline bool sparse_is_type(cudaDataType type)
{
    return type == CUDA_R_32F || type == CUDA_R_64F;
}

#endif
