/* Launches whose brackets have white space in them: "k << < 1, 32 >> > (x)". nvcc's own front end
 * takes them; clang reads shifts and comparisons. */
#ifndef EVGPU_NVCC_BRACKETS_H
#define EVGPU_NVCC_BRACKETS_H

#include "sw/cuda/nvcc/overlay.h"

/* Shows such files with the brackets closed up: the source, and what it includes by "NAME". Lines
 * and columns stay. */
void brackets_mend(struct overlay *overlay, const struct options *options, const char *source);

/* Where the launch whose brackets open in front of `s` closes: at ">>>"; NULL: nowhere in the
 * statement. */
char *brackets_close(char *s);

#endif
