/* mma.m8n8k4 of halves: the lines of a and b are gathered, then each of four instructions of the
 * tensor unit makes two elements of d in each lane (lanes_mma_quads.c). */
#include "sim/ptx/lower/decode_mma.h"

#define STEPS 4 /* pairs of elements of c and d in a lane */

bool mma_is_quads(const struct decoder *d)
{
    bool shape = false, doubles = false;
    for (uint8_t i = 0; i < d->op->n_mods; i++) {
        shape |= d->op->mods[i] == M_m8n8k4;
        doubles |= d->op->mods[i] == M_f64;
    }
    return shape && !doubles;
}

static uint32_t emit_gather(struct decoder *d, const uint32_t halves[2], bool exchanged)
{
    struct vinst *v = decode_emit(d);
    v->inst.exec = lanes_mma_gather;
    v->inst.flags = INST_CONVERGENT;
    v->inst.op.sub = exchanged;
    v->src[0] = halves[0];
    v->src[1] = halves[1];
    return v->dst[0] = ir_vreg(d->ir, VREG_64);
}

struct quads {
    uint32_t a, b; /* gathered */
    uint8_t d_type, c_type;
    uint32_t c[MOST_TILES], d[MOST_TILES];
};

static void emit_quads(struct decoder *d, const struct quads *q, uint8_t p, const uint32_t to[2])
{
    bool narrow = q->c_type == PTX_F16, widens = narrow && q->d_type == PTX_F32;
    uint32_t first = widens ? p & 2 : narrow ? p : 2 * p;
    struct vinst *v = decode_emit(d);
    v->inst.exec = lanes_mma_quads;
    v->inst.unit = UNIT_TENSOR;
    v->inst.timing = TIMING_MMA;
    v->inst.flags = INST_CONVERGENT;
    v->inst.op.type = q->c_type;
    v->inst.op.type2 = q->d_type;
    v->inst.op.sub = p;
    v->src[0] = q->a;
    v->src[1] = q->b;
    v->src[2] = q->c[first];
    v->src[3] = narrow && !widens ? NONE : q->c[first + 1];
    v->dst[0] = to[0];
    v->dst[1] = q->d_type == PTX_F16 ? NONE : to[1];
}

/* Registers of a pair of elements. */
static uint32_t each_of(uint8_t type)
{
    return type == PTX_F16 ? 1 : 2;
}

/* A later step reads of c what an earlier one writes. */
static bool clashes(const struct quads *q)
{
    uint32_t c_each = each_of(q->c_type), d_each = each_of(q->d_type);
    for (uint32_t i = 0; i < STEPS * d_each; i++)
        for (uint32_t j = 0; j < STEPS * c_each; j++)
            if (q->d[i] == q->c[j] && (c_each != d_each || i / d_each != j / c_each))
                return true;
    return false;
}

static void emit_all(struct decoder *d, const struct quads *q)
{
    uint32_t each = each_of(q->d_type), made[MOST_TILES];
    bool apart = clashes(q);
    for (uint32_t i = 0; i < STEPS * each; i++)
        made[i] = apart ? ir_vreg(d->ir, VREG_32) : q->d[i];
    for (uint8_t p = 0; p < STEPS; p++)
        emit_quads(d, q, p, &made[p * each]);
    for (uint32_t i = 0; apart && i < STEPS * each; i++)
        mma_copy(d, made[i], q->d[i]);
}

static bool sums(struct decoder *d, unsigned n, uint8_t type, bool dst, uint32_t ref[MOST_TILES])
{
    return type == PTX_F16 ? mma_registers(d, n, PTX_B32, dst, STEPS, ref)
                           : mma_registers(d, n, PTX_F32, dst, 2 * STEPS, ref);
}

bool decode_mma_quads(struct decoder *d)
{
    enum modifier layout[2], t[4];
    uint32_t a[MOST_TILES], b[MOST_TILES];
    (void)decode_has(d, M_m8n8k4);
    mma_layouts(d, layout);
    if (!mma_whole(d))
        return false;
    if (layout[1] == MODIFIER_COUNT)
        return decode_error(d, "the layouts of a and b are needed: .row or .col");
    if (mma_types(d, t) != 4 || t[1] != M_f16 || t[2] != M_f16)
        return decode_error(d, "this shape has the types f64 and, of a and b, f16");
    bool fits = (t[0] == M_f32 || t[0] == M_f16) && (t[3] == M_f16 || t[3] == t[0]);
    if (!fits)
        return decode_error(d, "c and d are f16 or f32, and d is not f16 where c is f32");
    struct quads q = {.d_type = (uint8_t)t[0], .c_type = (uint8_t)t[3]};
    if (!decode_count(d, 4, 4) || !sums(d, 0, q.d_type, true, q.d) ||
        !mma_registers(d, 1, PTX_B32, false, 2, a) || !mma_registers(d, 2, PTX_B32, false, 2, b) ||
        !sums(d, 3, q.c_type, false, q.c))
        return false;
    q.a = emit_gather(d, a, layout[0] == M_col);
    q.b = emit_gather(d, b, layout[1] == M_row);
    emit_all(d, &q);
    return true;
}
