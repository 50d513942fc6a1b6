/* Threads that share out the parts of one piece of work and meet at its end. Whoever calls team_run
 * works along; the others spin between two pieces for some microseconds and then sleep.
 *
 * Every part is done exactly once. Which thread does it is open: whoever has none of its own left
 * takes one from another, and a thread that the operating system has suspended is not waited for
 * unless it has begun a part. So parts that touch nothing of each other make a piece of work whose
 * result does not depend on the number of threads. */
#ifndef EVGPU_BASE_TEAM_H
#define EVGPU_BASE_TEAM_H

#include <stdint.h>

#define TEAM_THREADS 64u    /* at most, the caller's included */
#define TEAM_PARTS   32767u /* of one piece of work, at most */

struct team;

/* `threads`: 1 to TEAM_THREADS; with 1 there is none beside the caller's. Out of threads ends the
 * program with a message. */
struct team *team_create(uint32_t threads);
void team_destroy(struct team *team); /* NULL: nothing */
uint32_t team_threads(const struct team *team);

/* work(user, part) for every part below `count`; returns when all are done. What the caller has
 * written before, the parts see; what they have written, the caller sees afterwards. */
void team_run(struct team *team, uint32_t count, void (*work)(void *user, uint32_t part),
              void *user);

#endif
