/* Loads and stores of a whole warp in one window of memory: addresses, checks and access in a few
 * vector operations, with a shorter way for addresses in a pattern. */
#include "sim/ptx/execute/usual_access.h"
#include "sim/ptx/parse/ast.h"

/* Offsets of the lanes in the window; those of lanes without access are the first one's. */
struct lane_offsets {
    uint32_t of[WARP_SIZE];
    bool same; /* all lanes at one place */
};

/* Offsets fit into 32 bits, or the access is left to the general way. */
CLONED_PART bool add_start(bool narrow, int64_t imm, const struct memory_window *v, uint64_t *start)
{
    *start = (uint64_t)imm - v->low;
    return !narrow || !v->low;
}

/* Those of the lanes of `mask` at `base`, 64 bits or 32 (`narrow`), and `start`. False: some have
 * more than 32 bits. */
CLONED_PART bool offsets_at(const uint32_t *base, bool narrow, uint64_t start, uint32_t mask,
                            struct lane_offsets *o)
{
    uint32_t first = (uint32_t)__builtin_ctz(mask), high = 0;
    if (narrow) {
        uint32_t at = base[first];
        EACH_LANE o->of[i] = (mask & lane_bit[i] ? base[i] : at) + (uint32_t)start;
        return true;
    }
    uint64_t at = wide_at(base, first);
    EACH_LANE
    {
        uint64_t offset = (mask & lane_bit[i] ? wide_at(base, i) : at) + start;
        o->of[i] = (uint32_t)offset;
        high |= (uint32_t)(offset >> 32);
    }
    return !high;
}

/* All are in the window and multiples of `size`. */
CLONED_PART bool offsets_inside(struct lane_offsets *o, const struct memory_window *v,
                                uint32_t size)
{
    uint32_t any = 0, most = 0, differ = 0, zero = o->of[0];
    EACH_LANE
    {
        uint32_t offset = o->of[i];
        any |= offset;
        most = offset > most ? offset : most;
        differ |= offset ^ zero;
    }
    o->same = !differ;
    return most <= v->bytes - size && !(any & (size - 1));
}

CLONED_PART bool find_offsets(const struct inst *inst, const struct lane_ctx *ctx, uint32_t mask,
                              const struct memory_window *v, struct lane_offsets *o)
{
    const uint32_t size = (uint32_t)inst->width * inst->vec;
    const bool narrow = inst->op.mods & OP_BASE32;
    uint64_t start;
    if (inst->flags & INST_FRAME || v->bytes < size || v->low & (size - 1) ||
        !add_start(narrow, inst->op.imm, v, &start))
        return false;
    if (inst->op.base == NO_ROW) {
        EACH_LANE o->of[i] = (uint32_t)start;
        o->same = true;
        return start <= v->bytes - size && start <= UINT32_MAX && !(start & (size - 1));
    }
    return offsets_at(row_at(ctx, inst->op.base), narrow, start, mask, o) &&
           offsets_inside(o, v, size);
}

/* Where the lanes of a pattern begin in the window; NULL: it does not hold all of them. */
static const uint8_t *place_pattern(const struct inst *inst, const struct memory_window *v,
                                    const struct lane_pattern *p)
{
    uint32_t size = (uint32_t)inst->width * inst->vec;
    uint64_t span = pattern_address(p, WARP_SIZE - 1) - p->first + size, offset = p->first - v->low;
    bool inside = span <= v->bytes && offset <= v->bytes - span;
    return inside && !((p->first | p->step | p->half) & (size - 1)) ? v->at + offset : NULL;
}

/* --- loads ------------------------------------------------------------------------------------ */

CLONED_PART void load_row(uint32_t *d, uint32_t mask, const struct lane_offsets *o,
                          const uint8_t *at)
{
    if (o->same) {
        uint32_t value;
        memcpy(&value, at + o->of[0], 4);
        EACH_LANE PUT_32(value) return;
    }
    if (mask == FULL_MASK) {
        for (uint32_t i = 0; i < WARP_SIZE; i++)
            memcpy(&d[i], at + o->of[i], 4);
        return;
    }
    for (uint32_t lanes = mask; lanes; lanes &= lanes - 1) {
        uint32_t i = (uint32_t)__builtin_ctz(lanes);
        memcpy(&d[i], at + o->of[i], 4);
    }
}

/* Elements that registers hold in another size than memory does. */
#define EXTEND(type)                                                                               \
    for (uint32_t lanes = mask; lanes; lanes &= lanes - 1) {                                       \
        uint32_t i = (uint32_t)__builtin_ctz(lanes);                                               \
        type element;                                                                              \
        memcpy(&element, at + o->of[i], sizeof element);                                           \
        uint64_t value = (uint64_t)(int64_t)element;                                               \
        d[i] = cut ? (uint16_t)value : (uint32_t)value;                                            \
        if (wide)                                                                                  \
            d[i + WARP_SIZE] = (uint32_t)(value >> 32);                                            \
    }

CLONED_PART void load_extended(const struct inst *inst, uint32_t *d, uint32_t mask,
                               const struct lane_offsets *o, const uint8_t *at)
{
    bool wide = inst->op.mods & OP_DST64, cut = inst->op.type2 <= 2;
    switch (inst->op.type) {
    case PTX_S8:
        EXTEND(int8_t)
        break;
    case PTX_S16:
        EXTEND(int16_t)
        break;
    case PTX_S32:
        EXTEND(int32_t)
        break;
    default:
        if (inst->width == 1)
            EXTEND(uint8_t)
        else if (inst->width == 2)
            EXTEND(uint16_t)
        else
            EXTEND(uint32_t)
    }
}

LANE_FN static bool load_lanes(const struct inst *inst, struct lane_ctx *ctx, uint32_t mask,
                               const struct memory_window *window)
{
    struct lane_offsets o;
    if (!find_offsets(inst, ctx, mask, window, &o))
        return false;
    bool wide = inst->op.mods & OP_DST64;
    const uint8_t *at = window->at;
    if (inst->width == 4 && !wide) {
        for (int e = 0; e < inst->vec; e++)
            load_row(dst_row(inst, ctx, e), mask, &o, at + 4 * e);
    } else if (inst->width == 8) {
        for (int e = 0; e < inst->vec; e++) {
            load_row(dst_row(inst, ctx, e), mask, &o, at + 8 * e);
            load_row(dst_row(inst, ctx, e) + WARP_SIZE, mask, &o, at + 8 * e + 4);
        }
    } else {
        for (int e = 0; e < inst->vec; e++)
            load_extended(inst, dst_row(inst, ctx, e), mask, &o, at + e * inst->width);
    }
    return true;
}

/* Within the functions that are called for each access. */
CLONED_PART bool load_usual_word(const struct inst *inst, struct lane_ctx *ctx,
                                 const struct memory_window *window)
{
    struct usual u;
    if (!find_usual(inst, ctx, window, 4, &u))
        return false;
    load_word(inst, ctx, &u);
    return true;
}

LANE_FN static bool load_usual_words(const struct inst *inst, struct lane_ctx *ctx,
                                     const struct memory_window *window)
{
    struct usual u;
    if (!find_usual(inst, ctx, window, (uint32_t)inst->width * inst->vec, &u))
        return false;
    load_words(inst, ctx, &u);
    return true;
}

#define QUAD      4
#define QUADS     (WARP_SIZE / QUAD)
#define NEXT_TILE 64 /* bytes: the host's next line, where the rows of a later tile mostly are */

typedef uint32_t quad_words __attribute__((vector_size(4 * QUAD)));

/* Each four lanes of an address register point to neighbours of `size` bytes, as they do for the
 * rows of a tile (lanes_fragment.c). Read as they were written: all lanes of a quad together. */
CLONED_PART bool in_quads(const struct inst *inst, const uint32_t *low, uint32_t size)
{
    const quad_words steps = (quad_words){0, 1, 2, 3} * size;
    quad_words words, differ = {0, 0, 0, 0};
    if (low[1] - low[0] != size)
        return false;
    for (uint32_t i = 0; i < WARP_SIZE; i += QUAD) {
        memcpy(&words, low + i, sizeof words);
        differ |= (words - low[i]) ^ steps;
    }
    for (uint32_t i = 0; i < WARP_SIZE && !(inst->op.mods & OP_BASE32); i += QUAD) {
        memcpy(&words, low + WARP_SIZE + i, sizeof words);
        differ |= words ^ low[WARP_SIZE];
    }
    uint64_t any[2];
    memcpy(any, &differ, sizeof any);
    return !(any[0] | any[1]);
}

/* Low and high words lie in rows of their own. */
CLONED_PART void load_quad_of_doubles(uint32_t *d, const uint8_t *at)
{
    quad_words x, y;
    memcpy(&x, at, sizeof x);
    memcpy(&y, at + sizeof x, sizeof y);
    const quad_words low = __builtin_shufflevector(x, y, 0, 2, 4, 6);
    const quad_words high = __builtin_shufflevector(x, y, 1, 3, 5, 7);
    memcpy(d, &low, sizeof low);
    memcpy(d + WARP_SIZE, &high, sizeof high);
}

/* Offsets of the quads in the window, and whether they are inside and aligned, without a branch for
 * each. The lower words of their addresses do not wrap around within a quad. */
CLONED_PART bool place_quads(const struct inst *inst, const uint32_t *low,
                             const struct memory_window *v, uint64_t of[QUADS])
{
    const uint32_t size = inst->width;
    const bool narrow = inst->op.mods & OP_BASE32;
    const uint64_t high = narrow ? 0 : (uint64_t)low[WARP_SIZE] << 32;
    const uint64_t bits = narrow ? UINT32_MAX : UINT64_MAX;
    uint64_t wrong = v->bytes < QUAD * size, any = 0;
    for (uint32_t i = 0; i < QUADS; i++) {
        const uint32_t word = low[QUAD * i];
        of[i] = (((high | word) + (uint64_t)inst->op.imm) & bits) - v->low;
        wrong |= of[i] > v->bytes - QUAD * size;
        wrong |= word > UINT32_MAX - (QUAD - 1) * size;
        any |= of[i];
    }
    return !wrong && !(any & (size - 1));
}

/* A word or a double of each lane. */
LANE_FN static bool load_quads(const struct inst *inst, struct lane_ctx *ctx,
                               const struct memory_window *window)
{
    const uint32_t size = inst->width;
    uint64_t of[QUADS];
    if (inst->flags & INST_FRAME || inst->op.base == NO_ROW || inst->vec != 1 ||
        window->low & (size - 1))
        return false;
    const uint32_t *low = row_at(ctx, inst->op.base);
    if (!in_quads(inst, low, size) || !place_quads(inst, low, window, of))
        return false;
    uint32_t *d = dst_row(inst, ctx, 0);
    for (uint32_t i = 0; i < QUADS && size == 4; i++)
        memcpy(d + QUAD * i, window->at + of[i], 4 * QUAD);
    for (uint32_t i = 0; i < QUADS && size == 8; i++)
        load_quad_of_doubles(d + QUAD * i, window->at + of[i]);
    return true;
}

exec_fn isa_tile_address(void)
{
    return lanes_tile_address;
}

/* All lanes have the same tile and the same elements from line to line. */
CLONED_PART bool is_one_tile(const uint32_t *base, const uint32_t *high, const uint32_t *stride)
{
    const uint32_t low_of = base[0], high_of = high[0], stride_of = stride[0];
    uint32_t differ = 0;
    EACH_LANE differ |= (base[i] ^ low_of) | (high[i] ^ high_of) | (stride[i] ^ stride_of);
    return !differ;
}

/* The lanes of a line of the tile are neighbours in memory, and a lane has one element of the load,
 * or several that fill it. */
CLONED_PART bool is_tile_by_lines(const struct inst *address, const struct inst *load)
{
    const uint32_t bits = address->op.type % TILE_WORD, word = address->op.type / TILE_WORD;
    const bool b = address->op.sub & TILE_B, columns = address->op.sub & TILE_COLUMNS;
    return load->class == INST_LOAD && load->op.base == address->op.dst[0] && load->vec == 1 &&
           load->guard == NO_GUARD && is_whole(load) && !(load->op.mods & OP_BASE32) &&
           !(load->flags & INST_FRAME) && b == columns && address->op.sub < TILE_ELEMENT &&
           bits >= 3 && 1u << (bits + word) == 8u * load->width;
}

uint64_t isa_tile_first(const struct inst *address, const struct lane_ctx *ctx)
{
    const uint32_t *base = src_row(address, ctx, 0), *stride = src_row(address, ctx, 1);
    const uint32_t bits = address->op.type % TILE_WORD, word = address->op.type / TILE_WORD;
    const bool b = address->op.sub & TILE_B;
    const uint32_t line = 8u * (b ? address->op.type2 : address->op.round);
    const uint32_t along = 4u * (b ? address->op.round : address->op.type2) << word;
    const uint64_t from = address->op.mods & OP_BASE32 ? base[0] : wide_at(base, 0);
    return from + (uint64_t)address->op.imm + (((uint64_t)line * stride[0] + along) << bits) / 8;
}

LANE_FN bool isa_load_tile(const struct inst *address, struct lane_ctx *ctx,
                           const struct memory_window *v)
{
    const struct inst *load = address + 1;
    const uint32_t size = load->width;
    const uint32_t *base = src_row(address, ctx, 0), *stride = src_row(address, ctx, 1);
    if (!is_tile_by_lines(address, load) ||
        !is_one_tile(base, address->op.mods & OP_BASE32 ? base : base + WARP_SIZE, stride))
        return false;
    const uint64_t step = ((uint64_t)stride[0] << address->op.type % TILE_WORD) / 8;
    const uint64_t at = isa_tile_first(address, ctx) + (uint64_t)load->op.imm - v->low;
    const uint64_t bytes = (QUADS - 1) * step + QUAD * size;
    if ((v->low | at | step) & (size - 1) || bytes > v->bytes || at > v->bytes - bytes)
        return false;
    uint32_t *d = dst_row(load, ctx, 0);
    for (uint32_t i = 0; i < QUADS; i++)
        __builtin_prefetch(v->at + at + i * step + NEXT_TILE);
    for (uint32_t i = 0; i < QUADS && size == 4; i++)
        memcpy(d + QUAD * i, v->at + at + i * step, 4 * QUAD);
    for (uint32_t i = 0; i < QUADS && size == 8; i++)
        load_quad_of_doubles(d + QUAD * i, v->at + at + i * step);
    return true;
}

/* What is no word of each lane in the usual places. */
static bool load_otherwise(const struct inst *inst, struct lane_ctx *ctx, uint32_t mask,
                           const struct memory_window *window)
{
    if (mask != FULL_MASK || !is_whole(inst))
        return load_lanes(inst, ctx, mask, window);
    if (inst->width * inst->vec != 4 && load_usual_words(inst, ctx, window))
        return true;
    if (load_quads(inst, ctx, window))
        return true;
    struct lane_pattern p;
    if (!isa_address_pattern(inst, ctx, &p))
        return load_lanes(inst, ctx, mask, window);
    const uint8_t *first = place_pattern(inst, window, &p);
    if (first)
        isa_load_pattern(inst, ctx, first, &p);
    return first != NULL;
}

LANE_FN bool isa_load_window(const struct inst *inst, struct lane_ctx *ctx, uint32_t mask,
                             const struct memory_window *window)
{
    if (mask == FULL_MASK && inst->width * inst->vec == 4 && is_whole(inst) &&
        load_usual_word(inst, ctx, window))
        return true;
    return load_otherwise(inst, ctx, mask, window);
}

/* --- stores ----------------------------------------------------------------------------------- */

/* Lanes at one address write in order, so that the highest wins. */
#define EACH_OF(mask, statement)                                                                   \
    if (mask == FULL_MASK)                                                                         \
        for (uint32_t i = 0; i < WARP_SIZE; i++)                                                   \
            statement;                                                                             \
    else                                                                                           \
        for (uint32_t lanes = mask; lanes; lanes &= lanes - 1) {                                   \
            uint32_t i = (uint32_t)__builtin_ctz(lanes);                                           \
            statement;                                                                             \
        }

CLONED_PART void store_row(uint8_t width, uint8_t *to, const uint32_t *row, uint32_t mask,
                           const struct lane_offsets *o)
{
    switch (width) {
    case 1:
        EACH_OF(mask, memcpy(to + o->of[i], &row[i], 1))
        break;
    case 2:
        EACH_OF(mask, memcpy(to + o->of[i], &row[i], 2))
        break;
    default:
        EACH_OF(mask, memcpy(to + o->of[i], &row[i], 4))
    }
}

LANE_FN static bool store_lanes(const struct inst *inst, const struct lane_ctx *ctx, uint32_t mask,
                                const struct memory_window *window)
{
    struct lane_offsets o;
    if (!find_offsets(inst, ctx, mask, window, &o))
        return false;
    for (int e = 0; e < inst->vec; e++) {
        const uint32_t *row = src_row(inst, ctx, e);
        uint8_t *to = window->at + e * inst->width;
        store_row(inst->width, to, row, mask, &o);
        if (inst->width == 8)
            store_row(4, to + 4, row + WARP_SIZE, mask, &o);
    }
    return true;
}

CLONED_PART bool store_usual_word(const struct inst *inst, const struct lane_ctx *ctx,
                                  const struct memory_window *window)
{
    struct usual u;
    if (!find_usual(inst, ctx, window, 4, &u) || !u.row)
        return false;
    store_word(inst, ctx, &u);
    return true;
}

LANE_FN static bool store_usual_words(const struct inst *inst, const struct lane_ctx *ctx,
                                      const struct memory_window *window)
{
    struct usual u;
    if (!find_usual(inst, ctx, window, (uint32_t)inst->width * inst->vec, &u) || !u.row)
        return false;
    store_words(inst, ctx, &u);
    return true;
}

static bool store_otherwise(const struct inst *inst, const struct lane_ctx *ctx, uint32_t mask,
                            const struct memory_window *window)
{
    bool words = mask == FULL_MASK && inst->width >= 4 && inst->width * inst->vec != 4;
    return (words && store_usual_words(inst, ctx, window)) || store_lanes(inst, ctx, mask, window);
}

LANE_FN bool isa_store_window(const struct inst *inst, const struct lane_ctx *ctx, uint32_t mask,
                              const struct memory_window *window)
{
    if (mask == FULL_MASK && inst->width == 4 && inst->vec == 1 &&
        store_usual_word(inst, ctx, window))
        return true;
    return store_otherwise(inst, ctx, mask, window);
}

/* --- copies to shared memory ---------------------------------------------------------------------
 */

/* No lane reads less than it writes. */
CLONED_PART bool reads_whole(const struct inst *inst, const struct lane_ctx *ctx, uint32_t size)
{
    uint32_t less = 0;
    if (inst->op.src[1] == NO_ROW)
        return true;
    const uint32_t *bytes = src_row(inst, ctx, 1);
    EACH_LANE less |= bytes[i] < size;
    return !less;
}

#define COPY_LANES(bytes)                                                                          \
    for (uint32_t i = 0; i < WARP_SIZE; i++)                                                       \
        memcpy(to->at + target.of[i], from->at + source.of[i], bytes);

LANE_FN bool isa_copy_window(const struct inst *inst, const struct lane_ctx *ctx,
                             const struct memory_window *from, const struct memory_window *to)
{
    const uint32_t size = (uint32_t)inst->width * inst->vec;
    const bool narrow = !(inst->op.mods & OP_SRC64);
    struct lane_offsets source, target;
    uint64_t start;
    if (inst->op.psrc != NO_PRED || !reads_whole(inst, ctx, size) ||
        !find_offsets(inst, ctx, FULL_MASK, from, &source) || to->bytes < size ||
        to->low & (size - 1) || !add_start(narrow, (int32_t)inst->target, to, &start) ||
        !offsets_at(src_row(inst, ctx, 0), narrow, start, FULL_MASK, &target) ||
        !offsets_inside(&target, to, size))
        return false;
    switch (size) {
    case 4:
        COPY_LANES(4)
        return true;
    case 8:
        COPY_LANES(8)
        return true;
    case 16:
        COPY_LANES(16)
        return true;
    default:
        return false;
    }
}
