/* State of the runtime API: the last error of each thread, what the compiler has registered. */
#ifndef EVGPU_CUDA_RUNTIME_STATE_H
#define EVGPU_CUDA_RUNTIME_STATE_H

#include <string.h>

#include "sw/cuda/client/core.h"
#include "sw/cuda/include/cuda_runtime_api.h"

/* Every call of the API ends with one of them: an error is kept for cudaGetLastError. The first is
 * of calls that need a context, the second of questions that do not. */
#define rt_done(status)   rt_end((CUresult)(status), __func__, NULL, true)
#define rt_answer(status) rt_end((CUresult)(status), __func__, NULL, false)
cudaError_t rt_end(CUresult status, const char *call, const char *needs, bool context);

#define RT_CHECK(condition, error)                                                                 \
    do {                                                                                           \
        if (!(condition))                                                                          \
            return rt_end((CUresult)(error), __func__,                                             \
                          strncmp(#condition, "!status", 7) ? #condition : NULL, false);           \
    } while (0)

#define RT_STREAM(stream) ((CUstream)(void *)(stream))
#define RT_EVENT(event)   ((CUevent)(void *)(event))

/* registry.c: handles for what is known by its address on the host's side. Modules are loaded at
 * their first use. */
CUresult rt_function(const void *host, CUfunction *function);
/* NULL: of none that has been used. */
const void *rt_function_host(CUfunction function);
/* `shown`: as in evc_global(). */
CUresult rt_variable(const void *host, bool shown, uint64_t *address, uint64_t *bytes);

/* A texture reference, or a surface's, whose `host` is a struct surfaceReference. */
struct rt_texture {
    const struct textureReference *host;
    char *name;
    void **handle;
    uint64_t bound; /* texture handle of the simulator, 0: none */
    uint64_t offset;
    uint32_t normalized_read; /* the type reads integers as floats in [0, 1] or [-1, 1] */
    struct rt_texture *next;
};
struct rt_texture *rt_texture(const void *host);
CUresult rt_texture_module(struct rt_texture *texture, CUmodule *module);

/* copy.c: the copy that the parameters describe, but for its stream. */
CUresult rt_copy_of(const struct cudaMemcpy3DParms *p, struct evc_copy *copy);

/* Forgets functions and modules after a reset; they are loaded again when they are needed. */
void rt_forget(void);

#endif
