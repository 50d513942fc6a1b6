/* The books of a program's memory: its allocations, and their kinds. Owner: memory.c. */
#ifndef EVGPU_GUEST_PROGRAM_DEVICE_MEMORY_H
#define EVGPU_GUEST_PROGRAM_DEVICE_MEMORY_H

#include <stdbool.h>
#include <stdint.h>

struct program;
struct host_thread;

struct area {
    uint64_t address, bytes;
    uint32_t kind, flags; /* kind: enum wire_memory */
};

struct program_memory {
    struct area *areas; /* by address */
    uint32_t count, capacity;
    uint64_t device_bytes, pinned_bytes, peak_bytes; /* allocated by calls; peak: of the device's */
    uint64_t allocations;                            /* calls that got memory, so far */
    uint64_t left;                                   /* bytes that ended processes had not freed */
};

void memory_alloc(struct host_thread *t, uint64_t cycle);
void memory_free(struct host_thread *t, uint64_t cycle);
void memory_pointer(struct host_thread *t, uint64_t cycle);
void memory_info(struct host_thread *t, uint64_t cycle);

const struct area *memory_find(const struct program *p, uint64_t address);
/* [address, address + bytes) lies in one area. */
bool memory_inside(const struct program *p, uint64_t address, uint64_t bytes);
uint32_t memory_count(const struct program *p);
const struct area *memory_at(const struct program *p, uint32_t index);

void memory_add(struct program *p, uint64_t address, uint64_t bytes, uint32_t kind, uint32_t flags);
/* Gives an area back that is known to begin there. */
void memory_drop(struct program *p, uint64_t address);
void memory_release_all(struct program *p); /* but the variables of modules */
/* All of an ended process; its bytes count as not freed until they are forgotten. */
void memory_return(struct program *p);
void memory_forget(struct program *p);
void memory_end(struct program *p); /* the guest ends */

uint64_t memory_peak(const struct program *p);   /* bytes of device memory */
uint64_t memory_leaked(const struct program *p); /* bytes not freed, of the device and pinned */

#endif
