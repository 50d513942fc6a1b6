/* The files of a command, so that none takes the place of another that is still wanted. */
#ifndef EVGPU_CLI_NAMED_FILES_H
#define EVGPU_CLI_NAMED_FILES_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

struct named_file {
    const char *option, *path; /* path NULL: not given */
    bool written;
    const char *service; /* whose setting `option` is, or NULL */
};

/* Before anything is written: false with an error that names both options where an output would
 * be in the file of another output, or of an input. Devices and pipes take several outputs. */
bool files_distinct(const struct named_file *files, size_t n, struct error *err);

#endif
