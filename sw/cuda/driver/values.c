/* Writes of single values in streams, and waits for them, in the driver API. */
#include "sw/cuda/client/graph.h"
#include "sw/cuda/driver/context.h"

/* --- in streams ------------------------------------------------------------------------------- */

/* A value of 32 bits is the lower half of its union. */
_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "as the device has it");

static CUresult one(CUstream stream, CUstreamBatchMemOpType operation, CUdeviceptr address,
                    cuuint64_t value, unsigned int flags)
{
    CUstreamBatchMemOpParams op = {
        .writeValue = {operation, address, {.value64 = value}, flags, 0}};
    CUDA_BATCH_MEM_OP_NODE_PARAMS batch = {.count = 1, .paramArray = &op};
    struct evc_command command;
    CUresult status = evc_batch_command(&batch, &command);
    return status ? status : evc_batch(&command, stream);
}

CUresult cuStreamWriteValue32(CUstream stream, CUdeviceptr addr, cuuint32_t value,
                              unsigned int flags)
{
    CU_READY();
    return one(stream, CU_STREAM_MEM_OP_WRITE_VALUE_32, addr, value, flags);
}

CUresult cuStreamWriteValue64(CUstream stream, CUdeviceptr addr, cuuint64_t value,
                              unsigned int flags)
{
    CU_READY();
    return one(stream, CU_STREAM_MEM_OP_WRITE_VALUE_64, addr, value, flags);
}

CUresult cuStreamWaitValue32(CUstream stream, CUdeviceptr addr, cuuint32_t value,
                             unsigned int flags)
{
    CU_READY();
    return one(stream, CU_STREAM_MEM_OP_WAIT_VALUE_32, addr, value, flags);
}

CUresult cuStreamWaitValue64(CUstream stream, CUdeviceptr addr, cuuint64_t value,
                             unsigned int flags)
{
    CU_READY();
    return one(stream, CU_STREAM_MEM_OP_WAIT_VALUE_64, addr, value, flags);
}

CUresult cuStreamBatchMemOp(CUstream stream, unsigned int count,
                            CUstreamBatchMemOpParams *paramArray, unsigned int flags)
{
    CUDA_BATCH_MEM_OP_NODE_PARAMS batch = {
        .count = count, .paramArray = paramArray, .flags = flags};
    struct evc_command command;
    CU_READY();
    CUresult status = evc_batch_command(&batch, &command);
    CU_CHECK(!status, status);
    return evc_batch(&command, stream);
}

/* --- in graphs -------------------------------------------------------------------------------- */

CUresult cuGraphAddBatchMemOpNode(CUgraphNode *phGraphNode, CUgraph hGraph,
                                  const CUgraphNode *dependencies, size_t numDependencies,
                                  const CUDA_BATCH_MEM_OP_NODE_PARAMS *nodeParams)
{
    struct evc_command command;
    CU_READY();
    CU_CHECK(phGraphNode && hGraph && (dependencies || !numDependencies), CUDA_ERROR_INVALID_VALUE);
    CUresult status = evc_batch_command(nodeParams, &command);
    CU_CHECK(!status, status);
    return evc_graph_add(hGraph, &command, dependencies, numDependencies, phGraphNode);
}

CUresult cuGraphBatchMemOpNodeGetParams(CUgraphNode hNode,
                                        CUDA_BATCH_MEM_OP_NODE_PARAMS *nodeParams_out)
{
    CU_READY();
    CU_CHECK(hNode && nodeParams_out, CUDA_ERROR_INVALID_VALUE);
    const struct evc_command *command = evc_node_command(hNode, CU_GRAPH_NODE_TYPE_BATCH_MEM_OP);
    CU_CHECK(command, CUDA_ERROR_INVALID_VALUE);
    CUstreamBatchMemOpParams *ops = (void *)command->arguments;
    *nodeParams_out = (CUDA_BATCH_MEM_OP_NODE_PARAMS){
        .count = (unsigned int)(command->argument_bytes / sizeof *ops), .paramArray = ops};
    cuCtxGetCurrent(&nodeParams_out->ctx);
    return CUDA_SUCCESS;
}

CUresult cuGraphBatchMemOpNodeSetParams(CUgraphNode hNode,
                                        const CUDA_BATCH_MEM_OP_NODE_PARAMS *nodeParams)
{
    struct evc_command command;
    CU_READY();
    CU_CHECK(hNode, CUDA_ERROR_INVALID_VALUE);
    CUresult status = evc_batch_command(nodeParams, &command);
    CU_CHECK(!status, status);
    return evc_graph_set(hNode, &command);
}

CUresult cuGraphExecBatchMemOpNodeSetParams(CUgraphExec hGraphExec, CUgraphNode hNode,
                                            const CUDA_BATCH_MEM_OP_NODE_PARAMS *nodeParams)
{
    struct evc_command command;
    CU_READY();
    CU_CHECK(hGraphExec && hNode, CUDA_ERROR_INVALID_VALUE);
    CUresult status = evc_batch_command(nodeParams, &command);
    CU_CHECK(!status, status);
    return evc_exec_set(hGraphExec, hNode, &command);
}
