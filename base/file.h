/* Whole files. */
#ifndef EVGPU_BASE_FILE_H
#define EVGPU_BASE_FILE_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

/* A whole file; free() it. What is no regular file may have less than 256 MiB. */
uint8_t *read_file(const char *path, size_t *bytes, struct error *err);

/* Whole or not at all (output.h); any error names the file and the cause. */
bool write_file(const char *path, const void *data, size_t bytes, struct error *err);

/* Before a run that will write there: false when the file or its folder does not let it. */
bool check_output(const char *option, const char *path, struct error *err);

bool write_json(const char *path, const json_t *json, struct error *err);

/* The folder and those above it, as far as they are not there. */
bool make_folder(const char *path, struct error *err);

#endif
