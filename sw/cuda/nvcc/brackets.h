/* Launches whose brackets have white space in them: "k << < 1, 32 >> > (x)". nvcc's own front end
 * takes them; clang reads shifts and comparisons. */
#ifndef EVGPU_NVCC_BRACKETS_H
#define EVGPU_NVCC_BRACKETS_H

#include "sw/cuda/nvcc/overlay.h"

/* Shows such files with the brackets closed up, and with alignments (alignments.h), assembly
 * (assembly.h), macros of pragmas (pragmas.h) and variables of unnamed namespaces (unnamed.h) as
 * clang takes them: the source, and what it includes by "NAME", or by <NAME> from folders of -I.
 * Lines stay. */
void brackets_mend(struct overlay *overlay, const struct options *options, const char *source);

/* Behind the comment or literal that begins here; NULL: none does. */
const char *brackets_behind_other(const char *s);

/* The length of what round brackets enclose that open at `s`, with them; 0: none open there, or
 * they do not close. */
size_t brackets_round(const char *s);

/* Where the launch whose brackets open in front of `s` closes: at ">>>"; NULL: nowhere in the
 * statement. */
char *brackets_close(char *s);

#endif
