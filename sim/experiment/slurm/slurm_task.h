/* A task of a job array: the part of `evgpu experiment --slurm` that runs on a node. */
#ifndef EVGPU_EXPERIMENT_SLURM_SLURM_TASK_H
#define EVGPU_EXPERIMENT_SLURM_SLURM_TASK_H

#include <signal.h>
#include <stdbool.h>

#include "base/error.h"

/* Runs the command of task SLURM_ARRAY_TASK_ID of the submission in `folder` and keeps its result.
 * False with `err`, which is then in the submission's N.failed too, when there is none. */
bool slurm_task_run(const char *folder, const volatile sig_atomic_t *stop, struct error *err);

#endif
