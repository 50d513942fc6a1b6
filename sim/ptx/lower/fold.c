#include "sim/ptx/lower/fold.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "sim/ptx/lower/cfg.h"
#include "sim/ptx/lower/liveness.h"

#define SEVERAL  (NONE - 1)
#define MOST_SUM (1ll << 31) /* of constants, either way: further off it is no place in a block */

struct fold {
    struct ir *ir;
    struct cfg cfg;
    uint32_t *def; /* by virtual register: the only instruction that writes it, NONE, SEVERAL */
    uint8_t *
        *without; /* by block: the blocks that are reached without it, or NULL: not looked for */
    exec_fn add;
};

static void find_definitions(struct fold *f)
{
    uint32_t list[LIVENESS_OPERANDS];
    f->def = ALLOC_ARRAY(uint32_t, f->ir->n_vregs);
    memset(f->def, 0xFF, f->ir->n_vregs * sizeof *f->def);
    for (uint32_t i = 0; i < f->ir->n_code; i++)
        for (unsigned k = liveness_defs(&f->ir->code[i], list); k-- > 0;)
            f->def[list[k]] = f->def[list[k]] == NONE ? i : SEVERAL;
}

static uint8_t *reached_without(const struct cfg *cfg, uint32_t block)
{
    uint8_t *reached = ALLOC_ARRAY(uint8_t, cfg->n_blocks + 1);
    uint32_t *list = ALLOC_ARRAY(uint32_t, cfg->n_blocks + 1), n = 0;
    reached[0] = 1;
    list[n++] = 0;
    while (n && block) {
        const uint32_t *succ = cfg->blocks[list[--n]].succ;
        for (int s = 0; s < 2; s++) {
            if (succ[s] >= cfg->n_blocks || succ[s] == block || reached[succ[s]])
                continue;
            reached[succ[s]] = 1;
            list[n++] = succ[s];
        }
    }
    free(list);
    return reached;
}

/* Nothing comes to `later` but by `earlier`, another instruction. */
static bool dominates(struct fold *f, uint32_t earlier, uint32_t later)
{
    const uint32_t by = f->cfg.block_of[earlier], to = f->cfg.block_of[later];
    if (by == to)
        return earlier < later;
    if (!f->without[by])
        f->without[by] = reached_without(&f->cfg, by);
    return !f->without[by][to];
}

static bool is_written_once(const struct fold *f, uint32_t ref)
{
    return ref < REF_KONST && f->def[ref] < SEVERAL && f->ir->code[f->def[ref]].guard == NONE;
}

/* The register, which is written once, is the sum of another such one and a constant. Each time
 * that it is written, it follows the last write of the other one; so the sum holds wherever the
 * register is known to have been written. */
static bool is_sum(struct fold *f, uint32_t ref, uint32_t *of, uint64_t *constant)
{
    const struct vinst *v = &f->ir->code[f->def[ref]];
    const uint32_t k = v->src[1];
    if (v->inst.exec != f->add || k < REF_KONST || k == NONE || !is_written_once(f, v->src[0]) ||
        !dominates(f, f->def[v->src[0]], f->def[ref]))
        return false;
    const struct konst *value = &f->ir->konst[k & ~REF_KONST];
    if (value->variable != NONE || !value->wide)
        return false;
    *of = v->src[0];
    *constant = value->value;
    return true;
}

/* True: the pointer was a generic one of shared memory, and now is one of shared memory. */
static bool fold_tile(struct fold *f, uint32_t at)
{
    struct vinst *v = &f->ir->code[at];
    uint32_t base = v->src[0];
    uint64_t sum = 0, constant;
    if (!is_written_once(f, base) || !dominates(f, f->def[base], at))
        return false;
    while (is_sum(f, base, &base, &constant))
        sum += constant;
    const bool shared = sum + MOST_SUM - SHARED_WINDOW < 2 * MOST_SUM;
    const int64_t offset = (int64_t)(shared ? sum - SHARED_WINDOW : sum);
    if (offset >= MOST_SUM || offset < -MOST_SUM)
        return false;
    v->src[0] = base;
    v->inst.op.imm += offset;
    return shared;
}

static bool has_tiles(const struct ir *ir)
{
    for (size_t i = 0; i < ir->n_code; i++)
        if (ir->code[i].inst.exec == lanes_tile_address)
            return true;
    return false;
}

void ir_fold_tiles(struct ir *ir)
{
    if (!has_tiles(ir))
        return;
    struct fold f = {.ir = ir, .add = lanes_int(OP_add, PTX_U64, false, false)};
    cfg_build(&f.cfg, ir);
    f.without = ALLOC_ARRAY(uint8_t *, f.cfg.n_blocks);
    find_definitions(&f);
    uint32_t shared = NONE; /* the last tile's address, if it is one of shared memory */
    for (uint32_t i = 0; i < ir->n_code; i++) {
        struct vinst *v = &ir->code[i];
        if (v->inst.exec == lanes_tile_address)
            shared = !(v->inst.op.mods & OP_BASE32) && fold_tile(&f, i) ? v->dst[0] : NONE;
        else if (v->base != NONE && v->base == shared && v->inst.space == SPACE_GENERIC)
            v->inst.space = SPACE_SHARED;
    }
    for (uint32_t b = 0; b < f.cfg.n_blocks; b++)
        free(f.without[b]);
    free(f.without);
    free(f.def);
    cfg_free(&f.cfg);
}
