/* The scripts of Slurm's jobs, and how they are submitted. */
#ifndef EVGPU_EXPERIMENT_SLURM_SLURM_SCRIPT_H
#define EVGPU_EXPERIMENT_SLURM_SLURM_SCRIPT_H

#include "sim/experiment/slurm/slurm.h"
#include "sim/experiment/slurm/slurm_store.h"

/* The tasks of the submission. `*job`: the array's number. */
bool script_submit_array(const struct store *s, const struct submission *u, const struct keeper *k,
                         const struct slurm_settings *settings, uint32_t *job, struct error *err);

/* The job that makes the tables, after the arrays `after`, up to a 0. */
bool script_submit_collector(const struct store *s, const struct submission *u,
                             const struct keeper *k, const struct slurm_settings *settings,
                             const uint32_t *after, uint32_t *job, struct error *err);

#endif
