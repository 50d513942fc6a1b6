/* The memory layout shared by the memcached GET kernel (memc_get.cu), the device that fills its
 * buffers and the host reference (memc.h). Read by the CUDA and by the C compiler.
 *
 * Packet slots are those of IPv4 (sw/services/ipv4/ipv4_forward.h): without IP options the request
 * begins at a multiple of four bytes.
 *
 * Table: `entries` items in buckets of MEMC_WAYS, both powers of two. tags[b * MEMC_WAYS + w] is
 * the hash of the key of item b * MEMC_WAYS + w (1 for a hash of 0), or 0 where there is none. A
 * key is in the bucket of its hash, or, where that is full, in the next with room; so a search ends
 * at an empty place. Item: struct memc_item, then the key with zeros up to `key_room` bytes (a
 * multiple of four), then the value; `item_bytes` apart. */
#ifndef EVGPU_SW_MEMC_GET_H
#define EVGPU_SW_MEMC_GET_H

#define MEMC_FRAME_OFFSET 2
#define MEMC_SLOT_ALIGN   16
#define MEMC_IP           14 /* offsets in the frame */
#define MEMC_UDP          34
#define MEMC_HEADER       42 /* memcached's own, before a datagram's request */
#define MEMC_REQUEST      50
#define MEMC_LEAST_FRAME  60 /* bytes, without FCS */
#define MEMC_WAYS         4u
#define MEMC_LONGEST_KEY  250u
#define MEMC_BINARY       24u /* bytes of a header of the binary protocol */
#define MEMC_NOT_FOUND    "Not found"
#define MEMC_TTL          64u

struct memc_item {
    unsigned short key_length, value_length;
    unsigned flags;  /* the client's */
    unsigned cas[2]; /* version, low half first */
};

/* A kernel's description of the table and of the packets. */
struct memc_shape {
    unsigned bucket_mask; /* buckets - 1 */
    unsigned item_bytes, key_room;
    unsigned port;           /* UDP port of the server, 0: any */
    unsigned skip_checksums; /* those of UDP: a capture taken at the sender has unfinished ones */
};

/* The result of a packet; the low byte of the first result word. 0: never written. HIT and MISS
 * are answered: the second word has the length of the reply's frame. The others leave the packet as
 * it came. */
enum memc_verdict {
    MEMC_NONE,
    MEMC_HIT,
    MEMC_MISS,
    MEMC_QUIET_MISS,     /* GETQ or GETKQ of what is not there: no reply */
    MEMC_TOO_SHORT,      /* frame ends before its headers or its total length */
    MEMC_BAD_HEADER,     /* not IPv4, with options, a fragment */
    MEMC_BAD_CHECKSUM,   /* of the IPv4 header */
    MEMC_OTHER,          /* not UDP, or another port */
    MEMC_BAD_UDP_LENGTH, /* beyond the packet, or too short for memcached's header */
    MEMC_BAD_UDP_CHECKSUM,
    MEMC_BAD_FRAME,   /* memcached's header: of several datagrams, or reserved bits */
    MEMC_UNKNOWN,     /* another command, or none */
    MEMC_SEVERAL,     /* keys or commands */
    MEMC_BAD_REQUEST, /* ends too early, lengths that do not agree, extra bytes */
    MEMC_BAD_KEY,     /* none, or more than 250 bytes */
    MEMC_VERDICTS
};

/* Binary protocol. */
#define MEMC_MAGIC_REQUEST 0x80u
#define MEMC_MAGIC_REPLY   0x81u
#define MEMC_OP_GET        0x00u
#define MEMC_OP_GETQ       0x09u
#define MEMC_OP_GETK       0x0Cu
#define MEMC_OP_GETKQ      0x0Du
#define MEMC_STATUS_ABSENT 1u

#endif
