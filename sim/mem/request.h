/* One memory access between a requester (SIMT core, host port, event unit) and a memory partition.
 * Plain data, copied by value through the network's queues. */
#ifndef EVGPU_MEM_REQUEST_H
#define EVGPU_MEM_REQUEST_H

#include <stdint.h>

#define LINE_BYTES   128u
#define SECTOR_BYTES 32u

enum request_kind {
    REQUEST_READ,   /* reply carries `sectors` x 32 bytes */
    REQUEST_WRITE,  /* request carries data; the reply is an acknowledgement */
    REQUEST_ATOMIC, /* performed at L2 through the perform callback; replies like a read */
    REQUEST_POLL    /* a read performed at L2 (volatile): served from L2, never from an L1 */
};

struct mem_request {
    uint64_t line;   /* device address, multiple of LINE_BYTES */
    uint32_t tag;    /* the requester's own; comes back unchanged in the reply */
    uint16_t source; /* requester port on the network */
    uint8_t kind;    /* enum request_kind */
    uint8_t sectors; /* bit i: bytes 32i..32i+31 of the line are wanted or written; never 0 */
    uint32_t words;  /* bit i: 4-byte word i is touched; 0: every word of `sectors` */
    uint8_t partial; /* of a write: some touched word is not written in all its bytes */
};

#endif
