#include "sim/ptx/lower/call.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "sim/ptx/lower/liveness.h"

/* --- where parameters are ------------------------------------------------------------------------
 */

static uint64_t place(uint64_t *end, uint64_t bytes)
{
    uint64_t align = bytes > 8 ? 16 : 8;
    uint64_t at = (*end + align - 1) / align * align;
    *end = at + (bytes ? bytes : 1);
    return at;
}

static uint64_t formal_bytes(const struct ir *ir, const struct function *f,
                             const struct formal *formal)
{
    return formal->is_register ? type_bytes(f->regs[formal->index])
                               : ir->unit->variables[formal->index].size;
}

static uint32_t fixed_object(struct ir *ir, uint64_t bytes, enum object_place where, uint64_t at)
{
    ARRAY_RESERVE(ir->objects, ir->n_objects, ir->objects_capacity);
    ir->objects[ir->n_objects] = (struct param_object){
        .size = bytes, .align = 8, .memory = true, .place = where, .local_offset = at};
    return (uint32_t)ir->n_objects++;
}

void call_move(struct ir *ir, uint32_t line, uint32_t object, uint32_t ref, uint8_t type, bool load)
{
    struct vinst *v = ir_emit(ir, line);
    uint32_t bytes = type_bytes(type);
    v->inst.class = load ? INST_LOAD : INST_STORE;
    v->inst.exec = NULL;
    v->inst.unit = UNIT_LDST;
    v->inst.timing = TIMING_MEM;
    v->inst.space = SPACE_LOCAL;
    v->inst.width = (uint8_t)bytes;
    v->inst.op.type = type;
    v->inst.op.type2 = (uint8_t)(bytes < 4 ? 4 : bytes);
    v->inst.op.mods = load && bytes == 8 ? OP_DST64 : 0;
    v->object = object;
    *(load ? v->dst : v->src) = ref;
}

/* --- the function called -------------------------------------------------------------------------
 */

uint64_t call_frame_start(const struct ir *ir, const struct function *f)
{
    uint64_t end = 0;
    for (size_t i = 0; i < f->n_returns; i++)
        (void)place(&end, formal_bytes(ir, f, &f->returns[i]));
    for (size_t i = 0; i < f->n_params; i++)
        (void)place(&end, formal_bytes(ir, f, &f->params[i]));
    return (end + FRAME_ALIGN - 1) / FRAME_ALIGN * FRAME_ALIGN;
}

static uint32_t enter_formal(struct ir *ir, struct frame *frame, const struct formal *formal,
                             uint64_t *end)
{
    const struct function *f = frame->function;
    uint64_t bytes = formal_bytes(ir, f, formal), at = place(end, bytes);
    uint32_t object = fixed_object(ir, bytes, OBJECT_FRAME, at);
    if (!formal->is_register)
        frame->variables[formal->index - f->first_variable] = object;
    return object;
}

void call_enter(struct ir *ir, struct frame *frame)
{
    const struct function *f = frame->function;
    uint64_t end = 0;
    ir->result_objects = ALLOC_ARRAY(uint32_t, f->n_returns + 1);
    for (size_t i = 0; i < f->n_returns; i++)
        ir->result_objects[i] = enter_formal(ir, frame, &f->returns[i], &end);
    for (size_t i = 0; i < f->n_params; i++) {
        const struct formal *formal = &f->params[i];
        uint32_t object = enter_formal(ir, frame, formal, &end);
        if (formal->is_register)
            call_move(ir, f->line, object, frame->reg_base + formal->index, f->regs[formal->index],
                      true);
    }
}

void call_return(struct decoder *d, const struct frame *frame)
{
    const struct function *f = frame->function;
    for (size_t i = 0; i < f->n_returns; i++)
        if (f->returns[i].is_register)
            call_move(d->ir, d->ast->line, d->ir->result_objects[i],
                      frame->reg_base + f->returns[i].index, f->regs[f->returns[i].index], false);
    struct vinst *v = decode_emit(d);
    v->inst.class = INST_RET;
    v->inst.exec = NULL;
    v->inst.unit = UNIT_CONTROL;
    v->inst.timing = TIMING_CONTROL;
}

/* --- the call ------------------------------------------------------------------------------------
 */

/* One argument or result of a call: `object` is that in the callee's frame. */
struct passing {
    uint32_t object;
    uint64_t bytes;
    uint8_t type;  /* of a scalar */
    bool is_array; /* only an object will do */
};

static bool describe(struct decoder *d, const struct formal *formal, const struct function *f,
                     const struct ast_operand *actual, struct passing *p)
{
    const struct unit *unit = d->ir->unit;
    if (formal) {
        const struct variable *v = &unit->variables[formal->index];
        p->type = formal->is_register ? f->regs[formal->index] : v->type;
        p->bytes = formal_bytes(d->ir, f, formal);
        p->is_array = !formal->is_register && v->size != type_bytes(v->type);
        return p->type != PTX_PRED || decode_error(d, "a predicate cannot be passed");
    }
    uint32_t vreg;
    if (actual->kind == OPERAND_SYMBOL) {
        const struct variable *v = &unit->variables[actual->index];
        p->type = v->type;
        p->bytes = v->size;
        p->is_array = v->size != type_bytes(v->type);
        return true;
    }
    if (!decode_register(d, actual, &vreg, &p->type) || p->type == PTX_PRED)
        return decode_error(d, "an indirect call accepts only .param variables and registers");
    p->bytes = type_bytes(p->type);
    p->is_array = false;
    return true;
}

/* The caller's variable lies in the callee's frame from the start, unless it is used elsewhere. */
static bool bind(struct decoder *d, const struct ast_operand *actual, struct passing *p,
                 uint64_t at)
{
    const struct variable *v = &d->ir->unit->variables[actual->index];
    if (v->space != SPACE_PARAM || decode_kernel_param(d, actual->index))
        return decode_error(d, "an argument must be a .param variable, a register or a constant");
    if (v->size < p->bytes)
        return decode_error(d, "'%.*s' is smaller than the parameter",
                            (int)(v->name_length < 80 ? v->name_length : 80), v->name);
    struct param_object *o = &d->ir->objects[decode_variable(d, actual->index)];
    if (o->place != OBJECT_FREE)
        return decode_error(d, "'%.*s' is already a parameter of another call",
                            (int)(v->name_length < 80 ? v->name_length : 80), v->name);
    o->memory = true;
    o->place = OBJECT_OUT;
    o->local_offset = at;
    o->call = d->ir->n_calls + 1;
    return true;
}

static bool pass(struct decoder *d, const struct ast_operand *actual, struct passing *p,
                 uint64_t *end)
{
    uint64_t at = place(end, p->bytes);
    p->object = NONE;
    if (actual->kind == OPERAND_SYMBOL &&
        d->ir->unit->variables[actual->index].space == SPACE_PARAM)
        return bind(d, actual, p, at);
    if (p->is_array)
        return decode_error(d, "an array parameter needs a .param argument");
    p->object = fixed_object(d->ir, p->bytes, OBJECT_OUT, at);
    d->ir->objects[p->object].call = d->ir->n_calls + 1;
    return true;
}

static void control(struct decoder *d, const struct real_call *call, uint32_t target)
{
    struct vinst *v = ir_emit(d->ir, d->ast->line);
    v->inst.class = INST_CALL;
    v->inst.exec = NULL;
    v->inst.unit = UNIT_CONTROL;
    v->inst.timing = TIMING_CONTROL;
    v->callee = call->function;
    v->src[0] = target;
    v->frame_end = true;
    struct vinst *back = ir_emit(d->ir, d->ast->line);
    back->inst.exec = lanes_leave_frame;
    back->frame_end = true;
    d->ir->n_calls++;
}

/* Arguments in registers and constants are written, results for registers read. */
static bool transfer(struct decoder *d, const struct ast_operand *actual, const struct passing *p,
                     bool load)
{
    uint32_t ref, bytes;
    if (p->object == NONE)
        return true;
    if (!load) {
        if (!decode_source(d, actual, p->type, true, &ref))
            return false;
    } else if (!decode_dst_loose(d, actual, p->type, &ref, &bytes) ||
               (bytes == 8) != (type_bytes(p->type) == 8)) {
        return decode_error(d, "the register does not fit the result");
    }
    call_move(d->ir, d->ast->line, p->object, ref, p->type, load);
    return true;
}

bool call_emit(struct decoder *d, const struct real_call *call)
{
    const struct ast_operand *elements = d->ir->unit->elements;
    const struct function *f =
        call->function == NONE ? NULL : &d->ir->unit->functions[call->function];
    size_t n_returns = call->returns ? call->returns->count : 0;
    size_t n_args = call->args ? call->args->count : 0;
    struct passing *passing = ALLOC_ARRAY(struct passing, n_returns + n_args + 1);
    uint64_t end = 0;
    uint32_t target = NONE;
    bool ok = true;
    if (f && (n_args != f->n_params || n_returns != f->n_returns))
        ok = decode_error(d, "%s has %zu parameters and %zu results", f->name, f->n_params,
                          f->n_returns);
    for (size_t i = 0; i < n_returns + n_args && ok; i++) {
        bool is_return = i < n_returns;
        size_t k = is_return ? i : i - n_returns;
        const struct ast_operand *actual =
            &elements[(is_return ? call->returns : call->args)->index + k];
        const struct formal *formal = !f ? NULL : is_return ? &f->returns[k] : &f->params[k];
        ok = describe(d, formal, f, actual, &passing[i]) && pass(d, actual, &passing[i], &end) &&
             (is_return || transfer(d, actual, &passing[i], false));
    }
    if (ok && call->target)
        ok = decode_source(d, call->target, PTX_B64, false, &target);
    if (ok)
        control(d, call, target);
    for (size_t i = 0; i < n_returns && ok; i++)
        ok = transfer(d, &elements[call->returns->index + i], &passing[i], true);
    free(passing);
    return ok;
}

/* --- registers around the call -------------------------------------------------------------------
 */

struct saver {
    struct ir *ir;
    uint64_t *slot; /* local offset + 1 by virtual register; 0: none yet */
};

static struct vinst *memory(struct saver *s, uint32_t line, uint32_t vreg, bool load)
{
    struct ir *ir = s->ir;
    bool wide = ir->vregs[vreg] == VREG_64;
    uint32_t bytes = wide ? 8 : 4;
    if (!s->slot[vreg]) {
        s->slot[vreg] = (ir->local_bytes + bytes - 1) / bytes * bytes + 1;
        ir->local_bytes = s->slot[vreg] - 1 + bytes;
    }
    struct vinst *v = ir_emit(ir, line);
    v->inst.class = load ? INST_LOAD : INST_STORE;
    v->inst.exec = NULL;
    v->inst.unit = UNIT_LDST;
    v->inst.timing = TIMING_MEM;
    v->inst.space = SPACE_LOCAL;
    v->inst.width = (uint8_t)bytes;
    v->inst.op.type = wide ? PTX_B64 : PTX_B32;
    v->inst.op.type2 = v->inst.width;
    v->inst.op.mods = wide && load ? OP_DST64 : 0;
    v->inst.op.imm = (int64_t)(s->slot[vreg] - 1);
    return v;
}

static void save(struct saver *s, uint32_t line, uint32_t vreg)
{
    struct ir *ir = s->ir;
    if (ir->vregs[vreg] != VREG_PRED) {
        memory(s, line, vreg, false)->src[0] = vreg;
        return;
    }
    uint32_t word = ir_vreg(ir, VREG_32);
    struct vinst *v = ir_emit(ir, line);
    v->inst.exec = lanes_select;
    v->dst[0] = word;
    v->src[0] = ir_konst(ir, 1, false);
    v->src[1] = ir_konst(ir, 0, false);
    v->psrc = vreg;
    memory(s, line, vreg, false)->src[0] = word;
}

static void restore(struct saver *s, uint32_t line, uint32_t vreg)
{
    struct ir *ir = s->ir;
    if (ir->vregs[vreg] != VREG_PRED) {
        memory(s, line, vreg, true)->dst[0] = vreg;
        return;
    }
    uint32_t word = ir_vreg(ir, VREG_32);
    memory(s, line, vreg, true)->dst[0] = word;
    struct vinst *v = ir_emit(ir, line);
    v->inst.exec = lanes_compare(COMPARE_NE, PTX_U32, false);
    v->src[0] = word;
    v->src[1] = ir_konst(ir, 0, false);
    v->pdst[0] = vreg;
}

/* A parameter in the callee's frame is written after the call before it, and a result read before
 * the call after it: all those frames are in the same place. */
bool call_check_order(const struct ir *ir)
{
    uint32_t seen = 0;
    for (size_t i = 0; i < ir->n_code; i++) {
        const struct vinst *v = &ir->code[i];
        seen += v->inst.class == INST_CALL;
        if (v->object == NONE || ir->objects[v->object].place != OBJECT_OUT)
            continue;
        bool result = v->inst.class == INST_LOAD;
        if (ir->objects[v->object].call != seen + !result)
            return error_set(ir->err,
                             "%s:%u: the code uses a parameter of one call across another call",
                             ir->unit->name, v->inst.line);
    }
    return true;
}

/* Is the register needed after the call at instruction `i` and the one that ends its frame? */
static bool lives_across(const struct interval *it, size_t i)
{
    return it->start <= it->end && it->start < 2 * i && it->end > 2 * i + 3;
}

static void around(struct saver *s, const struct vinst call[2], const struct interval *intervals,
                   size_t n_vregs, size_t i)
{
    uint32_t line = call->inst.line;
    for (uint32_t r = 0; r < n_vregs; r++)
        if (lives_across(&intervals[r], i))
            save(s, line, r);
    *ir_emit(s->ir, line) = call[0];
    *ir_emit(s->ir, line) = call[1];
    for (uint32_t r = 0; r < n_vregs; r++)
        if (lives_across(&intervals[r], i))
            restore(s, line, r);
}

void call_save_registers(struct ir *ir)
{
    if (!ir->n_calls)
        return;
    struct cfg cfg;
    cfg_build(&cfg, ir);
    struct interval *intervals = liveness_intervals(ir, &cfg);
    cfg_free(&cfg);
    size_t n_vregs = ir->n_vregs, n_old = ir->n_code;
    struct saver s = {.ir = ir, .slot = ALLOC_ARRAY(uint64_t, n_vregs)};
    struct vinst *old = ir->code;
    uint32_t *moved = ALLOC_ARRAY(uint32_t, n_old + 1);
    ir->code = NULL;
    ir->n_code = ir->code_capacity = 0;
    for (size_t i = 0; i < n_old; i++) {
        moved[i] = (uint32_t)ir->n_code;
        if (old[i].inst.class == INST_CALL) {
            around(&s, &old[i], intervals, n_vregs, i);
            moved[++i] = NONE; /* nobody branches there */
        } else {
            *ir_emit(ir, old[i].inst.line) = old[i];
        }
    }
    moved[n_old] = (uint32_t)ir->n_code;
    for (size_t i = 0; i < ir->n_labels; i++)
        if (ir->labels[i] != NONE)
            ir->labels[i] = moved[ir->labels[i]];
    free(old);
    free(moved);
    free(s.slot);
    free(intervals);
}

void call_finish(struct ir *ir)
{
    if (!ir->framed && !ir->n_calls)
        return;
    uint64_t end = (ir->local_bytes + FRAME_ALIGN - 1) / FRAME_ALIGN * FRAME_ALIGN;
    if (!end) /* a real machine keeps the return address there: no call is for nothing */
        end = FRAME_ALIGN;
    ir->local_bytes = end;
    for (size_t i = 0; i < ir->n_code; i++) {
        struct vinst *v = &ir->code[i];
        if (v->frame_end)
            v->inst.op.imm += (int64_t)end;
        if (ir->framed && v->inst.space == SPACE_LOCAL && v->inst.class != INST_ALU &&
            v->base == NONE)
            v->inst.flags |= INST_FRAME;
    }
}
