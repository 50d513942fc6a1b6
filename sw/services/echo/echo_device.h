/* Device code of the echo kernels: the work on one packet. The host reference is echo_reference.c. */
#ifndef EVGPU_SW_ECHO_DEVICE_H
#define EVGPU_SW_ECHO_DEVICE_H

#include "../common/network_device.h"
#include "echo.h"

/* A slot as 16-byte vectors; the IPv4 header starts with the second. The network writes slots while
 * the L1 cache may still hold an earlier packet of the same slot, so they are read at L2. */
struct Packet {
    uint4 *slot;
    uint4 ethernet;       /* length, destination, source, EtherType */
    uint4 ip;             /* words 0..3 of the header */
    unsigned destination; /* word 4 */
    unsigned header;      /* words of the header */
    unsigned ports;       /* source and destination, as they lie in memory */
};

/* ECHO_NONE when the packet is to be answered. `port` 0: any. */
static __device__ __forceinline__ unsigned check(Packet &p, unsigned port)
{
    p.ethernet = __ldcg(p.slot);
    unsigned length = p.ethernet.x & 0xFFFF;
    if (length < ECHO_ETHERNET_BYTES + ECHO_IPV4_BYTES + ECHO_UDP_BYTES)
        return ECHO_TOO_SHORT;
    p.ip = __ldcg(p.slot + 1);
    const unsigned *words = (const unsigned *)(p.slot + 1);
    p.destination = __ldcg(words + 4);
    p.header = p.ip.x & 0xF;
    unsigned total = swap16(p.ip.x >> 16);
    if ((p.ethernet.w >> 16) != swap16(ECHO_ETHERTYPE) || (p.ip.x & 0xF0) != 0x40 || p.header < 5 ||
        total < 4 * p.header)
        return ECHO_BAD_HEADER;
    if (total + ECHO_ETHERNET_BYTES > length)
        return ECHO_TOO_SHORT;

    unsigned sum = add_word(add_word(add_word(0, p.ip.x), p.ip.y), p.ip.z);
    sum = add_word(add_word(sum, p.ip.w), p.destination);
    for (unsigned i = 5; i < p.header; i++)
        sum = add_word(sum, __ldcg(words + i));
    if (fold(sum) != 0xFFFF)
        return ECHO_BAD_CHECKSUM;

    if ((swap16(p.ip.y >> 16) & ECHO_FRAGMENT) || (p.ip.z >> 8 & 0xFF) != ECHO_PROTOCOL_UDP)
        return ECHO_OTHER;
    if (total < 4 * p.header + ECHO_UDP_BYTES)
        return ECHO_BAD_HEADER;
    p.ports = __ldcg(words + p.header);
    unsigned datagram = swap16(__ldcg(words + p.header + 1) & 0xFFFF);
    if (datagram < ECHO_UDP_BYTES || datagram > total - 4 * p.header)
        return ECHO_BAD_HEADER;
    if (port && swap16(p.ports >> 16) != port)
        return ECHO_OTHER;
    return (p.ports & 0xFFFF) == p.ports >> 16 ? ECHO_LOOP : ECHO_NONE;
}

static __device__ __forceinline__ unsigned answer(const Packet &p)
{
    const uint4 &e = p.ethernet;
    unsigned *words = (unsigned *)(p.slot + 1);
    *p.slot = make_uint4((e.x & 0xFFFF) | e.z << 16, e.z >> 16 | e.w << 16, e.x >> 16 | e.y << 16,
                         e.y >> 16 | (e.w & 0xFFFF0000));
    words[3] = p.destination;
    words[4] = p.ip.w;
    words[p.header] = p.ports << 16 | p.ports >> 16;
    return ECHO_ANSWERED;
}

/* A batch: thread i has the packet in slot i, for i < count. */
static __device__ __forceinline__ void echo_batch(unsigned i, unsigned count, unsigned char *slots,
                                                  unsigned slot_bytes, unsigned port,
                                                  unsigned *results)
{
    if (i >= count)
        return;
    Packet p;
    p.slot = (uint4 *)(slots + (size_t)i * slot_bytes);
    unsigned verdict = check(p, port);
    results[i] = verdict == ECHO_NONE ? answer(p) : verdict;
}

#endif
