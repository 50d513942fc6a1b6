/* Surface objects and references of the driver API. */
#include <stdlib.h>

#include "sw/cuda/driver/context.h"

struct CUsurfref_st {
    CUmodule module;
    char *name;
    CUarray array;
    uint64_t bound; /* object of the simulator's, 0: none */
    CUsurfref next;
};

static CUsurfref references;

static CUresult create(CUarray array, uint64_t *object)
{
    struct wire_texture w = {0};
    if (!evc_array_valid(array))
        return CUDA_ERROR_INVALID_HANDLE;
    if (!(array->flags & CUDA_ARRAY3D_SURFACE_LDST))
        return evc_explain(CUDA_ERROR_INVALID_VALUE,
                           "surface: the array was not made with CUDA_ARRAY3D_SURFACE_LDST");
    evc_texture_of_array(array, &w);
    return evc_texture(&w, object);
}

CUresult cuSurfObjectCreate(CUsurfObject *pSurfObject, const CUDA_RESOURCE_DESC *pResDesc)
{
    uint64_t handle = 0;
    CU_READY();
    CU_CHECK(pSurfObject && pResDesc, CUDA_ERROR_INVALID_VALUE);
    CU_CHECK(pResDesc->resType == CU_RESOURCE_TYPE_ARRAY, CUDA_ERROR_INVALID_VALUE);
    CUresult status = create(pResDesc->res.array.hArray, &handle);
    CU_CHECK(!status, status);
    *pSurfObject = handle;
    return CUDA_SUCCESS;
}

CUresult cuSurfObjectDestroy(CUsurfObject surfObject)
{
    CU_READY();
    return evc_texture_destroy(surfObject);
}

CUresult cuModuleGetSurfRef(CUsurfref *pSurfRef, CUmodule hmod, const char *name)
{
    uint64_t address = 0, bytes = 0;
    CU_READY();
    CU_CHECK(pSurfRef && name, CUDA_ERROR_INVALID_VALUE);
    CUresult status = evc_global(hmod, name, false, &address, &bytes);
    CU_CHECK(!status, status);
    CUsurfref s = references;
    while (s && (s->module != hmod || strcmp(s->name, name) != 0))
        s = s->next;
    if (!s) {
        s = calloc(1, sizeof *s);
        CU_CHECK(s, CUDA_ERROR_OUT_OF_MEMORY);
        s->module = hmod;
        s->name = strdup(name);
        s->next = references;
        references = s;
    }
    *pSurfRef = s;
    return CUDA_SUCCESS;
}

static bool valid(CUsurfref ref)
{
    CUsurfref s = references;
    while (s && s != ref)
        s = s->next;
    return s != NULL;
}

CUresult cuSurfRefSetArray(CUsurfref hSurfRef, CUarray hArray, unsigned int Flags)
{
    uint64_t handle = 0;
    CU_READY();
    CU_CHECK(valid(hSurfRef), CUDA_ERROR_INVALID_HANDLE);
    CU_CHECK(!Flags, CUDA_ERROR_INVALID_VALUE);
    CUresult status = create(hArray, &handle);
    CU_CHECK(!status, status);
    status = evc_texture_bind(hSurfRef->module, hSurfRef->name, handle);
    if (!status && hSurfRef->bound)
        evc_texture_destroy(hSurfRef->bound);
    if (!status) {
        hSurfRef->bound = handle;
        hSurfRef->array = hArray;
    }
    return status;
}

CUresult cuSurfRefGetArray(CUarray *phArray, CUsurfref hSurfRef)
{
    CU_READY();
    CU_CHECK(valid(hSurfRef), CUDA_ERROR_INVALID_HANDLE);
    CU_CHECK(phArray && hSurfRef->array, CUDA_ERROR_INVALID_VALUE);
    *phArray = hSurfRef->array;
    return CUDA_SUCCESS;
}
