/* Two processes of one program, which tell each other what they have. */
#ifndef EVGPU_TESTS_CUDA_API_TWO_H
#define EVGPU_TESTS_CUDA_API_TWO_H

#include <sys/wait.h>
#include <unistd.h>

#include "tests/cuda/api/api.h"

static int to_child[2], to_parent[2];

static inline void say(int fd, const void *what, size_t bytes)
{
    MUST(write(fd, what, bytes) == (ssize_t)bytes);
}

static inline void hear(int fd, void *what, size_t bytes)
{
    MUST(read(fd, what, bytes) == (ssize_t)bytes);
}

/* Forks before the first call, so that each process has a context of its own. */
static inline void two_processes(void (*parent)(void), void (*child)(void))
{
    int status = 0;
    MUST(!pipe(to_child) && !pipe(to_parent));
    pid_t pid = fork();
    MUST(pid >= 0);
    /* Whoever waits for a process that has ended hears it. */
    close(pid ? to_parent[1] : to_child[1]);
    close(pid ? to_child[0] : to_parent[0]);
    (pid ? parent : child)();
    MUST(!pid || (waitpid(pid, &status, 0) == pid && status == 0));
}

#endif
