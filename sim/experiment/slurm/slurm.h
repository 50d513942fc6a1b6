/* Simulations as job arrays of Slurm. Those that are wanted and neither kept nor in Slurm's queue
 * are submitted, as many arrays as its MaxArraySize asks for, and behind all that are waited for a
 * job that depends on them and makes the tables. Nothing is lost with the command that submitted:
 * what a task leaves is on the shared folder, and the next command finds it. */
#ifndef EVGPU_EXPERIMENT_SLURM_SLURM_H
#define EVGPU_EXPERIMENT_SLURM_SLURM_H

#include <signal.h>

#include "sim/experiment/experiment.h"
#include "sim/experiment/result_store.h"

struct slurm;

/* Of `options` below: false with `err` when they are no options. */
bool slurm_check_options(const char *options, struct error *err);

struct slurm_settings {
    const char *results;    /* the folder of kept results is in it */
    const char *name;       /* of the experiment, in the names of jobs */
    const char *options;    /* more words for sbatch, as a shell takes them; may be NULL */
    uint32_t at_a_time;     /* tasks; 0: as many as Slurm lets */
    char *const *collector; /* the tables' job: words behind `evgpu`, up to a NULL */
    const volatile sig_atomic_t *stop;
};

/* Waits for another command that submits or collects there. NULL with `err`. */
struct slurm *slurm_open(const struct result_store *k, const struct slurm_settings *settings,
                         struct error *err);
void slurm_close(struct slurm *s);

/* This simulation is wanted; the same one twice is one. `words` up to a NULL; `again`: although its
 * result is kept. */
void slurm_want(struct slurm *s, const char *key, const char *row, char *const *words, bool again);

/* Submits wanted simulations not in the queue. One that an earlier submission left without a result
 * is named and submitted again, alone. False with `err`: Slurm refuses; what was submitted before
 * goes on. */
bool slurm_submit_wanted(struct slurm *s, struct error *err);

/* Until no wanted simulation waits or runs, or the flag is set; with lines on the error stream. */
void slurm_wait(struct slurm *s);

/* Looks once where the wanted ones are, and submits nothing. */
bool slurm_look(struct slurm *s, struct error *err);

enum slurm_state {
    SLURM_UNKNOWN, /* never submitted */
    SLURM_LIVE,    /* waits or runs */
    SLURM_ENDED,   /* its result is kept */
    SLURM_FAILED   /* `message` says why */
};
enum slurm_state slurm_state(const struct slurm *s, const char *key, const char **message);

#endif
