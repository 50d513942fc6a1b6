/* How many blocks of a kernel a multiprocessor holds, computed on the host from numbers alone, as
 * CUDA's header of this name does: a device's properties and a kernel's attributes go in. The
 * machine's own answer, which also knows its limit of blocks, is
 * cudaOccupancyMaxActiveBlocksPerMultiprocessor. */
#ifndef EVGPU_SW_CUDA_OCCUPANCY_H
#define EVGPU_SW_CUDA_OCCUPANCY_H

#include <limits.h>
#include <stddef.h>

#ifdef __cplusplus
#define EVGPU_OCC static inline
#else
#define EVGPU_OCC static __inline__ __attribute__((unused))
#endif

typedef enum cudaOccError_enum {
    CUDA_OCC_SUCCESS = 0,
    CUDA_OCC_ERROR_INVALID_INPUT = 1,
    CUDA_OCC_ERROR_UNKNOWN_DEVICE = 2
} cudaOccError;

/* Bits of `limitingFactors`. */
typedef enum cudaOccLimitingFactors_enum {
    OCC_LIMIT_WARPS = 0x01,
    OCC_LIMIT_REGISTERS = 0x02,
    OCC_LIMIT_SHARED_MEMORY = 0x04,
    OCC_LIMIT_BLOCKS = 0x08,
    OCC_LIMIT_BARRIERS = 0x10
} cudaOccLimitingFactors;

typedef enum cudaOccCacheConfig_enum {
    CACHE_PREFER_NONE = 0,
    CACHE_PREFER_SHARED = 1,
    CACHE_PREFER_L1 = 2,
    CACHE_PREFER_EQUAL = 3
} cudaOccCacheConfig;

typedef enum cudaOccPartitionedGCConfig_enum {
    PARTITIONED_GC_OFF = 0,
    PARTITIONED_GC_ON = 1,
    PARTITIONED_GC_ON_STRICT = 2
} cudaOccPartitionedGCConfig;

typedef enum cudaOccFuncShmemConfig_enum {
    FUNC_SHMEM_LIMIT_DEFAULT = 0,
    FUNC_SHMEM_LIMIT_OPTIN = 1
} cudaOccFuncShmemConfig;

struct cudaOccDeviceProp {
    int computeMajor, computeMinor;
    int maxThreadsPerBlock, maxThreadsPerMultiprocessor;
    int regsPerBlock, regsPerMultiprocessor;
    int warpSize;
    size_t sharedMemPerBlock, sharedMemPerMultiprocessor;
    int numSms;
    size_t sharedMemPerBlockOptin, reservedSharedMemPerBlock;

#ifdef __cplusplus
    cudaOccDeviceProp()
        : computeMajor(0), computeMinor(0), maxThreadsPerBlock(0), maxThreadsPerMultiprocessor(0),
          regsPerBlock(0), regsPerMultiprocessor(0), warpSize(0), sharedMemPerBlock(0),
          sharedMemPerMultiprocessor(0), numSms(0), sharedMemPerBlockOptin(0),
          reservedSharedMemPerBlock(0)
    {
    }
    /* Of a struct cudaDeviceProp. */
    template <class Properties>
    cudaOccDeviceProp(const Properties &p)
        : computeMajor(p.major), computeMinor(p.minor), maxThreadsPerBlock(p.maxThreadsPerBlock),
          maxThreadsPerMultiprocessor(p.maxThreadsPerMultiProcessor), regsPerBlock(p.regsPerBlock),
          regsPerMultiprocessor(p.regsPerMultiprocessor), warpSize(p.warpSize),
          sharedMemPerBlock(p.sharedMemPerBlock),
          sharedMemPerMultiprocessor(p.sharedMemPerMultiprocessor), numSms(p.multiProcessorCount),
          sharedMemPerBlockOptin(p.sharedMemPerBlockOptin),
          reservedSharedMemPerBlock(p.reservedSharedMemPerBlock)
    {
    }
#endif
};

struct cudaOccFuncAttributes {
    int maxThreadsPerBlock, numRegs;
    size_t sharedSizeBytes;
    cudaOccPartitionedGCConfig partitionedGCConfig; /* of no meaning here */
    cudaOccFuncShmemConfig shmemLimitConfig;
    size_t maxDynamicSharedSizeBytes;

#ifdef __cplusplus
    cudaOccFuncAttributes()
        : maxThreadsPerBlock(0), numRegs(0), sharedSizeBytes(0),
          partitionedGCConfig(PARTITIONED_GC_OFF), shmemLimitConfig(FUNC_SHMEM_LIMIT_DEFAULT),
          maxDynamicSharedSizeBytes(0)
    {
    }
    /* Of a struct cudaFuncAttributes. */
    template <class Attributes>
    cudaOccFuncAttributes(const Attributes &a)
        : maxThreadsPerBlock(a.maxThreadsPerBlock), numRegs(a.numRegs),
          sharedSizeBytes(a.sharedSizeBytes), partitionedGCConfig(PARTITIONED_GC_OFF),
          shmemLimitConfig(FUNC_SHMEM_LIMIT_OPTIN),
          maxDynamicSharedSizeBytes((size_t)a.maxDynamicSharedSizeBytes)
    {
    }
#endif
};

struct cudaOccDeviceState {
    cudaOccCacheConfig cacheConfig; /* preferences, which change nothing here */
    int carveoutConfig;

#ifdef __cplusplus
    cudaOccDeviceState() : cacheConfig(CACHE_PREFER_NONE), carveoutConfig(-1)
    {
    }
#endif
};

typedef struct cudaOccResult_st {
    int activeBlocksPerMultiprocessor;
    unsigned int limitingFactors; /* OCC_LIMIT_... */
    int blockLimitRegs, blockLimitSharedMem, blockLimitWarps, blockLimitBlocks, blockLimitBarriers;
    int allocatedRegistersPerBlock;
    size_t allocatedSharedMemPerBlock;
    cudaOccPartitionedGCConfig partitionedGCConfig;
} cudaOccResult;

typedef struct cudaOccDeviceProp cudaOccDeviceProp_t;
typedef struct cudaOccFuncAttributes cudaOccFuncAttributes_t;
typedef struct cudaOccDeviceState cudaOccDeviceState_t;

EVGPU_OCC int evgpu_occ_least(int a, int b)
{
    return a < b ? a : b;
}

/* Register files give whole warps their registers; there are as many blocks as warps at most. */
EVGPU_OCC cudaOccError cudaOccMaxActiveBlocksPerMultiprocessor(
    cudaOccResult *result, const struct cudaOccDeviceProp *properties,
    const struct cudaOccFuncAttributes *attributes, const struct cudaOccDeviceState *state,
    int blockSize, size_t dynamicSmemSize)
{
    int warps, registers, blocks;
    size_t shared, room;
    if (!result || !properties || !attributes || !state || blockSize <= 0 ||
        properties->warpSize <= 0 || properties->maxThreadsPerMultiprocessor <= 0)
        return CUDA_OCC_ERROR_INVALID_INPUT;
    warps = (blockSize + properties->warpSize - 1) / properties->warpSize;
    registers = warps * properties->warpSize * attributes->numRegs;
    shared = attributes->sharedSizeBytes + dynamicSmemSize + properties->reservedSharedMemPerBlock;
    room = attributes->shmemLimitConfig == FUNC_SHMEM_LIMIT_OPTIN &&
                   properties->sharedMemPerBlockOptin > properties->sharedMemPerBlock
               ? properties->sharedMemPerBlockOptin
               : properties->sharedMemPerBlock;
    result->allocatedRegistersPerBlock = registers;
    result->allocatedSharedMemPerBlock = shared;
    result->partitionedGCConfig = PARTITIONED_GC_OFF;
    result->blockLimitWarps =
        properties->maxThreadsPerMultiprocessor / properties->warpSize / warps;
    result->blockLimitBlocks = properties->maxThreadsPerMultiprocessor / properties->warpSize;
    result->blockLimitBarriers = INT_MAX;
    result->blockLimitRegs = !registers ? INT_MAX
                             : registers > properties->regsPerBlock
                                 ? 0
                                 : properties->regsPerMultiprocessor / registers;
    result->blockLimitSharedMem = !shared ? INT_MAX
                                  : shared - properties->reservedSharedMemPerBlock > room
                                      ? 0
                                      : (int)(properties->sharedMemPerMultiprocessor / shared);
    if (blockSize > attributes->maxThreadsPerBlock || blockSize > properties->maxThreadsPerBlock)
        result->blockLimitWarps = 0;
    blocks = evgpu_occ_least(evgpu_occ_least(result->blockLimitWarps, result->blockLimitBlocks),
                             evgpu_occ_least(result->blockLimitRegs, result->blockLimitSharedMem));
    result->activeBlocksPerMultiprocessor = blocks;
    result->limitingFactors =
        (unsigned int)((blocks == result->blockLimitWarps ? OCC_LIMIT_WARPS : 0) |
                       (blocks == result->blockLimitRegs ? OCC_LIMIT_REGISTERS : 0) |
                       (blocks == result->blockLimitSharedMem ? OCC_LIMIT_SHARED_MEMORY : 0) |
                       (blocks == result->blockLimitBlocks ? OCC_LIMIT_BLOCKS : 0));
    return CUDA_OCC_SUCCESS;
}

/* The largest dynamic shared memory with which so many blocks stay resident. */
EVGPU_OCC cudaOccError cudaOccAvailableDynamicSMemPerBlock(
    size_t *dynamicSmemSize, const struct cudaOccDeviceProp *properties,
    const struct cudaOccFuncAttributes *attributes, const struct cudaOccDeviceState *state,
    int numBlocks, int blockSize)
{
    size_t share, room;
    (void)blockSize;
    if (!dynamicSmemSize || !properties || !attributes || !state || numBlocks <= 0)
        return CUDA_OCC_ERROR_INVALID_INPUT;
    room = properties->sharedMemPerBlockOptin > properties->sharedMemPerBlock
               ? properties->sharedMemPerBlockOptin
               : properties->sharedMemPerBlock;
    share = properties->sharedMemPerMultiprocessor / (size_t)numBlocks;
    share = share < room ? share : room;
    *dynamicSmemSize =
        share > attributes->sharedSizeBytes ? share - attributes->sharedSizeBytes : 0;
    return CUDA_OCC_SUCCESS;
}

/* x / y, and x itself, up to the next whole number and multiple of y. */
EVGPU_OCC int __occDivideRoundUp(int x, int y)
{
    return (x + (y - 1)) / y;
}
EVGPU_OCC int __occRoundUp(int x, int y)
{
    return __occDivideRoundUp(x, y) * y;
}

/* Bytes in which a block gets shared memory, registers in which a warp gets them, and the most of
 * a thread. */
EVGPU_OCC cudaOccError cudaOccSMemAllocationGranularity(int *limit,
                                                        const struct cudaOccDeviceProp *properties)
{
    if (!limit || !properties)
        return CUDA_OCC_ERROR_INVALID_INPUT;
    *limit = 1;
    return CUDA_OCC_SUCCESS;
}
EVGPU_OCC cudaOccError cudaOccRegAllocationGranularity(int *limit,
                                                       const struct cudaOccDeviceProp *properties)
{
    if (!limit || !properties)
        return CUDA_OCC_ERROR_INVALID_INPUT;
    *limit = 4 * properties->warpSize;
    return CUDA_OCC_SUCCESS;
}
EVGPU_OCC cudaOccError cudaOccRegAllocationMaxPerThread(int *limit,
                                                        const struct cudaOccDeviceProp *properties)
{
    if (!limit || !properties)
        return CUDA_OCC_ERROR_INVALID_INPUT;
    *limit = 255;
    return CUDA_OCC_SUCCESS;
}

/* best: the size and number of blocks with the most threads so far; then `size` is tried. */
EVGPU_OCC cudaOccError evgpu_occ_try(int best[2], const struct cudaOccDeviceProp *properties,
                                     const struct cudaOccFuncAttributes *attributes,
                                     const struct cudaOccDeviceState *state, int size,
                                     size_t dynamic)
{
    cudaOccResult result;
    cudaOccError error = cudaOccMaxActiveBlocksPerMultiprocessor(&result, properties, attributes,
                                                                 state, size, dynamic);
    if (!error && result.activeBlocksPerMultiprocessor * size > best[0] * best[1]) {
        best[0] = size;
        best[1] = result.activeBlocksPerMultiprocessor;
    }
    return error;
}
EVGPU_OCC int evgpu_occ_first(const struct cudaOccDeviceProp *properties,
                              const struct cudaOccFuncAttributes *attributes)
{
    return evgpu_occ_least(attributes->maxThreadsPerBlock, properties->maxThreadsPerBlock);
}
EVGPU_OCC int evgpu_occ_next(const struct cudaOccDeviceProp *properties, int size)
{
    return (size - 1) / properties->warpSize * properties->warpSize;
}

/* The block size with the most threads resident; the largest of equals. */
EVGPU_OCC cudaOccError cudaOccMaxPotentialOccupancyBlockSize(
    int *minGridSize, int *blockSize, const struct cudaOccDeviceProp *properties,
    const struct cudaOccFuncAttributes *attributes, const struct cudaOccDeviceState *state,
    size_t (*blockSizeToDynamicSMemSize)(int), size_t dynamicSMemSize)
{
    int size, best[2] = {0, 0};
    if (!minGridSize || !blockSize || !properties || !attributes || !state ||
        properties->warpSize <= 0)
        return CUDA_OCC_ERROR_INVALID_INPUT;
    for (size = evgpu_occ_first(properties, attributes); size > 0;
         size = evgpu_occ_next(properties, size)) {
        cudaOccError error = evgpu_occ_try(
            best, properties, attributes, state, size,
            blockSizeToDynamicSMemSize ? blockSizeToDynamicSMemSize(size) : dynamicSMemSize);
        if (error)
            return error;
    }
    *blockSize = best[0];
    *minGridSize = best[1] * properties->numSms;
    return CUDA_OCC_SUCCESS;
}

#ifdef __cplusplus
/* Shared memory of one size, or what a function object says for a block size. */
static inline cudaOccError
cudaOccMaxPotentialOccupancyBlockSize(int *minGridSize, int *blockSize,
                                      const cudaOccDeviceProp *properties,
                                      const cudaOccFuncAttributes *attributes,
                                      const cudaOccDeviceState *state, size_t dynamicSMemSize = 0)
{
    return cudaOccMaxPotentialOccupancyBlockSize(minGridSize, blockSize, properties, attributes,
                                                 state, NULL, dynamicSMemSize);
}
template <class Function>
static inline cudaOccError cudaOccMaxPotentialOccupancyBlockSizeVariableSMem(
    int *minGridSize, int *blockSize, const cudaOccDeviceProp *properties,
    const cudaOccFuncAttributes *attributes, const cudaOccDeviceState *state,
    Function blockSizeToDynamicSMemSize)
{
    int best[2] = {0, 0};
    if (!minGridSize || !blockSize || !properties || !attributes || !state ||
        properties->warpSize <= 0)
        return CUDA_OCC_ERROR_INVALID_INPUT;
    for (int size = evgpu_occ_first(properties, attributes); size > 0;
         size = evgpu_occ_next(properties, size)) {
        cudaOccError error = evgpu_occ_try(best, properties, attributes, state, size,
                                           blockSizeToDynamicSMemSize(size));
        if (error)
            return error;
    }
    *blockSize = best[0];
    *minGridSize = best[1] * properties->numSms;
    return CUDA_OCC_SUCCESS;
}
#endif

#undef EVGPU_OCC
#endif
