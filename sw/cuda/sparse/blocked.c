/* Matrices in blocks and slices: their descriptions, and their products. */
#include <limits.h>

#include "sw/cuda/sparse/sparse.h"

/* --- descriptions -------------------------------------------------------------------------------
 */

static bool fits(int64_t a, int64_t b)
{
    return a >= 0 && b >= 0 && (!b || a < INT_MAX / b);
}

static cusparseStatus_t make(cusparseSpMatDescr_t *matrix, cusparseFormat_t format,
                             const struct cusparseSpMatDescr *of, cusparseIndexType_t offset,
                             cusparseIndexType_t index)
{
    SPARSE_VALID(matrix && of->blocks.height > 0 && of->blocks.width > 0);
    cusparseStatus_t status =
        cusparseCreateCsr(matrix, of->rows, of->columns, of->nnz, of->offsets, of->indices,
                          of->values, offset, index, of->base, of->type);
    if (!status) {
        (*matrix)->format = format;
        (*matrix)->blocks = of->blocks;
    }
    return status;
}

cusparseStatus_t cusparseCreateBsr(cusparseSpMatDescr_t *matrix, int64_t block_rows,
                                   int64_t block_columns, int64_t blocks, int64_t height,
                                   int64_t width, void *offsets, void *indices, void *values,
                                   cusparseIndexType_t offset, cusparseIndexType_t index,
                                   cusparseIndexBase_t base, cudaDataType type,
                                   cusparseOrder_t order)
{
    SPARSE_VALID(block_rows >= 0 && block_columns >= 0 && blocks >= 0 && height > 0 && width > 0);
    SPARSE_VALID(order == CUSPARSE_ORDER_COL || order == CUSPARSE_ORDER_ROW);
    SPARSE_SUPPORTED(fits(block_rows, height) && fits(block_columns, width) &&
                     fits(height, width) && fits(blocks, height * width));
    struct cusparseSpMatDescr of = {.rows = block_rows * height,
                                    .columns = block_columns * width,
                                    .nnz = blocks * height * width,
                                    .offsets = offsets,
                                    .indices = indices,
                                    .values = values,
                                    .base = base,
                                    .type = type,
                                    .blocks = {.height = (int)height,
                                               .width = (int)width,
                                               .by_columns = order == CUSPARSE_ORDER_COL}};
    return make(matrix, CUSPARSE_FORMAT_BSR, &of, offset, index);
}

cusparseStatus_t cusparseCreateSlicedEll(cusparseSpMatDescr_t *matrix, int64_t rows,
                                         int64_t columns, int64_t nnz, int64_t size, int64_t height,
                                         void *offsets, void *indices, void *values,
                                         cusparseIndexType_t offset, cusparseIndexType_t index,
                                         cusparseIndexBase_t base, cudaDataType type)
{
    SPARSE_VALID(size >= nnz && height > 0);
    SPARSE_SUPPORTED(size < INT_MAX && height < INT_MAX);
    struct cusparseSpMatDescr of = {
        .rows = rows,
        .columns = columns,
        .nnz = nnz,
        .offsets = offsets,
        .indices = indices,
        .values = values,
        .base = base,
        .type = type,
        .blocks = {.height = (int)height, .width = 1, .stored = (int)size}};
    return make(matrix, CUSPARSE_FORMAT_SLICED_ELLPACK, &of, offset, index);
}

cusparseStatus_t cusparseCreateBlockedEll(cusparseSpMatDescr_t *matrix, int64_t rows,
                                          int64_t columns, int64_t side, int64_t stored,
                                          void *indices, void *values, cusparseIndexType_t index,
                                          cusparseIndexBase_t base, cudaDataType type)
{
    SPARSE_VALID(side > 0 && side < INT_MAX && rows >= 0 && stored >= 0);
    SPARSE_VALID(!(rows % side) && !(columns % side) && !(stored % side) && stored <= columns);
    SPARSE_SUPPORTED(fits(rows, stored));
    struct cusparseSpMatDescr of = {
        .rows = rows,
        .columns = columns,
        .nnz = rows * stored,
        .indices = indices,
        .values = values,
        .base = base,
        .type = type,
        .blocks = {.height = (int)side, .width = (int)side, .stored = (int)stored}};
    return make(matrix, CUSPARSE_FORMAT_BLOCKED_ELL, &of, CUSPARSE_INDEX_32I, index);
}

cusparseStatus_t cusparseBlockedEllGet(cusparseSpMatDescr_t matrix, int64_t *rows, int64_t *columns,
                                       int64_t *side, int64_t *stored, void **indices,
                                       void **values, cusparseIndexType_t *index,
                                       cusparseIndexBase_t *base, cudaDataType *type)
{
    SPARSE_VALID(library_knows(matrix) && matrix->format == CUSPARSE_FORMAT_BLOCKED_ELL);
    SPARSE_VALID(rows && columns && side && stored && indices && values && index && base && type);
    *rows = matrix->rows;
    *columns = matrix->columns;
    *side = matrix->blocks.height;
    *stored = matrix->blocks.stored;
    *indices = matrix->indices;
    *values = matrix->values;
    *index = matrix->wide_indices ? CUSPARSE_INDEX_64I : CUSPARSE_INDEX_32I;
    *base = matrix->base;
    *type = matrix->type;
    return CUSPARSE_STATUS_SUCCESS;
}

bool sparse_is_blocked(const struct cusparseSpMatDescr *a)
{
    return a->blocks.height;
}

int64_t sparse_group_count(const struct cusparseSpMatDescr *a)
{
    return (a->rows + a->blocks.height - 1) / a->blocks.height;
}

int64_t sparse_block_count(const struct cusparseSpMatDescr *a)
{
    return a->format == CUSPARSE_FORMAT_SLICED_ELLPACK
               ? a->blocks.stored
               : a->nnz / a->blocks.height / a->blocks.width;
}

struct sparse_blocks sparse_blocks_of(const struct cusparseSpMatDescr *a)
{
    struct sparse_blocks b = a->blocks;
    b.offsets = a->offsets;
    b.columns = a->indices;
    b.rows = (int)a->rows;
    b.base = (int)a->base;
    b.form = a->format == CUSPARSE_FORMAT_BSR           ? SPARSE_BSR
             : a->format == CUSPARSE_FORMAT_BLOCKED_ELL ? SPARSE_ELL
                                                        : SPARSE_SLICES;
    return b;
}

/* --- products -----------------------------------------------------------------------------------
 */

cusparseStatus_t sparse_multiply_blocks(cusparseHandle_t handle, const struct sparse_product *p)
{
    struct library_call call = sparse_call(handle, p->compute);
    struct sparse_blocks blocks = sparse_blocks_of(p->a);
    SPARSE_VALID(blocks.offsets || blocks.form == SPARSE_ELL);
    SPARSE_VALID(p->y.lines.data &&
                 (!p->a->nnz || (blocks.columns && p->a->values && p->x.lines.data)));
    library_add(&call, &blocks);
    return sparse_launch_product(&call, "multiply_blocks", p);
}

/* What bsrmv and bsrmm have in common. */
struct old_product {
    cusparseDirection_t direction;
    cusparseOperation_t op;
    int rows, columns, blocks, side; /* rows and columns of blocks */
    cusparseMatDescr_t descr;
    const void *values;
    const int *offsets, *indices;
};

static cusparseStatus_t multiply(cusparseHandle_t handle, const struct old_product *o,
                                 struct sparse_product *p)
{
    bool by_rows = o->direction == CUSPARSE_DIRECTION_ROW;
    SPARSE_HANDLE(handle);
    SPARSE_VALID(library_knows(o->descr) && o->rows >= 0 && o->columns >= 0 && o->blocks >= 0 &&
                 o->side > 0);
    SPARSE_VALID((by_rows || o->direction == CUSPARSE_DIRECTION_COLUMN) && p->alpha && p->beta);
    SPARSE_CHECK(o->descr->type == CUSPARSE_MATRIX_TYPE_GENERAL,
                 CUSPARSE_STATUS_MATRIX_TYPE_NOT_SUPPORTED);
    SPARSE_SUPPORTED(o->op == CUSPARSE_OPERATION_NON_TRANSPOSE);
    SPARSE_SUPPORTED(fits(o->side, o->side) && fits(o->blocks, (int64_t)o->side * o->side) &&
                     fits(o->rows, o->side) && fits(o->columns, o->side));
    struct cusparseSpMatDescr a = {
        .format = CUSPARSE_FORMAT_BSR,
        .rows = (int64_t)o->rows * o->side,
        .columns = (int64_t)o->columns * o->side,
        .nnz = (int64_t)o->blocks * o->side * o->side,
        .offsets = (void *)(uintptr_t)o->offsets,
        .indices = (void *)(uintptr_t)o->indices,
        .values = (void *)(uintptr_t)o->values,
        .base = o->descr->base,
        .type = p->compute,
        .blocks = {.height = o->side, .width = o->side, .by_columns = !by_rows}};
    p->a = &a;
    p->x.rows = a.columns;
    p->y.rows = a.rows;
    if (!p->y.rows || !p->y.columns)
        return CUSPARSE_STATUS_SUCCESS;
    return sparse_multiply_blocks(handle, p);
}

static cusparseStatus_t multiply_matrix(cusparseHandle_t handle, const struct old_product *o,
                                        cusparseOperation_t op_b, int ldb, int ldc,
                                        struct sparse_product *p)
{
    bool plain = op_b == CUSPARSE_OPERATION_NON_TRANSPOSE;
    int64_t inner = (int64_t)o->columns * o->side, n = p->y.columns;
    SPARSE_HANDLE(handle);
    SPARSE_VALID(n >= 0 && ldb >= (plain ? inner : n) && ldc >= (int64_t)o->rows * o->side);
    SPARSE_SUPPORTED(plain || op_b == CUSPARSE_OPERATION_TRANSPOSE);
    p->x.lines.element = plain ? 1 : ldb;
    p->x.lines.next = plain ? ldb : 1;
    p->y.lines.element = 1;
    p->y.lines.next = ldc;
    return multiply(handle, o, p);
}

#define OLD(nb)                                                                                    \
    (&(struct old_product){direction, op, mb, nb, blocks, side, descr, values, offsets, indices})
#define LINES(at, n)                                                                               \
    {                                                                                              \
        .lines = {.data = (void *)(uintptr_t)(at), .element = 1}, .columns = (n)                   \
    }
#define PRODUCTS(R, T, type)                                                                       \
    cusparseStatus_t cusparse##R##bsrmv(                                                           \
        cusparseHandle_t handle, cusparseDirection_t direction, cusparseOperation_t op, int mb,    \
        int nb, int blocks, const T *alpha, const cusparseMatDescr_t descr, const T *values,       \
        const int *offsets, const int *indices, int side, const T *x, const T *beta, T *y)         \
    {                                                                                              \
        struct sparse_product p = {                                                                \
            .alpha = alpha, .beta = beta, .x = LINES(x, 1), .y = LINES(y, 1), .compute = type};    \
        return multiply(handle, OLD(nb), &p);                                                      \
    }                                                                                              \
    cusparseStatus_t cusparse##R##bsrmm(                                                           \
        cusparseHandle_t handle, cusparseDirection_t direction, cusparseOperation_t op,            \
        cusparseOperation_t op_b, int mb, int n, int kb, int blocks, const T *alpha,               \
        const cusparseMatDescr_t descr, const T *values, const int *offsets, const int *indices,   \
        int side, const T *b, int ldb, const T *beta, T *c, int ldc)                               \
    {                                                                                              \
        struct sparse_product p = {                                                                \
            .alpha = alpha, .beta = beta, .x = LINES(b, n), .y = LINES(c, n), .compute = type};    \
        return multiply_matrix(handle, OLD(kb), op_b, ldb, ldc, &p);                               \
    }
PRODUCTS(S, float, CUDA_R_32F)
PRODUCTS(D, double, CUDA_R_64F)
