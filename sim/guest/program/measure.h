/* The measurement of a program beside CPU cores, or up to a quota (sim/system/measure.h). Owner:
 * measure.c. */
#ifndef EVGPU_GUEST_PROGRAM_MEASURE_H
#define EVGPU_GUEST_PROGRAM_MEASURE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "sim/gpu/gpu.h"

struct program;
struct program_options;

struct program_measure {
    bool on;
    uint64_t quota; /* instructions of threads, 0: none */
    bool begun;     /* the GPU is open to it */
    bool done;      /* `work` is what was measured */
    bool completed; /* by the end of the process, not by the quota */
    bool given_up;  /* the run has ended before the process */
    uint64_t next_look;
    struct gpu_owner_work work;
    uint64_t end;         /* cycle in which it was done */
    uint32_t completions; /* processes that have ended */
};

void measure_init(struct program *p, const struct program_options *options);
bool measure_on(const struct program *p);
/* The part of the quota that is executed, 0 to 1; negative: the process sets the end. */
double measure_share(const struct program *p);
bool measure_given_up(const struct program *p);
uint32_t measure_completions(const struct program *p);

void measure_look(struct program *p, uint64_t cycle);
uint64_t measure_next(const struct program *p); /* the next look */
/* A measured process has ended and nothing of it is under way: the next one starts, if any. */
bool measure_completed(struct program *p, uint64_t cycle, struct error *err);
void measure_print(const struct program *p, FILE *to);

/* As guest_ops have them. */
bool measure_held(const void *self);
void measure_begin(void *self, uint64_t cycle);
bool measure_done(const void *self);
void measure_end(void *self, uint64_t cycle);

#endif
