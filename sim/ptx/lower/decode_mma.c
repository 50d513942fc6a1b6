/* mma and wmma on halves: products of tiles of 8 x 8 (lanes_mma.c), each an instruction of the
 * tensor unit; loads and stores of fragments, which are addresses and ordinary accesses.
 *
 * A fragment of wmma is a list of tiles: of a, for each row of tiles those of both depths; of b,
 * the same for each column; of c and d, row by row. Registers beyond are not used: which element is
 * where is the machine's own affair (PTX ISA). */
#include "sim/ptx/lower/decode.h"

#include <string.h>

#define MOST_TILES 8

struct shape {
    enum modifier m;
    uint8_t rows, columns, depth; /* of tiles */
};

static const struct shape shapes[] = {
    {M_m16n16k16, 2, 2, 2}, {M_m32n8k16, 4, 1, 2}, {M_m8n32k16, 1, 4, 2},
    {M_m16n8k16, 2, 1, 2},  {M_m16n8k8, 2, 1, 1},
};

static const struct shape *shape_of(struct decoder *d, bool wmma)
{
    for (size_t i = wmma ? 0 : 3; i < (wmma ? 3 : sizeof shapes / sizeof *shapes); i++)
        if (decode_has(d, shapes[i].m))
            return &shapes[i];
    decode_error(d, "the shapes of %s are %s", wmma ? "wmma" : "mma",
                 wmma ? "m16n16k16, m32n8k16 and m8n32k16" : "m16n8k16 and m16n8k8");
    return NULL;
}

/* The modifiers `from` on of those given, each at its place and all of them known; layouts and
 * types may come twice. */
static bool whole(struct decoder *d)
{
    if (!decode_has(d, M_sync) || !decode_has(d, M_aligned))
        return decode_error(d, ".sync.aligned is needed");
    return true;
}

static void use_all(struct decoder *d, enum modifier m)
{
    for (uint8_t i = 0; i < d->op->n_mods; i++)
        if (d->op->mods[i] == m)
            d->used |= 1u << i;
}

/* The types in the order written; their number. */
static unsigned types_of(struct decoder *d, uint8_t types[4])
{
    unsigned n = 0;
    for (uint8_t i = 0; i < d->op->n_mods; i++) {
        if (d->op->mods[i] > M_f16x2)
            continue;
        if (n < 4)
            types[n] = d->op->mods[i];
        n++;
        d->used |= 1u << i;
    }
    return n;
}

static bool is_float(uint8_t type)
{
    return type == PTX_F16 || type == PTX_F32;
}

/* The registers of an operand, of which there must be `count`. */
static bool registers(struct decoder *d, unsigned n, uint8_t type, bool dst, uint32_t count,
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
        if (dst && bytes != 4)
            return decode_error(d, "the registers of a fragment have 32 bits");
    }
    return true;
}

/* --- products --------------------------------------------------------------------------------- */

struct product {
    const struct shape *shape;
    uint8_t d_type, c_type;
    uint32_t a[MOST_TILES], b[MOST_TILES], c[MOST_TILES], d[MOST_TILES];
};

static void tile_product(struct decoder *d, uint32_t a, uint32_t b, const uint32_t c[2],
                         uint8_t c_type, const uint32_t dst[2], uint8_t d_type)
{
    struct vinst *v = decode_emit(d);
    v->inst.exec = lanes_mma;
    v->inst.unit = UNIT_TENSOR;
    v->inst.timing = TIMING_MMA;
    v->inst.flags = INST_CONVERGENT;
    v->inst.op.type = c_type;
    v->inst.op.type2 = d_type;
    v->src[0] = a;
    v->src[1] = b;
    v->src[2] = c[0];
    v->src[3] = c_type == PTX_F16 ? NONE : c[1];
    v->dst[0] = dst[0];
    v->dst[1] = d_type == PTX_F16 ? NONE : dst[1];
}

static bool has(const uint32_t list[MOST_TILES], uint32_t ref)
{
    for (int i = 0; i < MOST_TILES; i++)
        if (list[i] == ref)
            return true;
    return false;
}

/* An output is also an input that a later product reads. */
static bool clashes(const struct product *p)
{
    for (int i = 0; i < MOST_TILES; i++) {
        uint32_t ref = p->d[i];
        bool other = p->shape->depth == 1 && p->c[i] != ref && has(p->c, ref);
        if (ref != NONE && (has(p->a, ref) || has(p->b, ref) || other))
            return true;
    }
    return false;
}

static void copy(struct decoder *d, uint32_t from, uint32_t to)
{
    struct vinst *v = decode_emit(d);
    v->inst.exec = lanes_extend(PTX_B32, 4);
    v->src[0] = from;
    v->dst[0] = to;
}

/* All products of one depth before those of the next, so that the waits of a chain overlap. Sums
 * are floats until the last one. */
static void emit_product(struct decoder *d, const struct product *p)
{
    const struct shape *s = p->shape;
    uint32_t tiles = (uint32_t)s->rows * s->columns, sum[MOST_TILES][2];
    uint32_t c_each = p->c_type == PTX_F16 ? 1 : 2, d_each = p->d_type == PTX_F16 ? 1 : 2;
    bool apart = clashes(p);
    for (uint32_t t = 0; t < tiles; t++)
        for (uint32_t i = 0; i < 2; i++)
            sum[t][i] = i < c_each ? p->c[t * c_each + i] : NONE;
    for (uint32_t k = 0; k < s->depth; k++) {
        bool last = k + 1u == s->depth;
        for (uint32_t t = 0; t < tiles; t++) {
            uint32_t to[2] = {NONE, NONE}, each = last ? d_each : 2;
            for (uint32_t i = 0; i < each; i++)
                to[i] = last && !apart ? p->d[t * d_each + i] : ir_vreg(d->ir, VREG_32);
            tile_product(d, p->a[t / s->columns * s->depth + k],
                         p->b[t % s->columns * s->depth + k], sum[t], k ? PTX_F32 : p->c_type, to,
                         last ? p->d_type : PTX_F32);
            memcpy(sum[t], to, sizeof to);
        }
    }
    for (uint32_t i = 0; apart && i < tiles * d_each; i++)
        copy(d, sum[i / d_each][i % d_each], p->d[i]);
}

static bool operands_of(struct decoder *d, struct product *p, uint32_t n_a, uint32_t n_b)
{
    uint32_t tiles = (uint32_t)p->shape->rows * p->shape->columns;
    uint8_t d_type = p->d_type == PTX_F16 ? PTX_B32 : PTX_F32;
    uint8_t c_type = p->c_type == PTX_F16 ? PTX_B32 : PTX_F32;
    return decode_count(d, 4, 4) &&
           registers(d, 0, d_type, true, p->d_type == PTX_F16 ? tiles : 2 * tiles, p->d) &&
           registers(d, 1, PTX_B32, false, n_a, p->a) &&
           registers(d, 2, PTX_B32, false, n_b, p->b) &&
           registers(d, 3, c_type, false, p->c_type == PTX_F16 ? tiles : 2 * tiles, p->c);
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

static bool decode_wmma_mma(struct decoder *d)
{
    struct product p = no_registers(shape_of(d, true));
    uint8_t types[4] = {0};
    if (!p.shape || !whole(d))
        return false;
    use_all(d, M_row);
    use_all(d, M_col);
    if (types_of(d, types) != 2 || !is_float(types[0]) || !is_float(types[1]))
        return decode_error(d, "wmma multiplies halves: the types of d and c are f16 or f32");
    p.d_type = types[0];
    p.c_type = types[1];
    if (!operands_of(d, &p, MOST_TILES, MOST_TILES))
        return false;
    emit_product(d, &p);
    return true;
}

bool decode_mma(struct decoder *d)
{
    struct product p = no_registers(shape_of(d, false));
    uint8_t types[4] = {0};
    if (!p.shape || !whole(d))
        return false;
    if (!decode_has(d, M_row) || !decode_has(d, M_col))
        return decode_error(d, "mma has a by rows and b by columns: .row.col");
    if (types_of(d, types) != 4 || !is_float(types[0]) || types[1] != PTX_F16 ||
        types[2] != PTX_F16 || !is_float(types[3]))
        return decode_error(d, "mma multiplies halves: f16 and f16, with c and d of f16 or f32");
    p.d_type = types[0];
    p.c_type = types[3];
    uint32_t depth = p.shape->depth;
    if (!operands_of(d, &p, 2 * depth, depth))
        return false;
    if (depth == 2) { /* the upper tiles of both depths stand one behind the other */
        uint32_t second = p.a[1];
        p.a[1] = p.a[2];
        p.a[2] = second;
    }
    emit_product(d, &p);
    return true;
}

/* --- loads and stores
 * ----------------------------------------------------------------------------- */

struct fragment {
    const struct shape *shape;
    char matrix; /* 'a', 'b', 'c' or 'd' */
    uint8_t type, space;
    bool columns; /* column by column */
    struct tile_place place;
    uint32_t stride;
    uint32_t reg[MOST_TILES];
};

static uint32_t place(struct decoder *d, const struct fragment *f, uint32_t row, uint32_t column,
                      bool second)
{
    uint32_t address = ir_vreg(d->ir, VREG_64);
    struct vinst *v = decode_emit(d);
    v->inst.exec = lanes_tile_address;
    v->inst.op.sub = (uint8_t)((f->matrix == 'b' ? TILE_B : 0) | (f->columns ? TILE_COLUMNS : 0) |
                               (second ? TILE_SECOND : 0));
    v->inst.op.type = (uint8_t)type_bytes(f->type);
    v->inst.op.round = (uint8_t)row;
    v->inst.op.type2 = (uint8_t)column;
    v->inst.op.imm = f->place.offset;
    v->inst.op.mods = f->place.mods;
    v->src[0] = f->place.base;
    v->src[1] = f->stride;
    v->dst[0] = address;
    return address;
}

/* `count` registers of `bytes` each from an address, or to it. */
static struct vinst *access_at(struct decoder *d, const struct fragment *f, uint32_t address,
                               uint32_t bytes, uint32_t count)
{
    bool store = f->matrix == 'd';
    struct vinst *v = decode_emit(d);
    v->inst.class = store ? INST_STORE : INST_LOAD;
    v->inst.exec = NULL;
    v->inst.unit = UNIT_LDST;
    v->inst.timing = TIMING_MEM;
    v->inst.space = f->space;
    v->inst.width = (uint8_t)bytes;
    v->inst.vec = (uint8_t)count;
    v->inst.op.type = bytes == 2 ? PTX_B16 : PTX_B32;
    v->inst.op.type2 = store ? 0 : 4;
    v->base = address;
    return v;
}

/* A pair of neighbours in memory. */
static void access_pair(struct decoder *d, const struct fragment *f, uint32_t row, uint32_t column,
                        const uint32_t *reg)
{
    uint32_t count = f->type == PTX_F32 ? 2 : 1;
    struct vinst *v = access_at(d, f, place(d, f, row, column, false), 4, count);
    memcpy(f->matrix == 'd' ? v->src : v->dst, reg, count * sizeof *reg);
}

/* A pair whose elements are a line apart. */
static void access_apart(struct decoder *d, const struct fragment *f, uint32_t row, uint32_t column,
                         const uint32_t *reg)
{
    bool store = f->matrix == 'd', halves = f->type == PTX_F16;
    uint32_t value[2] = {reg[0], halves ? ir_vreg(d->ir, VREG_32) : reg[1]};
    if (halves && !store)
        value[0] = ir_vreg(d->ir, VREG_32);
    if (halves && store) {
        struct vinst *high = decode_emit(d);
        high->inst.exec = lanes_high_half;
        high->src[0] = reg[0];
        high->dst[0] = value[1];
    }
    for (int i = 0; i < 2; i++) {
        struct vinst *v = access_at(d, f, place(d, f, row, column, i == 1), type_bytes(f->type), 1);
        *(store ? &v->src[0] : &v->dst[0]) = value[i];
    }
    if (halves && !store) {
        struct vinst *both = decode_emit(d);
        both->inst.exec = lanes_pack_halves;
        both->src[0] = value[0];
        both->src[1] = value[1];
        both->dst[0] = reg[0];
    }
}

static void emit_fragment(struct decoder *d, const struct fragment *f)
{
    const struct shape *s = f->shape;
    uint32_t rows = f->matrix == 'b' ? s->depth : s->rows;
    uint32_t columns = f->matrix == 'a' ? s->depth : s->columns;
    bool together = f->columns == (f->matrix == 'b');
    for (uint32_t i = 0; i < rows; i++)
        for (uint32_t j = 0; j < columns; j++) {
            uint32_t tile = f->matrix == 'b' ? j * rows + i : i * columns + j;
            const uint32_t *reg = &f->reg[f->type == PTX_F32 ? 2 * tile : tile];
            if (together)
                access_pair(d, f, i, j, reg);
            else
                access_apart(d, f, i, j, reg);
        }
}

static char matrix_of(struct decoder *d)
{
    return decode_has(d, M_a) ? 'a' : decode_has(d, M_b) ? 'b' : decode_has(d, M_c) ? 'c' : 'd';
}

static bool decode_wmma_move(struct decoder *d, bool store)
{
    struct fragment f = {.shape = shape_of(d, true), .matrix = matrix_of(d)};
    uint8_t types[4] = {0};
    unsigned where = store ? 0 : 1, data = store ? 1 : 0;
    if (!f.shape || !whole(d))
        return false;
    if (store != (f.matrix == 'd') || (store && !decode_has(d, M_d)))
        return decode_error(d, "wmma loads a, b and c and stores d");
    f.columns = decode_has(d, M_col);
    if (!f.columns && !decode_has(d, M_row))
        return decode_error(d, "a layout is needed: .row or .col");
    bool sum = f.matrix == 'c' || f.matrix == 'd';
    if (types_of(d, types) != 1 || !is_float(types[0]) || (!sum && types[0] != PTX_F16))
        return decode_error(d, "a and b are f16, c and d f16 or f32");
    f.type = types[0];
    uint32_t count = sum && f.type == PTX_F16 ? 4 : MOST_TILES;
    if (!decode_count(d, 2, 3) || !decode_place(d, &d->operands[where], &f.space, &f.place) ||
        !registers(d, data, f.type == PTX_F16 ? PTX_B32 : PTX_F32, !store, count, f.reg))
        return false;
    if (d->ast->n_operands == 3 && !decode_src(d, 2, PTX_U32, &f.stride))
        return false;
    if (d->ast->n_operands == 2) {
        uint32_t rows = f.matrix == 'b' ? f.shape->depth : f.shape->rows;
        uint32_t columns = f.matrix == 'a' ? f.shape->depth : f.shape->columns;
        f.stride = ir_konst(d->ir, 8 * (f.columns ? rows : columns), false);
    }
    for (uint32_t i = 0; i < count && !store; i++)
        if (f.reg[i] == f.stride || f.reg[i] == f.place.base) {
            uint32_t kept[2] = {ir_vreg(d->ir, VREG_32), ir_vreg(d->ir, VREG_32)};
            copy(d, f.stride, kept[0]);
            f.stride = kept[0];
            if (f.place.mods) {
                copy(d, f.place.base, kept[1]);
                f.place.base = kept[1];
            }
            break;
        }
    emit_fragment(d, &f);
    return true;
}

bool decode_wmma(struct decoder *d)
{
    if (decode_has(d, M_mma))
        return decode_wmma_mma(d);
    bool store = decode_has(d, M_store);
    return store || decode_has(d, M_load) ? decode_wmma_move(d, store)
                                          : decode_error(d, "wmma loads, stores or multiplies");
}
