/* Constants that a program adds to pointers. */
#ifndef EVGPU_PTX_LOWER_FOLD_H
#define EVGPU_PTX_LOWER_FOLD_H

#include "sim/ptx/lower/ir.h"

/* Wide pointers to tiles of wmma become a common base and an offset, as compilers do for ordinary
 * accesses but clang does not for these: it computes each pointer before the loop, and a product of
 * many tiles would have more of them than there are registers. A pointer that is known to be in
 * shared memory makes its accesses those of shared memory. */
void ir_fold_tiles(struct ir *ir);

#endif
