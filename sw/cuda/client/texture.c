/* Arrays and textures. An array is pitched device memory of its own kind. */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "sw/cuda/client/core.h"

struct array_entry {
    struct CUarray_st array; /* first: a handle is a pointer to it */
    struct array_entry *next;
};

static struct {
    pthread_mutex_t lock;
    struct array_entry *arrays;
} known = {.lock = PTHREAD_MUTEX_INITIALIZER};

CUresult evc_array_create(struct CUarray_st *shape, CUarray *array)
{
    uint64_t element = (uint64_t)shape->channels * shape->bits / 8;
    if (!array || !shape->width || !element || (shape->channels == 3) || shape->channels > 4)
        return CUDA_ERROR_INVALID_VALUE;
    if (shape->flags & CUDA_ARRAY3D_TEXTURE_GATHER && (!shape->height || shape->depth))
        return CUDA_ERROR_INVALID_VALUE; /* it is for two dimensions */
    uint64_t rows = shape->height ? shape->height : 1;
    uint64_t slices = shape->depth ? shape->depth : 1, bytes = 0;
    shape->pitch =
        (shape->width * element + EVC_PITCH_ALIGN - 1) / EVC_PITCH_ALIGN * EVC_PITCH_ALIGN;
    if (shape->width > UINT32_MAX || __builtin_mul_overflow(rows, slices, &rows) ||
        __builtin_mul_overflow(shape->pitch, rows, &bytes))
        return CUDA_ERROR_OUT_OF_MEMORY;
    struct array_entry *entry = calloc(1, sizeof *entry);
    if (!entry)
        return CUDA_ERROR_OUT_OF_MEMORY;
    CUresult status = evc_alloc(bytes, WIRE_ARRAY, shape->flags, &shape->address);
    if (status) {
        free(entry);
        return status;
    }
    entry->array = *shape;
    pthread_mutex_lock(&known.lock);
    entry->next = known.arrays;
    known.arrays = entry;
    pthread_mutex_unlock(&known.lock);
    *array = &entry->array;
    return CUDA_SUCCESS;
}

bool evc_array_valid(CUarray array)
{
    pthread_mutex_lock(&known.lock);
    struct array_entry *e = known.arrays;
    while (e && &e->array != array)
        e = e->next;
    pthread_mutex_unlock(&known.lock);
    return e != NULL;
}

CUresult evc_array_destroy(CUarray array)
{
    struct array_entry *found = NULL;
    pthread_mutex_lock(&known.lock);
    for (struct array_entry **e = &known.arrays; *e && !found; e = &(*e)->next) {
        if (&(*e)->array == array && !array->is_level) {
            found = *e;
            *e = found->next;
            break;
        }
    }
    pthread_mutex_unlock(&known.lock);
    if (!found)
        return CUDA_ERROR_INVALID_HANDLE;
    CUresult status = evc_free(array->address, WIRE_ARRAY);
    free(found);
    return status;
}

void evc_texture_of_array(CUarray array, struct wire_texture *w)
{
    w->kind = WIRE_TEXTURE_ARRAY;
    w->address = array->address;
    w->width = array->width;
    w->height = array->height;
    w->depth = array->depth;
    w->pitch = array->pitch;
    w->channels = array->channels;
    w->bits = array->bits;
    w->format = array->format;
}

CUresult evc_texture(const struct wire_texture *texture, uint64_t *handle)
{
    struct evc_call call = {
        .op = WIRE_TEXTURE, .payload = texture, .payload_bytes = sizeof *texture};
    CUresult status = evc_call(&call);
    if (!status)
        *handle = call.v[0];
    return status;
}

CUresult evc_texture_destroy(uint64_t handle)
{
    struct evc_call call = {.op = WIRE_TEXTURE_DESTROY, .a = {handle}};
    return evc_call(&call);
}

CUresult evc_texture_bind(CUmodule module, const char *name, uint64_t handle)
{
    struct evc_call call = {.op = WIRE_TEXTURE_BIND,
                            .a = {module->id, handle},
                            .payload = name,
                            .payload_bytes = strlen(name) + 1};
    return evc_call(&call);
}
