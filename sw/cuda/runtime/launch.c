/* Launches and functions of the runtime API. */
#include <stdlib.h>
#include <string.h>

#include "sw/cuda/runtime/state.h"

#define CONFIGURATIONS 16   /* <<<>>> within the arguments of <<<>>> */
#define ARGUMENT_BYTES 4352 /* of a launch by cudaSetupArgument */

struct configuration {
    dim3 grid, block;
    size_t shared;
    cudaStream_t stream;
    uint8_t arguments[ARGUMENT_BYTES];
    size_t bytes;
};

static _Thread_local struct {
    struct configuration entry[CONFIGURATIONS];
    unsigned int depth;
} pushed;

static void make_launch(struct evc_launch *launch, CUfunction function, dim3 grid, dim3 block,
                        size_t shared, cudaStream_t stream)
{
    *launch = (struct evc_launch){.function = function,
                                  .grid = {grid.x, grid.y, grid.z},
                                  .block = {block.x, block.y, block.z},
                                  .shared = shared,
                                  .stream = RT_STREAM(stream)};
}

cudaError_t cudaLaunchKernel(const void *func, dim3 gridDim, dim3 blockDim, void **args,
                             size_t sharedMem, cudaStream_t stream)
{
    CUfunction function = NULL;
    struct evc_launch launch;
    CUresult status = rt_function(func, &function);
    RT_CHECK(!status, status);
    make_launch(&launch, function, gridDim, blockDim, sharedMem, stream);
    return rt_done(evc_launch(&launch, args));
}

cudaError_t cudaLaunchCooperativeKernel(const void *func, dim3 gridDim, dim3 blockDim, void **args,
                                        size_t sharedMem, cudaStream_t stream)
{
    CUfunction function = NULL;
    struct evc_launch launch;
    CUresult status = rt_function(func, &function);
    RT_CHECK(!status, status);
    make_launch(&launch, function, gridDim, blockDim, sharedMem, stream);
    launch.cooperative = true;
    return rt_done(evc_launch(&launch, args));
}

cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t *config, const void *func, void **args)
{
    CUfunction function = NULL;
    struct evc_launch launch;
    RT_CHECK(config && (!config->numAttrs || config->attrs), cudaErrorInvalidValue);
    CUresult status = rt_function(func, &function);
    RT_CHECK(!status, status);
    make_launch(&launch, function, config->gridDim, config->blockDim, config->dynamicSmemBytes,
                config->stream);
    for (unsigned int i = 0; i < config->numAttrs; i++) {
        const cudaLaunchAttribute *attribute = &config->attrs[i];
        status = evc_launch_attribute((CUlaunchAttributeID)attribute->id, &attribute->val,
                                      &launch.cooperative);
        RT_CHECK(!status, status);
    }
    return rt_done(evc_launch(&launch, args));
}

/* --- <<<>>>
 * --------------------------------------------------------------------------------------- */

static CUresult push(dim3 grid, dim3 block, size_t shared, cudaStream_t stream)
{
    if (pushed.depth == CONFIGURATIONS)
        return (CUresult)cudaErrorInvalidConfiguration;
    struct configuration *c = &pushed.entry[pushed.depth++];
    c->grid = grid;
    c->block = block;
    c->shared = shared;
    c->stream = stream;
    c->bytes = 0;
    return CUDA_SUCCESS;
}

unsigned int __cudaPushCallConfiguration(dim3 gridDim, dim3 blockDim, size_t sharedMem,
                                         void *stream)
{
    return (unsigned int)rt_done(push(gridDim, blockDim, sharedMem, stream));
}

cudaError_t __cudaPopCallConfiguration(dim3 *gridDim, dim3 *blockDim, size_t *sharedMem,
                                       void *stream)
{
    RT_CHECK(pushed.depth, cudaErrorMissingConfiguration);
    const struct configuration *c = &pushed.entry[--pushed.depth];
    *gridDim = c->grid;
    *blockDim = c->block;
    *sharedMem = c->shared;
    *(cudaStream_t *)stream = c->stream;
    return cudaSuccess;
}

cudaError_t cudaConfigureCall(dim3 gridDim, dim3 blockDim, size_t sharedMem, cudaStream_t stream)
{
    return rt_done(push(gridDim, blockDim, sharedMem, stream));
}

cudaError_t cudaSetupArgument(const void *arg, size_t size, size_t offset)
{
    RT_CHECK(pushed.depth, cudaErrorMissingConfiguration);
    RT_CHECK(arg && offset <= ARGUMENT_BYTES && size <= ARGUMENT_BYTES - offset,
             cudaErrorInvalidValue);
    struct configuration *c = &pushed.entry[pushed.depth - 1];
    memcpy(c->arguments + offset, arg, size);
    if (offset + size > c->bytes)
        c->bytes = offset + size;
    return rt_done(CUDA_SUCCESS);
}

cudaError_t cudaLaunch(const void *func)
{
    CUfunction function = NULL;
    struct evc_launch launch;
    RT_CHECK(pushed.depth, cudaErrorMissingConfiguration);
    const struct configuration *c = &pushed.entry[--pushed.depth];
    CUresult status = rt_function(func, &function);
    RT_CHECK(!status, status);
    make_launch(&launch, function, c->grid, c->block, c->shared, c->stream);
    return rt_done(evc_launch_buffer(&launch, c->arguments, c->bytes));
}

/* --- functions
 * -------------------------------------------------------------------------------------- */

static cudaError_t preference(const void *func, bool valid)
{
    CUfunction function = NULL;
    CUresult status = rt_function(func, &function);
    RT_CHECK(!status, status);
    return rt_done(valid ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE);
}

cudaError_t cudaFuncSetCacheConfig(const void *func, enum cudaFuncCache cacheConfig)
{
    return preference(func, (unsigned int)cacheConfig <= cudaFuncCachePreferEqual);
}

cudaError_t cudaFuncSetSharedMemConfig(const void *func, enum cudaSharedMemConfig config)
{
    return preference(func, (unsigned int)config <= cudaSharedMemBankSizeEightByte);
}

cudaError_t cudaGetFuncBySymbol(cudaFunction_t *functionPtr, const void *symbolPtr)
{
    CUfunction function = NULL;
    RT_CHECK(functionPtr, cudaErrorInvalidValue);
    CUresult status = rt_function(symbolPtr, &function);
    RT_CHECK(!status, status);
    *functionPtr = function;
    return rt_done(CUDA_SUCCESS);
}

cudaError_t cudaFuncGetAttributes(struct cudaFuncAttributes *attr, const void *func)
{
    CUfunction function = NULL;
    RT_CHECK(attr, cudaErrorInvalidValue);
    CUresult status = rt_function(func, &function);
    RT_CHECK(!status, status);
    const struct wire_function *info = &function->info;
    *attr = (struct cudaFuncAttributes){.sharedSizeBytes = info->shared_bytes,
                                        .constSizeBytes = info->constant_bytes,
                                        .localSizeBytes = info->local_bytes,
                                        .maxThreadsPerBlock = (int)info->max_threads,
                                        .numRegs = (int)info->registers,
                                        .ptxVersion = (int)info->ptx_version,
                                        .binaryVersion = (int)info->ptx_version,
                                        .maxDynamicSharedSizeBytes = (int)function->max_dynamic,
                                        .preferredShmemCarveout = cudaSharedmemCarveoutDefault};
    return rt_done(CUDA_SUCCESS);
}

cudaError_t cudaFuncSetAttribute(const void *func, enum cudaFuncAttribute attr, int value)
{
    CUfunction function = NULL;
    CUresult status = rt_function(func, &function);
    RT_CHECK(!status, status);
    if (attr == cudaFuncAttributePreferredSharedMemoryCarveout) {
        RT_CHECK(value >= -1 && value <= 100, cudaErrorInvalidValue);
        return rt_done(CUDA_SUCCESS);
    }
    RT_CHECK(attr == cudaFuncAttributeMaxDynamicSharedMemorySize && value >= 0,
             cudaErrorInvalidValue);
    return rt_done(evc_function_set_shared(function, (uint32_t)value));
}

/* Doubles need no conversion. */
cudaError_t cudaSetDoubleForDevice(double *d)
{
    RT_CHECK(d, cudaErrorInvalidValue);
    return rt_done(CUDA_SUCCESS);
}

cudaError_t cudaSetDoubleForHost(double *d)
{
    RT_CHECK(d, cudaErrorInvalidValue);
    return rt_done(CUDA_SUCCESS);
}

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *numBlocks, const void *func,
                                                          int blockSize, size_t dynamicSMemSize)
{
    CUfunction function = NULL;
    uint32_t blocks = 0;
    RT_CHECK(numBlocks && blockSize > 0, cudaErrorInvalidValue);
    CUresult status = rt_function(func, &function);
    RT_CHECK(!status, status);
    status = evc_occupancy(function, (uint32_t)blockSize, dynamicSMemSize, &blocks);
    *numBlocks = (int)blocks;
    return rt_done(status);
}

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *numBlocks, const void *func,
                                                                   int blockSize,
                                                                   size_t dynamicSMemSize,
                                                                   unsigned int flags)
{
    RT_CHECK(!(flags & ~1u), cudaErrorInvalidValue);
    return cudaOccupancyMaxActiveBlocksPerMultiprocessor(numBlocks, func, blockSize,
                                                         dynamicSMemSize);
}

/* The most that still lets so many blocks be resident. */
cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(size_t *dynamicSmemSize, const void *func,
                                                      int numBlocks, int blockSize)
{
    CUfunction function = NULL;
    const struct wire_device *d = evc_device();
    RT_CHECK(d, cudaErrorDevicesUnavailable);
    RT_CHECK(dynamicSmemSize && numBlocks > 0 && blockSize > 0, cudaErrorInvalidValue);
    CUresult status = rt_function(func, &function);
    RT_CHECK(!status, status);
    size_t share = d->shared_bytes / (uint32_t)numBlocks;
    *dynamicSmemSize =
        share > function->info.shared_bytes ? share - function->info.shared_bytes : 0;
    return rt_done(CUDA_SUCCESS);
}
