/* Products of sparse matrices: all products of elements of each row of c, sorted by their columns.
 */
#include <stdlib.h>

#include "sw/cuda/sparse/sparse.h"

#define PAIRS                                                                                      \
    {                                                                                              \
        opA, opB, alpha, beta, a, b, c, computeType, alg, descr                                    \
    }

cusparseStatus_t cusparseSpGEMM_createDescr(cusparseSpGEMMDescr_t *descr)
{
    SPARSE_VALID(descr);
    *descr = calloc(1, sizeof **descr);
    return sparse_keep(*descr);
}

cusparseStatus_t cusparseSpGEMM_destroyDescr(cusparseSpGEMMDescr_t descr)
{
    SPARSE_VALID(library_knows(descr));
    library_forget(descr);
    free(descr);
    return CUSPARSE_STATUS_SUCCESS;
}

bool sparse_is_complete(const struct cusparseSpMatDescr *a)
{
    return a->offsets && (!a->nnz || (a->indices && a->values));
}

cusparseStatus_t sparse_pairs_check(const struct sparse_pairs *p)
{
    SPARSE_VALID(library_knows(p->a) && library_knows(p->b) && library_knows(p->c) &&
                 library_knows(p->state) && p->alpha && p->beta);
    SPARSE_VALID(sparse_is_op(p->op_a) && sparse_is_op(p->op_b));
    SPARSE_VALID(p->a->columns == p->b->rows && p->c->rows == p->a->rows &&
                 p->c->columns == p->b->columns && sparse_is_complete(p->a) &&
                 sparse_is_complete(p->b));
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

struct sparse_rows sparse_rows_of(const struct cusparseSpMatDescr *a)
{
    return (struct sparse_rows){
        .offsets = a->offsets, .columns = a->indices, .count = (int)a->rows, .base = (int)a->base};
}

cusparseStatus_t sparse_ask(size_t *size, const void *buffer, size_t bytes)
{
    SPARSE_VALID(size);
    SPARSE_CHECK(!buffer || *size >= bytes, CUSPARSE_STATUS_INSUFFICIENT_RESOURCES);
    if (!buffer)
        *size = bytes;
    return CUSPARSE_STATUS_SUCCESS;
}

cusparseStatus_t sparse_count_products(cusparseHandle_t handle, const struct sparse_pairs *p,
                                       int *ends)
{
    struct library_call call = sparse_call(handle, p->compute);
    struct sparse_rows of_a = sparse_rows_of(p->a), of_b = sparse_rows_of(p->b);
    int rows = (int)p->a->rows;
    cusparseStatus_t status = CUSPARSE_STATUS_SUCCESS;
    library_add(&call, &of_a);
    library_add(&call, &of_b);
    library_add(&call, &ends);
    if (rows)
        status = sparse_launch_plain(&call, "pairs_count", sparse_over(rows));
    status = status ? status : sparse_ends(handle, rows, ends);
    status = status ? status : sparse_fetch(handle, &p->state->products, ends + rows);
    p->state->ends = status ? NULL : ends;
    p->state->places = NULL;
    return status;
}

cusparseStatus_t cusparseSpGEMM_workEstimation(cusparseHandle_t handle, cusparseOperation_t opA,
                                               cusparseOperation_t opB, const void *alpha,
                                               cusparseSpMatDescr_t a, cusparseSpMatDescr_t b,
                                               const void *beta, cusparseSpMatDescr_t c,
                                               cudaDataType computeType, cusparseSpGEMMAlg_t alg,
                                               cusparseSpGEMMDescr_t descr, size_t *size,
                                               void *buffer)
{
    struct sparse_pairs p = PAIRS;
    SPARSE_HANDLE(handle);
    cusparseStatus_t status = sparse_pairs_check(&p);
    status = status ? status : sparse_ask(size, buffer, 2 * (size_t)(a->rows + 1) * sizeof(int));
    if (status || !buffer)
        return status;
    return sparse_count_products(handle, &p, buffer);
}

static void *values_of(const struct cusparseSpGEMMDescr *s)
{
    return s->places + 2 * (ptrdiff_t)s->products;
}

/* Not 0, also without products. */
static size_t places_bytes(const struct cusparseSpGEMMDescr *s, cudaDataType type)
{
    size_t each = 2 * sizeof(int) + sparse_value_bytes(type);
    return ((size_t)s->products + 1) * each;
}

static cusparseStatus_t multiply(cusparseHandle_t handle, const struct sparse_pairs *p)
{
    const struct cusparseSpGEMMDescr *s = p->state;
    struct library_call all = sparse_call(handle, p->compute);
    struct sparse_rows of_a = sparse_rows_of(p->a), of_b = sparse_rows_of(p->b);
    int rows = of_a.count, *order = s->places + s->products;
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
    return sparse_launch(&all, "pairs_multiply", sparse_over(rows));
}

cusparseStatus_t sparse_sort_products(cusparseHandle_t handle, const struct sparse_pairs *p)
{
    const struct cusparseSpGEMMDescr *s = p->state;
    struct library_call sort = sparse_call(handle, p->compute);
    int rows = (int)p->a->rows, nnz = 0, *order = s->places + s->products,
        *counts = s->ends + rows + 1;
    cusparseStatus_t status = CUSPARSE_STATUS_SUCCESS;
    library_add(&sort, &rows);
    library_add(&sort, &s->ends);
    library_add(&sort, &s->places);
    library_add(&sort, &order);
    library_add(&sort, &counts);
    if (rows)
        status = sparse_launch_plain(&sort, "pairs_sort", sparse_over(rows));
    status = status ? status : sparse_ends(handle, rows, counts);
    status = status ? status : sparse_fetch(handle, &nnz, counts + rows);
    if (!status)
        p->c->nnz = nnz;
    return status;
}

cusparseStatus_t cusparseSpGEMM_compute(cusparseHandle_t handle, cusparseOperation_t opA,
                                        cusparseOperation_t opB, const void *alpha,
                                        cusparseSpMatDescr_t a, cusparseSpMatDescr_t b,
                                        const void *beta, cusparseSpMatDescr_t c,
                                        cudaDataType computeType, cusparseSpGEMMAlg_t alg,
                                        cusparseSpGEMMDescr_t descr, size_t *size, void *buffer)
{
    struct sparse_pairs p = PAIRS;
    SPARSE_HANDLE(handle);
    cusparseStatus_t status = sparse_pairs_check(&p);
    SPARSE_VALID(status || descr->ends);
    status = status ? status : sparse_ask(size, buffer, places_bytes(descr, computeType));
    if (status || !buffer)
        return status;
    descr->places = buffer;
    status = multiply(handle, &p);
    return status ? status : sparse_sort_products(handle, &p);
}

cusparseStatus_t sparse_put_offsets(cusparseHandle_t handle, const struct sparse_pairs *p)
{
    struct library_call call = sparse_call(handle, p->compute);
    int rows = (int)p->a->rows, base = (int)p->c->base, *ends_of_c = p->state->ends + rows + 1;
    library_add(&call, &rows);
    library_add(&call, &ends_of_c);
    library_add(&call, &base);
    library_add(&call, &p->c->offsets);
    return sparse_launch_plain(&call, "pairs_offsets", sparse_over(rows + 1LL));
}

cusparseStatus_t cusparseSpGEMM_getNumProducts(cusparseSpGEMMDescr_t descr, int64_t *products)
{
    SPARSE_VALID(library_knows(descr) && descr->ends && products);
    *products = descr->products;
    return CUSPARSE_STATUS_SUCCESS;
}

/* There is one algorithm, which keeps all products: the fraction has no effect. */
cusparseStatus_t cusparseSpGEMM_estimateMemory(cusparseHandle_t handle, cusparseOperation_t opA,
                                               cusparseOperation_t opB, const void *alpha,
                                               cusparseSpMatDescr_t a, cusparseSpMatDescr_t b,
                                               const void *beta, cusparseSpMatDescr_t c,
                                               cudaDataType computeType, cusparseSpGEMMAlg_t alg,
                                               cusparseSpGEMMDescr_t descr, float fraction,
                                               size_t *size3, void *buffer3, size_t *size2)
{
    struct sparse_pairs p = PAIRS;
    SPARSE_HANDLE(handle);
    cusparseStatus_t status = sparse_pairs_check(&p);
    SPARSE_VALID(status || (descr->ends && fraction > 0 && fraction <= 1));
    status = status ? status : sparse_ask(size3, buffer3, SPARSE_NO_BUFFER);
    if (status || !buffer3)
        return status;
    SPARSE_VALID(size2);
    *size2 = places_bytes(descr, computeType);
    return CUSPARSE_STATUS_SUCCESS;
}

cusparseStatus_t cusparseSpGEMM_copy(cusparseHandle_t handle, cusparseOperation_t opA,
                                     cusparseOperation_t opB, const void *alpha,
                                     cusparseSpMatDescr_t a, cusparseSpMatDescr_t b,
                                     const void *beta, cusparseSpMatDescr_t c,
                                     cudaDataType computeType, cusparseSpGEMMAlg_t alg,
                                     cusparseSpGEMMDescr_t descr)
{
    struct sparse_pairs p = PAIRS;
    SPARSE_HANDLE(handle);
    cusparseStatus_t status = sparse_pairs_check(&p);
    SPARSE_VALID(status || (descr->places && sparse_is_complete(c)));
    if (status)
        return status;
    struct library_call merge = sparse_call(handle, computeType);
    int rows = (int)a->rows, base = (int)c->base, *order = descr->places + descr->products,
        *ends_of_c = descr->ends + rows + 1;
    void *products = values_of(descr);
    status = sparse_put_offsets(handle, &p);
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
