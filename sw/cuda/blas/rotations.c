/* Level 1: modified rotations, and the making of rotations. */
#include "sw/cuda/blas/blas.h"

#include <string.h>

/* The kernels' struct rotm_parameters. */
struct parameters_s {
    const void *device;
    float host[ROTM_PARAMETERS];
};
struct parameters_d {
    const void *device;
    double host[ROTM_PARAMETERS];
};

#define ROTM(R, r, T)                                                                              \
    cublasStatus_t cublas##R##rotm_v2(cublasHandle_t handle, int n, T *x, int incx, T *y,          \
                                      int incy, const T *param)                                    \
    {                                                                                              \
        struct blas_vectors v = {n, x, incx, y, incy};                                             \
        struct parameters_##r p = {.device = NULL};                                                \
        BLAS_HANDLE(handle);                                                                       \
        BLAS_VALID(param);                                                                         \
        if (handle->pointers == CUBLAS_POINTER_MODE_DEVICE)                                        \
            p.device = param;                                                                      \
        else                                                                                       \
            memcpy(p.host, param, sizeof p.host);                                                  \
        return n <= 0 ? CUBLAS_STATUS_SUCCESS                                                      \
                      : blas_over(handle, LIBRARY_##R, "rotm", &v, &p, NULL);                      \
    }
ROTM(S, s, float)
ROTM(D, d, double)

/* A number, or several, that a kernel of one thread reads and writes. */
struct operand {
    void *at;
    size_t bytes;
    bool only_read;
};
#define OPERANDS      5
#define OPERAND_BYTES 48 /* at most, and as every type is aligned */

/* The kernel's parameters are pointers to the operands. Those on the host are copied to the device
 * and back. */
static cublasStatus_t make(cublasHandle_t handle, enum library_precision precision,
                           const char *kernel, const struct operand *o, int count)
{
    BLAS_HANDLE(handle);
    struct library_call call = blas_call(handle, precision);
    bool host = handle->pointers == CUBLAS_POINTER_MODE_HOST;
    void *places[OPERANDS];
    for (int i = 0; i < count; i++) {
        BLAS_VALID(o[i].at);
        places[i] = host ? (char *)handle->parts + (size_t)i * OPERAND_BYTES : o[i].at;
        library_add(&call, &places[i]);
        BLAS_CHECK(!host || !cudaMemcpyAsync(places[i], o[i].at, o[i].bytes, cudaMemcpyHostToDevice,
                                             handle->stream),
                   CUBLAS_STATUS_EXECUTION_FAILED);
    }
    cublasStatus_t status = blas_launch(&call, kernel, (dim3){1, 1, 1}, (dim3){1, 1, 1});
    for (int i = 0; i < count && host && !status; i++)
        if (!o[i].only_read)
            status = blas_fetch(handle, o[i].at, places[i], o[i].bytes);
    return status;
}

#define OPERAND(pointer)                                                                           \
    {                                                                                              \
        pointer, sizeof *(pointer), false                                                          \
    }
#define ROTG(R, T, V)                                                                              \
    cublasStatus_t cublas##R##rotg_v2(cublasHandle_t handle, T *a, T *b, V *c, T *s)               \
    {                                                                                              \
        struct operand o[] = {OPERAND(a), OPERAND(b), OPERAND(c), OPERAND(s)};                     \
        return make(handle, LIBRARY_##R, "rotg", o, 4);                                            \
    }
ROTG(S, float, float)
ROTG(D, double, double)
ROTG(C, cuComplex, float)
ROTG(Z, cuDoubleComplex, double)

#define ROTMG(R, T)                                                                                \
    cublasStatus_t cublas##R##rotmg_v2(cublasHandle_t handle, T *d1, T *d2, T *x1, const T *y1,    \
                                       T *param)                                                   \
    {                                                                                              \
        struct operand o[] = {OPERAND(d1),                                                         \
                              OPERAND(d2),                                                         \
                              OPERAND(x1),                                                         \
                              {(void *)(uintptr_t)y1, sizeof *y1, true},                           \
                              {param, ROTM_PARAMETERS * sizeof *param, false}};                    \
        return make(handle, LIBRARY_##R, "rotmg", o, OPERANDS);                                    \
    }
ROTMG(S, float)
ROTMG(D, double)
