/* Handles, the choice of an algorithm, and products. */
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

/* In the first word of the algorithm, so that one that nobody has filled is found. */
#define ALGORITHM 1

static dim3 grid_of(const struct lt_plan *plan)
{
    return (dim3){library_blocks(plan->m, plan->side, ~0u),
                  library_blocks(plan->n, plan->side, ~0u), (unsigned int)plan->batch};
}

cublasStatus_t cublasLtMatmulAlgoGetHeuristic(cublasLtHandle_t handle, cublasLtMatmulDesc_t product,
                                              cublasLtMatrixLayout_t a, cublasLtMatrixLayout_t b,
                                              cublasLtMatrixLayout_t c, cublasLtMatrixLayout_t d,
                                              cublasLtMatmulPreference_t preference, int room,
                                              cublasLtMatmulHeuristicResult_t results[], int *count)
{
    BLAS_HANDLE(handle);
    BLAS_VALID(product && a && b && c && d && preference && room > 0 && results && count);
    struct lt_plan plan;
    const struct lt_operands o = {lt_product(product), lt_layout(a), lt_layout(b), lt_layout(c),
                                  lt_layout(d)};
    int processors = 1;
    cublasStatus_t status = lt_plan(&o, &plan);
    *count = status == CUBLAS_STATUS_SUCCESS;
    if (status)
        return status;
    BLAS_CHECK(!cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, 0),
               CUBLAS_STATUS_NOT_INITIALIZED);
    dim3 grid = grid_of(&plan);
    results[0] = (cublasLtMatmulHeuristicResult_t){.algo = {{ALGORITHM}},
                                                   .state = CUBLAS_STATUS_SUCCESS,
                                                   .wavesCount = (float)grid.x * (float)grid.y *
                                                                 (float)grid.z / (float)processors};
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
    BLAS_VALID(!algo || algo->data[0] == ALGORITHM);
    struct lt_plan plan;
    const struct lt_operands o = {lt_product(product), lt_layout(layout_a), lt_layout(layout_b),
                                  lt_layout(layout_c), lt_layout(layout_d)};
    cublasStatus_t status = lt_plan(&o, &plan);
    if (status || !plan.m || !plan.n || !plan.batch)
        return status;
    BLAS_VALID(a && b && d);
    plan.a.data = plan.exchanged ? b : a;
    plan.b.data = plan.exchanged ? a : b;
    plan.c.data = c;
    struct blas_factor of_product = lt_factor(o.product->pointers, plan.factor, alpha),
                       of_c = lt_factor(o.product->pointers, plan.factor, beta);
    void *const arguments[] = {&plan.m, &plan.n, &plan.k, &of_product, &plan.a,        &plan.b,
                               &of_c,   &plan.c, &d,      &plan.ldd,   &plan.stride_d, &plan.after};
    return library_launch(&handle->library, plan.kernel, grid_of(&plan), (dim3){GEMM_THREADS, 1, 1},
                          stream, arguments)
               ? CUBLAS_STATUS_EXECUTION_FAILED
               : CUBLAS_STATUS_SUCCESS;
}
