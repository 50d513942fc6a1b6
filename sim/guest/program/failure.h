/* The failure of a program, by a kernel of it or with the machine: all its calls return an error
 * from then on, until it ends. Owner: failure.c. */
#ifndef EVGPU_GUEST_PROGRAM_FAILURE_H
#define EVGPU_GUEST_PROGRAM_FAILURE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"

struct program;
struct guest_fault;

struct program_failure {
    uint32_t status;    /* CUDA's error that every call gets, 0: none */
    uint64_t since_ms;  /* real time of that */
    struct error fault; /* something that a callback found: the run fails */
};

uint32_t failure_status(const struct program *p);
/* The program has had long enough to end with its error. */
bool failure_patience_over(const struct program *p);

void failure_faulted(void *self, uint64_t cycle, const struct guest_fault *fault);
/* After a failure of the machine the program is served until it ends, with nothing but the error.
 */
void failure_serve(void *self, const struct error *err);

/* The guest fails, at once or by the next failure_check. */
void failure_report(struct program *p, const char *text);
void failure_note(struct program *p, const char *text);
/* Reports what was noted, and a process that has died. */
void failure_check(struct program *p);

#endif
