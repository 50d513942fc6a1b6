/* Slurm's commands: what is asked of them, and what they answer. Each runs in a process group of
 * its own, so that Ctrl-C at a terminal does not end an sbatch between its job and its answer. */
#ifndef EVGPU_EXPERIMENT_SLURM_SLURM_CLIENT_H
#define EVGPU_EXPERIMENT_SLURM_SLURM_CLIENT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"

#define SLURM_NAME 160

/* A task of a job array that Slurm knows, or a job that is none. */
struct queue_entry {
    uint32_t job;  /* of the array */
    uint32_t task; /* UINT32_MAX: the job is no array */
    bool live;     /* it waits, runs or ends: what it leaves may still change */
    bool running;
    char state[24], reason[48];
    char name[SLURM_NAME];
};

struct queue {
    struct queue_entry *entries;
    uint32_t count, capacity;
};

/* Jobs of this user whose names begin with `prefix`. False with `err`: squeue does not answer. */
bool queue_read(struct queue *q, const char *prefix, struct error *err);
void queue_free(struct queue *q);

/* How many tasks an array may have. False with `err` when there is no Slurm to ask, or when it
 * takes no arrays. */
bool slurm_array_size(uint32_t *tasks, struct error *err);

/* sbatch's words, the first "sbatch", up to a NULL; with --parsable. */
bool slurm_submit(const char *const *words, uint32_t *job, struct error *err);

/* Of a job that has not begun; nothing otherwise. */
void slurm_cancel_waiting(uint32_t job);

#endif
