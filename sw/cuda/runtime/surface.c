/* Surface objects and references of the runtime API. */
#include <pthread.h>
#include <stdlib.h>

#include "sw/cuda/runtime/state.h"

struct object {
    cudaSurfaceObject_t handle;
    struct cudaResourceDesc resource;
    struct object *next;
};

static struct {
    pthread_mutex_t lock;
    struct object *objects;
} known = {.lock = PTHREAD_MUTEX_INITIALIZER};

static CUresult create(cudaArray_const_t handle, uint64_t *object)
{
    CUarray array = (CUarray)(void *)(uintptr_t)handle;
    struct wire_texture w = {0};
    if (!evc_array_valid(array))
        return CUDA_ERROR_INVALID_HANDLE;
    if (!(array->flags & cudaArraySurfaceLoadStore))
        return evc_explain(CUDA_ERROR_INVALID_VALUE,
                           "surface: the array was not made with cudaArraySurfaceLoadStore");
    evc_texture_of_array(array, &w);
    return evc_texture(&w, object);
}

cudaError_t cudaCreateSurfaceObject(cudaSurfaceObject_t *pSurfObject,
                                    const struct cudaResourceDesc *pResDesc)
{
    uint64_t handle = 0;
    RT_CHECK(pSurfObject && pResDesc, cudaErrorInvalidValue);
    RT_CHECK(pResDesc->resType == cudaResourceTypeArray, cudaErrorInvalidValue);
    CUresult status = create(pResDesc->res.array.array, &handle);
    RT_CHECK(!status, status);
    struct object *o = malloc(sizeof *o);
    RT_CHECK(o, cudaErrorMemoryAllocation);
    pthread_mutex_lock(&known.lock);
    *o = (struct object){handle, *pResDesc, known.objects};
    known.objects = o;
    pthread_mutex_unlock(&known.lock);
    *pSurfObject = handle;
    return rt_done(CUDA_SUCCESS);
}

cudaError_t cudaDestroySurfaceObject(cudaSurfaceObject_t surfObject)
{
    CUresult status = evc_texture_destroy(surfObject);
    pthread_mutex_lock(&known.lock);
    for (struct object **o = &known.objects; *o && !status; o = &(*o)->next) {
        if ((*o)->handle != surfObject)
            continue;
        struct object *old = *o;
        *o = old->next;
        free(old);
        break;
    }
    pthread_mutex_unlock(&known.lock);
    return rt_done(status);
}

cudaError_t cudaGetSurfaceObjectResourceDesc(struct cudaResourceDesc *pResDesc,
                                             cudaSurfaceObject_t surfObject)
{
    RT_CHECK(pResDesc, cudaErrorInvalidValue);
    pthread_mutex_lock(&known.lock);
    const struct object *o = known.objects;
    while (o && o->handle != surfObject)
        o = o->next;
    if (o)
        *pResDesc = o->resource;
    pthread_mutex_unlock(&known.lock);
    RT_CHECK(o, cudaErrorInvalidValue);
    return rt_done(CUDA_SUCCESS);
}

cudaError_t cudaBindSurfaceToArray(const struct surfaceReference *surfref, cudaArray_const_t array,
                                   const struct cudaChannelFormatDesc *desc)
{
    struct rt_texture *t = rt_texture(surfref);
    CUmodule module = NULL;
    uint64_t handle = 0;
    (void)desc; /* the array knows its format */
    RT_CHECK(t, cudaErrorInvalidSurface);
    CUresult status = rt_texture_module(t, &module);
    if (!status)
        status = create(array, &handle);
    if (!status)
        status = evc_texture_bind(module, t->name, handle);
    if (!status && t->bound)
        evc_texture_destroy(t->bound);
    if (!status)
        t->bound = handle;
    return rt_done(status);
}

cudaError_t cudaGetSurfaceReference(const struct surfaceReference **surfref, const void *symbol)
{
    const struct rt_texture *t = rt_texture(symbol);
    RT_CHECK(surfref, cudaErrorInvalidValue);
    RT_CHECK(t, cudaErrorInvalidSurface);
    *surfref = (const struct surfaceReference *)(const void *)t->host;
    return rt_done(CUDA_SUCCESS);
}
