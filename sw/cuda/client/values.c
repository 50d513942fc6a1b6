/* Writes of single values in streams, and waits for them: batches, and nodes of graphs. */
#include <stdlib.h>

#include "sw/cuda/client/graph.h"

#define MOST_OPERATIONS 256u /* of a batch, as the driver has it */

/* False: it is none, or a flag of it is unknown. A barrier leaves `*value` alone and sets *count to
 * 0: everything written is seen at once. */
static bool translate(const CUstreamBatchMemOpParams *op, struct wire_value *value, uint32_t *count)
{
    const struct CUstreamMemOpValueParams_st *of = &op->writeValue;
    bool wide = op->operation == CU_STREAM_MEM_OP_WAIT_VALUE_64 ||
                op->operation == CU_STREAM_MEM_OP_WRITE_VALUE_64;
    uint32_t compare = of->flags & ~(uint32_t)CU_STREAM_WAIT_VALUE_FLUSH;
    *count = 1;
    *value = (struct wire_value){.address = evc_translate((const void *)(uintptr_t)of->address),
                                 .value = wide ? of->value64 : of->value,
                                 .bytes = wide ? 8 : 4};
    switch (op->operation) {
    case CU_STREAM_MEM_OP_WAIT_VALUE_32:
    case CU_STREAM_MEM_OP_WAIT_VALUE_64:
        value->action = WIRE_VALUE_GEQ + compare;
        return compare <= CU_STREAM_WAIT_VALUE_NOR;
    case CU_STREAM_MEM_OP_WRITE_VALUE_32:
    case CU_STREAM_MEM_OP_WRITE_VALUE_64:
        value->action = WIRE_VALUE_WRITE;
        return of->flags <= CU_STREAM_WRITE_VALUE_NO_MEMORY_BARRIER;
    case CU_STREAM_MEM_OP_FLUSH_REMOTE_WRITES:
        *count = 0;
        return !op->flushRemoteWrites.flags;
    case CU_STREAM_MEM_OP_BARRIER:
        *count = 0;
        return op->memoryBarrier.flags <= CU_STREAM_MEMORY_BARRIER_TYPE_GPU;
    }
    return false;
}

CUresult evc_batch_command(const CUDA_BATCH_MEM_OP_NODE_PARAMS *p, struct evc_command *command)
{
    if (!p || !p->count || p->count > MOST_OPERATIONS || !p->paramArray || p->flags)
        return CUDA_ERROR_INVALID_VALUE;
    *command =
        (struct evc_command){.type = CU_GRAPH_NODE_TYPE_BATCH_MEM_OP,
                             .arguments = (uint8_t *)p->paramArray, /* which is copied, not kept */
                             .argument_bytes = p->count * sizeof *p->paramArray};
    for (unsigned int i = 0; i < p->count; i++) {
        struct wire_value value;
        uint32_t count;
        if (!translate(&p->paramArray[i], &value, &count))
            return evc_explain(CUDA_ERROR_INVALID_VALUE,
                               "stream memory operation %u: operation %d with flags 0x%x is none",
                               i, (int)p->paramArray[i].operation,
                               p->paramArray[i].writeValue.flags);
    }
    return CUDA_SUCCESS;
}

CUresult evc_batch(const struct evc_command *command, CUstream stream)
{
    const CUstreamBatchMemOpParams *ops = (const void *)command->arguments;
    size_t n = command->argument_bytes / sizeof *ops;
    struct wire_value values[MOST_OPERATIONS];
    struct evc_call call = {.op = WIRE_STREAM_VALUES, .payload = values};
    CUresult status = CUDA_SUCCESS;
    if (evc_capture(stream, command, &status))
        return status;
    uint32_t some, all = 0;
    for (size_t i = 0; i < n; i++) {
        translate(&ops[i], &values[all], &some);
        all += some;
    }
    call.payload_bytes = all * sizeof values[0];
    status = evc_stream_id(stream, &call.a[0]);
    return status || !all ? status : evc_call(&call);
}
