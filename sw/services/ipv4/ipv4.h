/* The IPv4 header as bytes of an Ethernet frame, for host code. */
#ifndef EVGPU_SW_IPV4_H
#define EVGPU_SW_IPV4_H

#include <stddef.h>
#include <stdint.h>

#include "sw/services/common/bytes.h"

#define IPV4_VERSION_IHL 0 /* byte offsets in the header */
#define IPV4_TOTAL       2
#define IPV4_TTL         8
#define IPV4_PROTOCOL    9
#define IPV4_CHECKSUM    10
#define IPV4_SOURCE      12
#define IPV4_DESTINATION 16

/* Header checksum (RFC 1071) over `words` 32-bit words with the checksum field taken as zero. */
static inline uint32_t ipv4_checksum(const uint8_t *header, uint32_t words)
{
    uint32_t sum = 0;
    for (uint32_t i = 0; i < 4 * words; i += 2)
        if (i != IPV4_CHECKSUM)
            sum += read_be16(header + i);
    while (sum >> 16)
        sum = (sum & 0xFFFF) + (sum >> 16);
    return ~sum & 0xFFFF;
}

#endif
