/* Shapes of cuBLAS's blocks and the codes of its kernels' parameters, for host and device. */
#ifndef EVGPU_CUDA_BLAS_SHAPE_H
#define EVGPU_CUDA_BLAS_SHAPE_H

#define REDUCE_THREADS 256 /* of a block that reduces */
#define REDUCE_BLOCKS  64  /* at most */
#define REDUCE_RUN     64  /* elements that a thread sums before it adds them to its other sums */
#define GEMV_ROWS      32
#define GEMV_SLICES    8
#define GEMM_THREADS   256
#define GEMM_DEPTH     16
#define GEMM_SMALL     16 /* side of a block's tile */
#define GEMM_MIDDLE    32 /* the large one of complex numbers and of views */
#define GEMM_LARGE     64
#define LU_THREADS     128 /* of a block that factors a matrix */

#define MATINV_SIDE 32 /* of a matrix that matinv inverts, at most */

enum blas_fill { FILL_LOWER, FILL_UPPER, FILL_FULL };

/* What a scalar is on the device, and what becomes of it. */
#define FACTOR_REAL       1
#define FACTOR_CONJUGATED 2

/* What a triangle as stored says of the other one. */
enum blas_mirror { MIRROR_NONE, MIRROR_SYMMETRIC, MIRROR_HERMITIAN };

/* How a triangle lies in memory. */
enum blas_packing { PACKED_NOT, PACKED_LOWER, PACKED_UPPER };

/* Elements of rotm's parameters, of which the first says which of the others count. */
#define ROTM_PARAMETERS 5

#endif
