/* Level 1 by types: numbers of 16 bits are computed as floats. */
#include "sw/cuda/blas/blas.h"

/* The precision of vectors of a type, if they are computed in the type of execution. */
static bool executes(cudaDataType type, cudaDataType execution, enum library_precision *precision)
{
    bool is_short = type == CUDA_R_16F || type == CUDA_R_16BF;
    return type != CUDA_R_32I && blas_precision(type, precision) &&
           execution == (is_short ? CUDA_R_32F : type);
}

#define SUPPORTED(condition) BLAS_CHECK(condition, CUBLAS_STATUS_NOT_SUPPORTED)

struct scale {
    const void *alpha;
    cudaDataType type, execution;
};

static cublasStatus_t scaled(cublasHandle_t handle, const char *kernel,
                             const struct blas_vectors *v, cudaDataType type, const struct scale *s)
{
    enum library_precision precision, of_alpha;
    BLAS_HANDLE(handle);
    SUPPORTED(executes(type, s->execution, &precision) && s->type == s->execution &&
              blas_precision(s->type, &of_alpha));
    BLAS_VALID(s->alpha);
    if (v->n <= 0 || (!v->y && v->incx <= 0))
        return CUBLAS_STATUS_SUCCESS;
    struct blas_factor f = blas_factor(handle, of_alpha, s->alpha, 0);
    return blas_over(handle, precision, kernel, v, &f, NULL);
}

cublasStatus_t cublasAxpyEx(cublasHandle_t handle, int n, const void *alpha, cudaDataType alphaType,
                            const void *x, cudaDataType xType, int incx, void *y,
                            cudaDataType yType, int incy, cudaDataType executionType)
{
    struct blas_vectors v = {n, x, incx, y, incy};
    SUPPORTED(!handle || yType == xType);
    return scaled(handle, "axpy", &v, xType, &(struct scale){alpha, alphaType, executionType});
}

cublasStatus_t cublasScalEx(cublasHandle_t handle, int n, const void *alpha, cudaDataType alphaType,
                            void *x, cudaDataType xType, int incx, cudaDataType executionType)
{
    struct blas_vectors v = {n, x, incx, NULL, 0};
    return scaled(handle, "scal", &v, xType, &(struct scale){alpha, alphaType, executionType});
}

/* The types of a product of vectors. */
struct types {
    cudaDataType x, y, result, execution;
};

static cublasStatus_t dot(cublasHandle_t handle, bool conjugated, const struct types *of,
                          const struct blas_vectors *v, void *result)
{
    enum library_precision precision;
    BLAS_HANDLE(handle);
    SUPPORTED(executes(of->x, of->execution, &precision) && of->y == of->x && of->result == of->x);
    bool complex = blas_is_complex(precision);
    struct blas_reduction reduction = {conjugated && complex ? "dotc" : "dot", "finish_sum",
                                       precision, blas_bytes(precision)};
    return blas_reduce(handle, precision, &reduction, v, result);
}

#define DOT(name, conjugated)                                                                      \
    cublasStatus_t cublas##name(cublasHandle_t handle, int n, const void *x, cudaDataType xType,   \
                                int incx, const void *y, cudaDataType yType, int incy,             \
                                void *result, cudaDataType resultType, cudaDataType executionType) \
    {                                                                                              \
        struct types of = {xType, yType, resultType, executionType};                               \
        struct blas_vectors v = {n, x, incx, (void *)(uintptr_t)y, incy};                          \
        return dot(handle, conjugated, &of, &v, result);                                           \
    }
DOT(DotEx, false)
DOT(DotcEx, true)

/* What is real, and so are its sums. */
static cublasStatus_t real(cublasHandle_t handle, const char *kernel, const char *finish,
                           const struct types *of, const struct blas_vectors *v, void *result)
{
    enum library_precision of_x, of_result;
    cudaDataType type = of->x == CUDA_C_32F ? CUDA_R_32F : of->x == CUDA_C_64F ? CUDA_R_64F : of->x;
    BLAS_HANDLE(handle);
    SUPPORTED(executes(type, of->execution, &of_result) && of->result == type &&
              blas_precision(of->x, &of_x));
    struct blas_reduction reduction = {kernel, finish, of_result, blas_bytes(of_result)};
    return blas_reduce(handle, of_x, &reduction, v, result);
}

#define REAL(name, kernel, finish)                                                                 \
    cublasStatus_t cublas##name(cublasHandle_t handle, int n, const void *x, cudaDataType xType,   \
                                int incx, void *result, cudaDataType resultType,                   \
                                cudaDataType executionType)                                        \
    {                                                                                              \
        struct types of = {xType, xType, resultType, executionType};                               \
        struct blas_vectors v = {n, x, incx, NULL, 0};                                             \
        return real(handle, kernel, finish, &of, &v, result);                                      \
    }
REAL(Nrm2Ex, "nrm2", "finish_norm")
REAL(AsumEx, "asum", "finish_sum")

/* The kernels compare floats or doubles. */
#define EXTREME(name, kernel, finish)                                                              \
    cublasStatus_t cublas##name(cublasHandle_t handle, int n, const void *x, cudaDataType xType,   \
                                int incx, int *result)                                             \
    {                                                                                              \
        enum library_precision of_x;                                                               \
        struct blas_vectors v = {n, x, incx, NULL, 0};                                             \
        BLAS_HANDLE(handle);                                                                       \
        SUPPORTED(xType != CUDA_R_32I && blas_precision(xType, &of_x));                            \
        bool twice = of_x == LIBRARY_D || of_x == LIBRARY_Z;                                       \
        struct blas_reduction of = {kernel, finish, twice ? LIBRARY_D : LIBRARY_S, sizeof(int)};   \
        return blas_reduce(handle, of_x, &of, &v, result);                                         \
    }
EXTREME(IamaxEx, "amax", "finish_max")
EXTREME(IaminEx, "amin", "finish_min")

#define MOVE(name, kernel, constant)                                                               \
    cublasStatus_t cublas##name(cublasHandle_t handle, int n, constant void *x,                    \
                                cudaDataType xType, int incx, void *y, cudaDataType yType,         \
                                int incy)                                                          \
    {                                                                                              \
        enum library_precision of_x;                                                               \
        struct blas_vectors v = {n, x, incx, y, incy};                                             \
        BLAS_HANDLE(handle);                                                                       \
        SUPPORTED(xType == yType && xType != CUDA_R_32I && blas_precision(xType, &of_x));          \
        return n > 0 ? blas_over(handle, of_x, kernel, &v, NULL, NULL) : CUBLAS_STATUS_SUCCESS;    \
    }
MOVE(CopyEx, "copy", const)
MOVE(SwapEx, "swap", )

/* c is a real number, which also the first part of a complex one is; s is of csType. */
cublasStatus_t cublasRotEx(cublasHandle_t handle, int n, void *x, cudaDataType xType, int incx,
                           void *y, cudaDataType yType, int incy, const void *c, const void *s,
                           cudaDataType csType, cudaDataType executiontype)
{
    enum library_precision precision;
    struct blas_vectors v = {n, x, incx, y, incy};
    bool real = (xType == CUDA_C_32F && csType == CUDA_R_32F) ||
                (xType == CUDA_C_64F && csType == CUDA_R_64F);
    BLAS_HANDLE(handle);
    SUPPORTED(executes(xType, executiontype, &precision) && yType == xType &&
              (csType == xType || real));
    BLAS_VALID(c && s);
    if (n <= 0)
        return CUBLAS_STATUS_SUCCESS;
    struct blas_factor of_c =
        blas_factor(handle, precision, c, blas_is_complex(precision) ? FACTOR_REAL : 0);
    struct blas_factor of_s = blas_factor(handle, precision, s, real ? FACTOR_REAL : 0);
    return blas_over(handle, precision, "rot", &v, &of_c, &of_s);
}
