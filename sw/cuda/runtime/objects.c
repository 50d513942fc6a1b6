#include "sw/cuda/runtime/objects.h"

#include <stdlib.h>

CUresult rt_object_add(struct rt_objects *list, const struct rt_object *o)
{
    struct rt_object *own = malloc(sizeof *own);
    if (!own)
        return CUDA_ERROR_OUT_OF_MEMORY;
    *own = *o;
    pthread_mutex_lock(&list->lock);
    own->next = list->first;
    list->first = own;
    pthread_mutex_unlock(&list->lock);
    return CUDA_SUCCESS;
}

void rt_object_remove(struct rt_objects *list, uint64_t handle)
{
    pthread_mutex_lock(&list->lock);
    struct rt_object **o = &list->first;
    while (*o && (*o)->handle != handle)
        o = &(*o)->next;
    struct rt_object *old = *o;
    if (old)
        *o = old->next;
    pthread_mutex_unlock(&list->lock);
    free(old);
}

bool rt_object_find(struct rt_objects *list, uint64_t handle, struct rt_object *copy)
{
    pthread_mutex_lock(&list->lock);
    const struct rt_object *o = list->first;
    while (o && o->handle != handle)
        o = o->next;
    if (o)
        *copy = *o;
    pthread_mutex_unlock(&list->lock);
    return o != NULL;
}

CUresult rt_texture_bind(struct rt_texture *t, const struct wire_texture *w)
{
    CUmodule module = NULL;
    uint64_t handle = 0;
    CUresult status = rt_texture_module(t, &module);
    if (!status)
        status = evc_texture(w, &handle);
    if (!status)
        status = evc_texture_bind(module, t->name, handle);
    if (!status && t->bound)
        evc_texture_destroy(t->bound);
    if (!status)
        t->bound = handle;
    return status;
}
