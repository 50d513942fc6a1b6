/* Lines of INI files for inih, which takes them for texts. */
#ifndef EVGPU_BASE_INI_LINE_H
#define EVGPU_BASE_INI_LINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "base/error.h"

/* What is no regular file may have less than 16 MiB: some have no end. */
struct ini_stream {
    FILE *file;
    size_t left; /* bytes that may follow */
};

struct ini_stream ini_stream_of(FILE *file);

/* As fgets() of the file, but a NUL becomes '?': it would hide what stands behind it, so that half
 * of a number is taken for a whole one. NULL also where the file has more than it may. */
char *ini_line(char *text, int size, struct ini_stream *stream);

/* Behind the last line: false with an error that names `path` where the file goes on. */
bool ini_stream_ended(const struct ini_stream *stream, const char *path, struct error *err);

#endif
