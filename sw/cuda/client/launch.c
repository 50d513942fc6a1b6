/* Launches: arguments are packed as the kernel's parameter list lays them out. */
#include <stdlib.h>
#include <string.h>

#include "sw/cuda/client/graph.h"

CUresult evc_launch_buffer(const struct evc_launch *launch, const void *buffer, size_t bytes)
{
    struct evc_call call = {.op = WIRE_LAUNCH, .payload = buffer, .payload_bytes = bytes};
    uint64_t stream = 0;
    struct evc_command kept = {.type = CU_GRAPH_NODE_TYPE_KERNEL,
                               .launch = *launch,
                               .arguments = (uint8_t *)(uintptr_t)buffer,
                               .argument_bytes = bytes};
    CUresult status = CUDA_SUCCESS;
    if (evc_capture(launch->stream, &kept, &status))
        return status;
    status = evc_stream_id(launch->stream, &stream);
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

CUresult evc_launch_pack(CUfunction function, void *const *arguments, uint8_t **packed)
{
    const struct wire_function *info = &function->info;
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
    *packed = status ? NULL : buffer;
    if (status)
        free(buffer);
    return status;
}

CUresult evc_launch_attribute(CUlaunchAttributeID id, const void *value, bool *cooperative)
{
    CUlaunchAttributeValue v;
    memcpy(&v, value, sizeof v);
    switch (id) {
    case CU_LAUNCH_ATTRIBUTE_COOPERATIVE:
        *cooperative = v.cooperative != 0;
        return CUDA_SUCCESS;
    case CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION:
        if (v.clusterDim.x == 1 && v.clusterDim.y == 1 && v.clusterDim.z == 1)
            return CUDA_SUCCESS;
        return evc_explain(CUDA_ERROR_NOT_SUPPORTED,
                           "launch: evgpu has no clusters of several blocks");
    case CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_EVENT:
        return evc_explain(CUDA_ERROR_NOT_SUPPORTED,
                           "launch: evgpu has no events of a kernel's progress");
    default: /* a hint */
        return CUDA_SUCCESS;
    }
}

CUresult evc_launch(const struct evc_launch *launch, void *const *arguments)
{
    uint8_t *buffer = NULL;
    CUresult status = evc_launch_pack(launch->function, arguments, &buffer);
    if (!status)
        status = evc_launch_buffer(launch, buffer, launch->function->info.param_bytes);
    free(buffer);
    return status;
}
