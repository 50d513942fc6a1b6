/* What programs ask for and evgpu does not have, by name. */
#ifndef EVGPU_NVCC_ABSENT_H
#define EVGPU_NVCC_ABSENT_H

#include <stdbool.h>
#include <stddef.h>

/* "evgpu has no cuDNN; ..." for a header "cudnn.h" of `length` characters, or a library "cudnn";
 * NULL: nothing is known of it. */
const char *absent_header(const char *name, size_t length);
const char *absent_library(const char *name, size_t length);

/* The same for a line of the compiler's that does not know a name of a header that evgpu has.
 * `*error`: the place in the line behind "FILE:LINE:COLUMN". */
const char *absent_name(const char *line, const char **error);

#endif
