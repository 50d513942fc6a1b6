/* Advances a simulated machine to its end: skips cycles in which nothing can happen, reports
 * progress, and turns a hang into one message (docs/design/architecture.md). */
#ifndef EVGPU_SYSTEM_RUN_LOOP_H
#define EVGPU_SYSTEM_RUN_LOOP_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"

#define DEFAULT_MAX_CYCLES      1000000000000000000u /* decades: idle time is free */
#define DEFAULT_WATCHDOG_CYCLES 2000000u
#define PROGRESS_STEPS          4096u /* ticks between two looks at progress */

/* The subject of a run. */
struct run_target {
    void *self;
    bool (*tick)(void *self, struct error *err);
    uint64_t (*cycle)(const void *self);
    uint64_t (*next_event)(const void *self); /* UINT64_MAX: nothing will ever happen again */
    void (*skip_to)(void *self, uint64_t cycle);
    bool (*done)(const void *self);
    uint64_t (*work)(const void *self); /* grows as long as the machine gets on */
    void (*describe)(const void *self, void (*line)(void *user, const char *text), void *user);
    /* The part that is done, 0 to 1, of what has a known end; negative: nothing has. *whole: all
     * has. May be NULL. */
    double (*share)(const void *self, bool *whole);
    /* What is at work, the part of it that is done, and a number that is another for the next;
     * NULL: nothing is. May be NULL. */
    const char *(*current)(const void *self, double *share, uint32_t *id);
};

struct run_control {
    uint64_t max_cycles;               /* 0: the default */
    uint64_t watchdog_cycles;          /* cycles without work; 0: the default */
    const volatile sig_atomic_t *stop; /* set by a signal handler; may be NULL */
    void (*progress)(void *user, const struct run_target *target); /* now and then; may be NULL */
    void *user;
};

enum run_end {
    RUN_DONE,
    RUN_STOPPED, /* the stop flag was set, even if all was done by then */
    RUN_LIMIT,   /* max_cycles reached */
    RUN_HUNG,    /* the watchdog's message is in err, one line */
    RUN_FAILED   /* a program or tile error is in err */
};

/* `err` is set for every end but RUN_DONE. */
enum run_end run_loop(const struct run_target *target, const struct run_control *control,
                      struct error *err);

#endif
