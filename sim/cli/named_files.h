/* The files of a command, so that none takes the place of another that is still wanted. */
#ifndef EVGPU_CLI_NAMED_FILES_H
#define EVGPU_CLI_NAMED_FILES_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "sim/system/config_include.h"

struct named_file {
    const char *option, *path; /* path NULL: not given */
    bool written;
    const char *service; /* whose setting `option` is, or NULL */
};

/* The machine's file and those that it includes, for --config. */
struct config_files {
    char path[INCLUDE_DEPTH][PATH_MAX];
};

/* Adds them to `files`, which have room for INCLUDE_DEPTH more; their names lie in `config`. The
 * number added. */
size_t files_of_config(const char *name, struct config_files *config, struct named_file *files);

/* Before anything is written: false with an error that names both options where an output would
 * be in the file of another output, or of an input. Devices and pipes take several outputs. */
bool files_distinct(const struct named_file *files, size_t n, struct error *err);

#endif
