/* Texture references: texture<T, dimensions, read mode>. */
#ifndef EVGPU_CUDA_CUDA_TEXTURE_TYPES_H
#define EVGPU_CUDA_CUDA_TEXTURE_TYPES_H
#define __CUDA_TEXTURE_TYPES_H__

#if defined(__cplusplus) && defined(__CUDACC__)

#include "channel_descriptor.h"

/* In host code a struct that the program fills in and binds; in device code, where clang makes a
 * handle of it, what the tex functions take. */
template <class T, int Type = cudaTextureType1D,
          enum cudaTextureReadMode Mode = cudaReadModeElementType>
struct __device_builtin_texture_type__ texture : public textureReference {
    __host__ texture(int norm = 0, enum cudaTextureFilterMode fMode = cudaFilterModePoint,
                     enum cudaTextureAddressMode aMode = cudaAddressModeClamp)
        : texture(norm, fMode, aMode, cudaCreateChannelDesc<T>())
    {
    }
    __host__ texture(int norm, enum cudaTextureFilterMode fMode, enum cudaTextureAddressMode aMode,
                     struct cudaChannelFormatDesc desc)
        : textureReference()
    {
        normalized = norm;
        filterMode = fMode;
        addressMode[0] = addressMode[1] = addressMode[2] = aMode;
        channelDesc = desc;
    }
};

#endif
#endif
