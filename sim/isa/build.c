#include "sim/isa/build.h"

#include <stdlib.h>
#include <string.h>

#include "sim/base/alloc.h"
#include "sim/isa/regalloc.h"

#define MAX_SPILL_ROUNDS 16

/* --- constants -----------------------------------------------------------------------------------
 */

static void broadcast(uint32_t row[WARP_SIZE], uint32_t value)
{
    for (uint32_t lane = 0; lane < WARP_SIZE; lane++)
        row[lane] = value;
}

static void build_konst(struct built_kernel *built, struct ir *ir)
{
    struct kernel *k = &built->kernel;
    for (size_t i = 0; i < ir->n_konst; i++) {
        ir->konst[i].row = k->n_konst;
        k->n_konst += ir->konst[i].wide ? 2 : 1;
    }
    k->konst = alloc_array(k->n_konst, sizeof *k->konst);
    built->patches = ALLOC_ARRAY(struct address_patch, ir->n_konst);
    for (size_t i = 0; i < ir->n_konst; i++) {
        const struct konst *c = &ir->konst[i];
        uint64_t value = c->value;
        if (c->variable != NONE && ir->unit->variables[c->variable].space == SPACE_SHARED)
            value += k->shared_bytes; /* dynamic shared memory follows the static one */
        else if (c->variable != NONE)
            built->patches[built->n_patches++] =
                (struct address_patch){c->row, c->variable, (int64_t)c->value, c->wide};
        broadcast(k->konst[c->row], (uint32_t)value);
        if (c->wide)
            broadcast(k->konst[c->row + 1], (uint32_t)(value >> 32));
    }
}

/* --- registers into instructions -----------------------------------------------------------------
 */

struct emitter {
    const struct ir *ir;
    const struct allocation *alloc;
};

static void mark(uint64_t set[REG_SET_WORDS], uint32_t reg)
{
    set[reg / 64] |= 1ull << (reg % 64);
}

static void mark_vreg(const struct emitter *e, uint64_t set[REG_SET_WORDS], uint32_t vreg)
{
    uint32_t reg = e->alloc->reg[vreg];
    uint8_t class = e->ir->vregs[vreg];
    mark(set, class == VREG_PRED ? MAX_REGS + reg : reg);
    if (class == VREG_64)
        mark(set, reg + 1);
}

static uint32_t row_of(const struct emitter *e, uint32_t ref)
{
    if (ref == NONE)
        return NO_ROW;
    if (ref & REF_KONST)
        return SRC_KONST | e->ir->konst[ref & ~REF_KONST].row;
    return e->alloc->reg[ref];
}

static uint8_t pred_of(const struct emitter *e, uint32_t vreg)
{
    return vreg == NONE ? NO_PRED : (uint8_t)e->alloc->reg[vreg];
}

static void finish(const struct emitter *e, struct inst *inst, const struct vinst *v)
{
    uint32_t list[LIVENESS_OPERANDS];
    *inst = v->inst;
    for (int i = 0; i < 4; i++) {
        inst->op.dst[i] = v->dst[i] == NONE ? NO_DST : e->alloc->reg[v->dst[i]];
        inst->op.src[i] = row_of(e, v->src[i]);
    }
    inst->op.base = row_of(e, v->base);
    inst->op.pdst[0] = pred_of(e, v->pdst[0]);
    inst->op.pdst[1] = pred_of(e, v->pdst[1]);
    inst->op.psrc = pred_of(e, v->psrc);
    inst->op.psrc2 = pred_of(e, v->psrc2);
    inst->guard = v->guard == NONE ? NO_GUARD : (uint8_t)e->alloc->reg[v->guard];
    for (unsigned k = liveness_defs(v, list); k-- > 0;)
        mark_vreg(e, inst->def_set, list[k]);
    memcpy(inst->use_set, inst->def_set, sizeof inst->use_set);
    for (unsigned k = liveness_uses(v, list); k-- > 0;)
        mark_vreg(e, inst->use_set, list[k]);
    if (inst->class == INST_LOAD && v->base < REF_KONST) {
        uint64_t base[REG_SET_WORDS] = {0};
        mark_vreg(e, base, v->base);
        for (int w = 0; w < REG_SET_WORDS; w++)
            if (base[w] & inst->def_set[w])
                inst->flags |= INST_ADDR_IN_DST;
    }
}

/* A move of a register onto itself, which coalescing leaves behind. */
static bool is_void(const struct emitter *e, const struct vinst *v)
{
    if (v->inst.class != INST_ALU || v->dst[0] == NONE || v->src[0] >= REF_KONST ||
        (v->inst.exec != lanes_extend(PTX_B32, 4) && v->inst.exec != lanes_extend(PTX_B64, 8)))
        return false;
    return e->alloc->reg[v->dst[0]] == e->alloc->reg[v->src[0]];
}

/* The code without void moves and without the final exit where nothing reaches it. */
static void build_code(struct kernel *k, const struct ir *ir, const struct cfg *cfg,
                       const struct allocation *alloc)
{
    struct emitter e = {ir, alloc};
    uint32_t *moved = ALLOC_ARRAY(uint32_t, ir->n_code + 1);
    uint32_t last = (uint32_t)ir->n_code - 1, last_block = cfg->block_of[last];
    bool reached = cfg->pred_start[last_block] != cfg->pred_start[last_block + 1];
    bool drop_last = last > 0 && cfg->blocks[last_block].first == last && !reached;
    for (size_t i = 0; i < ir->n_code; i++) {
        moved[i] = k->n_inst;
        k->n_inst += !is_void(&e, &ir->code[i]) && !(drop_last && i == last);
    }
    moved[ir->n_code] = k->n_inst;
    k->code = ALLOC_ARRAY(struct inst, k->n_inst);
    for (size_t i = 0; i < ir->n_code; i++) {
        if (moved[i] == moved[i + 1])
            continue;
        struct inst *inst = &k->code[moved[i]];
        finish(&e, inst, &ir->code[i]);
        if (inst->class == INST_BRANCH) {
            inst->target = moved[inst->target];
            if (inst->reconv != NO_RECONV)
                inst->reconv = moved[inst->reconv];
        }
    }
    free(moved);
}

/* --- the kernel ----------------------------------------------------------------------------------
 */

static bool build_params(struct kernel *k, const struct unit *unit, const struct function *f,
                         struct error *err)
{
    k->n_params = (uint32_t)f->n_params;
    k->params = ALLOC_ARRAY(struct kernel_param, f->n_params);
    if (f->param_bytes > UINT32_MAX)
        return error_set(err, "%s:%u: parameters larger than 4 GiB", unit->name, f->line);
    k->param_bytes = (uint32_t)f->param_bytes;
    for (size_t i = 0; i < f->n_params; i++) {
        const struct variable *v = &unit->variables[f->params[i].index];
        bool aggregate = v->size != type_bytes(v->type);
        k->params[i] = (struct kernel_param){.name = alloc_string_n(v->name, v->name_length),
                                             .type = aggregate ? PTX_B8 : v->type,
                                             .size = (uint32_t)v->size,
                                             .align = (uint32_t)v->align,
                                             .offset = (uint32_t)v->offset};
    }
    return true;
}

/* Allocates, spilling to memory as often as needed. */
static bool allocate(struct ir *ir, struct cfg *cfg, struct allocation *alloc, uint32_t max_regs)
{
    uint8_t *pinned = NULL;
    bool ok = false;
    for (int round = 0; round < MAX_SPILL_ROUNDS && !ok; round++) {
        if (round > 0) {
            spill_registers(ir, alloc, &pinned);
            regalloc_free(alloc);
            cfg_free(cfg);
        }
        cfg_build(cfg, ir);
        struct interval *intervals = liveness_intervals(ir, cfg);
        ok = regalloc(alloc, ir, intervals, pinned, max_regs);
        free(intervals);
    }
    free(pinned);
    return ok || error_set(ir->err, "%s:%u: kernel %.80s needs more than %d registers",
                           ir->unit->name, ir->entry->line, ir->entry->name, max_regs);
}

static uint32_t register_limit(const struct function *entry, uint32_t max_regs)
{
    uint64_t limit = max_regs;
    if (entry->max_regs && entry->max_regs < limit)
        limit = entry->max_regs;
    return limit < MIN_REGS ? MIN_REGS : (uint32_t)limit & ~3u;
}

void build_kernel(struct built_kernel *built, const struct unit *unit, const struct function *entry,
                  uint32_t max_regs)
{
    struct kernel *k = &built->kernel;
    struct error err = {0};
    struct ir ir = {.unit = unit, .entry = entry, .err = &err, .dynamic_align = 0, .carry = NONE};
    *built = (struct built_kernel){0};
    ir.shared_offset = ALLOC_ARRAY(uint64_t, unit->n_variables);
    memset(ir.shared_offset, 0xFF, unit->n_variables * sizeof *ir.shared_offset);
    k->name = alloc_string(entry->name);
    bool ok = build_params(k, unit, entry, &err) && ir_flatten(&ir);
    if (ok) {
        struct cfg cfg;
        struct allocation alloc;
        ir_place_params(&ir);
        ok = allocate(&ir, &cfg, &alloc, register_limit(entry, max_regs));
        uint64_t align = ir.dynamic_align ? ir.dynamic_align : 1;
        k->shared_bytes = (uint32_t)((ir.shared_bytes + align - 1) / align * align);
        k->local_bytes = (uint32_t)((ir.local_bytes + 3) & ~3ull);
        k->max_threads =
            entry->max_threads > UINT32_MAX ? UINT32_MAX : (uint32_t)entry->max_threads;
        k->regs = alloc.regs ? (alloc.regs + 3) & ~3u : 4;
        k->preds = alloc.preds;
        if (ok) {
            build_konst(built, &ir);
            build_code(k, &ir, &cfg, &alloc);
        }
        regalloc_free(&alloc);
        cfg_free(&cfg);
    }
    ir_free(&ir);
    if (!ok)
        k->defect = alloc_string(err.text);
}

void built_kernel_free(struct built_kernel *built)
{
    struct kernel *k = &built->kernel;
    for (uint32_t i = 0; i < k->n_params; i++)
        free(k->params[i].name);
    free(k->params);
    free(k->name);
    free(k->defect);
    free(k->code);
    free(k->konst);
    free(built->patches);
}
