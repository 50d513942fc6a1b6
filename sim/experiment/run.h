/* Runs the rows of an experiment that are not kept, some at a time, and takes their figures. */
#ifndef EVGPU_EXPERIMENT_RUN_H
#define EVGPU_EXPERIMENT_RUN_H

#include <signal.h>

#include "sim/experiment/experiment.h"
#include "sim/experiment/result_store.h"
#include "sim/experiment/slurm/slurm.h"

enum row_state {
    ROW_LEFT_OUT, /* not asked for, and not kept */
    ROW_KEPT,     /* from an earlier run */
    ROW_RUN,
    ROW_FAILED, /* `message` says why */
    ROW_STOPPED /* it has not ended: the flag was set, or it is in Slurm's queue */
};

struct row_result {
    enum row_state state;
    double wall_s;
    char message[sizeof((struct error *)0)->text];
};

struct row_request {
    const char *only; /* a row's name or a pattern (fnmatch) of it, NULL: all */
    uint32_t jobs;    /* simulations at a time, at least 1 */
    bool again;       /* what is kept of them is not taken */
    const volatile sig_atomic_t *stop;
    const struct slurm *slurm; /* nothing is run here: what it knows of every row is taken */
};

/* True when some row matches `only`. */
bool rows_match(const struct experiment *x, const char *only);

/* Tells `slurm` which rows are asked for and not kept. */
void rows_want(const struct experiment *x, const struct keeper *k,
               const struct row_request *request, struct slurm *slurm);

/* results[r] of every row; x->values of those that are known. Rows of other runs that are kept are
 * taken even if `only` leaves them out. */
void rows_run(struct experiment *x, const struct keeper *k, const struct row_request *request,
              struct row_result *results);

#endif
