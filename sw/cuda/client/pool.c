/* Memory pools: who has how much. */
#include "sw/cuda/client/pool.h"

#include <pthread.h>
#include <stdlib.h>

#include "sw/cuda/client/graph.h"

enum {
    RULES = CU_MEMPOOL_ATTR_RELEASE_THRESHOLD - CU_MEMPOOL_ATTR_REUSE_FOLLOW_EVENT_DEPENDENCIES
};

struct CUmemPoolHandle_st {
    struct evc_pool_origin origin;
    int reuse[RULES];
    uint64_t threshold, used, most;
    CUmemoryPool next;
};

struct piece {
    uint64_t address, bytes;
    CUmemoryPool pool; /* NULL: an imported one that is no more */
    bool imported;     /* the memory is another process's */
    struct piece *next;
};

static struct {
    pthread_mutex_t lock;
    struct CUmemPoolHandle_st own; /* the device's */
    CUmemoryPool current;          /* NULL: its own */
    CUmemoryPool created;
    struct piece *pieces;
} pools = {.lock = PTHREAD_MUTEX_INITIALIZER, .own = {.reuse = {1, 1, 1}}};

CUmemoryPool evc_pool_default(void)
{
    return &pools.own;
}

CUmemoryPool evc_pool_current(void)
{
    return pools.current ? pools.current : &pools.own;
}

bool evc_pool_valid(CUmemoryPool pool)
{
    pthread_mutex_lock(&pools.lock);
    CUmemoryPool p = pools.created;
    while (p && p != pool)
        p = p->next;
    pthread_mutex_unlock(&pools.lock);
    return p || pool == &pools.own;
}

/* CUDA_SUCCESS if the pool has memory to give. */
static CUresult gives_memory(CUmemoryPool pool)
{
    if (pool && pool->origin.imported)
        return evc_explain(CUDA_ERROR_INVALID_VALUE,
                           "the pool is of another process, and memory is allocated there alone");
    return CUDA_SUCCESS;
}

CUresult evc_pool_make_current(CUmemoryPool pool)
{
    CUresult status = gives_memory(pool);
    if (status)
        return status;
    pthread_mutex_lock(&pools.lock);
    pools.current = pool;
    pthread_mutex_unlock(&pools.lock);
    return CUDA_SUCCESS;
}

struct evc_pool_origin evc_pool_origin(CUmemoryPool pool)
{
    return pool->origin;
}

CUresult evc_pool_create(CUmemoryPool *pool, const struct evc_pool_origin *origin)
{
    CUmemoryPool made = malloc(sizeof *made);
    if (!made)
        return CUDA_ERROR_OUT_OF_MEMORY;
    pthread_mutex_lock(&pools.lock);
    *made = (struct CUmemPoolHandle_st){.reuse = {1, 1, 1}, .next = pools.created};
    if (origin)
        made->origin = *origin;
    pools.created = made;
    pthread_mutex_unlock(&pools.lock);
    *pool = made;
    return CUDA_SUCCESS;
}

/* With the lock held. */
static void leave_pieces(CUmemoryPool pool, CUmemoryPool heir)
{
    for (struct piece *p = pools.pieces; p; p = p->next)
        if (p->pool == pool)
            p->pool = heir;
    if (!heir)
        return;
    heir->used += pool->used;
    if (heir->used > heir->most)
        heir->most = heir->used;
}

CUresult evc_pool_destroy(CUmemoryPool pool)
{
    pthread_mutex_lock(&pools.lock);
    CUmemoryPool *place = &pools.created;
    while (*place && *place != pool)
        place = &(*place)->next;
    CUmemoryPool gone = *place;
    if (gone) {
        *place = gone->next;
        leave_pieces(gone, gone->origin.imported ? NULL : &pools.own);
        if (pools.current == gone)
            pools.current = NULL;
    }
    pthread_mutex_unlock(&pools.lock);
    free(gone);
    return gone ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

CUresult evc_pool_get(CUmemoryPool pool, CUmemPool_attribute attribute, void *value)
{
    switch (attribute) {
    case CU_MEMPOOL_ATTR_REUSE_FOLLOW_EVENT_DEPENDENCIES:
    case CU_MEMPOOL_ATTR_REUSE_ALLOW_OPPORTUNISTIC:
    case CU_MEMPOOL_ATTR_REUSE_ALLOW_INTERNAL_DEPENDENCIES:
        *(int *)value = pool->reuse[attribute - CU_MEMPOOL_ATTR_REUSE_FOLLOW_EVENT_DEPENDENCIES];
        return CUDA_SUCCESS;
    case CU_MEMPOOL_ATTR_RELEASE_THRESHOLD:
        *(uint64_t *)value = pool->threshold;
        return CUDA_SUCCESS;
    case CU_MEMPOOL_ATTR_RESERVED_MEM_CURRENT:
    case CU_MEMPOOL_ATTR_USED_MEM_CURRENT:
        *(uint64_t *)value = pool->used;
        return CUDA_SUCCESS;
    case CU_MEMPOOL_ATTR_RESERVED_MEM_HIGH:
    case CU_MEMPOOL_ATTR_USED_MEM_HIGH:
        *(uint64_t *)value = pool->most;
        return CUDA_SUCCESS;
    }
    return CUDA_ERROR_INVALID_VALUE;
}

CUresult evc_pool_set(CUmemoryPool pool, CUmemPool_attribute attribute, const void *value)
{
    switch (attribute) {
    case CU_MEMPOOL_ATTR_REUSE_FOLLOW_EVENT_DEPENDENCIES:
    case CU_MEMPOOL_ATTR_REUSE_ALLOW_OPPORTUNISTIC:
    case CU_MEMPOOL_ATTR_REUSE_ALLOW_INTERNAL_DEPENDENCIES:
        pool->reuse[attribute - CU_MEMPOOL_ATTR_REUSE_FOLLOW_EVENT_DEPENDENCIES] =
            *(const int *)value;
        return CUDA_SUCCESS;
    case CU_MEMPOOL_ATTR_RELEASE_THRESHOLD:
        pool->threshold = *(const uint64_t *)value;
        return CUDA_SUCCESS;
    case CU_MEMPOOL_ATTR_RESERVED_MEM_HIGH:
    case CU_MEMPOOL_ATTR_USED_MEM_HIGH:
        if (*(const uint64_t *)value)
            return CUDA_ERROR_INVALID_VALUE;
        pool->most = pool->used;
        return CUDA_SUCCESS;
    default:
        return CUDA_ERROR_INVALID_VALUE;
    }
}

/* --- memory ----------------------------------------------------------------------------------- */

CUresult evc_pool_add(uint64_t address, uint64_t bytes, CUmemoryPool pool)
{
    struct piece *piece = malloc(sizeof *piece);
    if (!piece)
        return CUDA_ERROR_OUT_OF_MEMORY;
    pthread_mutex_lock(&pools.lock);
    if (!pool)
        pool = evc_pool_current();
    *piece = (struct piece){address, bytes, pool, pool->origin.imported, pools.pieces};
    pools.pieces = piece;
    pool->used += bytes;
    if (pool->used > pool->most)
        pool->most = pool->used;
    pthread_mutex_unlock(&pools.lock);
    return CUDA_SUCCESS;
}

/* Forgets the latest piece there. Whether it was another process's. */
static bool give_back(uint64_t address)
{
    bool imported = false;
    pthread_mutex_lock(&pools.lock);
    struct piece **place = &pools.pieces;
    while (*place && (*place)->address != address)
        place = &(*place)->next;
    struct piece *gone = *place;
    if (gone) {
        if (gone->pool)
            gone->pool->used -= gone->bytes;
        imported = gone->imported;
        *place = gone->next;
    }
    pthread_mutex_unlock(&pools.lock);
    free(gone);
    return imported;
}

/* With the lock held. */
static const struct piece *find_own(uint64_t address)
{
    const struct piece *p = pools.pieces;
    while (p && (p->imported || p->address != address))
        p = p->next;
    return p;
}

CUmemoryPool evc_pool_of_own(uint64_t address, uint64_t *bytes)
{
    pthread_mutex_lock(&pools.lock);
    const struct piece *p = find_own(address);
    CUmemoryPool pool = p ? p->pool : NULL;
    *bytes = p ? p->bytes : 0;
    pthread_mutex_unlock(&pools.lock);
    return pool;
}

CUmemoryPool evc_pool_of(uint64_t address)
{
    pthread_mutex_lock(&pools.lock);
    const struct piece *p = pools.pieces;
    while (p && p->address != address)
        p = p->next;
    CUmemoryPool pool = p ? p->pool : NULL;
    pthread_mutex_unlock(&pools.lock);
    return pool;
}

static CUresult alloc_captured(uint64_t bytes, CUstream stream, uint64_t *address)
{
    struct evc_command command = {.type = CU_GRAPH_NODE_TYPE_MEM_ALLOC, .bytes = bytes};
    CUresult status = evc_graph_memory_make(bytes, &command.address);
    if (status)
        return status;
    if (!evc_capture(stream, &command, &status))
        status = CUDA_ERROR_ILLEGAL_STATE; /* another thread has ended it */
    if (status)
        evc_graph_memory_drop(command.address);
    else
        *address = command.address;
    return status;
}

CUresult evc_pool_alloc(uint64_t bytes, CUstream stream, CUmemoryPool pool, uint64_t *address)
{
    CUresult status = evc_stream_info(stream, NULL, NULL);
    *address = 0;
    if (!status)
        status = gives_memory(pool);
    if (status || !bytes)
        return status;
    if (evc_capturing(stream))
        return alloc_captured(bytes, stream, address);
    status = evc_alloc(bytes, WIRE_DEVICE, 0, address);
    if (!status && (status = evc_pool_add(*address, bytes, pool))) {
        evc_free(*address, WIRE_DEVICE);
        *address = 0;
    }
    return status;
}

CUresult evc_pool_free(uint64_t address, CUstream stream)
{
    struct evc_command command = {.type = CU_GRAPH_NODE_TYPE_MEM_FREE, .address = address};
    CUresult status = evc_stream_info(stream, NULL, NULL);
    if (status || !address || evc_capture(stream, &command, &status))
        return status;
    return evc_memory_free(address);
}

CUresult evc_memory_free(uint64_t address)
{
    struct evc_pointer info;
    CUresult status = evc_pointer((void *)(uintptr_t)address, &info);
    if (status || evc_graph_memory_free(address, &status))
        return status;
    if (give_back(address)) /* when nothing of this process uses it any more */
        return evc_device_sync();
    evc_owner_forget(address);
    if (info.kind == WIRE_MANAGED)
        return evc_managed_free(address);
    return evc_free(address, info.kind == WIRE_FULL_EMPTY ? WIRE_FULL_EMPTY : WIRE_DEVICE);
}
