/* Rounding modes, by the names of the conversion functions. */
#ifndef EVGPU_CUDA_DEVICE_TYPES_H
#define EVGPU_CUDA_DEVICE_TYPES_H
#define __DEVICE_TYPES_H__

enum cudaRoundMode {
    cudaRoundNearest,
    cudaRoundZero,
    cudaRoundPosInf,
    cudaRoundMinInf,
};

#endif
