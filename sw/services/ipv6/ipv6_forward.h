/* The memory layout shared by the IPv6 forwarding kernel (ipv6_forward.cu), the device that fills
 * its buffers and the host reference (forward6.h). Read by the CUDA and by the C compiler.
 *
 * Packet slots and next hops are those of IPv4 (sw/services/ipv4/ipv4_forward.h).
 *
 * Forwarding table: a trie whose root covers the first 16 bits of an address and every other node
 * the next 8. An entry is 0 for no route, a next hop number 1..., or, with FWD6_NODE_FLAG, the
 * number n of the next node: its entries are nodes[n * 256 + next byte]. Shorter prefixes are
 * repeated in the nodes below them, so that the last entry found is the answer. */
#ifndef EVGPU_SW_IPV6_FORWARD_H
#define EVGPU_SW_IPV6_FORWARD_H

#include "../common/hop.h"

#define FWD6_ETHERNET_BYTES 14
#define FWD6_FRAME_OFFSET   2
#define FWD6_SLOT_ALIGN     16
#define FWD6_IPV6_BYTES     40
#define FWD6_ETHERTYPE      0x86DD
#define FWD6_ROOT_ENTRIES   65536u
#define FWD6_NODE_ENTRIES   256u
#define FWD6_NODE_FLAG      0x80000000u

/* The result of a packet; the low byte of its result word. A result word of 0 was never written.
 */
enum fwd6_verdict {
    FWD6_NONE,
    FWD6_FORWARD,    /* sent to the port in bits 31..16 of the result word */
    FWD6_NO_ROUTE,   /* ICMP destination unreachable; all but FORWARD leave the packet as it came */
    FWD6_HOP_LIMIT,  /* 0 or 1 on arrival; ICMP time exceeded */
    FWD6_TOO_BIG,    /* above the MTU; ICMP packet too big */
    FWD6_TOO_SHORT,  /* frame ends before its header, or before its payload length */
    FWD6_BAD_HEADER, /* not IPv6 */
    FWD6_BAD_ADDRESS, /* one that no router forwards: unspecified, loopback, link-local; multicast
                       */
    FWD6_VERDICTS
};
#define FWD6_RESULT_PORT_SHIFT 16

#endif
