/* Memory with full/empty bits: its allocation, and all that is done to it but copies. Owner:
 * full_empty.c. */
#ifndef EVGPU_GUEST_PROGRAM_DEVICE_FULL_EMPTY_H
#define EVGPU_GUEST_PROGRAM_DEVICE_FULL_EMPTY_H

#include <stdbool.h>
#include <stdint.h>

struct program;
struct host_thread;
struct command;

/* After a failure. */
struct program_unblock {
    uint32_t marks; /* under way that let waits for words go on */
    bool full;      /* the last of them filled */
};

void full_empty_alloc(struct host_thread *t, uint64_t cycle);
void full_empty_call(struct host_thread *t, uint64_t cycle);
void full_empty_mark(struct command *c);
/* The program has failed or ended: whatever of it waits for words goes on, as often as it does. */
void full_empty_unblock(struct program *p);
/* Whether [address, address + bytes) lies in one allocation with full/empty bits and is whole
 * words; false: the call has been answered. */
bool full_empty_check(struct host_thread *t, uint64_t cycle, const char *what, uint64_t address,
                      uint64_t bytes);

#endif
