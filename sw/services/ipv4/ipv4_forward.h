/* The memory layout shared by the IPv4 forwarding kernels (sw/services/ipv4/ipv4_forward.cu), the
 * device that fills their buffers and the host reference (sw/services/ipv4/forward.h). Plain
 * constants and structs, read by the CUDA and by the C compiler.
 *
 * Packet slot: a 2-byte frame length, then the Ethernet frame without FCS, so that the IPv4 header
 * starts on a 16-byte boundary. Slots are FWD_SLOT_ALIGN bytes aligned and `slot_bytes` apart.
 *
 * Forwarding table: DIR-24-8. level1[address >> 8] is 0 for no route, a next hop number 1..., or,
 * with FWD_BLOCK_FLAG, the number b of a second-level block: level2[b * 256 + (address & 255)] is
 * then a next hop number or 0. Next hop h is hops[h]; hops[0] is not used. */
#ifndef EVGPU_SW_IPV4_FORWARD_H
#define EVGPU_SW_IPV4_FORWARD_H

#include "../common/hop.h"

#define FWD_SLOT_ALIGN     16
#define FWD_FRAME_OFFSET   2 /* of the frame in its slot, bytes; the length comes before it */
#define FWD_ETHERNET_BYTES 14
#define FWD_IPV4_BYTES     20 /* header without options */
#define FWD_ETHERTYPE_IPV4 0x0800
#define FWD_LEVEL1_ENTRIES (1u << 24)
#define FWD_BLOCK_ENTRIES  256u
#define FWD_BLOCK_FLAG     0x80000000u

/* The result of a packet; the low byte of its result word. A result word of 0 was never written.
 */
enum fwd_verdict {
    FWD_NONE,
    FWD_FORWARD,      /* sent to the port in bits 31..16 of the result word, header rewritten */
    FWD_NO_ROUTE,     /* all other verdicts leave the packet as it came */
    FWD_TTL_EXPIRED,  /* TTL 0 or 1 on arrival; RFC 1812, 5.3.1 */
    FWD_BAD_CHECKSUM, /* of the IPv4 header */
    FWD_TOO_SHORT,    /* frame ends before its header, or before its total length */
    FWD_BAD_HEADER,   /* not IPv4, header length below 5 words, total length below the header's */
    FWD_VERDICTS
};
#define FWD_RESULT_PORT_SHIFT 16

#endif
