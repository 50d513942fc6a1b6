// What the kernels of several libraries share.
#ifndef EVGPU_CUDA_LIBRARY_DEVICE_H
#define EVGPU_CUDA_LIBRARY_DEVICE_H

/* A scalar is on the device if the pointer is not null. */
template <class T> __device__ static T scalar(const T *device, T host)
{
    return device ? *device : host;
}

/* The head of a loop over n elements, of which each thread of the grid's x takes some. */
#define EACH(i, n)                                                                                 \
    int i = blockIdx.x * blockDim.x + threadIdx.x, step_ = gridDim.x * blockDim.x;                 \
    i < (n);                                                                                       \
    i += step_

#endif
