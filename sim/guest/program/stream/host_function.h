/* Host functions in streams (cudaLaunchHostFunc): a thread of the client library asks for them one
 * after the other and runs them. */
#ifndef EVGPU_GUEST_PROGRAM_STREAM_HOST_FUNCTION_H
#define EVGPU_GUEST_PROGRAM_STREAM_HOST_FUNCTION_H

#include <stdint.h>

struct program;
struct host_thread;
struct command;
struct stream;

void host_function_submit(struct host_thread *t, const struct stream *s);
/* The turn of one has come in its stream. */
void host_function_start(struct command *c, uint64_t cycle);
/* WIRE_NEXT_FUNCTION. */
void host_function_next(struct host_thread *t, uint64_t cycle);
/* The thread runs none any more, whether it has ended one or itself. */
void host_function_over(struct host_thread *t, uint64_t cycle);
/* Nobody waits in a call any more for what is in the streams, and no host function runs. */
void host_function_forget_callers(struct program *p, uint64_t cycle);

#endif
