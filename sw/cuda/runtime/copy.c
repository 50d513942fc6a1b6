/* Copies of the runtime API between linear memory, symbols and arrays, and memory sets. */
#include "sw/cuda/runtime/state.h"

/* The kind must not contradict the pointers; which end is where follows from these. */
static CUresult check_kind(uint64_t dst, uint64_t src, enum cudaMemcpyKind kind)
{
    if (!evc_device())
        return CUDA_ERROR_DEVICE_UNAVAILABLE;
    bool dst_device = evc_is_device_space(evc_translate((void *)(uintptr_t)dst));
    bool src_device = evc_is_device_space(evc_translate((void *)(uintptr_t)src));
    bool to = kind == cudaMemcpyHostToDevice || kind == cudaMemcpyDeviceToDevice;
    bool from = kind == cudaMemcpyDeviceToHost || kind == cudaMemcpyDeviceToDevice;
    if ((to && !dst_device) || (from && !src_device))
        return evc_explain(CUDA_ERROR_INVALID_VALUE,
                           "copy: its kind says that the %s is on the device, but 0x%llx is %s",
                           to && !dst_device ? "destination" : "source",
                           (unsigned long long)(to && !dst_device ? dst : src),
                           (to && !dst_device ? dst : src) ? "host memory" : "a null pointer");
    switch (kind) {
    case cudaMemcpyHostToHost:
    case cudaMemcpyDefault:
        return CUDA_SUCCESS;
    case cudaMemcpyHostToDevice:
    case cudaMemcpyDeviceToHost:
    case cudaMemcpyDeviceToDevice:
        return CUDA_SUCCESS;
    default:
        return evc_explain((CUresult)cudaErrorInvalidMemcpyDirection,
                           "copy: %d is no direction: enum cudaMemcpyKind has 0 to 4", (int)kind);
    }
}

/* Between two places on the device, a copy without a stream does not wait either. */
static CUresult run(struct evc_copy *copy, enum cudaMemcpyKind kind)
{
    bool empty = !copy->width || !copy->height || !copy->depth;
    CUresult status = empty ? CUDA_SUCCESS : check_kind(copy->dst, copy->src, kind);
    if (kind == cudaMemcpyDeviceToDevice)
        copy->blocking = false;
    return status ? status : evc_copy(copy);
}

static cudaError_t linear(uint64_t dst, uint64_t src, size_t count, enum cudaMemcpyKind kind,
                          cudaStream_t stream, bool blocking)
{
    struct evc_copy copy = {.dst = dst,
                            .src = src,
                            .width = count,
                            .height = 1,
                            .depth = 1,
                            .stream = RT_STREAM(stream),
                            .blocking = blocking};
    return rt_done(run(&copy, kind));
}

cudaError_t cudaMemcpy(void *dst, const void *src, size_t count, enum cudaMemcpyKind kind)
{
    return linear((uintptr_t)dst, (uintptr_t)src, count, kind, NULL, true);
}

cudaError_t cudaMemcpyAsync(void *dst, const void *src, size_t count, enum cudaMemcpyKind kind,
                            cudaStream_t stream)
{
    return linear((uintptr_t)dst, (uintptr_t)src, count, kind, stream, false);
}

cudaError_t cudaMemcpyAsyncFullEmpty(void *dst, const void *src, size_t count,
                                     enum cudaMemcpyKind kind, cudaStream_t stream,
                                     enum cudaMemcpyTrigger trigger, enum cudaMemcpyAction action)
{
    struct evc_copy copy = {.dst = (uintptr_t)dst,
                            .src = (uintptr_t)src,
                            .width = count,
                            .height = 1,
                            .depth = 1,
                            .stream = RT_STREAM(stream),
                            .trigger = (uint32_t)trigger,
                            .action = (uint32_t)action};
    return rt_done(run(&copy, kind));
}

cudaError_t cudaMemcpyPeer(void *dst, int dstDevice, const void *src, int srcDevice, size_t count)
{
    RT_CHECK(dstDevice == 0 && srcDevice == 0, cudaErrorInvalidDevice);
    return cudaMemcpy(dst, src, count, cudaMemcpyDefault);
}

cudaError_t cudaMemcpyPeerAsync(void *dst, int dstDevice, const void *src, int srcDevice,
                                size_t count, cudaStream_t stream)
{
    RT_CHECK(dstDevice == 0 && srcDevice == 0, cudaErrorInvalidDevice);
    return cudaMemcpyAsync(dst, src, count, cudaMemcpyDefault, stream);
}

/* --- rows ------------------------------------------------------------------------------------- */

/* NVIDIA's runtime takes any pitch of a single row, as its own samples show. */
static cudaError_t rows(struct evc_copy *copy, enum cudaMemcpyKind kind)
{
    if (copy->height == 1)
        copy->dst_pitch = copy->src_pitch = 0;
    else if (copy->width && copy->height &&
             (copy->dst_pitch < copy->width || copy->src_pitch < copy->width))
        return rt_done(evc_explain((CUresult)cudaErrorInvalidPitchValue,
                                   "copy: pitches of %llu and %llu bytes for rows of %llu bytes",
                                   (unsigned long long)copy->dst_pitch,
                                   (unsigned long long)copy->src_pitch,
                                   (unsigned long long)copy->width));
    return rt_done(run(copy, kind));
}

cudaError_t cudaMemcpy2D(void *dst, size_t dpitch, const void *src, size_t spitch, size_t width,
                         size_t height, enum cudaMemcpyKind kind)
{
    struct evc_copy copy = {.dst = (uintptr_t)dst,
                            .src = (uintptr_t)src,
                            .width = width,
                            .height = height,
                            .depth = 1,
                            .dst_pitch = dpitch,
                            .src_pitch = spitch,
                            .blocking = true};
    return rows(&copy, kind);
}

cudaError_t cudaMemcpy2DAsync(void *dst, size_t dpitch, const void *src, size_t spitch,
                              size_t width, size_t height, enum cudaMemcpyKind kind,
                              cudaStream_t stream)
{
    struct evc_copy copy = {.dst = (uintptr_t)dst,
                            .src = (uintptr_t)src,
                            .width = width,
                            .height = height,
                            .depth = 1,
                            .dst_pitch = dpitch,
                            .src_pitch = spitch,
                            .stream = RT_STREAM(stream)};
    return rows(&copy, kind);
}

/* One end of a copy of a box: an array, or pitched memory. `element`: bytes of what the extent's
 * width counts; with an array at either end, the array's elements. */
struct box_end {
    cudaArray_t array;
    struct cudaPos pos;
    struct cudaPitchedPtr pointer;
};

static CUarray array_of(cudaArray_const_t array)
{
    return (CUarray)(void *)(uintptr_t)array;
}

static uint64_t element_of(cudaArray_const_t array)
{
    return array ? (uint64_t)array_of(array)->channels * array_of(array)->bits / 8 : 0;
}

static CUresult place(const struct box_end *e, size_t height, uint64_t *address, uint64_t *pitch,
                      uint64_t *slice)
{
    CUarray array = array_of(e->array);
    uint64_t rows = e->pointer.ysize ? e->pointer.ysize : height;
    if (!array == !e->pointer.ptr)
        return CUDA_ERROR_INVALID_VALUE;
    *address = (uintptr_t)e->pointer.ptr;
    *pitch = e->pointer.pitch;
    if (array) {
        *address = array->address;
        *pitch = array->pitch;
        rows = array->height ? array->height : 1;
    }
    if (__builtin_mul_overflow(*pitch, rows, slice))
        return CUDA_ERROR_INVALID_VALUE;
    const uint64_t at[] = {e->pos.x, e->pos.y, e->pos.z};
    const uint64_t each[] = {array ? element_of(e->array) : 1, *pitch, *slice};
    return evc_copy_place(address, at, each);
}

CUresult rt_copy_of(const struct cudaMemcpy3DParms *p, struct evc_copy *copy)
{
    if (!p)
        return CUDA_ERROR_INVALID_VALUE;
    struct box_end dst = {p->dstArray, p->dstPos, p->dstPtr};
    struct box_end src = {p->srcArray, p->srcPos, p->srcPtr};
    if ((dst.array && !evc_array_valid(array_of(dst.array))) ||
        (src.array && !evc_array_valid(array_of(src.array))))
        return CUDA_ERROR_INVALID_HANDLE;
    uint64_t element = element_of(dst.array ? dst.array : src.array);
    *copy = (struct evc_copy){.height = p->extent.height, .depth = p->extent.depth};
    if (__builtin_mul_overflow(p->extent.width, element ? element : 1, &copy->width))
        return CUDA_ERROR_INVALID_VALUE;
    CUresult status = place(&dst, p->extent.height, &copy->dst, &copy->dst_pitch, &copy->dst_slice);
    if (!status)
        status = place(&src, p->extent.height, &copy->src, &copy->src_pitch, &copy->src_slice);
    return status;
}

static cudaError_t copy_3d(const struct cudaMemcpy3DParms *p, CUstream stream, bool blocking)
{
    struct evc_copy copy;
    CUresult status = rt_copy_of(p, &copy);
    RT_CHECK(!status, status);
    copy.stream = stream;
    copy.blocking = blocking;
    return rows(&copy, p->kind);
}

cudaError_t cudaMemcpy3D(const struct cudaMemcpy3DParms *p)
{
    return copy_3d(p, NULL, true);
}

cudaError_t cudaMemcpy3DAsync(const struct cudaMemcpy3DParms *p, cudaStream_t stream)
{
    return copy_3d(p, RT_STREAM(stream), false);
}

static cudaError_t copy_3d_peer(const struct cudaMemcpy3DPeerParms *p, CUstream stream,
                                bool blocking)
{
    RT_CHECK(p, cudaErrorInvalidValue);
    RT_CHECK(p->srcDevice == 0 && p->dstDevice == 0, cudaErrorInvalidDevice);
    struct cudaMemcpy3DParms same = {.srcArray = p->srcArray,
                                     .srcPos = p->srcPos,
                                     .srcPtr = p->srcPtr,
                                     .dstArray = p->dstArray,
                                     .dstPos = p->dstPos,
                                     .dstPtr = p->dstPtr,
                                     .extent = p->extent,
                                     .kind = cudaMemcpyDefault};
    return copy_3d(&same, stream, blocking);
}

cudaError_t cudaMemcpy3DPeer(const struct cudaMemcpy3DPeerParms *p)
{
    return copy_3d_peer(p, NULL, true);
}

cudaError_t cudaMemcpy3DPeerAsync(const struct cudaMemcpy3DPeerParms *p, cudaStream_t stream)
{
    return copy_3d_peer(p, RT_STREAM(stream), false);
}

/* --- symbols
 * ----------------------------------------------------------------------------------------- */

static CUresult inside_symbol(const void *symbol, size_t count, size_t offset, uint64_t *address)
{
    uint64_t bytes = 0;
    CUresult status = rt_variable(symbol, false, address, &bytes);
    if (!status && (offset > bytes || count > bytes - offset))
        status = CUDA_ERROR_INVALID_VALUE;
    *address += offset;
    return status;
}

static bool to_symbol_kind(enum cudaMemcpyKind kind)
{
    return kind == cudaMemcpyHostToDevice || kind == cudaMemcpyDeviceToDevice ||
           kind == cudaMemcpyDefault;
}

cudaError_t cudaMemcpyToSymbol(const void *symbol, const void *src, size_t count, size_t offset,
                               enum cudaMemcpyKind kind)
{
    uint64_t address = 0;
    RT_CHECK(to_symbol_kind(kind), cudaErrorInvalidMemcpyDirection);
    CUresult status = inside_symbol(symbol, count, offset, &address);
    RT_CHECK(!status, status);
    return linear(address, (uintptr_t)src, count, kind, NULL, true);
}

cudaError_t cudaMemcpyToSymbolAsync(const void *symbol, const void *src, size_t count,
                                    size_t offset, enum cudaMemcpyKind kind, cudaStream_t stream)
{
    uint64_t address = 0;
    RT_CHECK(to_symbol_kind(kind), cudaErrorInvalidMemcpyDirection);
    CUresult status = inside_symbol(symbol, count, offset, &address);
    RT_CHECK(!status, status);
    return linear(address, (uintptr_t)src, count, kind, stream, false);
}

static bool from_symbol_kind(enum cudaMemcpyKind kind)
{
    return kind == cudaMemcpyDeviceToHost || kind == cudaMemcpyDeviceToDevice ||
           kind == cudaMemcpyDefault;
}

cudaError_t cudaMemcpyFromSymbol(void *dst, const void *symbol, size_t count, size_t offset,
                                 enum cudaMemcpyKind kind)
{
    uint64_t address = 0;
    RT_CHECK(from_symbol_kind(kind), cudaErrorInvalidMemcpyDirection);
    CUresult status = inside_symbol(symbol, count, offset, &address);
    RT_CHECK(!status, status);
    return linear((uintptr_t)dst, address, count, kind, NULL, true);
}

cudaError_t cudaMemcpyFromSymbolAsync(void *dst, const void *symbol, size_t count, size_t offset,
                                      enum cudaMemcpyKind kind, cudaStream_t stream)
{
    uint64_t address = 0;
    RT_CHECK(from_symbol_kind(kind), cudaErrorInvalidMemcpyDirection);
    CUresult status = inside_symbol(symbol, count, offset, &address);
    RT_CHECK(!status, status);
    return linear((uintptr_t)dst, address, count, kind, stream, false);
}

cudaError_t cudaGetSymbolAddress(void **devPtr, const void *symbol)
{
    uint64_t address = 0, bytes = 0;
    RT_CHECK(devPtr, cudaErrorInvalidValue);
    CUresult status = rt_variable(symbol, true, &address, &bytes);
    RT_CHECK(!status, status);
    *devPtr = (void *)(uintptr_t)address;
    return rt_done(CUDA_SUCCESS);
}

cudaError_t cudaGetSymbolSize(size_t *size, const void *symbol)
{
    uint64_t address = 0, bytes = 0;
    RT_CHECK(size, cudaErrorInvalidValue);
    CUresult status = rt_variable(symbol, false, &address, &bytes);
    RT_CHECK(!status, status);
    *size = (size_t)bytes;
    return rt_done(CUDA_SUCCESS);
}

/* --- sets
 * --------------------------------------------------------------------------------------------- */

static cudaError_t set_3d(struct cudaPitchedPtr at, int value, struct cudaExtent extent,
                          CUstream stream)
{
    struct evc_memset set = {.dst = (uintptr_t)at.ptr,
                             .pitch = at.pitch,
                             .slice = at.pitch * (at.ysize ? at.ysize : extent.height),
                             .width = extent.width,
                             .height = extent.height,
                             .depth = extent.depth,
                             .value = (uint32_t)value & 0xFF,
                             .element = 1,
                             .stream = stream};
    return rt_done(evc_memset(&set));
}

cudaError_t cudaMemsetAsync(void *devPtr, int value, size_t count, cudaStream_t stream)
{
    struct cudaPitchedPtr at = {devPtr, count, count, 1};
    return set_3d(at, value, (struct cudaExtent){count, 1, 1}, RT_STREAM(stream));
}

cudaError_t cudaMemset(void *devPtr, int value, size_t count)
{
    return cudaMemsetAsync(devPtr, value, count, NULL);
}

cudaError_t cudaMemset2DAsync(void *devPtr, size_t pitch, int value, size_t width, size_t height,
                              cudaStream_t stream)
{
    struct cudaPitchedPtr at = {devPtr, pitch, width, height};
    return set_3d(at, value, (struct cudaExtent){width, height, 1}, RT_STREAM(stream));
}

cudaError_t cudaMemset2D(void *devPtr, size_t pitch, int value, size_t width, size_t height)
{
    return cudaMemset2DAsync(devPtr, pitch, value, width, height, NULL);
}

cudaError_t cudaMemset3DAsync(struct cudaPitchedPtr pitchedDevPtr, int value,
                              struct cudaExtent extent, cudaStream_t stream)
{
    return set_3d(pitchedDevPtr, value, extent, RT_STREAM(stream));
}

cudaError_t cudaMemset3D(struct cudaPitchedPtr pitchedDevPtr, int value, struct cudaExtent extent)
{
    return set_3d(pitchedDevPtr, value, extent, NULL);
}
