#include "sim/ptx/lower/decode.h"

static uint8_t timing_of(uint8_t type, bool divide, bool approx)
{
    if (approx)
        return TIMING_SFU;
    if (type == PTX_F64)
        return divide ? TIMING_DP_DIV : TIMING_DP;
    return divide ? TIMING_FP_DIV : TIMING_FP;
}

struct float_form {
    uint8_t operation, n_src;
    bool rounds, saturates; /* takes .rn/.rz/.rm/.rp; .sat */
};

static const struct float_form forms[] = {
    {OP_add, 2, true, true},   {OP_sub, 2, true, true},       {OP_mul, 2, true, true},
    {OP_mad, 3, true, true},   {OP_fma, 3, true, true},       {OP_div, 2, true, false},
    {OP_min, 2, false, false}, {OP_max, 2, false, false},     {OP_abs, 1, false, false},
    {OP_neg, 1, false, false}, {OP_copysign, 2, false, false}};

bool decode_float(struct decoder *d, uint8_t type)
{
    const struct float_form *form = forms;
    enum operation op = (enum operation)d->op->operation;
    if (type == PTX_F16 || type == PTX_F16X2)
        return decode_half(d, type);
    while (form->operation != op)
        form++;
    if (!decode_type_in(d, type, FLOAT_TYPES) ||
        !decode_count(d, form->n_src + 1u, form->n_src + 1u))
        return false;
    bool ftz = op != OP_copysign && type == PTX_F32 && decode_has(d, M_ftz);
    bool sat = form->saturates && type == PTX_F32 && decode_has(d, M_sat);
    bool nan = (op == OP_min || op == OP_max) && decode_has(d, M_NaN);
    bool approx =
        op == OP_div && type == PTX_F32 && (decode_has(d, M_approx) | decode_has(d, M_full));
    enum modifier m = form->rounds && !approx ? decode_range(d, M_rn, M_rp) : MODIFIER_COUNT;
    /* PTX ISA: fma, f64 div and the f32 div of sm_20 have no default rounding. */
    if (m == MODIFIER_COUNT && !approx && (op == OP_fma || op == OP_div))
        return decode_error(d, "a rounding mode is needed");
    bool nearest = m == MODIFIER_COUNT || m == M_rn;
    enum operation as = op == OP_mad ? OP_fma : op;
    struct alu alu = {.type = type,
                      .dst_type = type,
                      .src_types = {type, type, type},
                      .n_src = form->n_src,
                      .timing = timing_of(type, op == OP_div, approx),
                      .mods = (ftz ? OP_FTZ : 0) | (sat ? OP_SAT : 0) | (nan ? OP_NAN : 0),
                      .round = (uint8_t)(nearest ? 0 : m - M_rn)};
    if (op == OP_div && approx && decode_has(d, M_approx)) {
        alu.exec = lanes_approx(OP_div, ftz);
    } else if (nan) {
        alu.sub = op == OP_min ? SCALAR_fmin : SCALAR_fmax;
    } else if (sat || !nearest) {
        alu.sub = (uint8_t)as;
        alu.exec = lanes_rounded;
    } else {
        alu.exec = lanes_float(as, type, ftz);
    }
    return decode_alu(d, &alu) != NULL;
}

bool decode_sfu(struct decoder *d)
{
    enum operation op = (enum operation)d->op->operation;
    uint8_t type;
    if (!decode_count(d, 2, 2) || !decode_number(d, 0, &type))
        return false;
    if (type == PTX_F16 || type == PTX_F16X2)
        return decode_half(d, type);
    if (!decode_type_in(d, type, FLOAT_TYPES))
        return false;
    bool approx = decode_has(d, M_approx), ftz = decode_has(d, M_ftz);
    bool exact_form = op == OP_rcp || op == OP_sqrt;
    enum modifier m = exact_form && !approx ? decode_range(d, M_rn, M_rp) : MODIFIER_COUNT;
    if (!approx && m == MODIFIER_COUNT)
        return decode_error(d, exact_form ? ".approx or a rounding mode is needed"
                                          : ".approx is needed");
    /* In f64 only rcp.approx.ftz, rsqrt.approx(.ftz) exist besides the rounded forms. */
    if (type == PTX_F64 && ((approx && op != OP_rcp && op != OP_rsqrt) || (!approx && ftz)))
        return decode_error(d, "the instruction does not exist for this type");
    /* rsqrt.approx.f64 is a sequence like that of a rounded root; with .ftz it is one instruction.
     */
    bool sequence = op == OP_rsqrt && type == PTX_F64 && !ftz;
    struct alu alu = {.type = type,
                      .dst_type = type,
                      .src_types = {type},
                      .n_src = 1,
                      .timing = timing_of(type, true, approx && !sequence),
                      .mods = (ftz ? OP_FTZ : 0),
                      .round = (uint8_t)(m == MODIFIER_COUNT ? 0 : m - M_rn)};
    if (!approx && m != M_rn) {
        alu.sub = (uint8_t)op;
        alu.exec = lanes_rounded;
    } else if (!approx) {
        alu.exec = lanes_float(op, type, ftz);
    } else if (type == PTX_F64) {
        alu.sub = op == OP_rcp ? SCALAR_frcp : SCALAR_frsqrt;
    } else {
        alu.sub = SCALAR_ftanh;
        alu.exec = lanes_approx(op, ftz); /* NULL of that */
    }
    return decode_alu(d, &alu) != NULL;
}
