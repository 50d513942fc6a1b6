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

struct keeper {
    char evgpu[PATH_MAX]; /* the command */
    char folder[PATH_MAX];
    uint64_t simulator[2]; /* hash of the command, the client library and the kernels */
};

/* Results are kept below `folder`, which is made. */
bool keeper_open(struct keeper *k, const char *folder, struct error *err);

/* `words`: the command's, up to a NULL. */
void keeper_key(const struct keeper *k, const char *const *words, char key[KEY_TEXT]);

/* FOLDER/KEY.SUFFIX */
void keeper_path(const struct keeper *k, const char *key, const char *suffix, char path[PATH_MAX]);

#endif
