/* Arrays of the runtime API. */
#include "sw/cuda/runtime/state.h"

static CUarray of(cudaArray_const_t array)
{
    return (CUarray)(void *)(uintptr_t)array;
}

static uint64_t element(CUarray array)
{
    return (uint64_t)array->channels * array->bits / 8;
}

struct cudaChannelFormatDesc cudaCreateChannelDesc(int x, int y, int z, int w,
                                                   enum cudaChannelFormatKind f)
{
    return (struct cudaChannelFormatDesc){x, y, z, w, f};
}

static bool take_format(const struct cudaChannelFormatDesc *desc, struct CUarray_st *shape)
{
    const int bits[4] = {desc->x, desc->y, desc->z, desc->w};
    shape->bits = (uint32_t)bits[0];
    shape->format = (uint32_t)desc->f;
    for (shape->channels = 0; shape->channels < 4 && bits[shape->channels]; shape->channels++) {
        if (bits[shape->channels] != bits[0])
            return false;
    }
    for (uint32_t i = shape->channels; i < 4; i++) {
        if (bits[i])
            return false;
    }
    return (shape->channels == 1 || shape->channels == 2 || shape->channels == 4) &&
           (bits[0] == 8 || bits[0] == 16 || bits[0] == 32) &&
           (unsigned int)desc->f <= cudaChannelFormatKindFloat &&
           !(desc->f == cudaChannelFormatKindFloat && bits[0] == 8);
}

static CUresult shape_of(const struct cudaChannelFormatDesc *desc, struct cudaExtent extent,
                         unsigned int flags, struct CUarray_st *shape)
{
    const unsigned int known =
        cudaArraySurfaceLoadStore | cudaArrayLayered | cudaArrayCubemap | cudaArrayTextureGather;
    bool cube = flags & cudaArrayCubemap;
    *shape = (struct CUarray_st){
        .width = extent.width, .height = extent.height, .depth = extent.depth, .flags = flags};
    if (!take_format(desc, shape))
        return (CUresult)cudaErrorInvalidChannelDescriptor;
    if (flags & ~known || (cube && flags & cudaArrayLayered))
        return CUDA_ERROR_NOT_SUPPORTED;
    return cube && (extent.width != extent.height || extent.depth != 6) ? CUDA_ERROR_INVALID_VALUE
                                                                        : CUDA_SUCCESS;
}

cudaError_t cudaMalloc3DArray(cudaArray_t *array, const struct cudaChannelFormatDesc *desc,
                              struct cudaExtent extent, unsigned int flags)
{
    struct CUarray_st shape;
    CUarray made = NULL;
    RT_CHECK(array && desc, cudaErrorInvalidValue);
    CUresult status = shape_of(desc, extent, flags, &shape);
    RT_CHECK(!status, status);
    status = evc_array_create(&shape, &made);
    if (!status)
        *array = (cudaArray_t)(void *)made;
    return rt_done(status);
}

cudaError_t cudaMallocMipmappedArray(cudaMipmappedArray_t *mipmappedArray,
                                     const struct cudaChannelFormatDesc *desc,
                                     struct cudaExtent extent, unsigned int numLevels,
                                     unsigned int flags)
{
    struct CUarray_st shape;
    CUmipmappedArray made = NULL;
    RT_CHECK(mipmappedArray && desc, cudaErrorInvalidValue);
    CUresult status = shape_of(desc, extent, flags, &shape);
    RT_CHECK(!status, status);
    status = evc_mipmap_create(&shape, numLevels, &made);
    if (!status)
        *mipmappedArray = (cudaMipmappedArray_t)(void *)made;
    return rt_done(status);
}

cudaError_t cudaGetMipmappedArrayLevel(cudaArray_t *levelArray,
                                       cudaMipmappedArray_const_t mipmappedArray,
                                       unsigned int level)
{
    CUarray array = NULL;
    RT_CHECK(levelArray, cudaErrorInvalidValue);
    CUresult status =
        evc_mipmap_level((CUmipmappedArray)(void *)(uintptr_t)mipmappedArray, level, &array);
    if (!status)
        *levelArray = (cudaArray_t)(void *)array;
    return rt_done(status);
}

cudaError_t cudaFreeMipmappedArray(cudaMipmappedArray_t mipmappedArray)
{
    return rt_done(mipmappedArray ? evc_mipmap_destroy((CUmipmappedArray)(void *)mipmappedArray)
                                  : CUDA_SUCCESS);
}

cudaError_t cudaMallocArray(cudaArray_t *array, const struct cudaChannelFormatDesc *desc,
                            size_t width, size_t height, unsigned int flags)
{
    return cudaMalloc3DArray(array, desc, (struct cudaExtent){width, height, 0}, flags);
}

cudaError_t cudaFreeArray(cudaArray_t array)
{
    return rt_done(array ? evc_array_destroy(of(array)) : CUDA_SUCCESS);
}

cudaError_t cudaGetChannelDesc(struct cudaChannelFormatDesc *desc, cudaArray_const_t array)
{
    RT_CHECK(desc, cudaErrorInvalidValue);
    RT_CHECK(evc_array_valid(of(array)), cudaErrorInvalidResourceHandle);
    int bits = (int)of(array)->bits;
    uint32_t n = of(array)->channels;
    *desc =
        (struct cudaChannelFormatDesc){bits, n > 1 ? bits : 0, n > 2 ? bits : 0, n > 3 ? bits : 0,
                                       (enum cudaChannelFormatKind)of(array)->format};
    return rt_done(CUDA_SUCCESS);
}

cudaError_t cudaArrayGetInfo(struct cudaChannelFormatDesc *desc, struct cudaExtent *extent,
                             unsigned int *flags, cudaArray_t array)
{
    RT_CHECK(evc_array_valid(of(array)), cudaErrorInvalidResourceHandle);
    if (extent)
        *extent = (struct cudaExtent){(size_t)of(array)->width, (size_t)of(array)->height,
                                      (size_t)of(array)->depth};
    if (flags)
        *flags = of(array)->flags;
    return desc ? cudaGetChannelDesc(desc, array) : rt_done(CUDA_SUCCESS);
}

/* --- copies: rows of an array from (x bytes, y) on
 * ------------------------------------------------ */

struct box {
    CUarray array;
    size_t x, y;
    uint64_t other, pitch; /* linear memory */
    size_t width, height;
    CUstream stream;
    bool to_array, blocking;
};

static CUresult copy_box(const struct box *b)
{
    if (!evc_array_valid(b->array))
        return CUDA_ERROR_INVALID_HANDLE;
    uint64_t row = b->array->width * element(b->array);
    uint64_t rows = b->array->height ? b->array->height : 1;
    if (b->x > row || b->width > row - b->x || b->y > rows || b->height > rows - b->y)
        return CUDA_ERROR_INVALID_VALUE;
    uint64_t at = b->array->address + b->y * b->array->pitch + b->x;
    struct evc_copy copy = {.dst = b->to_array ? at : b->other,
                            .src = b->to_array ? b->other : at,
                            .width = b->width,
                            .height = b->height,
                            .depth = 1,
                            .dst_pitch = b->to_array ? b->array->pitch : b->pitch,
                            .src_pitch = b->to_array ? b->pitch : b->array->pitch,
                            .stream = b->stream,
                            .blocking = b->blocking};
    return evc_copy(&copy);
}

/* `count` bytes that run on from row to row, in up to three boxes. */
static CUresult copy_run(struct box b, size_t count)
{
    if (!evc_array_valid(b.array))
        return CUDA_ERROR_INVALID_HANDLE;
    size_t row = (size_t)(b.array->width * element(b.array));
    CUresult status = b.x < row ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
    while (count && !status) {
        bool whole = b.x == 0 && count >= row;
        size_t left = row - b.x;
        b.width = whole ? row : count < left ? count : left;
        b.height = whole ? count / row : 1;
        b.pitch = b.width;
        status = copy_box(&b);
        count -= b.width * b.height;
        b.other += b.width * b.height;
        b.y += b.height;
        b.x = 0;
    }
    return status;
}

static cudaError_t run_2d(const struct box *b, enum cudaMemcpyKind kind)
{
    RT_CHECK((unsigned int)kind <= cudaMemcpyDefault, cudaErrorInvalidMemcpyDirection);
    RT_CHECK(b->height <= 1 || b->pitch >= b->width, cudaErrorInvalidPitchValue);
    return rt_done(copy_box(b));
}

cudaError_t cudaMemcpy2DToArrayAsync(cudaArray_t dst, size_t wOffset, size_t hOffset,
                                     const void *src, size_t spitch, size_t width, size_t height,
                                     enum cudaMemcpyKind kind, cudaStream_t stream)
{
    struct box b = {of(dst), wOffset, hOffset,           (uintptr_t)src, spitch,
                    width,   height,  RT_STREAM(stream), true,           false};
    return run_2d(&b, kind);
}

cudaError_t cudaMemcpy2DToArray(cudaArray_t dst, size_t wOffset, size_t hOffset, const void *src,
                                size_t spitch, size_t width, size_t height,
                                enum cudaMemcpyKind kind)
{
    struct box b = {of(dst), wOffset, hOffset, (uintptr_t)src, spitch,
                    width,   height,  NULL,    true,           true};
    return run_2d(&b, kind);
}

cudaError_t cudaMemcpy2DFromArrayAsync(void *dst, size_t dpitch, cudaArray_const_t src,
                                       size_t wOffset, size_t hOffset, size_t width, size_t height,
                                       enum cudaMemcpyKind kind, cudaStream_t stream)
{
    struct box b = {of(src), wOffset, hOffset,           (uintptr_t)dst, dpitch,
                    width,   height,  RT_STREAM(stream), false,          false};
    return run_2d(&b, kind);
}

cudaError_t cudaMemcpy2DFromArray(void *dst, size_t dpitch, cudaArray_const_t src, size_t wOffset,
                                  size_t hOffset, size_t width, size_t height,
                                  enum cudaMemcpyKind kind)
{
    struct box b = {of(src), wOffset, hOffset, (uintptr_t)dst, dpitch,
                    width,   height,  NULL,    false,          true};
    return run_2d(&b, kind);
}

static cudaError_t run_linear(const struct box *b, size_t count, enum cudaMemcpyKind kind)
{
    RT_CHECK((unsigned int)kind <= cudaMemcpyDefault, cudaErrorInvalidMemcpyDirection);
    return rt_done(copy_run(*b, count));
}

cudaError_t cudaMemcpyToArrayAsync(cudaArray_t dst, size_t wOffset, size_t hOffset, const void *src,
                                   size_t count, enum cudaMemcpyKind kind, cudaStream_t stream)
{
    struct box b = {of(dst), wOffset, hOffset,           (uintptr_t)src, 0,
                    0,       0,       RT_STREAM(stream), true,           false};
    return run_linear(&b, count, kind);
}

cudaError_t cudaMemcpyToArray(cudaArray_t dst, size_t wOffset, size_t hOffset, const void *src,
                              size_t count, enum cudaMemcpyKind kind)
{
    struct box b = {of(dst), wOffset, hOffset, (uintptr_t)src, 0, 0, 0, NULL, true, true};
    return run_linear(&b, count, kind);
}

cudaError_t cudaMemcpyFromArrayAsync(void *dst, cudaArray_const_t src, size_t wOffset,
                                     size_t hOffset, size_t count, enum cudaMemcpyKind kind,
                                     cudaStream_t stream)
{
    struct box b = {of(src), wOffset, hOffset,           (uintptr_t)dst, 0,
                    0,       0,       RT_STREAM(stream), false,          false};
    return run_linear(&b, count, kind);
}

cudaError_t cudaMemcpyFromArray(void *dst, cudaArray_const_t src, size_t wOffset, size_t hOffset,
                                size_t count, enum cudaMemcpyKind kind)
{
    struct box b = {of(src), wOffset, hOffset, (uintptr_t)dst, 0, 0, 0, NULL, false, true};
    return run_linear(&b, count, kind);
}

cudaError_t cudaMemcpy2DArrayToArray(cudaArray_t dst, size_t wOffsetDst, size_t hOffsetDst,
                                     cudaArray_const_t src, size_t wOffsetSrc, size_t hOffsetSrc,
                                     size_t width, size_t height, enum cudaMemcpyKind kind)
{
    RT_CHECK(evc_array_valid(of(dst)) && evc_array_valid(of(src)), cudaErrorInvalidResourceHandle);
    CUarray from = of(src);
    uint64_t rows = from->height ? from->height : 1;
    RT_CHECK(wOffsetSrc <= from->width * element(from) &&
                 width <= from->width * element(from) - wOffsetSrc && hOffsetSrc <= rows &&
                 height <= rows - hOffsetSrc,
             cudaErrorInvalidValue);
    struct box b = {
        of(dst),     wOffsetDst, hOffsetDst, from->address + hOffsetSrc * from->pitch + wOffsetSrc,
        from->pitch, width,      height,     NULL,
        true,        false};
    return run_2d(&b, kind);
}

/* Arrays of the same row length, whose run begins at the same place in its row. */
cudaError_t cudaMemcpyArrayToArray(cudaArray_t dst, size_t wOffsetDst, size_t hOffsetDst,
                                   cudaArray_const_t src, size_t wOffsetSrc, size_t hOffsetSrc,
                                   size_t count, enum cudaMemcpyKind kind)
{
    RT_CHECK(evc_array_valid(of(dst)) && evc_array_valid(of(src)), cudaErrorInvalidResourceHandle);
    size_t row = (size_t)(of(src)->width * element(of(src)));
    RT_CHECK(row == of(dst)->width * element(of(dst)) && wOffsetDst == wOffsetSrc &&
                 wOffsetSrc < row,
             cudaErrorInvalidValue);
    while (count) {
        size_t left = row - wOffsetSrc, some = count < left ? count : left;
        cudaError_t error = cudaMemcpy2DArrayToArray(dst, wOffsetDst, hOffsetDst++, src, wOffsetSrc,
                                                     hOffsetSrc++, some, 1, kind);
        if (error)
            return error;
        wOffsetDst = wOffsetSrc = 0;
        count -= some;
    }
    return rt_done(CUDA_SUCCESS);
}
