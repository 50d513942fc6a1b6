/* Running the tools, and the folder of files that live between them. */
#ifndef EVGPU_NVCC_COMMAND_H
#define EVGPU_NVCC_COMMAND_H

#include <stdbool.h>

#include "sw/cuda/nvcc/list.h"

struct options;

/* Prints the command where the options say so and runs it, except with --dryrun. Ends with the
 * command's status when it fails, after leave_clean(). */
void command_run(const struct options *options, const struct list *words);

/* The same, with every line that the command writes to stderr handed to `line`, which prints what
 * is to be seen of it. `output`: a file for what it writes to standard output, or NULL. */
void command_run_filtered(const struct options *options, const struct list *words,
                          const char *output, void (*line)(char *text, void *context),
                          void *context);

/* The same; false when the command fails. */
bool command_try(const struct options *options, const struct list *words, const char *output,
                 void (*line)(char *text, void *context), void *context);

/* A file name for something between two tools: in the folder that -keep names, or in one that
 * leave_clean() removes. Two calls with the same name give two files. */
char *temporary(const struct options *options, const char *name);

/* Removes the folder of temporary files. */
void leave_clean(void);

#endif
