#ifndef BLAS_PARTS_H
#define BLAS_PARTS_H

#include <cublas_v2.h>

#include "checks.h"

/* The test program is built a second time with the calls that end in _64; the script then gives
 * this name to int64_t. */
#ifndef CUBLAS_SIZE
#define CUBLAS_SIZE int
#endif

#define OK(call)         expect((call) == CUBLAS_STATUS_SUCCESS, #call, __LINE__)
#define IS(status, call) expect((call) == CUBLAS_STATUS_##status, #call, __LINE__)

/* What each checks counts (checks.h). */
void blas_batches(cublasHandle_t handle);
void blas_compute(cublasHandle_t handle);
void blas_mixed(cublasHandle_t handle);
void blas_groups(cublasHandle_t handle);
void blas_vectors(cublasHandle_t handle);
void blas_sizes(cublasHandle_t handle);
void blas_sums(cublasHandle_t handle);
void blas_matrices(cublasHandle_t handle);
void blas_products(cublasHandle_t handle);
void blas_xt();    /* has its own handle */
void blas_first(); /* same */

#endif
