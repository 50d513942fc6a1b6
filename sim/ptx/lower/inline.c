/* Expands a kernel with all the device functions it calls into one instruction list. Arguments and
 * results need no copies: the callee's formal parameter is the caller's .param variable itself. */
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "sim/ptx/lower/system_call.h"

#define MAX_KERNEL_INSTRUCTIONS (4u << 20)
#define MAX_LOCAL_BYTES         (1u << 24)

struct call {                                 /* the operands of a call instruction */
    const struct ast_operand *returns, *args; /* lists, or NULL */
    uint32_t function;                        /* NONE: by address */
    const struct ast_operand *target;         /* the address */
};

struct inliner {
    struct ir *ir;
    uint64_t local_top;
};

static bool expand(struct inliner *in, const struct function *f, struct frame *caller,
                   const struct call *call, const struct ast_inst *at);

static uint32_t new_object(struct ir *ir, uint64_t size, uint64_t align)
{
    ARRAY_RESERVE(ir->objects, ir->n_objects, ir->objects_capacity);
    ir->objects[ir->n_objects] = (struct param_object){.size = size, .align = align};
    return (uint32_t)ir->n_objects++;
}

static void move(struct ir *ir, uint32_t line, uint32_t dst, uint32_t src, uint32_t bytes)
{
    struct vinst *v = ir_emit(ir, line);
    v->inst.exec = lanes_extend(bytes == 8 ? PTX_B64 : PTX_B32, bytes == 8 ? 8 : 4);
    v->inst.op.mods = bytes == 8 ? OP_DST64 | OP_SRC64 : 0;
    v->dst[0] = dst;
    v->src[0] = src;
}

/* --- arguments -----------------------------------------------------------------------------------
 */

static struct decoder at_call(struct inliner *in, struct frame *frame, const struct ast_inst *at)
{
    return (struct decoder){.ir = in->ir,
                            .frame = frame,
                            .ast = at,
                            .op = &in->ir->unit->ops.items[at->op],
                            .operands = in->ir->unit->operands + at->operands};
}

/* The object of an actual .param argument, or a new one. `*copy`: the value still has to be moved.
 */
static bool bind_param(struct decoder *d, const struct variable *formal,
                       const struct ast_operand *actual, uint64_t *object, bool *copy)
{
    *copy = actual->kind != OPERAND_SYMBOL;
    if (*copy) {
        *object = new_object(d->ir, formal->size, formal->align);
        return true;
    }
    const struct variable *v = &d->ir->unit->variables[actual->index];
    if (v->space != SPACE_PARAM || decode_kernel_param(d, actual->index))
        return decode_error(d, "an argument must be a .param variable, a register or a constant");
    if (v->size < formal->size)
        return decode_error(d, "argument '%.*s' is smaller than the parameter",
                            (int)(v->name_length < 80 ? v->name_length : 80), v->name);
    *object = decode_variable(d, actual->index);
    if (d->ir->objects[*object].align < formal->align)
        d->ir->objects[*object].align = formal->align;
    return true;
}

static bool pass_in(struct inliner *in, struct frame *frame, const struct formal *formal,
                    const struct ast_operand *actual, const struct ast_inst *at)
{
    struct decoder d = at_call(in, frame->caller, at);
    const struct function *f = frame->function;
    uint32_t ref;
    bool copy;
    if (formal->is_register) {
        uint8_t type = f->regs[formal->index];
        if (type == PTX_PRED || !decode_source(&d, actual, type, false, &ref))
            return decode_error(&d, "the argument does not fit the parameter register");
        move(in->ir, at->line, frame->reg_base + formal->index, ref, type_bytes(type));
        return true;
    }
    const struct variable *v = &in->ir->unit->variables[formal->index];
    uint64_t object;
    if (!bind_param(&d, v, actual, &object, &copy))
        return false;
    frame->variables[formal->index - f->first_variable] = object;
    if (!copy)
        return true;
    if (v->size != type_bytes(v->type))
        return decode_error(&d, "an array parameter needs a .param argument");
    if (!decode_source(&d, actual, v->type, true, &ref))
        return false;
    call_move(in->ir, at->line, (uint32_t)object, ref, v->type, false);
    return true;
}

/* Before the body: binds the result; after it (`done`): moves it to a register result. */
static bool pass_out(struct inliner *in, struct frame *frame, const struct formal *formal,
                     const struct ast_operand *actual, const struct ast_inst *at, bool done)
{
    struct decoder d = at_call(in, frame->caller, at);
    const struct function *f = frame->function;
    uint8_t type =
        formal->is_register ? f->regs[formal->index] : in->ir->unit->variables[formal->index].type;
    uint32_t vreg, bytes;
    bool copy = actual->kind == OPERAND_REG;
    if (done && !copy)
        return true;
    if (copy && (type == PTX_PRED || !decode_dst_loose(&d, actual, type, &vreg, &bytes) ||
                 (bytes == 8) != (type_bytes(type) == 8)))
        return decode_error(&d, "the register does not fit the result");
    if (!done && !formal->is_register)
        return bind_param(&d, &in->ir->unit->variables[formal->index], actual,
                          &frame->variables[formal->index - f->first_variable], &copy);
    if (!done)
        return copy || decode_error(&d, "the result needs a register");
    if (formal->is_register)
        move(in->ir, at->line, vreg, frame->reg_base + formal->index, type_bytes(type));
    else
        call_move(in->ir, at->line, (uint32_t)frame->variables[formal->index - f->first_variable],
                  vreg, type, true);
    return true;
}

static bool pass_all(struct inliner *in, struct frame *frame, const struct call *call,
                     const struct ast_inst *at, bool done)
{
    const struct function *f = frame->function;
    const struct ast_operand *elements = in->ir->unit->elements;
    struct decoder d = at_call(in, frame->caller, at);
    size_t n_args = call->args ? call->args->count : 0;
    size_t n_returns = call->returns ? call->returns->count : 0;
    if (n_args != f->n_params || n_returns != f->n_returns)
        return decode_error(&d, "%s has %zu parameters and %zu results", f->name, f->n_params,
                            f->n_returns);
    for (size_t i = 0; i < n_returns; i++)
        if (!pass_out(in, frame, &f->returns[i], &elements[call->returns->index + i], at, done))
            return false;
    for (size_t i = 0; i < n_args && !done; i++)
        if (!pass_in(in, frame, &f->params[i], &elements[call->args->index + i], at))
            return false;
    return true;
}

/* --- calls ---------------------------------------------------------------------------------------
 */

static bool parse_call(struct decoder *d, struct call *call)
{
    unsigned i = 0, n = d->ast->n_operands;
    *call = (struct call){0};
    (void)decode_has(d, M_uni);
    if (i < n && d->operands[i].kind == OPERAND_LIST)
        call->returns = &d->operands[i++];
    if (i == n)
        return decode_error(d, "function expected");
    call->target = d->operands[i].kind == OPERAND_REG ? &d->operands[i] : NULL;
    if (!call->target && d->operands[i].kind != OPERAND_FUNCTION)
        return decode_error(d, "function expected");
    call->function = call->target ? NONE : d->operands[i].index;
    i++;
    if (i < n && d->operands[i].kind == OPERAND_LIST)
        call->args = &d->operands[i++];
    if (i < n && call->target && d->operands[i].kind == OPERAND_SINK)
        i++; /* .callprototype or .calltargets: both say what the call shows already */
    return i == n || decode_error(d, "too many operands");
}

static bool expand_call(struct inliner *in, struct frame *frame, const struct ast_inst *at)
{
    struct decoder d = at_call(in, frame, at);
    struct call call;
    if (!parse_call(&d, &call))
        return false;
    const struct function *f = call.target ? NULL : &in->ir->unit->functions[call.function];
    if (f && f->is_entry)
        return decode_error(&d, "a kernel cannot be called");
    enum system_call number = f && !f->defined ? system_call_of(f->name) : SYSTEM_CALLS;
    if (f && !f->defined && number == SYSTEM_CALLS)
        return decode_error(&d, "this file does not define function %.80s", f->name);
    uint32_t skip = NONE;
    if (at->guard != NONE) {
        skip = ir_label(in->ir);
        struct vinst *v = decode_emit(&d);
        v->inst.class = INST_BRANCH;
        v->inst.exec = NULL;
        v->inst.unit = UNIT_CONTROL;
        v->inst.timing = TIMING_CONTROL;
        v->inst.guard_negated = !at->guard_negated;
        v->label = skip;
    }
    struct real_call real = {call.returns, call.args, call.function, call.target};
    bool ok = number < SYSTEM_CALLS ? system_call_emit(&d, &real, number)
              : f && !f->called     ? expand(in, f, frame, &call, at)
                                    : call_emit(&d, &real);
    if (!ok)
        return false;
    if (skip != NONE)
        in->ir->labels[skip] = (uint32_t)in->ir->n_code;
    return true;
}

/* `ret` of a device function; the last instruction of the body just falls through. */
static void expand_ret(struct inliner *in, const struct frame *frame, const struct ast_inst *at,
                       bool last)
{
    if (last && at->guard == NONE)
        return;
    struct decoder d = at_call(in, (struct frame *)frame, at);
    struct vinst *v = decode_emit(&d);
    v->inst.class = INST_BRANCH;
    v->inst.exec = NULL;
    v->inst.unit = UNIT_CONTROL;
    v->inst.timing = TIMING_CONTROL;
    v->label = frame->return_label;
}

/* `ret` of a function that is called. */
static void return_from(struct inliner *in, struct frame *frame, const struct ast_inst *at)
{
    struct decoder d = at_call(in, frame, at);
    call_return(&d, frame);
}

/* An instruction that the parser took without knowing it. */
static bool unknown(const struct unit *unit, const struct ast_inst *at, struct error *err)
{
    const char *part = unit->text + at->operands;
    if (*part == '%')
        return inst_error(unit, at, err, "'%.*s' is not declared", at->n_operands, part);
    if (!strncmp(part, "sured", 5) || !strncmp(part, "suq", 3))
        return inst_error(unit, at, err, "of surfaces, suld and sust are supported");
    return inst_error(unit, at, err, "unsupported instruction ('%.*s' is not known)",
                      at->n_operands, part);
}

static bool expand_body(struct inliner *in, struct frame *frame)
{
    const struct unit *unit = in->ir->unit;
    const struct function *f = frame->function;
    for (uint32_t i = 0; i < f->n_insts; i++) {
        const struct ast_inst *at = &unit->insts[f->first_inst + i];
        if (at->op == NONE) {
            if (at->operands != NONE)
                in->ir->labels[frame->label_base + at->operands] = (uint32_t)in->ir->n_code;
            continue;
        }
        if (at->op == UNKNOWN_OP)
            return unknown(unit, at, in->ir->err);
        uint8_t operation = unit->ops.items[at->op].operation;
        if (in->ir->n_code > MAX_KERNEL_INSTRUCTIONS)
            return inst_error(unit, at, in->ir->err, "more than %u instructions after inlining",
                              MAX_KERNEL_INSTRUCTIONS);
        bool ok = true;
        if (operation == OP_call)
            ok = expand_call(in, frame, at);
        else if (operation == OP_ret && frame->return_label != NONE && at->n_operands == 0)
            expand_ret(in, frame, at, i + 1 == f->n_insts);
        else if (operation == OP_ret && !f->is_entry && at->n_operands == 0)
            return_from(in, frame, at);
        else
            ok = decode_inst(in->ir, frame, at);
        if (!ok)
            return false;
    }
    return true;
}

/* Local offsets and parameter objects of the function's own variables. */
static bool place_variables(struct inliner *in, struct frame *frame)
{
    const struct function *f = frame->function;
    frame->variables = ALLOC_ARRAY(uint64_t, f->n_variables);
    for (uint32_t i = 0; i < f->n_variables; i++) {
        const struct variable *v = &in->ir->unit->variables[f->first_variable + i];
        if (v->space == SPACE_LOCAL) {
            in->local_top = (in->local_top + v->align - 1) / v->align * v->align;
            frame->variables[i] = in->local_top;
            in->local_top += v->size;
            if (in->local_top > MAX_LOCAL_BYTES)
                return error_set(in->ir->err, "%s:%u: more than %u bytes of local memory",
                                 in->ir->unit->name, v->line, MAX_LOCAL_BYTES);
        } else if (v->space == SPACE_PARAM && !(f->is_entry && i < f->n_params)) {
            frame->variables[i] = new_object(in->ir, v->size, v->align);
        }
    }
    if (in->local_top > in->ir->local_bytes)
        in->ir->local_bytes = in->local_top;
    return true;
}

static bool expand(struct inliner *in, const struct function *f, struct frame *caller,
                   const struct call *call, const struct ast_inst *at)
{
    struct ir *ir = in->ir;
    struct frame frame = {.function = f,
                          .caller = caller,
                          .reg_base = (uint32_t)ir->n_vregs,
                          .label_base = (uint32_t)ir->n_labels,
                          .return_label = NONE};
    uint64_t local_top = in->local_top;
    for (size_t i = 0; i < f->n_regs; i++)
        (void)ir_vreg(ir, f->regs[i] == PTX_PRED        ? VREG_PRED
                          : type_bytes(f->regs[i]) == 8 ? VREG_64
                                                        : VREG_32);
    for (uint32_t i = 0; i < f->n_labels; i++)
        (void)ir_label(ir);
    if (caller)
        frame.return_label = ir_label(ir);
    bool ok = place_variables(in, &frame);
    if (ok && ir->framed && !caller)
        call_enter(ir, &frame);
    ok = ok && (!caller || pass_all(in, &frame, call, at, false)) && expand_body(in, &frame);
    if (ok && caller) {
        ir->labels[frame.return_label] = (uint32_t)ir->n_code;
        ok = pass_all(in, &frame, call, at, true);
    }
    free(frame.variables);
    in->local_top = local_top;
    return ok;
}

bool ir_flatten(struct ir *ir)
{
    struct inliner in = {.ir = ir};
    ir->framed = !ir->entry->is_entry;
    in.local_top = ir->framed ? call_frame_start(ir, ir->entry) : 0;
    ir->local_bytes = in.local_top;
    if (!expand(&in, ir->entry, NULL, NULL, NULL))
        return false;
    /* A body without ret ends here; labels at the very end need an instruction too. */
    struct vinst *v =
        ir_emit(ir, ir->n_code ? ir->code[ir->n_code - 1].inst.line : ir->entry->line);
    v->inst.class = ir->framed ? INST_RET : INST_EXIT;
    v->inst.exec = NULL;
    v->inst.unit = UNIT_CONTROL;
    v->inst.timing = TIMING_CONTROL;
    return call_check_order(ir);
}
