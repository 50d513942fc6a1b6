/* Copies of threadIdx, blockIdx, blockDim and gridDim: "auto i = threadIdx;". To nvcc they are of
 * the types uint3 and dim3; clang has a class for each, without copies, that becomes one of these
 * types where the program names it. */
#ifndef EVGPU_NVCC_INDICES_H
#define EVGPU_NVCC_INDICES_H

#include <stdbool.h>

/* The place in a line of clang's where it refuses such a copy, or two of them as the operands of a
 * condition: behind "FILE:LINE:COLUMN" of some place in the statement; NULL: it says something
 * else. */
const char *indices_refused(const char *line);

/* Rewrites the statement in a file's text, which is made anew: each of the four becomes its value.
 * False: the statement names none of them. */
bool indices_copy(char **bytes, char *at);

#endif
