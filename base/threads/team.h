/* Threads that do the parts of one piece of work and meet at its end. Whoever calls team_run is the
 * first of them; the others spin between two pieces for some microseconds and then sleep.
 *
 * A part belongs to a thread, so that what it uses stays in that processor's cache from one piece
 * to the next. But a thread that the operating system has suspended is not waited for long: the
 * caller does what that thread has not begun, and all of it while that is faster (pace.h). So parts
 * that touch
 * nothing of each other make a piece of work whose result depends neither on the number of threads
 * nor on who was there.
 *
 * Another processor's cache line costs as much as some hundred instructions. What a thread is told
 * and what it answers therefore travel with the words that begin and end its part. */
#ifndef EVGPU_BASE_TEAM_H
#define EVGPU_BASE_TEAM_H

#include <stdint.h>

#define TEAM_THREADS 64u /* at most, the caller's included */
#define TEAM_LETTER  32u /* bytes */
#define TEAM_ANSWER  56u

struct team;

/* `threads`: 1 to TEAM_THREADS; with 1 there is none beside the caller's. Out of threads ends the
 * program with a message. */
struct team *team_create(uint32_t threads);
void team_destroy(struct team *team); /* NULL: nothing */
/* From now on the caller does nothing alone, as when a meeting is to be measured. */
void team_work_together(struct team *team);
uint32_t team_threads(const struct team *team);

/* Aligned for 64-bit words. The caller fills the letter before a piece of work, the thread's part
 * reads it and fills the answer, which the caller may read until the thread's next part. */
void *team_letter(struct team *team, uint32_t thread);
void *team_answer(struct team *team, uint32_t thread);

/* work(user, thread) for each thread whose bit is set in `parts`; returns when all are done. What
 * the caller has written before, the parts see; what they have written, the caller sees afterwards.
 */
void team_run(struct team *team, uint64_t parts, void (*work)(void *user, uint32_t thread),
              void *user);
/* The same for parts of a hundred microseconds and more, for which it is always worth to meet. */
void team_run_long(struct team *team, uint64_t parts, void (*work)(void *user, uint32_t thread),
                   void *user);

#endif
