/* A word, once in a while, about a program that is waited for in real time; simulated time stands
 * still meanwhile, and nothing depends on it. A program that has started the simulator itself is
 * told nothing: its user knows. */
#ifndef EVGPU_GUEST_PROGRAM_HOST_NOTICE_H
#define EVGPU_GUEST_PROGRAM_HOST_NOTICE_H

#include <stdint.h>

struct program;

struct notice {
    uint64_t since_ms, next_ms; /* real time */
};

struct notice notice_begin(void);
/* Says so on stderr when it is time: after a few seconds, then after twice as long, and so on. */
void notice_look(const struct program *p, struct notice *n);

#endif
