/* Codes of cuBLASLt's kernels' parameters, for host and device. */
#ifndef EVGPU_CUDA_BLASLT_SHAPE_H
#define EVGPU_CUDA_BLASLT_SHAPE_H

#define TRANSFORM_THREADS 128
#define SUMS_THREADS      128

/* _SLOPE: the product times the activation's derivative. */
enum lt_activation {
    ACTIVATE_NONE,
    ACTIVATE_RELU,
    ACTIVATE_GELU,
    ACTIVATE_RELU_SLOPE,
    ACTIVATE_GELU_SLOPE
};

#endif
