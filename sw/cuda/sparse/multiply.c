/* Products with a vector and with a dense matrix. */
#include "sw/cuda/sparse/sparse.h"

static struct sparse_product of_vectors(cusparseOperation_t op, cusparseSpMatDescr_t a,
                                        cusparseDnVecDescr_t x, cusparseDnVecDescr_t y)
{
    return (struct sparse_product){
        .op = op, .a = a, .x = sparse_of_vector(x), .y = sparse_of_vector(y)};
}

static struct sparse_product of_matrices(cusparseOperation_t op, cusparseOperation_t op_b,
                                         cusparseSpMatDescr_t a, cusparseDnMatDescr_t b,
                                         cusparseDnMatDescr_t c)
{
    return (struct sparse_product){.op = op,
                                   .a = a,
                                   .x = sparse_of_matrix(b, op_b),
                                   .y = sparse_of_matrix(c, CUSPARSE_OPERATION_NON_TRANSPOSE)};
}

static cusparseStatus_t check(const struct sparse_product *p)
{
    bool plain = p->op == CUSPARSE_OPERATION_NON_TRANSPOSE;
    SPARSE_VALID(sparse_is_op(p->op) && p->alpha && p->beta);
    SPARSE_VALID(p->y.rows == (plain ? p->a->rows : p->a->columns));
    SPARSE_VALID(p->x.rows == (plain ? p->a->columns : p->a->rows));
    SPARSE_VALID(p->x.columns == p->y.columns);
    cudaDataType type = p->compute;
    if (sparse_is_blocked(p->a)) {
        SPARSE_SUPPORTED(plain);
        type = type == CUDA_R_32F && p->a->type == CUDA_R_16F ? CUDA_R_16F : type;
    }
    SPARSE_SUPPORTED(sparse_is_type(p->compute) && p->a->type == type && p->x.type == type &&
                     p->y.type == type);
    return CUSPARSE_STATUS_SUCCESS;
}

cusparseStatus_t sparse_launch_product(struct library_call *call, const char *kernel,
                                       const struct sparse_product *p)
{
    int lanes = sparse_lanes(p->y.rows, p->a->nnz), columns = (int)p->y.columns;
    library_add(call, &p->a->values);
    library_add_scalar(call, p->alpha);
    library_add(call, &p->x.lines);
    library_add_scalar(call, p->beta);
    library_add(call, &p->y.lines);
    library_add(call, &columns);
    library_add(call, &lanes);
    if (p->a->type == CUDA_R_16F) /* scalars and sums are floats all the same */
        call->precision = LIBRARY_H;
    dim3 grid = sparse_over(p->y.rows * lanes);
    grid.y = library_blocks(columns, 1, SPARSE_COLUMNS_MOST);
    return sparse_launch(call, kernel, grid);
}

static cusparseStatus_t multiply(cusparseHandle_t handle, struct sparse_product *p, void *buffer)
{
    struct sparse_rows rows;
    struct library_call call = sparse_call(handle, p->compute);
    cusparseStatus_t status = check(p);
    if (status || !p->y.rows || !p->y.columns)
        return status;
    if (sparse_is_blocked(p->a))
        return sparse_multiply_blocks(handle, p);
    SPARSE_VALID(p->y.lines.data &&
                 (p->a->offsets || (!p->a->nnz && p->a->format == CUSPARSE_FORMAT_COO)));
    SPARSE_VALID(!p->a->nnz || (p->a->indices && p->a->values && p->x.lines.data));
    status = sparse_turned(handle, p->op, p->a, buffer, &rows);
    if (status)
        return status;
    library_add(&call, &rows);
    return sparse_launch_product(&call, "multiply", p);
}

/* Those of the matrix' format, and the default. */
static bool is_vector_algorithm(cusparseSpMVAlg_t alg, const struct cusparseSpMatDescr *a)
{
    bool entries = a->format == CUSPARSE_FORMAT_COO;
    switch (alg) {
    case CUSPARSE_SPMV_ALG_DEFAULT:
        return true;
    case CUSPARSE_SPMV_SELL_ALG1:
        return a->format == CUSPARSE_FORMAT_SLICED_ELLPACK;
    case CUSPARSE_SPMV_BSR_ALG1:
        return a->format == CUSPARSE_FORMAT_BSR;
    case CUSPARSE_SPMV_COO_ALG1:
    case CUSPARSE_SPMV_COO_ALG2:
        return entries;
    default:
        return !entries && !sparse_is_blocked(a) &&
               (alg == CUSPARSE_SPMV_CSR_ALG1 || alg == CUSPARSE_SPMV_CSR_ALG2);
    }
}

static bool is_matrix_algorithm(cusparseSpMMAlg_t alg, const struct cusparseSpMatDescr *a)
{
    bool entries = a->format == CUSPARSE_FORMAT_COO;
    switch (alg) {
    case CUSPARSE_SPMM_ALG_DEFAULT:
        return true;
    case CUSPARSE_SPMM_BLOCKED_ELL_ALG1:
        return a->format == CUSPARSE_FORMAT_BLOCKED_ELL;
    case CUSPARSE_SPMM_BSR_ALG1:
        return a->format == CUSPARSE_FORMAT_BSR;
    case CUSPARSE_SPMM_COO_ALG1:
    case CUSPARSE_SPMM_COO_ALG2:
    case CUSPARSE_SPMM_COO_ALG3:
    case CUSPARSE_SPMM_COO_ALG4:
        return entries;
    default:
        return !entries && !sparse_is_blocked(a) &&
               (alg == CUSPARSE_SPMM_CSR_ALG1 || alg == CUSPARSE_SPMM_CSR_ALG2 ||
                alg == CUSPARSE_SPMM_CSR_ALG3);
    }
}

/* A batch of matrices has indices of 32 bits. */
static bool has_indices(const struct cusparseSpMatDescr *a)
{
    return !sparse_is_wide(a) || a->batch <= 1;
}

static size_t buffer_bytes(cusparseOperation_t op, cusparseSpMatDescr_t a)
{
    return sparse_narrow_bytes(a) + (sparse_is_blocked(a) ? 0 : sparse_turned_bytes(op, a));
}

cusparseStatus_t cusparseSpMV_bufferSize(cusparseHandle_t handle, cusparseOperation_t op,
                                         const void *alpha, cusparseSpMatDescr_t a,
                                         cusparseDnVecDescr_t x, const void *beta,
                                         cusparseDnVecDescr_t y, cudaDataType computeType,
                                         cusparseSpMVAlg_t alg, size_t *size)
{
    SPARSE_HANDLE(handle);
    SPARSE_VALID(library_knows(a) && library_knows(x) && library_knows(y) && size);
    SPARSE_SUPPORTED(is_vector_algorithm(alg, a));
    struct sparse_product p = of_vectors(op, a, x, y);
    p.alpha = alpha, p.beta = beta, p.compute = computeType;
    *size = buffer_bytes(op, a);
    return check(&p);
}

cusparseStatus_t cusparseSpMV(cusparseHandle_t handle, cusparseOperation_t op, const void *alpha,
                              cusparseSpMatDescr_t a, cusparseDnVecDescr_t x, const void *beta,
                              cusparseDnVecDescr_t y, cudaDataType computeType,
                              cusparseSpMVAlg_t alg, void *buffer)
{
    SPARSE_HANDLE(handle);
    SPARSE_VALID(library_knows(a) && library_knows(x) && library_knows(y));
    SPARSE_SUPPORTED(is_vector_algorithm(alg, a));
    struct cusparseSpMatDescr narrow;
    struct sparse_product p = of_vectors(op, &narrow, x, y);
    p.alpha = alpha, p.beta = beta, p.compute = computeType;
    cusparseStatus_t status = sparse_narrow(handle, a, &buffer, &narrow);
    return status ? status : multiply(handle, &p, buffer);
}

cusparseStatus_t cusparseSpMM_bufferSize(cusparseHandle_t handle, cusparseOperation_t opA,
                                         cusparseOperation_t opB, const void *alpha,
                                         cusparseSpMatDescr_t a, cusparseDnMatDescr_t b,
                                         const void *beta, cusparseDnMatDescr_t c,
                                         cudaDataType computeType, cusparseSpMMAlg_t alg,
                                         size_t *size)
{
    SPARSE_HANDLE(handle);
    SPARSE_VALID(library_knows(a) && library_knows(b) && library_knows(c) && size &&
                 sparse_is_op(opB));
    SPARSE_VALID(sparse_batch(a->batch, b->batch, c->batch));
    SPARSE_SUPPORTED(is_matrix_algorithm(alg, a) && has_indices(a));
    struct sparse_product p = of_matrices(opA, opB, a, b, c);
    p.alpha = alpha, p.beta = beta, p.compute = computeType;
    *size = buffer_bytes(opA, a);
    return check(&p);
}

cusparseStatus_t cusparseSpMV_preprocess(cusparseHandle_t handle, cusparseOperation_t op,
                                         const void *alpha, cusparseSpMatDescr_t a,
                                         cusparseDnVecDescr_t x, const void *beta,
                                         cusparseDnVecDescr_t y, cudaDataType computeType,
                                         cusparseSpMVAlg_t alg, void *buffer)
{
    size_t size = 0;
    (void)buffer;
    return cusparseSpMV_bufferSize(handle, op, alpha, a, x, beta, y, computeType, alg, &size);
}

cusparseStatus_t cusparseSpMM_preprocess(cusparseHandle_t handle, cusparseOperation_t opA,
                                         cusparseOperation_t opB, const void *alpha,
                                         cusparseSpMatDescr_t a, cusparseDnMatDescr_t b,
                                         const void *beta, cusparseDnMatDescr_t c,
                                         cudaDataType computeType, cusparseSpMMAlg_t alg,
                                         void *buffer)
{
    size_t size = 0;
    (void)buffer;
    return cusparseSpMM_bufferSize(handle, opA, opB, alpha, a, b, beta, c, computeType, alg, &size);
}

cusparseStatus_t cusparseSpMM(cusparseHandle_t handle, cusparseOperation_t opA,
                              cusparseOperation_t opB, const void *alpha, cusparseSpMatDescr_t a,
                              cusparseDnMatDescr_t b, const void *beta, cusparseDnMatDescr_t c,
                              cudaDataType computeType, cusparseSpMMAlg_t alg, void *buffer)
{
    SPARSE_HANDLE(handle);
    SPARSE_VALID(library_knows(a) && library_knows(b) && library_knows(c) && sparse_is_op(opB));
    int batch = sparse_batch(a->batch, b->batch, c->batch);
    cusparseStatus_t status = CUSPARSE_STATUS_SUCCESS;
    SPARSE_VALID(batch);
    SPARSE_SUPPORTED(is_matrix_algorithm(alg, a) && has_indices(a));
    struct cusparseSpMatDescr narrow;
    status = sparse_narrow(handle, a, &buffer, &narrow);
    for (int i = 0; i < batch && !status; i++) { /* one after the other: they share the buffer */
        struct cusparseSpMatDescr one = sparse_member(&narrow, i);
        struct cusparseDnMatDescr x = sparse_dense_member(b, i), y = sparse_dense_member(c, i);
        struct sparse_product p = of_matrices(opA, opB, &one, &x, &y);
        p.alpha = alpha, p.beta = beta, p.compute = computeType;
        status = multiply(handle, &p, buffer);
    }
    return status;
}
