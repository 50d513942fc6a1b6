/* Memory pools: who has how much. The memory itself comes from the device and goes back to it. */
#include <pthread.h>
#include <stdlib.h>

#include "sw/cuda/runtime/pool.h"

struct CUmemPoolHandle_st {
    int reuse[3];
    uint64_t threshold, used, most;
    bool created; /* by the program; the device has the other one */
    struct CUmemPoolHandle_st *next;
};

struct piece {
    uint64_t address, bytes;
    cudaMemPool_t pool;
    struct piece *next;
};

static struct {
    pthread_mutex_t lock;
    struct CUmemPoolHandle_st own; /* the device's default */
    cudaMemPool_t current;         /* NULL: the default */
    cudaMemPool_t created;
    struct piece *pieces;
} pools = {.lock = PTHREAD_MUTEX_INITIALIZER, .own = {.reuse = {1, 1, 1}}};

static bool valid(cudaMemPool_t pool)
{
    cudaMemPool_t p = pools.created;
    while (p && p != pool)
        p = p->next;
    return p || pool == &pools.own;
}

static CUresult take(uint64_t address, uint64_t bytes, cudaMemPool_t pool)
{
    struct piece *piece = malloc(sizeof *piece);
    if (!piece)
        return CUDA_ERROR_OUT_OF_MEMORY;
    pthread_mutex_lock(&pools.lock);
    if (!pool)
        pool = pools.current ? pools.current : &pools.own;
    *piece = (struct piece){address, bytes, pool, pools.pieces};
    pools.pieces = piece;
    pool->used += bytes;
    if (pool->used > pool->most)
        pool->most = pool->used;
    pthread_mutex_unlock(&pools.lock);
    return CUDA_SUCCESS;
}

void rt_pool_freed(uint64_t address)
{
    pthread_mutex_lock(&pools.lock);
    for (struct piece **p = &pools.pieces; *p; p = &(*p)->next) {
        if ((*p)->address != address)
            continue;
        struct piece *old = *p;
        old->pool->used -= old->bytes;
        *p = old->next;
        free(old);
        break;
    }
    pthread_mutex_unlock(&pools.lock);
}

/* pool: NULL for the current one. */
static CUresult allocate(void **ptr, size_t size, cudaMemPool_t pool, cudaStream_t stream)
{
    uint64_t address = 0;
    CUresult status = evc_stream_info(RT_STREAM(stream), NULL, NULL);
    *ptr = NULL;
    if (status || !size || rt_graph_captures_malloc(ptr, size, stream, &status))
        return status;
    status = evc_alloc(size, WIRE_DEVICE, 0, &address);
    if (!status)
        status = take(address, size, pool);
    if (!status)
        *ptr = (void *)(uintptr_t)address;
    return status;
}

cudaError_t cudaMallocAsync(void **devPtr, size_t size, cudaStream_t hStream)
{
    RT_CHECK(devPtr, cudaErrorInvalidValue);
    return rt_done(allocate(devPtr, size, NULL, hStream));
}

cudaError_t cudaMallocFromPoolAsync(void **ptr, size_t size, cudaMemPool_t memPool,
                                    cudaStream_t stream)
{
    RT_CHECK(ptr && valid(memPool), cudaErrorInvalidValue);
    return rt_done(allocate(ptr, size, memPool, stream));
}

/* --- pools ------------------------------------------------------------------------------------ */

cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t *memPool, int device)
{
    RT_CHECK(memPool, cudaErrorInvalidValue);
    RT_CHECK(!device, cudaErrorInvalidDevice);
    *memPool = &pools.own;
    return rt_done(CUDA_SUCCESS);
}

cudaError_t cudaDeviceGetMemPool(cudaMemPool_t *memPool, int device)
{
    RT_CHECK(memPool, cudaErrorInvalidValue);
    RT_CHECK(!device, cudaErrorInvalidDevice);
    *memPool = pools.current ? pools.current : &pools.own;
    return rt_done(CUDA_SUCCESS);
}

cudaError_t cudaDeviceSetMemPool(int device, cudaMemPool_t memPool)
{
    RT_CHECK(!device, cudaErrorInvalidDevice);
    RT_CHECK(valid(memPool), cudaErrorInvalidValue);
    pools.current = memPool;
    return rt_done(CUDA_SUCCESS);
}

cudaError_t cudaMemPoolCreate(cudaMemPool_t *memPool, const struct cudaMemPoolProps *poolProps)
{
    RT_CHECK(memPool && poolProps && poolProps->allocType == cudaMemAllocationTypePinned &&
                 poolProps->location.type == cudaMemLocationTypeDevice,
             cudaErrorInvalidValue);
    RT_CHECK(!poolProps->location.id, cudaErrorInvalidDevice);
    RT_CHECK(poolProps->handleTypes == cudaMemHandleTypeNone, cudaErrorNotSupported);
    cudaMemPool_t pool = calloc(1, sizeof *pool);
    RT_CHECK(pool, cudaErrorMemoryAllocation);
    *pool = (struct CUmemPoolHandle_st){.reuse = {1, 1, 1}, .created = true, .next = pools.created};
    pthread_mutex_lock(&pools.lock);
    pool->next = pools.created;
    pools.created = pool;
    pthread_mutex_unlock(&pools.lock);
    *memPool = pool;
    return rt_done(CUDA_SUCCESS);
}

cudaError_t cudaMemPoolDestroy(cudaMemPool_t memPool)
{
    RT_CHECK(valid(memPool) && memPool->created, cudaErrorInvalidValue);
    pthread_mutex_lock(&pools.lock);
    for (struct piece *p = pools.pieces; p; p = p->next) {
        if (p->pool == memPool) {
            p->pool = &pools.own;
            pools.own.used += p->bytes;
        }
    }
    for (cudaMemPool_t *p = &pools.created; *p; p = &(*p)->next) {
        if (*p == memPool) {
            *p = memPool->next;
            break;
        }
    }
    if (pools.current == memPool)
        pools.current = NULL;
    pthread_mutex_unlock(&pools.lock);
    free(memPool);
    return rt_done(CUDA_SUCCESS);
}

cudaError_t cudaMemPoolTrimTo(cudaMemPool_t memPool, size_t minBytesToKeep)
{
    (void)minBytesToKeep; /* nothing is in reserve */
    RT_CHECK(valid(memPool), cudaErrorInvalidValue);
    return rt_done(CUDA_SUCCESS);
}

cudaError_t cudaMemPoolGetAttribute(cudaMemPool_t memPool, enum cudaMemPoolAttr attr, void *value)
{
    RT_CHECK(valid(memPool) && value, cudaErrorInvalidValue);
    RT_CHECK(attr >= cudaMemPoolReuseFollowEventDependencies && attr <= cudaMemPoolAttrUsedMemHigh,
             cudaErrorInvalidValue);
    if (attr < cudaMemPoolAttrReleaseThreshold) {
        *(int *)value = memPool->reuse[attr - 1];
        return rt_done(CUDA_SUCCESS);
    }
    bool most = attr == cudaMemPoolAttrReservedMemHigh || attr == cudaMemPoolAttrUsedMemHigh;
    *(uint64_t *)value = attr == cudaMemPoolAttrReleaseThreshold ? memPool->threshold
                         : most                                  ? memPool->most
                                                                 : memPool->used;
    return rt_done(CUDA_SUCCESS);
}

/* Of what is counted, the highest values can be set to 0, to count anew. */
cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t memPool, enum cudaMemPoolAttr attr, void *value)
{
    RT_CHECK(valid(memPool) && value, cudaErrorInvalidValue);
    if (attr >= cudaMemPoolReuseFollowEventDependencies && attr < cudaMemPoolAttrReleaseThreshold) {
        memPool->reuse[attr - 1] = *(int *)value;
        return rt_done(CUDA_SUCCESS);
    }
    if (attr == cudaMemPoolAttrReleaseThreshold) {
        memPool->threshold = *(uint64_t *)value;
        return rt_done(CUDA_SUCCESS);
    }
    RT_CHECK((attr == cudaMemPoolAttrReservedMemHigh || attr == cudaMemPoolAttrUsedMemHigh) &&
                 !*(uint64_t *)value,
             cudaErrorInvalidValue);
    memPool->most = memPool->used;
    return rt_done(CUDA_SUCCESS);
}

cudaError_t cudaMemPoolSetAccess(cudaMemPool_t memPool, const struct cudaMemAccessDesc *descList,
                                 size_t count)
{
    RT_CHECK(valid(memPool) && (!count || descList), cudaErrorInvalidValue);
    for (size_t i = 0; i < count; i++) {
        RT_CHECK(!descList[i].location.id, cudaErrorInvalidDevice);
        RT_CHECK(descList[i].flags == cudaMemAccessFlagsProtReadWrite, cudaErrorInvalidValue);
    }
    return rt_done(CUDA_SUCCESS);
}

cudaError_t cudaMemPoolGetAccess(enum cudaMemAccessFlags *flags, cudaMemPool_t memPool,
                                 struct cudaMemLocation *location)
{
    RT_CHECK(valid(memPool) && flags && location, cudaErrorInvalidValue);
    RT_CHECK(!location->id, cudaErrorInvalidDevice);
    *flags = cudaMemAccessFlagsProtReadWrite;
    return rt_done(CUDA_SUCCESS);
}
