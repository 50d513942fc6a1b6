/* A program's memory by handle: ranges of addresses, memory without an address, and which of it is
 * mapped where. Mapped memory is also an area of memory.h. Memory lives as long as a handle of it
 * is held or a part of it is mapped. Owner: mapping.c. */
#ifndef EVGPU_GUEST_PROGRAM_DEVICE_MAPPING_H
#define EVGPU_GUEST_PROGRAM_DEVICE_MAPPING_H

#include <stdint.h>

#include "sim/system/guest_map.h"

struct program;
struct host_thread;

struct range {
    uint64_t address, bytes;
};

struct handle {
    uint64_t id;
    uint64_t address, bytes;
    uint64_t flags;          /* the client's */
    uint64_t holders, parts; /* releases that are to come; mappings */
};

struct mapping {
    struct guest_mapping at;
    uint64_t handle;
};

struct program_mappings {
    struct range *ranges;
    struct handle *handles;
    struct mapping *list; /* by address */
    uint32_t n_ranges, range_capacity, n_handles, handle_capacity, count, capacity;
    uint64_t last_id, serial; /* of handles; of mappings */
};

/* The calls WIRE_RESERVE to WIRE_MAP_ACCESS. */
void mapping_call(struct host_thread *t, uint64_t cycle);

/* The processes have ended. */
void mappings_release_all(struct program *p);
void mappings_end(struct program *p); /* the guest ends */

#endif
