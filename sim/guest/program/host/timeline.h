/* A program's calls on a timeline. */
#ifndef EVGPU_GUEST_PROGRAM_HOST_TIMELINE_H
#define EVGPU_GUEST_PROGRAM_HOST_TIMELINE_H

#include <stdint.h>

struct host_thread;

/* The thread's call returns at `cycle`. */
void program_timeline_call(struct host_thread *t, uint64_t cycle);

#endif
