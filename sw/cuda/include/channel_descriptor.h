/* cudaCreateChannelDesc<T>(): the format of texture elements of type T. */
#ifndef EVGPU_CUDA_CHANNEL_DESCRIPTOR_H
#define EVGPU_CUDA_CHANNEL_DESCRIPTOR_H
#define __CHANNEL_DESCRIPTOR_H__

#include "builtin_types.h"

#include "cuda_runtime_api.h"

#ifdef __cplusplus

/* No format: what cannot be an element says so by this kind. */
template <class T> inline cudaChannelFormatDesc cudaCreateChannelDesc()
{
    return cudaCreateChannelDesc(0, 0, 0, 0, cudaChannelFormatKindNone);
}

inline cudaChannelFormatDesc cudaCreateChannelDescHalf()
{
    return cudaCreateChannelDesc(16, 0, 0, 0, cudaChannelFormatKindFloat);
}

#define EVGPU_CHANNEL(T, n, kind)                                                                  \
    template <> inline cudaChannelFormatDesc cudaCreateChannelDesc<T>()                            \
    {                                                                                              \
        const int bits = static_cast<int>(sizeof(T)) * 8 / n;                                      \
        return cudaCreateChannelDesc(bits, n > 1 ? bits : 0, n > 2 ? bits : 0, n > 3 ? bits : 0,   \
                                     cudaChannelFormatKind##kind);                                 \
    }
#define EVGPU_CHANNELS(T, name, kind)                                                              \
    EVGPU_CHANNEL(T, 1, kind)                                                                      \
    EVGPU_CHANNEL(name##1, 1, kind)                                                                \
    EVGPU_CHANNEL(name##2, 2, kind)                                                                \
    EVGPU_CHANNEL(name##4, 4, kind)

EVGPU_CHANNEL(char, 1, Signed)
EVGPU_CHANNELS(signed char, char, Signed)
EVGPU_CHANNELS(unsigned char, uchar, Unsigned)
EVGPU_CHANNELS(short, short, Signed)
EVGPU_CHANNELS(unsigned short, ushort, Unsigned)
EVGPU_CHANNELS(int, int, Signed)
EVGPU_CHANNELS(unsigned int, uint, Unsigned)
EVGPU_CHANNELS(float, float, Float)
#undef EVGPU_CHANNELS
#undef EVGPU_CHANNEL

#endif
#endif
