/* Callbacks: functions of a program that read a transform's input or write its output. A function
 * pointer is good in the module that has the function. So the kernels that call them are an object
 * for nvcc's device linker (callbacks.cu), which joins them with the program's code; as the program
 * starts, the object tells the library how to launch them. */
#ifndef EVGPU_CUDA_FFT_CALLBACK_H
#define EVGPU_CUDA_FFT_CALLBACK_H

#include "sw/cuda/fft/shape.h"
#include "sw/cuda/include/cuda_runtime_api.h"

/* One of the program's arrays through its callback, from or to an array of the same layout. */
struct fft_callback_job {
    int type; /* cufftXtCallbackType */
    void *routine, *info, *data, *staged;
    unsigned int n[FFT_RANK], batch;
    struct fft_layout layout;
    unsigned int shared; /* bytes */
    cudaStream_t stream;
};

typedef cudaError_t (*fft_callback_launcher)(const struct fft_callback_job *job);

/* The type by which cufftXtSetCallback takes a launcher, without a plan. */
#define FFT_CALLBACK_LAUNCHER 0x4c43

#endif
