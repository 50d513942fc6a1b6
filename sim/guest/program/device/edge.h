/* Event kernels of a program: the calls of the EDGE API (sw/edge/edge_cuda.c). Owner: edge.c. */
#ifndef EVGPU_GUEST_PROGRAM_DEVICE_EDGE_H
#define EVGPU_GUEST_PROGRAM_DEVICE_EDGE_H

#include <stdint.h>

struct program;
struct host_thread;

struct program_ports {
    uint32_t bound, finished; /* devices that have an event kernel of the program */
};

void edge_call(struct host_thread *t, uint64_t cycle);
void edge_clear(struct program *p); /* the process has ended */

#endif
