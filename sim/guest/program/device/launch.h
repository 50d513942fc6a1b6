/* Launches of a program's kernels, and their parameter buffers. Owner: launch.c. */
#ifndef EVGPU_GUEST_PROGRAM_DEVICE_LAUNCH_H
#define EVGPU_GUEST_PROGRAM_DEVICE_LAUNCH_H

#include <stdint.h>

struct program;
struct host_thread;

/* Bytes of parameter buffers: CUDA's 4 KiB, or since version 12.1 32764 bytes, and some padding. */
#define PARAM_ROOM       4608u
#define PARAM_ROOM_LARGE 33280u

struct program_parameters {
    uint64_t *free; /* addresses of buffers that no launch has */
    uint32_t count, capacity;
};

void launch_call(struct host_thread *t, uint64_t cycle);
/* The launch is over, its buffer of `room` bytes free. */
void launch_give_parameters(struct program *p, uint64_t address, uint32_t room);
void launch_free(struct program *p);

#endif
