/* The device as a program sees it: its properties, its limits, its reset. Owner: device.c. */
#ifndef EVGPU_GUEST_PROGRAM_DEVICE_DEVICE_H
#define EVGPU_GUEST_PROGRAM_DEVICE_DEVICE_H

#include <stdint.h>

struct program;
struct host_thread;

struct program_limits {
    uint64_t values[8]; /* by CUlimit; 0: not known */
};

void device_init(struct program *p);
/* WIRE_HELLO: the properties, and the descriptor of the memory file. */
void device_hello(struct host_thread *t, uint64_t cycle);
void device_limit(struct host_thread *t, uint64_t cycle);
void device_reset(struct host_thread *t, uint64_t cycle);

#endif
