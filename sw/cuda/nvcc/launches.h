/* Launches in device code: "k<<<grid, block>>>(x)" in a kernel. clang has no such thing and refuses
 * it where the brackets stand; it is shown a call of evgpu_cuda_launch.h there. */
#ifndef EVGPU_NVCC_LAUNCHES_H
#define EVGPU_NVCC_LAUNCHES_H

#include <stdbool.h>

/* Rewrites the launch in a file's text, which is made anew. It is at the brackets, or at the name
 * in front of them. False: there is none. */
bool launches_rewrite(char **bytes, char *open);

/* The place in a line of clang's where a call, maybe a launch, fits none of several functions;
 * NULL: it says something else. */
const char *launches_unmatched(const char *line);

/* The place in a line of clang's where a launch that was rewritten names several kernels: behind
 * "FILE:LINE:COLUMN" of the first name; NULL: it says something else. */
const char *launches_ambiguous(const char *line);

/* Rewrites such a launch anew, to choose the kernel by its arguments. False: it stays as it is. */
bool launches_choose(char **bytes, char *name);

#endif
