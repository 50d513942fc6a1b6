/* Products of sparse matrices whose patterns stay: what belongs to which product is found once. */
#include "sw/cuda/sparse/sparse.h"

/* For scalars that come with the computation only. */
static const double no_scalar;

#define PAIRS                                                                                      \
    {                                                                                              \
        opA, opB, &no_scalar, &no_scalar, a, b, c, a ? a->type : CUDA_R_32F, alg, descr            \
    }

/* The ends of products are kept twice: the first buffer goes with the next call. */
static size_t ends_bytes(const struct cusparseSpMatDescr *a)
{
    return 2 * (size_t)(a->rows + 1) * sizeof(int);
}

static size_t products_bytes(const struct cusparseSpGEMMDescr *s)
{
    return 2 * ((size_t)s->products + 1) * sizeof(int);
}

cusparseStatus_t cusparseSpGEMMreuse_workEstimation(
    cusparseHandle_t handle, cusparseOperation_t opA, cusparseOperation_t opB,
    cusparseSpMatDescr_t a, cusparseSpMatDescr_t b, cusparseSpMatDescr_t c, cusparseSpGEMMAlg_t alg,
    cusparseSpGEMMDescr_t descr, size_t *size, void *buffer)
{
    struct sparse_pairs p = PAIRS;
    SPARSE_HANDLE(handle);
    cusparseStatus_t status = sparse_pairs_check(&p);
    status = status ? status : sparse_ask(size, buffer, ends_bytes(a));
    if (status || !buffer)
        return status;
    return sparse_count_products(handle, &p, buffer);
}

/* The columns of all products, and where each comes from. */
static cusparseStatus_t find_products(cusparseHandle_t handle, const struct sparse_pairs *p,
                                      int *from)
{
    const struct cusparseSpGEMMDescr *s = p->state;
    struct library_call call = sparse_call(handle, p->compute);
    struct sparse_rows of_a = sparse_rows_of(p->a), of_b = sparse_rows_of(p->b);
    int *order = from ? NULL : s->places + s->products, *right = from ? from + s->products : NULL,
        *columns = from ? NULL : s->places;
    if (!of_a.count)
        return CUSPARSE_STATUS_SUCCESS;
    library_add(&call, &of_a);
    library_add(&call, &of_b);
    library_add(&call, &s->ends);
    library_add(&call, &columns);
    library_add(&call, &order);
    library_add(&call, &from);
    library_add(&call, &right);
    return sparse_launch_plain(&call, "pairs_find", sparse_over(of_a.count));
}

/* The first and second buffers hold nothing of use; what later calls need is in the third. */
cusparseStatus_t cusparseSpGEMMreuse_nnz(cusparseHandle_t handle, cusparseOperation_t opA,
                                         cusparseOperation_t opB, cusparseSpMatDescr_t a,
                                         cusparseSpMatDescr_t b, cusparseSpMatDescr_t c,
                                         cusparseSpGEMMAlg_t alg, cusparseSpGEMMDescr_t descr,
                                         size_t *size2, void *buffer2, size_t *size3, void *buffer3,
                                         size_t *size4, void *buffer4)
{
    struct sparse_pairs p = PAIRS;
    SPARSE_HANDLE(handle);
    cusparseStatus_t status = sparse_pairs_check(&p);
    SPARSE_VALID(status || descr->ends);
    status = status ? status : sparse_ask(size2, buffer2, SPARSE_NO_BUFFER);
    status = status ? status : sparse_ask(size3, buffer3, SPARSE_NO_BUFFER);
    status = status ? status : sparse_ask(size4, buffer4, ends_bytes(a) + products_bytes(descr));
    if (status || !buffer4)
        return status;
    int *ends = buffer4;
    if (cudaMemcpyAsync(ends, descr->ends, ends_bytes(a), cudaMemcpyDeviceToDevice, handle->stream))
        return CUSPARSE_STATUS_EXECUTION_FAILED;
    descr->ends = ends;
    descr->places = ends + 2 * (a->rows + 1);
    descr->from = NULL;
    status = find_products(handle, &p, NULL);
    return status ? status : sparse_sort_products(handle, &p);
}

cusparseStatus_t cusparseSpGEMMreuse_copy(cusparseHandle_t handle, cusparseOperation_t opA,
                                          cusparseOperation_t opB, cusparseSpMatDescr_t a,
                                          cusparseSpMatDescr_t b, cusparseSpMatDescr_t c,
                                          cusparseSpGEMMAlg_t alg, cusparseSpGEMMDescr_t descr,
                                          size_t *size, void *buffer)
{
    struct sparse_pairs p = PAIRS;
    SPARSE_HANDLE(handle);
    cusparseStatus_t status = sparse_pairs_check(&p);
    SPARSE_VALID(status || (descr->places && sparse_is_complete(c)));
    status = status ? status : sparse_ask(size, buffer, products_bytes(descr));
    if (status || !buffer)
        return status;
    descr->from = buffer;
    status = find_products(handle, &p, descr->from);
    status = status ? status : sparse_put_offsets(handle, &p);
    if (status || !c->nnz)
        return status;
    struct library_call call = sparse_call(handle, p.compute);
    int rows = (int)a->rows, base = (int)c->base, *order = descr->places + descr->products,
        *ends_of_c = descr->ends + rows + 1;
    library_add(&call, &rows);
    library_add(&call, &descr->ends);
    library_add(&call, &descr->places);
    library_add(&call, &order);
    library_add(&call, &ends_of_c);
    library_add(&call, &base);
    library_add(&call, &c->indices);
    return sparse_launch_plain(&call, "pairs_columns", sparse_over(rows));
}

cusparseStatus_t cusparseSpGEMMreuse_compute(cusparseHandle_t handle, cusparseOperation_t opA,
                                             cusparseOperation_t opB, const void *alpha,
                                             cusparseSpMatDescr_t a, cusparseSpMatDescr_t b,
                                             const void *beta, cusparseSpMatDescr_t c,
                                             cudaDataType computeType, cusparseSpGEMMAlg_t alg,
                                             cusparseSpGEMMDescr_t descr)
{
    struct sparse_pairs p = {opA, opB, alpha, beta, a, b, c, computeType, alg, descr};
    SPARSE_HANDLE(handle);
    cusparseStatus_t status = sparse_pairs_check(&p);
    SPARSE_VALID(status || (descr->from && sparse_is_complete(c)));
    if (status || !c->nnz)
        return status;
    struct library_call call = sparse_call(handle, computeType);
    int rows = (int)a->rows, *order = descr->places + descr->products,
        *ends_of_c = descr->ends + rows + 1, *right = descr->from + descr->products;
    library_add(&call, &rows);
    library_add(&call, &descr->ends);
    library_add(&call, &descr->places);
    library_add(&call, &order);
    library_add(&call, &descr->from);
    library_add(&call, &right);
    library_add(&call, &a->values);
    library_add(&call, &b->values);
    library_add_scalar(&call, alpha);
    library_add_scalar(&call, beta);
    library_add(&call, &ends_of_c);
    library_add(&call, &c->values);
    return sparse_launch(&call, "pairs_again", sparse_over(rows));
}
