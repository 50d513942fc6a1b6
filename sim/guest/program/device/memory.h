/* The books of a program's memory: its allocations, and their kinds. Owner: memory.c. */
#ifndef EVGPU_GUEST_PROGRAM_DEVICE_MEMORY_H
#define EVGPU_GUEST_PROGRAM_DEVICE_MEMORY_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

struct program;
struct host_thread;
struct image_note;

struct area {
    uint64_t address, bytes;
    uint32_t kind, flags; /* kind: enum wire_memory */
    pid_t process;        /* that has allocated it */
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
/* [address, address + bytes) lies in one area, or in mapped ones without a gap, all with access. */
bool memory_inside(const struct program *p, uint64_t address, uint64_t bytes);
bool memory_is_open(const struct area *area);
uint32_t memory_count(const struct program *p);
const struct area *memory_at(const struct program *p, uint32_t index);

void memory_add(struct program *p, const struct area *area);
/* Gives an area back that is known to begin there. */
void memory_drop(struct program *p, uint64_t address);
/* The same of mapped memory, which somebody else gives back; flags: 1 with access, 0 without. */
void memory_unmapped(struct program *p, uint64_t address);
void memory_set_flags(struct program *p, uint64_t address, uint32_t flags);
/* Memory of the device that is no area: a block, or 0 when the device has no room for it. */
uint64_t memory_take_block(struct program *p, uint64_t bytes, const struct image_note *note);
void memory_give_block(struct program *p, uint64_t address, uint64_t bytes);
/* Bytes that the device has left. */
uint64_t memory_available(const struct program *p);
/* What a process has allocated (0: all of them), but the variables of modules and memory by handle.
 */
void memory_release_all(struct program *p, pid_t process);
/* All of an ended process; its bytes count as not freed until they are forgotten. */
void memory_return(struct program *p);
void memory_forget(struct program *p);
void memory_end(struct program *p); /* the guest ends */

uint64_t memory_peak(const struct program *p);   /* bytes of device memory */
uint64_t memory_leaked(const struct program *p); /* bytes not freed, of the device and pinned */

#endif
