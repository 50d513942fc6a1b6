/* Level 1: vectors. */
#include "sw/cuda/blas/blas.h"

/* What the calls for vectors check: n of 0 or less is no error and does nothing. */
#define VECTORS(handle, n, scalars)                                                                \
    BLAS_HANDLE(handle);                                                                           \
    BLAS_VALID(scalars);                                                                           \
    if ((n) <= 0)                                                                                  \
    return CUBLAS_STATUS_SUCCESS

static cublasStatus_t scaled(cublasHandle_t handle, enum library_precision precision,
                             const char *kernel, const struct blas_vectors *v, const void *alpha,
                             int form)
{
    VECTORS(handle, v->y || v->incx > 0 ? v->n : 0, alpha);
    struct blas_factor f = blas_factor(handle, precision, alpha, form);
    return blas_over(handle, precision, kernel, v, &f, NULL);
}

static cublasStatus_t moved(cublasHandle_t handle, enum library_precision precision,
                            const char *kernel, const struct blas_vectors *v)
{
    VECTORS(handle, v->n, true);
    return blas_over(handle, precision, kernel, v, NULL, NULL);
}

#define X_AND_Y(n, x, incx, y, incy) (&(struct blas_vectors){n, x, incx, y, incy})
#define X_ALONE(n, x, incx)          (&(struct blas_vectors){n, x, incx, NULL, 0})

/* R: the precision, I its letter, V that of real numbers, N the letters of results that are real.
 */
#define LEVEL1(R, T, I, V, of_v, N)                                                                \
    cublasStatus_t cublas##R##axpy_v2(cublasHandle_t handle, int n, const T *alpha, const T *x,    \
                                      int incx, T *y, int incy)                                    \
    {                                                                                              \
        return scaled(handle, LIBRARY_##R, "axpy", X_AND_Y(n, x, incx, y, incy), alpha, 0);        \
    }                                                                                              \
    cublasStatus_t cublas##R##scal_v2(cublasHandle_t handle, int n, const T *alpha, T *x,          \
                                      int incx)                                                    \
    {                                                                                              \
        return scaled(handle, LIBRARY_##R, "scal", X_ALONE(n, x, incx), alpha, 0);                 \
    }                                                                                              \
    cublasStatus_t cublas##R##copy_v2(cublasHandle_t handle, int n, const T *x, int incx, T *y,    \
                                      int incy)                                                    \
    {                                                                                              \
        return moved(handle, LIBRARY_##R, "copy", X_AND_Y(n, x, incx, y, incy));                   \
    }                                                                                              \
    cublasStatus_t cublas##R##swap_v2(cublasHandle_t handle, int n, T *x, int incx, T *y,          \
                                      int incy)                                                    \
    {                                                                                              \
        return moved(handle, LIBRARY_##R, "swap", X_AND_Y(n, x, incx, y, incy));                   \
    }                                                                                              \
    cublasStatus_t cublas##N##nrm2_v2(cublasHandle_t handle, int n, const T *x, int incx,          \
                                      of_v *result)                                                \
    {                                                                                              \
        static const struct blas_reduction of = {"nrm2", "finish_norm", LIBRARY_##V,               \
                                                 sizeof(of_v)};                                    \
        return blas_reduce(handle, LIBRARY_##R, &of, X_ALONE(n, x, incx), result);                 \
    }                                                                                              \
    cublasStatus_t cublas##N##asum_v2(cublasHandle_t handle, int n, const T *x, int incx,          \
                                      of_v *result)                                                \
    {                                                                                              \
        static const struct blas_reduction of = {"asum", "finish_sum", LIBRARY_##V, sizeof(of_v)}; \
        return blas_reduce(handle, LIBRARY_##R, &of, X_ALONE(n, x, incx), result);                 \
    }                                                                                              \
    cublasStatus_t cublasI##I##amax_v2(cublasHandle_t handle, int n, const T *x, int incx,         \
                                       int *result)                                                \
    {                                                                                              \
        static const struct blas_reduction of = {"amax", "finish_max", LIBRARY_##V, sizeof(int)};  \
        return blas_reduce(handle, LIBRARY_##R, &of, X_ALONE(n, x, incx), result);                 \
    }                                                                                              \
    cublasStatus_t cublasI##I##amin_v2(cublasHandle_t handle, int n, const T *x, int incx,         \
                                       int *result)                                                \
    {                                                                                              \
        static const struct blas_reduction of = {"amin", "finish_min", LIBRARY_##V, sizeof(int)};  \
        return blas_reduce(handle, LIBRARY_##R, &of, X_ALONE(n, x, incx), result);                 \
    }
LEVEL1(S, float, s, S, float, S)
LEVEL1(D, double, d, D, double, D)
LEVEL1(C, cuComplex, c, S, float, Sc)
LEVEL1(Z, cuDoubleComplex, z, D, double, Dz)

#define DOT(R, T, name, kernel)                                                                    \
    cublasStatus_t cublas##R##name##_v2(cublasHandle_t handle, int n, const T *x, int incx,        \
                                        const T *y, int incy, T *result)                           \
    {                                                                                              \
        static const struct blas_reduction of = {kernel, "finish_sum", LIBRARY_##R, sizeof(T)};    \
        struct blas_vectors v = {n, x, incx, (void *)(uintptr_t)y, incy};                          \
        return blas_reduce(handle, LIBRARY_##R, &of, &v, result);                                  \
    }
DOT(S, float, dot, "dot")
DOT(D, double, dot, "dot")
DOT(C, cuComplex, dotu, "dot")
DOT(Z, cuDoubleComplex, dotu, "dot")
DOT(C, cuComplex, dotc, "dotc")
DOT(Z, cuDoubleComplex, dotc, "dotc")

/* By a real factor. */
#define REAL_SCAL(R, T, of_v, name)                                                                \
    cublasStatus_t cublas##R##name##_v2(cublasHandle_t handle, int n, const of_v *alpha, T *x,     \
                                        int incx)                                                  \
    {                                                                                              \
        return scaled(handle, LIBRARY_##R, "scal", X_ALONE(n, x, incx), alpha, FACTOR_REAL);       \
    }
REAL_SCAL(C, cuComplex, float, sscal)
REAL_SCAL(Z, cuDoubleComplex, double, dscal)

/* --- rotations ----------------------------------------------------------------------------------
 */

/* What each of the factors is. */
struct rotation {
    const void *c, *s;
    int form_c, form_s;
};

static cublasStatus_t rot(cublasHandle_t handle, enum library_precision precision,
                          const struct blas_vectors *v, const struct rotation *r)
{
    VECTORS(handle, v->n, r->c && r->s);
    struct blas_factor c = blas_factor(handle, precision, r->c, r->form_c);
    struct blas_factor s = blas_factor(handle, precision, r->s, r->form_s);
    return blas_over(handle, precision, "rot", v, &c, &s);
}

#define ROT(R, T, name, type_c, type_s, form_c, form_s)                                            \
    cublasStatus_t cublas##R##name##_v2(cublasHandle_t handle, int n, T *x, int incx, T *y,        \
                                        int incy, const type_c *c, const type_s *s)                \
    {                                                                                              \
        return rot(handle, LIBRARY_##R, X_AND_Y(n, x, incx, y, incy),                              \
                   &(struct rotation){c, s, form_c, form_s});                                      \
    }
ROT(S, float, rot, float, float, 0, 0)
ROT(D, double, rot, double, double, 0, 0)
ROT(C, cuComplex, rot, float, cuComplex, FACTOR_REAL, 0)
ROT(Z, cuDoubleComplex, rot, double, cuDoubleComplex, FACTOR_REAL, 0)
ROT(C, cuComplex, srot, float, float, FACTOR_REAL, FACTOR_REAL)
ROT(Z, cuDoubleComplex, drot, double, double, FACTOR_REAL, FACTOR_REAL)
