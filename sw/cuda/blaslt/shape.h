/* Codes of cuBLASLt's kernels' parameters, for host and device. */
#ifndef EVGPU_CUDA_BLASLT_SHAPE_H
#define EVGPU_CUDA_BLASLT_SHAPE_H

#define TRANSFORM_THREADS 128

enum lt_activation { ACTIVATE_NONE, ACTIVATE_RELU, ACTIVATE_GELU };

#endif
