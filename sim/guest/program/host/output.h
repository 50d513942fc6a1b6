/* The output of a program's kernels on its way to the program. Owner: output.c. */
#ifndef EVGPU_GUEST_PROGRAM_HOST_OUTPUT_H
#define EVGPU_GUEST_PROGRAM_HOST_OUTPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct program;
struct host_thread;

struct program_output {
    char *text; /* printed, not yet handed over */
    size_t bytes, room;
};

/* Takes it from the GPU; returns the bytes that are to be handed over. */
uint32_t output_collect(struct program *p);
/* Hands them over; false: the program is gone. */
bool output_send(const struct host_thread *t);
void output_forget(struct program *p);
/* Of an ended process: nobody takes it. */
void output_drop(struct program *p);
void output_free(struct program *p);

#endif
