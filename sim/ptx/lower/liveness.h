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

/* The virtual registers that hold a value which is still needed at the ends of each block. A
 * register that no path has written yet holds none. */
struct liveness {
    uint32_t *bit;  /* of each virtual register that lives across blocks, or NONE */
    uint32_t *vreg; /* of each bit */
    uint32_t n_bits;
    size_t words;
    uint64_t *in, *out; /* `words` per block */
    uint64_t *unset;    /* `words`: what may be read before it is written */
};
void liveness_build(struct liveness *l, const struct ir *ir, const struct cfg *cfg);
void liveness_free(struct liveness *l);

/* A set of virtual registers as a walk backwards through a block changes it. */
struct live_set {
    uint32_t *list, *at; /* the members; the place of each in the list, or NONE */
    uint32_t n;
};
void live_set_init(struct live_set *set, size_t n_vregs);
void live_set_free(struct live_set *set);
void live_set_add(struct live_set *set, uint32_t vreg);
void live_set_remove(struct live_set *set, uint32_t vreg);
/* What is live at the end of a block. */
void live_set_start(struct live_set *set, const struct liveness *l, uint32_t block);
/* From what is live after an instruction to what is live before it. */
void live_set_step(struct live_set *set, const struct vinst *v);
/* 32-bit rows that the members take, and with `v` what it writes, needed or not. */
uint32_t liveness_rows(const struct ir *ir, const struct live_set *live, const struct vinst *v);

/* Registers an instruction reads (guard included) and writes; at most LIVENESS_OPERANDS each. */
#define LIVENESS_OPERANDS 8
unsigned liveness_uses(const struct vinst *v, uint32_t uses[LIVENESS_OPERANDS]);
unsigned liveness_defs(const struct vinst *v, uint32_t defs[LIVENESS_OPERANDS]);

#endif
