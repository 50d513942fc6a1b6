/* A CUDA program as a guest: a process of its own, linked with the client library (sw/cuda), which
 * speaks sw/cuda/protocol.h.
 *
 * Time. Every host thread that has called the library has a clock. A call begins at that clock, or
 * at once when the machine is later, takes what the driver model says ([cpu] of the machine's
 * configuration), and sets the clock to the cycle in which it returns. Host code takes no time, but
 * what evgpuHostTime says. The machine's clock stands still until every thread of the process
 * - waits in a call,
 * - or sleeps in the kernel for something else (a mutex, a join, a pipe) while another one waits in
 *   a call; so that which thread was faster does not matter,
 * - or has been computing for SPIN_LIMIT_MS of processor time while another one waits in a call:
 *   it may be spinning for that one. Only then do results depend on the real machine.
 *
 * Calls that begin in the same cycle are served in the order of the threads' numbers (order of
 * their first calls). When all threads wait for each other outside the library, the run ends.
 *
 * Measured (sim/system/measure.h), the program's kernels are counted until its process has ended or
 * they have executed a quota; a process that has ended in order starts again, as long as anything
 * of the run is still to be measured. Their output is not shown; a repetition that fails ends the
 * run.
 *
 * Repeated, a process that has ended with status 0 starts again as long as services are at work on
 * the machine, and at least so many times as the options say; the last one goes on to its end, so
 * that the results of every repetition are checked by the program itself. One with another status
 * is the last. Their output is not shown.
 *
 * A kernel that fails ends the machine, not the program: its pending call and all later ones return
 * the error, until it exits. */
#ifndef EVGPU_GUEST_PROGRAM_PROGRAM_H
#define EVGPU_GUEST_PROGRAM_PROGRAM_H

#include <jansson.h>
#include <stdbool.h>

#include "base/error.h"
#include "sim/system/guest.h"
#include "sim/system/machine.h"

struct kernel_figures_table; /* sim/guest/kernel_figures.h */

struct program_options {
    const char *command; /* program and arguments, NULL: attached */
    int control;         /* attached: the control channel that the program has given us */
    /* Figures of the same program without services, to compare with; or NULL. */
    const struct kernel_figures_table *alone;
    const char *client_library; /* its folder, for the search path; or NULL */
    const char *applications;   /* a folder where the command is looked for behind PATH; or NULL */
    bool silent; /* a rehearsal: the process says nothing, neither as output nor as errors */
    bool measured;
    uint64_t quota;  /* measured: instructions of threads, 0: until the process has ended */
    uint32_t repeat; /* completions at least, 0: not repeated; not measured then */
};

/* The machine must have shared memory (machine_options). False with `err`; the machine is then to
 * be destroyed. The process is started when the run begins. */
bool program_create(struct machine *m, const char *name, const struct program_options *options,
                    struct error *err);

/* Whether there is a file to run for the command, as far as that is known without a shell;
 * `applications` as above. False with `err`, which names the option --program. */
bool program_command_there(const char *command, const char *applications, struct error *err);

/* After the run: the status of the process for exit(), 128 + n when signal n ended it. */
int program_status(const struct guest *g);

/* The table of where its time went. */
void program_print_profile(const struct guest *g, FILE *to);

/* Figures of its kernels, as long as the guest lives. */
const struct kernel_figures_table *program_kernels(const struct guest *g);

/* The measurement of it: IPCs are of the whole GPU, over the cycles with its kernels. JSON null
 * when it is not measured, or not to the end. */
json_t *program_measured(const struct guest *g);

/* Whether the guest is one of this kind. */
bool program_is(const struct guest *g);

#endif
