/* Launches of a program's kernels, and their parameter buffers. Owner: launch.c. */
#ifndef EVGPU_GUEST_PROGRAM_DEVICE_LAUNCH_H
#define EVGPU_GUEST_PROGRAM_DEVICE_LAUNCH_H

#include <stdint.h>

struct program;
struct host_thread;

#define PARAM_ROOM 4608u /* bytes of a parameter buffer: CUDA's 4 KiB and some padding */

struct program_parameters {
    uint64_t *free; /* addresses of buffers that no launch has */
    uint32_t count, capacity;
};

void launch_call(struct host_thread *t, uint64_t cycle);
/* The launch is over, its buffer free. */
void launch_give_parameters(struct program *p, uint64_t address);
void launch_free(struct program *p);

#endif
