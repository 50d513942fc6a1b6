/* Files that are written whole or not at all. The bytes go to a file of their own beside the
 * target, which takes the target's place when everything, up to its closing, was written; until
 * then the target keeps what it had. A device or a pipe is written where it is. */
#ifndef EVGPU_BASE_OUTPUT_H
#define EVGPU_BASE_OUTPUT_H

#include <stdbool.h>
#include <stdio.h>

#include "base/error.h"

struct output;

/* Whether it is a device or a pipe, also /dev/stdout. */
bool output_in_place(const char *path);

/* The file itself, behind links; there need be none yet, nor what the last link leads to. free() */
char *output_target(const char *path);

/* NULL with an error that names the file and the cause. */
struct output *output_open(const char *path, struct error *err);

/* What is written there; its errors are kept until output_finish. */
FILE *output_stream(struct output *out);

/* The same for a program or library that opens, writes and closes a file by its name. A device or a
 * pipe is refused. Its end of the name is that of `path`. */
struct output *output_reserve(const char *path, struct error *err);
const char *output_written_path(const struct output *out);

/* Both free `out`. False with an error that names the file and the cause; nothing new is left
 * then. */
bool output_finish(struct output *out, struct error *err);
void output_abandon(struct output *out);

/* Whether everything that was printed to the standard output has arrived; closes it. */
bool output_close_standard(struct error *err);

#endif
