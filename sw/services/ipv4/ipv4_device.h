/* Device code of the IPv4 forwarding kernels: the work on one packet.
 *
 * Layout of slots, table, next hops and results: sw/services/ipv4/ipv4_forward.h. A forwarded
 * packet has its TTL decremented, its checksum updated, and its MAC addresses replaced; all others
 * stay as they came. The host reference is sw/services/ipv4/forward.c. */
#ifndef EVGPU_SW_IPV4_DEVICE_H
#define EVGPU_SW_IPV4_DEVICE_H

#include "../common/network_device.h"
#include "../common/rewrite_device.h"
#include "ipv4_forward.h"

static_assert(sizeof(struct fwd_hop) == sizeof(uint4), "a next hop is read as one 16-byte vector");

/* A slot as 16-byte vectors; the IPv4 header starts with the second. The network writes slots while
 * the L1 cache may still hold an earlier packet of the same slot, so they are read at L2. */
struct Packet {
    const uint4 *slot;
    unsigned length;  /* of the frame, bytes */
    uint4 ethernet;   /* length, destination, source, EtherType */
    uint4 ip;         /* words 0..3 of the header */
    unsigned address; /* destination, host order */
};

/* RFC 1812, 5.2.2: FWD_NONE when the header may be used. Of the packet, all is there but the
 * header's options; `destination` as it lies in memory. */
static __device__ __forceinline__ unsigned check_header(const Packet &p, unsigned destination)
{
    const unsigned *words = (const unsigned *)(p.slot + 1);
    unsigned header_words = p.ip.x & 0xF;
    unsigned total = swap16(p.ip.x >> 16);
    if ((p.ethernet.w >> 16) != ((FWD_ETHERTYPE_IPV4 >> 8) | (FWD_ETHERTYPE_IPV4 & 0xFF) << 8) ||
        (p.ip.x & 0xF0) != 0x40 || header_words < 5 || total < 4 * header_words)
        return FWD_BAD_HEADER;
    if (total + FWD_ETHERNET_BYTES > p.length)
        return FWD_TOO_SHORT;

    unsigned sum = add_word(add_word(add_word(0, p.ip.x), p.ip.y), p.ip.z);
    sum = add_word(add_word(sum, p.ip.w), destination);
    for (unsigned i = 5; i < header_words; i++)
        sum = add_word(sum, __ldcg(words + i));
    return fold(sum) == 0xFFFF ? FWD_NONE : FWD_BAD_CHECKSUM;
}

/* Loads the packet and checks it. */
static __device__ __forceinline__ unsigned check(Packet &p)
{
    p.ethernet = __ldcg(p.slot);
    p.length = p.ethernet.x & 0xFFFF;
    if (p.length < FWD_ETHERNET_BYTES + FWD_IPV4_BYTES)
        return FWD_TOO_SHORT;
    p.ip = __ldcg(p.slot + 1);
    unsigned destination = __ldcg((const unsigned *)(p.slot + 1) + 4);
    p.address = swap32(destination);
    return check_header(p, destination);
}

static __device__ __forceinline__ unsigned lookup(const unsigned *level1, const unsigned *level2,
                                                  unsigned address)
{
    unsigned entry = level1[address >> 8];
    if (entry & FWD_BLOCK_FLAG)
        entry = level2[(entry & ~FWD_BLOCK_FLAG) * FWD_BLOCK_ENTRIES + (address & 0xFF)];
    return entry;
}

/* Rewrites the packet's header for its next hop; the result word. */
template <typename To>
static __device__ __forceinline__ unsigned rewrite(Packet &p, const uint4 &hop, const To &to)
{
    /* RFC 1624, equation 3: HC' = ~(~HC + ~m + m'). The word with TTL (low byte in memory) and
     * protocol goes down by one TTL, so that ~m + m' is -1 in that byte. */
    unsigned ttl_word = p.ip.z & 0xFFFF;
    unsigned sum = (~(p.ip.z >> 16) & 0xFFFF) + (~ttl_word & 0xFFFF) + (ttl_word - 1);
    unsigned checksum = ~fold(sum) & 0xFFFF;

    p.ip.z = checksum << 16 | (ttl_word - 1);
    to.ip(p.ip, 2);
    to.ethernet(make_uint4((p.ethernet.x & 0xFFFF) | (hop.x & 0xFFFF0000), hop.y, hop.z,
                           (p.ethernet.w & 0xFFFF0000) | (hop.w & 0xFFFF)));
    return (hop.x & 0xFFFF) << FWD_RESULT_PORT_SHIFT | FWD_FORWARD;
}

template <typename To>
static __device__ __forceinline__ unsigned forward(const unsigned char *slot,
                                                   const unsigned *level1, const unsigned *level2,
                                                   const uint4 *hops, const To &to)
{
    Packet p;
    p.slot = (const uint4 *)slot;
    unsigned verdict = check(p);
    if (verdict != FWD_NONE)
        return verdict;
    if ((p.ip.z & 0xFF) <= 1)
        return FWD_TTL_EXPIRED;
    unsigned hop = lookup(level1, level2, p.address);
    if (hop == 0)
        return FWD_NO_ROUTE;
    return rewrite(p, hops[hop], to);
}

/* In its own slot. */
static __device__ __forceinline__ unsigned forward(const unsigned char *slot,
                                                   const unsigned *level1, const unsigned *level2,
                                                   const uint4 *hops)
{
    return forward(slot, level1, level2, hops, InPlace{(uint4 *)slot});
}

/* A batch: thread i has the packet in slot i, for i < count. */
static __device__ __forceinline__ void ipv4_batch(unsigned i, unsigned count, unsigned char *slots,
                                                  unsigned slot_bytes, const unsigned *level1,
                                                  const unsigned *level2, const uint4 *hops,
                                                  unsigned *results)
{
    if (i < count)
        results[i] = forward(slots + (size_t)i * slot_bytes, level1, level2, hops);
}

#endif
