/* The submissions to Slurm: a folder RESULTS/slurm/ID for each job array, on the folder that the
 * nodes share. In it: `tasks.json` (folder, results, and key, row and command of every task),
 * `array.sh` and `collect.sh` (the jobs' scripts), `job` (their numbers, as far as sbatch
 * answered), `N.out` (what Slurm and the task print), `N.failed` (why task N has no result). A task
 * that ended well left its kept result instead. The array's name in Slurm ends with the ID, so that
 * an array whose number was never written down is found too. */
#ifndef EVGPU_EXPERIMENT_SLURM_SLURM_STORE_H
#define EVGPU_EXPERIMENT_SLURM_SLURM_STORE_H

#include <limits.h>

#include "sim/experiment/result_store.h"
#include "sim/experiment/slurm/slurm_client.h"

#define SUBMISSION_ID 32

struct slurm_task {
    char key[KEY_TEXT];
    char *row;
    char **words;       /* of its command, up to a NULL */
    bool live, running; /* when the queue was last looked at */
};

struct submission {
    char id[SUBMISSION_ID];
    uint32_t job, collect; /* 0: not known */
    struct slurm_task *tasks;
    uint32_t n_tasks;
};

struct store {
    char results[PATH_MAX]; /* without links, for the nodes */
    struct submission *submissions;
    uint32_t count, capacity;
};

/* Reads every submission below `results`; those without readable tasks are removed. */
bool store_open(struct store *s, const char *results, struct error *err);
void store_close(struct store *s);

/* RESULTS/slurm/ID, with "/FILE" behind it unless `file` is NULL. */
void store_path(const struct store *s, const struct submission *u, const char *file,
                char path[PATH_MAX]);

/* A new one with these tasks, which it takes over, written down. NULL with `err`. */
struct submission *store_add(struct store *s, struct slurm_task *tasks, uint32_t n,
                             struct error *err);

/* The answer of sbatch. */
bool store_write_jobs(const struct store *s, const struct submission *u, struct error *err);

/* With all of its files; the last submission takes its place. */
void store_remove(struct store *s, struct submission *u);

/* Marks what is in the queue, and finds numbers of arrays by their names. */
void store_mark(struct store *s, const struct queue *q);

enum outcome { OUTCOME_NONE, OUTCOME_KEPT, OUTCOME_FAILED };

/* Of a task that is not live any more. `message`: why it has no result. */
enum outcome store_outcome(const struct store *s, const struct result_store *k,
                           const struct submission *u, uint32_t index, struct error *message);

/* Why a task that neither lives nor left anything has no result. */
void store_lost(const struct store *s, const struct submission *u, uint32_t index,
                struct error *message);

#endif
