/* Surface functions: named, so that a program that uses them is told; included by evgpu_cuda.h. */
#ifndef EVGPU_SW_EVGPU_CUDA_SURFACE_H
#define EVGPU_SW_EVGPU_CUDA_SURFACE_H

#define EVGPU_NO_SURFACE                                                                           \
    __attribute__((unavailable("surfaces are not supported; read through a texture and write to "  \
                               "global memory")))
#define EVGPU_SURFACE(name)                                                                        \
    template <class... A> __device__ void name(A...) EVGPU_NO_SURFACE;                             \
    template <class T, class... A> __device__ T name(unsigned long long, A...) EVGPU_NO_SURFACE;
#define EVGPU_SURFACES(shape)                                                                      \
    EVGPU_SURFACE(surf##shape##read)                                                               \
    EVGPU_SURFACE(surf##shape##write)
EVGPU_SURFACES(1D)
EVGPU_SURFACES(2D)
EVGPU_SURFACES(3D)
EVGPU_SURFACES(1DLayered)
EVGPU_SURFACES(2DLayered)
EVGPU_SURFACES(Cubemap)
#undef EVGPU_SURFACES
#undef EVGPU_SURFACE
#undef EVGPU_NO_SURFACE

#endif
