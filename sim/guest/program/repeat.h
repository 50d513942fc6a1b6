/* Processes of a program one after the other beside services (program.h). Owner: repeat.c. */
#ifndef EVGPU_GUEST_PROGRAM_REPEAT_H
#define EVGPU_GUEST_PROGRAM_REPEAT_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "sim/gpu/gpu.h"

struct program;
struct program_options;

struct program_repeat {
    bool on, over;
    uint32_t least;     /* completions at least */
    uint32_t completed; /* processes that have ended with status 0 */
    uint64_t launches;  /* of the program when the present process was started */
    uint64_t next_look;
    uint64_t begin, end; /* cycles: services were at work between them */
    struct gpu_owner_work before, after;
};

void repeat_init(struct program *p, const struct program_options *options);
void repeat_begin(struct program *p, uint64_t cycle); /* services start */
/* The next process starts when one has ended in order, or it is over. */
bool repeat_tick(struct program *p, uint64_t cycle, struct error *err);
uint64_t repeat_next(const struct program *p); /* the next look at services */

bool repeat_on(const struct program *p);
bool repeat_pending(const struct program *p); /* on, and not over */
/* Only the services keep it going. */
bool repeat_follows(const struct program *p);
uint32_t repeat_completed(const struct program *p);

void repeat_print(const struct program *p, FILE *to);
json_t *repeat_json(const struct program *p);

#endif
