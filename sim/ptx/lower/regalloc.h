/* Allocation of physical registers by colouring: 32-bit rows, pairs of consecutive rows for 64
 * bits, lane masks for predicates. */
#ifndef EVGPU_PTX_LOWER_REGALLOC_H
#define EVGPU_PTX_LOWER_REGALLOC_H

#include "sim/ptx/lower/interference.h"

struct allocation {
    uint16_t *reg;  /* first row, or predicate number, of each virtual register */
    uint32_t regs;  /* rows in use */
    uint32_t bank;  /* rows of constants (bank.h), which follow the registers */
    uint32_t preds; /* predicates in use */
    /* When a file is too small: the virtual registers to move to memory, and then another try. */
    uint32_t *spill;
    size_t n_spill, spill_capacity;
};

/* What to spill when it must be: by virtual register, the weight of the accesses that it would take
 * (loops.h), and those (may be NULL) that spilling made and that must not be spilled again. */
struct spill_choice {
    const uint32_t *cost;
    const uint8_t *pinned;
};

/* True when everything fits; else `spill` is not empty. `max_regs`: rows to use, even, at most
 * MAX_REGS. */
bool regalloc(struct allocation *allocation, const struct ir *ir, const struct interference *g,
              const struct spill_choice *choice, uint32_t max_regs);
/* The rows of the constants begin with `first`. Once, when the number of registers is known. */
void regalloc_place_bank(struct allocation *allocation, const struct ir *ir, uint32_t first);
void regalloc_free(struct allocation *allocation);

/* spill.c: moves the registers to local memory (predicates to 32-bit registers). Afterwards the
 * control-flow graph and the liveness must be computed again. `pinned` grows with the registers. */
void spill_registers(struct ir *ir, const struct allocation *allocation, uint8_t **pinned);

#endif
