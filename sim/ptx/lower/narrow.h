/* 64-bit values of which only the lower half is read: addresses of shared memory, as compilers
 * compute them from pointers, and what is cut to 32 bits afterwards. They take one register instead
 * of two, and 32-bit instructions. */
#ifndef EVGPU_PTX_LOWER_NARROW_H
#define EVGPU_PTX_LOWER_NARROW_H

#include "sim/ptx/lower/ir.h"

void narrow_values(struct ir *ir);

#endif
