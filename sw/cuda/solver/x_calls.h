/* What the calls of 64 bits share: their types choose a call of 32 bits. */
#ifndef EVGPU_CUDA_SOLVER_X_CALLS_H
#define EVGPU_CUDA_SOLVER_X_CALLS_H

#include "sw/cuda/solver/solver.h"

/* What all calls check: handle, type, and sizes, a list that ends with END. */
#define END        INT64_MIN
#define SIZES(...) ((const int64_t[]){__VA_ARGS__, END})
static inline cusolverStatus_t prepare(cusolverDnHandle_t handle, struct dense *d,
                                       cudaDataType type, cudaDataType compute,
                                       const int64_t *sizes)
{
    SOLVER_HANDLE(handle);
    d->handle = handle;
    bool known = blas_precision(type, &d->precision) && d->precision <= LIBRARY_Z;
    SOLVER_CHECK(known && type == compute, CUSOLVER_STATUS_NOT_SUPPORTED);
    for (const int64_t *n = sizes; *n != END; n++) {
        SOLVER_VALID(*n >= 0);
        SOLVER_CHECK(*n <= INT32_MAX, CUSOLVER_STATUS_NOT_SUPPORTED);
    }
    return CUSOLVER_STATUS_SUCCESS;
}

static inline bool is_real_of(const struct dense *d, cudaDataType type)
{
    bool single = d->precision == LIBRARY_S || d->precision == LIBRARY_C;
    return type == (single ? CUDA_R_32F : CUDA_R_64F);
}

/* A workspace of numbers, in bytes. */
static inline cusolverStatus_t in_bytes(const struct dense *d, cusolverStatus_t status, int numbers,
                                        size_t *deviceBytes, size_t *hostBytes)
{
    SOLVER_TRY(status);
    SOLVER_VALID(deviceBytes && hostBytes);
    *deviceBytes = (size_t)numbers * blas_bytes(d->precision);
    *hostBytes = 0;
    return CUSOLVER_STATUS_SUCCESS;
}

static inline int numbers_in(const struct dense *d, size_t bytes)
{
    size_t numbers = bytes / blas_bytes(d->precision);
    return numbers > INT32_MAX ? INT32_MAX : (int)numbers;
}

/* The call of the precision: the first name for real numbers, the second for complex ones. */
#define CALL(d, status, real, complex, ...)                                                        \
    do {                                                                                           \
        switch ((d)->precision) {                                                                  \
        case LIBRARY_S:                                                                            \
            status = cusolverDnS##real(__VA_ARGS__);                                               \
            break;                                                                                 \
        case LIBRARY_D:                                                                            \
            status = cusolverDnD##real(__VA_ARGS__);                                               \
            break;                                                                                 \
        case LIBRARY_C:                                                                            \
            status = cusolverDnC##complex(__VA_ARGS__);                                            \
            break;                                                                                 \
        default:                                                                                   \
            status = cusolverDnZ##complex(__VA_ARGS__);                                            \
            break;                                                                                 \
        }                                                                                          \
    } while (0)

#endif
