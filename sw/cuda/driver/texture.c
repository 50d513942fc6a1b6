/* Texture references and objects of the driver API. A reference is described piece by piece; what
 * has been set is written to the device when a resource is set, and again before it is used by a
 * change afterwards. */
#include <stdlib.h>
#include <string.h>

#include "sw/cuda/driver/context.h"

struct CUtexref_st {
    CUmodule module; /* NULL: created by cuTexRefCreate */
    char *name;
    struct wire_texture texture;
    CUarray array;
    CUdeviceptr address;
    size_t bytes; /* of linear memory */
    unsigned int flags;
    uint64_t bound;
    struct CUtexref_st *next;
};

static struct CUtexref_st *references;

static bool set_format(struct wire_texture *w, CUarray_format format, int channels)
{
    uint32_t step = (uint32_t)format & 3u;
    if (channels != 1 && channels != 2 && channels != 4)
        return false;
    w->channels = (uint32_t)channels;
    switch (format) {
    case CU_AD_FORMAT_UNSIGNED_INT8:
    case CU_AD_FORMAT_UNSIGNED_INT16:
    case CU_AD_FORMAT_UNSIGNED_INT32:
        w->bits = 4u << step;
        w->format = 1;
        return true;
    case CU_AD_FORMAT_SIGNED_INT8:
    case CU_AD_FORMAT_SIGNED_INT16:
    case CU_AD_FORMAT_SIGNED_INT32:
        w->bits = 8u << step;
        w->format = 0;
        return true;
    case CU_AD_FORMAT_HALF:
    case CU_AD_FORMAT_FLOAT:
        w->bits = format == CU_AD_FORMAT_HALF ? 16 : 32;
        w->format = 2;
        return true;
    default:
        return false;
    }
}

static void set_flags(struct wire_texture *w, unsigned int flags)
{
    w->normalized = (flags & CU_TRSF_NORMALIZED_COORDINATES) != 0;
    w->read_mode = !(flags & CU_TRSF_READ_AS_INTEGER) && w->format != 2 && w->bits < 32;
}

/* Writes the reference to its variable; nothing to do before it has a resource. */
static CUresult update(CUtexref t)
{
    uint64_t handle = 0;
    if (!t->module || (!t->array && !t->address))
        return CUDA_SUCCESS;
    struct wire_texture w = t->texture;
    if (t->array)
        evc_texture_of_array(t->array, &w);
    else if (w.kind == WIRE_TEXTURE_LINEAR)
        w.width = w.bits ? t->bytes / (w.channels * w.bits / 8) : 0;
    set_flags(&w, t->flags);
    CUresult status = evc_texture(&w, &handle);
    CU_CHECK(!status, status);
    status = evc_texture_bind(t->module, t->name, handle);
    if (t->bound)
        evc_texture_destroy(t->bound);
    t->bound = handle;
    return status;
}

static bool valid(CUtexref ref)
{
    CUtexref t = references;
    while (t && t != ref)
        t = t->next;
    return t != NULL;
}

static CUtexref add(CUmodule module, const char *name)
{
    CUtexref t = calloc(1, sizeof *t);
    if (!t)
        return NULL;
    t->module = module;
    t->name = name ? strdup(name) : NULL;
    t->texture.channels = 1;
    t->texture.bits = 32;
    t->texture.format = 2;
    for (int i = 0; i < 3; i++)
        t->texture.address_mode[i] = CU_TR_ADDRESS_MODE_CLAMP;
    t->next = references;
    references = t;
    return t;
}

CUresult cuModuleGetTexRef(CUtexref *pTexRef, CUmodule hmod, const char *name)
{
    uint64_t address = 0, bytes = 0;
    CU_READY();
    CU_CHECK(pTexRef && name, CUDA_ERROR_INVALID_VALUE);
    CUresult status = evc_global(hmod, name, false, &address, &bytes);
    CU_CHECK(!status, status);
    for (CUtexref t = references; t; t = t->next) {
        if (t->module == hmod && !strcmp(t->name, name)) {
            *pTexRef = t;
            return CUDA_SUCCESS;
        }
    }
    *pTexRef = add(hmod, name);
    return *pTexRef ? CUDA_SUCCESS : CUDA_ERROR_OUT_OF_MEMORY;
}

CUresult cuTexRefCreate(CUtexref *pTexRef)
{
    CU_READY();
    CU_CHECK(pTexRef, CUDA_ERROR_INVALID_VALUE);
    *pTexRef = add(NULL, NULL);
    return *pTexRef ? CUDA_SUCCESS : CUDA_ERROR_OUT_OF_MEMORY;
}

CUresult cuTexRefDestroy(CUtexref hTexRef)
{
    CU_READY();
    for (CUtexref *t = &references; *t; t = &(*t)->next) {
        if (*t != hTexRef)
            continue;
        *t = hTexRef->next;
        free(hTexRef->name);
        free(hTexRef);
        return CUDA_SUCCESS;
    }
    return CUDA_ERROR_INVALID_HANDLE;
}

#define CU_TEXREF(ref)                                                                             \
    CU_READY();                                                                                    \
    CU_CHECK(valid(ref), CUDA_ERROR_INVALID_HANDLE)

CUresult cuTexRefSetArray(CUtexref hTexRef, CUarray hArray, unsigned int Flags)
{
    CU_TEXREF(hTexRef);
    CU_CHECK(Flags & CU_TRSA_OVERRIDE_FORMAT, CUDA_ERROR_INVALID_VALUE);
    CU_CHECK(evc_array_valid(hArray), CUDA_ERROR_INVALID_HANDLE);
    hTexRef->array = hArray;
    hTexRef->address = 0;
    evc_texture_of_array(hArray, &hTexRef->texture);
    return update(hTexRef);
}

CUresult cuTexRefSetAddress(size_t *ByteOffset, CUtexref hTexRef, CUdeviceptr dptr, size_t bytes)
{
    CU_TEXREF(hTexRef);
    hTexRef->array = NULL;
    hTexRef->address = dptr;
    hTexRef->bytes = bytes;
    hTexRef->texture.kind = WIRE_TEXTURE_LINEAR;
    hTexRef->texture.address = dptr;
    hTexRef->texture.height = hTexRef->texture.depth = 0;
    if (ByteOffset)
        *ByteOffset = 0;
    return update(hTexRef);
}

CUresult cuTexRefSetAddress2D(CUtexref hTexRef, const CUDA_ARRAY_DESCRIPTOR *desc, CUdeviceptr dptr,
                              size_t Pitch)
{
    CU_TEXREF(hTexRef);
    CU_CHECK(desc && set_format(&hTexRef->texture, desc->Format, (int)desc->NumChannels),
             CUDA_ERROR_INVALID_VALUE);
    hTexRef->array = NULL;
    hTexRef->address = dptr;
    hTexRef->texture.kind = WIRE_TEXTURE_PITCH;
    hTexRef->texture.address = dptr;
    hTexRef->texture.width = desc->Width;
    hTexRef->texture.height = desc->Height;
    hTexRef->texture.depth = 0;
    hTexRef->texture.pitch = Pitch;
    return update(hTexRef);
}

CUresult cuTexRefSetFormat(CUtexref hTexRef, CUarray_format fmt, int NumPackedComponents)
{
    CU_TEXREF(hTexRef);
    CU_CHECK(set_format(&hTexRef->texture, fmt, NumPackedComponents), CUDA_ERROR_INVALID_VALUE);
    return update(hTexRef);
}

CUresult cuTexRefSetAddressMode(CUtexref hTexRef, int dim, CUaddress_mode am)
{
    CU_TEXREF(hTexRef);
    CU_CHECK(dim >= 0 && dim < 3 && am <= CU_TR_ADDRESS_MODE_BORDER, CUDA_ERROR_INVALID_VALUE);
    hTexRef->texture.address_mode[dim] = am;
    return update(hTexRef);
}

CUresult cuTexRefSetFilterMode(CUtexref hTexRef, CUfilter_mode fm)
{
    CU_TEXREF(hTexRef);
    CU_CHECK(fm <= CU_TR_FILTER_MODE_LINEAR, CUDA_ERROR_INVALID_VALUE);
    hTexRef->texture.filter = fm;
    return update(hTexRef);
}

CUresult cuTexRefSetFlags(CUtexref hTexRef, unsigned int Flags)
{
    CU_TEXREF(hTexRef);
    CU_CHECK(!(Flags & ~(unsigned int)(CU_TRSF_READ_AS_INTEGER | CU_TRSF_NORMALIZED_COORDINATES)),
             CUDA_ERROR_INVALID_VALUE);
    hTexRef->flags = Flags;
    return update(hTexRef);
}

CUresult cuTexRefGetAddress(CUdeviceptr *pdptr, CUtexref hTexRef)
{
    CU_TEXREF(hTexRef);
    CU_CHECK(pdptr && hTexRef->address, CUDA_ERROR_INVALID_VALUE);
    *pdptr = hTexRef->address;
    return CUDA_SUCCESS;
}

CUresult cuTexRefGetArray(CUarray *phArray, CUtexref hTexRef)
{
    CU_TEXREF(hTexRef);
    CU_CHECK(phArray && hTexRef->array, CUDA_ERROR_INVALID_VALUE);
    *phArray = hTexRef->array;
    return CUDA_SUCCESS;
}

CUresult cuTexRefGetAddressMode(CUaddress_mode *pam, CUtexref hTexRef, int dim)
{
    CU_TEXREF(hTexRef);
    CU_CHECK(pam && dim >= 0 && dim < 3, CUDA_ERROR_INVALID_VALUE);
    *pam = (CUaddress_mode)hTexRef->texture.address_mode[dim];
    return CUDA_SUCCESS;
}

CUresult cuTexRefGetFilterMode(CUfilter_mode *pfm, CUtexref hTexRef)
{
    CU_TEXREF(hTexRef);
    CU_CHECK(pfm, CUDA_ERROR_INVALID_VALUE);
    *pfm = (CUfilter_mode)hTexRef->texture.filter;
    return CUDA_SUCCESS;
}

CUresult cuTexRefGetFormat(CUarray_format *pFormat, int *pNumChannels, CUtexref hTexRef)
{
    CU_TEXREF(hTexRef);
    const struct wire_texture *w = &hTexRef->texture;
    unsigned int step = w->bits == 8 ? 0 : w->bits == 16 ? 1 : 2;
    unsigned int first = w->format == 1 ? CU_AD_FORMAT_UNSIGNED_INT8 : CU_AD_FORMAT_SIGNED_INT8;
    if (pFormat)
        *pFormat = w->format == 2 ? (w->bits == 16 ? CU_AD_FORMAT_HALF : CU_AD_FORMAT_FLOAT)
                                  : (CUarray_format)(first + step);
    if (pNumChannels)
        *pNumChannels = (int)w->channels;
    return CUDA_SUCCESS;
}

CUresult cuTexRefGetFlags(unsigned int *pFlags, CUtexref hTexRef)
{
    CU_TEXREF(hTexRef);
    CU_CHECK(pFlags, CUDA_ERROR_INVALID_VALUE);
    *pFlags = hTexRef->flags;
    return CUDA_SUCCESS;
}

/* A reference is one of its module: kernels know it by name, not by this call. */
CUresult cuParamSetTexRef(CUfunction hfunc, int texunit, CUtexref hTexRef)
{
    CU_TEXREF(hTexRef);
    CU_CHECK(evc_function_valid(hfunc) && texunit == CU_PARAM_TR_DEFAULT, CUDA_ERROR_INVALID_VALUE);
    return update(hTexRef);
}

/* --- objects ------------------------------------------------------------------------------------
 */

static CUresult take_resource(const CUDA_RESOURCE_DESC *r, struct wire_texture *w)
{
    switch (r->resType) {
    case CU_RESOURCE_TYPE_ARRAY:
        if (!evc_array_valid(r->res.array.hArray))
            return CUDA_ERROR_INVALID_HANDLE;
        evc_texture_of_array(r->res.array.hArray, w);
        return CUDA_SUCCESS;
    case CU_RESOURCE_TYPE_MIPMAPPED_ARRAY:
        if (evc_mipmap_valid(r->res.mipmap.hMipmappedArray)) /* its format counts for the flags */
            evc_texture_of_array(r->res.mipmap.hMipmappedArray->level[0], w);
        return CUDA_SUCCESS;
    case CU_RESOURCE_TYPE_LINEAR:
        if (!set_format(w, r->res.linear.format, (int)r->res.linear.numChannels))
            return CUDA_ERROR_INVALID_VALUE;
        w->kind = WIRE_TEXTURE_LINEAR;
        w->address = r->res.linear.devPtr;
        w->width = r->res.linear.sizeInBytes / (w->channels * w->bits / 8);
        return CUDA_SUCCESS;
    case CU_RESOURCE_TYPE_PITCH2D:
        if (!set_format(w, r->res.pitch2D.format, (int)r->res.pitch2D.numChannels))
            return CUDA_ERROR_INVALID_VALUE;
        w->kind = WIRE_TEXTURE_PITCH;
        w->address = r->res.pitch2D.devPtr;
        w->width = r->res.pitch2D.width;
        w->height = r->res.pitch2D.height;
        w->pitch = r->res.pitch2D.pitchInBytes;
        return CUDA_SUCCESS;
    }
    return CUDA_ERROR_NOT_SUPPORTED;
}

static void take_description(const CUDA_TEXTURE_DESC *d, struct wire_texture *w)
{
    for (int i = 0; i < 3; i++)
        w->address_mode[i] = d->addressMode[i];
    w->filter = d->filterMode;
    memcpy(w->border, d->borderColor, sizeof w->border);
    w->level_filter = d->mipmapFilterMode;
    w->level_bias = d->mipmapLevelBias;
    w->level_min = d->minMipmapLevelClamp;
    w->level_max = d->maxMipmapLevelClamp;
    set_flags(w, d->flags);
}

CUresult cuTexObjectCreate(CUtexObject *pTexObject, const CUDA_RESOURCE_DESC *pResDesc,
                           const CUDA_TEXTURE_DESC *pTexDesc,
                           const CUDA_RESOURCE_VIEW_DESC *pResViewDesc)
{
    struct wire_texture w = {0};
    uint64_t handle = 0;
    CU_READY();
    CU_CHECK(pTexObject && pResDesc && pTexDesc, CUDA_ERROR_INVALID_VALUE);
    CU_CHECK(!pResViewDesc || !pResViewDesc->format, CUDA_ERROR_NOT_SUPPORTED);
    CUresult status = take_resource(pResDesc, &w);
    CU_CHECK(!status, status);
    take_description(pTexDesc, &w);
    if (pResDesc->resType == CU_RESOURCE_TYPE_MIPMAPPED_ARRAY)
        status = evc_texture_of_mipmap(pResDesc->res.mipmap.hMipmappedArray, &w,
                                       pResViewDesc ? pResViewDesc->firstMipmapLevel : 0,
                                       pResViewDesc ? pResViewDesc->lastMipmapLevel : WIRE_LEVELS,
                                       &handle);
    else
        status = evc_texture(&w, &handle);
    if (!status)
        *pTexObject = handle;
    return status;
}

CUresult cuTexObjectDestroy(CUtexObject texObject)
{
    CU_READY();
    return evc_texture_destroy(texObject);
}
