/* Results of simulations that are kept between runs of an experiment, each below a key: a hash of
 * everything that it depends on. That is the command's words, the simulator itself, the machine,
 * every file that a word names (programs, captures, tables), and, where a program runs, the client
 * library and the kernels that come with evgpu. */
#ifndef EVGPU_EXPERIMENT_RESULT_STORE_H
#define EVGPU_EXPERIMENT_RESULT_STORE_H

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"

#define KEY_TEXT 33

struct result_store {
    char evgpu[PATH_MAX]; /* the command */
    char folder[PATH_MAX];
    uint64_t simulator[2]; /* hash of the command, the client library and the kernels */
    long process;          /* this one's number: others may run the same simulation at this time */
};

/* Results are kept below `folder`, which is made. */
bool result_store_open(struct result_store *k, const char *folder, struct error *err);

/* `words`: the command's, up to a NULL. */
void result_store_key(const struct result_store *k, const char *const *words, char key[KEY_TEXT]);

/* FOLDER/KEY.SUFFIX */
void result_store_path(const struct result_store *k, const char *key, const char *suffix,
                       char path[PATH_MAX]);

/* FOLDER/KEY.PROCESS.SUFFIX, which no other process writes */
void result_store_own_path(const struct result_store *k, const char *key, const char *suffix,
                           char path[PATH_MAX]);

#endif
