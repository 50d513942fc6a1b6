#ifndef BLAS_PARTS_H
#define BLAS_PARTS_H

#include <cublas_v2.h>

#include "checks.h"

#define OK(call)         expect((call) == CUBLAS_STATUS_SUCCESS, #call, __LINE__)
#define IS(status, call) expect((call) == CUBLAS_STATUS_##status, #call, __LINE__)

/* What each checks counts (checks.h). */
void blas_batches(cublasHandle_t handle);
void blas_mixed(cublasHandle_t handle);
void blas_groups(cublasHandle_t handle);
void blas_vectors(cublasHandle_t handle);
void blas_sums(cublasHandle_t handle);
void blas_matrices(cublasHandle_t handle);
void blas_products(cublasHandle_t handle);
void blas_xt();    /* has its own handle */
void blas_first(); /* same */

#endif
