/* cuBLASXt: products of matrices on the host, in tiles. */
#include <limits.h>
#include <stdlib.h>

#include "sw/cuda/blas/blas.h"
#include "sw/cuda/include/cublasXt.h"

#define TILE 2048

struct cublasXtContext {
    cublasHandle_t blas;
    int tile;
    cublasXtPinnedMemMode_t pinning;
};

cublasStatus_t cublasXtCreate(cublasXtHandle_t *handle)
{
    BLAS_VALID(handle);
    struct cublasXtContext *made = calloc(1, sizeof *made);
    BLAS_CHECK(made, CUBLAS_STATUS_ALLOC_FAILED);
    cublasStatus_t status = cublasCreate_v2(&made->blas);
    if (status) {
        free(made);
        return status;
    }
    if (!library_keep(made)) {
        cublasDestroy_v2(made->blas);
        free(made);
        return CUBLAS_STATUS_ALLOC_FAILED;
    }
    made->tile = TILE;
    *handle = made;
    return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasXtDestroy(cublasXtHandle_t handle)
{
    BLAS_HANDLE(handle);
    library_forget(handle);
    cublasDestroy_v2(handle->blas);
    free(handle);
    return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasXtMaxBoards(int *nbGpuBoards)
{
    BLAS_VALID(nbGpuBoards);
    *nbGpuBoards = 1;
    return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasXtGetNumBoards(int nbDevices, int deviceId[], int *nbBoards)
{
    BLAS_VALID(nbDevices == 1 && deviceId && deviceId[0] == 0);
    return cublasXtMaxBoards(nbBoards);
}

cublasStatus_t cublasXtDeviceSelect(cublasXtHandle_t handle, int nbDevices, int deviceId[])
{
    BLAS_HANDLE(handle);
    BLAS_VALID(nbDevices == 1 && deviceId && deviceId[0] == 0);
    return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasXtSetBlockDim(cublasXtHandle_t handle, int blockDim)
{
    BLAS_HANDLE(handle);
    BLAS_VALID(blockDim > 0);
    handle->tile = blockDim;
    return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasXtGetBlockDim(cublasXtHandle_t handle, int *blockDim)
{
    BLAS_HANDLE(handle);
    BLAS_VALID(blockDim);
    *blockDim = handle->tile;
    return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasXtSetPinningMemMode(cublasXtHandle_t handle, cublasXtPinnedMemMode_t mode)
{
    BLAS_HANDLE(handle);
    BLAS_VALID(mode == CUBLASXT_PINNING_DISABLED || mode == CUBLASXT_PINNING_ENABLED);
    handle->pinning = mode;
    return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasXtGetPinningMemMode(cublasXtHandle_t handle, cublasXtPinnedMemMode_t *mode)
{
    BLAS_HANDLE(handle);
    BLAS_VALID(mode);
    *mode = handle->pinning;
    return CUBLAS_STATUS_SUCCESS;
}

/* --- products -----------------------------------------------------------------------------------
 */

struct xt_matrix {
    char *data; /* where the program has it */
    size_t ld;
    bool turned;   /* stored as the transposed one */
    void *on_tile; /* on the device: rows without gaps between columns */
};

struct xt_product {
    cublasHandle_t blas;
    enum library_precision precision;
    cublasOperation_t trans[2];
    size_t m, n, k, tile;
    const void *alpha, *beta;
    struct xt_matrix a, b, c;
};

/* The part of `rows` x `columns` from (row, column) on, to the device or back. */
static bool move(const struct xt_product *p, const struct xt_matrix *x, size_t at[2],
                 const size_t size[2], bool back)
{
    size_t bytes = blas_bytes(p->precision), rows = size[x->turned], columns = size[!x->turned];
    char *there = x->data + (at[x->turned] + at[!x->turned] * x->ld) * bytes;
    cudaError_t error = back ? cudaMemcpy2D(there, x->ld * bytes, x->on_tile, rows * bytes,
                                            rows * bytes, columns, cudaMemcpyDefault)
                             : cudaMemcpy2D(x->on_tile, rows * bytes, there, x->ld * bytes,
                                            rows * bytes, columns, cudaMemcpyDefault);
    return error == cudaSuccess;
}

static cublasStatus_t multiply(const struct xt_product *p, const size_t size[3], const void *beta)
{
    static const cudaDataType types[] = {[LIBRARY_S] = CUDA_R_32F,
                                         [LIBRARY_D] = CUDA_R_64F,
                                         [LIBRARY_C] = CUDA_C_32F,
                                         [LIBRARY_Z] = CUDA_C_64F};
    bool twice = p->precision == LIBRARY_D || p->precision == LIBRARY_Z;
    cudaDataType type = types[p->precision];
    int m = (int)size[0], n = (int)size[1], k = (int)size[2], ld = k ? k : 1;
    return cublasGemmEx(p->blas, p->trans[0], p->trans[1], m, n, k, p->alpha, p->a.on_tile, type,
                        p->a.turned ? ld : m, p->b.on_tile, type, p->b.turned ? n : ld, beta,
                        p->c.on_tile, type, m, twice ? CUBLAS_COMPUTE_64F : CUBLAS_COMPUTE_32F,
                        CUBLAS_GEMM_DEFAULT);
}

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* The tile of c that begins at (i, j): the product's parts one after the other. */
static cublasStatus_t one_tile(const struct xt_product *p, size_t i, size_t j)
{
    static const double one[2] = {1, 0};
    static const float single_one[2] = {1, 0};
    bool twice = p->precision == LIBRARY_D || p->precision == LIBRARY_Z;
    size_t m = least(p->m - i, p->tile), n = least(p->n - j, p->tile), l = 0;
    if (!move(p, &p->c, (size_t[]){i, j}, (size_t[]){m, n}, false))
        return CUBLAS_STATUS_MAPPING_ERROR;
    do {
        size_t k = least(p->k - l, p->tile);
        const void *beta = l == 0 ? p->beta : twice ? (const void *)one : single_one;
        if (k && (!move(p, &p->a, (size_t[]){i, l}, (size_t[]){m, k}, false) ||
                  !move(p, &p->b, (size_t[]){l, j}, (size_t[]){k, n}, false)))
            return CUBLAS_STATUS_MAPPING_ERROR;
        cublasStatus_t status = multiply(p, (size_t[]){m, n, k}, beta);
        BLAS_CHECK(!status, status);
        l += p->tile;
    } while (l < p->k);
    return move(p, &p->c, (size_t[]){i, j}, (size_t[]){m, n}, true) ? CUBLAS_STATUS_SUCCESS
                                                                    : CUBLAS_STATUS_MAPPING_ERROR;
}

static cublasStatus_t product(cublasXtHandle_t handle, struct xt_product *p)
{
    BLAS_HANDLE(handle);
    BLAS_VALID(blas_is_trans(p->trans[0]) && blas_is_trans(p->trans[1]) && p->alpha && p->beta);
    p->a.turned = p->trans[0] != CUBLAS_OP_N;
    p->b.turned = p->trans[1] != CUBLAS_OP_N;
    BLAS_VALID(p->a.ld >= (p->a.turned ? p->k : p->m) && p->b.ld >= (p->b.turned ? p->n : p->k) &&
               p->c.ld >= p->m);
    p->blas = handle->blas;
    p->tile = (size_t)handle->tile;
    if (!p->m || !p->n)
        return CUBLAS_STATUS_SUCCESS;
    BLAS_VALID(p->c.data && (!p->k || (p->a.data && p->b.data)));
    size_t m = least(p->m, p->tile), n = least(p->n, p->tile), k = least(p->k, p->tile),
           bytes = blas_bytes(p->precision);
    cublasStatus_t status = CUBLAS_STATUS_ALLOC_FAILED;
    if (!cudaMalloc(&p->a.on_tile, m * k * bytes) && !cudaMalloc(&p->b.on_tile, k * n * bytes) &&
        !cudaMalloc(&p->c.on_tile, m * n * bytes)) {
        status = CUBLAS_STATUS_SUCCESS;
        for (size_t j = 0; j < p->n; j += p->tile) {
            for (size_t i = 0; i < p->m && !status; i += p->tile)
                status = one_tile(p, i, j);
        }
    }
    cudaFree(p->a.on_tile);
    cudaFree(p->b.on_tile);
    cudaFree(p->c.on_tile);
    return status;
}

#define PRODUCT(R, T)                                                                              \
    cublasStatus_t cublasXt##R##gemm(cublasXtHandle_t handle, cublasOperation_t transa,            \
                                     cublasOperation_t transb, size_t m, size_t n, size_t k,       \
                                     const T *alpha, const T *a, size_t lda, const T *b,           \
                                     size_t ldb, const T *beta, T *c, size_t ldc)                  \
    {                                                                                              \
        struct xt_product p = {.precision = LIBRARY_##R,                                           \
                               .trans = {transa, transb},                                          \
                               .m = m,                                                             \
                               .n = n,                                                             \
                               .k = k,                                                             \
                               .alpha = alpha,                                                     \
                               .beta = beta,                                                       \
                               .a = {.data = (char *)(uintptr_t)a, .ld = lda},                     \
                               .b = {.data = (char *)(uintptr_t)b, .ld = ldb},                     \
                               .c = {.data = (char *)c, .ld = ldc}};                               \
        return product(handle, &p);                                                                \
    }
PRODUCT(S, float)
PRODUCT(D, double)
PRODUCT(C, cuComplex)
PRODUCT(Z, cuDoubleComplex)
