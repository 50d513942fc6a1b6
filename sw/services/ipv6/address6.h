/* IPv6 addresses and headers as host code sees them. */
#ifndef EVGPU_SW_ADDRESS6_H
#define EVGPU_SW_ADDRESS6_H

#include <stdint.h>

#include "sw/services/common/bytes.h"

#define IPV6_PAYLOAD     4 /* byte offsets in the header */
#define IPV6_NEXT_HEADER 6
#define IPV6_HOP_LIMIT   7
#define IPV6_SOURCE      8
#define IPV6_DESTINATION 24

struct address6 {
    uint64_t high, low; /* host order */
};

static inline struct address6 address6_read(const uint8_t *p)
{
    return (struct address6){(uint64_t)read_be32(p) << 32 | read_be32(p + 4),
                             (uint64_t)read_be32(p + 8) << 32 | read_be32(p + 12)};
}
static inline void address6_write(uint8_t *p, struct address6 a)
{
    write_be32(p, (uint32_t)(a.high >> 32));
    write_be32(p + 4, (uint32_t)a.high);
    write_be32(p + 8, (uint32_t)(a.low >> 32));
    write_be32(p + 12, (uint32_t)a.low);
}

/* Network mask of a prefix length 0..128. */
static inline struct address6 address6_mask(uint32_t length)
{
    return (struct address6){length == 0 ? 0 : UINT64_MAX << (length < 64 ? 64 - length : 0),
                             length <= 64 ? 0 : UINT64_MAX << (128 - length)};
}

/* Byte 0 is the first on the wire. */
static inline uint32_t address6_byte(struct address6 a, uint32_t i)
{
    return (uint32_t)((i < 8 ? a.high : a.low) >> (56 - 8 * (i & 7))) & 255;
}

#endif
