/* Texture objects and references of the runtime API. */
#include <string.h>

#include "sw/cuda/runtime/objects.h"

static struct rt_objects known = {.lock = PTHREAD_MUTEX_INITIALIZER};

static bool take_format(const struct cudaChannelFormatDesc *desc, struct wire_texture *w)
{
    const int bits[4] = {desc->x, desc->y, desc->z, desc->w};
    if ((unsigned int)desc->f > cudaChannelFormatKindFloat || bits[0] <= 0)
        return false;
    w->bits = (uint32_t)bits[0];
    w->format = (uint32_t)desc->f;
    w->channels = 0;
    while (w->channels < 4 && bits[w->channels] == bits[0])
        w->channels++;
    return true;
}

static CUresult take_array(cudaArray_const_t handle, struct wire_texture *w)
{
    CUarray array = (CUarray)(void *)(uintptr_t)handle;
    if (!evc_array_valid(array))
        return CUDA_ERROR_INVALID_HANDLE;
    evc_texture_of_array(array, w);
    return CUDA_SUCCESS;
}

/* Programs say more than they have allocated; beyond the allocation, a texture reads 0. */
static uint64_t room_of(const void *pointer, size_t size)
{
    struct evc_pointer info;
    if (evc_pointer(pointer, &info) || !info.bytes)
        return size;
    uint64_t room = info.base + info.bytes - info.address;
    return size < room ? size : room;
}

static CUresult take_resource(const struct cudaResourceDesc *r, struct wire_texture *w)
{
    switch (r->resType) {
    case cudaResourceTypeArray:
        return take_array(r->res.array.array, w);
    case cudaResourceTypeLinear:
        if (!take_format(&r->res.linear.desc, w))
            return (CUresult)cudaErrorInvalidChannelDescriptor;
        w->kind = WIRE_TEXTURE_LINEAR;
        w->address = evc_translate(r->res.linear.devPtr);
        w->width =
            room_of(r->res.linear.devPtr, r->res.linear.sizeInBytes) / (w->channels * w->bits / 8);
        return CUDA_SUCCESS;
    case cudaResourceTypePitch2D:
        if (!take_format(&r->res.pitch2D.desc, w))
            return (CUresult)cudaErrorInvalidChannelDescriptor;
        w->kind = WIRE_TEXTURE_PITCH;
        w->address = evc_translate(r->res.pitch2D.devPtr);
        w->width = r->res.pitch2D.width;
        w->height = r->res.pitch2D.height;
        w->pitch = r->res.pitch2D.pitchInBytes;
        return CUDA_SUCCESS;
    default:
        return CUDA_ERROR_NOT_SUPPORTED;
    }
}

static void take_description(const struct cudaTextureDesc *d, struct wire_texture *w)
{
    for (int i = 0; i < 3; i++)
        w->address_mode[i] = (uint32_t)d->addressMode[i];
    w->filter = (uint32_t)d->filterMode;
    w->read_mode = (uint32_t)d->readMode;
    w->normalized = d->normalizedCoords != 0;
    memcpy(w->border, d->borderColor, sizeof w->border);
    w->level_filter = (uint32_t)d->mipmapFilterMode;
    w->level_bias = d->mipmapLevelBias;
    w->level_min = d->minMipmapLevelClamp;
    w->level_max = d->maxMipmapLevelClamp;
}

static CUresult create(const struct cudaResourceDesc *r, const struct cudaTextureDesc *d,
                       const struct cudaResourceViewDesc *view, uint64_t *handle)
{
    struct wire_texture w = {0};
    take_description(d, &w);
    if (r->resType == cudaResourceTypeMipmappedArray)
        return evc_texture_of_mipmap((CUmipmappedArray)(void *)r->res.mipmap.mipmap, &w,
                                     view ? view->firstMipmapLevel : 0,
                                     view ? view->lastMipmapLevel : WIRE_LEVELS, handle);
    CUresult status = take_resource(r, &w);
    return status ? status : evc_texture(&w, handle);
}

cudaError_t cudaCreateTextureObject(cudaTextureObject_t *pTexObject,
                                    const struct cudaResourceDesc *pResDesc,
                                    const struct cudaTextureDesc *pTexDesc,
                                    const struct cudaResourceViewDesc *pResViewDesc)
{
    struct rt_object o = {0};
    RT_CHECK(pTexObject && pResDesc && pTexDesc, cudaErrorInvalidValue);
    RT_CHECK(!pResViewDesc || pResViewDesc->format == cudaResViewFormatNone, cudaErrorNotSupported);
    RT_CHECK(!pTexDesc->sRGB, cudaErrorNotSupported);
    CUresult status = create(pResDesc, pTexDesc, pResViewDesc, &o.handle);
    RT_CHECK(!status, status);
    o.resource = *pResDesc;
    o.texture = *pTexDesc;
    status = rt_object_add(&known, &o);
    RT_CHECK(!status, status);
    *pTexObject = o.handle;
    return rt_done(CUDA_SUCCESS);
}

cudaError_t cudaDestroyTextureObject(cudaTextureObject_t texObject)
{
    CUresult status = evc_texture_destroy(texObject);
    if (!status)
        rt_object_remove(&known, texObject);
    return rt_done(status);
}

cudaError_t cudaGetTextureObjectResourceDesc(struct cudaResourceDesc *pResDesc,
                                             cudaTextureObject_t texObject)
{
    struct rt_object o;
    RT_CHECK(pResDesc && rt_object_find(&known, texObject, &o), cudaErrorInvalidValue);
    *pResDesc = o.resource;
    return rt_done(CUDA_SUCCESS);
}

cudaError_t cudaGetTextureObjectTextureDesc(struct cudaTextureDesc *pTexDesc,
                                            cudaTextureObject_t texObject)
{
    struct rt_object o;
    RT_CHECK(pTexDesc && rt_object_find(&known, texObject, &o), cudaErrorInvalidValue);
    *pTexDesc = o.texture;
    return rt_done(CUDA_SUCCESS);
}

/* --- references
 * ------------------------------------------------------------------------------------- */

/* How the texels are read, which the program has put into the reference.
 * cudaReadModeNormalizedFloat is a property of its type, which the compiler passes at registration.
 */
static void take_reference(const struct rt_texture *t, struct wire_texture *w)
{
    for (int i = 0; i < 3; i++)
        w->address_mode[i] = (uint32_t)t->host->addressMode[i];
    w->filter = (uint32_t)t->host->filterMode;
    w->read_mode = t->normalized_read;
    w->normalized = t->host->normalized != 0;
}

static CUresult bind(struct rt_texture *t, struct wire_texture *w)
{
    take_reference(t, w);
    return rt_texture_bind(t, w);
}

/* Linear memory begins at a multiple of the alignment; what is before it is the offset, in bytes.
 */
static CUresult align_base(struct rt_texture *t, const void *pointer, struct wire_texture *w,
                           size_t *offset)
{
    uint64_t address = evc_translate(pointer);
    uint64_t element = w->channels * w->bits / 8;
    t->offset = element ? address % element : 0;
    if (t->offset)
        return CUDA_ERROR_INVALID_VALUE;
    w->address = address;
    if (offset)
        *offset = 0;
    return CUDA_SUCCESS;
}

cudaError_t cudaBindTexture(size_t *offset, const struct textureReference *texref,
                            const void *devPtr, const struct cudaChannelFormatDesc *desc,
                            size_t size)
{
    struct rt_texture *t = rt_texture(texref);
    struct wire_texture w = {.kind = WIRE_TEXTURE_LINEAR};
    struct evc_pointer info;
    RT_CHECK(t, cudaErrorInvalidTexture);
    RT_CHECK(desc && take_format(desc, &w), cudaErrorInvalidChannelDescriptor);
    CUresult status = evc_pointer(devPtr, &info);
    RT_CHECK(!status, status);
    RT_CHECK(info.bytes, cudaErrorInvalidValue);
    status = align_base(t, devPtr, &w, offset);
    RT_CHECK(!status, status);
    w.width = room_of(devPtr, size) / (w.channels * w.bits / 8);
    return rt_done(bind(t, &w));
}

cudaError_t cudaBindTexture2D(size_t *offset, const struct textureReference *texref,
                              const void *devPtr, const struct cudaChannelFormatDesc *desc,
                              size_t width, size_t height, size_t pitch)
{
    struct rt_texture *t = rt_texture(texref);
    struct wire_texture w = {
        .kind = WIRE_TEXTURE_PITCH, .width = width, .height = height, .pitch = pitch};
    RT_CHECK(t, cudaErrorInvalidTexture);
    RT_CHECK(desc && take_format(desc, &w), cudaErrorInvalidChannelDescriptor);
    CUresult status = align_base(t, devPtr, &w, offset);
    RT_CHECK(!status, status);
    return rt_done(bind(t, &w));
}

cudaError_t cudaBindTextureToArray(const struct textureReference *texref, cudaArray_const_t array,
                                   const struct cudaChannelFormatDesc *desc)
{
    struct rt_texture *t = rt_texture(texref);
    struct wire_texture w = {0};
    (void)desc; /* the array knows its format */
    RT_CHECK(t, cudaErrorInvalidTexture);
    CUresult status = take_array(array, &w);
    RT_CHECK(!status, status);
    return rt_done(bind(t, &w));
}

cudaError_t cudaUnbindTexture(const struct textureReference *texref)
{
    struct rt_texture *t = rt_texture(texref);
    CUmodule module = NULL;
    RT_CHECK(t, cudaErrorInvalidTexture);
    if (!t->bound)
        return rt_done(CUDA_SUCCESS);
    CUresult status = rt_texture_module(t, &module);
    if (!status)
        status = evc_texture_bind(module, t->name, 0);
    if (!status)
        status = evc_texture_destroy(t->bound);
    t->bound = 0;
    return rt_done(status);
}

cudaError_t cudaGetTextureAlignmentOffset(size_t *offset, const struct textureReference *texref)
{
    const struct rt_texture *t = rt_texture(texref);
    RT_CHECK(offset, cudaErrorInvalidValue);
    RT_CHECK(t, cudaErrorInvalidTexture);
    RT_CHECK(t->bound, cudaErrorInvalidTextureBinding);
    *offset = (size_t)t->offset;
    return rt_done(CUDA_SUCCESS);
}

cudaError_t cudaGetTextureReference(const struct textureReference **texref, const void *symbol)
{
    const struct rt_texture *t = rt_texture(symbol);
    RT_CHECK(texref, cudaErrorInvalidValue);
    RT_CHECK(t, cudaErrorInvalidTexture);
    *texref = t->host;
    return rt_done(CUDA_SUCCESS);
}
