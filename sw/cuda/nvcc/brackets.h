/* Launches whose brackets have white space in them: "k << < 1, 32 >> > (x)". nvcc's own front end
 * takes them; clang reads shifts and comparisons. */
#ifndef EVGPU_NVCC_BRACKETS_H
#define EVGPU_NVCC_BRACKETS_H

#include "sw/cuda/nvcc/options.h"

/* Adds to a clang command what shows it such files with the brackets closed up, under their own
 * names: the source, and what it includes by "NAME". Lines and columns stay. Nothing is added where
 * no file has such brackets. */
void brackets_mend(struct list *words, const struct options *options, const char *source);

#endif
