/* Launches: arguments are packed as the kernel's parameter list lays them out. */
#include <stdlib.h>
#include <string.h>

#include "sw/cuda/client/core.h"

CUresult evc_launch_buffer(const struct evc_launch *launch, const void *buffer, size_t bytes)
{
    struct evc_call call = {.op = WIRE_LAUNCH, .payload = buffer, .payload_bytes = bytes};
    uint64_t stream = 0;
    CUresult status = evc_stream_id(launch->stream, &stream);
    if (status)
        return status;
    call.a[0] = launch->function->id;
    call.a[1] = stream;
    for (int i = 0; i < 3; i++) {
        call.a[2 + i] = launch->grid[i];
        call.a[5 + i] = launch->block[i];
    }
    call.a[8] = launch->shared;
    call.a[9] = launch->cooperative ? WIRE_COOPERATIVE : 0;
    return evc_call(&call);
}

CUresult evc_launch(const struct evc_launch *launch, void *const *arguments)
{
    const struct wire_function *info = &launch->function->info;
    uint8_t *buffer = calloc(1, info->param_bytes + 1u);
    CUresult status = buffer ? CUDA_SUCCESS : CUDA_ERROR_OUT_OF_MEMORY;
    if (!status && info->n_params && !arguments)
        status = CUDA_ERROR_INVALID_VALUE;
    for (uint32_t i = 0; !status && i < info->n_params; i++) {
        if (!arguments[i])
            status = CUDA_ERROR_INVALID_VALUE;
        else
            memcpy(buffer + info->params[i].offset, arguments[i], info->params[i].bytes);
    }
    if (!status)
        status = evc_launch_buffer(launch, buffer, info->param_bytes);
    free(buffer);
    return status;
}
