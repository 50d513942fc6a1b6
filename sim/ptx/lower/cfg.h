/* Control-flow graph of a kernel and its immediate post-dominators, where a diverged branch
 * reconverges. */
#ifndef EVGPU_PTX_LOWER_CFG_H
#define EVGPU_PTX_LOWER_CFG_H

#include "sim/ptx/lower/ir.h"

struct block {
    uint32_t first, end; /* instructions first .. end-1 */
    uint32_t succ[2];    /* blocks; the number of blocks stands for the exit; NONE: none */
    uint32_t ipdom;      /* block, or the number of blocks: only the exit */
};

struct cfg {
    struct block *blocks;
    uint32_t n_blocks;
    uint32_t *block_of;   /* by instruction */
    uint32_t *preds;      /* predecessors of all nodes, the exit last */
    uint32_t *pred_start; /* of node n: preds[pred_start[n]] .. preds[pred_start[n + 1] - 1] */
};

/* From code with `label` set on branches and ir->labels; fills in inst.target and inst.reconv. */
void cfg_build(struct cfg *cfg, struct ir *ir);
void cfg_free(struct cfg *cfg);

/* Does control go on to the next instruction, for some lane? */
bool cfg_falls_through(const struct vinst *v);

#endif
