/* Contexts of the driver API: a stack per thread, over the process's one address space. */
#ifndef EVGPU_CUDA_DRIVER_CONTEXT_H
#define EVGPU_CUDA_DRIVER_CONTEXT_H

#include <string.h>

#include "sw/cuda/client/core.h"

/* CUDA_SUCCESS when the API is initialised and this thread has a current context. */
CUresult cu_ready(void);

/* CUDA_SUCCESS when cuInit has been called, and this is no host function of a stream. */
CUresult cu_initialised(void);

/* Explains the error, which it returns, unless that was done. */
CUresult cu_refuse(CUresult error, const char *call, const char *needs);

/* As cu_ready; but a stream that a program has made knows its context, so that none need be
 * current.
 */
CUresult cu_ready_for(CUstream stream);

/* Returns the error, if any, from the calling function. KNOWN: an event or an address knows its
 * context. */
#define CU_READY_BY(check)                                                                         \
    do {                                                                                           \
        CUresult ready_ = (check);                                                                 \
        if (ready_)                                                                                \
            return cu_refuse(ready_, __func__, NULL);                                              \
    } while (0)
#define CU_READY()           CU_READY_BY(cu_ready())
#define CU_READY_FOR(stream) CU_READY_BY(cu_ready_for(stream))
#define CU_READY_KNOWN()     CU_READY_BY(cu_initialised())

bool cu_context_valid(CUcontext ctx);

/* array.c: the copy that the parameters describe, but for its stream. */
CUresult cu_copy_of(const CUDA_MEMCPY3D *p, struct evc_copy *copy);
/* The same as a graph's command, which keeps the parameters. */
struct evc_command;
CUresult cu_copy_command(const CUDA_MEMCPY3D *p, struct evc_command *command);

/* module.c: PTX of a file, and of the program's memory with the options of cuModuleLoadDataEx. */
CUresult cu_module_file(CUmodule *module, const char *path);
CUresult cu_module_data(CUmodule *module, const void *image, unsigned int n,
                        const CUjit_option *options, void **values);

/* link.c: as cuLink..., without a context; messages name `call`. `log` receives what the linker
 * says of a failure. */
CUresult cu_link_create(char *log, size_t room, CUlinkState *stateOut);
CUresult cu_link_add_data(CUlinkState state, CUjitInputType type, const void *data, size_t size,
                          const char *name, const char *call);
CUresult cu_link_add_file(CUlinkState state, CUjitInputType type, const char *path,
                          const char *call);
CUresult cu_link_complete(CUlinkState state, void **cubinOut, size_t *sizeOut, const char *call);

/* The runtime API has done something in a context: in the thread's current one, else the primary
 * one, which becomes current. The runtime API resets the device. */
void cu_runtime_uses(void);
void cu_runtime_resets(void);

#define CU_CHECK(condition, error)                                                                 \
    do {                                                                                           \
        if (!(condition))                                                                          \
            return cu_refuse((error), __func__,                                                    \
                             strncmp(#condition, "!status", 7) ? #condition : NULL);               \
    } while (0)

/* A call for something that is not there. */
#define CU_NOT_HERE(name, ...)                                                                     \
    CUresult name(__VA_ARGS__)                                                                     \
    {                                                                                              \
        return cu_refuse(CUDA_ERROR_NOT_SUPPORTED, __func__, NULL);                                \
    }

#endif
