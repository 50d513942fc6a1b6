/* Calls of host threads: how they begin, wait and return. */
#ifndef EVGPU_GUEST_PROGRAM_HOST_CALL_H
#define EVGPU_GUEST_PROGRAM_HOST_CALL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Errors of CUDA's runtime API that the driver API has no name for. */
#define ERROR_INVALID_CONFIGURATION 9u
#define ERROR_INVALID_PITCH         12u
#define ERROR_INVALID_DIRECTION     21u

struct program;
struct host_thread;

/* The thread whose turn it is begins its call or goes on with it. */
void call_serve(struct host_thread *t, uint64_t cycle);

/* The call returns after the time of a call with this status, values and payload being set. */
void call_done(struct host_thread *t, uint32_t status, uint64_t cycle);
void call_done_after(struct host_thread *t, uint32_t status, uint64_t cycle, uint32_t ns);
/* It succeeds with a copy of these bytes as its payload. */
void call_answer(struct host_thread *t, uint64_t cycle, const void *data, size_t bytes);
/* It returns with a message that the client prints. */
void call_fail(struct host_thread *t, uint32_t status, uint64_t cycle, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
/* It returns in this cycle. */
void call_reply(struct host_thread *t, uint64_t cycle);

/* Calls `then` as soon as `ready`. */
void call_wait(struct host_thread *t, uint64_t cycle, bool (*ready)(const struct host_thread *t),
               void (*then)(struct host_thread *t, uint64_t cycle));
void call_check_waits(struct program *p, uint64_t cycle);

uint64_t call_cycles(const struct program *p, uint64_t ns);
uint64_t call_clock_ns(const struct program *p, uint64_t cycle);

#endif
