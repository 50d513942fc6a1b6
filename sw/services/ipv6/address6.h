/* IPv6 addresses and headers as host code sees them. */
#ifndef EVGPU_SW_ADDRESS6_H
#define EVGPU_SW_ADDRESS6_H

#include <stdint.h>

#include "sw/services/common/address.h"
#include "sw/services/common/bytes.h"

#define IPV6_PAYLOAD     4 /* byte offsets in the header */
#define IPV6_NEXT_HEADER 6
#define IPV6_HOP_LIMIT   7
#define IPV6_SOURCE      8
#define IPV6_DESTINATION 24

static inline struct address address6_read(const uint8_t *p)
{
    return (struct address){read_be64(p), read_be64(p + 8)};
}
static inline void address6_write(uint8_t *p, struct address a)
{
    write_be64(p, a.high);
    write_be64(p + 8, a.low);
}

/* Byte 0 is the first on the wire. */
static inline uint32_t address6_byte(struct address a, uint32_t i)
{
    return (uint32_t)((i < 8 ? a.high : a.low) >> (56 - 8 * (i & 7))) & 255;
}

#endif
