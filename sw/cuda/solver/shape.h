/* Shapes of cuSOLVER's blocks, for host and device. */
#ifndef EVGPU_CUDA_SOLVER_SHAPE_H
#define EVGPU_CUDA_SOLVER_SHAPE_H

#define PANEL          32  /* columns that one block factors; the rest are products */
#define WIDE_THREADS   256 /* of a block over many elements */
#define JACOBI_THREADS 512
#define JACOBI_ALONE   32 /* columns that one block rotates until they are orthogonal */
#define JACOBI_SWEEPS  30 /* at most; a dozen is much */

#endif
