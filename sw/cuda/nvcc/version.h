/* The CUDA version whose interfaces the toolkit has; the same as CUDA_VERSION in cuda.h. It is the
 * newest that clang 14 knows in full. */
#ifndef EVGPU_NVCC_VERSION_H
#define EVGPU_NVCC_VERSION_H

#define NVCC_MAJOR 11
#define NVCC_MINOR 5
#define NVCC_BUILD 119

#endif
