/* Loads and stores of a whole warp in one window of memory: addresses, checks and access in a few
 * vector operations, with a shorter way for addresses in a pattern. */
#include "sim/ptx/execute/vector.h"
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

/* --- the usual accesses: whole words, each half of the lanes at one place or in a row -----------
 */

#define HALF (WARP_SIZE / 2)

typedef uint32_t half_row __attribute__((vector_size(4 * HALF), aligned(4), may_alias));

struct usual {
    uint8_t *first, *second; /* of the first lane of each half */
    bool row;                /* lane after lane, else one place */
};

static const half_row in_a_row = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};

CLONED_PART bool any_bit(half_row v)
{
    uint64_t words[HALF / 2], any = 0;
    memcpy(words, &v, sizeof v);
    for (uint32_t i = 0; i < HALF / 2; i++)
        any |= words[i];
    return any;
}

/* Where a half begins that takes `bytes`; NULL: not in the window. */
CLONED_PART uint8_t *place_half(const struct inst *inst, const struct memory_window *v,
                                uint64_t base, uint32_t size, uint32_t bytes)
{
    uint64_t offset = base + (uint64_t)inst->op.imm;
    offset = (inst->op.mods & OP_BASE32 ? (uint32_t)offset : offset) - v->low;
    return v->bytes >= bytes && offset <= v->bytes - bytes && !(offset & (size - 1))
               ? v->at + offset
               : NULL;
}

/* An access of `size` bytes. False: it is another one, and has to be looked at again. */
CLONED_PART bool find_usual(const struct inst *inst, const struct lane_ctx *ctx,
                            const struct memory_window *v, uint32_t size, struct usual *u)
{
    if (inst->flags & INST_FRAME || v->low & (size - 1))
        return false;
    if (inst->op.base == NO_ROW) {
        u->row = false;
        u->first = u->second = place_half(inst, v, 0, size, size);
        return u->first;
    }
    const uint32_t *low = row_at(ctx, inst->op.base), *high = low + WARP_SIZE;
    const uint32_t step = low[1] - low[0], last = step * (HALF - 1);
    if (step & ~size)
        return false;
    const half_row steps = in_a_row * size & -(uint32_t)(step != 0), *rows = (const half_row *)low;
    half_row differ = (rows[0] ^ (steps + low[0])) | (rows[1] ^ (steps + low[HALF]));
    uint64_t base = 0;
    if (!(inst->op.mods & OP_BASE32)) {
        differ |= (rows[2] ^ high[0]) | (rows[3] ^ high[0]);
        base = (uint64_t)high[0] << 32;
        if (low[0] > UINT32_MAX - last || low[HALF] > UINT32_MAX - last)
            return false;
    }
    u->row = step;
    u->first = place_half(inst, v, base | low[0], size, last + size);
    u->second = place_half(inst, v, base | low[HALF], size, last + size);
    return u->first && u->second && !any_bit(differ);
}

/* --- of a word -------------------------------------------------------------------------------- */

/* A word of each lane of a half. */
CLONED_PART void fill_half(uint32_t *row, const uint8_t *at, bool in_row)
{
    uint32_t word;
    if (in_row) {
        *(half_row *)row = *(const half_row *)at;
        return;
    }
    memcpy(&word, at, sizeof word);
    /* No half_row of them: gcc takes that apart before it makes the clones. */
    for (uint32_t i = 0; i < HALF; i++)
        row[i] = word;
}

/* Within the functions that are called for each access. */
CLONED_PART bool load_word(const struct inst *inst, struct lane_ctx *ctx,
                           const struct memory_window *window)
{
    struct usual u;
    if (!find_usual(inst, ctx, window, 4, &u))
        return false;
    uint32_t *d = dst_row(inst, ctx, 0);
    fill_half(d, u.first, u.row);
    fill_half(d + HALF, u.second, u.row);
    return true;
}

CLONED_PART bool store_word(const struct inst *inst, const struct lane_ctx *ctx,
                            const struct memory_window *window)
{
    struct usual u;
    if (!find_usual(inst, ctx, window, 4, &u) || !u.row)
        return false;
    const half_row *row = (const half_row *)src_row(inst, ctx, 0);
    *(half_row *)u.first = row[0];
    *(half_row *)u.second = row[1];
    return true;
}

/* --- of two or four words --------------------------------------------------------------------- */

typedef uint32_t memory_word __attribute__((may_alias));

/* Of a half of the lanes, to the rows of registers. */
CLONED_PART void load_half(uint32_t *const row[4], uint32_t words, const memory_word *at)
{
    uint32_t *restrict a = row[0], *restrict b = row[1], *restrict c = row[2], *restrict d = row[3];
    if (words == 2) {
        for (uint32_t i = 0; i < HALF; i++) {
            a[i] = at[2 * i];
            b[i] = at[2 * i + 1];
        }
        return;
    }
    for (uint32_t i = 0; i < HALF; i++) {
        a[i] = at[4 * i];
        b[i] = at[4 * i + 1];
        c[i] = at[4 * i + 2];
        d[i] = at[4 * i + 3];
    }
}

LANE_FN static bool load_words(const struct inst *inst, struct lane_ctx *ctx,
                               const struct memory_window *window)
{
    struct usual u;
    const uint32_t each = inst->width / 4, words = each * inst->vec;
    if (!find_usual(inst, ctx, window, 4 * words, &u))
        return false;
    for (uint32_t half = 0; half < 2; half++) {
        uint32_t *row[4] = {NULL, NULL, NULL, NULL};
        const uint8_t *at = half ? u.second : u.first;
        for (uint32_t i = 0; i < words; i++)
            row[i] = dst_row(inst, ctx, (int)(i / each)) + i % each * WARP_SIZE + half * HALF;
        if (u.row)
            load_half(row, words, (const void *)at);
        for (uint32_t i = 0; i < words && !u.row; i++)
            fill_half(row[i], at + 4 * i, false);
    }
    return true;
}

CLONED_PART void store_half(const uint32_t *const row[4], uint32_t words, memory_word *restrict at)
{
    const uint32_t *a = row[0], *b = row[1], *c = row[2], *d = row[3];
    if (words == 2) {
        for (uint32_t i = 0; i < HALF; i++) {
            at[2 * i] = a[i];
            at[2 * i + 1] = b[i];
        }
        return;
    }
    for (uint32_t i = 0; i < HALF; i++) {
        at[4 * i] = a[i];
        at[4 * i + 1] = b[i];
        at[4 * i + 2] = c[i];
        at[4 * i + 3] = d[i];
    }
}

LANE_FN static bool store_words(const struct inst *inst, const struct lane_ctx *ctx,
                                const struct memory_window *window)
{
    struct usual u;
    const uint32_t each = inst->width / 4, words = each * inst->vec;
    if (!find_usual(inst, ctx, window, 4 * words, &u) || !u.row)
        return false;
    for (uint32_t half = 0; half < 2; half++) {
        const uint32_t *row[4] = {NULL, NULL, NULL, NULL};
        for (uint32_t i = 0; i < words; i++)
            row[i] = src_row(inst, ctx, (int)(i / each)) + i % each * WARP_SIZE + half * HALF;
        store_half(row, words, (void *)(half ? u.second : u.first));
    }
    return true;
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

/* Of registers that hold elements as memory does. */
CLONED_PART bool is_whole(const struct inst *inst)
{
    return inst->width == 8 || (inst->width == 4 && !(inst->op.mods & OP_DST64));
}

/* What is no word of each lane in the usual places. */
static bool load_otherwise(const struct inst *inst, struct lane_ctx *ctx, uint32_t mask,
                           const struct memory_window *window)
{
    if (mask != FULL_MASK || !is_whole(inst))
        return load_lanes(inst, ctx, mask, window);
    if (inst->width * inst->vec != 4 && load_words(inst, ctx, window))
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
        load_word(inst, ctx, window))
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

static bool store_otherwise(const struct inst *inst, const struct lane_ctx *ctx, uint32_t mask,
                            const struct memory_window *window)
{
    bool words = mask == FULL_MASK && inst->width >= 4 && inst->width * inst->vec != 4;
    return (words && store_words(inst, ctx, window)) || store_lanes(inst, ctx, mask, window);
}

LANE_FN bool isa_store_window(const struct inst *inst, const struct lane_ctx *ctx, uint32_t mask,
                              const struct memory_window *window)
{
    if (mask == FULL_MASK && inst->width == 4 && inst->vec == 1 && store_word(inst, ctx, window))
        return true;
    return store_otherwise(inst, ctx, mask, window);
}
