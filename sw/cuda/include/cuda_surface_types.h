/* Surface references: surface<void, dimensions>. */
#ifndef EVGPU_CUDA_CUDA_SURFACE_TYPES_H
#define EVGPU_CUDA_CUDA_SURFACE_TYPES_H
#define __CUDA_SURFACE_TYPES_H__

#if defined(__cplusplus) && defined(__CUDACC__)

#include "channel_descriptor.h"

template <class T, int Dimensions = 1>
struct __device_builtin_surface_type__ surface : public surfaceReference {
    __host__ surface() : surfaceReference()
    {
        channelDesc = cudaCreateChannelDesc<T>();
    }
};

template <int Dimensions>
struct __device_builtin_surface_type__ surface<void, Dimensions> : public surfaceReference {
    __host__ surface() : surfaceReference()
    {
    }
};

#endif
#endif
