/* A row's command, and the process that runs it. */
#ifndef EVGPU_EXPERIMENT_COMMAND_H
#define EVGPU_EXPERIMENT_COMMAND_H

#include <sys/types.h>

#include "sim/experiment/experiment.h"
#include "sim/experiment/result_store.h"

#define MAX_WORDS 256

/* The command's words up to a NULL, each of its own memory; false with `err`. */
bool row_words(const struct experiment *x, uint32_t row, char *words[MAX_WORDS], struct error *err);
void free_words(char **words);

/* A process of its own group that ends with this one; its log and statistics are this process's
 * for the key. -1: there is none. */
pid_t command_start(const struct result_store *k, char *const *words, const char *key);

/* It has ended with this status of waitpid: the result is kept, or `err` says why there is none. */
bool command_end(const struct result_store *k, const char *key, const char *row, int status,
                 double wall_s, struct error *err);

/* Of the monotonic clock. */
double command_seconds(void);

#endif
