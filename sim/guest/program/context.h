/* The context of a program: all that its processes have on the GPU. It dies with the last of them,
 * however that ends - by exit, by exec, by a signal - as with CUDA: what is under way is given up,
 * and nothing of it holds anybody. Its kernels end (gpu_end_owner), its rows of the event kernel
 * table are closed, copies stop, waits in streams end, host functions are not called; then its
 * memory goes back. A later process of the same program has a new context, which begins when the
 * one before is gone. Owner: context.c. */
#ifndef EVGPU_GUEST_PROGRAM_CONTEXT_H
#define EVGPU_GUEST_PROGRAM_CONTEXT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"

struct program;

struct program_context {
    bool expired;  /* its processes are gone */
    bool given_up; /* what was under way has been told to end */
    bool returned; /* its memory has gone back */
    uint32_t held; /* records of it that somebody will still call back */
};

/* The last process that uses it is gone. */
void context_expire(struct program *p);

/* Somebody will call back for a record of it; has done so. */
void context_hold(struct program *p);
void context_let(struct program *p);

/* Its processes are gone, and what comes to its turn in a stream is only to end. */
bool context_dead(const struct program *p);
/* Nothing of it is on its way any more; and its memory has gone back. */
bool context_quiet(const struct program *p);
bool context_over(const struct program *p);
/* Calls wait for its end. */
bool context_ending(const struct program *p);
/* context_tick has something to do. */
bool context_due(const struct program *p);

/* Whether calls may be served: of one without processes, ends what is under way and then gives its
 * memory back, after which the next one begins for whoever is there. */
bool context_tick(struct program *p, uint64_t cycle);
/* A new one, or the last; the old one is over. */
bool context_renew(struct program *p, struct error *err);
void context_free(struct program *p);

#endif
