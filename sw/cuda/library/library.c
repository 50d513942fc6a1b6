#include "sw/cuda/library/library.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* embed.c; each library has its own. */
extern const char library_ptx[] __attribute__((visibility("hidden")));

static CUresult load(struct library *library)
{
    char *why = NULL;
    CUresult status =
        evc_module_load("library", library_ptx, strlen(library_ptx), &library->module, &why);
    if (status && why)
        fprintf(stderr, "evgpu: %s\n", why);
    free(why);
    return status;
}

cudaError_t library_launch(struct library *library, const char *kernel, dim3 grid, dim3 block,
                           cudaStream_t stream, void *const *arguments)
{
    struct evc_launch launch = {.grid = {grid.x, grid.y, grid.z},
                                .block = {block.x, block.y, block.z},
                                .stream = (CUstream)(void *)stream};
    CUresult status = library->module ? CUDA_SUCCESS : load(library);
    if (!status)
        status = evc_function(library->module, kernel, &launch.function);
    if (!status)
        status = evc_launch(&launch, arguments);
    if (status)
        evc_explain_failure(status, kernel, NULL, true);
    evc_told();
    return (cudaError_t)status;
}

void library_close(struct library *library)
{
    if (library->module && evc_module_valid(library->module))
        evc_module_unload(library->module);
    library->module = NULL;
}
