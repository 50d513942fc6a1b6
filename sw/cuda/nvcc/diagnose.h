/* The device compiler's messages, where clang's words would not tell a CUDA programmer what to do.
 */
#ifndef EVGPU_NVCC_DIAGNOSE_H
#define EVGPU_NVCC_DIAGNOSE_H

#include "sw/cuda/nvcc/options.h"

/* Like command_run(), for a compilation of device code. */
void diagnose_run(const struct options *options, const struct list *words, const char *output);

/* The place in a line of clang's where it says that device code cannot launch: behind
 * "FILE:LINE:COLUMN" of the kernel's name, or of the brackets behind it; NULL: it says something
 * else. */
const char *diagnose_launch(const char *line);

/* The same for the linker: a library that evgpu does not have is named in one line. */
void diagnose_link(const struct options *options, const struct list *words);

#endif
