/* Values that need no register of their own: copies, constants, and the lower half of a 32-bit
 * value that was extended. Their readers take the original. */
#ifndef EVGPU_PTX_LOWER_SIMPLIFY_H
#define EVGPU_PTX_LOWER_SIMPLIFY_H

#include "sim/ptx/lower/liveness.h"

/* The only instruction that writes each virtual register, if no path reads the register before it
 * and no guard holds it back; else NONE. The caller frees it. So the register has one value
 * wherever it is read, and so have the registers of this kind that the instruction reads: a path
 * that writes one of them anew also passes the instruction again. */
uint32_t *simplify_definitions(const struct ir *ir, const struct cfg *cfg);

void simplify(struct ir *ir);

#endif
