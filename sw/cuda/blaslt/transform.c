/* C = alpha op(A) + beta op(B), each in an order of its own. */
#include <stdio.h>

#include "sw/cuda/blaslt/lt.h"
#include "sw/cuda/blaslt/shape.h"

#define CALL    "cublasLtMatrixTransform"
#define COLUMNS 65535u /* of blocks; further columns are taken in turn */

struct mix {
    cudaDataType type, scale;
    enum library_precision factor;
    const char *kernel; /* how its name ends */
    unsigned int forms; /* LT_PLANES, LT_BLOCKS */
};

static const struct mix mixes[] = {
    {CUDA_R_32F, CUDA_R_32F, LIBRARY_S, "s", 0},
    {CUDA_R_64F, CUDA_R_64F, LIBRARY_D, "d", 0},
    {CUDA_C_32F, CUDA_C_32F, LIBRARY_C, "c", LT_PLANES},
    {CUDA_C_64F, CUDA_C_64F, LIBRARY_Z, "z", 0},
    {CUDA_C_16F, CUDA_C_32F, LIBRARY_C, "ch", LT_PLANES},
    {CUDA_C_16BF, CUDA_C_32F, LIBRARY_C, "cb", LT_PLANES},
    {CUDA_R_16F, CUDA_R_16F, LIBRARY_H, "h_h", 0},
    {CUDA_R_16F, CUDA_R_32F, LIBRARY_S, "h_s", 0},
    {CUDA_R_16BF, CUDA_R_32F, LIBRARY_S, "b_s", 0},
    {CUDA_R_8I, CUDA_R_32F, LIBRARY_S, "q_s", LT_BLOCKS},
    {CUDA_R_32I, CUDA_R_32F, LIBRARY_S, "i_s", LT_BLOCKS},
};

struct operands {
    const struct lt_transform *how;
    const struct lt_layout *a, *b, *c; /* b: NULL if there is none */
};

static cublasStatus_t choose(const struct operands *o, const struct mix **mix)
{
    bool same = o->a->type == o->c->type && (!o->b || o->b->type == o->c->type);
    for (size_t i = 0; same && i < sizeof mixes / sizeof *mixes; i++) {
        *mix = &mixes[i];
        if (mixes[i].type == (cudaDataType)o->c->type &&
            mixes[i].scale == (cudaDataType)o->how->scale)
            return CUBLAS_STATUS_SUCCESS;
    }
    evc_explain(CUDA_ERROR_NOT_SUPPORTED,
                CALL ": no kernel for A of type %u, C of type %u, scale type %d (library_types.h)",
                o->a->type, o->c->type, o->how->scale);
    return CUBLAS_STATUS_NOT_SUPPORTED;
}

/* op(l) has the size of C, and as many matrices. */
static cublasStatus_t fits(const struct operands *o, const struct lt_layout *l, int32_t trans,
                           const char *name, unsigned int forms)
{
    bool turned = trans != CUBLAS_OP_N;
    uint64_t rows = turned ? l->columns : l->rows, columns = turned ? l->rows : l->columns;
    if (blas_is_trans((cublasOperation_t)trans) && rows == o->c->rows && columns == o->c->columns &&
        l->batch == o->c->batch)
        return lt_shape(CALL, l, name, forms);
    evc_explain(CUDA_ERROR_NOT_SUPPORTED,
                CALL ": op(%s) is %llu x %llu in a batch of %d (operation %d), C %llu x %llu of %d",
                name, (unsigned long long)rows, (unsigned long long)columns, l->batch, trans,
                (unsigned long long)o->c->rows, (unsigned long long)o->c->columns, o->c->batch);
    return CUBLAS_STATUS_INVALID_VALUE;
}

static cublasStatus_t check(const struct operands *o, const struct mix **mix)
{
    cublasStatus_t status = choose(o, mix);
    const unsigned int forms = status ? 0 : (*mix)->forms;
    status = status ? status : lt_shape(CALL, o->c, "C", forms);
    status = status ? status : fits(o, o->a, o->how->transa, "A", forms);
    status = status || !o->b ? status : fits(o, o->b, o->how->transb, "B", forms);
    if (status || o->how->pointers == CUBLASLT_POINTER_MODE_HOST ||
        o->how->pointers == CUBLASLT_POINTER_MODE_DEVICE)
        return status;
    evc_explain(CUDA_ERROR_NOT_SUPPORTED,
                CALL ": pointer mode %d; evgpu has the host's and the device's", o->how->pointers);
    return CUBLAS_STATUS_NOT_SUPPORTED;
}

cublasStatus_t cublasLtMatrixTransform(cublasLtHandle_t handle,
                                       cublasLtMatrixTransformDesc_t transform, const void *alpha,
                                       const void *a, cublasLtMatrixLayout_t layout_a,
                                       const void *beta, const void *b,
                                       cublasLtMatrixLayout_t layout_b, void *c,
                                       cublasLtMatrixLayout_t layout_c, cudaStream_t stream)
{
    BLAS_HANDLE(handle);
    BLAS_VALID(transform && layout_a && layout_c && alpha);
    bool adds = b && layout_b;
    const struct operands o = {lt_transform(transform), lt_layout(layout_a),
                               adds ? lt_layout(layout_b) : NULL, lt_layout(layout_c)};
    const struct mix *mix = NULL;
    cublasStatus_t status = check(&o, &mix);
    if (status || !o.c->rows || !o.c->columns || !o.c->batch)
        return status;
    BLAS_VALID(a && c && (beta || !adds));
    /* C column by column; by rows it is the transpose of that. */
    bool turned = o.c->order == CUBLASLT_ORDER_ROW;
    int m = (int)(turned ? o.c->columns : o.c->rows), n = (int)(turned ? o.c->rows : o.c->columns);
    struct lt_target to = lt_target(o.c, mix->forms);
    to.data = c;
    struct blas_factor of_a = lt_factor(o.how->pointers, blas_bytes(mix->factor), alpha),
                       of_b = {.form = 0}; /* 0: nothing is read */
    struct lt_matrix from_a = lt_view(o.a, (cublasOperation_t)o.how->transa, turned, mix->forms),
                     from_b = from_a;
    if (adds) {
        of_b = lt_factor(o.how->pointers, blas_bytes(mix->factor), beta);
        from_b = lt_view(o.b, (cublasOperation_t)o.how->transb, turned, mix->forms);
    }
    from_a.matrix.data = a;
    from_b.matrix.data = b;
    void *const arguments[] = {&m, &n, &of_a, &from_a, &of_b, &from_b, &to};
    char kernel[24];
    snprintf(kernel, sizeof kernel, "transform_%s", mix->kernel);
    return library_launch(&handle->library, kernel,
                          (dim3){library_blocks(m, TRANSFORM_THREADS, ~0u),
                                 library_blocks(n, 1, COLUMNS), (unsigned int)o.c->batch},
                          (dim3){TRANSFORM_THREADS, 1, 1}, stream, arguments)
               ? CUBLAS_STATUS_EXECUTION_FAILED
               : CUBLAS_STATUS_SUCCESS;
}
