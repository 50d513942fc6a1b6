/* Launches in device code: "k<<<grid, block>>>(x)" in a kernel. clang has no such thing and refuses
 * it where the brackets stand; it is shown a call of evgpu_cuda_launch.h there. */
#ifndef EVGPU_NVCC_LAUNCHES_H
#define EVGPU_NVCC_LAUNCHES_H

#include <stdbool.h>

/* Rewrites the launch in a file's text, which is made anew. It is at the brackets, or at the name
 * in front of them. False: there is none. */
bool launches_rewrite(char **bytes, char *open);

#endif
