/* Length of messages on the network: an 8-byte header, and 32 bytes per sector where the message
 * carries data. */
#ifndef EVGPU_MEM_NET_FLITS_H
#define EVGPU_MEM_NET_FLITS_H

#include <stdbool.h>

#include "sim/mem/request.h"

#define HEADER_BYTES 8u

static inline uint32_t message_flits(uint32_t sectors, uint32_t flit_bytes)
{
    uint32_t bytes = HEADER_BYTES + SECTOR_BYTES * (uint32_t)__builtin_popcount(sectors);
    return (bytes + flit_bytes - 1) / flit_bytes;
}

static inline uint32_t request_flits(const struct mem_request *request, uint32_t flit_bytes)
{
    bool data = request->kind == REQUEST_WRITE || request->kind == REQUEST_ATOMIC;
    return message_flits(data ? request->sectors : 0, flit_bytes);
}

static inline uint32_t reply_flits(const struct mem_request *reply, uint32_t flit_bytes)
{
    return message_flits(reply->kind == REQUEST_WRITE ? 0 : reply->sectors, flit_bytes);
}

#endif
