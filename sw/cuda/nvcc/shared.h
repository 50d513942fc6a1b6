/* Shared variables whose types have constructors or destructors: "__shared__ cuda::barrier<...>
 * b;". nvcc runs neither, and warns; clang refuses them. */
#ifndef EVGPU_NVCC_SHARED_H
#define EVGPU_NVCC_SHARED_H

#include <stdbool.h>

/* The place in a line of clang's where it refuses such a variable: behind "FILE:LINE:COLUMN" of its
 * name; NULL: it says something else. */
const char *shared_refused(const char *line);

/* In a file's text, which is made anew, the variable whose name is here becomes a reference to raw
 * storage. False: its declaration stays as it is, since it declares others too. */
bool shared_store(char **bytes, char *name);

#endif
