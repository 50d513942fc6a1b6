/* Memory in stream order and its pools, of both interfaces. Memory is a pool's from the call on,
 * and goes back to the device at the call that frees it: a pool keeps none in reserve, and counts
 * who has how much. */
#ifndef EVGPU_CUDA_CLIENT_POOL_H
#define EVGPU_CUDA_CLIENT_POOL_H

#include "sw/cuda/client/core.h"

/* Of a pool that leaves its process: the process that has created it, and its number there. */
struct evc_pool_origin {
    uint64_t process, number; /* 0: it stays */
    bool imported;            /* the pool is another one's here, and gives no memory */
};

/* The device's own pool, and the one that it takes memory from at present. */
CUmemoryPool evc_pool_default(void);
CUmemoryPool evc_pool_current(void);
bool evc_pool_valid(CUmemoryPool pool);
CUresult evc_pool_make_current(CUmemoryPool pool);

CUresult evc_pool_create(CUmemoryPool *pool, const struct evc_pool_origin *origin);
struct evc_pool_origin evc_pool_origin(CUmemoryPool pool);
/* Its memory stays until it is freed, and counts as the default pool's, which cannot be destroyed;
 * memory of an imported pool counts no more. */
CUresult evc_pool_destroy(CUmemoryPool pool);
/* *value: int for the rules of reuse, else 64-bit numbers of bytes. */
CUresult evc_pool_get(CUmemoryPool pool, CUmemPool_attribute attribute, void *value);
/* Of what is counted, the highest values can be set to 0, to count anew. */
CUresult evc_pool_set(CUmemoryPool pool, CUmemPool_attribute attribute, const void *value);

/* pool: NULL for the current one. A stream that captures gets a node instead. Of 0 bytes: address
 * 0. */
CUresult evc_pool_alloc(uint64_t bytes, CUstream stream, CUmemoryPool pool, uint64_t *address);
CUresult evc_pool_free(uint64_t address, CUstream stream);

/* That of an allocation, or NULL. */
CUmemoryPool evc_pool_of(uint64_t address);

/* Notes memory as the pool's; of an imported pool it is another process's. */
CUresult evc_pool_add(uint64_t address, uint64_t bytes, CUmemoryPool pool);
/* The pool of memory that this process has allocated itself, and its size, or NULL. */
CUmemoryPool evc_pool_of_own(uint64_t address, uint64_t *bytes);

/* Frees what a program has got as memory of the device, of a pool or not: managed memory and that
 * of graphs, too. */
CUresult evc_memory_free(uint64_t address);

/* --- pool_share.c: pools for other processes ----------------------------------------------------
 */

/* types: of the handles by which it leaves the process. */
CUresult evc_pool_create_shared(CUmemoryPool *pool, unsigned int types);
CUresult evc_pool_export(CUmemoryPool pool, unsigned int type, int *file);
CUresult evc_pool_import(int file, unsigned int type, CUmemoryPool *pool);
CUresult evc_pool_export_pointer(uint64_t address, CUmemPoolPtrExportData *data);
CUresult evc_pool_import_pointer(CUmemoryPool pool, const CUmemPoolPtrExportData *data,
                                 uint64_t *address);

#endif
