/* Alignments behind `__shared__`: "__shared__ alignas(16) float a[4];". nvcc's own front end takes
 * them; clang 14 wants alignas in front of all other specifiers. */
#ifndef EVGPU_NVCC_ALIGNMENTS_H
#define EVGPU_NVCC_ALIGNMENTS_H

#include <stdbool.h>

/* Moves them to the front, in as many lines. True: something has changed. */
bool alignments_mend(char *bytes);

#endif
