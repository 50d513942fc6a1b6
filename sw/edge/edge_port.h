/* A service's device as a program sees it that brings its own event kernel: what the kernel will
 * find in memory, and what the device must be told. */
#ifndef EVGPU_SW_EDGE_PORT_H
#define EVGPU_SW_EDGE_PORT_H

#include <stdint.h>

#define EDGE_PORT_RESOURCES 8
#define EDGE_PORT_NAME      32

/* Something that the service has put into device memory, such as a routing table. */
struct edge_resource {
    char name[EDGE_PORT_NAME];
    uint64_t address, bytes;
};

/* Sizes and offsets in bytes. The device fills `count` slots of an entry's input, one per item,
 * each a `length_bytes` wide length at `length_offset` and the item at `item_offset`; it writes the
 * count (4 bytes) where the entry says, then rings the doorbell. When "done" has arrived it reads
 * `count` results of `result_bytes` each: their meaning is the service's own. */
struct edge_port_info {
    uint64_t completion;  /* bus address of entry 0's completion word; entry k's is 4 k further */
    uint32_t max_entries; /* of the submission queue */
    uint32_t batch;       /* items per event, at most */
    uint32_t slot_bytes;
    uint32_t length_offset, length_bytes, item_offset;
    uint32_t result_bytes;
    uint16_t requester; /* for the registration */
    uint16_t n_resources;
    struct edge_resource resources[EDGE_PORT_RESOURCES];
};

/* Device addresses of one submission queue entry's buffers. `output` may equal `input`. */
struct edge_port_entry {
    uint64_t input, output; /* batch x slot_bytes each */
    uint64_t results;       /* batch x result_bytes */
    uint64_t count;         /* of the kernel's uint32_t argument that says how many */
};

#endif
