/* wmma.load, wmma.store and ldmatrix: addresses of fragments (lanes_fragment.c), and ordinary
 * accesses. */
#include "sim/ptx/lower/decode_mma.h"

#include <string.h>

struct fragment {
    const struct shape *shape;
    enum element of; /* the elements of a and b; only their size matters to c and d */
    char matrix;     /* 'a', 'b', 'c' or 'd' */
    uint8_t bits;    /* logarithm of an element's bits */
    uint8_t per;     /* logarithm of the elements that a lane has of a tile */
    uint8_t space;
    bool columns; /* column by column */
    struct tile_place place;
    uint32_t stride;
    uint32_t reg[MOST_TILES];
};

static uint32_t place(struct decoder *d, const struct fragment *f, uint32_t row, uint32_t column,
                      uint32_t element)
{
    uint32_t address = ir_vreg(d->ir, VREG_64);
    struct vinst *v = decode_emit(d);
    v->inst.exec = lanes_tile_address;
    v->inst.op.sub = (uint8_t)((f->matrix == 'b' ? TILE_B : 0) | (f->columns ? TILE_COLUMNS : 0) |
                               element * TILE_ELEMENT);
    v->inst.op.type = (uint8_t)(f->bits + f->per * TILE_WORD);
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
    static const uint8_t types[] = {[1] = PTX_B8, [2] = PTX_B16, [4] = PTX_B32, [8] = PTX_B64};
    bool store = f->matrix == 'd';
    struct vinst *v = decode_emit(d);
    v->inst.class = store ? INST_STORE : INST_LOAD;
    v->inst.exec = NULL;
    v->inst.unit = UNIT_LDST;
    v->inst.timing = TIMING_MEM;
    v->inst.space = f->space;
    v->inst.width = (uint8_t)bytes;
    v->inst.vec = (uint8_t)count;
    v->inst.op.type = types[bytes];
    v->inst.op.type2 = store ? 0 : bytes == 8 ? 8 : 4;
    v->base = address;
    return v;
}

/* What a lane has of a tile: neighbours in memory. */
static void access_together(struct decoder *d, const struct fragment *f, uint32_t row,
                            uint32_t column, const uint32_t *reg)
{
    uint32_t bytes = 1u << (f->bits + f->per) >> 3, each = f->bits == 6 ? 8 : 4;
    struct vinst *v = access_at(d, f, place(d, f, row, column, 0), each, bytes / each);
    memcpy(f->matrix == 'd' ? v->src : v->dst, reg, bytes / each * sizeof *reg);
}

/* The elements of a register into it. */
static void pack(struct decoder *d, const uint32_t *value, uint32_t n, uint32_t reg)
{
    struct vinst *v = decode_emit(d);
    v->inst.exec = n == 2 ? lanes_pack_halves : lanes_pack_bytes;
    memcpy(v->src, value, n * sizeof *value);
    v->dst[0] = reg;
}

static void take_high_half(struct decoder *d, uint32_t from, uint32_t to)
{
    struct vinst *v = decode_emit(d);
    v->inst.exec = lanes_high_half;
    v->src[0] = from;
    v->dst[0] = to;
}

/* The same, a line apart. */
static void access_apart(struct decoder *d, const struct fragment *f, uint32_t row, uint32_t column,
                         const uint32_t *reg)
{
    bool store = f->matrix == 'd', packed = f->bits < 5;
    uint32_t n = 1u << f->per, value[4];
    for (uint32_t i = 0; i < n; i++)
        value[i] = !packed ? reg[i] : store && i == 0 ? reg[0] : ir_vreg(d->ir, VREG_32);
    if (packed && store)
        take_high_half(d, reg[0], value[1]);
    for (uint32_t i = 0; i < n; i++) {
        struct vinst *v = access_at(d, f, place(d, f, row, column, i), 1u << f->bits >> 3, 1);
        *(store ? &v->src[0] : &v->dst[0]) = value[i];
    }
    if (packed && !store)
        pack(d, value, n, reg[0]);
}

static bool is_sum(const struct fragment *f)
{
    return f->matrix == 'c' || f->matrix == 'd';
}

static uint32_t tile_rows(const struct fragment *f)
{
    return f->matrix == 'b' ? tiles_deep(f->shape, f->of) : f->shape->rows;
}

static uint32_t tile_columns(const struct fragment *f)
{
    return f->matrix == 'a' ? tiles_deep(f->shape, f->of) : f->shape->columns;
}

static uint32_t registers_each(const struct fragment *f)
{
    return is_sum(f) && f->bits > 4 ? 2 : 1;
}

static void emit_fragment(struct decoder *d, const struct fragment *f)
{
    uint32_t rows = tile_rows(f), columns = tile_columns(f);
    bool together = f->columns == (f->matrix == 'b') || f->per == 0;
    for (uint32_t i = 0; i < rows; i++)
        for (uint32_t j = 0; j < columns; j++) {
            bool down = f->matrix == 'b' || (rows == 2 && columns == 2);
            uint32_t tile = down ? j * rows + i : i * columns + j;
            const uint32_t *reg = &f->reg[registers_each(f) * tile];
            if (together)
                access_together(d, f, i, j, reg);
            else
                access_apart(d, f, i, j, reg);
        }
}

static char matrix_of(struct decoder *d)
{
    return decode_has(d, M_a) ? 'a' : decode_has(d, M_b) ? 'b' : decode_has(d, M_c) ? 'c' : 'd';
}

/* The elements of a and b that give such a c or d in this shape: the first ones, since all others
 * are as many. */
static enum element giver(const struct shape *s, enum modifier type)
{
    for (int e = 0; e < ELEMENTS; e++)
        if (s->wmma >> e & 1 &&
            (type == (enum modifier)element_kinds[e].sum || (e == ELEMENT_F16 && type == M_f16)))
            return (enum element)e;
    return ELEMENTS;
}

static bool find_elements(struct decoder *d, struct fragment *f)
{
    enum modifier t[4];
    if (mma_types(d, t) != 1)
        return decode_error(d, "the type of the elements is needed");
    f->of = is_sum(f) ? giver(f->shape, t[0]) : mma_element(t[0]);
    if (f->of == ELEMENTS || !(f->shape->wmma >> f->of & 1))
        return decode_error(d, "this shape does not have such elements of %c", f->matrix);
    const struct element_kind *kind = &element_kinds[f->of];
    f->bits = !is_sum(f) ? kind->bits : t[0] == M_f64 ? 6 : t[0] == M_f16 ? 4 : 5;
    f->per = is_sum(f) ? 1 : kind->per_word;
    if (!is_sum(f) && kind->bits < 3 && f->columns != (f->matrix == 'b'))
        return decode_error(d, "bits and nibbles of a are by rows, of b by columns");
    return true;
}

/* Lines follow each other if no distance is given. */
static bool find_stride(struct decoder *d, struct fragment *f)
{
    if (d->ast->n_operands == 3)
        return decode_src(d, 2, PTX_U32, &f->stride);
    uint32_t wide = 4u << element_kinds[f->of].per_word; /* elements of a tile along the depth */
    uint32_t rows = tile_rows(f) * (f->matrix == 'b' ? wide : 8);
    uint32_t columns = tile_columns(f) * (f->matrix == 'a' ? wide : 8);
    f->stride = ir_konst(d->ir, f->columns ? rows : columns, false);
    return true;
}

/* A load may not write what later addresses need. */
static void keep(struct decoder *d, const struct fragment *f, uint32_t count, uint32_t *operand)
{
    for (uint32_t i = 0; i < count; i++)
        if (f->reg[i] == *operand) {
            uint32_t kept = ir_vreg(d->ir, d->ir->vregs[*operand]);
            mma_copy(d, *operand, kept);
            *operand = kept;
            return;
        }
}

bool decode_wmma_move(struct decoder *d, bool store)
{
    struct fragment f = {.shape = mma_shape(d, true), .matrix = matrix_of(d)};
    unsigned where = store ? 0 : 1, data = store ? 1 : 0;
    if (!f.shape || !mma_whole(d))
        return false;
    if (store != (f.matrix == 'd') || (store && !decode_has(d, M_d)))
        return decode_error(d, "wmma loads a, b and c and stores d");
    f.columns = decode_has(d, M_col);
    if (!f.columns && !decode_has(d, M_row))
        return decode_error(d, "a layout is needed: .row or .col");
    if (!find_elements(d, &f))
        return false;
    uint32_t count = tile_rows(&f) * tile_columns(&f) * registers_each(&f);
    if (!is_sum(&f) && f.of == ELEMENT_F16)
        count = HALF_REGISTERS;
    uint8_t type = f.bits == 6                ? PTX_F64
                   : is_sum(&f) && f.bits > 4 ? element_kinds[f.of].sum
                                              : PTX_B32;
    if (!decode_count(d, 2, 3) || !decode_place(d, &d->operands[where], &f.space, &f.place) ||
        !mma_registers(d, data, type, !store, count, f.reg) || !find_stride(d, &f))
        return false;
    if (!store) {
        keep(d, &f, count, &f.stride);
        keep(d, &f, count, &f.place.base);
    }
    emit_fragment(d, &f);
    return true;
}

/* --- ldmatrix: rows whose addresses the lanes have ------------------------------------------- */

#define MATRICES 4 /* at most */

/* Where a lane's word of the matrix is, or one of its halves (lanes_row_address). */
static uint32_t row_place(struct decoder *d, const struct tile_place *place, uint32_t matrix,
                          uint32_t half)
{
    uint32_t address = ir_vreg(d->ir, VREG_64);
    struct vinst *v = decode_emit(d);
    v->inst.exec = lanes_row_address;
    v->inst.flags = INST_CONVERGENT;
    v->inst.timing = TIMING_INT_MUL;
    v->inst.op.sub = (uint8_t)half;
    v->inst.op.round = (uint8_t)matrix;
    v->inst.op.imm = place->offset;
    v->inst.op.mods = place->mods | OP_DST64;
    v->src[0] = place->base;
    v->dst[0] = address;
    return address;
}

static void load_row_part(struct decoder *d, const struct fragment *f, uint32_t address,
                          uint32_t bytes, uint32_t reg)
{
    access_at(d, f, address, bytes, 1)->dst[0] = reg;
}

bool decode_ldmatrix(struct decoder *d)
{
    struct fragment f = {.matrix = 'a'};
    uint32_t count = decode_has(d, M_x4) ? 4 : decode_has(d, M_x2) ? 2 : 1, at[MATRICES][2];
    bool turned = decode_has(d, M_trans);
    if (!mma_whole(d))
        return false;
    if ((count == 1 && !decode_has(d, M_x1)) || !decode_has(d, M_m8n8) || !decode_has(d, M_b16))
        return decode_error(d, "ldmatrix needs .m8n8, .x1, .x2 or .x4, and .b16");
    if (!decode_count(d, 2, 2) || !decode_place(d, &d->operands[1], &f.space, &f.place) ||
        !mma_registers(d, 0, PTX_B32, true, count, f.reg))
        return false;
    if (f.space != SPACE_SHARED && f.space != SPACE_GENERIC)
        return decode_error(d, "ldmatrix reads shared memory");
    for (uint32_t m = 0; m < count; m++) /* all before a register of theirs is written */
        for (uint32_t half = 0; half < 1u + turned; half++)
            at[m][half] = row_place(d, &f.place, m, turned ? half + 1 : 0);
    for (uint32_t m = 0; m < count; m++) {
        uint32_t value[2];
        if (!turned) {
            load_row_part(d, &f, at[m][0], 4, f.reg[m]);
            continue;
        }
        for (uint32_t half = 0; half < 2; half++) {
            value[half] = ir_vreg(d->ir, VREG_32);
            load_row_part(d, &f, at[m][half], 2, value[half]);
        }
        pack(d, value, 2, f.reg[m]);
    }
    return true;
}
