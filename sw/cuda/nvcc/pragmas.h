/* Pragmas that nvcc's own front end takes and clang does not.
 *
 * Macros that stand for a pragma: "#define UNROLL #pragma unroll". nvcc's own front end reads what
 * the preprocessor has written, and finds a pragma there; for clang it is none. */
#ifndef EVGPU_NVCC_PRAGMAS_H
#define EVGPU_NVCC_PRAGMAS_H

#include <stdbool.h>

/* The text with _Pragma in their place, in as many lines; the text itself: there is none. */
char *pragmas_mend(char *bytes);

/* A loop that is to be unrolled less than once: nvcc ignores that. The place in a line of clang's
 * that refuses the number of times, behind "FILE:LINE:COLUMN"; NULL: it says something else. */
const char *pragmas_refused(const char *line);

/* Gives the pragma at `at` 1 for such a number, which may differ between instances of a template.
 * False: there is no such pragma. */
bool pragmas_unroll(char **bytes, char *at);

#endif
