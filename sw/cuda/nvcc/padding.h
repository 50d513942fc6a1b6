/* Classes with padding behind their members, as clang before version 15 returns them from device
 * functions: as a struct of LLVM in which the padding is a member of its own, without a value.
 * Where such an object is then copied as one integer, the padding leaves the whole integer without
 * a value, and comparisons of its members come out as the optimiser likes. */
#ifndef EVGPU_NVCC_PADDING_H
#define EVGPU_NVCC_PADDING_H

#include <stdbool.h>

/* Whether device code has such a class, of a size that is copied as one integer. `layouts`: what
 * clang has written for -fdump-record-layouts. */
bool padding_in_layouts(const char *layouts);

/* In a file of LLVM's text before all optimisation: padding has some value where a function returns
 * it. */
void padding_mend(const char *path);

#endif
