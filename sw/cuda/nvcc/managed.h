/* Managed variables: "__managed__ int x;". nvcc gives the host a pointer in place of the variable;
 * clang has none in CUDA. It is shown a device variable, and for the host a reference by the
 * variable's name, which is a pointer that the runtime sets (crt/managed.h). */
#ifndef EVGPU_NVCC_MANAGED_H
#define EVGPU_NVCC_MANAGED_H

#include <stdbool.h>

/* The place in a line of clang's where it refuses such a variable: behind "FILE:LINE:COLUMN" of the
 * keyword, or of the macro that stands for it; NULL: it says something else. */
const char *managed_refused(const char *line);

/* Rewrites the declaration in a file's text, which is made anew. False: it stays as it is, since it
 * is not understood. */
bool managed_reference(char **bytes, char *keyword);

#endif
