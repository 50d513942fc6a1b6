/* Files that come with evgpu: configurations, committed PTX. */
#ifndef EVGPU_SYSTEM_DATA_FILE_H
#define EVGPU_SYSTEM_DATA_FILE_H

#include <stdbool.h>
#include <stddef.h>

/* A file as named, else below the working directory, else below the directory that holds the build
 * directory: so that `--config gtx480.ini` finds config/gtx480.ini. False when there is none. */
bool find_data(const char *name, const char *folder, char *path, size_t room);

/* The same below the directories that hold the running command, and nowhere else. */
bool find_beside(const char *name, char *path, size_t room);

#endif
