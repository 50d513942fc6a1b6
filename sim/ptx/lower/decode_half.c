#include "sim/ptx/lower/decode.h"

struct half_form {
    uint8_t operation, half, n_src;
    bool saturates; /* takes .rn and .sat */
    bool compares;  /* takes .NaN */
    bool approximates;
};

static const struct half_form forms[] = {
    {OP_add, HALF_ADD, 2, true, false, false},  {OP_sub, HALF_SUB, 2, true, false, false},
    {OP_mul, HALF_MUL, 2, true, false, false},  {OP_fma, HALF_FMA, 3, true, false, false},
    {OP_min, HALF_MIN, 2, false, true, false},  {OP_max, HALF_MAX, 2, false, true, false},
    {OP_abs, HALF_ABS, 1, false, false, false}, {OP_neg, HALF_NEG, 1, false, false, false},
    {OP_ex2, HALF_EX2, 1, false, false, true},  {OP_tanh, HALF_TANH, 1, false, false, true}};

bool decode_half(struct decoder *d, uint8_t type)
{
    const size_t n = sizeof forms / sizeof *forms;
    size_t i = 0;
    while (i < n && forms[i].operation != d->op->operation)
        i++;
    if (i == n)
        return decode_error(d, "the instruction does not exist for this type");
    const struct half_form *form = &forms[i];
    if (!decode_count(d, form->n_src + 1u, form->n_src + 1u))
        return false;
    bool exponential = form->operation == OP_ex2, bf16 = d->bf16;
    bool ftz = (!bf16 || exponential) && decode_has(d, M_ftz);
    bool sat = form->saturates && !bf16 && decode_has(d, M_sat);
    bool relu = form->operation == OP_fma && !sat && decode_has(d, M_relu);
    bool rn = form->saturates && decode_has(d, M_rn);
    if (form->operation == OP_fma && !rn)
        return decode_error(d, "a rounding mode is needed");
    if (form->approximates && !decode_has(d, M_approx))
        return decode_error(d, ".approx is needed");
    if (exponential && bf16 && !ftz)
        return decode_error(d, "ex2 of bf16 needs .ftz");
    struct alu alu = {.sub = SCALAR_half,
                      .type = type,
                      .dst_type = type,
                      .src_types = {type, type, type},
                      .n_src = form->n_src,
                      .timing = form->approximates ? TIMING_SFU : TIMING_FP,
                      .mods = (ftz ? OP_FTZ : 0) | (sat ? OP_SAT : 0) | (relu ? OP_RELU : 0) |
                              (bf16 ? OP_BF16 : 0) |
                              (form->compares && decode_has(d, M_NaN) ? OP_NAN : 0),
                      .extra = form->half};
    if (!alu.mods)
        alu.exec = lanes_half(form->half, type == PTX_F16X2);
    return decode_alu(d, &alu) != NULL;
}
