/* Memory that nodes of the driver API's graphs allocate and free. */
#include "sw/cuda/client/graph.h"
#include "sw/cuda/driver/context.h"

static CUresult add(const char *call, CUgraphNode *node, CUgraph graph, const CUgraphNode *before,
                    size_t n_before, const struct evc_command *command)
{
    CUresult status = node && graph && (!n_before || before)
                          ? evc_graph_add(graph, command, before, n_before, node)
                          : CUDA_ERROR_INVALID_VALUE;
    if (command->type == CU_GRAPH_NODE_TYPE_MEM_ALLOC && status)
        evc_graph_memory_drop(command->address);
    return status ? cu_refuse(status, call, NULL) : status;
}

CUresult cuGraphAddMemAllocNode(CUgraphNode *phGraphNode, CUgraph hGraph,
                                const CUgraphNode *dependencies, size_t numDependencies,
                                CUDA_MEM_ALLOC_NODE_PARAMS *nodeParams)
{
    struct evc_command command = {.type = CU_GRAPH_NODE_TYPE_MEM_ALLOC};
    CU_READY();
    CU_CHECK(nodeParams && nodeParams->bytesize, CUDA_ERROR_INVALID_VALUE);
    CU_CHECK(nodeParams->poolProps.allocType == CU_MEM_ALLOCATION_TYPE_PINNED &&
                 nodeParams->poolProps.location.type == CU_MEM_LOCATION_TYPE_DEVICE &&
                 !nodeParams->poolProps.location.id,
             CUDA_ERROR_INVALID_VALUE);
    command.bytes = nodeParams->bytesize;
    CUresult status = evc_graph_memory_make(command.bytes, &command.address);
    CU_CHECK(!status, status);
    nodeParams->dptr = command.address;
    return add(__func__, phGraphNode, hGraph, dependencies, numDependencies, &command);
}

CUresult cuGraphMemAllocNodeGetParams(CUgraphNode hNode, CUDA_MEM_ALLOC_NODE_PARAMS *params_out)
{
    CU_READY();
    CU_CHECK(hNode && params_out, CUDA_ERROR_INVALID_VALUE);
    const struct evc_command *command = evc_node_command(hNode, CU_GRAPH_NODE_TYPE_MEM_ALLOC);
    CU_CHECK(command, CUDA_ERROR_INVALID_VALUE);
    *params_out = (CUDA_MEM_ALLOC_NODE_PARAMS){
        .poolProps = {.allocType = CU_MEM_ALLOCATION_TYPE_PINNED,
                      .location = {.type = CU_MEM_LOCATION_TYPE_DEVICE}},
        .bytesize = command->bytes,
        .dptr = command->address};
    return CUDA_SUCCESS;
}

CUresult cuGraphAddMemFreeNode(CUgraphNode *phGraphNode, CUgraph hGraph,
                               const CUgraphNode *dependencies, size_t numDependencies,
                               CUdeviceptr dptr)
{
    struct evc_command command = {.type = CU_GRAPH_NODE_TYPE_MEM_FREE, .address = dptr};
    CU_READY();
    CU_CHECK(dptr, CUDA_ERROR_INVALID_VALUE);
    return add(__func__, phGraphNode, hGraph, dependencies, numDependencies, &command);
}

CUresult cuGraphMemFreeNodeGetParams(CUgraphNode hNode, CUdeviceptr *dptr_out)
{
    CU_READY();
    CU_CHECK(hNode && dptr_out, CUDA_ERROR_INVALID_VALUE);
    const struct evc_command *command = evc_node_command(hNode, CU_GRAPH_NODE_TYPE_MEM_FREE);
    CU_CHECK(command, CUDA_ERROR_INVALID_VALUE);
    *dptr_out = command->address;
    return CUDA_SUCCESS;
}

CUresult cuDeviceGraphMemTrim(CUdevice device)
{
    CU_READY();
    CU_CHECK(!device, CUDA_ERROR_INVALID_DEVICE);
    return CUDA_SUCCESS;
}

CUresult cuDeviceGetGraphMemAttribute(CUdevice device, CUgraphMem_attribute attr, void *value)
{
    const struct evc_graph_bytes bytes = evc_graph_memory_bytes();
    const uint64_t values[] = {bytes.used, bytes.most_used, bytes.reserved, bytes.most_reserved};
    CU_READY();
    CU_CHECK(!device, CUDA_ERROR_INVALID_DEVICE);
    CU_CHECK(value && (unsigned int)attr <= CU_GRAPH_MEM_ATTR_RESERVED_MEM_HIGH,
             CUDA_ERROR_INVALID_VALUE);
    *(uint64_t *)value = values[attr];
    return CUDA_SUCCESS;
}

CUresult cuDeviceSetGraphMemAttribute(CUdevice device, CUgraphMem_attribute attr, void *value)
{
    bool used = attr == CU_GRAPH_MEM_ATTR_USED_MEM_HIGH,
         reserved = attr == CU_GRAPH_MEM_ATTR_RESERVED_MEM_HIGH;
    CU_READY();
    CU_CHECK(!device, CUDA_ERROR_INVALID_DEVICE);
    CU_CHECK(value && !*(uint64_t *)value && (used || reserved), CUDA_ERROR_INVALID_VALUE);
    evc_graph_memory_reset(used, reserved);
    return CUDA_SUCCESS;
}
