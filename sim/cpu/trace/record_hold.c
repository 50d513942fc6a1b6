#include "sim/cpu/trace/record_hold.h"

#include <errno.h>
#include <signal.h>
#include <stdint.h>
#include <sys/ptrace.h>
#include <sys/wait.h>

void exit_hold_attach(struct exit_hold *h, pid_t child)
{
    *h = (struct exit_hold){.pid = child};
    h->attached = !ptrace(PTRACE_SEIZE, child, NULL, (void *)(uintptr_t)PTRACE_O_TRACEEXIT);
}

/* The child has stopped: a signal is delivered, job control goes on as without us. */
static void go_on(const struct exit_hold *h, int status)
{
    int number = WSTOPSIG(status);
    bool of_group = status >> 16 == PTRACE_EVENT_STOP;
    if (of_group && number != SIGTRAP)
        ptrace(PTRACE_LISTEN, h->pid, NULL, NULL);
    else
        ptrace(PTRACE_CONT, h->pid, NULL, (void *)(uintptr_t)(status >> 16 ? 0 : (unsigned)number));
}

bool exit_hold_look(struct exit_hold *h)
{
    int status;
    while (h->attached && !h->at_exit && !h->ended && waitpid(h->pid, &status, WNOHANG) == h->pid) {
        if (!WIFSTOPPED(status)) { /* killed */
            h->ended = true;
            h->status = status;
        } else if (status >> 16 == PTRACE_EVENT_EXIT) {
            h->at_exit = true;
        } else {
            go_on(h, status);
        }
    }
    return h->at_exit || h->ended;
}

void exit_hold_finish(struct exit_hold *h)
{
    if (h->at_exit)
        ptrace(PTRACE_CONT, h->pid, NULL, NULL);
    while (!h->ended) {
        int status = 0;
        if (waitpid(h->pid, &status, 0) < 0 && errno == EINTR)
            continue;
        if (WIFSTOPPED(status)) {
            go_on(h, status);
            continue;
        }
        h->ended = true;
        h->status = status;
    }
}
