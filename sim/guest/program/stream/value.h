/* Writes of single values in streams, and waits for them (cuStreamWriteValue32,
 * cuStreamWaitValue32, cuStreamBatchMemOp). Owner: value.c.
 *
 * A wait may end by a kernel, by a copy, by another stream or by a plain store of the host, of
 * which nobody tells the simulator. So while one is unsatisfied its word is looked at again and
 * again: by the clock while anything else of the program goes on, else in real time. */
#ifndef EVGPU_GUEST_PROGRAM_STREAM_VALUE_H
#define EVGPU_GUEST_PROGRAM_STREAM_VALUE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"

struct program;
struct host_thread;
struct command;

struct program_values {
    uint32_t waiting; /* commands at a wait that does not hold yet */
    uint64_t looked;  /* cycle of the last look */
};

/* WIRE_STREAM_VALUES. */
void value_call(struct host_thread *t, uint64_t cycle);
/* The turn of one has come in its stream. */
void value_start(struct command *c, uint64_t cycle);
/* Goes on with those whose waits hold now. */
void values_tick(struct program *p, uint64_t cycle);
uint64_t values_next_event(const struct program *p);
/* Nothing but a store of the host can end the waits that keep the program. */
bool values_stuck(const struct program *p);
/* The oldest of them, and that nobody is left to end it. */
void values_describe(const struct program *p, struct error *err);
/* The waits end, and nothing more is written. */
void values_abandon(struct program *p, uint64_t cycle);

#endif
