/* The C++ part of the runtime API: typed forms of the C functions; included by cuda_runtime.h. */
#ifndef EVGPU_CUDA_CRT_RUNTIME_TEMPLATES_H
#define EVGPU_CUDA_CRT_RUNTIME_TEMPLATES_H

#include "../cuda_runtime_api.h"

#include "../cuda_texture_types.h"

#include "../cuda_surface_types.h"

#include <limits.h>

#define EVGPU_API template <class T> static __inline__ __host__ __attribute__((unused)) cudaError_t

/* --- memory ----------------------------------------------------------------------------------- */

EVGPU_API cudaMalloc(T **devPtr, size_t size)
{
    return ::cudaMalloc((void **)(void *)devPtr, size);
}
EVGPU_API cudaMallocHost(T **ptr, size_t size, unsigned int flags = 0)
{
    return ::cudaHostAlloc((void **)(void *)ptr, size, flags);
}
static __inline__ __host__ __attribute__((unused)) cudaError_t
cudaMallocHost(void **ptr, size_t size, unsigned int flags)
{
    return ::cudaHostAlloc(ptr, size, flags);
}
EVGPU_API cudaHostAlloc(T **ptr, size_t size, unsigned int flags)
{
    return ::cudaHostAlloc((void **)(void *)ptr, size, flags);
}
EVGPU_API cudaHostGetDevicePointer(T **pDevice, void *pHost, unsigned int flags)
{
    return ::cudaHostGetDevicePointer((void **)(void *)pDevice, pHost, flags);
}
EVGPU_API cudaMallocManaged(T **devPtr, size_t size, unsigned int flags = cudaMemAttachGlobal)
{
    return ::cudaMallocManaged((void **)(void *)devPtr, size, flags);
}
EVGPU_API cudaMallocPitch(T **devPtr, size_t *pitch, size_t width, size_t height)
{
    return ::cudaMallocPitch((void **)(void *)devPtr, pitch, width, height);
}
EVGPU_API cudaMallocAsync(T **ptr, size_t size, cudaStream_t stream)
{
    return ::cudaMallocAsync((void **)(void *)ptr, size, stream);
}
EVGPU_API cudaMallocFromPoolAsync(T **ptr, size_t size, cudaMemPool_t memPool, cudaStream_t stream)
{
    return ::cudaMallocFromPoolAsync((void **)(void *)ptr, size, memPool, stream);
}
EVGPU_API cudaMallocAsync(T **ptr, size_t size, cudaMemPool_t memPool, cudaStream_t stream)
{
    return ::cudaMallocFromPoolAsync((void **)(void *)ptr, size, memPool, stream);
}
EVGPU_API cudaStreamAttachMemAsync(cudaStream_t stream, T *devPtr, size_t length = 0,
                                   unsigned int flags = cudaMemAttachSingle)
{
    return ::cudaStreamAttachMemAsync(stream, (void *)devPtr, length, flags);
}

/* --- symbols ---------------------------------------------------------------------------------- */

EVGPU_API cudaMemcpyToSymbol(const T &symbol, const void *src, size_t count, size_t offset = 0,
                             enum cudaMemcpyKind kind = cudaMemcpyHostToDevice)
{
    return ::cudaMemcpyToSymbol((const void *)&symbol, src, count, offset, kind);
}
EVGPU_API cudaMemcpyToSymbolAsync(const T &symbol, const void *src, size_t count, size_t offset = 0,
                                  enum cudaMemcpyKind kind = cudaMemcpyHostToDevice,
                                  cudaStream_t stream = 0)
{
    return ::cudaMemcpyToSymbolAsync((const void *)&symbol, src, count, offset, kind, stream);
}
EVGPU_API cudaMemcpyFromSymbol(void *dst, const T &symbol, size_t count, size_t offset = 0,
                               enum cudaMemcpyKind kind = cudaMemcpyDeviceToHost)
{
    return ::cudaMemcpyFromSymbol(dst, (const void *)&symbol, count, offset, kind);
}
EVGPU_API cudaMemcpyFromSymbolAsync(void *dst, const T &symbol, size_t count, size_t offset = 0,
                                    enum cudaMemcpyKind kind = cudaMemcpyDeviceToHost,
                                    cudaStream_t stream = 0)
{
    return ::cudaMemcpyFromSymbolAsync(dst, (const void *)&symbol, count, offset, kind, stream);
}
EVGPU_API cudaGetSymbolAddress(void **devPtr, const T &symbol)
{
    return ::cudaGetSymbolAddress(devPtr, (const void *)&symbol);
}
EVGPU_API cudaGetSymbolSize(size_t *size, const T &symbol)
{
    return ::cudaGetSymbolSize(size, (const void *)&symbol);
}

/* What clang makes of <<<>>>; its last two arguments may be left out there. */
extern "C" unsigned int __cudaPushCallConfiguration(dim3 gridDim, dim3 blockDim,
                                                    size_t sharedMem = 0, void *stream = 0);

static __inline__ __host__ __attribute__((unused)) cudaError_t
cudaGetDriverEntryPoint(const char *symbol, void **funcPtr, unsigned long long flags,
                        cudaDriverEntryPointQueryResult *driverStatus)
{
    return cudaGetDriverEntryPointByVersion(symbol, funcPtr, CUDART_VERSION, flags, driverStatus);
}

/* --- captures ----------------------------------------------------------------------------------
 */

/* CUDA 12 has the second version under the plain name; CUDA 13 tells data of edges, too, of which
 * there are none. */
static __inline__ __host__ __attribute__((unused)) cudaError_t
cudaStreamGetCaptureInfo(cudaStream_t stream, enum cudaStreamCaptureStatus *status,
                         unsigned long long *id, cudaGraph_t *graph,
                         const cudaGraphNode_t **dependencies = 0, size_t *numDependencies = 0)
{
    return cudaStreamGetCaptureInfo_v2(stream, status, id, graph, dependencies, numDependencies);
}
static __inline__ __host__ __attribute__((unused)) cudaError_t
cudaStreamGetCaptureInfo(cudaStream_t stream, enum cudaStreamCaptureStatus *status,
                         unsigned long long *id, cudaGraph_t *graph,
                         const cudaGraphNode_t **dependencies, const cudaGraphEdgeData **edges,
                         size_t *numDependencies)
{
    if (edges)
        *edges = 0;
    return cudaStreamGetCaptureInfo_v2(stream, status, id, graph, dependencies, numDependencies);
}

/* --- graphs, as CUDA 12 calls them --------------------------------------------------------------
 */

static __inline__ __host__ __attribute__((unused)) cudaError_t
cudaGraphInstantiate(cudaGraphExec_t *pGraphExec, cudaGraph_t graph, unsigned long long flags = 0)
{
    return cudaGraphInstantiateWithFlags(pGraphExec, graph, flags);
}
static __inline__ __host__ __attribute__((unused)) cudaError_t
cudaGraphExecUpdate(cudaGraphExec_t hGraphExec, cudaGraph_t hGraph,
                    cudaGraphExecUpdateResultInfo *resultInfo)
{
    if (resultInfo)
        resultInfo->errorFromNode = 0;
    return cudaGraphExecUpdate(hGraphExec, hGraph, resultInfo ? &resultInfo->errorNode : 0,
                               resultInfo ? &resultInfo->result : 0);
}

/* All edges are of whole nodes. */
static __inline__ __host__ __attribute__((unused)) cudaError_t
cudaGraphAddNode(cudaGraphNode_t *node, cudaGraph_t graph, const cudaGraphNode_t *before,
                 const cudaGraphEdgeData *, size_t count, struct cudaGraphNodeParams *params)
{
    return cudaGraphAddNode(node, graph, before, count, params);
}
static __inline__ __host__ __attribute__((unused)) cudaError_t
cudaGraphAddDependencies(cudaGraph_t graph, const cudaGraphNode_t *from, const cudaGraphNode_t *to,
                         const cudaGraphEdgeData *, size_t count)
{
    return cudaGraphAddDependencies(graph, from, to, count);
}
static __inline__ __host__ __attribute__((unused)) cudaError_t
cudaStreamUpdateCaptureDependencies(cudaStream_t stream, cudaGraphNode_t *nodes,
                                    const cudaGraphEdgeData *, size_t count, unsigned int flags = 0)
{
    return cudaStreamUpdateCaptureDependencies(stream, nodes, count, flags);
}

/* --- launches --------------------------------------------------------------------------------- */

EVGPU_API cudaLaunchKernel(T *func, dim3 gridDim, dim3 blockDim, void **args, size_t sharedMem = 0,
                           cudaStream_t stream = 0)
{
    return ::cudaLaunchKernel((const void *)func, gridDim, blockDim, args, sharedMem, stream);
}
EVGPU_API cudaLaunchCooperativeKernel(T *func, dim3 gridDim, dim3 blockDim, void **args,
                                      size_t sharedMem = 0, cudaStream_t stream = 0)
{
    return ::cudaLaunchCooperativeKernel((const void *)func, gridDim, blockDim, args, sharedMem,
                                         stream);
}
/* The arguments become what the kernel's parameters are, as in a call. */
template <class... Parameters, class... Arguments>
static __inline__ __host__ __attribute__((unused)) cudaError_t
cudaLaunchKernelEx(const cudaLaunchConfig_t *config, void (*kernel)(Parameters...),
                   Arguments &&...arguments)
{
    return [&](Parameters... values) {
        void *places[] = {(void *)&values..., 0};
        return ::cudaLaunchKernelExC(config, (const void *)kernel, places);
    }(static_cast<Arguments &&>(arguments)...);
}
EVGPU_API cudaSetupArgument(T arg, size_t offset)
{
    return ::cudaSetupArgument((const void *)&arg, sizeof(T), offset);
}
EVGPU_API cudaLaunch(T *func)
{
    return ::cudaLaunch((const void *)func);
}
EVGPU_API cudaFuncSetCacheConfig(T *func, enum cudaFuncCache cacheConfig)
{
    return ::cudaFuncSetCacheConfig((const void *)func, cacheConfig);
}
EVGPU_API cudaFuncSetSharedMemConfig(T *func, enum cudaSharedMemConfig config)
{
    return ::cudaFuncSetSharedMemConfig((const void *)func, config);
}
EVGPU_API cudaFuncSetAttribute(T *func, enum cudaFuncAttribute attr, int value)
{
    return ::cudaFuncSetAttribute((const void *)func, attr, value);
}
EVGPU_API cudaFuncGetAttributes(struct cudaFuncAttributes *attr, T *entry)
{
    return ::cudaFuncGetAttributes(attr, (const void *)entry);
}

/* --- events ----------------------------------------------------------------------------------- */

/* With a place, as CUDA has them from version 13 on. */
static __inline__ __host__ __attribute__((unused)) cudaError_t
cudaMemPrefetchAsync(const void *devPtr, size_t count, struct cudaMemLocation location,
                     unsigned int flags, cudaStream_t stream = 0)
{
    return ::cudaMemPrefetchAsync_v2(devPtr, count, location, flags, stream);
}
static __inline__ __host__ __attribute__((unused)) cudaError_t
cudaMemAdvise(const void *devPtr, size_t count, enum cudaMemoryAdvise advice,
              struct cudaMemLocation location)
{
    return ::cudaMemAdvise_v2(devPtr, count, advice, location);
}

static __inline__ __host__ __attribute__((unused)) cudaError_t cudaEventCreate(cudaEvent_t *event,
                                                                               unsigned int flags)
{
    return ::cudaEventCreateWithFlags(event, flags);
}

/* --- occupancy -------------------------------------------------------------------------------- */

EVGPU_API cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *numBlocks, T func, int blockSize,
                                                        size_t dynamicSMemSize)
{
    return ::cudaOccupancyMaxActiveBlocksPerMultiprocessor(numBlocks, (const void *)func, blockSize,
                                                           dynamicSMemSize);
}
EVGPU_API cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *numBlocks, T func,
                                                                 int blockSize,
                                                                 size_t dynamicSMemSize,
                                                                 unsigned int flags)
{
    return ::cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
        numBlocks, (const void *)func, blockSize, dynamicSMemSize, flags);
}

/* The block size, a multiple of the warp's, with the most resident threads; the largest of several
 * that have as many. `bytes(size)` is the shared memory that a block of that size needs. */
template <class Bytes, class T>
static __inline__ __host__ cudaError_t cudaOccupancyMaxPotentialBlockSizeVariableSMemWithFlags(
    int *minGridSize, int *blockSize, T func, Bytes bytes, int blockSizeLimit = 0,
    unsigned int flags = 0)
{
    if (!minGridSize || !blockSize || !func)
        return cudaErrorInvalidValue;
    int device = 0, cores = 0, warp = 0, most = 0;
    cudaError_t status = ::cudaGetDevice(&device);
    if (status == cudaSuccess)
        status = ::cudaDeviceGetAttribute(&cores, cudaDevAttrMultiProcessorCount, device);
    if (status == cudaSuccess)
        status = ::cudaDeviceGetAttribute(&warp, cudaDevAttrWarpSize, device);
    cudaFuncAttributes attributes;
    if (status == cudaSuccess)
        status = ::cudaFuncGetAttributes(&attributes, (const void *)func);
    if (status != cudaSuccess)
        return status;
    most = attributes.maxThreadsPerBlock;
    if (blockSizeLimit > 0 && blockSizeLimit < most)
        most = blockSizeLimit;
    int bestBlocks = 0, best = 0;
    for (int top = (most + warp - 1) / warp * warp; top > 0; top -= warp) {
        const int size = top < most ? top : most;
        int blocks = 0;
        status = ::cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
            &blocks, (const void *)func, size, bytes(size), flags);
        if (status != cudaSuccess)
            return status;
        if (blocks * size > bestBlocks * best) {
            bestBlocks = blocks;
            best = size;
        }
    }
    *blockSize = best;
    *minGridSize = bestBlocks * cores;
    return cudaSuccess;
}
template <class Bytes, class T>
static __inline__ __host__ cudaError_t cudaOccupancyMaxPotentialBlockSizeVariableSMem(
    int *minGridSize, int *blockSize, T func, Bytes bytes, int blockSizeLimit = 0)
{
    return cudaOccupancyMaxPotentialBlockSizeVariableSMemWithFlags(minGridSize, blockSize, func,
                                                                   bytes, blockSizeLimit, 0);
}
/* The same bytes for every size. */
struct EvgpuSameBytes {
    size_t bytes;
    size_t operator()(int) const
    {
        return bytes;
    }
};
EVGPU_API cudaOccupancyMaxPotentialBlockSizeWithFlags(int *minGridSize, int *blockSize, T func,
                                                      size_t dynamicSMemSize = 0,
                                                      int blockSizeLimit = 0,
                                                      unsigned int flags = 0)
{
    const EvgpuSameBytes bytes = {dynamicSMemSize};
    return cudaOccupancyMaxPotentialBlockSizeVariableSMemWithFlags(minGridSize, blockSize, func,
                                                                   bytes, blockSizeLimit, flags);
}
EVGPU_API cudaOccupancyMaxPotentialBlockSize(int *minGridSize, int *blockSize, T func,
                                             size_t dynamicSMemSize = 0, int blockSizeLimit = 0)
{
    return cudaOccupancyMaxPotentialBlockSizeWithFlags(minGridSize, blockSize, func,
                                                       dynamicSMemSize, blockSizeLimit, 0);
}

#ifdef __CUDACC__
/* --- texture references ----------------------------------------------------------------------- */

#define EVGPU_TEX                                                                                  \
    template <class T, int dim, enum cudaTextureReadMode mode>                                     \
    static __inline__ __host__ __attribute__((unused)) cudaError_t

EVGPU_TEX cudaBindTexture(size_t *offset, const struct texture<T, dim, mode> &tex,
                          const void *devPtr, const struct cudaChannelFormatDesc &desc,
                          size_t size = UINT_MAX)
{
    return ::cudaBindTexture(offset, &tex, devPtr, &desc, size);
}
EVGPU_TEX cudaBindTexture(size_t *offset, const struct texture<T, dim, mode> &tex,
                          const void *devPtr, size_t size = UINT_MAX)
{
    return ::cudaBindTexture(offset, &tex, devPtr, &tex.channelDesc, size);
}
EVGPU_TEX cudaBindTexture2D(size_t *offset, const struct texture<T, dim, mode> &tex,
                            const void *devPtr, const struct cudaChannelFormatDesc &desc,
                            size_t width, size_t height, size_t pitch)
{
    return ::cudaBindTexture2D(offset, &tex, devPtr, &desc, width, height, pitch);
}
EVGPU_TEX cudaBindTexture2D(size_t *offset, const struct texture<T, dim, mode> &tex,
                            const void *devPtr, size_t width, size_t height, size_t pitch)
{
    return ::cudaBindTexture2D(offset, &tex, devPtr, &tex.channelDesc, width, height, pitch);
}
EVGPU_TEX cudaBindTextureToArray(const struct texture<T, dim, mode> &tex, cudaArray_const_t array,
                                 const struct cudaChannelFormatDesc &desc)
{
    return ::cudaBindTextureToArray(&tex, array, &desc);
}
template <class T, int dim>
static inline __host__ cudaError_t cudaBindSurfaceToArray(const struct surface<T, dim> &surf,
                                                          cudaArray_const_t array,
                                                          const struct cudaChannelFormatDesc &desc)
{
    return ::cudaBindSurfaceToArray(&surf, array, &desc);
}
template <class T, int dim>
static inline __host__ cudaError_t cudaBindSurfaceToArray(const struct surface<T, dim> &surf,
                                                          cudaArray_const_t array)
{
    struct cudaChannelFormatDesc desc;
    cudaError_t status = cudaGetChannelDesc(&desc, array);
    return status == cudaSuccess ? ::cudaBindSurfaceToArray(&surf, array, &desc) : status;
}
EVGPU_TEX cudaBindTextureToArray(const struct texture<T, dim, mode> &tex, cudaArray_const_t array)
{
    struct cudaChannelFormatDesc desc;
    const cudaError_t status = ::cudaGetChannelDesc(&desc, array);
    return status == cudaSuccess ? ::cudaBindTextureToArray(&tex, array, &desc) : status;
}
EVGPU_TEX cudaUnbindTexture(const struct texture<T, dim, mode> &tex)
{
    return ::cudaUnbindTexture(&tex);
}
EVGPU_TEX cudaGetTextureAlignmentOffset(size_t *offset, const struct texture<T, dim, mode> &tex)
{
    return ::cudaGetTextureAlignmentOffset(offset, &tex);
}
#undef EVGPU_TEX
#endif

#undef EVGPU_API

#endif
