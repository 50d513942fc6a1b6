#include "sim/ptx/lower/decode.h"

#include <string.h>

/* --- cvt -----------------------------------------------------------------------------------------
 */

static bool to_integral(enum modifier m)
{
    return m >= M_rni && m <= M_rpi;
}

/* PTX ISA, "cvt": a rounding mode is required where the result may need it, and forbidden
 * elsewhere; the integer modes also round a float to an integral float of the same size. */
static bool check_rounding(struct decoder *d, uint8_t to, uint8_t from, enum modifier m)
{
    bool ff = type_is_float(to) && type_is_float(from), down = type_bytes(to) < type_bytes(from);
    bool fi = !type_is_float(to) && type_is_float(from);
    bool if_ = type_is_float(to) && !type_is_float(from);
    if (m == MODIFIER_COUNT)
        return !(fi || if_ || (ff && down)) || decode_error(d, "cvt needs a rounding mode here");
    if (fi || (ff && to == from))
        return to_integral(m) || decode_error(d, "cvt needs .rni, .rzi, .rmi or .rpi here");
    if (if_ || (ff && down))
        return !to_integral(m) || decode_error(d, "cvt needs .rn, .rz, .rm or .rp here");
    return decode_error(d, "cvt accepts no rounding mode here");
}

static bool decode_cvt_pair(struct decoder *d)
{
    uint8_t from;
    bool rz = decode_has(d, M_rz), relu = decode_has(d, M_relu);
    if (!rz && !decode_has(d, M_rn))
        return decode_error(d, "cvt.f16x2 needs .rn or .rz");
    if (!decode_count(d, 3, 3) || !decode_type(d, 1, &from) ||
        !decode_type_in(d, from, BITS(PTX_F32)))
        return false;
    struct alu alu = {.sub = SCALAR_cvt_pair,
                      .type = PTX_F16X2,
                      .dst_type = PTX_F16X2,
                      .src_types = {PTX_F32, PTX_F32},
                      .n_src = 2,
                      .timing = TIMING_FP,
                      .mods = relu ? OP_RELU : 0,
                      .round = rz ? ROUND_ZERO : ROUND_NEAREST};
    return decode_alu(d, &alu) != NULL;
}

/* bf16 and tf32, which are no types of registers: f32 with fewer bits. */
static bool decode_cvt_short(struct decoder *d, enum modifier form)
{
    bool back = d->op->mods[0] == M_f32, pair = form == M_bf16x2;
    bool rna = decode_has(d, M_rna), rz = decode_has(d, M_rz), rn = decode_has(d, M_rn);
    uint8_t type;
    (void)decode_has(d, form);
    if (!decode_type(d, 0, &type) || !decode_type_in(d, type, BITS(PTX_F32)))
        return false;
    if (back && (form != M_bf16 || rna || rz || rn))
        return decode_error(d, "of these only bf16 is converted to f32, without a rounding mode");
    if (!back && (rna ? form != M_tf32 : !rz && !rn))
        return decode_error(d, "cvt to bf16 needs .rn or .rz, to tf32 .rna, .rn or .rz");
    struct alu alu = {.sub = SCALAR_cvt_pair,
                      .type = PTX_B32,
                      .dst_type = form == M_bf16 && !back ? PTX_B16 : PTX_B32,
                      .src_types = {back ? PTX_B16 : PTX_F32, PTX_F32},
                      .n_src = pair ? 2 : 1,
                      .timing = TIMING_FP,
                      .mods = !back && decode_has(d, M_relu) ? OP_RELU : 0,
                      .round = rna  ? ROUND_AWAY
                               : rz ? ROUND_ZERO
                                    : ROUND_NEAREST,
                      .extra = back             ? SHORT_TO_F32
                               : pair           ? SHORT_BF16_PAIR
                               : form == M_bf16 ? SHORT_BF16
                                                : SHORT_TF32};
    return decode_count(d, alu.n_src + 1u, alu.n_src + 1u) && decode_alu(d, &alu) != NULL;
}

/* One of them that the instruction names, or MODIFIER_COUNT. */
static enum modifier short_form_of(const struct decoder *d)
{
    for (unsigned i = 0; i < d->op->n_mods; i++) {
        enum modifier m = d->op->mods[i];
        if (m == M_bf16 || m == M_bf16x2 || m == M_tf32)
            return m;
    }
    return MODIFIER_COUNT;
}

/* cvt.pack: s32 with fewer bits, two beside each other. */
static bool decode_cvt_pack(struct decoder *d)
{
    static const struct {
        enum modifier name;
        uint8_t form; /* bits, PACK_SIGNED */
    } kinds[] = {{M_s16, 16 | PACK_SIGNED}, {M_u16, 16}, {M_s8, 8 | PACK_SIGNED}, {M_u8, 8},
                 {M_s4, 4 | PACK_SIGNED},   {M_u4, 4},   {M_s2, 2 | PACK_SIGNED}, {M_u2, 2}};
    uint8_t form = 0;
    if (!decode_has(d, M_sat))
        return decode_error(d, "cvt.pack needs .sat");
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds && !form; i++)
        form = decode_has(d, kinds[i].name) ? kinds[i].form : 0;
    if (!form)
        return decode_error(d, "cvt.pack makes s16, u16, s8, u8, s4, u4, s2 and u2");
    bool alone = form == 16 || form == (16 | PACK_SIGNED);
    if (!decode_has(d, M_s32) || (!alone && !decode_has(d, M_b32)))
        return decode_error(d, "cvt.pack takes %s", alone ? ".s32" : ".s32 and .b32");
    struct alu alu = {.sub = SCALAR_pack,
                      .type = PTX_B32,
                      .dst_type = PTX_B32,
                      .src_types = {PTX_S32, PTX_S32, PTX_B32},
                      .n_src = alone ? 2 : 3,
                      .timing = TIMING_INT,
                      .extra = form};
    return decode_count(d, alu.n_src + 1u, alu.n_src + 1u) && decode_alu(d, &alu) != NULL;
}

bool decode_cvt(struct decoder *d)
{
    if (decode_has(d, M_pack))
        return decode_cvt_pack(d);
    uint8_t to, from;
    uint32_t dst, src, dst_bytes;
    enum modifier form = short_form_of(d);
    if (form != MODIFIER_COUNT)
        return decode_cvt_short(d, form);
    if (decode_type(d, 0, &to) && to == PTX_F16X2)
        return decode_cvt_pair(d);
    if (!decode_count(d, 2, 2) || !decode_type(d, 0, &to) || !decode_type(d, 1, &from))
        return false;
    enum modifier m = decode_range(d, M_rn, M_rp);
    if (m == MODIFIER_COUNT)
        m = decode_range(d, M_rni, M_rpi);
    bool ftz = decode_has(d, M_ftz), sat = decode_has(d, M_sat);
    bool relu = to == PTX_F16 && from == PTX_F32 && !sat && decode_has(d, M_relu);
    uint32_t numeric = ~(BITS(PTX_PRED) | BITS(PTX_B8) | BITS(PTX_B16) | BITS(PTX_B32) |
                         BITS(PTX_B64) | BITS(PTX_F16X2));
    if (!decode_type_in(d, to, numeric) || !decode_type_in(d, from, numeric) ||
        !check_rounding(d, to, from, m))
        return false;
    if (ftz && to != PTX_F32 && from != PTX_F32)
        return decode_error(d, ".ftz applies only to f32");
    if (!decode_dst_loose(d, &d->operands[0], to, &dst, &dst_bytes) ||
        !decode_source(d, &d->operands[1], from, true, &src))
        return false;
    uint8_t src_reg = from;
    (void)decode_register(d, &d->operands[1], &src, &src_reg);
    struct vinst *v = decode_emit(d);
    bool integral = m != MODIFIER_COUNT && to_integral(m);
    unsigned rounding = m == MODIFIER_COUNT ? 0 : integral ? m - M_rni : m - M_rn;
    /* To nearest and towards 0 a subnormal number becomes the integer 0 anyway. */
    bool flushes = ftz && (type_is_float(to) || rounding > ROUND_ZERO);
    bool plain = !sat && !flushes && !relu && dst_bytes == type_bytes(to);
    v->inst.exec = NULL;
    if (!type_is_float(to) && !type_is_float(from) && !sat) {
        /* Between integers: the narrower type, extended as its signedness says. */
        bool cut = type_bytes(to) <= type_bytes(from);
        v->inst.exec = lanes_extend(cut ? to : from, cut ? dst_bytes : type_bytes(to));
        if (!cut && dst_bytes > type_bytes(to))
            v->inst.exec = NULL;
    } else if (plain) {
        v->inst.exec = lanes_convert(to, from, (uint8_t)rounding, integral);
    }
    v->inst.timing = type_is_float(to) || type_is_float(from) ? TIMING_FP : TIMING_INT;
    if (to == PTX_F64 || from == PTX_F64) {
        v->inst.timing = TIMING_DP;
        v->inst.unit = UNIT_DP;
    }
    if (!v->inst.exec) {
        v->inst.exec = lanes_scalar;
        v->inst.op.sub = SCALAR_cvt;
    }
    v->inst.op.type = to;
    v->inst.op.type2 = from;
    v->inst.op.round = (uint8_t)(rounding | (integral ? 4 : 0));
    v->inst.op.mods = (ftz ? OP_FTZ : 0) | (sat ? OP_SAT : 0) | (relu ? OP_RELU : 0) |
                      (dst_bytes == 8 ? OP_DST64 : 0) | (dst_bytes <= 2 ? OP_DST16 : 0) |
                      (type_bytes(src_reg) == 8 ? OP_SRC64 : 0);
    v->dst[0] = dst;
    v->src[0] = src;
    return true;
}

/* --- mov -----------------------------------------------------------------------------------------
 */

static bool mov_pred(struct decoder *d)
{
    uint32_t p, q, src;
    bool negated;
    if (!decode_pred_dst(d, 0, &p, &q) || !decode_pred(d, &d->operands[1], &src, &negated))
        return false;
    if (p == NONE || q != NONE)
        return decode_error(d, "one destination expected");
    struct vinst *v = decode_emit(d);
    v->inst.exec = lanes_pred_move;
    v->pdst[0] = p;
    v->psrc = src;
    v->inst.op.mods = negated ? OP_PSRC_NOT : 0;
    return true;
}

/* mov.b64 %rd, {%r1, %r2} and mov.b64 {%r1, %r2}, %rd; elements of 1, 2 or 4 bytes. */
static bool mov_vector(struct decoder *d, uint8_t type)
{
    bool pack = d->operands[1].kind == OPERAND_VECTOR;
    const struct ast_operand *vector = &d->operands[pack ? 1 : 0];
    const struct ast_operand *scalar = &d->operands[pack ? 0 : 1];
    uint32_t bytes = type_bytes(type), refs[4], whole, n = vector->count;
    if (vector->kind != OPERAND_VECTOR || scalar->kind == OPERAND_VECTOR)
        return decode_error(d, "one vector and one register expected");
    if (!decode_type_in(d, type, BIT_TYPES) || (n != 2 && n != 4) || bytes / n == 0)
        return decode_error(d, "mov of 2 or 4 elements needs .b16, .b32 or .b64");
    static const uint8_t parts[] = {0, PTX_B8, PTX_B16, 0, PTX_B32};
    uint8_t part = parts[bytes / n];
    for (uint32_t i = 0; i < n; i++) {
        const struct ast_operand *o = &d->ir->unit->elements[vector->index + i];
        uint32_t got;
        bool ok = pack ? decode_source(d, o, part, part == PTX_B8, &refs[i])
                       : decode_dst_loose(d, o, part, &refs[i], &got);
        if (!ok)
            return false;
        if (!pack && o->kind != OPERAND_SINK && got != type_bytes(part) && part != PTX_B8)
            return decode_error(d, "the element has the wrong size");
    }
    if (!(pack ? decode_dst(d, 0, type, &whole) : decode_src(d, 1, type, &whole)))
        return false;
    struct vinst *v = decode_emit(d);
    v->inst.exec = pack ? lanes_pack : lanes_unpack;
    v->inst.vec = (uint8_t)n;
    v->inst.op.sub = (uint8_t)(bytes / n);
    v->inst.op.mods = bytes == 8 ? (pack ? OP_DST64 : OP_SRC64) : 0;
    memcpy(pack ? v->src : v->dst, refs, n * sizeof *refs);
    *(pack ? v->dst : v->src) = whole;
    return true;
}

static bool move(struct decoder *d, uint8_t type, uint32_t dst, uint32_t src)
{
    uint32_t bytes = type_bytes(type);
    struct vinst *v = decode_emit(d);
    v->inst.exec = lanes_extend(bytes == 8 ? PTX_B64 : bytes == 4 ? PTX_B32 : PTX_B16, bytes);
    v->inst.op.mods = bytes == 8 ? OP_DST64 | OP_SRC64 : 0;
    v->dst[0] = dst;
    v->src[0] = src;
    return true;
}

/* A later element is read from what this one writes. */
static bool is_read_behind(const struct decoder *d, uint32_t i, uint32_t n)
{
    const struct ast_operand *elements = d->ir->unit->elements;
    const struct ast_operand *o = &elements[d->operands[0].index + i];
    bool found = false;
    for (uint32_t k = i + 1; k < n; k++) {
        const struct ast_operand *later = &elements[d->operands[1].index + k];
        found |= o->kind == OPERAND_REG && later->kind == OPERAND_REG && o->index == later->index;
    }
    return found;
}

/* mov.v2.u32 %v, {0, %r}: an instruction for each element, one after the other; those that others
 * must not see yet go by way of a register of their own. */
static bool mov_elements(struct decoder *d, uint8_t type)
{
    const struct ast_operand *to = &d->operands[0], *from = &d->operands[1];
    uint32_t n = decode_has(d, M_v4) ? 4 : 2;
    if (to->kind != OPERAND_VECTOR || from->kind != OPERAND_VECTOR || to->count != n ||
        from->count != n)
        return decode_error(d, "two vectors of %u elements expected", n);
    const struct ast_operand *elements = d->ir->unit->elements;
    uint32_t held[4], behind[4];
    for (uint32_t i = 0; i < n; i++) {
        const struct ast_operand *o = &elements[to->index + i];
        uint32_t dst, src, bytes;
        if (!decode_dst_loose(d, o, type, &dst, &bytes) ||
            !decode_source(d, &elements[from->index + i], type, false, &src))
            return false;
        if (o->kind != OPERAND_SINK && bytes != type_bytes(type))
            return decode_error(d, "the element has the wrong size");
        behind[i] = dst;
        held[i] = is_read_behind(d, i, n)
                      ? ir_vreg(d->ir, type_bytes(type) == 8 ? VREG_64 : VREG_32)
                      : NONE;
        move(d, type, held[i] == NONE ? dst : held[i], src);
    }
    for (uint32_t i = 0; i < n; i++) {
        if (held[i] != NONE)
            move(d, type, behind[i], held[i]);
    }
    return true;
}

bool decode_mov(struct decoder *d)
{
    uint8_t type;
    uint32_t dst, src;
    if (!decode_count(d, 2, 2) || !decode_type(d, 0, &type))
        return false;
    if (decode_has(d, M_v2) || decode_has(d, M_v4))
        return mov_elements(d, type);
    if (type == PTX_PRED)
        return mov_pred(d);
    if (d->operands[0].kind == OPERAND_VECTOR || d->operands[1].kind == OPERAND_VECTOR)
        return mov_vector(d, type);
    if (!decode_type_in(d, type, INT_TYPES | BIT_TYPES | FLOAT_TYPES | HALF_TYPES) ||
        !decode_dst(d, 0, type, &dst))
        return false;
    const struct ast_operand *o = &d->operands[1];
    if (o->kind == OPERAND_FUNCTION) {
        struct vinst *v = decode_emit(d);
        if (type_bytes(type) != 8)
            return decode_error(d, "the address of a function needs a 64-bit register");
        v->inst.exec = lanes_extend(PTX_B64, 8);
        v->inst.op.mods = OP_DST64 | OP_SRC64;
        v->dst[0] = dst;
        v->src[0] = ir_konst(d->ir, FUNCTION_ADDRESS(o->index), true);
        return true;
    }
    /* The address of a parameter in local memory is known only when all its uses are. */
    if (o->kind == OPERAND_SYMBOL && d->ir->unit->variables[o->index].space == SPACE_PARAM &&
        !decode_kernel_param(d, o->index)) {
        uint32_t object = (uint32_t)decode_variable(d, o->index);
        struct vinst *v = decode_emit(d);
        d->ir->objects[object].memory = true;
        v->object = object;
        v->inst.exec = lanes_extend(type_bytes(type) == 8 ? PTX_B64 : PTX_B32, type_bytes(type));
        v->inst.op.imm = o->value;
        v->inst.op.mods = type_bytes(type) == 8 ? OP_DST64 | OP_SRC64 : 0;
        v->dst[0] = dst;
        return true;
    }
    if (!decode_src(d, 1, type, &src))
        return false;
    return move(d, type, dst, src);
}

/* --- generic addresses ---------------------------------------------------------------------------
 */

static uint8_t space_operand(struct decoder *d)
{
    static const struct {
        enum modifier m;
        uint8_t space;
    } spaces[] = {{M_global, SPACE_GLOBAL}, {M_const, SPACE_CONST},       {M_shared, SPACE_SHARED},
                  {M_local, SPACE_LOCAL},   {M_shared_cta, SPACE_SHARED}, {M_param, SPACE_PARAM}};
    for (size_t i = 0; i < sizeof spaces / sizeof *spaces; i++)
        if (decode_has(d, spaces[i].m))
            return spaces[i].space;
    return SPACE_NONE;
}

static uint64_t window(uint8_t space)
{
    return space == SPACE_SHARED ? SHARED_WINDOW : space == SPACE_LOCAL ? LOCAL_WINDOW : 0;
}

bool decode_cvta(struct decoder *d)
{
    uint8_t type, space = space_operand(d);
    uint32_t dst, src;
    bool to = decode_has(d, M_to);
    if (space == SPACE_NONE || space == SPACE_PARAM)
        return decode_error(d, "cvta of this address space is not supported");
    if (!decode_count(d, 2, 2) || !decode_type(d, 0, &type))
        return false;
    if (!decode_type_in(d, type, BITS(PTX_U64)) || !decode_dst(d, 0, type, &dst) ||
        !decode_src(d, 1, type, &src))
        return false;
    struct vinst *v = decode_emit(d);
    uint64_t offset = window(space);
    v->dst[0] = dst;
    v->src[0] = src;
    v->inst.op.mods = OP_DST64 | OP_SRC64 | OP_SRC64 << 1;
    v->inst.exec = lanes_extend(PTX_B64, 8);
    if (offset) {
        v->src[1] = ir_konst(d->ir, to ? 0 - offset : offset, true);
        v->inst.exec = lanes_int(OP_add, PTX_U64, false, false);
    }
    return true;
}

bool decode_isspacep(struct decoder *d)
{
    uint8_t space = space_operand(d);
    uint32_t p, q, src;
    if (space == SPACE_NONE)
        return decode_error(d, "isspacep needs an address space");
    if (!decode_count(d, 2, 2) || !decode_pred_dst(d, 0, &p, &q) ||
        !decode_src(d, 1, PTX_U64, &src))
        return false;
    if (p == NONE || q != NONE)
        return decode_error(d, "one destination expected");
    struct vinst *v = decode_emit(d);
    v->inst.exec = lanes_isspacep;
    v->inst.op.sub = space;
    v->inst.op.mods = OP_SRC64;
    v->pdst[0] = p;
    v->src[0] = src;
    return true;
}
