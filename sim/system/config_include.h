/* `include = FILE`, before the first section of a configuration: FILE, named from the folder of the
 * file that includes it, is read first, and what the including file states wins. A file includes
 * one other at most. */
#ifndef EVGPU_SYSTEM_CONFIG_INCLUDE_H
#define EVGPU_SYSTEM_CONFIG_INCLUDE_H

#include <limits.h>
#include <stdbool.h>

#define INCLUDE_DEPTH 16u /* files of a machine at most */

/* The path of the file that the line `include = name` of `path` means. False: it is too long. */
bool include_path(const char *path, const char *name, char included[PATH_MAX]);

/* The path of the file that the configuration `path` includes. False: none, or it cannot be read.
 */
bool config_included(const char *path, char included[PATH_MAX]);

#endif
