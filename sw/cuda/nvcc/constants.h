/* Static members by "this->" where a constant is wanted: "if constexpr (this->wide)". nvcc's own
 * front end looks at the member alone; clang 14 wants the pointer to be a constant, too. */
#ifndef EVGPU_NVCC_CONSTANTS_H
#define EVGPU_NVCC_CONSTANTS_H

#include <stdbool.h>

/* The place in a line of clang's where it refuses such a pointer: behind "FILE:LINE:COLUMN" of
 * "this"; NULL: it says something else. */
const char *constants_refused(const char *line);

/* Takes "this->" out of a file's text, which is made anew. False: something else is done with the
 * pointer. */
bool constants_member(char **bytes, char *at);

#endif
