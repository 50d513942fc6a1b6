/* Holds a process at its exit, by ptrace, so that its memory can be read until nothing of it is
 * wanted. */
#ifndef EVGPU_CPU_TRACE_RECORD_HOLD_H
#define EVGPU_CPU_TRACE_RECORD_HOLD_H

#include <stdbool.h>
#include <sys/types.h>

struct exit_hold {
    pid_t pid;
    bool attached, at_exit;
    bool ended; /* and has been waited for */
    int status; /* with which it ended, as waitpid gives it */
};

/* To be called before the child can exit. Where ptrace is not permitted, the child is not held. */
void exit_hold_attach(struct exit_hold *h, pid_t child);

/* Passes signals on that the child has got. True: it stands at its exit and has done all it will
 * do. */
bool exit_hold_look(struct exit_hold *h);

/* Lets it go and waits for its end. */
void exit_hold_finish(struct exit_hold *h);

#endif
