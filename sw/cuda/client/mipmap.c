/* Mipmapped arrays: an array for each level, of half the size of the one before. */
#include <pthread.h>
#include <stdlib.h>

#include "sw/cuda/client/core.h"

static struct {
    pthread_mutex_t lock;
    CUmipmappedArray first;
} known = {.lock = PTHREAD_MUTEX_INITIALIZER};

static uint64_t half(uint64_t size)
{
    return size > 1 ? size / 2 : size;
}

static CUresult destroy_levels(CUmipmappedArray mipmap)
{
    CUresult status = CUDA_SUCCESS;
    for (uint32_t i = 0; i < mipmap->levels; i++) {
        mipmap->level[i]->is_level = false;
        CUresult of_level = evc_array_destroy(mipmap->level[i]);
        status = status ? status : of_level;
    }
    free(mipmap);
    return status;
}

CUresult evc_mipmap_create(const struct CUarray_st *shape, uint32_t levels,
                           CUmipmappedArray *mipmap)
{
    struct CUarray_st next = *shape;
    CUmipmappedArray made = calloc(1, sizeof *made);
    CUresult status = made ? CUDA_SUCCESS : CUDA_ERROR_OUT_OF_MEMORY;
    bool layered = shape->flags & (CUDA_ARRAY3D_LAYERED | CUDA_ARRAY3D_CUBEMAP), smaller = true;
    while (!status && smaller && (!made->levels || made->levels < levels)) {
        struct CUarray_st level = next;
        status = evc_array_create(&level, &made->level[made->levels]);
        if (!status)
            made->level[made->levels++]->is_level = true;
        next.width = half(next.width);
        next.height = half(next.height);
        next.depth = layered ? next.depth : half(next.depth);
        smaller = level.width > 1 || level.height > 1 || (level.depth > 1 && !layered);
    }
    if (status && made)
        destroy_levels(made);
    if (status)
        return status;
    pthread_mutex_lock(&known.lock);
    made->next = known.first;
    known.first = made;
    pthread_mutex_unlock(&known.lock);
    *mipmap = made;
    return CUDA_SUCCESS;
}

static CUmipmappedArray *find(CUmipmappedArray mipmap)
{
    CUmipmappedArray *m = &known.first;
    while (*m && *m != mipmap)
        m = &(*m)->next;
    return m;
}

bool evc_mipmap_valid(CUmipmappedArray mipmap)
{
    pthread_mutex_lock(&known.lock);
    bool valid = mipmap && *find(mipmap);
    pthread_mutex_unlock(&known.lock);
    return valid;
}

CUresult evc_mipmap_destroy(CUmipmappedArray mipmap)
{
    pthread_mutex_lock(&known.lock);
    CUmipmappedArray *m = find(mipmap), found = *m;
    if (found)
        *m = found->next;
    pthread_mutex_unlock(&known.lock);
    return found ? destroy_levels(found) : CUDA_ERROR_INVALID_HANDLE;
}

CUresult evc_mipmap_level(CUmipmappedArray mipmap, uint32_t level, CUarray *array)
{
    if (!evc_mipmap_valid(mipmap))
        return CUDA_ERROR_INVALID_HANDLE;
    if (level >= mipmap->levels)
        return evc_explain(CUDA_ERROR_INVALID_VALUE,
                           "mipmap: level %u of an array that has levels 0 to %u", level,
                           mipmap->levels - 1);
    *array = mipmap->level[level];
    return CUDA_SUCCESS;
}

CUresult evc_texture_of_mipmap(CUmipmappedArray mipmap, const struct wire_texture *how,
                               uint32_t first, uint32_t last, uint64_t *handle)
{
    struct wire_texture levels[WIRE_LEVELS];
    if (!evc_mipmap_valid(mipmap))
        return CUDA_ERROR_INVALID_HANDLE;
    if (first > last || first >= mipmap->levels)
        return evc_explain(CUDA_ERROR_INVALID_VALUE,
                           "texture: levels %u to %u of a mipmap that has levels 0 to %u", first,
                           last, mipmap->levels - 1);
    uint32_t n = 0;
    for (uint32_t i = first; i <= last && i < mipmap->levels; i++, n++) {
        levels[n] = *how;
        evc_texture_of_array(mipmap->level[i], &levels[n]);
    }
    struct evc_call call = {
        .op = WIRE_TEXTURE, .payload = levels, .payload_bytes = n * sizeof levels[0]};
    CUresult status = evc_call(&call);
    if (!status)
        *handle = call.v[0];
    return status;
}
