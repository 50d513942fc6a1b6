/* Which kernels are timed. The others are executed without time: the same values, blocks in any
 * order, no caches, no pipeline. */
#ifndef EVGPU_GPU_TIMING_H
#define EVGPU_GPU_TIMING_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"

#define TIMED_NAMES 16u

enum timed_kernels {
    TIMED_ALL,
    TIMED_NONE,
    TIMED_NAMED, /* those with one of the names */
    TIMED_EVERY, /* the first launch and then each `number`-th */
    TIMED_AFTER, /* launches that start in this cycle or later */
    TIMED_PLAN   /* those of `plan` */
};

struct launch_log;

struct timing_choice {
    enum timed_kernels kind;
    uint64_t number; /* of TIMED_EVERY and TIMED_AFTER */
    uint32_t n_names;
    const char *name[TIMED_NAMES]; /* not terminated; point into what was parsed */
    uint32_t length[TIMED_NAMES];
    struct launch_log *log;        /* NULL: launches are not recorded */
    const struct launch_log *plan; /* of TIMED_PLAN, which needs a log, too */
};

/* "all", "none", "every:N", "after:CYCLE", or names of kernels with commas. `text` is to outlive
 * the choice. False with `err`: it is none of these. */
bool timing_parse(const char *text, struct timing_choice *choice, struct error *err);

/* A launch is the how manieth of the GPU, from 0, and starts in this cycle: is it timed? Not for
 * TIMED_PLAN (launch_plan_times). */
bool timing_selects(const struct timing_choice *choice, const char *kernel, uint64_t launch,
                    uint64_t cycle);

/* Which of the names are the kernel's: bit i for name[i]. */
uint32_t timing_named(const struct timing_choice *choice, const char *kernel);

/* The name, or that of the source in front of its parameters and template arguments: _Z3addPfS_i
 * is add. */
bool timing_names(const char *name, uint32_t length, const char *kernel);

#endif
