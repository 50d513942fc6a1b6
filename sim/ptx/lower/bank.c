#include "sim/ptx/lower/bank.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "sim/ptx/lower/simplify.h"
#include "sim/ptx/special.h"

bool bank_holds(const struct vinst *v)
{
    if (v->inst.class == INST_LOAD)
        return v->inst.space == SPACE_PARAM && v->base == NONE && v->inst.vec == 1 &&
               !(v->inst.flags & INST_VOLATILE);
    if (v->inst.class != INST_ALU || v->inst.exec != lanes_special)
        return false;
    switch (v->inst.op.sub) {
    case SPECIAL_NTID_X:
    case SPECIAL_NTID_Y:
    case SPECIAL_NTID_Z:
    case SPECIAL_NCTAID_X:
    case SPECIAL_NCTAID_Y:
    case SPECIAL_NCTAID_Z:
        return true;
    default:
        return false;
    }
}

bool bank_reads(const struct vinst *v)
{
    return v->inst.class == INST_ALU && !(v->inst.flags & INST_CONVERGENT);
}

/* Registers that some instruction needs in the register file. */
static uint8_t *find_needed(const struct ir *ir)
{
    uint8_t *needed = ALLOC_ARRAY(uint8_t, ir->n_vregs + 1);
    uint32_t list[LIVENESS_OPERANDS];
    for (size_t i = 0; i < ir->n_code; i++)
        if (!bank_reads(&ir->code[i]))
            for (unsigned k = liveness_uses(&ir->code[i], list); k-- > 0;)
                needed[list[k]] = 1;
    return needed;
}

uint32_t bank_values(struct ir *ir)
{
    struct cfg cfg;
    cfg_build(&cfg, ir);
    uint32_t *definition = simplify_definitions(ir, &cfg), rows = 0;
    uint8_t *needed = find_needed(ir);
    cfg_free(&cfg);
    ir->banked = alloc_resize(ir->banked, ir->n_vregs + 1, 1);
    ir->n_banked = ir->n_vregs;
    memset(ir->banked, 0, ir->n_vregs + 1);
    for (size_t r = 0; r < ir->n_vregs; r++) {
        if (definition[r] == NONE || needed[r] || !bank_holds(&ir->code[definition[r]]) ||
            rows + ir->vregs[r] > MAX_BANK_ROWS)
            continue;
        ir->banked[r] = 1;
        rows += ir->vregs[r];
    }
    free(definition);
    free(needed);
    return rows;
}
