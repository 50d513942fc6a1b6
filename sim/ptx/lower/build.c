#include "sim/ptx/lower/build.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "sim/ptx/lower/call.h"
#include "sim/ptx/lower/fold.h"
#include "sim/ptx/lower/regalloc.h"
#include "sim/ptx/native/native.h"
#include "sim/ptx/special.h"

#define MAX_SPILL_ROUNDS 16
#define MAX_CALL_NESTING 1000 /* of frames whose depth is added up */

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
    const size_t n_before = k->n_konst;
    for (size_t i = 0; i < ir->n_konst; i++) {
        ir->konst[i].row = k->n_konst;
        k->n_konst += ir->konst[i].wide ? 2 : 1;
    }
    uint32_t(*before)[WARP_SIZE] = k->konst;
    k->konst = alloc_lines(k->n_konst + 1u, sizeof *k->konst);
    if (n_before)
        memcpy(k->konst, before, n_before * sizeof *k->konst);
    free(before);
    built->patches =
        alloc_resize(built->patches, built->n_patches + ir->n_konst + 1, sizeof *built->patches);
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
    for (int w = 1; w < REG_SET_WORDS - 1; w++)
        inst->many_regs |= inst->use_set[w] != 0;
    inst->reads_clock = inst->exec == lanes_special && special_is_clock(inst->op.sub);
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

/* The code without void moves and without the final exit where nothing reaches it, behind the code
 * that is there already. */
static void build_code(struct kernel *k, const struct ir *ir, const struct cfg *cfg,
                       const struct allocation *alloc)
{
    struct emitter e = {ir, alloc};
    uint32_t *moved = ALLOC_ARRAY(uint32_t, ir->n_code + 1);
    uint32_t last = (uint32_t)ir->n_code - 1, last_block = cfg->block_of[last];
    bool reached = cfg->pred_start[last_block] != cfg->pred_start[last_block + 1];
    bool drop_last = last > 0 && cfg->blocks[last_block].first == last && !reached;
    uint32_t start = k->n_inst;
    for (size_t i = 0; i < ir->n_code; i++) {
        moved[i] = k->n_inst;
        k->n_inst += !is_void(&e, &ir->code[i]) && !(drop_last && i == last);
    }
    moved[ir->n_code] = k->n_inst;
    k->code = alloc_resize(k->code, k->n_inst + 1u, sizeof *k->code);
    memset(k->code + start, 0, (k->n_inst - start) * sizeof *k->code);
    for (size_t i = 0; i < ir->n_code; i++) {
        if (moved[i] == moved[i + 1])
            continue;
        struct inst *inst = &k->code[moved[i]];
        finish(&e, inst, &ir->code[i]);
        k->reads_clock |= inst->reads_clock;
        if (inst->class == INST_BRANCH) {
            inst->target = moved[inst->target];
            if (inst->reconv != NO_RECONV)
                inst->reconv = moved[inst->reconv];
        }
        if (inst->class == INST_CALL)
            inst->target = ir->code[i].callee;
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

/* The kernel itself, or a function that it calls. */
struct piece {
    struct ir ir;
    struct cfg cfg;
    struct allocation alloc;
    struct error err;
    uint32_t function; /* of the unit */
    bool ok, allocated;
    /* Depth of the calls from here on (find_depth). */
    uint8_t state; /* 0: not looked at, 1: being looked at, 2: known */
    uint64_t depth;
};

/* A kernel with the functions that it calls. Shared memory is common to all of them. */
struct build {
    const struct unit *unit;
    struct piece *pieces;
    size_t n_pieces, capacity;
    uint32_t *piece_of; /* by function, or NONE */
    uint64_t *shared_offset;
    uint64_t shared_bytes, dynamic_align;
    uint32_t max_regs;
    bool deep;
};

static void add_piece(struct build *b, uint32_t function)
{
    if (b->piece_of[function] != NONE)
        return;
    b->piece_of[function] = (uint32_t)b->n_pieces;
    ARRAY_RESERVE(b->pieces, b->n_pieces, b->capacity);
    b->pieces[b->n_pieces++] = (struct piece){.function = function};
}

/* Functions that the piece calls; by address any could be meant whose address is taken. */
static void add_callees(struct build *b, size_t piece)
{
    for (size_t i = 0; i < b->pieces[piece].ir.n_code; i++) {
        const struct vinst *v = &b->pieces[piece].ir.code[i];
        if (v->inst.class != INST_CALL)
            continue;
        if (v->callee != NONE) {
            add_piece(b, v->callee);
            continue;
        }
        for (uint32_t f = 0; f < b->unit->n_functions; f++)
            if (b->unit->functions[f].address_taken && b->unit->functions[f].defined)
                add_piece(b, f);
    }
}

static void build_piece(struct build *b, size_t index)
{
    struct piece *p = &b->pieces[index];
    p->ir = (struct ir){.unit = b->unit,
                        .entry = &b->unit->functions[p->function],
                        .err = &p->err,
                        .shared_offset = b->shared_offset,
                        .shared_bytes = b->shared_bytes,
                        .dynamic_align = b->dynamic_align,
                        .carry = NONE};
    p->ok = ir_flatten(&p->ir);
    if (p->ok) {
        ir_place_params(&p->ir);
        ir_fold_tiles(&p->ir);
        call_save_registers(&p->ir);
        p->allocated = true;
        p->ok = allocate(&p->ir, &p->cfg, &p->alloc, b->max_regs);
        call_finish(&p->ir);
    }
    b->shared_bytes = p->ir.shared_bytes;
    b->dynamic_align = p->ir.dynamic_align;
    p->ir.shared_offset = NULL;
    if (p->ok)
        add_callees(b, index);
}

static void free_pieces(struct build *b)
{
    for (size_t i = 0; i < b->n_pieces; i++) {
        struct piece *p = &b->pieces[i];
        if (p->allocated) {
            regalloc_free(&p->alloc);
            cfg_free(&p->cfg);
        }
        ir_free(&p->ir);
    }
    free(b->pieces);
    free(b->piece_of);
    free(b->shared_offset);
}

/* Bytes of local memory from this piece's frame on to the deepest call. Chains of calls that come
 * back to where they were have no depth: `deep`. */
static uint64_t find_depth(struct build *b, size_t index, uint32_t nesting)
{
    struct piece *p = &b->pieces[index];
    uint64_t below = 0;
    if (p->state == 2)
        return p->depth;
    if (p->state == 1 || nesting > MAX_CALL_NESTING) {
        b->deep = true;
        return 0;
    }
    p->state = 1;
    for (size_t i = 0; i < p->ir.n_code; i++) {
        const struct vinst *v = &p->ir.code[i];
        if (v->inst.class != INST_CALL)
            continue;
        bool any = v->callee == NONE;
        uint32_t f = any ? 0 : v->callee, end = any ? (uint32_t)b->unit->n_functions : f + 1;
        for (; f < end; f++) {
            if ((any && !b->unit->functions[f].address_taken) || b->piece_of[f] == NONE ||
                !b->pieces[b->piece_of[f]].ok)
                continue;
            uint64_t depth = find_depth(b, b->piece_of[f], nesting + 1);
            below = depth > below ? depth : below;
        }
    }
    p->state = 2;
    p->depth = p->ir.local_bytes + below;
    return p->depth;
}

static void describe_functions(struct kernel *k, struct build *b)
{
    if (b->n_pieces == 1)
        return;
    k->n_functions = (uint32_t)b->unit->n_functions;
    k->functions = ALLOC_ARRAY(struct kernel_function, k->n_functions);
    for (uint32_t f = 0; f < k->n_functions; f++)
        k->functions[f].name = alloc_string(b->unit->functions[f].name);
    for (size_t i = 1; i < b->n_pieces; i++) {
        const struct piece *p = &b->pieces[i];
        struct kernel_function *f = &k->functions[p->function];
        f->present = true;
        f->frame_bytes = (uint32_t)p->ir.local_bytes;
        f->defect = p->ok ? NULL : alloc_string(p->err.text);
    }
}

static void join_pieces(struct built_kernel *built, struct build *b)
{
    struct kernel *k = &built->kernel;
    uint64_t align = b->dynamic_align ? b->dynamic_align : 1;
    uint64_t local = find_depth(b, 0, 0);
    const struct function *entry = b->pieces[0].ir.entry;
    k->shared_bytes = (uint32_t)((b->shared_bytes + align - 1) / align * align);
    k->deep = b->deep;
    k->frame_bytes = (uint32_t)((b->pieces[0].ir.local_bytes + 3) & ~3ull);
    k->local_bytes = b->deep ? k->frame_bytes + CALL_STACK_BYTES : (uint32_t)((local + 3) & ~3ull);
    k->local_used = b->deep ? k->local_bytes : (uint32_t)local;
    k->max_threads = entry->max_threads > UINT32_MAX ? UINT32_MAX : (uint32_t)entry->max_threads;
    describe_functions(k, b);
    k->regs = 4;
    for (size_t i = 0; i < b->n_pieces; i++) {
        struct piece *p = &b->pieces[i];
        if (!p->ok)
            continue;
        uint32_t regs = (p->alloc.regs + 3) & ~3u;
        k->regs = regs > k->regs ? regs : k->regs;
        k->preds = p->alloc.preds > k->preds ? p->alloc.preds : k->preds;
        if (k->functions)
            k->functions[p->function].first = k->n_inst;
        build_konst(built, &p->ir);
        build_code(k, &p->ir, &p->cfg, &p->alloc);
    }
}

void build_kernel(struct built_kernel *built, const struct unit *unit, const struct function *entry,
                  uint32_t max_regs)
{
    struct kernel *k = &built->kernel;
    struct error err = {0};
    struct build b = {.unit = unit, .max_regs = register_limit(entry, max_regs)};
    *built = (struct built_kernel){0};
    k->name = alloc_string(entry->name);
    k->source = unit->source;
    k->native = native_create();
    b.shared_offset = ALLOC_ARRAY(uint64_t, unit->n_variables);
    memset(b.shared_offset, 0xFF, unit->n_variables * sizeof *b.shared_offset);
    b.piece_of = ALLOC_ARRAY(uint32_t, unit->n_functions);
    memset(b.piece_of, 0xFF, unit->n_functions * sizeof *b.piece_of);
    add_piece(&b, (uint32_t)(entry - unit->functions));
    bool ok = build_params(k, unit, entry, &err);
    for (size_t i = 0; i < b.n_pieces && ok; i++) {
        build_piece(&b, i);
        /* A function that is only called by address may never be: its call is the error then. */
        bool optional = i > 0 && unit->functions[b.pieces[i].function].address_taken;
        if (!b.pieces[i].ok && !optional)
            ok = error_set(&err, "%s", b.pieces[i].err.text);
    }
    if (ok)
        join_pieces(built, &b);
    else
        k->defect = alloc_string(err.text);
    free_pieces(&b);
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
    for (uint32_t i = 0; i < k->n_functions; i++) {
        free(k->functions[i].name);
        free(k->functions[i].defect);
    }
    free(k->functions);
    native_free(k->native);
    free(built->patches);
}
