/* Samples of the wait reasons of each owner's warps, the more often the fewer warps there are to
 * look at: to keep account of each warp in each cycle would cost as much as the schedulers
 * themselves. Owner: sample.c. */
#ifndef EVGPU_SIMT_SAMPLE_H
#define EVGPU_SIMT_SAMPLE_H

#include <stdbool.h>
#include <stdint.h>

struct core;
struct recorder; /* recorder.h */

struct sampler {
    uint64_t next;             /* cycle of the next sample */
    uint64_t interval;         /* from the one before: cycles that it stands for */
    struct recorder *recorder; /* keeps each warp's state as well; NULL: nobody asked for it */
};

/* A sample is due in a cycle before `cycle`. */
static inline bool sample_due(const struct sampler *s, uint64_t cycle)
{
    return cycle > s->next;
}

void sampler_create(struct sampler *s);
void sampler_destroy(struct sampler *s);
/* From here on each warp's state is kept as well. */
void sampler_record(struct sampler *s);
const struct recorder *sampler_recorded(const struct sampler *s);
/* Before the tick of `cycle`: the warps as they were at the end of the last one, for every sample
 * since then. */
void sample_take(struct core *c, uint64_t cycle);
/* The same, when the core would have been ticked in each cycle: one after the other. */
void sample_take_each(struct core *c, uint64_t cycle);

#endif
