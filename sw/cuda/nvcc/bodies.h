/* Bodies of kernels in host code. Only the device runs them, and nvcc's own front end lets them
 * call there what only host code has; clang checks them for the host, too. */
#ifndef EVGPU_NVCC_BODIES_H
#define EVGPU_NVCC_BODIES_H

#include <stdbool.h>

/* The place in a line of clang's that a refused body holds: behind "FILE:LINE:COLUMN"; NULL: the
 * line names none. */
const char *bodies_refused(const char *line);

/* Empties the kernel's body that `at` is in, but for directives other than pragmas. False: it is in
 * none. */
bool bodies_empty(char **bytes, char *at);

#endif
