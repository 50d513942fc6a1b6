/* Another order of a block's instructions, in which fewer values are needed at one time. */
#ifndef EVGPU_PTX_LOWER_SCHEDULE_H
#define EVGPU_PTX_LOWER_SCHEDULE_H

#include "sim/ptx/lower/cfg.h"

/* Reorders the blocks that need more rows than `enough`, where that makes them fewer. The others
 * keep the order that the compiler chose: it starts loads early. */
void schedule_for_registers(struct ir *ir, uint32_t enough);

#endif
