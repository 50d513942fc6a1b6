/* Libraries and their kernels. All contexts of a process share one address space, so a library is
 * its module and a kernel is its function, under other names. */
#include "sw/cuda/driver/context.h"

static CUmodule module_of(CUlibrary library)
{
    return (CUmodule)(void *)library;
}

static CUfunction function_of(CUkernel kernel)
{
    return (CUfunction)(void *)kernel;
}

/* Where the API needs no current context. */
#define CU_INITIALISED()                                                                           \
    do {                                                                                           \
        CUresult ready_ = cu_initialised();                                                        \
        if (ready_)                                                                                \
            return cu_refuse(ready_, __func__, NULL);                                              \
    } while (0)

CUresult cuLibraryLoadData(CUlibrary *library, const void *code, CUjit_option *jitOptions,
                           void **jitOptionsValues, unsigned int numJitOptions,
                           CUlibraryOption *libraryOptions, void **libraryOptionValues,
                           unsigned int numLibraryOptions)
{
    CUmodule module = NULL;
    (void)libraryOptionValues;
    CU_INITIALISED();
    CU_CHECK(library && code && (!numLibraryOptions || libraryOptions), CUDA_ERROR_INVALID_VALUE);
    CUresult status = cu_module_data(&module, code, numJitOptions, jitOptions, jitOptionsValues);
    *library = (CUlibrary)(void *)module;
    CU_CHECK(!status, status);
    return CUDA_SUCCESS;
}

CUresult cuLibraryLoadFromFile(CUlibrary *library, const char *fileName, CUjit_option *jitOptions,
                               void **jitOptionsValues, unsigned int numJitOptions,
                               CUlibraryOption *libraryOptions, void **libraryOptionValues,
                               unsigned int numLibraryOptions)
{
    CUmodule module = NULL;
    (void)jitOptions, (void)jitOptionsValues, (void)numJitOptions, (void)libraryOptionValues;
    CU_INITIALISED();
    CU_CHECK(library && fileName && (!numLibraryOptions || libraryOptions),
             CUDA_ERROR_INVALID_VALUE);
    CUresult status = cu_module_file(&module, fileName);
    *library = (CUlibrary)(void *)module;
    CU_CHECK(!status, status);
    return CUDA_SUCCESS;
}

CUresult cuLibraryUnload(CUlibrary library)
{
    CU_INITIALISED();
    return evc_module_unload(module_of(library));
}

CUresult cuLibraryGetKernel(CUkernel *pKernel, CUlibrary library, const char *name)
{
    CUfunction function = NULL;
    CU_INITIALISED();
    CU_CHECK(pKernel && name && *name, CUDA_ERROR_INVALID_VALUE);
    CUresult status = evc_function(module_of(library), name, &function);
    *pKernel = (CUkernel)(void *)function;
    return status;
}

CUresult cuLibraryGetModule(CUmodule *pMod, CUlibrary library)
{
    CU_READY();
    CU_CHECK(pMod, CUDA_ERROR_INVALID_VALUE);
    CU_CHECK(evc_module_valid(module_of(library)), CUDA_ERROR_INVALID_HANDLE);
    *pMod = module_of(library);
    return CUDA_SUCCESS;
}

CUresult cuLibraryGetGlobal(CUdeviceptr *dptr, size_t *bytes, CUlibrary library, const char *name)
{
    return cuModuleGetGlobal(dptr, bytes, module_of(library), name);
}

CUresult cuLibraryGetManaged(CUdeviceptr *dptr, size_t *bytes, CUlibrary library, const char *name)
{
    CU_INITIALISED();
    CU_CHECK(name && (dptr || bytes), CUDA_ERROR_INVALID_VALUE);
    CU_CHECK(evc_module_valid(module_of(library)), CUDA_ERROR_INVALID_HANDLE);
    return CUDA_ERROR_NOT_FOUND;
}

/* --- kernels ---------------------------------------------------------------------------------- */

CUresult cuKernelGetFunction(CUfunction *pFunc, CUkernel kernel)
{
    CU_READY();
    CU_CHECK(pFunc, CUDA_ERROR_INVALID_VALUE);
    CU_CHECK(evc_function_valid(function_of(kernel)), CUDA_ERROR_INVALID_HANDLE);
    *pFunc = function_of(kernel);
    return CUDA_SUCCESS;
}

CUresult cuKernelGetLibrary(CUlibrary *pLib, CUkernel kernel)
{
    CU_INITIALISED();
    CU_CHECK(pLib, CUDA_ERROR_INVALID_VALUE);
    CU_CHECK(evc_function_valid(function_of(kernel)), CUDA_ERROR_INVALID_HANDLE);
    *pLib = (CUlibrary)(void *)function_of(kernel)->module;
    return CUDA_SUCCESS;
}

CUresult cuFuncGetName(const char **name, CUfunction hfunc)
{
    CU_INITIALISED();
    CU_CHECK(name, CUDA_ERROR_INVALID_VALUE);
    CU_CHECK(evc_function_valid(hfunc), CUDA_ERROR_INVALID_HANDLE);
    *name = hfunc->name;
    return CUDA_SUCCESS;
}

CUresult cuKernelGetName(const char **name, CUkernel hfunc)
{
    return cuFuncGetName(name, function_of(hfunc));
}

CUresult cuKernelGetAttribute(int *pi, CUfunction_attribute attrib, CUkernel kernel, CUdevice dev)
{
    CU_CHECK(!dev, CUDA_ERROR_INVALID_DEVICE);
    return cuFuncGetAttribute(pi, attrib, function_of(kernel));
}

CUresult cuKernelSetAttribute(CUfunction_attribute attrib, int val, CUkernel kernel, CUdevice dev)
{
    CU_CHECK(!dev, CUDA_ERROR_INVALID_DEVICE);
    return cuFuncSetAttribute(function_of(kernel), attrib, val);
}

CUresult cuKernelSetCacheConfig(CUkernel kernel, CUfunc_cache config, CUdevice dev)
{
    CU_CHECK(!dev, CUDA_ERROR_INVALID_DEVICE);
    return cuFuncSetCacheConfig(function_of(kernel), config);
}

CUresult cuFuncGetParamInfo(CUfunction func, size_t paramIndex, size_t *paramOffset,
                            size_t *paramSize)
{
    CU_INITIALISED();
    CU_CHECK(paramOffset, CUDA_ERROR_INVALID_VALUE);
    CU_CHECK(evc_function_valid(func), CUDA_ERROR_INVALID_HANDLE);
    /* Programs count the parameters by the first index that is none. */
    if (paramIndex >= func->info.n_params)
        return CUDA_ERROR_INVALID_VALUE;
    *paramOffset = func->info.params[paramIndex].offset;
    if (paramSize)
        *paramSize = func->info.params[paramIndex].bytes;
    return CUDA_SUCCESS;
}

CUresult cuKernelGetParamInfo(CUkernel kernel, size_t paramIndex, size_t *paramOffset,
                              size_t *paramSize)
{
    return cuFuncGetParamInfo(function_of(kernel), paramIndex, paramOffset, paramSize);
}

/* --- launches with attributes ----------------------------------------------------------------- */

CUresult cuLaunchKernelEx(const CUlaunchConfig *config, CUfunction f, void **kernelParams,
                          void **extra)
{
    bool cooperative = false;
    CU_READY();
    CU_CHECK(config && (!config->numAttrs || config->attrs), CUDA_ERROR_INVALID_VALUE);
    for (unsigned int i = 0; i < config->numAttrs; i++) {
        const CUlaunchAttribute *attribute = &config->attrs[i];
        CUresult status = evc_launch_attribute(attribute->id, &attribute->value, &cooperative);
        CU_CHECK(!status, status);
    }
    if (!cooperative)
        return cuLaunchKernel(f, config->gridDimX, config->gridDimY, config->gridDimZ,
                              config->blockDimX, config->blockDimY, config->blockDimZ,
                              config->sharedMemBytes, config->hStream, kernelParams, extra);
    CU_CHECK(!extra, CUDA_ERROR_INVALID_VALUE);
    return cuLaunchCooperativeKernel(f, config->gridDimX, config->gridDimY, config->gridDimZ,
                                     config->blockDimX, config->blockDimY, config->blockDimZ,
                                     config->sharedMemBytes, config->hStream, kernelParams);
}
