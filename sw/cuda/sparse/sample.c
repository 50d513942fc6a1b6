/* Products of dense matrices where a sparse one has entries. */
#include "sw/cuda/sparse/sparse.h"

struct sampling {
    cusparseOperation_t op_a, op_b;
    cusparseDnMatDescr_t a, b;
    cusparseSpMatDescr_t c;
    const void *alpha, *beta;
    cudaDataType compute;
};
#define SAMPLING                                                                                   \
    {                                                                                              \
        opA, opB, a, b, c, alpha, beta, computeType                                                \
    }

static cusparseStatus_t check(const struct sampling *s, cusparseSDDMMAlg_t alg)
{
    SPARSE_VALID(library_knows(s->a) && library_knows(s->b) && library_knows(s->c) && s->alpha &&
                 s->beta && sparse_is_op(s->op_a) && sparse_is_op(s->op_b));
    struct sparse_dense a = sparse_of_matrix(s->a, s->op_a), b = sparse_of_matrix(s->b, s->op_b);
    SPARSE_VALID(a.rows == s->c->rows && b.columns == s->c->columns && a.columns == b.rows);
    SPARSE_VALID(sparse_batch(s->a->batch, s->b->batch, s->c->batch));
    SPARSE_SUPPORTED(s->c->format == CUSPARSE_FORMAT_CSR || s->c->format == CUSPARSE_FORMAT_BSR);
    SPARSE_SUPPORTED(alg == CUSPARSE_SDDMM_ALG_DEFAULT && !sparse_is_wide(s->c) &&
                     sparse_is_type(s->compute) && a.type == s->compute && b.type == s->compute &&
                     s->c->type == s->compute);
    return CUSPARSE_STATUS_SUCCESS;
}

/* Matrix i of the batch. */
static cusparseStatus_t sample(cusparseHandle_t handle, const struct sampling *s, int i)
{
    struct cusparseDnMatDescr of_a = sparse_dense_member(s->a, i),
                              of_b = sparse_dense_member(s->b, i);
    struct cusparseSpMatDescr c = sparse_member(s->c, i);
    struct sparse_dense a = sparse_of_matrix(&of_a, s->op_a), b = sparse_of_matrix(&of_b, s->op_b);
    struct sparse_rows rows = {
        .offsets = c.offsets, .columns = c.indices, .count = (int)c.rows, .base = (int)c.base};
    int nnz = (int)c.nnz, inner = (int)a.columns, lanes = sparse_lanes(1, inner);
    struct sparse_lines lines = {a.lines.data, a.lines.next, a.lines.element}; /* rows of op(a) */
    struct library_call call = sparse_call(handle, s->compute);
    if (!nnz)
        return CUSPARSE_STATUS_SUCCESS;
    SPARSE_VALID(c.offsets && c.indices && c.values && a.lines.data && b.lines.data);
    bool in_blocks = sparse_is_blocked(&c);
    struct sparse_blocks blocks = sparse_blocks_of(&c);
    if (in_blocks)
        library_add(&call, &blocks);
    else
        library_add(&call, &rows);
    library_add(&call, &c.values);
    library_add_scalar(&call, s->alpha);
    library_add(&call, &lines);
    library_add(&call, &b.lines);
    library_add_scalar(&call, s->beta);
    library_add(&call, &nnz);
    library_add(&call, &inner);
    library_add(&call, &lanes);
    return sparse_launch(&call, in_blocks ? "sample_blocks" : "sample",
                         sparse_over((long long)nnz * lanes));
}

cusparseStatus_t cusparseSDDMM_bufferSize(cusparseHandle_t handle, cusparseOperation_t opA,
                                          cusparseOperation_t opB, const void *alpha,
                                          cusparseDnMatDescr_t a, cusparseDnMatDescr_t b,
                                          const void *beta, cusparseSpMatDescr_t c,
                                          cudaDataType computeType, cusparseSDDMMAlg_t alg,
                                          size_t *size)
{
    SPARSE_HANDLE(handle);
    SPARSE_VALID(size);
    struct sampling s = SAMPLING;
    *size = SPARSE_NO_BUFFER;
    return check(&s, alg);
}

cusparseStatus_t cusparseSDDMM_preprocess(cusparseHandle_t handle, cusparseOperation_t opA,
                                          cusparseOperation_t opB, const void *alpha,
                                          cusparseDnMatDescr_t a, cusparseDnMatDescr_t b,
                                          const void *beta, cusparseSpMatDescr_t c,
                                          cudaDataType computeType, cusparseSDDMMAlg_t alg,
                                          void *buffer)
{
    (void)buffer; /* nothing is worth keeping */
    SPARSE_HANDLE(handle);
    struct sampling s = SAMPLING;
    return check(&s, alg);
}

cusparseStatus_t cusparseSDDMM(cusparseHandle_t handle, cusparseOperation_t opA,
                               cusparseOperation_t opB, const void *alpha, cusparseDnMatDescr_t a,
                               cusparseDnMatDescr_t b, const void *beta, cusparseSpMatDescr_t c,
                               cudaDataType computeType, cusparseSDDMMAlg_t alg, void *buffer)
{
    (void)buffer;
    SPARSE_HANDLE(handle);
    struct sampling s = SAMPLING;
    cusparseStatus_t status = check(&s, alg);
    if (status)
        return status;
    int batch = sparse_batch(a->batch, b->batch, c->batch);
    for (int i = 0; i < batch && !status; i++)
        status = sample(handle, &s, i);
    return status;
}
