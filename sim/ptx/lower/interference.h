/* Which virtual registers hold needed values at the same time, and so cannot share a place; and
 * which would like to, since a move joins them. */
#ifndef EVGPU_PTX_LOWER_INTERFERENCE_H
#define EVGPU_PTX_LOWER_INTERFERENCE_H

#include "sim/ptx/lower/liveness.h"

struct interference {
    uint32_t *start, *with; /* of virtual register r: with[start[r]] .. with[start[r + 1] - 1] */
    uint32_t *move_start, *moved; /* partners of moves, in the same form */
    uint32_t *first;              /* instruction that first writes or reads it; NONE: unused */
    uint32_t rows;                /* the most 32-bit rows that are needed at one time */
};

void interference_build(struct interference *g, const struct ir *ir, const struct cfg *cfg);
void interference_free(struct interference *g);

/* A copy of a whole register to one of the same size. */
bool interference_is_move(const struct ir *ir, const struct vinst *v);

#endif
