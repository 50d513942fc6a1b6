/* Values that the constant bank holds instead of registers.
 *
 * A kernel's parameters and the sizes of its blocks and grid are operands of an instruction as its
 * constants are: the machines of the papers read them from a bank of constant memory (CUDA Binary
 * Utilities: c[bank][offset]), and ptxas gives them no register. Here an instruction still loads
 * each of them once, from where the launch or the event has it, and takes its time; the value then
 * lies in a row behind the registers, which no register file holds and no preemption saves.
 *
 * Only arithmetic reads the bank: addresses of memory and what is stored come from registers. */
#ifndef EVGPU_PTX_LOWER_BANK_H
#define EVGPU_PTX_LOWER_BANK_H

#include "sim/ptx/lower/liveness.h"

/* Does it write such a value? Can it read one? */
bool bank_holds(const struct vinst *v);
bool bank_reads(const struct vinst *v);

/* Marks the virtual registers whose values the bank has, in ir->banked; rows that these take. */
uint32_t bank_values(struct ir *ir);

#endif
