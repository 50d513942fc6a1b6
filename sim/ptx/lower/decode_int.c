#include "sim/ptx/lower/decode.h"

/* Which forms of an operation PTX has. */
struct int_form {
    uint8_t operation;
    uint8_t scalar;
    uint8_t n_src;
    uint8_t timing;
    uint32_t types;
};

#define SIGNED_TYPES (BITS(PTX_S16) | BITS(PTX_S32) | BITS(PTX_S64))
#define WORD_TYPES   (BITS(PTX_U32) | BITS(PTX_S32))

static const struct int_form int_forms[] = {
    {OP_add, SCALAR_add, 2, TIMING_INT, INT_TYPES},
    {OP_sub, SCALAR_sub, 2, TIMING_INT, INT_TYPES},
    {OP_mul, SCALAR_mul, 2, TIMING_INT_MUL, INT_TYPES},
    {OP_mad, SCALAR_mad, 3, TIMING_INT_MUL, INT_TYPES},
    {OP_mul24, SCALAR_mul24, 2, TIMING_INT_MUL, WORD_TYPES},
    {OP_mad24, SCALAR_mad24, 3, TIMING_INT_MUL, WORD_TYPES},
    {OP_sad, SCALAR_sad, 3, TIMING_INT_MUL, INT_TYPES},
    {OP_div, 0, 2, TIMING_INT_DIV, INT_TYPES},
    {OP_rem, 0, 2, TIMING_INT_DIV, INT_TYPES},
    {OP_abs, SCALAR_abs, 1, TIMING_INT, SIGNED_TYPES},
    {OP_neg, SCALAR_neg, 1, TIMING_INT, SIGNED_TYPES},
    {OP_min, SCALAR_min, 2, TIMING_INT, INT_TYPES},
    {OP_max, SCALAR_max, 2, TIMING_INT, INT_TYPES},
    {OP_dp4a, SCALAR_dp4a, 3, TIMING_INT_MUL, WORD_TYPES},
    {OP_dp2a, SCALAR_dp2a, 3, TIMING_INT_MUL, WORD_TYPES},
};

static uint8_t doubled(uint8_t type)
{
    return type == PTX_U16   ? PTX_U32
           : type == PTX_S16 ? PTX_S32
           : type == PTX_U32 ? PTX_U64
                             : PTX_S64;
}

/* dp4a.atype.btype, dp2a.mode.atype.btype: the accumulator is signed if either operand is. */
static bool decode_dot(struct decoder *d, const struct int_form *form)
{
    uint8_t a, b;
    if (!decode_count(d, 4, 4) || !decode_type(d, 0, &a) || !decode_type(d, 1, &b) ||
        !decode_type_in(d, a, WORD_TYPES) || !decode_type_in(d, b, WORD_TYPES))
        return false;
    struct alu alu = {.sub = form->scalar,
                      .type = a,
                      .dst_type = PTX_B32,
                      .src_types = {PTX_B32, PTX_B32, PTX_B32},
                      .n_src = 3,
                      .timing = form->timing,
                      .extra = b};
    if (form->operation == OP_dp2a) {
        bool hi = decode_has(d, M_hi);
        if (!hi && !decode_has(d, M_lo))
            return decode_error(d, "dp2a needs .lo or .hi");
        alu.mods = hi ? OP_HIGH : 0;
    }
    return decode_alu(d, &alu) != NULL;
}

bool decode_int(struct decoder *d)
{
    const struct int_form *form = int_forms;
    enum operation op = (enum operation)d->op->operation;
    uint8_t type;
    while (form->operation != op)
        form++;
    if (op == OP_dp4a || op == OP_dp2a)
        return decode_dot(d, form);
    if (!decode_type(d, 0, &type) || !decode_type_in(d, type, form->types) ||
        !decode_count(d, form->n_src + 1u, form->n_src + 1u))
        return false;
    bool product = op == OP_mul || op == OP_mad || op == OP_mul24 || op == OP_mad24;
    bool wide = product && decode_has(d, M_wide), high = product && decode_has(d, M_hi);
    if (product && !wide && !high && !decode_has(d, M_lo))
        return decode_error(d, "an integer product needs .lo, .hi or .wide");
    if (wide && (type_bytes(type) == 8 || op == OP_mul24 || op == OP_mad24))
        return decode_error(d, "the instruction does not have .wide");
    bool sat = decode_has(d, M_sat);
    if (sat && (type != PTX_S32 ||
                !(op == OP_add || op == OP_sub || ((op == OP_mad || op == OP_mad24) && high))))
        return decode_error(d, "the instruction does not have .sat");
    uint8_t dst_type = wide ? doubled(type) : type;
    struct alu alu = {.sub = form->scalar,
                      .type = type,
                      .dst_type = dst_type,
                      .src_types = {type, type, dst_type},
                      .n_src = form->n_src,
                      .timing = form->timing,
                      .mods = (high ? OP_HIGH : 0) | (sat ? OP_SAT : 0)};
    if (!sat)
        alu.exec = op == OP_div   ? lanes_quotient(type)
                   : op == OP_rem ? lanes_remainder(type)
                                  : lanes_int(op, type, wide, high);
    if (op == OP_sad)
        alu.src_types[2] = type;
    return decode_alu(d, &alu) != NULL;
}

/* --- bit operations ------------------------------------------------------------------------------
 */

static const struct int_form bit_forms[] = {
    {OP_and, 0, 2, TIMING_INT, BIT_TYPES},
    {OP_or, 0, 2, TIMING_INT, BIT_TYPES},
    {OP_xor, 0, 2, TIMING_INT, BIT_TYPES},
    {OP_not, SCALAR_not, 1, TIMING_INT, BIT_TYPES},
    {OP_cnot, SCALAR_cnot, 1, TIMING_INT, BIT_TYPES},
    {OP_shl, SCALAR_shl, 2, TIMING_INT, BIT_TYPES},
    {OP_shr, SCALAR_shr, 2, TIMING_INT, BIT_TYPES | INT_TYPES},
    {OP_shf, 0, 3, TIMING_INT, BITS(PTX_B32)},
    {OP_lop3, 0, 3, TIMING_INT, BITS(PTX_B32)},
    {OP_popc, 0, 1, TIMING_INT_MUL, BITS(PTX_B32) | BITS(PTX_B64)},
    {OP_clz, 0, 1, TIMING_INT_MUL, BITS(PTX_B32) | BITS(PTX_B64)},
    {OP_bfind, SCALAR_bfind, 1, TIMING_INT_MUL, INT_TYPES & ~(BITS(PTX_U16) | BITS(PTX_S16))},
    {OP_brev, 0, 1, TIMING_INT_MUL, BITS(PTX_B32) | BITS(PTX_B64)},
    {OP_bfe, 0, 3, TIMING_INT_MUL, INT_TYPES & ~(BITS(PTX_U16) | BITS(PTX_S16))},
    {OP_bfi, 0, 4, TIMING_INT_MUL, BITS(PTX_B32) | BITS(PTX_B64)},
    {OP_fns, SCALAR_fns, 3, TIMING_INT_MUL, BITS(PTX_B32)},
    {OP_prmt, 0, 3, TIMING_INT_MUL, BITS(PTX_B32)},
};

static void bit_types(enum operation op, uint8_t type, struct alu *alu)
{
    for (unsigned i = 0; i < 4; i++)
        alu->src_types[i] = type;
    alu->dst_type = type;
    switch (op) {
    case OP_shl:
    case OP_shr:
        alu->src_types[1] = PTX_B32;
        break;
    case OP_popc:
    case OP_clz:
    case OP_bfind:
        alu->dst_type = PTX_B32;
        break;
    case OP_bfe:
        alu->src_types[1] = alu->src_types[2] = PTX_B32;
        break;
    case OP_bfi:
        alu->src_types[2] = alu->src_types[3] = PTX_B32;
        break;
    default:
        break;
    }
}

static bool shf_mode(struct decoder *d, struct alu *alu)
{
    bool right = decode_has(d, M_r), wrap = decode_has(d, M_wrap);
    if (!right && !decode_has(d, M_l))
        return decode_error(d, "shf needs .l or .r");
    if (!wrap && !decode_has(d, M_clamp))
        return decode_error(d, "shf needs .clamp or .wrap");
    alu->mods = (right ? OP_HIGH : 0) | (wrap ? OP_WRAP : 0);
    return true;
}

/* lop3's table is an immediate. */
static bool lop3_table(struct decoder *d, struct alu *alu)
{
    const struct ast_operand *o = &d->operands[4];
    if (o->kind != OPERAND_INT || o->value < 0 || o->value > 255)
        return decode_error(d, "the table of lop3 must be a constant from 0 to 255");
    alu->extra = (uint8_t)o->value;
    return true;
}

/* lop3.BoolOp d|p, a, b, c, table, q: p := d != 0 BoolOp q. */
static bool lop3_pred(struct decoder *d, struct alu *alu, enum combine combine)
{
    uint32_t p, q;
    bool negated;
    alu->beside = &p;
    if (!decode_pred(d, &d->operands[5], &q, &negated))
        return false;
    const struct vinst *word = decode_alu(d, alu);
    if (!word)
        return false;
    if (p == NONE)
        return decode_error(d, "lop3 with .and or .or needs a predicate beside the destination");
    uint32_t bits = word->dst[0], zero = ir_konst(d->ir, 0, false);
    struct vinst *v = decode_emit(d);
    v->inst.exec = lanes_compare(COMPARE_NE, PTX_U32, false);
    v->inst.op.mods = (uint32_t)combine << 10 | (negated ? OP_PSRC_NOT : 0);
    v->src[0] = bits;
    v->src[1] = zero;
    v->pdst[0] = p;
    v->psrc = q;
    return true;
}

bool decode_bits(struct decoder *d)
{
    const struct int_form *form = bit_forms;
    enum operation op = (enum operation)d->op->operation;
    uint8_t type;
    enum combine combine = op != OP_lop3          ? COMBINE_NONE
                           : decode_has(d, M_and) ? COMBINE_AND
                           : decode_has(d, M_or)  ? COMBINE_OR
                                                  : COMBINE_NONE;
    unsigned extra = (op == OP_lop3 ? 1u : 0) + (combine != COMBINE_NONE ? 1u : 0);
    while (form->operation != op)
        form++;
    if (!decode_type(d, 0, &type) || !decode_type_in(d, type, form->types) ||
        !decode_count(d, form->n_src + 1u + extra, form->n_src + 1u + extra))
        return false;
    struct alu alu = {
        .sub = form->scalar, .type = type, .n_src = form->n_src, .timing = form->timing};
    bit_types(op, type, &alu);
    if (op == OP_shf && !shf_mode(d, &alu))
        return false;
    if (op == OP_lop3 && !lop3_table(d, &alu))
        return false;
    if (op == OP_bfind && decode_has(d, M_shiftamt))
        alu.mods = OP_HIGH;
    if (op == OP_prmt) {
        enum modifier mode = decode_range(d, M_f4e, M_ecr);
        alu.extra = (uint8_t)(mode == MODIFIER_COUNT ? 0 : mode - M_f4e + 1);
    }
    alu.exec = lanes_int(op, type, false, false);
    if (!alu.exec)
        alu.exec = lanes_bits(op, type, alu.mods, alu.extra);
    return combine != COMBINE_NONE ? lop3_pred(d, &alu, combine) : decode_alu(d, &alu) != NULL;
}

/* --- extended precision --------------------------------------------------------------------------
 */

/* The condition code is a predicate register of its own per function instance. */
static uint32_t condition_code(struct decoder *d)
{
    if (d->ir->carry == NONE)
        d->ir->carry = ir_vreg(d->ir, VREG_PRED);
    return d->ir->carry;
}

bool decode_carry(struct decoder *d)
{
    uint8_t type;
    enum operation op = (enum operation)d->op->operation;
    bool product = op == OP_mad || op == OP_madc;
    unsigned n = product ? 3 : 2;
    if (!decode_type(d, 0, &type) || !decode_count(d, n + 1, n + 1) ||
        !decode_type_in(d, type, INT_TYPES & ~(BITS(PTX_U16) | BITS(PTX_S16))))
        return false;
    bool in = op == OP_addc || op == OP_subc || op == OP_madc, out = decode_has(d, M_cc);
    bool high = product && decode_has(d, M_hi);
    if (product && !high && !decode_has(d, M_lo))
        return decode_error(d, "an integer product needs .lo or .hi");
    static const uint8_t kinds[OPERATION_COUNT] = {
        [OP_sub] = 1, [OP_subc] = 1, [OP_mad] = 2, [OP_madc] = 2};
    struct alu alu = {.exec = lanes_carry,
                      .sub = kinds[op],
                      .type = type,
                      .dst_type = type,
                      .src_types = {type, type, type},
                      .n_src = (uint8_t)n,
                      .timing = product ? TIMING_INT_MUL : TIMING_INT,
                      .mods =
                          (high ? OP_HIGH : 0) | (in ? OP_CARRY_IN : 0) | (out ? OP_CARRY_OUT : 0)};
    struct vinst *v = decode_alu(d, &alu);
    if (!v)
        return false;
    if (in)
        v->psrc = condition_code(d);
    if (out)
        v->pdst[0] = condition_code(d);
    return true;
}
