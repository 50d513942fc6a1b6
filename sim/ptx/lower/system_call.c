#include "sim/ptx/lower/system_call.h"

#include <string.h>

#include "sim/ptx/execute/vector.h"

struct shape {
    const char *name;
    uint8_t n_args;
    uint8_t args[5], result; /* enum ptx_type; PTX_PRED: no result */
};

static const struct shape shapes[SYSTEM_CALLS] = {
    [SYSTEM_CALL_PRINT] = {"vprintf", 2, {PTX_B64, PTX_B64}, PTX_B32},
    [SYSTEM_CALL_ASSERT] = {"__assertfail",
                            5,
                            {PTX_B64, PTX_B64, PTX_B32, PTX_B64, PTX_B64},
                            PTX_PRED},
    [SYSTEM_CALL_MALLOC] = {"malloc", 1, {PTX_B64}, PTX_B64},
    [SYSTEM_CALL_FREE] = {"free", 1, {PTX_B64}, PTX_PRED},
    [SYSTEM_CALL_LAUNCH_BUFFER] = {"__evgpu_launch_buffer", 1, {PTX_B64}, PTX_B64},
    [SYSTEM_CALL_LAUNCH] = {"__evgpu_launch", 2, {PTX_B64, PTX_B64}, PTX_B32},
    [SYSTEM_CALL_LAUNCHES] = {"__evgpu_launches", 1, {PTX_B32}, PTX_B64},
};

enum system_call system_call_of(const char *name)
{
    int i = 0;
    while (i < SYSTEM_CALLS && strcmp(shapes[i].name, name) != 0)
        i++;
    return (enum system_call)i;
}

static bool is_object(const struct decoder *d, const struct ast_operand *o)
{
    return o->kind == OPERAND_SYMBOL && d->ir->unit->variables[o->index].space == SPACE_PARAM &&
           !decode_kernel_param(d, o->index);
}

static bool check_object(struct decoder *d, const struct ast_operand *o, uint8_t type)
{
    return d->ir->unit->variables[o->index].size >= type_bytes(type) ||
           decode_error(d, "the parameter is smaller than the function's");
}

/* The value of an argument. */
static bool value_of(struct decoder *d, const struct ast_operand *o, uint8_t type, uint32_t *ref)
{
    if (!is_object(d, o))
        return decode_source(d, o, type, false, ref);
    if (!check_object(d, o, type))
        return false;
    *ref = ir_vreg(d->ir, type_bytes(type) == 8 ? VREG_64 : VREG_32);
    call_move(d->ir, d->ast->line, (uint32_t)decode_variable(d, o->index), *ref, type, true);
    return true;
}

static bool result_to(struct decoder *d, const struct ast_operand *o, uint8_t type, uint32_t *vreg)
{
    uint32_t bytes;
    if (is_object(d, o)) {
        *vreg = ir_vreg(d->ir, type_bytes(type) == 8 ? VREG_64 : VREG_32);
        return check_object(d, o, type);
    }
    return decode_dst_loose(d, o, type, vreg, &bytes) &&
           (bytes == type_bytes(type) || decode_error(d, "the register does not fit the result"));
}

bool system_call_emit(struct decoder *d, const struct real_call *call, enum system_call number)
{
    const struct shape *shape = &shapes[number];
    const struct ast_operand *elements = d->ir->unit->elements, *result = NULL;
    uint32_t src[5] = {NONE, NONE, NONE, NONE, NONE}, dst = NONE;
    size_t n_args = call->args ? call->args->count : 0;
    size_t n_returns = call->returns ? call->returns->count : 0;
    if (n_args != shape->n_args || n_returns > (shape->result != PTX_PRED))
        return decode_error(d, "%s has %u parameters and %u results", shape->name, shape->n_args,
                            shape->result != PTX_PRED);
    for (size_t i = 0; i < n_args; i++)
        if (!value_of(d, &elements[call->args->index + i], shape->args[i], &src[i]))
            return false;
    if (n_returns) {
        result = &elements[call->returns->index];
        if (!result_to(d, result, shape->result, &dst))
            return false;
    }
    struct vinst *v = ir_emit(d->ir, d->ast->line);
    v->inst.class = INST_SYSTEM_CALL;
    v->inst.exec = NULL;
    v->inst.unit = UNIT_LDST;
    v->inst.timing = TIMING_MEM;
    v->inst.op.sub = (uint8_t)number;
    v->inst.op.mods = shape->result == PTX_B64 ? OP_DST64 : 0;
    memcpy(v->src, src, sizeof v->src);
    v->dst[0] = dst;
    if (result && is_object(d, result))
        call_move(d->ir, d->ast->line, (uint32_t)decode_variable(d, result->index), dst,
                  shape->result, false);
    return true;
}

/* --- for the core --------------------------------------------------------------------------------
 */

enum system_call isa_system_call(const struct inst *inst, const struct lane_ctx *ctx, uint32_t lane,
                                 uint64_t argument[SYSTEM_CALL_ARGUMENTS])
{
    const struct shape *shape = &shapes[inst->op.sub];
    for (uint32_t i = 0; i < SYSTEM_CALL_ARGUMENTS; i++) {
        argument[i] = 0;
        if (i >= shape->n_args)
            continue;
        const uint32_t *row = row_at(ctx, inst->op.src[i]);
        argument[i] = type_bytes(shape->args[i]) == 8 ? wide_at(row, lane) : row[lane];
    }
    return (enum system_call)inst->op.sub;
}

void isa_system_call_result(const struct inst *inst, struct lane_ctx *ctx, uint32_t lane,
                            uint64_t value)
{
    if (inst->op.dst[0] == NO_DST)
        return;
    ctx->reg[inst->op.dst[0]][lane] = (uint32_t)value;
    if (inst->op.mods & OP_DST64)
        ctx->reg[inst->op.dst[0] + 1][lane] = (uint32_t)(value >> 32);
}
