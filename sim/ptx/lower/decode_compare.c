#include "sim/ptx/lower/decode.h"

struct comparison {
    uint8_t compare; /* enum compare */
    bool swap, invert, is_unsigned, float_only;
};

/* By modifier, from M_eq on. The unordered forms are inversions of the opposite ordered ones, which
 * are false with a NaN. */
static const struct comparison comparisons[] = {
    {COMPARE_EQ, false, false, false, false}, /* eq */
    {COMPARE_NE, false, false, false, false}, /* ne */
    {COMPARE_LT, false, false, false, false}, /* lt */
    {COMPARE_LE, false, false, false, false}, /* le */
    {COMPARE_LT, true, false, false, false},  /* gt */
    {COMPARE_LE, true, false, false, false},  /* ge */
    {COMPARE_LE, false, false, true, false},  /* ls */
    {COMPARE_LE, true, false, true, false},   /* hs */
    {COMPARE_NE, false, true, false, true},   /* equ */
    {COMPARE_EQ, false, true, false, true},   /* neu */
    {COMPARE_LE, true, true, false, true},    /* ltu */
    {COMPARE_LT, true, true, false, true},    /* leu */
    {COMPARE_LE, false, true, false, true},   /* gtu */
    {COMPARE_LT, false, true, false, true},   /* geu */
    {COMPARE_NUM, false, false, false, true}, /* num */
    {COMPARE_NUM, false, true, false, true},  /* nan */
};
/* .lo and .hi are unsigned < and >. */
static const struct comparison lower = {COMPARE_LT, false, false, true, false};
static const struct comparison higher = {COMPARE_LT, true, false, true, false};

static bool find_comparison(struct decoder *d, struct comparison *c)
{
    if (decode_has(d, M_lo))
        *c = lower;
    else if (decode_has(d, M_hi))
        *c = higher;
    else {
        enum modifier m = decode_range(d, M_eq, M_nan);
        if (m == MODIFIER_COUNT)
            return decode_error(d, "a comparison operator is needed");
        *c = comparisons[m - M_eq];
    }
    return true;
}

static bool comparable(struct decoder *d, const struct comparison *c, uint8_t *type)
{
    bool bits = *type >= PTX_B16 && *type <= PTX_B64;
    if (!decode_type_in(d, *type, INT_TYPES | BIT_TYPES | FLOAT_TYPES | HALF_TYPES))
        return false;
    if (bits && c->compare != COMPARE_EQ && c->compare != COMPARE_NE)
        return decode_error(d, "untyped values compare only with .eq and .ne");
    if (c->float_only && !type_is_float(*type))
        return decode_error(d, "the comparison operator applies only to floating point");
    if (c->is_unsigned && (type_is_float(*type) || type_is_signed(*type)))
        return decode_error(d, "the comparison operator applies only to unsigned integers");
    if (bits)
        *type = (uint8_t)(*type - PTX_B16 + PTX_U16);
    return true;
}

static enum combine combination(struct decoder *d)
{
    return decode_has(d, M_and)   ? COMBINE_AND
           : decode_has(d, M_or)  ? COMBINE_OR
           : decode_has(d, M_xor) ? COMBINE_XOR
                                  : COMBINE_NONE;
}

/* p (and q) := a cmp b, combined with the last operand. */
static bool compare_into(struct decoder *d, uint8_t type, uint32_t p, uint32_t q)
{
    struct comparison c = {0};
    uint32_t a, b, third = NONE;
    bool negated = false;
    enum combine combine = combination(d);
    bool half = type == PTX_F16 || type == PTX_F16X2;
    bool ftz = (type == PTX_F32 || (half && !d->bf16)) && decode_has(d, M_ftz);
    unsigned n = combine == COMBINE_NONE ? 3 : 4;
    if (!find_comparison(d, &c) || !comparable(d, &c, &type) || !decode_count(d, n, n) ||
        !decode_src(d, 1, type, &a) || !decode_src(d, 2, type, &b) ||
        (combine && !decode_pred(d, &d->operands[3], &third, &negated)))
        return false;
    struct vinst *v = decode_emit(d);
    v->inst.exec = half ? lanes_compare_half : lanes_compare((enum compare)c.compare, type, ftz);
    v->inst.op.type = type;
    v->inst.op.sub = c.compare;
    v->inst.op.mods = (c.invert ? OP_INVERT : 0) | ((uint32_t)combine << 10) |
                      (negated ? OP_PSRC_NOT : 0) | (d->bf16 ? OP_BF16 : 0);
    if (type_bytes(type) == 8)
        v->inst.op.mods |= OP_SRC64 | OP_SRC64 << 1;
    v->inst.timing = type == PTX_F64 ? TIMING_DP : type_is_float(type) ? TIMING_FP : TIMING_INT;
    v->inst.unit = type == PTX_F64 ? UNIT_DP : UNIT_SP;
    v->src[0] = c.swap ? b : a;
    v->src[1] = c.swap ? a : b;
    v->pdst[0] = p;
    v->pdst[1] = q;
    v->psrc = third;
    return true;
}

bool decode_setp(struct decoder *d)
{
    uint8_t type;
    uint32_t p, q;
    if (!decode_count(d, 3, 4) || !decode_number(d, 0, &type) || !decode_pred_dst(d, 0, &p, &q))
        return false;
    return compare_into(d, type, p, q);
}

/* set = setp + selp of all ones (or 1.0f) and zero. */
bool decode_set(struct decoder *d)
{
    uint8_t to, from;
    uint32_t dst;
    if (!decode_count(d, 3, 4) || !decode_type(d, 0, &to) || !decode_type(d, 1, &from) ||
        !decode_type_in(d, to, BITS(PTX_U32) | BITS(PTX_S32) | BITS(PTX_F32)) ||
        !decode_dst(d, 0, to, &dst))
        return false;
    uint32_t p = ir_vreg(d->ir, VREG_PRED);
    if (!compare_into(d, from, p, NONE))
        return false;
    struct vinst *v = decode_emit(d);
    v->inst.exec = lanes_select;
    v->dst[0] = dst;
    v->src[0] = ir_konst(d->ir, to == PTX_F32 ? 0x3F800000u : UINT32_MAX, false);
    v->src[1] = ir_konst(d->ir, 0, false);
    v->psrc = p;
    return true;
}

static bool decode_slct(struct decoder *d, uint8_t type)
{
    uint8_t by;
    if (!decode_type(d, 1, &by) || !decode_type_in(d, by, BITS(PTX_S32) | BITS(PTX_F32)))
        return false;
    bool ftz = by == PTX_F32 && decode_has(d, M_ftz);
    struct alu alu = {.sub = SCALAR_slct,
                      .type = type,
                      .dst_type = type,
                      .src_types = {type, type, by},
                      .n_src = 3,
                      .timing = TIMING_INT,
                      .mods = ftz ? OP_FTZ : 0,
                      .extra = by};
    return decode_alu(d, &alu) != NULL;
}

bool decode_selp(struct decoder *d)
{
    uint8_t type;
    uint32_t p;
    bool negated;
    if (!decode_count(d, 4, 4) || !decode_type(d, 0, &type) ||
        !decode_type_in(d, type, INT_TYPES | BIT_TYPES | FLOAT_TYPES))
        return false;
    if (d->op->operation == OP_slct)
        return decode_slct(d, type);
    if (!decode_pred(d, &d->operands[3], &p, &negated))
        return false;
    struct alu alu = {.exec = type_bytes(type) == 8 ? lanes_select64 : lanes_select,
                      .type = type,
                      .dst_type = type,
                      .src_types = {type, type},
                      .n_src = 2,
                      .timing = TIMING_INT,
                      .mods = negated ? OP_PSRC_NOT : 0};
    struct vinst *v = decode_alu(d, &alu);
    if (!v)
        return false;
    v->psrc = p;
    return true;
}

bool decode_testp(struct decoder *d)
{
    uint8_t type;
    uint32_t p, q, src;
    enum modifier m = decode_range(d, M_finite, M_subnormal);
    if (m == MODIFIER_COUNT)
        return decode_error(d, "testp needs the property to test");
    if (!decode_count(d, 2, 2) || !decode_type(d, 0, &type) ||
        !decode_type_in(d, type, FLOAT_TYPES) || !decode_pred_dst(d, 0, &p, &q) ||
        !decode_src(d, 1, type, &src))
        return false;
    if (p == NONE || q != NONE)
        return decode_error(d, "one destination expected");
    struct vinst *v = decode_emit(d);
    v->inst.exec = lanes_testp;
    v->inst.timing = type == PTX_F64 ? TIMING_DP : TIMING_FP;
    v->inst.unit = type == PTX_F64 ? UNIT_DP : UNIT_SP;
    v->inst.op.type = type;
    v->inst.op.sub = (uint8_t)(m - M_finite);
    v->inst.op.mods = type == PTX_F64 ? OP_SRC64 : 0;
    v->pdst[0] = p;
    v->src[0] = src;
    return true;
}

bool decode_pred_logic(struct decoder *d)
{
    static const uint8_t kinds[OPERATION_COUNT] = {
        [OP_and] = COMBINE_AND, [OP_or] = COMBINE_OR, [OP_xor] = COMBINE_XOR};
    enum operation op = (enum operation)d->op->operation;
    unsigned n = op == OP_not ? 2 : 3;
    uint32_t p, q, a, b = NONE;
    bool not_a, not_b = false;
    (void)decode_has(d, M_pred);
    if (!decode_count(d, n, n) || !decode_pred_dst(d, 0, &p, &q) ||
        !decode_pred(d, &d->operands[1], &a, &not_a) ||
        (n == 3 && !decode_pred(d, &d->operands[2], &b, &not_b)))
        return false;
    if (p == NONE || q != NONE)
        return decode_error(d, "one destination expected");
    struct vinst *v = decode_emit(d);
    v->pdst[0] = p;
    v->psrc = a;
    v->inst.op.mods = not_a != (op == OP_not) ? OP_PSRC_NOT : 0;
    v->inst.exec = lanes_pred_move;
    if (n == 3) {
        v->inst.exec = lanes_pred_logic;
        v->psrc2 = b;
        v->inst.op.sub = kinds[op];
        v->inst.op.round = not_b;
    }
    return true;
}
