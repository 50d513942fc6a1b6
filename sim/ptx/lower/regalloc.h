/* Linear-scan allocation of physical registers: 32-bit rows, pairs of consecutive rows for 64 bits,
 * lane masks for predicates. */
#ifndef EVGPU_PTX_LOWER_REGALLOC_H
#define EVGPU_PTX_LOWER_REGALLOC_H

#include "sim/ptx/lower/liveness.h"

struct allocation {
    uint16_t *reg;  /* first row, or predicate number, of each virtual register */
    uint32_t regs;  /* rows in use */
    uint32_t preds; /* predicates in use */
    /* When a file is too small: the virtual registers to move to memory, and then another try. */
    uint32_t *spill;
    size_t n_spill, spill_capacity;
};

/* True when everything fits; else `spill` is not empty. `pinned` (by virtual register, may be NULL)
 * marks those that spilling made and that must not be spilled again. `max_regs`: rows to use, even,
 * at most MAX_REGS. */
bool regalloc(struct allocation *allocation, const struct ir *ir, const struct interval *intervals,
              const uint8_t *pinned, uint32_t max_regs);
void regalloc_free(struct allocation *allocation);

/* spill.c: moves the registers to local memory (predicates to 32-bit registers). Afterwards the
 * control-flow graph and the liveness must be computed again. `pinned` grows with the registers. */
void spill_registers(struct ir *ir, const struct allocation *allocation, uint8_t **pinned);

#endif
