/* Which threads of the process are to be waited for in real time before simulated time may pass
 * (program.h). Owner: settle.c. */
#ifndef EVGPU_GUEST_PROGRAM_HOST_SETTLE_H
#define EVGPU_GUEST_PROGRAM_HOST_SETTLE_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/error.h"

struct program;

/* A task of the operating system that is not in a call. */
struct program_task {
    pid_t pid, tid;
    uint64_t switches;
    uint64_t since_ms;      /* it is as it is */
    uint64_t since_used_ms; /* the processor time that it had used then */
    bool asleep, steady, seen;
    bool patient; /* has slept long, polls or spins; need not be waited for */
    /* Since its last call, or its last wait for another thread: */
    uint64_t begun_used_ms; /* the processor time that it had used then */
    uint64_t slept_ms;      /* in short sleeps, as far as they were seen */
    uint64_t looked_ms;     /* the last look at these sleeps, */
    bool dozes;             /* which saw one */
    uint32_t calls;
};

struct program_settle {
    struct program_task *tasks;
    uint32_t n_tasks, cap_tasks;
    bool unsettled;  /* a thread has returned to the program since settle_wait */
    uint64_t looked; /* cycle of the last look at the process */
};

/* Waits until time may pass; false with `err`: the run fails. */
bool settle_wait(struct program *p, struct error *err);
/* Takes the messages of the process, waiting up to `ms` for the first; time may pass without. */
void settle_look(struct program *p, int ms);
/* A thread returns to the program. */
void settle_again(struct program *p);
bool settle_needed(const struct program *p);
uint64_t settle_next_look(const struct program *p);
void settle_clear(struct program *p); /* the process has ended */
void settle_free(struct program *p);

#endif
