#include "sim/ptx/lower/decode.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "sim/ptx/special.h"

bool decode_error(const struct decoder *d, const char *format, ...)
{
    char message[200];
    va_list args;
    va_start(args, format);
    vsnprintf(message, sizeof message, format, args);
    va_end(args);
    return inst_error(d->ir->unit, d->ast, d->ir->err, "%s", message);
}

/* --- modifiers -----------------------------------------------------------------------------------
 */

bool decode_has(struct decoder *d, enum modifier m)
{
    for (unsigned i = 0; i < d->op->n_mods; i++)
        if (d->op->mods[i] == m) {
            d->used |= 1u << i;
            return true;
        }
    return false;
}

/* `halves`: bf16 is a type too. */
static bool find_type(struct decoder *d, unsigned nth, bool halves, uint8_t *type)
{
    *type = PTX_PRED;
    for (unsigned i = 0; i < d->op->n_mods; i++) {
        uint8_t m = d->op->mods[i];
        bool bf16 = halves && (m == M_bf16 || m == M_bf16x2);
        if ((m > M_f16x2 && !bf16) || nth-- > 0)
            continue;
        d->used |= 1u << i;
        d->bf16 = bf16;
        *type = !bf16 ? m : m == M_bf16 ? PTX_F16 : PTX_F16X2;
        return true;
    }
    return decode_error(d, "the instruction needs a type");
}

bool decode_type(struct decoder *d, unsigned nth, uint8_t *type)
{
    return find_type(d, nth, false, type);
}

bool decode_number(struct decoder *d, unsigned nth, uint8_t *type)
{
    return find_type(d, nth, true, type);
}

enum modifier decode_range(struct decoder *d, enum modifier first, enum modifier last)
{
    for (unsigned i = 0; i < d->op->n_mods; i++)
        if (d->op->mods[i] >= first && d->op->mods[i] <= last) {
            d->used |= 1u << i;
            return (enum modifier)d->op->mods[i];
        }
    return MODIFIER_COUNT;
}

bool decode_count(const struct decoder *d, unsigned least, unsigned most)
{
    unsigned n = d->ast->n_operands;
    if (n >= least && n <= most)
        return true;
    if (least == most)
        return decode_error(d, "%u operands expected, %u given", least, n);
    return decode_error(d, "%u to %u operands expected, %u given", least, most, n);
}

bool decode_type_in(const struct decoder *d, uint8_t type, uint32_t allowed)
{
    return (allowed >> type & 1) || decode_error(d, "the instruction does not exist for this type");
}

/* --- operands ------------------------------------------------------------------------------------
 */

struct vinst *decode_emit(struct decoder *d)
{
    struct vinst *v = ir_emit(d->ir, d->ast->line);
    if (d->ast->guard != NONE) {
        v->guard = d->frame->reg_base + d->ast->guard;
        v->inst.guard_negated = d->ast->guard_negated;
    }
    return v;
}

bool decode_register(const struct decoder *d, const struct ast_operand *o, uint32_t *vreg,
                     uint8_t *type)
{
    if (o->kind != OPERAND_REG)
        return false;
    *vreg = d->frame->reg_base + o->index;
    *type = d->frame->function->regs[o->index];
    return true;
}

uint64_t decode_variable(const struct decoder *d, uint32_t variable)
{
    return d->frame->variables[variable - d->frame->function->first_variable];
}

bool decode_kernel_param(const struct decoder *d, uint32_t variable)
{
    const struct function *f = d->frame->function;
    return f->is_entry && variable < f->first_variable + f->n_params;
}

/* Where a launch's shared memory begins behind the kernel's own: programs that lay out bytes of it
 * by hand count on this, whatever the type of their array. */
#define DYNAMIC_ALIGN 16

static bool shared_address(struct decoder *d, uint32_t variable, int64_t addend, bool wide,
                           uint32_t *ref)
{
    struct ir *ir = d->ir;
    const struct variable *v = &ir->unit->variables[variable];
    if (v->is_extern) {
        uint64_t align = v->align > DYNAMIC_ALIGN ? v->align : DYNAMIC_ALIGN;
        if (align > ir->dynamic_align)
            ir->dynamic_align = align;
        *ref = ir_address(ir, variable, addend, wide);
        return true;
    }
    if (ir->shared_offset[variable] == UINT64_MAX) {
        uint64_t at = (ir->shared_bytes + v->align - 1) / v->align * v->align;
        ir->shared_offset[variable] = at;
        ir->shared_bytes = at + v->size;
        if (ir->shared_bytes > UINT32_MAX)
            return decode_error(d, "more than 4 GiB of shared memory");
    }
    *ref = ir_konst(ir, ir->shared_offset[variable] + (uint64_t)addend, wide);
    return true;
}

static bool frame_address(struct decoder *d, uint64_t offset, bool wide, uint32_t *ref)
{
    uint32_t vreg = ir_vreg(d->ir, wide ? VREG_64 : VREG_32);
    struct vinst *v = ir_emit(d->ir, d->ast->line);
    v->inst.exec = lanes_frame_address;
    v->inst.op.imm = (int64_t)offset;
    v->inst.op.mods = wide ? OP_DST64 : 0;
    v->dst[0] = vreg;
    *ref = vreg;
    return true;
}

bool decode_symbol(struct decoder *d, uint32_t variable, int64_t addend, bool wide, uint32_t *ref)
{
    struct ir *ir = d->ir;
    const struct variable *v = &ir->unit->variables[variable];
    switch (v->space) {
    case SPACE_SHARED:
        return shared_address(d, variable, addend, wide, ref);
    case SPACE_LOCAL:
        if (ir->framed)
            return frame_address(d, decode_variable(d, variable) + (uint64_t)addend, wide, ref);
        *ref = ir_konst(ir, decode_variable(d, variable) + (uint64_t)addend, wide);
        return true;
    case SPACE_PARAM:
        if (decode_kernel_param(d, variable)) {
            *ref = ir_konst(ir, v->offset + (uint64_t)addend, wide);
            return true;
        }
        return decode_error(d, "the address of a call parameter is not supported");
    default:
        if (v->is_extern)
            return decode_error(d, "'%.*s' is .extern, but this file does not define it",
                                (int)(v->name_length < 80 ? v->name_length : 80), v->name);
        *ref = ir_address(ir, variable, addend, wide);
        return true;
    }
}

static uint64_t number_bits(const struct ast_operand *o, uint8_t type)
{
    uint64_t bits = (uint64_t)o->value;
    if (o->kind == OPERAND_DOUBLE && type_bytes(type) == 4) {
        double value;
        memcpy(&value, &bits, sizeof value);
        float single = (float)value;
        uint32_t word;
        memcpy(&word, &single, sizeof word);
        return word;
    }
    if (type_bytes(type) <= 2)
        bits &= 0xFFFF;
    return bits;
}

static bool immediate(struct decoder *d, const struct ast_operand *o, uint8_t type, uint32_t *ref)
{
    uint32_t bytes = type_bytes(type);
    if (type == PTX_PRED)
        return decode_error(d, "predicate register expected");
    if (o->kind == OPERAND_INT && type_is_float(type))
        return decode_error(d, "a floating-point constant is needed (0f... or 0d...)");
    if (o->kind == OPERAND_FLOAT && bytes != 4)
        return decode_error(d, "a 0f constant has 32 bits");
    if (o->kind == OPERAND_DOUBLE && (bytes < 4 || !(type_is_float(type) || bytes == 8)))
        return decode_error(d, "an integer constant is needed");
    *ref = ir_konst(d->ir, number_bits(o, type), bytes == 8);
    return true;
}

static bool special_value(struct decoder *d, uint32_t special, uint8_t type, uint32_t *ref)
{
    uint32_t bytes = type_bytes(type);
    /* Early versions of PTX had %gridid in 32 and %tid and the like in 16 bits: the low part. */
    if (bytes != special_bytes(special) && !(bytes == 4 && special == SPECIAL_GRIDID) && bytes != 2)
        return decode_error(d, "the operand size differs from that of the special register");
    bool wide = bytes == 8;
    struct vinst *v = ir_emit(d->ir, d->ast->line);
    uint32_t vreg = ir_vreg(d->ir, wide ? VREG_64 : VREG_32);
    v->inst.exec = lanes_special;
    v->inst.op.sub = (uint8_t)special;
    v->inst.op.mods = wide ? OP_DST64 : 0;
    v->dst[0] = vreg;
    *ref = vreg;
    return true;
}

bool decode_source(struct decoder *d, const struct ast_operand *o, uint8_t type, bool loose,
                   uint32_t *ref)
{
    uint8_t reg_type;
    uint32_t bytes = type_bytes(type);
    switch (o->kind) {
    case OPERAND_REG:
        (void)decode_register(d, o, ref, &reg_type);
        if (o->negated)
            return decode_error(d, "'!' applies only to predicates");
        if ((reg_type == PTX_PRED) != (type == PTX_PRED))
            return decode_error(d, reg_type == PTX_PRED ? "the operand must not be a predicate"
                                                        : "predicate register expected");
        if (type_bytes(reg_type) == bytes || (loose && type_bytes(reg_type) > bytes))
            return true;
        return decode_error(d, "the register has %u bits, but the type needs %u",
                            8 * type_bytes(reg_type), 8 * bytes);
    case OPERAND_INT:
    case OPERAND_FLOAT:
    case OPERAND_DOUBLE:
        return immediate(d, o, type, ref);
    case OPERAND_SPECIAL:
        return special_value(d, o->index, type, ref);
    case OPERAND_SYMBOL:
        if (bytes < 4 || type_is_float(type))
            return decode_error(d, "an address must have 32 or 64 bits");
        return decode_symbol(d, o->index, o->value, bytes == 8, ref);
    default:
        return decode_error(d, "register or constant expected");
    }
}

bool decode_src(struct decoder *d, unsigned n, uint8_t type, uint32_t *ref)
{
    return decode_source(d, &d->operands[n], type, false, ref);
}

bool decode_dst_loose(struct decoder *d, const struct ast_operand *o, uint8_t type, uint32_t *vreg,
                      uint32_t *bytes)
{
    uint8_t reg_type;
    *bytes = 0;
    *vreg = NONE;
    if (o->kind == OPERAND_SINK) {
        *bytes = type_bytes(type) < 4 ? 4 : type_bytes(type);
        *vreg = ir_vreg(d->ir, *bytes == 8 ? VREG_64 : VREG_32);
        return true;
    }
    if (!decode_register(d, o, vreg, &reg_type) || reg_type == PTX_PRED || o->negated)
        return decode_error(d, "the destination must be a register");
    *bytes = type_bytes(reg_type);
    if (*bytes < type_bytes(type))
        return decode_error(d, "the destination of %u bits is too small", 8 * *bytes);
    return true;
}

bool decode_dst_pred(struct decoder *d, unsigned n, uint8_t type, uint32_t *vreg, uint32_t *p)
{
    uint32_t bytes;
    const struct ast_operand *o = &d->operands[n];
    *p = NONE;
    if (o->second != NONE && d->frame->function->regs[o->second] != PTX_PRED)
        return decode_error(d, "the second destination must be a predicate register");
    if (o->second != NONE)
        *p = d->frame->reg_base + o->second;
    if (!decode_dst_loose(d, o, type, vreg, &bytes))
        return false;
    return o->kind == OPERAND_SINK || bytes == type_bytes(type) ||
           decode_error(d, "the destination has %u bits, but the type needs %u", 8 * bytes,
                        8 * type_bytes(type));
}

bool decode_dst(struct decoder *d, unsigned n, uint8_t type, uint32_t *vreg)
{
    uint32_t p;
    const struct ast_operand *o = &d->operands[n];
    if (o->kind == OPERAND_REG && o->second != NONE)
        return decode_error(d, "the instruction accepts no '|'");
    return decode_dst_pred(d, n, type, vreg, &p);
}

bool decode_pred(struct decoder *d, const struct ast_operand *o, uint32_t *vreg, bool *negated)
{
    uint8_t type;
    if (o->kind == OPERAND_INT) {
        /* No instruction takes a constant predicate but those of warps; setp makes the constant. */
        struct vinst *v = ir_emit(d->ir, d->ast->line);
        *vreg = ir_vreg(d->ir, VREG_PRED);
        v->pdst[0] = *vreg;
        v->inst.exec = lanes_pred_move;
        v->inst.op.sub = o->value != 0;
        *negated = false;
        return true;
    }
    if (!decode_register(d, o, vreg, &type) || type != PTX_PRED)
        return decode_error(d, "predicate register expected");
    *negated = o->negated;
    return true;
}

bool decode_pred_dst(struct decoder *d, unsigned n, uint32_t *p, uint32_t *q)
{
    const struct ast_operand *o = &d->operands[n];
    const uint8_t *regs = d->frame->function->regs;
    *p = *q = NONE;
    if ((o->kind != OPERAND_REG && o->kind != OPERAND_SINK) || o->negated)
        return decode_error(d, "the destination must be a predicate register");
    if (o->kind == OPERAND_REG) {
        if (regs[o->index] != PTX_PRED)
            return decode_error(d, "the destination must be a predicate register");
        *p = d->frame->reg_base + o->index;
    }
    if (o->second != NONE) {
        if (regs[o->second] != PTX_PRED)
            return decode_error(d, "the second destination must be a predicate register");
        *q = d->frame->reg_base + o->second;
    }
    return true;
}

struct vinst *decode_alu(struct decoder *d, const struct alu *alu)
{
    uint32_t dst, src[4] = {NONE, NONE, NONE, NONE};
    if (alu->beside ? !decode_dst_pred(d, 0, alu->dst_type, &dst, alu->beside)
                    : !decode_dst(d, 0, alu->dst_type, &dst))
        return NULL;
    for (unsigned i = 0; i < alu->n_src; i++)
        if (!decode_src(d, i + 1, alu->src_types[i], &src[i]))
            return NULL;
    struct vinst *v = decode_emit(d);
    v->dst[0] = dst;
    memcpy(v->src, src, sizeof src);
    v->inst.exec = alu->exec ? alu->exec : lanes_scalar;
    v->inst.timing = alu->timing;
    v->inst.unit = alu->timing == TIMING_SFU                                  ? UNIT_SFU
                   : alu->timing == TIMING_DP || alu->timing == TIMING_DP_DIV ? UNIT_DP
                                                                              : UNIT_SP;
    v->inst.op.type = alu->type;
    v->inst.op.type2 = alu->extra;
    v->inst.op.round = alu->round;
    v->inst.op.sub = alu->sub;
    v->inst.op.mods = alu->mods;
    if (type_bytes(alu->dst_type) == 8)
        v->inst.op.mods |= OP_DST64;
    if (type_bytes(alu->dst_type) <= 2)
        v->inst.op.mods |= OP_DST16;
    for (unsigned i = 0; i < alu->n_src; i++)
        if (type_bytes(alu->src_types[i]) == 8)
            v->inst.op.mods |= (uint32_t)OP_SRC64 << i;
    return v;
}

/* --- dispatch ------------------------------------------------------------------------------------
 */

/* Operations that exist for integers and for floating point. */
static bool decode_arithmetic(struct decoder *d)
{
    uint8_t type;
    if (!decode_number(d, 0, &type))
        return false;
    return type_is_float(type) ? decode_float(d, type) : decode_int(d);
}

/* add, sub and mad also have forms that set the carry. */
static bool decode_sum(struct decoder *d)
{
    return decode_has(d, M_cc) ? decode_carry(d) : decode_arithmetic(d);
}

static bool decode_float_only(struct decoder *d)
{
    uint8_t type;
    return decode_number(d, 0, &type) && decode_float(d, type);
}

static bool decode_logic(struct decoder *d)
{
    for (unsigned i = 0; i < d->op->n_mods; i++)
        if (d->op->mods[i] == M_pred)
            return decode_pred_logic(d);
    return decode_bits(d);
}

static bool (*const handlers[OPERATION_COUNT])(struct decoder *) = {
    [OP_abs] = decode_arithmetic,
    [OP_activemask] = decode_warp,
    [OP_add] = decode_sum,
    [OP_addc] = decode_carry,
    [OP_and] = decode_logic,
    [OP_atom] = decode_atom,
    [OP_bar] = decode_control,
    [OP_barrier] = decode_control,
    [OP_bfe] = decode_bits,
    [OP_bfi] = decode_bits,
    [OP_bfind] = decode_bits,
    [OP_bra] = decode_control,
    [OP_brev] = decode_bits,
    [OP_brkpt] = decode_control,
    [OP_brx] = decode_control,
    [OP_clz] = decode_bits,
    [OP_cnot] = decode_bits,
    [OP_copysign] = decode_float_only,
    [OP_cos] = decode_sfu,
    [OP_cp] = decode_cp,
    [OP_cvt] = decode_cvt,
    [OP_cvta] = decode_cvta,
    [OP_discard] = decode_prefetch,
    [OP_div] = decode_arithmetic,
    [OP_dp2a] = decode_int,
    [OP_dp4a] = decode_int,
    [OP_elect] = decode_warp,
    [OP_ex2] = decode_sfu,
    [OP_exit] = decode_control,
    [OP_fence] = decode_control,
    [OP_fma] = decode_float_only,
    [OP_fns] = decode_bits,
    [OP_griddepcontrol] = decode_control,
    [OP_isspacep] = decode_isspacep,
    [OP_ld] = decode_ld,
    [OP_ldmatrix] = decode_ldmatrix,
    [OP_ldu] = decode_ld,
    [OP_lg2] = decode_sfu,
    [OP_lop3] = decode_bits,
    [OP_mad] = decode_sum,
    [OP_mad24] = decode_int,
    [OP_madc] = decode_carry,
    [OP_match] = decode_warp,
    [OP_max] = decode_arithmetic,
    [OP_mbarrier] = decode_mbarrier,
    [OP_membar] = decode_control,
    [OP_min] = decode_arithmetic,
    [OP_mma] = decode_mma,
    [OP_mov] = decode_mov,
    [OP_mul] = decode_arithmetic,
    [OP_mul24] = decode_int,
    [OP_nanosleep] = decode_control,
    [OP_neg] = decode_arithmetic,
    [OP_not] = decode_logic,
    [OP_or] = decode_logic,
    [OP_pmevent] = decode_control,
    [OP_popc] = decode_bits,
    [OP_prefetch] = decode_prefetch,
    [OP_prefetchu] = decode_prefetch,
    [OP_prmt] = decode_bits,
    [OP_rcp] = decode_sfu,
    [OP_red] = decode_atom,
    [OP_redux] = decode_warp,
    [OP_rem] = decode_int,
    [OP_ret] = decode_control,
    [OP_rsqrt] = decode_sfu,
    [OP_sad] = decode_int,
    [OP_selp] = decode_selp,
    [OP_set] = decode_set,
    [OP_setp] = decode_setp,
    [OP_shf] = decode_bits,
    [OP_shfl] = decode_warp,
    [OP_shl] = decode_bits,
    [OP_shr] = decode_bits,
    [OP_sin] = decode_sfu,
    [OP_slct] = decode_selp,
    [OP_sqrt] = decode_sfu,
    [OP_st] = decode_st,
    [OP_sub] = decode_sum,
    [OP_subc] = decode_carry,
    [OP_suld] = decode_surface,
    [OP_sust] = decode_surface,
    [OP_tanh] = decode_sfu,
    [OP_testp] = decode_testp,
    [OP_tex] = decode_tex,
    [OP_tld4] = decode_tld4,
    [OP_trap] = decode_control,
    [OP_vabsdiff] = decode_video,
    [OP_vabsdiff2] = decode_video,
    [OP_vabsdiff4] = decode_video,
    [OP_vadd] = decode_video,
    [OP_vadd2] = decode_video,
    [OP_vadd4] = decode_video,
    [OP_vavrg2] = decode_video,
    [OP_vavrg4] = decode_video,
    [OP_vmax] = decode_video,
    [OP_vmax2] = decode_video,
    [OP_vmax4] = decode_video,
    [OP_vmin] = decode_video,
    [OP_vmin2] = decode_video,
    [OP_vmin4] = decode_video,
    [OP_vote] = decode_warp,
    [OP_vset] = decode_video,
    [OP_vset2] = decode_video,
    [OP_vset4] = decode_video,
    [OP_vshl] = decode_video,
    [OP_vshr] = decode_video,
    [OP_vsub] = decode_video,
    [OP_vsub2] = decode_video,
    [OP_vsub4] = decode_video,
    [OP_wmma] = decode_wmma,
    [OP_xor] = decode_logic,
};

bool decode_inst(struct ir *ir, const struct frame *frame, const struct ast_inst *ast)
{
    struct decoder d = {.ir = ir,
                        .frame = frame,
                        .ast = ast,
                        .op = &ir->unit->ops.items[ast->op],
                        .operands = ir->unit->operands + ast->operands};
    if (!handlers[d.op->operation])
        return decode_error(&d, "unsupported instruction");
    if (!handlers[d.op->operation](&d))
        return false;
    if (d.used != (1u << d.op->n_mods) - 1)
        return decode_error(&d, "the instruction does not have this modifier");
    return true;
}
