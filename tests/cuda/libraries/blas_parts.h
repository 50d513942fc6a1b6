#ifndef BLAS_PARTS_H
#define BLAS_PARTS_H

#include <cublas_v2.h>

/* How many checks have failed; adds those that were made. */
int blas_batches(cublasHandle_t handle, int *made);
int blas_mixed(cublasHandle_t handle, int *made);
int blas_vectors(cublasHandle_t handle, int *made);
int blas_matrices(cublasHandle_t handle, int *made);
int blas_products(cublasHandle_t handle, int *made);
int blas_first(int *made); /* has its own handle */

#endif
