/* The host threads of a program: each has a channel, a clock and at most one call. Owner:
 * threads.c. */
#ifndef EVGPU_GUEST_PROGRAM_HOST_THREADS_H
#define EVGPU_GUEST_PROGRAM_HOST_THREADS_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "sw/cuda/protocol.h"

struct program;
struct command;

enum host_state {
    HOST_RUNNING, /* outside the library */
    HOST_ASKING,  /* has sent a request, which is not begun yet */
    HOST_WAITING, /* in a call */
    HOST_GONE     /* its channel is closed */
};

/* A thread and its call, which whoever answers it sees through. */
struct host_thread {
    struct program *program;
    int fd;
    pid_t pid, tid;
    uint32_t number;
    enum host_state state;
    uint32_t calls;
    uint64_t clock; /* cycle: end of the last call, then the begin of this one */
    uint64_t begun; /* cycle in which the call was begun */
    struct wire_request request;
    uint8_t *payload; /* of the request, followed by a NUL; may be taken (set to NULL) */
    struct wire_reply reply;
    char *text; /* payload of the reply, freed after sending; or NULL */
    uint32_t driver_thread;
    bool has_driver_thread;
    /* A call that goes on by itself at `wake`, or as soon as `ready` says so. */
    uint64_t wake;
    void (*resume)(struct host_thread *t, uint64_t cycle);
    bool (*ready)(const struct host_thread *t);
    uint64_t *marks; /* per stream: commands that must have been seen */
    uint32_t n_marks;
    struct command *function; /* host function that this thread runs */
};

struct program_threads {
    struct host_thread **list; /* by number; gone ones stay */
    uint32_t count, capacity;
    uint32_t *free_driver; /* threads of the driver that no host thread has */
    uint32_t n_free_driver, cap_free_driver;
};

/* A thread has opened the channel `fd`. */
void thread_add(struct program *p, int fd);
/* Its channel has something to read: takes the request, or notices the end. */
void thread_receive(struct host_thread *t);
/* Gives it a thread of the driver if it has none yet; false: there are no more. */
bool thread_take_driver(struct host_thread *t);
void thread_close(struct host_thread *t);

uint32_t threads_count(const struct program *p); /* with those that are gone */
struct host_thread *threads_at(const struct program *p, uint32_t number);
/* Not gone; NULL: none. */
struct host_thread *threads_find(const struct program *p, pid_t pid, pid_t tid);

/* The next thread with something to do at `cycle`; of equals, the one that was created first. */
struct host_thread *threads_next(const struct program *p, uint64_t cycle);
/* The first cycle in which any has something to do; CYCLE_NEVER: none. */
uint64_t threads_next_event(const struct program *p);

bool threads_any_open(const struct program *p);
bool threads_any_in_call(const struct program *p);

void threads_signal(const struct program *p, int signal_number);
void threads_close_all(struct program *p);
void threads_close_of(struct program *p, pid_t pid);
/* Those that are gone give back what they have of the driver, where nothing of them is left. */
void threads_give_drivers(struct program *p);
void threads_clear(struct program *p); /* all are closed */
void threads_free(struct program *p);

#endif
