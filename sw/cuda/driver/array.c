/* Arrays of the driver API and copies that know of rows. */
#include "sw/cuda/driver/context.h"

/* --- arrays ----------------------------------------------------------------------------------- */

static bool format_bits(CUarray_format format, uint32_t *bits, uint32_t *kind)
{
    switch (format) {
    case CU_AD_FORMAT_UNSIGNED_INT8:
    case CU_AD_FORMAT_UNSIGNED_INT16:
    case CU_AD_FORMAT_UNSIGNED_INT32:
        *bits = 8u << (format - CU_AD_FORMAT_UNSIGNED_INT8);
        *kind = 1;
        return true;
    case CU_AD_FORMAT_SIGNED_INT8:
    case CU_AD_FORMAT_SIGNED_INT16:
    case CU_AD_FORMAT_SIGNED_INT32:
        *bits = 8u << (format - CU_AD_FORMAT_SIGNED_INT8);
        *kind = 0;
        return true;
    case CU_AD_FORMAT_HALF:
    case CU_AD_FORMAT_FLOAT:
        *bits = format == CU_AD_FORMAT_HALF ? 16 : 32;
        *kind = 2;
        return true;
    default:
        return false;
    }
}

static CUarray_format array_format(const struct CUarray_st *array)
{
    unsigned int step = array->bits == 8 ? 0 : array->bits == 16 ? 1 : 2;
    if (array->format == 2)
        return step == 1 ? CU_AD_FORMAT_HALF : CU_AD_FORMAT_FLOAT;
    return (CUarray_format)((array->format == 1 ? CU_AD_FORMAT_UNSIGNED_INT8
                                                : CU_AD_FORMAT_SIGNED_INT8) +
                            step);
}

static CUresult shape_of(const CUDA_ARRAY3D_DESCRIPTOR *d, struct CUarray_st *shape)
{
    const unsigned int known = CUDA_ARRAY3D_SURFACE_LDST | CUDA_ARRAY3D_LAYERED |
                               CUDA_ARRAY3D_CUBEMAP | CUDA_ARRAY3D_TEXTURE_GATHER;
    *shape = (struct CUarray_st){.width = d->Width,
                                 .height = d->Height,
                                 .depth = d->Depth,
                                 .channels = d->NumChannels,
                                 .flags = d->Flags};
    if (!format_bits(d->Format, &shape->bits, &shape->format))
        return CUDA_ERROR_INVALID_VALUE;
    return d->Flags & ~known ? CUDA_ERROR_NOT_SUPPORTED : CUDA_SUCCESS;
}

CUresult cuArray3DCreate(CUarray *pHandle, const CUDA_ARRAY3D_DESCRIPTOR *pAllocateArray)
{
    struct CUarray_st shape;
    CU_READY();
    CU_CHECK(pHandle && pAllocateArray, CUDA_ERROR_INVALID_VALUE);
    CUresult status = shape_of(pAllocateArray, &shape);
    CU_CHECK(!status, status);
    return evc_array_create(&shape, pHandle);
}

CUresult cuMipmappedArrayCreate(CUmipmappedArray *pHandle,
                                const CUDA_ARRAY3D_DESCRIPTOR *pMipmappedArrayDesc,
                                unsigned int numMipmapLevels)
{
    struct CUarray_st shape;
    CU_READY();
    CU_CHECK(pHandle && pMipmappedArrayDesc, CUDA_ERROR_INVALID_VALUE);
    CUresult status = shape_of(pMipmappedArrayDesc, &shape);
    CU_CHECK(!status, status);
    return evc_mipmap_create(&shape, numMipmapLevels, pHandle);
}

CUresult cuMipmappedArrayGetLevel(CUarray *pLevelArray, CUmipmappedArray hMipmappedArray,
                                  unsigned int level)
{
    CU_READY();
    CU_CHECK(pLevelArray, CUDA_ERROR_INVALID_VALUE);
    return evc_mipmap_level(hMipmappedArray, level, pLevelArray);
}

CUresult cuMipmappedArrayDestroy(CUmipmappedArray hMipmappedArray)
{
    CU_READY();
    return evc_mipmap_destroy(hMipmappedArray);
}

CUresult cuArrayCreate(CUarray *pHandle, const CUDA_ARRAY_DESCRIPTOR *pAllocateArray)
{
    CU_READY();
    CU_CHECK(pAllocateArray, CUDA_ERROR_INVALID_VALUE);
    CUDA_ARRAY3D_DESCRIPTOR shape = {.Width = pAllocateArray->Width,
                                     .Height = pAllocateArray->Height,
                                     .Format = pAllocateArray->Format,
                                     .NumChannels = pAllocateArray->NumChannels};
    return cuArray3DCreate(pHandle, &shape);
}

CUresult cuArray3DGetDescriptor(CUDA_ARRAY3D_DESCRIPTOR *pArrayDescriptor, CUarray hArray)
{
    CU_READY();
    CU_CHECK(pArrayDescriptor, CUDA_ERROR_INVALID_VALUE);
    CU_CHECK(evc_array_valid(hArray), CUDA_ERROR_INVALID_HANDLE);
    *pArrayDescriptor = (CUDA_ARRAY3D_DESCRIPTOR){.Width = (size_t)hArray->width,
                                                  .Height = (size_t)hArray->height,
                                                  .Depth = (size_t)hArray->depth,
                                                  .Format = array_format(hArray),
                                                  .NumChannels = hArray->channels,
                                                  .Flags = hArray->flags};
    return CUDA_SUCCESS;
}

CUresult cuArrayGetDescriptor(CUDA_ARRAY_DESCRIPTOR *pArrayDescriptor, CUarray hArray)
{
    CUDA_ARRAY3D_DESCRIPTOR shape;
    CU_CHECK(pArrayDescriptor, CUDA_ERROR_INVALID_VALUE);
    CUresult status = cuArray3DGetDescriptor(&shape, hArray);
    CU_CHECK(!status, status);
    *pArrayDescriptor = (CUDA_ARRAY_DESCRIPTOR){.Width = shape.Width,
                                                .Height = shape.Height,
                                                .Format = shape.Format,
                                                .NumChannels = shape.NumChannels};
    return CUDA_SUCCESS;
}

CUresult cuArrayDestroy(CUarray hArray)
{
    CU_READY();
    return evc_array_destroy(hArray);
}

/* --- copies to and from arrays, linear ---------------------------------------------------------
 */

/* `offset` counts bytes of rows without gaps; a range that leaves its row is several copies.
 * Without a stream the call waits for them. */
static CUresult array_copy(CUarray array, size_t offset, uint64_t other, size_t bytes,
                           bool to_array, const CUstream *stream)
{
    CU_READY();
    CU_CHECK(evc_array_valid(array), CUDA_ERROR_INVALID_HANDLE);
    uint64_t row = array->width * array->channels * array->bits / 8;
    uint64_t rows = (array->height ? array->height : 1) * (array->depth ? array->depth : 1);
    CU_CHECK(offset <= row * rows && bytes <= row * rows - offset, CUDA_ERROR_INVALID_VALUE);
    while (bytes) {
        uint64_t x = offset % row;
        uint64_t some = bytes < row - x ? bytes : row - x;
        uint64_t lines = x == 0 && bytes >= row ? bytes / row : 1;
        uint64_t at = array->address + offset / row * array->pitch + x;
        struct evc_copy copy = {.dst = to_array ? at : other,
                                .src = to_array ? other : at,
                                .width = some,
                                .height = lines,
                                .depth = 1,
                                .dst_pitch = to_array && lines > 1 ? array->pitch : some,
                                .src_pitch = !to_array && lines > 1 ? array->pitch : some,
                                .stream = stream ? *stream : NULL,
                                .blocking = !stream};
        CUresult status = evc_copy(&copy);
        CU_CHECK(!status, status);
        offset += (size_t)(some * lines);
        other += some * lines;
        bytes -= (size_t)(some * lines);
    }
    return CUDA_SUCCESS;
}

CUresult cuMemcpyDtoA(CUarray dstArray, size_t dstOffset, CUdeviceptr srcDevice, size_t ByteCount)
{
    return array_copy(dstArray, dstOffset, srcDevice, ByteCount, true, NULL);
}

CUresult cuMemcpyAtoD(CUdeviceptr dstDevice, CUarray srcArray, size_t srcOffset, size_t ByteCount)
{
    return array_copy(srcArray, srcOffset, dstDevice, ByteCount, false, NULL);
}

CUresult cuMemcpyHtoA(CUarray dstArray, size_t dstOffset, const void *srcHost, size_t ByteCount)
{
    return array_copy(dstArray, dstOffset, (uintptr_t)srcHost, ByteCount, true, NULL);
}

CUresult cuMemcpyAtoH(void *dstHost, CUarray srcArray, size_t srcOffset, size_t ByteCount)
{
    return array_copy(srcArray, srcOffset, (uintptr_t)dstHost, ByteCount, false, NULL);
}

CUresult cuMemcpyHtoAAsync(CUarray dstArray, size_t dstOffset, const void *srcHost,
                           size_t ByteCount, CUstream hStream)
{
    return array_copy(dstArray, dstOffset, (uintptr_t)srcHost, ByteCount, true, &hStream);
}

CUresult cuMemcpyAtoHAsync(void *dstHost, CUarray srcArray, size_t srcOffset, size_t ByteCount,
                           CUstream hStream)
{
    return array_copy(srcArray, srcOffset, (uintptr_t)dstHost, ByteCount, false, &hStream);
}

CUresult cuMemcpyAtoA(CUarray dstArray, size_t dstOffset, CUarray srcArray, size_t srcOffset,
                      size_t ByteCount)
{
    CU_READY();
    CU_CHECK(evc_array_valid(dstArray) && evc_array_valid(srcArray), CUDA_ERROR_INVALID_HANDLE);
    uint64_t row = dstArray->width * dstArray->channels * dstArray->bits / 8;
    CU_CHECK(row == srcArray->width * srcArray->channels * srcArray->bits / 8 &&
                 dstOffset % row == srcOffset % row,
             CUDA_ERROR_NOT_SUPPORTED);
    while (ByteCount) {
        uint64_t x = srcOffset % row;
        size_t some = ByteCount < row - x ? ByteCount : (size_t)(row - x);
        uint64_t at = srcArray->address + srcOffset / row * srcArray->pitch + x;
        CUresult status = array_copy(dstArray, dstOffset, at, some, true, NULL);
        CU_CHECK(!status, status);
        dstOffset += some;
        srcOffset += some;
        ByteCount -= some;
    }
    return CUDA_SUCCESS;
}

/* --- copies of rows -----------------------------------------------------------------------------
 */

struct end {
    CUmemorytype type;
    uint64_t host, device;
    CUarray array;
    size_t x, y, z, pitch, height;
};

/* Where an end of a copy begins, and its pitches. */
static CUresult place(const struct end *e, size_t width, size_t rows, uint64_t *address,
                      uint64_t *pitch, uint64_t *slice)
{
    uint64_t base = e->device;
    *pitch = e->pitch ? e->pitch : width;
    if (__builtin_mul_overflow(*pitch, e->height ? e->height : rows, slice))
        return CUDA_ERROR_INVALID_VALUE;
    switch (e->type) {
    case CU_MEMORYTYPE_HOST:
        base = e->host;
        break;
    case CU_MEMORYTYPE_DEVICE:
    case CU_MEMORYTYPE_UNIFIED:
        break;
    case CU_MEMORYTYPE_ARRAY:
        CU_CHECK(evc_array_valid(e->array), CUDA_ERROR_INVALID_HANDLE);
        base = e->array->address;
        *pitch = e->array->pitch;
        *slice = *pitch * (e->array->height ? e->array->height : 1);
        break;
    default:
        return CUDA_ERROR_INVALID_VALUE;
    }
    CU_CHECK(base && (rows <= 1 || *pitch >= width), CUDA_ERROR_INVALID_VALUE);
    const uint64_t at[] = {e->x, e->y, e->z}, each[] = {1, *pitch, *slice};
    *address = base;
    return evc_copy_place(address, at, each);
}

CUresult cu_copy_of(const CUDA_MEMCPY3D *p, struct evc_copy *copy)
{
    if (!p || p->srcLOD || p->dstLOD)
        return CUDA_ERROR_INVALID_VALUE;
    struct end src = {p->srcMemoryType, (uintptr_t)p->srcHost, p->srcDevice,
                      p->srcArray,      p->srcXInBytes,        p->srcY,
                      p->srcZ,          p->srcPitch,           p->srcHeight};
    struct end dst = {p->dstMemoryType, (uintptr_t)p->dstHost, p->dstDevice,
                      p->dstArray,      p->dstXInBytes,        p->dstY,
                      p->dstZ,          p->dstPitch,           p->dstHeight};
    *copy = (struct evc_copy){.width = p->WidthInBytes, .height = p->Height, .depth = p->Depth};
    CUresult status =
        place(&src, p->WidthInBytes, p->Height, &copy->src, &copy->src_pitch, &copy->src_slice);
    if (!status)
        status =
            place(&dst, p->WidthInBytes, p->Height, &copy->dst, &copy->dst_pitch, &copy->dst_slice);
    return status;
}

static CUresult copy_3d(const CUDA_MEMCPY3D *p, CUstream stream, bool blocking)
{
    struct evc_copy copy = {0};
    CU_CHECK(p, CUDA_ERROR_INVALID_VALUE);
    CUresult status = cu_copy_of(p, &copy);
    copy.stream = stream;
    copy.blocking = blocking;
    return status ? status : evc_copy(&copy);
}

static CUresult copy_2d(const CUDA_MEMCPY2D *p, CUstream stream, bool blocking)
{
    CU_CHECK(p, CUDA_ERROR_INVALID_VALUE);
    CUDA_MEMCPY3D whole = {.srcXInBytes = p->srcXInBytes,
                           .srcY = p->srcY,
                           .srcMemoryType = p->srcMemoryType,
                           .srcHost = p->srcHost,
                           .srcDevice = p->srcDevice,
                           .srcArray = p->srcArray,
                           .srcPitch = p->srcPitch,
                           .dstXInBytes = p->dstXInBytes,
                           .dstY = p->dstY,
                           .dstMemoryType = p->dstMemoryType,
                           .dstHost = p->dstHost,
                           .dstDevice = p->dstDevice,
                           .dstArray = p->dstArray,
                           .dstPitch = p->dstPitch,
                           .WidthInBytes = p->WidthInBytes,
                           .Height = p->Height,
                           .Depth = 1};
    return copy_3d(&whole, stream, blocking);
}

CUresult cuMemcpy2D(const CUDA_MEMCPY2D *pCopy)
{
    CU_READY();
    return copy_2d(pCopy, NULL, true);
}

CUresult cuMemcpy2DUnaligned(const CUDA_MEMCPY2D *pCopy)
{
    CU_READY();
    return copy_2d(pCopy, NULL, true);
}

CUresult cuMemcpy2DAsync(const CUDA_MEMCPY2D *pCopy, CUstream hStream)
{
    CU_READY_FOR(hStream);
    return copy_2d(pCopy, hStream, false);
}

CUresult cuMemcpy3D(const CUDA_MEMCPY3D *pCopy)
{
    CU_READY();
    return copy_3d(pCopy, NULL, true);
}

CUresult cuMemcpy3DAsync(const CUDA_MEMCPY3D *pCopy, CUstream hStream)
{
    CU_READY_FOR(hStream);
    return copy_3d(pCopy, hStream, false);
}
