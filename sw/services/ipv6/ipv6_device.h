/* Device code of the IPv6 forwarding kernels: the work on one packet.
 *
 * Layout of slots, table and results: ipv6_forward.h. A forwarded packet has its hop limit
 * decremented and its MAC addresses replaced; all others stay as they came. The host reference is
 * forward6.c. */
#ifndef EVGPU_SW_IPV6_DEVICE_H
#define EVGPU_SW_IPV6_DEVICE_H

#include "../common/network_device.h"
#include "../common/rewrite_device.h"
#include "ipv6_forward.h"

static_assert(sizeof(struct fwd_hop) == sizeof(uint4), "a next hop is read as one 16-byte vector");

/* A slot as 16-byte vectors; the IPv6 header starts with the second. The network writes slots while
 * the L1 cache may still hold an earlier packet of the same slot, so they are read at L2. */
struct Packet {
    const uint4 *slot;
    uint4 ethernet; /* length, destination, source, EtherType */
    uint4 head;     /* version, length, next header, hop limit; source 0..7 */
    uint4 middle;   /* source 8..15, destination 0..7 */
    uint2 tail;     /* destination 8..15 */
};

/* Addresses are words as they lie in memory: low byte first. */
static __device__ __forceinline__ bool zero_or_loopback(unsigned a, unsigned b, unsigned c,
                                                        unsigned d)
{
    return (a | b | c) == 0 && (d & ~0x01000000u) == 0;
}
static __device__ __forceinline__ bool multicast(unsigned a)
{
    return (a & 0xFF) == 0xFF;
}
static __device__ __forceinline__ bool link_local(unsigned a)
{
    return (a & 0xC0FF) == 0x80FE; /* fe80::/10 */
}

/* FWD6_NONE when the packet may be routed. */
static __device__ __forceinline__ unsigned check(Packet &p)
{
    p.ethernet = __ldcg(p.slot);
    unsigned length = p.ethernet.x & 0xFFFF;
    if (length < FWD6_ETHERNET_BYTES + FWD6_IPV6_BYTES)
        return FWD6_TOO_SHORT;
    p.head = __ldcg(p.slot + 1);
    p.middle = __ldcg(p.slot + 2);
    p.tail = __ldcg((const uint2 *)(p.slot + 3));
    if ((p.ethernet.w >> 16) != ((FWD6_ETHERTYPE >> 8) | (FWD6_ETHERTYPE & 0xFF) << 8) ||
        (p.head.x & 0xF0) != 0x60)
        return FWD6_BAD_HEADER;
    unsigned payload = __byte_perm(p.head.y, 0, 0x4401);
    if (payload + FWD6_ETHERNET_BYTES + FWD6_IPV6_BYTES > length)
        return FWD6_TOO_SHORT;
    if (multicast(p.head.z) || multicast(p.middle.z) || link_local(p.head.z) ||
        link_local(p.middle.z) || zero_or_loopback(p.head.z, p.head.w, p.middle.x, p.middle.y) ||
        zero_or_loopback(p.middle.z, p.middle.w, p.tail.x, p.tail.y))
        return FWD6_BAD_ADDRESS;
    return (p.head.y >> 24) <= 1 ? FWD6_HOP_LIMIT : FWD6_NONE;
}

static __device__ __forceinline__ unsigned lookup(const unsigned *root, const unsigned *nodes,
                                                  const Packet &p)
{
    unsigned word = swap32(p.middle.z), next = 1, left = 2; /* bytes of the word still to come */
    unsigned entry = root[word >> 16];
    word <<= 16;
    while (entry & FWD6_NODE_FLAG) {
        entry = nodes[(size_t)(entry & ~FWD6_NODE_FLAG) * FWD6_NODE_ENTRIES + (word >> 24)];
        word <<= 8;
        if (--left == 0) {
            word = swap32(next == 1 ? p.middle.w : next == 2 ? p.tail.x : p.tail.y);
            next++;
            left = 4;
        }
    }
    return entry;
}

template <typename To>
static __device__ __forceinline__ unsigned rewrite(Packet &p, const uint4 &hop, const To &to)
{
    p.head.y -= 0x01000000u;
    to.ip(p.head, 1);
    to.ethernet(make_uint4((p.ethernet.x & 0xFFFF) | (hop.x & 0xFFFF0000), hop.y, hop.z,
                           (p.ethernet.w & 0xFFFF0000) | (hop.w & 0xFFFF)));
    return (hop.x & 0xFFFF) << FWD6_RESULT_PORT_SHIFT | FWD6_FORWARD;
}

template <typename To>
static __device__ __forceinline__ unsigned forward(const unsigned char *slot, const unsigned *root,
                                                   const unsigned *nodes, const uint4 *hops,
                                                   unsigned mtu, const To &to)
{
    Packet p;
    p.slot = (const uint4 *)slot;
    unsigned verdict = check(p);
    if (verdict != FWD6_NONE)
        return verdict;
    unsigned hop = lookup(root, nodes, p);
    if (hop == 0)
        return FWD6_NO_ROUTE;
    if (mtu && __byte_perm(p.head.y, 0, 0x4401) + FWD6_IPV6_BYTES > mtu)
        return FWD6_TOO_BIG;
    return rewrite(p, hops[hop], to);
}

/* A batch: thread i has the packet in slot i, for i < count. */
static __device__ __forceinline__ void ipv6_batch(unsigned i, unsigned count, unsigned char *slots,
                                                  unsigned slot_bytes, const unsigned *root,
                                                  const unsigned *nodes, const uint4 *hops,
                                                  unsigned mtu, unsigned *results)
{
    if (i >= count)
        return;
    unsigned char *slot = slots + (size_t)i * slot_bytes;
    results[i] = forward(slot, root, nodes, hops, mtu, InPlace{(uint4 *)slot});
}

#endif
