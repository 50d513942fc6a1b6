/* How deep in loops each block is, to weigh what an instruction there costs. */
#ifndef EVGPU_PTX_LOWER_LOOPS_H
#define EVGPU_PTX_LOWER_LOOPS_H

#include "sim/ptx/lower/cfg.h"

/* By block; the caller frees it. An edge to a block that is on the way there from the entry makes a
 * loop of the blocks between. */
uint8_t *loops_depth(const struct cfg *cfg);

/* How often an instruction at this depth runs beside one outside of loops, as a guess. */
uint32_t loops_weight(uint8_t depth);

/* By virtual register: the weights of the instructions that name it. The caller frees it. */
uint32_t *loops_cost(const struct ir *ir, const struct cfg *cfg);

#endif
