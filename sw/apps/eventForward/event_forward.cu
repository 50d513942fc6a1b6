/* An event kernel that a program brings to the service ipv4: the rules of RFC 1812, byte by byte, a
 * packet per lane. What it finds and leaves in memory: sw/services/ipv4/ipv4_forward.h. */
#include "../../services/ipv4/ipv4_forward.h"

/* The network writes the slots while L1 may still hold an earlier packet of the same slot. */
static __device__ unsigned byte_at(const volatile unsigned char *p, unsigned i)
{
    return p[i];
}

static __device__ unsigned word_at(const volatile unsigned char *p, unsigned i)
{
    return byte_at(p, i) << 8 | byte_at(p, i + 1);
}

/* One's complement sum of the header, without the checksum field when `skip` is set. */
static __device__ unsigned header_sum(const volatile unsigned char *ip, unsigned bytes, bool skip)
{
    unsigned sum = 0;
    for (unsigned i = 0; i < bytes; i += 2)
        sum += skip && i == 10 ? 0 : word_at(ip, i);
    while (sum >> 16)
        sum = (sum & 0xFFFF) + (sum >> 16);
    return sum;
}

static __device__ unsigned check(const volatile unsigned char *frame, unsigned length)
{
    const volatile unsigned char *ip = frame + FWD_ETHERNET_BYTES;
    if (length < FWD_ETHERNET_BYTES + FWD_IPV4_BYTES)
        return FWD_TOO_SHORT;
    unsigned header = 4 * (byte_at(ip, 0) & 15), total = word_at(ip, 2);
    if (word_at(frame, 12) != FWD_ETHERTYPE_IPV4 || byte_at(ip, 0) >> 4 != 4 ||
        header < FWD_IPV4_BYTES || total < header)
        return FWD_BAD_HEADER;
    if (FWD_ETHERNET_BYTES + total > length)
        return FWD_TOO_SHORT;
    if (header_sum(ip, header, false) != 0xFFFF)
        return FWD_BAD_CHECKSUM;
    return byte_at(ip, 8) <= 1 ? FWD_TTL_EXPIRED : FWD_NONE;
}

static __device__ unsigned lookup(const unsigned *level1, const unsigned *level2,
                                  const volatile unsigned char *ip)
{
    unsigned address = word_at(ip, 16) << 16 | word_at(ip, 18);
    unsigned entry = level1[address >> 8];
    if (entry & FWD_BLOCK_FLAG)
        entry = level2[(entry & ~FWD_BLOCK_FLAG) * FWD_BLOCK_ENTRIES + (address & 0xFF)];
    return entry;
}

extern "C" __global__ void event_forward(unsigned char *slots, unsigned slot_bytes, unsigned count,
                                         const unsigned *level1, const unsigned *level2,
                                         const fwd_hop *hops, unsigned *results)
{
    unsigned lane = threadIdx.x;
    if (lane >= count)
        return;
    volatile unsigned char *slot = slots + (size_t)lane * slot_bytes;
    volatile unsigned char *frame = slot + FWD_FRAME_OFFSET, *ip = frame + FWD_ETHERNET_BYTES;
    unsigned length = byte_at(slot, 0) | byte_at(slot, 1) << 8;
    unsigned verdict = check(frame, length);
    unsigned hop = verdict == FWD_NONE ? lookup(level1, level2, ip) : 0;
    if (verdict == FWD_NONE && !hop)
        verdict = FWD_NO_ROUTE;
    if (verdict != FWD_NONE) {
        results[lane] = verdict;
        return;
    }
    ip[8] = (unsigned char)(byte_at(ip, 8) - 1);
    unsigned sum = ~header_sum(ip, 4 * (byte_at(ip, 0) & 15), true) & 0xFFFF;
    ip[10] = (unsigned char)(sum >> 8);
    ip[11] = (unsigned char)sum;
    for (int i = 0; i < 6; i++) {
        frame[i] = hops[hop].dst_mac[i];
        frame[6 + i] = hops[hop].src_mac[i];
    }
    results[lane] = (unsigned)hops[hop].port << FWD_RESULT_PORT_SHIFT | FWD_FORWARD;
}
