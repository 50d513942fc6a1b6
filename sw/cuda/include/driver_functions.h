/* Constructors of the runtime API's small structs. */
#ifndef EVGPU_CUDA_DRIVER_FUNCTIONS_H
#define EVGPU_CUDA_DRIVER_FUNCTIONS_H
#define __DRIVER_FUNCTIONS_H__

#include "builtin_types.h"

/* `d`: the memory; `p`: its pitch in bytes; `xsz`: a row in elements; `ysz`: rows. */
static __inline__ struct cudaPitchedPtr make_cudaPitchedPtr(void *d, size_t p, size_t xsz,
                                                            size_t ysz)
{
    struct cudaPitchedPtr pointer;
    pointer.ptr = d;
    pointer.pitch = p;
    pointer.xsize = xsz;
    pointer.ysize = ysz;
    return pointer;
}

static __inline__ struct cudaPos make_cudaPos(size_t x, size_t y, size_t z)
{
    struct cudaPos position;
    position.x = x;
    position.y = y;
    position.z = z;
    return position;
}

static __inline__ struct cudaExtent make_cudaExtent(size_t w, size_t h, size_t d)
{
    struct cudaExtent extent;
    extent.width = w;
    extent.height = h;
    extent.depth = d;
    return extent;
}

#endif
