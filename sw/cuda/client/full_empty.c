/* Full/empty bits: memory that has them, and what is done to them beside copies. The simulator
 * knows which memory that is and checks the ranges. */
#include "sw/cuda/client/core.h"

CUresult evc_region_alloc(uint64_t bytes, uint64_t *address)
{
    return evc_alloc(bytes, WIRE_FULL_EMPTY, 0, address);
}

CUresult evc_region_info(uint64_t *available, uint64_t *total)
{
    struct evc_call call = {.op = WIRE_REGION_INFO};
    CUresult status = evc_call(&call);
    *available = call.v[0];
    *total = call.v[1];
    return status;
}

CUresult evc_mark(uint64_t dst, uint64_t bytes, uint32_t action, CUstream stream)
{
    uint64_t id = 0;
    CUresult status = evc_stream_id(stream, &id);
    struct evc_call call = {.op = WIRE_MARK, .a = {dst, bytes, action, id}};
    return status ? status : evc_call(&call);
}

CUresult evc_override(uint64_t dst, uint64_t bytes, uint32_t action)
{
    struct evc_call call = {.op = WIRE_OVERRIDE, .a = {dst, bytes, action}};
    return evc_call(&call);
}

CUresult evc_release(void)
{
    struct evc_call call = {.op = WIRE_RELEASE};
    return evc_call(&call);
}

CUresult evc_wait_limit(uint64_t nanoseconds)
{
    struct evc_call call = {.op = WIRE_WAIT_LIMIT, .a = {nanoseconds}};
    return evc_call(&call);
}
