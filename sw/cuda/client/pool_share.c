/* Memory pools that other processes import. The memory has the same address in each; what a process
 * imports is a note that it may free, and the memory stays the exporting process's. */
#include <stdatomic.h>
#include <string.h>
#include <unistd.h>

#include "sw/cuda/client/pool.h"

#define POOL_MAGIC  0x6c6f6f7075677665u
#define PIECE_MAGIC 0x6365697075677665u

struct exported {
    uint64_t magic, simulator;
    uint64_t process, number; /* of the pool */
    uint64_t address, bytes;
};
_Static_assert(sizeof(struct exported) <= sizeof(CUmemPoolPtrExportData), "the data have room");

static CUresult check_type(unsigned int type)
{
    if (type != CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR)
        return evc_explain(CUDA_ERROR_NOT_SUPPORTED,
                           "a memory pool with handles of type %u: pools leave a process as POSIX "
                           "file descriptors (type 1) or not at all",
                           type);
    return CUDA_SUCCESS;
}

CUresult evc_pool_create_shared(CUmemoryPool *pool, unsigned int types)
{
    static atomic_uint_fast64_t last;
    CUresult status = check_type(types);
    if (status)
        return status;
    return evc_pool_create(pool, &(struct evc_pool_origin){(uint64_t)getpid(), ++last, false});
}

CUresult evc_pool_export(CUmemoryPool pool, unsigned int type, int *file)
{
    const struct evc_pool_origin origin = evc_pool_origin(pool);
    CUresult status = check_type(type);
    if (status)
        return status;
    if (!origin.process || origin.imported)
        return evc_explain(CUDA_ERROR_INVALID_VALUE, "export of a memory pool that %s",
                           origin.imported ? "is of another process"
                                           : "was created without a type of handles");
    if (!evc_device())
        return CUDA_ERROR_DEVICE_UNAVAILABLE;
    *file = evc_share(POOL_MAGIC, origin.number);
    return *file < 0 ? CUDA_ERROR_OPERATING_SYSTEM : CUDA_SUCCESS;
}

CUresult evc_pool_import(int file, unsigned int type, CUmemoryPool *pool)
{
    struct evc_shared shared = {.magic = POOL_MAGIC};
    CUresult status = check_type(type);
    if (!status)
        status = evc_shared(file, &shared, "import of a memory pool",
                            "cudaMemPoolExportToShareableHandle");
    if (status)
        return status;
    return evc_pool_create(pool, &(struct evc_pool_origin){shared.process, shared.what, true});
}

CUresult evc_pool_export_pointer(uint64_t address, CUmemPoolPtrExportData *data)
{
    uint64_t bytes;
    CUmemoryPool pool = evc_pool_of_own(address, &bytes);
    const struct evc_pool_origin origin =
        pool ? evc_pool_origin(pool) : (struct evc_pool_origin){.process = 0};
    if (!origin.process)
        return evc_explain(CUDA_ERROR_INVALID_VALUE,
                           "export of 0x%llx: no memory begins there that this process has from a "
                           "pool with a type of handles",
                           (unsigned long long)address);
    const struct exported e = {PIECE_MAGIC,   evc_simulator(), origin.process,
                               origin.number, address,         bytes};
    memset(data, 0, sizeof *data);
    memcpy(data, &e, sizeof e);
    return CUDA_SUCCESS;
}

CUresult evc_pool_import_pointer(CUmemoryPool pool, const CUmemPoolPtrExportData *data,
                                 uint64_t *address)
{
    const struct evc_pool_origin origin = evc_pool_origin(pool);
    struct exported e;
    struct evc_pointer info;
    memcpy(&e, data, sizeof e);
    if (e.magic != PIECE_MAGIC)
        return evc_explain(CUDA_ERROR_INVALID_VALUE,
                           "import of memory: the data are not of cudaMemPoolExportPointer");
    if (!origin.imported || e.simulator != evc_simulator() || e.process != origin.process ||
        e.number != origin.number)
        return evc_explain(CUDA_ERROR_INVALID_VALUE,
                           "import of 0x%llx: the memory is not of the pool that this one was "
                           "imported from",
                           (unsigned long long)e.address);
    CUresult status = evc_pointer((void *)(uintptr_t)e.address, &info);
    if (status)
        return status;
    if (info.base != e.address || info.bytes != e.bytes)
        return evc_explain(CUDA_ERROR_INVALID_VALUE, "import of 0x%llx: the memory has been freed",
                           (unsigned long long)e.address);
    status = evc_pool_add(e.address, e.bytes, pool);
    if (!status)
        *address = e.address;
    return status;
}
