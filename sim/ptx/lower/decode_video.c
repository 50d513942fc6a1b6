#include "sim/ptx/execute/video.h"
#include "sim/ptx/lower/decode.h"

static const struct {
    uint8_t operation, kind, lanes;
} forms[] = {{OP_vadd, VIDEO_ADD, 1},          {OP_vadd2, VIDEO_ADD, 2},
             {OP_vadd4, VIDEO_ADD, 4},         {OP_vsub, VIDEO_SUB, 1},
             {OP_vsub2, VIDEO_SUB, 2},         {OP_vsub4, VIDEO_SUB, 4},
             {OP_vabsdiff, VIDEO_ABSDIFF, 1},  {OP_vabsdiff2, VIDEO_ABSDIFF, 2},
             {OP_vabsdiff4, VIDEO_ABSDIFF, 4}, {OP_vmin, VIDEO_MIN, 1},
             {OP_vmin2, VIDEO_MIN, 2},         {OP_vmin4, VIDEO_MIN, 4},
             {OP_vmax, VIDEO_MAX, 1},          {OP_vmax2, VIDEO_MAX, 2},
             {OP_vmax4, VIDEO_MAX, 4},         {OP_vavrg2, VIDEO_AVERAGE, 2},
             {OP_vavrg4, VIDEO_AVERAGE, 4},    {OP_vset, VIDEO_SET, 1},
             {OP_vshl, VIDEO_SHL, 1},          {OP_vshr, VIDEO_SHR, 1},
             {OP_vset2, VIDEO_SET, 2},         {OP_vset4, VIDEO_SET, 4}};

static bool shift_mode(struct decoder *d, uint8_t b, uint8_t *wraps)
{
    *wraps = decode_has(d, M_wrap);
    if (b != PTX_U32 || (!*wraps && !decode_has(d, M_clamp)))
        return decode_error(d, "a shift is by an u32, .clamp or .wrap");
    return true;
}

/* vadd4.u32.u32.u32.sat d, a, b, c; vset2.u32.u32.ge d, a, b, c. Without .add, the SIMD forms merge
 * into c the lanes that no mask selects, and all are selected here: c is not looked at. */
bool decode_video(struct decoder *d)
{
    unsigned i = 0, n = d->ast->n_operands;
    while (forms[i].operation != d->op->operation)
        i++;
    uint8_t kind = forms[i].kind, types[3], variant = 0;
    bool set = kind == VIDEO_SET;
    for (unsigned t = 0; t < (set ? 2u : 3u); t++)
        if (!decode_type(d, t, &types[t]) ||
            !decode_type_in(d, types[t], BITS(PTX_U32) | BITS(PTX_S32)))
            return false;
    if (set) {
        enum modifier m = decode_range(d, M_eq, M_ge);
        if (m == MODIFIER_COUNT)
            return decode_error(d, "a comparison is needed");
        variant = (uint8_t)(m - M_eq);
        types[2] = types[1];
        types[1] = types[0];
        types[0] = PTX_U32;
    }
    if ((kind == VIDEO_SHL || kind == VIDEO_SHR) && !shift_mode(d, types[2], &variant))
        return false;
    bool sum = decode_has(d, M_add), sat = decode_has(d, M_sat);
    if (!decode_count(d, sum ? 4 : 3, 4))
        return false;
    struct alu alu = {.sub = SCALAR_video,
                      .type = types[0],
                      .dst_type = PTX_B32,
                      .src_types = {PTX_B32, PTX_B32, PTX_B32},
                      .n_src = (uint8_t)(n - 1),
                      .timing = TIMING_INT_MUL,
                      .mods = (types[1] == PTX_S32 ? VIDEO_SIGNED_A : 0) |
                              (types[2] == PTX_S32 ? VIDEO_SIGNED_B : 0) | (sat ? OP_SAT : 0) |
                              (sum ? VIDEO_SUM : 0),
                      .round = variant,
                      .extra = VIDEO_CODE(kind, forms[i].lanes)};
    return decode_alu(d, &alu) != NULL;
}
