#include "sim/ptx/execute/texture.h"

#include <math.h>
#include <stddef.h>
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

struct texture_memory texture_memory_of(const struct lane_ctx *ctx)
{
    struct texture_memory memory;
    memory.base = ctx->memory;
    memory.bounds[0] = ctx->memory_start;
    memory.bounds[1] = ctx->memory_bytes;
    memory.ctx = ctx;
    memory.object = 0;
    return memory;
}

bool texture_readable(struct texture_memory *memory, uint64_t address, uint64_t bytes)
{
    const struct lane_ctx *ctx = memory->ctx;
    const uint64_t *bounds = memory->bounds;
    if ((address < bounds[0] || address >= bounds[1]) &&
        !(ctx->readable && ctx->readable(ctx->readable_of, ctx->owner, address, memory->bounds)))
        return false;
    return bytes <= bounds[1] - address;
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

CLONED_PART void place(struct axis *axis, int n, int64_t i, int64_t size, uint8_t mode)
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

CLONED_PART int64_t whole(double x)
{
    x = floor(x);
    return x != x        ? 0
           : x > 0x1p40  ? (int64_t)1 << 40
           : x < -0x1p40 ? -((int64_t)1 << 40)
                         : (int64_t)x;
}

/* Wrapping and mirroring exist for normalised coordinates only; otherwise they clamp. */
CLONED_PART void along(struct axis *axis, const struct plan *p, int dimension, uint32_t size,
                       float x)
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
    return shape == TEXTURE_3D ? 3 : shape == TEXTURE_1D || shape == TEXTURE_LAYERED_1D ? 1 : 2;
}

/* The face that a direction from the middle of the cube meets, and where, from 0 to 1 (CUDA C++
 * Programming Guide, cubemap textures). */
static void project(const float direction[3], struct texture_fetch *f)
{
    float x = direction[0], y = direction[1], z = direction[2];
    float ax = fabsf(x), ay = fabsf(y), az = fabsf(z), m, s, t;
    if (ax >= ay && ax >= az) {
        f->layer = x < 0;
        m = ax, s = x < 0 ? z : -z, t = -y;
    } else if (ay >= az) {
        f->layer = 2 + (y < 0);
        m = ay, s = x, t = y < 0 ? -z : z;
    } else {
        f->layer = 4 + (z < 0);
        m = az, s = z < 0 ? -x : x, t = -y;
    }
    f->point[0] = m > 0 ? (s / m + 1) / 2 : 0.5f;
    f->point[1] = m > 0 ? (t / m + 1) / 2 : 0.5f;
}

const struct texture_descriptor *texture_find(struct texture_memory *memory, uint64_t object)
{
    if (!object || object % 8)
        return NULL;
    if (object == memory->object)
        return &memory->known;
    if (!texture_readable(memory, object, TEXTURE_BYTES))
        return NULL;
    memcpy(&memory->known, memory->base + object, sizeof memory->known);
    memory->object = is_bound(&memory->known) ? object : 0;
    return memory->object ? &memory->known : NULL;
}

CLONED_PART bool make_plan(struct plan *p, struct texture_memory *memory, uint64_t object,
                           const struct texture_fetch *fetch)
{
    struct texture_fetch on_face;
    const struct texture_fetch *f = fetch;
    memset(p, 0, sizeof *p);
    const struct texture_descriptor *d = texture_find(memory, object);
    if (!d)
        return false;
    p->d = *d;
    if (fetch->shape == TEXTURE_CUBE) {
        on_face = *fetch;
        project(fetch->point, &on_face);
        p->d.flags |= TEXTURE_NORMALIZED;
        p->d.address[0] = p->d.address[1] = TEXTURE_CLAMP; /* at the edges of a face */
        f = &on_face;
    }
    const uint32_t sizes[3] = {p->d.width, p->d.height, p->d.depth};
    int n = dimensions(f->shape);
    p->linear = f->gather || (!f->integer && texture_values(&p->d) && p->d.flags & TEXTURE_LINEAR);
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
    return p->d.base + z * p->d.slice + y * p->d.pitch + x * texture_texel_bytes(&p->d);
}

LANE_FN void texture_span(struct texture_memory *memory, uint64_t object,
                          const struct texture_fetch *fetch, uint64_t span[2])
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

/* --- surfaces
 * --------------------------------------------------------------------------------------- */

uint64_t surface_address(struct texture_memory *memory, uint64_t object,
                         const struct surface_access *access, bool *inside)
{
    const struct texture_descriptor *d = texture_find(memory, object);
    int64_t at[3] = {0, 0, 0};
    *inside = false;
    if (!d)
        return 0;
    uint32_t texel = texture_texel_bytes(d), bytes = access->bytes ? access->bytes : texel;
    const int64_t sizes[3] = {(int64_t)d->width * texel, d->height, d->depth};
    int n = dimensions(access->shape);
    bool layered = access->shape == TEXTURE_LAYERED_1D || access->shape == TEXTURE_LAYERED_2D;
    *inside = !layered || access->layer < d->layers;
    for (int i = 0; i < n; i++) {
        int64_t last = sizes[i] - (i ? 1 : (int64_t)bytes), x = access->at[i];
        if (i == 0 && access->bytes == SURFACE_ELEMENT)
            x *= texel;
        at[i] = x < 0 ? 0 : x > last ? last : x;
        *inside = *inside && at[i] == x;
    }
    if (!*inside && access->mode != SURFACE_CLAMP)
        return access->mode == SURFACE_ZERO ? object + offsetof(struct texture_descriptor, outside)
                                            : 0;
    uint64_t layer = layered && access->layer >= d->layers ? d->layers - 1 : access->layer;
    uint64_t slice = (uint64_t)at[2] + (layered ? layer : 0);
    return d->base + slice * d->slice + (uint64_t)at[1] * d->pitch + (uint64_t)at[0];
}

uint32_t surface_component(const struct texture_descriptor *d, uint32_t component)
{
    if (d->kind == TEXTURE_FLOAT)
        return d->bits == 32 ? component
                             : half_from_double((double)f32_of(component), ROUND_NEAREST);
    if (d->bits == 32)
        return component;
    int64_t value = d->kind == TEXTURE_SIGNED ? (int32_t)component : (int64_t)component;
    int64_t top = (1ll << (d->bits - (d->kind == TEXTURE_SIGNED))) - 1;
    int64_t bottom = d->kind == TEXTURE_SIGNED ? -top - 1 : 0;
    value = value > top ? top : value < bottom ? bottom : value;
    return (uint32_t)value & ((1u << d->bits) - 1);
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

uint32_t texture_component(const struct texture_descriptor *d, uint32_t bits)
{
    if (texture_values(d) && !(d->kind == TEXTURE_FLOAT && d->bits == 32))
        return bits_of_f32((float)channel_value(d, bits));
    if (d->kind == TEXTURE_SIGNED)
        return (uint32_t)((int32_t)(bits << (32 - d->bits)) >> (32 - d->bits));
    return bits;
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
    if (!texture_readable(memory, at, texture_texel_bytes(&p->d)))
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
        out[c] = canonical_f32((float)sum[c]);
}

/* Of a channel that the texture does not have. */
static uint32_t missing(uint32_t channel, enum texture_kind kind)
{
    return channel < 3 ? 0 : kind == TEXTURE_FLOAT ? bits_of_f32(1) : 1;
}

LANE_FN void texture_fetch(struct texture_memory *memory, uint64_t object,
                           const struct texture_fetch *fetch, enum texture_kind kind,
                           uint32_t out[4])
{
    static const int first[3] = {0, 0, 0};
    struct plan p;
    uint32_t bits[4];
    memset(out, 0, 4 * sizeof *out);
    if (!make_plan(&p, memory, object, fetch))
        return;
    out[3] = missing(3, kind);
    if (p.linear) {
        filter(memory, &p, dimensions(fetch->shape), out);
        return;
    }
    bool inside = read_texel(memory, &p, first, bits);
    for (uint32_t c = 0; c < p.d.channels; c++)
        out[c] = inside ? texture_component(&p.d, bits[c]) : 0;
}

LANE_FN void texture_gather(struct texture_memory *memory, uint64_t object,
                            const struct texture_fetch *fetch, uint32_t component,
                            enum texture_kind kind, uint32_t out[4])
{
    static const int corners[4][3] = {{0, 1, 0}, {1, 1, 0}, {1, 0, 0}, {0, 0, 0}};
    struct plan p;
    memset(out, 0, 4 * sizeof *out);
    if (!make_plan(&p, memory, object, fetch))
        return;
    for (int k = 0; k < 4; k++) {
        uint32_t bits[4];
        bool inside = read_texel(memory, &p, corners[k], bits);
        if (component >= p.d.channels)
            out[k] = missing(component, kind);
        else
            out[k] = inside ? texture_component(&p.d, bits[component]) : 0;
    }
}
