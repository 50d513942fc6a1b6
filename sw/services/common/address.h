/* IPv4 and IPv6 addresses and prefixes, both left-aligned in 128 bits, so that a prefix of a length
 * has the same mask in both. */
#ifndef EVGPU_SW_ADDRESS_H
#define EVGPU_SW_ADDRESS_H

#include <stdint.h>

struct address {
    uint64_t high, low; /* host order; IPv4: the upper half of `high` */
};

enum address_family { ADDRESS_IPV4, ADDRESS_IPV6 };

static inline struct address address_of_ipv4(uint32_t ipv4)
{
    return (struct address){(uint64_t)ipv4 << 32, 0};
}

static inline uint32_t address_ipv4(struct address a)
{
    return (uint32_t)(a.high >> 32);
}

/* Network mask of a prefix length 0..128. */
static inline struct address address_mask(uint32_t length)
{
    return (struct address){length == 0 ? 0 : UINT64_MAX << (length < 64 ? 64 - length : 0),
                            length <= 64 ? 0 : UINT64_MAX << (128 - length)};
}

/* Of a prefix length 0..32. */
static inline uint32_t address_ipv4_mask(uint32_t length)
{
    return address_ipv4(address_mask(length));
}

#endif
