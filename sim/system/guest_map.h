/* The guests' share of the addresses that have what is mapped there (sim/mem/image/map.h): all
 * guests share the addresses, and only a guest's own kernels reach what it has mapped. */
#ifndef EVGPU_SYSTEM_GUEST_MAP_H
#define EVGPU_SYSTEM_GUEST_MAP_H

#include "sim/mem/image/map.h"
#include "sim/system/guest.h"

#define GUEST_MAP_UNIT IMAGE_MAP_UNIT /* sizes and addresses below are multiples of it */

struct guest_mapping {
    uint64_t address, bytes;
    uint64_t from;   /* the memory, in an allocation of the guest's */
    uint64_t serial; /* its number among the guest's mappings, for messages */
};

/* A range of addresses, at `wish` if it is free (0: anywhere); 0: there is none. */
uint64_t guest_reserve(struct guest *g, uint64_t bytes, uint64_t align, uint64_t wish);
/* Nothing is mapped in the range. */
void guest_unreserve(struct guest *g, uint64_t address);

/* Kernels have no access at first. False: the host refuses another mapping. */
bool guest_map(struct guest *g, const struct guest_mapping *mapping);
void guest_map_access(struct guest *g, const struct guest_mapping *mapping, bool open);
void guest_unmap(struct guest *g, const struct guest_mapping *mapping);

#endif
