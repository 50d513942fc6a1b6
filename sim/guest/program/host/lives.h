/* The processes of a program that use the library: whether they are there. Their channels alone do
 * not say so, since a child that was forked behind the library's back holds them, too. A process is
 * gone when the operating system says so, or when it has closed its life line (sw/cuda/protocol.h):
 * then it runs another program. Owner: lives.c. */
#ifndef EVGPU_GUEST_PROGRAM_HOST_LIVES_H
#define EVGPU_GUEST_PROGRAM_HOST_LIVES_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

struct program;
struct pollfd;

struct life {
    pid_t pid;
    int process; /* pidfd; -1: the kernel has none */
    int line;    /* life line; -1: none was opened */
};

struct program_lives {
    struct life *list;
    uint32_t count, capacity;
};

#define LIFE_POLLS 2u /* descriptors of each to poll */

/* The process at the other end, which has opened the channel; 0: not known. */
pid_t lives_owner(int channel);
/* It is there; `line` is its life line, or -1. */
void lives_join(struct program *p, pid_t pid, int line);

uint32_t lives_count(const struct program *p);
bool lives_gone(const struct program *p, pid_t pid);
/* Fills in what to poll, LIFE_POLLS for each; then whoever is gone loses its channels. */
void lives_watch(const struct program *p, struct pollfd *fds);
void lives_look(struct program *p, const struct pollfd *fds);

/* None is there any more, whatever it does. */
void lives_end(struct program *p);
void lives_free(struct program *p);

#endif
