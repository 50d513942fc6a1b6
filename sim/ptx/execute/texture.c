#include "sim/ptx/execute/texture.h"

#include <math.h>
#include <string.h>

#include "sim/ptx/execute/vector.h"

struct axis { /* the texels that a fetch reads along one dimension */
    int64_t at[2];
    bool inside[2];
    double weight; /* of at[1] */
};

struct plan {
    struct texture_descriptor d;
    struct axis axis[3];
    bool linear;
    uint32_t layer;
};

static bool there(struct texture_memory *memory, uint64_t address, uint64_t bytes)
{
    const struct lane_ctx *ctx = memory->ctx;
    const uint64_t *bounds = memory->bounds;
    if ((address < bounds[0] || address >= bounds[1]) &&
        !(ctx->readable && ctx->readable(ctx->readable_of, ctx->owner, address, memory->bounds)))
        return false;
    return bytes <= bounds[1] - address;
}

static uint32_t texel_bytes(const struct texture_descriptor *d)
{
    return d->channels * d->bits / 8u;
}

static bool is_bound(const struct texture_descriptor *d)
{
    bool channels = d->channels == 1 || d->channels == 2 || d->channels == 4;
    bool bits = d->bits == 8 || d->bits == 16 || d->bits == 32;
    return d->base && channels && bits && d->width && d->height && d->depth && d->layers &&
           !(d->kind == TEXTURE_FLOAT && d->bits == 8);
}

/* --- coordinates ---------------------------------------------------------------------------------
 */

static void place(struct axis *axis, int n, int64_t i, int64_t size, uint8_t mode)
{
    axis->inside[n] = i >= 0 && i < size;
    switch (mode) {
    case TEXTURE_WRAP:
        axis->at[n] = ((i % size) + size) % size;
        axis->inside[n] = true;
        return;
    case TEXTURE_MIRROR:
        i = ((i % (2 * size)) + 2 * size) % (2 * size);
        axis->at[n] = i < size ? i : 2 * size - 1 - i;
        axis->inside[n] = true;
        return;
    case TEXTURE_BORDER:
        axis->at[n] = axis->inside[n] ? i : 0;
        return;
    default:
        axis->at[n] = i < 0 ? 0 : i >= size ? size - 1 : i;
        axis->inside[n] = true;
        return;
    }
}

static int64_t whole(double x)
{
    x = floor(x);
    return x != x        ? 0
           : x > 0x1p40  ? (int64_t)1 << 40
           : x < -0x1p40 ? -((int64_t)1 << 40)
                         : (int64_t)x;
}

/* Wrapping and mirroring exist for normalised coordinates only; otherwise they clamp. */
static void along(struct axis *axis, const struct plan *p, int dimension, uint32_t size, float x)
{
    uint8_t mode = p->d.address[dimension];
    double at = (double)x;
    if (p->d.flags & TEXTURE_NORMALIZED) {
        if (mode == TEXTURE_WRAP)
            at -= floor(at);
        at = (double)(float)(at * size);
    } else if (mode == TEXTURE_WRAP || mode == TEXTURE_MIRROR) {
        mode = TEXTURE_CLAMP;
    }
    if (!p->linear) {
        place(axis, 0, whole(at), size, mode);
        place(axis, 1, whole(at), size, mode);
        return;
    }
    double from = floor(at - 0.5);
    /* The weight has 8 bits of fraction, and 1 exists. */
    axis->weight = rint((at - 0.5 - from) * 256) / 256;
    place(axis, 0, whole(from), size, mode);
    place(axis, 1, whole(from) + 1, size, mode);
}

static int dimensions(uint8_t shape)
{
    return shape == TEXTURE_3D ? 3 : shape == TEXTURE_2D || shape == TEXTURE_LAYERED_2D ? 2 : 1;
}

static bool make_plan(struct plan *p, struct texture_memory *memory, uint64_t object,
                      const struct texture_fetch *f)
{
    memset(p, 0, sizeof *p);
    if (object % 8 || !there(memory, object, TEXTURE_BYTES))
        return false;
    memcpy(&p->d, memory->base + object, sizeof p->d);
    if (!object || !is_bound(&p->d))
        return false;
    const uint32_t sizes[3] = {p->d.width, p->d.height, p->d.depth};
    int n = dimensions(f->shape);
    bool values = p->d.kind == TEXTURE_FLOAT || p->d.flags & TEXTURE_NORMALIZED_FLOAT;
    p->linear = !f->integer && values && p->d.flags & TEXTURE_LINEAR;
    for (int i = 0; i < 3; i++) {
        if (i >= n) {
            p->axis[i].inside[0] = p->axis[i].inside[1] = true;
        } else if (f->integer) {
            place(&p->axis[i], 0, f->at[i], sizes[i], TEXTURE_BORDER);
            place(&p->axis[i], 1, f->at[i], sizes[i], TEXTURE_BORDER);
        } else {
            along(&p->axis[i], p, i, sizes[i], f->point[i]);
        }
    }
    p->layer = f->layer < p->d.layers ? f->layer : p->d.layers - 1;
    return true;
}

static uint64_t address_of(const struct plan *p, const int corner[3])
{
    uint64_t x = (uint64_t)p->axis[0].at[corner[0]], y = (uint64_t)p->axis[1].at[corner[1]];
    uint64_t z = (uint64_t)p->axis[2].at[corner[2]] + p->layer;
    return p->d.base + z * p->d.slice + y * p->d.pitch + x * texel_bytes(&p->d);
}

void texture_span(struct texture_memory *memory, uint64_t object, const struct texture_fetch *fetch,
                  uint64_t span[2])
{
    static const int first[3] = {0, 0, 0}, last[3] = {1, 1, 1};
    struct plan p;
    span[0] = span[1] = object < 4096 ? 0 : object;
    if (!make_plan(&p, memory, object, fetch)) {
        span[0] = span[1] = 0;
        return;
    }
    span[0] = address_of(&p, first) & ~3ull;
    span[1] = address_of(&p, last) & ~3ull;
}

/* --- texels
 * ---------------------------------------------------------------------------------------
 */

static double channel_value(const struct texture_descriptor *d, uint32_t bits)
{
    if (d->kind == TEXTURE_FLOAT)
        return d->bits == 16 ? half_to_double(bits) : (double)f32_of(bits);
    double top = (double)((1ull << (d->bits - (d->kind == TEXTURE_SIGNED))) - 1);
    if (d->kind == TEXTURE_UNSIGNED)
        return bits / top;
    double v = (double)((int32_t)(bits << (32 - d->bits)) >> (32 - d->bits)) / top;
    return v < -1 ? -1 : v;
}

/* The bits of one texel's channels; false where it lies outside. */
static bool read_texel(struct texture_memory *memory, const struct plan *p, const int corner[3],
                       uint32_t bits[4])
{
    uint64_t at = address_of(p, corner);
    memset(bits, 0, 4 * sizeof *bits);
    for (int i = 0; i < 3; i++)
        if (!p->axis[i].inside[corner[i]])
            return false;
    if (!there(memory, at, texel_bytes(&p->d)))
        return false;
    for (uint32_t c = 0; c < p->d.channels; c++)
        memcpy(&bits[c], memory->base + at + c * p->d.bits / 8u, p->d.bits / 8u);
    return true;
}

static void filter(struct texture_memory *memory, const struct plan *p, int n, uint32_t out[4])
{
    double sum[4] = {0, 0, 0, 0};
    for (int k = 0; k < 1 << n; k++) {
        int corner[3] = {k & 1, k >> 1 & 1, k >> 2 & 1};
        double weight = 1;
        uint32_t bits[4];
        for (int i = 0; i < n; i++)
            weight *= corner[i] ? p->axis[i].weight : 1 - p->axis[i].weight;
        if (weight == 0 || !read_texel(memory, p, corner, bits))
            continue;
        for (uint32_t c = 0; c < p->d.channels; c++)
            sum[c] += weight * channel_value(&p->d, bits[c]);
    }
    for (uint32_t c = 0; c < p->d.channels; c++)
        out[c] = bits_of_f32((float)sum[c]);
}

void texture_fetch(struct texture_memory *memory, uint64_t object,
                   const struct texture_fetch *fetch, enum texture_kind kind, uint32_t out[4])
{
    static const int first[3] = {0, 0, 0};
    struct plan p;
    uint32_t bits[4];
    memset(out, 0, 4 * sizeof *out);
    if (!make_plan(&p, memory, object, fetch))
        return;
    out[3] = kind == TEXTURE_FLOAT ? 0x3F800000u : 1; /* of the channels that are not there */
    if (p.linear) {
        filter(memory, &p, dimensions(fetch->shape), out);
        return;
    }
    bool inside = read_texel(memory, &p, first, bits);
    bool values = p.d.kind == TEXTURE_FLOAT || p.d.flags & TEXTURE_NORMALIZED_FLOAT;
    for (uint32_t c = 0; c < p.d.channels; c++) {
        if (!inside)
            out[c] = 0;
        else if (values && !(p.d.kind == TEXTURE_FLOAT && p.d.bits == 32))
            out[c] = bits_of_f32((float)channel_value(&p.d, bits[c]));
        else if (p.d.kind == TEXTURE_SIGNED)
            out[c] = (uint32_t)((int32_t)(bits[c] << (32 - p.d.bits)) >> (32 - p.d.bits));
        else
            out[c] = bits[c];
    }
}
