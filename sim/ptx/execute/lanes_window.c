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
CLONED_PART bool add_start(const struct inst *inst, const struct memory_window *v, uint64_t *start)
{
    *start = (uint64_t)inst->op.imm - v->low;
    return !(inst->op.mods & OP_BASE32) || !v->low;
}

CLONED_PART bool find_offsets(const struct inst *inst, const struct lane_ctx *ctx, uint32_t mask,
                              const struct memory_window *v, struct lane_offsets *o)
{
    uint32_t size = (uint32_t)inst->width * inst->vec;
    uint64_t start;
    if (inst->flags & INST_FRAME || v->bytes < size || v->low & (size - 1) ||
        !add_start(inst, v, &start))
        return false;
    uint64_t last = v->bytes - size;
    if (inst->op.base == NO_ROW) {
        EACH_LANE o->of[i] = (uint32_t)start;
        o->same = true;
        return start <= last && start <= UINT32_MAX && !(start & (size - 1));
    }
    const uint32_t *base = row_at(ctx, inst->op.base);
    uint32_t first = (uint32_t)__builtin_ctz(mask), high = 0;
    if (inst->op.mods & OP_BASE32) {
        uint32_t at = base[first];
        EACH_LANE o->of[i] = (mask & lane_bit[i] ? base[i] : at) + (uint32_t)start;
    } else {
        uint64_t at = wide_at(base, first);
        EACH_LANE
        {
            uint64_t offset = (mask & lane_bit[i] ? wide_at(base, i) : at) + start;
            o->of[i] = (uint32_t)offset;
            high |= (uint32_t)(offset >> 32);
        }
    }
    uint32_t any = 0, most = 0, differ = 0, zero = o->of[0];
    EACH_LANE
    {
        uint32_t offset = o->of[i];
        any |= offset;
        most = offset > most ? offset : most;
        differ |= offset ^ zero;
    }
    o->same = !differ;
    return !high && most <= last && !(any & (size - 1));
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

#define QUAD  4
#define QUADS (WARP_SIZE / QUAD)

/* Each four lanes of an address register point to neighbours of `size` bytes, as they do for the
 * rows of a tile (lanes_fragment.c). */
CLONED_PART bool in_quads(const struct inst *inst, const uint32_t *low, uint32_t size)
{
    static const half_row within = {~0u, ~0u, ~0u, 0, ~0u, ~0u, ~0u, 0,
                                    ~0u, ~0u, ~0u, 0, ~0u, ~0u, ~0u, 0};
    static const half_row after = {0, ~0u, ~0u, ~0u, 0, ~0u, ~0u, ~0u,
                                   0, ~0u, ~0u, ~0u, 0, ~0u, ~0u, ~0u};
    const uint32_t *high = low + WARP_SIZE;
    if (low[1] - low[0] != size)
        return false;
    const half_row first = *(const half_row *)(low + 1) - *(const half_row *)low;
    const half_row second = *(const half_row *)(low + HALF) - *(const half_row *)(low + HALF - 1);
    half_row differ = ((first ^ size) & within) | ((second ^ size) & after);
    if (!(inst->op.mods & OP_BASE32))
        differ |=
            (*(const half_row *)high ^ high[0]) | (*(const half_row *)(high + HALF) ^ high[0]);
    return !any_bit(differ);
}

/* Doubles have their low and high words in rows of their own. */
CLONED_PART void load_quad(uint32_t *d, const uint8_t *at, uint32_t size)
{
    uint32_t words[2 * QUAD];
    if (size == 4) {
        memcpy(d, at, 4 * QUAD);
        return;
    }
    memcpy(words, at, sizeof words);
    for (uint32_t i = 0; i < QUAD; i++) {
        d[i] = words[2 * i];
        d[i + WARP_SIZE] = words[2 * i + 1];
    }
}

/* A word or a double of each lane. */
LANE_FN static bool load_quads(const struct inst *inst, struct lane_ctx *ctx,
                               const struct memory_window *window)
{
    const uint32_t size = inst->width;
    const uint8_t *at[QUADS];
    if (inst->flags & INST_FRAME || inst->op.base == NO_ROW || inst->vec != 1 ||
        window->low & (size - 1))
        return false;
    const uint32_t *low = row_at(ctx, inst->op.base);
    if (!in_quads(inst, low, size))
        return false;
    const uint64_t high = inst->op.mods & OP_BASE32 ? 0 : (uint64_t)low[WARP_SIZE] << 32;
    for (uint32_t i = 0; i < QUADS; i++) {
        at[i] = place_half(inst, window, high | low[QUAD * i], size, QUAD * size);
        if (!at[i] || low[QUAD * i] > UINT32_MAX - (QUAD - 1) * size)
            return false;
    }
    for (uint32_t i = 0; i < QUADS; i++)
        load_quad(dst_row(inst, ctx, 0) + QUAD * i, at[i], size);
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
