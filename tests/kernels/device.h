/* What the kernels of this directory need beside evgpu_cuda.h; host.h is the other half. */
#ifndef EVGPU_TESTS_KERNELS_DEVICE_H
#define EVGPU_TESTS_KERNELS_DEVICE_H

/* The machine must get on without. */
#define host_yield()

#define DYNAMIC_SHARED(T, name) extern __shared__ T name[]

#endif
