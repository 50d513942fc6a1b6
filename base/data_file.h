/* Files that come with evgpu: configurations, experiments, kernels. */
#ifndef EVGPU_BASE_DATA_FILE_H
#define EVGPU_BASE_DATA_FILE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

/* A file as named, else below the working directory, else below the directory that holds the build
 * directory: so that `--config gtx480.ini` finds config/gtx480.ini. False when there is none. */
bool find_data(const char *name, const char *folder, char *path, size_t room);

/* The same below the directories that hold the running command, and nowhere else. */
bool find_beside(const char *name, char *path, size_t room);

/* The PTX of a kernel of the source tree, named from its root (sw/apps/bfs/bfs.ptx): below the
 * working directory, else in the build directory or the installation that holds the running
 * command. False, with `err` saying how to build it, when there is none. */
bool find_kernel(const char *name, char *path, size_t room, struct error *err);

#endif
