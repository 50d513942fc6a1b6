/* tex: the addresses that a fetch reads, and its value (texture.h). Operands: src[0] the object, 64
 * bits; src[1..3] the coordinates, a layered shape with the layer first. op.sub: shape; op.type2:
 * not zero for whole coordinates; op.type: kind of the destination. */
#include "sim/ptx/execute/texture.h"
#include "sim/ptx/execute/vector.h"

static struct texture_fetch fetch_of(const struct inst *inst, const struct lane_ctx *ctx,
                                     uint32_t i)
{
    struct texture_fetch f = {.shape = inst->op.sub, .integer = inst->op.type2};
    int first = 1;
    if (f.shape == TEXTURE_LAYERED_1D || f.shape == TEXTURE_LAYERED_2D)
        f.layer = src_row(inst, ctx, first++)[i];
    for (int n = first; n < 4; n++) {
        if (inst->op.src[n] == NO_ROW)
            continue;
        uint32_t bits = src_row(inst, ctx, n)[i];
        f.at[n - first] = (int32_t)bits;
        f.point[n - first] = f32_of(bits);
    }
    return f;
}

/* --- all lanes at once: the nearest texels of one texture of one or two dimensions ------------ */

struct nearest {
    const struct texture_descriptor *d;
    uint64_t at[WARP_SIZE]; /* device addresses; of a lane outside, of the first texel there */
    uint32_t inside[WARP_SIZE];
};

/* A dimension of a texture, addressed by floats, or by integers. By the same steps as for one lane
 * (texture.c). */
struct axis {
    int32_t size;
    bool normalized, border, wrap;
};

CLONED_PART struct axis axis_of(const struct texture_descriptor *d, int dimension, bool integer)
{
    bool normalized = d->flags & TEXTURE_NORMALIZED && !integer;
    return (struct axis){
        .size = (int32_t)(dimension ? d->height : d->width),
        .normalized = normalized,
        .border = integer || d->address[dimension] == TEXTURE_BORDER,
        .wrap = normalized && d->address[dimension] == TEXTURE_WRAP,
    };
}

/* The coordinates of a row, in texels. */
CLONED_PART void coordinates(const uint32_t *row, const struct axis *a, double x[WARP_SIZE])
{
    EACH_LANE x[i] = (double)f32_of(row[i]);
    if (a->wrap)
        EACH_LANE x[i] -= floor(x[i]);
    if (a->normalized)
        EACH_LANE x[i] = (double)(float)(x[i] * a->size);
}

/* Texels from -`outside` to size + `outside` - 1: what is beyond may be next to it, since only its
 * side matters. */
CLONED_PART void texels_of(const double x[WARP_SIZE], const struct axis *a, int outside,
                           int32_t texel[WARP_SIZE])
{
    int low = -outside, high = a->size + outside - 1;
    EACH_LANE
    {
        double whole = floor(x[i]);
        whole = whole != whole ? 0 : whole;
        whole = whole < low ? low : whole;
        whole = whole > high ? high : whole;
        texel[i] = (int32_t)whole;
    }
}

/* Moves the texels into the texture; `inside`: those that are read. */
CLONED_PART void place(const struct axis *a, int32_t texel[WARP_SIZE], uint32_t inside[WARP_SIZE])
{
    int32_t last = a->size - 1, before = a->wrap ? last : 0, after = a->wrap ? 0 : last;
    EACH_LANE
    {
        int32_t t = texel[i], placed = t < 0 ? before : t > last ? after : t;
        uint32_t in = t >= 0 && t <= last;
        texel[i] = a->border && !in ? 0 : placed;
        inside[i] = in | !a->border;
    }
}

CLONED_PART void nearest_along(const uint32_t *row, const struct axis *a, bool integer,
                               int32_t texel[WARP_SIZE], uint32_t inside[WARP_SIZE])
{
    double x[WARP_SIZE];
    if (integer) {
        EACH_LANE texel[i] = (int32_t)row[i];
    } else {
        coordinates(row, a, x);
        texels_of(x, a, 1, texel);
    }
    place(a, texel, inside);
}

CLONED_PART bool same_object(const uint32_t *object, uint32_t mask, uint64_t *of)
{
    uint32_t first = (uint32_t)__builtin_ctz(mask), differ = 0;
    EACH_LANE
    {
        uint32_t other =
            (object[i] ^ object[first]) | (object[i + WARP_SIZE] ^ object[first + WARP_SIZE]);
        differ |= mask & lane_bit[i] ? other : 0;
    }
    *of = wide_at(object, first);
    return !differ;
}

/* Texels of it have places of 32 bits, and none is mirrored. */
static bool has_places(const struct texture_descriptor *d)
{
    return d->address[0] != TEXTURE_MIRROR && d->address[1] != TEXTURE_MIRROR &&
           d->width <= INT32_MAX / 2 && d->height <= INT32_MAX / 2;
}

/* False: lane by lane, then. */
CLONED_PART bool find_nearest(const struct inst *inst, const struct lane_ctx *ctx, uint32_t mask,
                              struct texture_memory *memory, struct nearest *n)
{
    uint64_t object;
    int32_t x[WARP_SIZE], y[WARP_SIZE] = {0};
    if (inst->op.sub > TEXTURE_2D || !same_object(src_row(inst, ctx, 0), mask, &object))
        return false;
    const struct texture_descriptor *d = n->d = texture_find(memory, object);
    bool integer = inst->op.type2;
    if (!d || !has_places(d) || (!integer && texture_values(d) && d->flags & TEXTURE_LINEAR))
        return false;
    struct axis axis = axis_of(d, 0, integer);
    nearest_along(src_row(inst, ctx, 1), &axis, integer, x, n->inside);
    if (inst->op.sub == TEXTURE_2D) {
        uint32_t inside[WARP_SIZE];
        axis = axis_of(d, 1, integer);
        nearest_along(src_row(inst, ctx, 2), &axis, integer, y, inside);
        EACH_LANE n->inside[i] &= inside[i];
    }
    uint64_t base = d->base, pitch = d->pitch, bytes = texture_texel_bytes(d);
    EACH_LANE n->at[i] = base + (uint32_t)y[i] * pitch + (uint32_t)x[i] * bytes;
    return true;
}

/* So many texels of each lane may be read. */
CLONED_PART bool readable(struct texture_memory *memory, uint32_t mask,
                          const struct texture_descriptor *d, const uint64_t (*at)[WARP_SIZE],
                          uint32_t texels)
{
    uint64_t low = UINT64_MAX, high = 0;
    for (uint32_t k = 0; k < texels; k++)
        for (uint32_t lanes = mask; lanes; lanes &= lanes - 1) {
            uint64_t one = at[k][__builtin_ctz(lanes)];
            low = one < low ? one : low;
            high = one > high ? one : high;
        }
    return texture_readable(memory, low, high - low + texture_texel_bytes(d));
}

CLONED_PART void fetch_channel(const struct texture_memory *memory, uint32_t mask,
                               const struct nearest *n, uint32_t channel, uint32_t *d)
{
    const uint32_t bytes = n->d->bits / 8u;
    const bool as_is = bytes == 4 && (n->d->kind == TEXTURE_FLOAT || !texture_values(n->d));
    const uint8_t *from = memory->base + channel * bytes;
    for (uint32_t lanes = mask; lanes; lanes &= lanes - 1) {
        uint32_t i = (uint32_t)__builtin_ctz(lanes), bits = 0;
        if (as_is)
            memcpy(&bits, from + n->at[i], 4);
        else
            memcpy(&bits, from + n->at[i], bytes);
        uint32_t value = as_is ? bits : texture_component(n->d, bits);
        d[i] = n->inside[i] ? value : 0;
    }
}

/* --- all lanes at once: the filtered texels of floats of 32 bits ------------------------------ */

#define CORNERS 4

struct filtered {
    const struct texture_descriptor *d;
    uint32_t corners;                /* 2 or 4: with x + 1 in bit 0, y + 1 in bit 1 of the number */
    uint64_t at[CORNERS][WARP_SIZE]; /* device addresses */
    uint32_t inside[CORNERS][WARP_SIZE];
    double weight[CORNERS][WARP_SIZE];
};

struct pair { /* two neighbours along a dimension */
    int32_t texel[2][WARP_SIZE];
    uint32_t inside[2][WARP_SIZE];
    double weight[2][WARP_SIZE];
};

CLONED_PART void pair_along(const uint32_t *row, const struct axis *a, struct pair *p)
{
    double x[WARP_SIZE];
    coordinates(row, a, x);
    EACH_LANE
    {
        x[i] -= 0.5;
        double weight = rint((x[i] - floor(x[i])) * 256) / 256;
        p->weight[0][i] = 1 - weight;
        p->weight[1][i] = weight;
    }
    texels_of(x, a, 2, p->texel[0]);
    EACH_LANE p->texel[1][i] = p->texel[0][i] + 1;
    for (int n = 0; n < 2; n++)
        place(a, p->texel[n], p->inside[n]);
}

/* False: lane by lane, then. */
CLONED_PART bool find_filtered(const struct inst *inst, const struct lane_ctx *ctx, uint32_t mask,
                               struct texture_memory *memory, struct filtered *f)
{
    uint64_t object;
    struct pair x, y;
    if (inst->op.sub > TEXTURE_2D || inst->op.type2 ||
        !same_object(src_row(inst, ctx, 0), mask, &object))
        return false;
    const struct texture_descriptor *d = f->d = texture_find(memory, object);
    if (!d || !has_places(d) || d->kind != TEXTURE_FLOAT || d->bits != 32)
        return false;
    bool flat = inst->op.sub == TEXTURE_1D;
    f->corners = flat ? 2 : 4;
    struct axis axis = axis_of(d, 0, false);
    pair_along(src_row(inst, ctx, 1), &axis, &x);
    if (!flat) {
        axis = axis_of(d, 1, false);
        pair_along(src_row(inst, ctx, 2), &axis, &y);
    }
    for (uint32_t k = 0; k < f->corners; k++) {
        uint32_t a = k & 1, b = k >> 1;
        EACH_LANE
        {
            uint64_t row = flat ? 0 : (uint64_t)(uint32_t)y.texel[b][i] * d->pitch;
            uint64_t column = (uint64_t)(uint32_t)x.texel[a][i] * texture_texel_bytes(d);
            f->at[k][i] = d->base + row + column;
            f->inside[k][i] = x.inside[a][i] & (flat ? 1 : y.inside[b][i]);
            f->weight[k][i] = flat ? x.weight[a][i] : x.weight[a][i] * y.weight[b][i];
        }
    }
    return true;
}

/* A corner without weight, or outside, adds nothing. */
CLONED_PART void filter_channel(const struct texture_memory *memory, uint32_t mask,
                                const struct filtered *f, uint32_t channel, uint32_t *d)
{
    double sum[WARP_SIZE] = {0};
    const uint8_t *from = memory->base + channel * 4;
    for (uint32_t k = 0; k < f->corners; k++)
        for (uint32_t lanes = mask; lanes; lanes &= lanes - 1) {
            uint32_t i = (uint32_t)__builtin_ctz(lanes);
            float value;
            memcpy(&value, from + f->at[k][i], sizeof value);
            if (f->inside[k][i] && f->weight[k][i] != 0)
                sum[i] += f->weight[k][i] * (double)value;
        }
    EACH_LANE PUT_f32((float)sum[i])
}

/* --- tex -------------------------------------------------------------------------------------- */

static void spans_one_by_one(const struct inst *inst, const struct lane_ctx *ctx, uint32_t mask,
                             bool gather, uint64_t span[2][WARP_SIZE])
{
    const uint32_t *object = src_row(inst, ctx, 0);
    struct texture_memory memory = texture_memory_of(ctx);
    for (uint32_t lanes = mask; lanes; lanes &= lanes - 1) {
        uint32_t i = (uint32_t)__builtin_ctz(lanes);
        struct texture_fetch f = fetch_of(inst, ctx, i);
        uint64_t of[2];
        f.gather = gather;
        texture_span(&memory, wide_at(object, i), &f, of);
        span[0][i] = of[0];
        span[1][i] = of[1];
    }
}

/* dst[0] and dst[1], 64 bits each. */
static void put_spans(const struct inst *inst, struct lane_ctx *ctx, uint32_t mask,
                      uint64_t span[2][WARP_SIZE])
{
    for (int n = 0; n < 2; n++) {
        uint32_t *d = dst_row(inst, ctx, n);
        for (uint32_t lanes = mask; lanes; lanes &= lanes - 1) {
            uint32_t i = (uint32_t)__builtin_ctz(lanes);
            d[i] = (uint32_t)span[n][i];
            d[i + WARP_SIZE] = (uint32_t)(span[n][i] >> 32);
        }
    }
}

LANE_FN void lanes_texture_address(const struct inst *inst, struct lane_ctx *ctx, uint32_t mask)
{
    struct texture_memory memory = texture_memory_of(ctx);
    uint64_t span[2][WARP_SIZE];
    struct nearest nearest;
    struct filtered filtered;
    if (find_nearest(inst, ctx, mask, &memory, &nearest)) {
        EACH_LANE span[0][i] = span[1][i] = nearest.at[i] & ~3ull;
    } else if (find_filtered(inst, ctx, mask, &memory, &filtered)) {
        EACH_LANE span[0][i] = filtered.at[0][i] & ~3ull;
        EACH_LANE span[1][i] = filtered.at[filtered.corners - 1][i] & ~3ull;
    } else {
        spans_one_by_one(inst, ctx, mask, false, span);
    }
    put_spans(inst, ctx, mask, span);
}

static enum texture_kind kind_of(const struct inst *inst)
{
    return inst->op.type == PTX_F32   ? TEXTURE_FLOAT
           : inst->op.type == PTX_S32 ? TEXTURE_SIGNED
                                      : TEXTURE_UNSIGNED;
}

static void fetch_one_by_one(const struct inst *inst, struct lane_ctx *ctx, uint32_t mask,
                             bool gather)
{
    const uint32_t *object = src_row(inst, ctx, 0);
    struct texture_memory memory = texture_memory_of(ctx);
    for (uint32_t lanes = mask; lanes; lanes &= lanes - 1) {
        uint32_t i = (uint32_t)__builtin_ctz(lanes), out[4];
        struct texture_fetch f = fetch_of(inst, ctx, i);
        f.gather = gather;
        if (gather)
            texture_gather(&memory, wide_at(object, i), &f, (uint32_t)inst->op.imm, kind_of(inst),
                           out);
        else
            texture_fetch(&memory, wide_at(object, i), &f, kind_of(inst), out);
        for (int n = 0; n < 4; n++)
            if (inst->op.dst[n] != NO_DST)
                dst_row(inst, ctx, n)[i] = out[n];
    }
}

LANE_FN void lanes_texture(const struct inst *inst, struct lane_ctx *ctx, uint32_t mask)
{
    struct texture_memory memory = texture_memory_of(ctx);
    struct nearest nearest;
    struct filtered filtered;
    enum texture_kind kind = kind_of(inst);
    bool near = find_nearest(inst, ctx, mask, &memory, &nearest);
    bool whole = near ? readable(&memory, mask, nearest.d, &nearest.at, 1)
                      : find_filtered(inst, ctx, mask, &memory, &filtered) &&
                            readable(&memory, mask, filtered.d, filtered.at, filtered.corners);
    if (!whole) {
        fetch_one_by_one(inst, ctx, mask, false);
        return;
    }
    const uint32_t one = kind == TEXTURE_FLOAT ? bits_of_f32(1) : 1;
    for (uint32_t n = 0; n < 4; n++) {
        if (inst->op.dst[n] == NO_DST)
            continue;
        uint32_t *d = dst_row(inst, ctx, (int)n);
        if (n >= memory.known.channels) {
            const uint32_t missing = n < 3 ? 0 : one;
            EACH_LANE PUT_32(missing)
        } else if (near) {
            fetch_channel(&memory, mask, &nearest, n, d);
        } else {
            filter_channel(&memory, mask, &filtered, n, d);
        }
    }
}

/* --- tld4: as tex, and op.imm the component --------------------------------------------------- */

void lanes_gather_address(const struct inst *inst, struct lane_ctx *ctx, uint32_t mask)
{
    uint64_t span[2][WARP_SIZE];
    spans_one_by_one(inst, ctx, mask, true, span);
    put_spans(inst, ctx, mask, span);
}

void lanes_gather(const struct inst *inst, struct lane_ctx *ctx, uint32_t mask)
{
    fetch_one_by_one(inst, ctx, mask, true);
}

/* --- surfaces: src[0] the object, src[1..3] the coordinates, a layered shape with the layer first.
 * op.sub: shape; op.type2: enum surface_mode; op.type: bytes of an access, or SURFACE_ELEMENT.
 * -------------------------- */

/* dst[0], 64 bits; pdst[0], unless there is none: the access takes place. */
void lanes_surface_address(const struct inst *inst, struct lane_ctx *ctx, uint32_t mask)
{
    const uint32_t *object = src_row(inst, ctx, 0);
    uint32_t *d = dst_row(inst, ctx, 0), lanes_in = 0;
    struct texture_memory memory = texture_memory_of(ctx);
    bool layered = inst->op.sub == TEXTURE_LAYERED_1D || inst->op.sub == TEXTURE_LAYERED_2D;
    for (uint32_t lanes = mask; lanes; lanes &= lanes - 1) {
        uint32_t i = (uint32_t)__builtin_ctz(lanes);
        struct surface_access a = {
            .shape = inst->op.sub, .mode = inst->op.type2, .bytes = inst->op.type};
        bool inside;
        if (layered)
            a.layer = src_row(inst, ctx, 1)[i];
        for (int n = 1 + layered; n < 4; n++) {
            if (inst->op.src[n] != NO_ROW)
                a.at[n - 1 - layered] = (int32_t)src_row(inst, ctx, n)[i];
        }
        uint64_t address = surface_address(&memory, wide_at(object, i), &a, &inside);
        d[i] = (uint32_t)address;
        d[i + WARP_SIZE] = (uint32_t)(address >> 32);
        lanes_in |= inside || a.mode != SURFACE_ZERO ? 1u << i : 0;
    }
    if (inst->op.pdst[0] != NO_PRED)
        set_pred(ctx, inst->op.pdst[0], mask, lanes_in);
}

/* dst[0..3]: the words of an element whose components are src[1..3] and base, as far as there are
 * any; src[0]: the object. */
void lanes_surface_element(const struct inst *inst, struct lane_ctx *ctx, uint32_t mask)
{
    const uint32_t rows[4] = {inst->op.src[1], inst->op.src[2], inst->op.src[3], inst->op.base};
    struct texture_memory memory = texture_memory_of(ctx);
    for (uint32_t lanes = mask; lanes; lanes &= lanes - 1) {
        uint32_t i = (uint32_t)__builtin_ctz(lanes), words[4] = {0};
        const struct texture_descriptor *d =
            texture_find(&memory, wide_at(src_row(inst, ctx, 0), i));
        for (uint32_t c = 0; d && c < d->channels && rows[c] != NO_ROW; c++)
            words[c * d->bits / 32] |= surface_component(d, row_at(ctx, rows[c])[i])
                                       << c * d->bits % 32;
        for (int n = 0; n < 4; n++)
            dst_row(inst, ctx, n)[i] = words[n];
    }
}

/* pdst[0]: the lanes of psrc whose elements have op.type bytes. Without a surface, as for an
 * element of 4 bytes, so that one access faults. */
void lanes_surface_fits(const struct inst *inst, struct lane_ctx *ctx, uint32_t mask)
{
    struct texture_memory memory = texture_memory_of(ctx);
    uint32_t fits = 0;
    for (uint32_t lanes = mask & pred_lanes(inst, ctx); lanes; lanes &= lanes - 1) {
        uint32_t i = (uint32_t)__builtin_ctz(lanes);
        const struct texture_descriptor *d =
            texture_find(&memory, wide_at(src_row(inst, ctx, 0), i));
        fits |= (d ? texture_texel_bytes(d) : 4) == inst->op.type ? lane_bit[i] : 0;
    }
    set_pred(ctx, inst->op.pdst[0], mask, fits);
}

void lanes_no_lane(const struct inst *inst, struct lane_ctx *ctx, uint32_t mask)
{
    set_pred(ctx, inst->op.pdst[0], mask, 0);
}
