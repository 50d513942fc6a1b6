/* Blocks of bytes that a thread of their own produces ahead of their use, so that decompression
 * does not hold up the simulation. The data read do not depend on the time. */
#ifndef EVGPU_CPU_TRACE_READ_AHEAD_H
#define EVGPU_CPU_TRACE_READ_AHEAD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

struct read_ahead;

/* `produce` fills up to `room` bytes and returns how many; 0, or any with an error, is the end.
 * Only the thread calls it, until read_ahead_stop has returned. */
struct read_ahead *read_ahead_start(size_t (*produce)(void *user, uint8_t *to, size_t room,
                                                      struct error *err),
                                    void *user, size_t room, struct error *err);
void read_ahead_stop(struct read_ahead *a);

/* The next block, good until the next call; 0 bytes at the end or with the error, which comes
 * behind all bytes. */
size_t read_ahead_take(struct read_ahead *a, const uint8_t **block, struct error *err);

#endif
