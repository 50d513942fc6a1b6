/* Surface objects and references of the runtime API. */
#include "sw/cuda/runtime/objects.h"

static struct rt_objects known = {.lock = PTHREAD_MUTEX_INITIALIZER};

static CUresult take_array(cudaArray_const_t handle, struct wire_texture *w)
{
    CUarray array = (CUarray)(void *)(uintptr_t)handle;
    if (!evc_array_valid(array))
        return CUDA_ERROR_INVALID_HANDLE;
    if (!(array->flags & cudaArraySurfaceLoadStore))
        return evc_explain(CUDA_ERROR_INVALID_VALUE,
                           "surface: the array was not made with cudaArraySurfaceLoadStore");
    evc_texture_of_array(array, w);
    return CUDA_SUCCESS;
}

cudaError_t cudaCreateSurfaceObject(cudaSurfaceObject_t *pSurfObject,
                                    const struct cudaResourceDesc *pResDesc)
{
    struct wire_texture w = {0};
    struct rt_object o = {0};
    RT_CHECK(pSurfObject && pResDesc, cudaErrorInvalidValue);
    RT_CHECK(pResDesc->resType == cudaResourceTypeArray, cudaErrorInvalidValue);
    CUresult status = take_array(pResDesc->res.array.array, &w);
    if (!status)
        status = evc_texture(&w, &o.handle);
    RT_CHECK(!status, status);
    o.resource = *pResDesc;
    status = rt_object_add(&known, &o);
    RT_CHECK(!status, status);
    *pSurfObject = o.handle;
    return rt_done(CUDA_SUCCESS);
}

cudaError_t cudaDestroySurfaceObject(cudaSurfaceObject_t surfObject)
{
    CUresult status = evc_texture_destroy(surfObject);
    if (!status)
        rt_object_remove(&known, surfObject);
    return rt_done(status);
}

cudaError_t cudaGetSurfaceObjectResourceDesc(struct cudaResourceDesc *pResDesc,
                                             cudaSurfaceObject_t surfObject)
{
    struct rt_object o;
    RT_CHECK(pResDesc && rt_object_find(&known, surfObject, &o), cudaErrorInvalidValue);
    *pResDesc = o.resource;
    return rt_done(CUDA_SUCCESS);
}

cudaError_t cudaBindSurfaceToArray(const struct surfaceReference *surfref, cudaArray_const_t array,
                                   const struct cudaChannelFormatDesc *desc)
{
    struct rt_texture *t = rt_texture(surfref);
    struct wire_texture w = {0};
    (void)desc; /* the array knows its format */
    RT_CHECK(t, cudaErrorInvalidSurface);
    CUresult status = take_array(array, &w);
    RT_CHECK(!status, status);
    return rt_done(rt_texture_bind(t, &w));
}

cudaError_t cudaGetSurfaceReference(const struct surfaceReference **surfref, const void *symbol)
{
    const struct rt_texture *t = rt_texture(symbol);
    RT_CHECK(surfref, cudaErrorInvalidValue);
    RT_CHECK(t, cudaErrorInvalidSurface);
    *surfref = (const struct surfaceReference *)(const void *)t->host;
    return rt_done(CUDA_SUCCESS);
}
