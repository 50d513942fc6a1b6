/* Attributes of C++ behind __device__ and its like: "__device__ [[nodiscard]] int f();". To nvcc a
 * declaration begins there; clang wants them in front of all other words. */
#ifndef EVGPU_NVCC_ATTRIBUTES_H
#define EVGPU_NVCC_ATTRIBUTES_H

#include <stdbool.h>

/* The place in a line of clang's where it refuses such attributes: behind "FILE:LINE:COLUMN" of
 * them, or of a name within; NULL: it says something else. */
const char *attributes_refused(const char *line);

/* In a file's text, which is made anew, the attributes here go to the beginning of their
 * declaration. False: they are there already. */
bool attributes_move(char **bytes, char *at);

#endif
