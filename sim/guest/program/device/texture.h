/* Textures of a program: the calls about them. */
#ifndef EVGPU_GUEST_PROGRAM_DEVICE_TEXTURE_H
#define EVGPU_GUEST_PROGRAM_DEVICE_TEXTURE_H

#include <stdint.h>

struct host_thread;

void texture_call(struct host_thread *t, uint64_t cycle);

#endif
