/* Shapes of cuBLAS's blocks and the codes of its kernels' parameters, for host and device. */
#ifndef EVGPU_CUDA_BLAS_SHAPE_H
#define EVGPU_CUDA_BLAS_SHAPE_H

#define REDUCE_THREADS 256 /* of a block that reduces */
#define REDUCE_BLOCKS  64  /* at most */
#define GEMV_ROWS      32
#define GEMV_SLICES    8
#define GEMM_THREADS   256
#define GEMM_DEPTH     16
#define GEMM_SMALL     16 /* side of a block's tile */
#define GEMM_LARGE     64
#define LU_THREADS     128 /* of a block that factors a matrix */

#define MATINV_SIDE 32 /* of a matrix that matinv inverts, at most */

enum blas_fill { FILL_LOWER, FILL_UPPER, FILL_FULL };

#endif
