/* A file being written, compressed when its name ends in .gz or .xz; whole or not at all, as in
 * output.h. */
#ifndef EVGPU_BASE_COMPRESSED_OUTPUT_H
#define EVGPU_BASE_COMPRESSED_OUTPUT_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

struct compressed_output;

struct compressed_output *compressed_output_open(const char *path, struct error *err);
bool compressed_output_write(struct compressed_output *out, const void *bytes, size_t n,
                             struct error *err);

/* Both free `out`. */
bool compressed_output_finish(struct compressed_output *out, struct error *err);
void compressed_output_abandon(struct compressed_output *out);

#endif
