/* The bytes of a host thread's channel. What a program has begun to say or to take is waited for in
 * real time, as the program itself is, but not beyond the end of its process or of the run. False:
 * there is nobody any more. */
#ifndef EVGPU_GUEST_PROGRAM_HOST_CHANNEL_H
#define EVGPU_GUEST_PROGRAM_HOST_CHANNEL_H

#include <stdbool.h>
#include <stdint.h>

struct host_thread;

bool channel_read(const struct host_thread *t, void *data, uint64_t bytes);
bool channel_write(const struct host_thread *t, const void *data, uint64_t bytes);
/* Waits until it can be written to. */
bool channel_writable(const struct host_thread *t);

#endif
