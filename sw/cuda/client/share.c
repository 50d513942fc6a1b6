/* File descriptors that stand for something in other processes: small memory files, which say what
 * of which simulator they mean. A file says nothing of a life: what it means may be no more. */
#include <sys/mman.h>
#include <unistd.h>

#include "sw/cuda/client/core.h"

int evc_share(uint64_t magic, uint64_t what)
{
    const struct evc_shared shared = {magic, evc_simulator(), (uint64_t)getpid(), what};
    int file = memfd_create("evgpu memory", MFD_CLOEXEC);
    if (file >= 0 && write(file, &shared, sizeof shared) != (ssize_t)sizeof shared) {
        close(file);
        return -1;
    }
    return file;
}

CUresult evc_shared(int file, struct evc_shared *shared, const char *call, const char *maker)
{
    const uint64_t magic = shared->magic;
    if (pread(file, shared, sizeof *shared, 0) != (ssize_t)sizeof *shared || shared->magic != magic)
        return evc_explain(CUDA_ERROR_INVALID_VALUE, "%s: descriptor %d is not one of %s", call,
                           file, maker);
    if (!evc_device())
        return CUDA_ERROR_DEVICE_UNAVAILABLE;
    if (shared->simulator != evc_simulator())
        return evc_explain(CUDA_ERROR_INVALID_VALUE,
                           "%s: the memory is of another simulator; processes share one under "
                           "evgpu run --program",
                           call);
    return CUDA_SUCCESS;
}
