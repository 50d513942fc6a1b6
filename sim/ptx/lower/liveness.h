/* Which virtual registers are live where, as intervals of instruction positions.
 *
 * A physical register belongs to one lane, and each lane runs one path, so divergence does not make
 * more values live than the path of one thread does; but an instruction under a guard may leave the
 * old value, so it does not end the life of what it overwrites. */
#ifndef EVGPU_PTX_LOWER_LIVENESS_H
#define EVGPU_PTX_LOWER_LIVENESS_H

#include "sim/ptx/lower/cfg.h"

/* Instruction i reads at position 2i and writes at 2i + 1. */
struct interval {
    uint32_t vreg;
    uint32_t start, end; /* both included; start > end: the register is never used */
};

/* One interval per virtual register, which covers all of its life. The caller frees it. */
struct interval *liveness_intervals(const struct ir *ir, const struct cfg *cfg);

/* Registers an instruction reads (guard included) and writes; at most LIVENESS_OPERANDS each. */
#define LIVENESS_OPERANDS 8
unsigned liveness_uses(const struct vinst *v, uint32_t uses[LIVENESS_OPERANDS]);
unsigned liveness_defs(const struct vinst *v, uint32_t defs[LIVENESS_OPERANDS]);

#endif
