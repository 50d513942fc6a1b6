/* Handles and products. */
#include <stdlib.h>
#include <string.h>

#include "sw/cuda/blaslt/lt.h"

cublasStatus_t cublasLtCreate(cublasLtHandle_t *handle)
{
    BLAS_VALID(handle);
    BLAS_CHECK(!cudaFree(NULL), CUBLAS_STATUS_NOT_INITIALIZED); /* starts the runtime */
    struct cublasLtContext *made = calloc(1, sizeof *made);
    if (!made || !library_keep(made)) {
        free(made);
        return CUBLAS_STATUS_ALLOC_FAILED;
    }
    *handle = made;
    return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasLtDestroy(cublasLtHandle_t handle)
{
    BLAS_HANDLE(handle);
    library_forget(handle);
    cudaDeviceSynchronize(); /* its kernels may still run */
    library_close(&handle->library);
    free(handle);
    return CUBLAS_STATUS_SUCCESS;
}

size_t cublasLtGetVersion(void)
{
    return CUBLAS_VERSION;
}

size_t cublasLtGetCudartVersion(void)
{
    return CUDART_VERSION;
}

cublasStatus_t cublasLtGetProperty(libraryPropertyType type, int *value)
{
    static const int parts[] = {[MAJOR_VERSION] = CUBLAS_VER_MAJOR,
                                [MINOR_VERSION] = CUBLAS_VER_MINOR,
                                [PATCH_LEVEL] = CUBLAS_VER_PATCH};
    BLAS_VALID(value && (unsigned int)type < sizeof parts / sizeof *parts);
    *value = parts[type];
    return CUBLAS_STATUS_SUCCESS;
}

struct blas_factor lt_factor(int32_t pointers, size_t bytes, const void *scalar)
{
    struct blas_factor f = {.form = 0};
    if (pointers == CUBLASLT_POINTER_MODE_DEVICE)
        f.device = scalar;
    else
        memcpy(&f.value, scalar, bytes);
    return f;
}

/* 1, as a factor of the type has it. */
static struct blas_factor one(cudaDataType type)
{
    struct blas_factor f = {.form = 0};
    const int whole = 1;
    const uint16_t half = 0x3c00;
    if (type == CUDA_R_32I)
        memcpy(&f.value, &whole, sizeof whole);
    else if (type == CUDA_R_16F)
        memcpy(&f.value, &half, sizeof half);
    else if (type == CUDA_R_64F || type == CUDA_C_64F)
        f.value.twice = 1;
    else
        f.value.single = 1;
    return f;
}

/* The elements from `first` on of each sum. */
static void shift(struct lt_matrix *m, long long distance, int first, size_t unit)
{
    m->matrix.data = (const char *)m->matrix.data + distance * first * (long long)unit;
}

/* A launch for each piece of k: the first adds c, the last has the epilogue, and all but the first
 * add to d. */
static cublasStatus_t pieces(cublasLtHandle_t handle, const struct lt_plan *plan,
                             const struct blas_factor factors[2], cudaStream_t stream)
{
    int first = 0;
    do {
        struct lt_plan p = *plan;
        struct blas_factor alpha = factors[0], beta = first ? one(p.mix->factor) : factors[1];
        bool last = p.k - first <= p.piece;
        p.k = last ? p.k - first : p.piece;
        shift(&p.a, p.a.matrix.column, first, p.mix->unit);
        shift(&p.b, p.b.matrix.row, first, p.mix->unit);
        if (first)
            p.c = (struct lt_matrix){.matrix = {.data = p.d.data,
                                                .row = p.d.step,
                                                .column = p.d.ld,
                                                .stride = p.d.stride},
                                     .form = p.d.form};
        if (!last)
            p.after = (struct lt_epilogue){.bias = NULL};
        void *const arguments[] = {&p.m, &p.n,  &p.k, &alpha, &p.a,
                                   &p.b, &beta, &p.c, &p.d,   &p.after};
        if (library_launch(&handle->library, p.kernel, lt_grid(&p), (dim3){GEMM_THREADS, 1, 1},
                           stream, arguments))
            return CUBLAS_STATUS_EXECUTION_FAILED;
        first += p.k;
    } while (first < plan->k);
    return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasLtMatmul(cublasLtHandle_t handle, cublasLtMatmulDesc_t product,
                              const void *alpha, const void *a, cublasLtMatrixLayout_t layout_a,
                              const void *b, cublasLtMatrixLayout_t layout_b, const void *beta,
                              const void *c, cublasLtMatrixLayout_t layout_c, void *d,
                              cublasLtMatrixLayout_t layout_d, const cublasLtMatmulAlgo_t *algo,
                              void *workspace, size_t workspace_bytes, cudaStream_t stream)
{
    BLAS_HANDLE(handle);
    (void)workspace, (void)workspace_bytes; /* the algorithm takes none */
    BLAS_VALID(product && layout_a && layout_b && layout_c && layout_d && alpha && beta);
    cublasLtMatmulAlgo_t chosen = algo ? *algo : (cublasLtMatmulAlgo_t){{0}};
    BLAS_VALID(!algo || lt_algorithm(&chosen)->mark == LT_ALGORITHM);
    struct lt_plan plan;
    const struct lt_operands o = {lt_product(product), lt_layout(layout_a), lt_layout(layout_b),
                                  lt_layout(layout_c), lt_layout(layout_d)};
    cublasStatus_t status = lt_plan(&o, algo ? lt_algorithm(&chosen) : NULL, &plan);
    if (status || !plan.m || !plan.n || !plan.batch)
        return status;
    BLAS_VALID(a && b && d);
    plan.a.matrix.data = plan.exchanged ? b : a;
    plan.b.matrix.data = plan.exchanged ? a : b;
    plan.c.matrix.data = c;
    plan.d.data = d;
    const struct blas_factor factors[2] = {lt_factor(o.product->pointers, plan.factor, alpha),
                                           lt_factor(o.product->pointers, plan.factor, beta)};
    status = pieces(handle, &plan, factors, stream);
    return status ? status : lt_gradient(handle, &plan, stream);
}
