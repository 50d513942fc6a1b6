/* The files of one simulation: a JSON file of statistics, a log with the lines that programs print,
 * an exit status. */
#ifndef EVGPU_EXPERIMENT_RESULT_H
#define EVGPU_EXPERIMENT_RESULT_H

#include <limits.h>

#include "sim/experiment/experiment.h"
#include "sim/experiment/result_store.h"

/* Where it is kept. False: something other than a file is there. */
bool result_place(const struct result_store *k, const char *key, char path[PATH_MAX],
                  struct error *err);

/* Is there one, or something that result_load refuses? A damaged file is none, and is removed. */
bool result_is_kept(const struct result_store *k, const char *key);

/* Takes the row's figures from its kept result. False: there is none; with `err` set when there is
 * one but a figure is not in it, or it cannot be one. */
bool result_load(struct experiment *x, const struct result_store *k, uint32_t row, const char *key,
                 struct error *err);

/* Makes a kept result of the statistics and the log. */
bool result_keep(const struct result_store *k, const char *key, const char *row, double wall_s,
                 struct error *err);

/* Behind the end: removes the statistics, which a kept result holds and a failed one does not need,
 * and leaves the log as FOLDER/KEY.log. */
void result_leave(const struct result_store *k, const char *key);

/* Why the simulation with this log failed: its verdict, else its last line. */
void result_message(const struct result_store *k, const char *key, char *text, size_t room);

#endif
