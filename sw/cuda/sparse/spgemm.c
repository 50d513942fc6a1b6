/* Products of sparse matrices: all products of elements of each row of c, sorted by their columns.
 */
#include <stdlib.h>

#include "sw/cuda/sparse/sparse.h"

/* What one call leaves for the next one. */
struct cusparseSpGEMMDescr {
    int *ends;   /* in the first buffer: of each row's products; those of c's rows follow */
    int *places; /* in the second one: columns, order, then values of products */
    int products;
};

struct pairs {
    cusparseOperation_t op_a, op_b;
    const void *alpha, *beta;
    cusparseSpMatDescr_t a, b, c;
    cudaDataType compute;
    cusparseSpGEMMAlg_t alg;
    cusparseSpGEMMDescr_t state;
};
#define PAIRS                                                                                      \
    {                                                                                              \
        opA, opB, alpha, beta, a, b, c, computeType, alg, descr                                    \
    }

cusparseStatus_t cusparseSpGEMM_createDescr(cusparseSpGEMMDescr_t *descr)
{
    SPARSE_VALID(descr);
    *descr = calloc(1, sizeof **descr);
    return *descr ? CUSPARSE_STATUS_SUCCESS : CUSPARSE_STATUS_ALLOC_FAILED;
}

cusparseStatus_t cusparseSpGEMM_destroyDescr(cusparseSpGEMMDescr_t descr)
{
    SPARSE_VALID(descr);
    free(descr);
    return CUSPARSE_STATUS_SUCCESS;
}

static bool is_valid(const struct cusparseSpMatDescr *a)
{
    return a->offsets && (!a->nnz || (a->indices && a->values));
}

static cusparseStatus_t check(const struct pairs *p)
{
    SPARSE_VALID(p->a && p->b && p->c && p->state && p->alpha && p->beta);
    SPARSE_VALID(sparse_is_op(p->op_a) && sparse_is_op(p->op_b));
    SPARSE_VALID(p->a->columns == p->b->rows && p->c->rows == p->a->rows &&
                 p->c->columns == p->b->columns && is_valid(p->a) && is_valid(p->b));
    SPARSE_SUPPORTED(!sparse_is_wide(p->a) && !sparse_is_wide(p->b) && !sparse_is_wide(p->c));
    SPARSE_SUPPORTED(p->op_a == CUSPARSE_OPERATION_NON_TRANSPOSE &&
                     p->op_b == CUSPARSE_OPERATION_NON_TRANSPOSE);
    SPARSE_SUPPORTED(p->a->format == CUSPARSE_FORMAT_CSR && p->b->format == CUSPARSE_FORMAT_CSR &&
                     p->c->format == CUSPARSE_FORMAT_CSR);
    SPARSE_SUPPORTED(sparse_is_type(p->compute) && p->a->type == p->compute &&
                     p->b->type == p->compute && p->c->type == p->compute);
    SPARSE_VALID((unsigned int)p->alg <= CUSPARSE_SPGEMM_ALG3);
    return CUSPARSE_STATUS_SUCCESS;
}

static struct sparse_rows rows_of(const struct cusparseSpMatDescr *a)
{
    return (struct sparse_rows){
        .offsets = a->offsets, .columns = a->indices, .count = (int)a->rows, .base = (int)a->base};
}

/* The caller asks for the bytes of a buffer with NULL, and states those of its own. */
static cusparseStatus_t ask(size_t *size, const void *buffer, size_t bytes)
{
    SPARSE_VALID(size);
    SPARSE_CHECK(!buffer || *size >= bytes, CUSPARSE_STATUS_INSUFFICIENT_RESOURCES);
    if (!buffer)
        *size = bytes;
    return CUSPARSE_STATUS_SUCCESS;
}

cusparseStatus_t cusparseSpGEMM_workEstimation(cusparseHandle_t handle, cusparseOperation_t opA,
                                               cusparseOperation_t opB, const void *alpha,
                                               cusparseSpMatDescr_t a, cusparseSpMatDescr_t b,
                                               const void *beta, cusparseSpMatDescr_t c,
                                               cudaDataType computeType, cusparseSpGEMMAlg_t alg,
                                               cusparseSpGEMMDescr_t descr, size_t *size,
                                               void *buffer)
{
    struct pairs p = PAIRS;
    SPARSE_HANDLE(handle);
    cusparseStatus_t status = check(&p);
    status = status ? status : ask(size, buffer, 2 * (size_t)(a->rows + 1) * sizeof(int));
    if (status || !buffer)
        return status;
    struct library_call call = sparse_call(handle, computeType);
    struct sparse_rows of_a = rows_of(a), of_b = rows_of(b);
    int *counts = buffer;
    library_add(&call, &of_a);
    library_add(&call, &of_b);
    library_add(&call, &counts);
    if (a->rows)
        status = sparse_launch_plain(&call, "pairs_count", sparse_over(a->rows));
    status = status ? status : sparse_ends(handle, (int)a->rows, counts);
    status = status ? status : sparse_fetch(handle, &descr->products, counts + a->rows);
    descr->ends = status ? NULL : counts;
    descr->places = NULL;
    return status;
}

static void *values_of(const struct cusparseSpGEMMDescr *s)
{
    return s->places + 2 * (ptrdiff_t)s->products;
}

/* Not 0, also without products. */
static size_t places_bytes(const struct cusparseSpGEMMDescr *s, cudaDataType type)
{
    size_t each = 2 * sizeof(int) + (type == CUDA_R_32F ? sizeof(float) : sizeof(double));
    return ((size_t)s->products + 1) * each;
}

static cusparseStatus_t multiply(cusparseHandle_t handle, const struct pairs *p)
{
    const struct cusparseSpGEMMDescr *s = p->state;
    struct library_call all = sparse_call(handle, p->compute), sort = all;
    struct sparse_rows of_a = rows_of(p->a), of_b = rows_of(p->b);
    int rows = of_a.count, *order = s->places + s->products, *counts = s->ends + rows + 1;
    void *values = values_of(s);
    if (!rows)
        return CUSPARSE_STATUS_SUCCESS;
    library_add(&all, &of_a);
    library_add(&all, &p->a->values);
    library_add(&all, &of_b);
    library_add(&all, &p->b->values);
    library_add(&all, &s->ends);
    library_add(&all, &s->places);
    library_add(&all, &order);
    library_add(&all, &values);
    cusparseStatus_t status = sparse_launch(&all, "pairs_multiply", sparse_over(rows));
    library_add(&sort, &rows);
    library_add(&sort, &s->ends);
    library_add(&sort, &s->places);
    library_add(&sort, &order);
    library_add(&sort, &counts);
    return status ? status : sparse_launch_plain(&sort, "pairs_sort", sparse_over(rows));
}

cusparseStatus_t cusparseSpGEMM_compute(cusparseHandle_t handle, cusparseOperation_t opA,
                                        cusparseOperation_t opB, const void *alpha,
                                        cusparseSpMatDescr_t a, cusparseSpMatDescr_t b,
                                        const void *beta, cusparseSpMatDescr_t c,
                                        cudaDataType computeType, cusparseSpGEMMAlg_t alg,
                                        cusparseSpGEMMDescr_t descr, size_t *size, void *buffer)
{
    struct pairs p = PAIRS;
    int nnz = 0;
    SPARSE_HANDLE(handle);
    cusparseStatus_t status = check(&p);
    SPARSE_VALID(status || descr->ends);
    status = status ? status : ask(size, buffer, places_bytes(descr, computeType));
    if (status || !buffer)
        return status;
    int *counts = descr->ends + a->rows + 1;
    descr->places = buffer;
    status = multiply(handle, &p);
    status = status ? status : sparse_ends(handle, (int)a->rows, counts);
    status = status ? status : sparse_fetch(handle, &nnz, counts + a->rows);
    if (!status)
        c->nnz = nnz;
    return status;
}

cusparseStatus_t cusparseSpGEMM_copy(cusparseHandle_t handle, cusparseOperation_t opA,
                                     cusparseOperation_t opB, const void *alpha,
                                     cusparseSpMatDescr_t a, cusparseSpMatDescr_t b,
                                     const void *beta, cusparseSpMatDescr_t c,
                                     cudaDataType computeType, cusparseSpGEMMAlg_t alg,
                                     cusparseSpGEMMDescr_t descr)
{
    struct pairs p = PAIRS;
    SPARSE_HANDLE(handle);
    cusparseStatus_t status = check(&p);
    SPARSE_VALID(status || (descr->places && is_valid(c)));
    if (status)
        return status;
    struct library_call offsets = sparse_call(handle, computeType), merge = offsets;
    int rows = (int)a->rows, base = (int)c->base, *order = descr->places + descr->products,
        *ends_of_c = descr->ends + rows + 1;
    void *products = values_of(descr);
    library_add(&offsets, &rows);
    library_add(&offsets, &ends_of_c);
    library_add(&offsets, &base);
    library_add(&offsets, &c->offsets);
    status = sparse_launch_plain(&offsets, "pairs_offsets", sparse_over(rows + 1LL));
    if (status || !c->nnz)
        return status;
    library_add(&merge, &rows);
    library_add(&merge, &descr->ends);
    library_add(&merge, &descr->places);
    library_add(&merge, &order);
    library_add(&merge, &products);
    library_add_scalar(&merge, alpha);
    library_add_scalar(&merge, beta);
    library_add(&merge, &ends_of_c);
    library_add(&merge, &base);
    library_add(&merge, &c->indices);
    library_add(&merge, &c->values);
    return sparse_launch(&merge, "pairs_merge", sparse_over(rows));
}
