/* mma and wmma.mma: products of tiles of 8 x 8 (lanes_mma.c, lanes_mma_int.c), each an instruction
 * of the tensor unit. */
#include "sim/ptx/lower/decode_mma.h"

#include <string.h>

const struct element_kind element_kinds[ELEMENTS] = {
    [ELEMENT_F16] = {M_f16, 4, 1, PTX_B32, PTX_F32},
    [ELEMENT_BF16] = {M_bf16, 4, 1, PTX_B32, PTX_F32},
    [ELEMENT_TF32] = {M_tf32, 5, 0, PTX_B32, PTX_F32},
    [ELEMENT_F64] = {M_f64, 6, 0, PTX_F64, PTX_F64},
    [ELEMENT_S8] = {M_s8, 3, 2, PTX_B32, PTX_S32},
    [ELEMENT_U8] = {M_u8, 3, 2, PTX_B32, PTX_S32},
    [ELEMENT_S4] = {M_s4, 2, 3, PTX_B32, PTX_S32},
    [ELEMENT_U4] = {M_u4, 2, 3, PTX_B32, PTX_S32},
    [ELEMENT_B1] = {M_b1, 0, 5, PTX_B32, PTX_S32},
};

/* PTX ISA, "Matrix Shape" of wmma and of mma. The m8n8k4 of halves, which is four products of
 * quarters of a warp, is decode_mma_quads's. */
static const struct shape shapes[] = {
    {M_m16n16k16, 2, 2, 16, HALVES | BYTES, 0},
    {M_m32n8k16, 4, 1, 16, HALVES | BYTES, 0},
    {M_m8n32k16, 1, 4, 16, HALVES | BYTES, 0},
    {M_m16n16k8, 2, 2, 8, TF32, 0},
    {M_m8n8k4, 1, 1, 4, DOUBLES, DOUBLES},
    {M_m8n8k32, 1, 1, 32, NIBBLES, NIBBLES},
    {M_m8n8k128, 1, 1, 128, SINGLE, SINGLE},
    {M_m16n8k4, 2, 1, 4, 0, TF32},
    {M_m16n8k8, 2, 1, 8, 0, HALVES | TF32},
    {M_m16n8k16, 2, 1, 16, 0, HALVES | BYTES},
    {M_m8n8k16, 1, 1, 16, 0, BYTES},
    {M_m16n8k32, 2, 1, 32, 0, BYTES | NIBBLES},
    {M_m16n8k64, 2, 1, 64, 0, NIBBLES},
    {M_m16n8k128, 2, 1, 128, 0, SINGLE},
    {M_m16n8k256, 2, 1, 256, 0, SINGLE},
};

const struct shape *mma_shape(struct decoder *d, bool wmma)
{
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++)
        if ((wmma ? shapes[i].wmma : shapes[i].mma) && decode_has(d, shapes[i].name))
            return &shapes[i];
    decode_error(d, "the shapes of %s are %s", wmma ? "wmma" : "mma",
                 wmma ? "m16n16k16, m32n8k16, m8n32k16, m16n16k8, m8n8k4, m8n8k32 and m8n8k128"
                      : "m16n8k4 to m16n8k256, and m8n8k4, k16, k32 and k128");
    return NULL;
}

bool mma_whole(struct decoder *d)
{
    if (!decode_has(d, M_sync) || !decode_has(d, M_aligned))
        return decode_error(d, ".sync.aligned is needed");
    return true;
}

void mma_layouts(struct decoder *d, enum modifier layout[2])
{
    unsigned n = 0;
    layout[0] = layout[1] = MODIFIER_COUNT;
    for (uint8_t i = 0; i < d->op->n_mods; i++) {
        if (d->op->mods[i] != M_row && d->op->mods[i] != M_col)
            continue;
        d->used |= 1u << i;
        if (n < 2)
            layout[n++] = d->op->mods[i];
    }
}

unsigned mma_types(struct decoder *d, enum modifier types[4])
{
    unsigned n = 0;
    for (uint8_t i = 0; i < d->op->n_mods; i++) {
        enum modifier m = d->op->mods[i];
        if (m > M_f16x2 && mma_element(m) == ELEMENTS)
            continue;
        if (n < 4)
            types[n] = m;
        n++;
        d->used |= 1u << i;
    }
    return n;
}

enum element mma_element(enum modifier type)
{
    for (int i = 0; i < ELEMENTS; i++)
        if (element_kinds[i].name == type)
            return (enum element)i;
    return ELEMENTS;
}

bool mma_registers(struct decoder *d, unsigned n, uint8_t type, bool dst, uint32_t count,
                   uint32_t ref[MOST_TILES])
{
    const struct ast_operand *o = &d->operands[n];
    uint32_t given = o->kind == OPERAND_VECTOR ? o->count : 1, bytes;
    if (given != count)
        return decode_error(d, "%u elements expected", count);
    for (uint32_t i = 0; i < count; i++) {
        const struct ast_operand *e =
            o->kind == OPERAND_VECTOR ? &d->ir->unit->elements[o->index + i] : o;
        if (dst ? !decode_dst_loose(d, e, type, &ref[i], &bytes)
                : !decode_source(d, e, type, true, &ref[i]))
            return false;
        if (dst && bytes != type_bytes(type))
            return decode_error(d, "the fragment's registers have %u bits", 8 * type_bytes(type));
    }
    return true;
}

void mma_copy(struct decoder *d, uint32_t from, uint32_t to)
{
    bool wide = d->ir->vregs[to] == VREG_64;
    struct vinst *v = decode_emit(d);
    v->inst.exec = wide ? lanes_extend(PTX_B64, 8) : lanes_extend(PTX_B32, 4);
    v->src[0] = from;
    v->dst[0] = to;
}

/* --- products --------------------------------------------------------------------------------- */

struct product {
    const struct shape *shape;
    enum element a_of, b_of; /* of equal size */
    uint8_t d_type, c_type;  /* enum ptx_type */
    bool saturates, both;    /* .satfinite; .and of bits */
    bool sparse;             /* of a, half is given */
    uint32_t a[MOST_TILES], b[MOST_TILES], c[MOST_TILES], d[MOST_TILES];
};

static exec_fn product_of(enum element e)
{
    static exec_fn const of[ELEMENTS] = {
        [ELEMENT_F16] = lanes_mma_f16,    [ELEMENT_BF16] = lanes_mma_bf16,
        [ELEMENT_TF32] = lanes_mma_tf32,  [ELEMENT_F64] = lanes_mma_f64,
        [ELEMENT_S8] = lanes_mma_bytes,   [ELEMENT_U8] = lanes_mma_bytes,
        [ELEMENT_S4] = lanes_mma_nibbles, [ELEMENT_U4] = lanes_mma_nibbles,
        [ELEMENT_B1] = lanes_mma_bits,
    };
    return of[e];
}

static uint8_t sub_of(const struct product *p)
{
    if (p->a_of == ELEMENT_B1)
        return p->both;
    return (uint8_t)((p->a_of == ELEMENT_S8 || p->a_of == ELEMENT_S4 ? TILE_A_SIGNED : 0) |
                     (p->b_of == ELEMENT_S8 || p->b_of == ELEMENT_S4 ? TILE_B_SIGNED : 0));
}

/* A product of two tiles and the sums before and after it. */
struct step {
    uint32_t a, b, c[2], d[2];
    uint8_t c_type, d_type;
    bool saturates;
};

static void emit_step(struct decoder *d, const struct product *p, const struct step *s)
{
    struct vinst *v = decode_emit(d);
    v->inst.exec = product_of(p->a_of);
    v->inst.unit = UNIT_TENSOR;
    v->inst.timing = p->a_of == ELEMENT_F64 ? TIMING_DMMA : TIMING_MMA;
    v->inst.flags = INST_CONVERGENT;
    v->inst.op.type = s->c_type;
    v->inst.op.type2 = s->d_type;
    v->inst.op.sub = sub_of(p);
    v->inst.op.mods = s->saturates ? OP_SAT : 0;
    v->src[0] = s->a;
    v->src[1] = s->b;
    v->src[2] = s->c[0];
    v->src[3] = s->c_type == PTX_F16 ? NONE : s->c[1];
    v->dst[0] = s->d[0];
    v->dst[1] = s->d_type == PTX_F16 ? NONE : s->d[1];
}

static bool has(const uint32_t list[MOST_TILES], uint32_t ref)
{
    for (int i = 0; i < MOST_TILES; i++)
        if (list[i] == ref)
            return true;
    return false;
}

/* An output is also an input that a later product reads. */
static bool clashes(const struct product *p, bool single)
{
    for (int i = 0; i < MOST_TILES; i++) {
        uint32_t ref = p->d[i];
        bool other = single && p->c[i] != ref && has(p->c, ref);
        if (ref != NONE && (has(p->a, ref) || has(p->b, ref) || other))
            return true;
    }
    return false;
}

/* Registers of a tile in c or d: two, of halves one. */
static uint32_t each_of(uint8_t type)
{
    return type == PTX_F16 ? 1 : 2;
}

/* A sum over several depths ends at the limits once, when c is added to the exact sum. */
static void add_at_last(struct decoder *d, const uint32_t sum[2], const uint32_t c[2],
                        const uint32_t to[2])
{
    for (int i = 0; i < 2; i++) {
        struct vinst *v = decode_emit(d);
        v->inst.exec = lanes_add_saturated;
        v->src[0] = sum[i];
        v->src[1] = c[i];
        v->dst[0] = to[i];
    }
}

/* All products of one depth before those of the next, so that the waits of a chain overlap. Sums
 * have their full width until the last one. */
static void emit_product(struct decoder *d, const struct product *p)
{
    const struct shape *s = p->shape;
    uint32_t tiles = (uint32_t)s->rows * s->columns, sum[MOST_TILES][2];
    uint32_t c_each = each_of(p->c_type), d_each = each_of(p->d_type);
    uint32_t depth = tiles_deep(s, p->a_of), zero = ir_konst(d->ir, 0, false);
    uint8_t full = element_kinds[p->a_of].sum;
    bool late = p->saturates && depth > 1, apart = late || clashes(p, depth == 1);
    for (uint32_t t = 0; t < tiles; t++)
        for (uint32_t i = 0; i < 2; i++)
            sum[t][i] = late ? zero : i < c_each ? p->c[t * c_each + i] : NONE;
    for (uint32_t k = 0; k < depth; k++) {
        bool last = k + 1u == depth;
        for (uint32_t t = 0; t < tiles; t++) {
            struct step step = {.a = p->a[t / s->columns * depth + k],
                                .b = p->b[t % s->columns * depth + k],
                                .c = {sum[t][0], sum[t][1]},
                                .d = {NONE, NONE},
                                .c_type = k ? full : p->c_type,
                                .d_type = last ? p->d_type : full,
                                .saturates = p->saturates && !late};
            for (uint32_t i = 0; i < each_of(step.d_type); i++)
                step.d[i] = last && !apart ? p->d[t * d_each + i]
                                           : ir_vreg(d->ir, full == PTX_F64 ? VREG_64 : VREG_32);
            emit_step(d, p, &step);
            memcpy(sum[t], step.d, sizeof step.d);
        }
    }
    for (uint32_t t = 0; late && t < tiles; t++) {
        uint32_t to[2] = {ir_vreg(d->ir, VREG_32), ir_vreg(d->ir, VREG_32)};
        add_at_last(d, sum[t], &p->c[2 * t], to);
        memcpy(sum[t], to, sizeof to);
    }
    for (uint32_t i = 0; apart && i < tiles * d_each; i++)
        mma_copy(d, sum[i / d_each][i % d_each], p->d[i]);
}

static bool sums_of(struct decoder *d, unsigned n, uint8_t type, bool dst, uint32_t tiles,
                    uint32_t ref[MOST_TILES])
{
    return mma_registers(d, n, type == PTX_F16 ? PTX_B32 : type, dst, tiles * each_of(type), ref);
}

static bool operands_of(struct decoder *d, struct product *p, bool wmma)
{
    const struct shape *s = p->shape;
    uint32_t tiles = (uint32_t)s->rows * s->columns, depth = tiles_deep(s, p->a_of);
    bool spare = wmma && p->a_of == ELEMENT_F16;
    uint8_t word = element_kinds[p->a_of].word;
    uint32_t of_a = s->rows * depth / (p->sparse ? 2 : 1), operands = p->sparse ? 6 : 4;
    return decode_count(d, operands, operands) && sums_of(d, 0, p->d_type, true, tiles, p->d) &&
           mma_registers(d, 1, word, false, spare ? HALF_REGISTERS : of_a, p->a) &&
           mma_registers(d, 2, word, false, spare ? HALF_REGISTERS : s->columns * depth, p->b) &&
           sums_of(d, 3, p->c_type, false, tiles, p->c);
}

static struct product no_registers(const struct shape *shape)
{
    struct product p = {.shape = shape};
    uint32_t *lists[] = {p.a, p.b, p.c, p.d};
    for (int n = 0; n < 4; n++)
        for (int i = 0; i < MOST_TILES; i++)
            lists[n][i] = NONE;
    return p;
}

/* Of halves, c and d may be halves. */
static bool fits_sum(enum modifier type, enum element of)
{
    return type == (enum modifier)element_kinds[of].sum || (of == ELEMENT_F16 && type == M_f16);
}

/* Types of d, a, b and c; wmma does not name f16 of a and b. */
static bool find_types(struct decoder *d, struct product *p, bool wmma)
{
    enum modifier t[4];
    unsigned n = mma_types(d, t);
    if (wmma && n == 2) {
        t[3] = t[1];
        t[1] = t[2] = M_f16;
    } else if (n != 4) {
        return decode_error(d, "the types of d, a, b and c are needed%s",
                            wmma ? ", or those of d and c for a and b of f16" : "");
    }
    p->a_of = mma_element(t[1]);
    p->b_of = mma_element(t[2]);
    if (p->a_of == ELEMENTS || p->b_of == ELEMENTS)
        return decode_error(d, "a and b are f16, bf16, tf32, f64, s8, u8, s4, u4 or b1");
    const struct element_kind *a = &element_kinds[p->a_of], *b = &element_kinds[p->b_of];
    unsigned allowed = wmma ? p->shape->wmma : p->shape->mma;
    if (!(allowed >> p->a_of & 1) || !(allowed >> p->b_of & 1) || a->bits != b->bits ||
        (p->a_of != p->b_of && a->sum != PTX_S32))
        return decode_error(d, "this shape does not have these types of a and b");
    if (!fits_sum(t[0], p->a_of) || !fits_sum(t[3], p->a_of))
        return decode_error(d, "c and d have types that a and b do not give");
    p->d_type = (uint8_t)t[0];
    p->c_type = (uint8_t)t[3];
    return true;
}

static bool find_operation(struct decoder *d, struct product *p)
{
    enum element of = p->a_of;
    p->saturates = decode_has(d, M_satfinite);
    if (p->saturates && (element_kinds[of].sum != PTX_S32 || of == ELEMENT_B1))
        return decode_error(d, ".satfinite is for integers of 8 and 4 bits");
    if (of == ELEMENT_F64)
        (void)decode_has(d, M_rn);
    if (of != ELEMENT_B1)
        return true;
    p->both = decode_has(d, M_and);
    if (!p->both && !decode_has(d, M_xor))
        return decode_error(d, "bits are combined by .xor or .and");
    return decode_has(d, M_popc) || decode_error(d, "bits are counted: .popc");
}

/* Of 2 x 2 tiles with `each` registers: those of the second and third one change places. */
static void turn(uint32_t list[MOST_TILES], uint32_t each)
{
    for (uint32_t i = 0; i < each; i++) {
        uint32_t second = list[each + i];
        list[each + i] = list[2 * each + i];
        list[2 * each + i] = second;
    }
}

/* From the order of registers to that of tiles (decode_mma.h). */
static void turn_all(struct product *p)
{
    const struct shape *s = p->shape;
    if (s->rows == 2 && tiles_deep(s, p->a_of) == 2 && !p->sparse)
        turn(p->a, 1);
    if (s->rows == 2 && s->columns == 2) {
        turn(p->c, each_of(p->c_type));
        turn(p->d, each_of(p->d_type));
    }
}

/* Bits and nibbles, and in mma all elements, have no other layout than a by rows, b by columns. */
static bool decode_product(struct decoder *d, bool wmma)
{
    const bool sparse = !wmma && (decode_has(d, M_sp) || decode_has(d, M_sp_ordered));
    struct product p = no_registers(sparse ? mma_sparse_shape(d) : mma_shape(d, wmma));
    p.sparse = sparse;
    if (!p.shape || !mma_whole(d))
        return false;
    enum modifier layout[2];
    mma_layouts(d, layout);
    bool crossed = layout[0] == M_row && layout[1] == M_col; /* a by rows, b by columns */
    if (!find_types(d, &p, wmma) || !find_operation(d, &p))
        return false;
    if (!crossed && (!wmma || element_kinds[p.a_of].bits < 3))
        return decode_error(d, "a is by rows and b by columns: .row.col");
    if (!operands_of(d, &p, wmma))
        return false;
    turn_all(&p);
    const struct product packed = p;
    if (sparse && !mma_unpack(d, p.shape, p.a_of, packed.a, p.a))
        return false;
    emit_product(d, &p);
    return true;
}

bool decode_mma(struct decoder *d)
{
    if (mma_is_quads(d))
        return decode_mma_quads(d);
    return decode_product(d, false);
}

bool decode_wmma(struct decoder *d)
{
    if (decode_has(d, M_mma))
        return decode_product(d, true);
    bool store = decode_has(d, M_store);
    return store || decode_has(d, M_load) ? decode_wmma_move(d, store)
                                          : decode_error(d, "wmma loads, stores or multiplies");
}
