/* Modules, functions and launches of the driver API. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sw/cuda/driver/context.h"

/* --- modules ---------------------------------------------------------------------------------- */

static CUresult read_file(const char *path, char **text, size_t *bytes)
{
    FILE *file = fopen(path, "rb");
    if (!file)
        return errno == ENOENT ? CUDA_ERROR_FILE_NOT_FOUND : CUDA_ERROR_INVALID_SOURCE;
    CUresult status = CUDA_ERROR_INVALID_SOURCE;
    *text = NULL;
    if (fseek(file, 0, SEEK_END) == 0) {
        long size = ftell(file);
        rewind(file);
        *text = size >= 0 ? malloc((size_t)size + 1) : NULL;
        if (*text && fread(*text, 1, (size_t)size, file) == (size_t)size) {
            (*text)[size] = '\0';
            *bytes = (size_t)size;
            status = CUDA_SUCCESS;
        }
    }
    fclose(file);
    if (status) {
        free(*text);
        *text = NULL;
    }
    return status;
}

/* The loader's message names file and line; it goes to stderr, for want of another way. */
static CUresult report(CUresult status, char *why)
{
    if (status && why && *why) {
        fprintf(stderr, "evgpu: %s\n", why);
        evc_note_told();
    }
    free(why);
    return status;
}

CUresult cu_module_file(CUmodule *module, const char *path)
{
    char *text = NULL, *why = NULL;
    size_t bytes = 0;
    CUresult status = read_file(path, &text, &bytes);
    if (status)
        return status;
    if (!evc_file_text(text))
        status = evc_no_ptx();
    else
        status = report(evc_module_load(path, text, bytes, module, &why), why);
    free(text);
    return status;
}

static void *option(unsigned int n, const CUjit_option *options, void **values, CUjit_option which)
{
    for (unsigned int i = 0; i < n; i++) {
        if (options[i] == which)
            return values[i];
    }
    return NULL;
}

CUresult cu_module_data(CUmodule *module, const void *image, unsigned int n,
                        const CUjit_option *options, void **values)
{
    char *why = NULL;
    if (n && !(options && values))
        return CUDA_ERROR_INVALID_VALUE;
    CUresult status = evc_module_image(image, module, &why);
    char *log = option(n, options, values, CU_JIT_ERROR_LOG_BUFFER);
    size_t room = (size_t)(uintptr_t)option(n, options, values, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES);
    if (log && room) {
        snprintf(log, room, "%s", status && why ? why : "");
        if (*log)
            evc_note_told();
        free(why);
        return status;
    }
    return report(status, why);
}

CUresult cuModuleLoad(CUmodule *module, const char *fname)
{
    CU_READY();
    CU_CHECK(module && fname, CUDA_ERROR_INVALID_VALUE);
    CUresult status = cu_module_file(module, fname);
    CU_CHECK(!status, status);
    return CUDA_SUCCESS;
}

CUresult cuModuleLoadDataEx(CUmodule *module, const void *image, unsigned int numOptions,
                            CUjit_option *options, void **optionValues)
{
    CU_READY();
    CU_CHECK(module && image, CUDA_ERROR_INVALID_VALUE);
    CUresult status = cu_module_data(module, image, numOptions, options, optionValues);
    CU_CHECK(!status, status);
    return CUDA_SUCCESS;
}

CUresult cuModuleLoadData(CUmodule *module, const void *image)
{
    return cuModuleLoadDataEx(module, image, 0, NULL, NULL);
}

CUresult cuModuleLoadFatBinary(CUmodule *module, const void *fatCubin)
{
    return cuModuleLoadData(module, fatCubin);
}

CUresult cuModuleUnload(CUmodule hmod)
{
    CU_READY();
    return evc_module_unload(hmod);
}

CUresult cuModuleGetFunction(CUfunction *hfunc, CUmodule hmod, const char *name)
{
    CU_READY();
    CU_CHECK(hfunc && name && *name, CUDA_ERROR_INVALID_VALUE);
    return evc_function(hmod, name, hfunc);
}

CUresult cuModuleGetGlobal(CUdeviceptr *dptr, size_t *bytes, CUmodule hmod, const char *name)
{
    uint64_t address = 0, size = 0;
    CU_READY();
    CU_CHECK(name && (dptr || bytes), CUDA_ERROR_INVALID_VALUE);
    CUresult status = evc_global(hmod, name, true, &address, &size);
    if (!status && dptr)
        *dptr = address;
    if (!status && bytes)
        *bytes = (size_t)size;
    return status;
}

/* --- functions -------------------------------------------------------------------------------- */

CUresult cuFuncGetAttribute(int *pi, CUfunction_attribute attrib, CUfunction hfunc)
{
    CU_READY();
    CU_CHECK(pi, CUDA_ERROR_INVALID_VALUE);
    CU_CHECK(evc_function_valid(hfunc), CUDA_ERROR_INVALID_HANDLE);
    const struct wire_function *info = &hfunc->info;
    switch (attrib) {
    case CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK:
        *pi = (int)info->max_threads;
        return CUDA_SUCCESS;
    case CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES:
        *pi = (int)info->shared_bytes;
        return CUDA_SUCCESS;
    case CU_FUNC_ATTRIBUTE_CONST_SIZE_BYTES:
        *pi = (int)info->constant_bytes;
        return CUDA_SUCCESS;
    case CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES:
        *pi = (int)info->local_bytes;
        return CUDA_SUCCESS;
    case CU_FUNC_ATTRIBUTE_NUM_REGS:
        *pi = (int)info->registers;
        return CUDA_SUCCESS;
    case CU_FUNC_ATTRIBUTE_PTX_VERSION:
    case CU_FUNC_ATTRIBUTE_BINARY_VERSION:
        *pi = (int)info->ptx_version;
        return CUDA_SUCCESS;
    case CU_FUNC_ATTRIBUTE_CACHE_MODE_CA:
        *pi = 0;
        return CUDA_SUCCESS;
    case CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES:
        *pi = (int)hfunc->max_dynamic;
        return CUDA_SUCCESS;
    case CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT:
        *pi = -1;
        return CUDA_SUCCESS;
    default:
        return CUDA_ERROR_INVALID_VALUE;
    }
}

CUresult cuFuncSetAttribute(CUfunction hfunc, CUfunction_attribute attrib, int value)
{
    CU_READY();
    CU_CHECK(evc_function_valid(hfunc), CUDA_ERROR_INVALID_HANDLE);
    if (attrib == CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT)
        return value >= -1 && value <= 100 ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
    CU_CHECK(attrib == CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES && value >= 0,
             CUDA_ERROR_INVALID_VALUE);
    return evc_function_set_shared(hfunc, (uint32_t)value);
}

CUresult cuFuncSetCacheConfig(CUfunction hfunc, CUfunc_cache config)
{
    CU_READY();
    CU_CHECK(evc_function_valid(hfunc), CUDA_ERROR_INVALID_HANDLE);
    return config <= CU_FUNC_CACHE_PREFER_EQUAL ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

CUresult cuFuncSetSharedMemConfig(CUfunction hfunc, CUsharedconfig config)
{
    CU_READY();
    CU_CHECK(evc_function_valid(hfunc), CUDA_ERROR_INVALID_HANDLE);
    return config <= CU_SHARED_MEM_CONFIG_EIGHT_BYTE_BANK_SIZE ? CUDA_SUCCESS
                                                               : CUDA_ERROR_INVALID_VALUE;
}

CUresult cuFuncGetModule(CUmodule *hmod, CUfunction hfunc)
{
    CU_READY();
    CU_CHECK(hmod, CUDA_ERROR_INVALID_VALUE);
    CU_CHECK(evc_function_valid(hfunc), CUDA_ERROR_INVALID_HANDLE);
    *hmod = hfunc->module;
    return CUDA_SUCCESS;
}

/* --- launches --------------------------------------------------------------------------------- */

/* The runtime API has an error of its own for wrong dimensions. */
static CUresult launched(CUresult status)
{
    return (int)status == EVC_INVALID_CONFIGURATION ? CUDA_ERROR_INVALID_VALUE : status;
}

static CUresult launch_extra(const struct evc_launch *launch, void **extra)
{
    const void *buffer = NULL;
    size_t bytes = 0;
    for (; *extra != CU_LAUNCH_PARAM_END; extra += 2) {
        if (extra[0] == CU_LAUNCH_PARAM_BUFFER_POINTER)
            buffer = extra[1];
        else if (extra[0] == CU_LAUNCH_PARAM_BUFFER_SIZE && extra[1])
            bytes = *(const size_t *)extra[1];
        else
            return CUDA_ERROR_INVALID_VALUE;
    }
    CU_CHECK(buffer || !bytes, CUDA_ERROR_INVALID_VALUE);
    return evc_launch_buffer(launch, buffer, bytes);
}

CUresult cuLaunchKernel(CUfunction f, unsigned int gridDimX, unsigned int gridDimY,
                        unsigned int gridDimZ, unsigned int blockDimX, unsigned int blockDimY,
                        unsigned int blockDimZ, unsigned int sharedMemBytes, CUstream hStream,
                        void **kernelParams, void **extra)
{
    struct evc_launch launch = {.function = f,
                                .grid = {gridDimX, gridDimY, gridDimZ},
                                .block = {blockDimX, blockDimY, blockDimZ},
                                .shared = sharedMemBytes,
                                .stream = hStream};
    CU_READY();
    CU_CHECK(evc_function_valid(f), CUDA_ERROR_INVALID_HANDLE);
    CU_CHECK(!(kernelParams && extra), CUDA_ERROR_INVALID_VALUE);
    return launched(extra ? launch_extra(&launch, extra) : evc_launch(&launch, kernelParams));
}

CUresult cuLaunchCooperativeKernel(CUfunction f, unsigned int gridDimX, unsigned int gridDimY,
                                   unsigned int gridDimZ, unsigned int blockDimX,
                                   unsigned int blockDimY, unsigned int blockDimZ,
                                   unsigned int sharedMemBytes, CUstream hStream,
                                   void **kernelParams)
{
    struct evc_launch launch = {.function = f,
                                .grid = {gridDimX, gridDimY, gridDimZ},
                                .block = {blockDimX, blockDimY, blockDimZ},
                                .shared = sharedMemBytes,
                                .stream = hStream,
                                .cooperative = true};
    CU_READY();
    CU_CHECK(evc_function_valid(f), CUDA_ERROR_INVALID_HANDLE);
    return launched(evc_launch(&launch, kernelParams));
}

/* --- the launches of CUDA 1: state in the function ---------------------------------------------
 */

CUresult cuFuncSetBlockShape(CUfunction hfunc, int x, int y, int z)
{
    CU_READY();
    CU_CHECK(evc_function_valid(hfunc), CUDA_ERROR_INVALID_HANDLE);
    CU_CHECK(x > 0 && y > 0 && z > 0, CUDA_ERROR_INVALID_VALUE);
    hfunc->block[0] = (uint32_t)x;
    hfunc->block[1] = (uint32_t)y;
    hfunc->block[2] = (uint32_t)z;
    return CUDA_SUCCESS;
}

CUresult cuFuncSetSharedSize(CUfunction hfunc, unsigned int bytes)
{
    CU_READY();
    CU_CHECK(evc_function_valid(hfunc), CUDA_ERROR_INVALID_HANDLE);
    hfunc->shared = bytes;
    return CUDA_SUCCESS;
}

CUresult cuParamSetSize(CUfunction hfunc, unsigned int numbytes)
{
    CU_READY();
    CU_CHECK(evc_function_valid(hfunc), CUDA_ERROR_INVALID_HANDLE);
    CU_CHECK(numbytes <= hfunc->info.param_bytes, CUDA_ERROR_INVALID_VALUE);
    hfunc->param_bytes = numbytes;
    return CUDA_SUCCESS;
}

CUresult cuParamSetv(CUfunction hfunc, int offset, void *ptr, unsigned int numbytes)
{
    CU_READY();
    CU_CHECK(evc_function_valid(hfunc), CUDA_ERROR_INVALID_HANDLE);
    CU_CHECK(ptr && offset >= 0 && (uint64_t)offset + numbytes <= hfunc->info.param_bytes,
             CUDA_ERROR_INVALID_VALUE);
    memcpy(hfunc->params + offset, ptr, numbytes);
    return CUDA_SUCCESS;
}

CUresult cuParamSeti(CUfunction hfunc, int offset, unsigned int value)
{
    return cuParamSetv(hfunc, offset, &value, sizeof value);
}

CUresult cuParamSetf(CUfunction hfunc, int offset, float value)
{
    return cuParamSetv(hfunc, offset, &value, sizeof value);
}

CUresult cuLaunchGridAsync(CUfunction f, int grid_width, int grid_height, CUstream hStream)
{
    CU_READY();
    CU_CHECK(evc_function_valid(f), CUDA_ERROR_INVALID_HANDLE);
    CU_CHECK(grid_width > 0 && grid_height > 0 && f->block[0], CUDA_ERROR_INVALID_VALUE);
    struct evc_launch launch = {.function = f,
                                .grid = {(uint32_t)grid_width, (uint32_t)grid_height, 1},
                                .block = {f->block[0], f->block[1], f->block[2]},
                                .shared = f->shared,
                                .stream = hStream};
    return launched(evc_launch_buffer(&launch, f->params, f->param_bytes));
}

CUresult cuLaunchGrid(CUfunction f, int grid_width, int grid_height)
{
    return cuLaunchGridAsync(f, grid_width, grid_height, NULL);
}

CUresult cuLaunch(CUfunction f)
{
    return cuLaunchGridAsync(f, 1, 1, NULL);
}

/* --- occupancy -------------------------------------------------------------------------------- */

CUresult cuOccupancyMaxActiveBlocksPerMultiprocessor(int *numBlocks, CUfunction func, int blockSize,
                                                     size_t dynamicSMemSize)
{
    uint32_t blocks = 0;
    CU_READY();
    CU_CHECK(evc_function_valid(func), CUDA_ERROR_INVALID_HANDLE);
    CU_CHECK(numBlocks && blockSize > 0, CUDA_ERROR_INVALID_VALUE);
    CUresult status = evc_occupancy(func, (uint32_t)blockSize, dynamicSMemSize, &blocks);
    *numBlocks = (int)blocks;
    return status;
}

CUresult cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *numBlocks, CUfunction func,
                                                              int blockSize, size_t dynamicSMemSize,
                                                              unsigned int flags)
{
    CU_CHECK(!(flags & ~1u), CUDA_ERROR_INVALID_VALUE);
    return cuOccupancyMaxActiveBlocksPerMultiprocessor(numBlocks, func, blockSize, dynamicSMemSize);
}

/* The block size, a multiple of a warp, with the most threads resident; the largest of equals. */
CUresult cuOccupancyMaxPotentialBlockSize(int *minGridSize, int *blockSize, CUfunction func,
                                          CUoccupancyB2DSize blockSizeToDynamicSMemSize,
                                          size_t dynamicSMemSize, int blockSizeLimit)
{
    CU_READY();
    CU_CHECK(evc_function_valid(func), CUDA_ERROR_INVALID_HANDLE);
    CU_CHECK(minGridSize && blockSize && blockSizeLimit >= 0, CUDA_ERROR_INVALID_VALUE);
    const struct wire_device *d = evc_device();
    CU_CHECK(d, CUDA_ERROR_DEVICE_UNAVAILABLE);
    uint32_t limit = func->info.max_threads, best = 0, best_blocks = 0;
    if (blockSizeLimit && (uint32_t)blockSizeLimit < limit)
        limit = (uint32_t)blockSizeLimit;
    uint32_t first = (limit + d->warp_size - 1) / d->warp_size * d->warp_size;
    for (uint32_t size = first; size >= d->warp_size; size -= d->warp_size) {
        uint32_t threads = size < limit ? size : limit, blocks = 0;
        size_t shared =
            blockSizeToDynamicSMemSize ? blockSizeToDynamicSMemSize((int)threads) : dynamicSMemSize;
        CUresult status = evc_occupancy(func, threads, shared, &blocks);
        CU_CHECK(!status, status);
        if (blocks * threads > best_blocks * best) {
            best = threads;
            best_blocks = blocks;
        }
    }
    *blockSize = (int)best;
    *minGridSize = (int)(best_blocks * d->cores);
    return CUDA_SUCCESS;
}

CUresult cuOccupancyMaxPotentialBlockSizeWithFlags(int *minGridSize, int *blockSize,
                                                   CUfunction func,
                                                   CUoccupancyB2DSize blockSizeToDynamicSMemSize,
                                                   size_t dynamicSMemSize, int blockSizeLimit,
                                                   unsigned int flags)
{
    CU_CHECK(!(flags & ~(unsigned int)CU_OCCUPANCY_DISABLE_CACHING_OVERRIDE),
             CUDA_ERROR_INVALID_VALUE);
    return cuOccupancyMaxPotentialBlockSize(
        minGridSize, blockSize, func, blockSizeToDynamicSMemSize, dynamicSMemSize, blockSizeLimit);
}

/* The most that still lets so many blocks be resident. */
CUresult cuOccupancyAvailableDynamicSMemPerBlock(size_t *dynamicSmemSize, CUfunction func,
                                                 int numBlocks, int blockSize)
{
    CU_READY();
    const struct wire_device *d = evc_device();
    CU_CHECK(evc_function_valid(func), CUDA_ERROR_INVALID_HANDLE);
    CU_CHECK(d, CUDA_ERROR_DEVICE_UNAVAILABLE);
    CU_CHECK(dynamicSmemSize && numBlocks > 0 && blockSize > 0, CUDA_ERROR_INVALID_VALUE);
    size_t share = d->shared_bytes / (uint32_t)numBlocks;
    *dynamicSmemSize = share > func->info.shared_bytes ? share - func->info.shared_bytes : 0;
    return CUDA_SUCCESS;
}
