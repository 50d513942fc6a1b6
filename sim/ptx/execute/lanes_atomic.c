/* atom, red and mbarrier: operands captured at issue, access performed later. */
#include "sim/ptx/execute/vector.h"
#include "sim/ptx/parse/ast.h"

static uint64_t operand(const struct inst *inst, const struct lane_ctx *ctx, int n, uint32_t i)
{
    const uint32_t *row = src_row(inst, ctx, n);
    bool barrier = inst->op.sub >= MBARRIER_INIT; /* counts of 32 bits */
    return inst->width == 8 && !barrier ? wide_at(row, i) : row[i];
}

void isa_atomic_capture(const struct inst *inst, const struct lane_ctx *ctx, uint32_t mask,
                        struct atomic_operands *operands)
{
    bool has_b = inst->op.src[0] != NO_ROW, has_c = inst->op.src[1] != NO_ROW;
    for (uint32_t lanes = mask; lanes; lanes &= lanes - 1) {
        uint32_t i = (uint32_t)__builtin_ctz(lanes);
        operands->b[i] = has_b ? operand(inst, ctx, 0, i) : 1; /* an arrival */
        operands->c[i] = has_c ? operand(inst, ctx, 1, i) : 0;
    }
}

static uint64_t add(uint8_t type, uint64_t old, uint64_t b)
{
    if (type == PTX_F16 || type == PTX_F16X2) {
        struct inst sum = {.op = {.type = type, .type2 = HALF_ADD}};
        return half_compute(&sum, (uint32_t)old, (uint32_t)b, 0);
    }
    if (type == PTX_F32)
        return canonical_f32(f32_of((uint32_t)old) + f32_of((uint32_t)b));
    if (type == PTX_F64)
        return canonical_f64(f64_of(old) + f64_of(b));
    return old + b;
}

static bool less(uint8_t type, uint64_t a, uint64_t b)
{
    if (type == PTX_S32)
        return (int32_t)a < (int32_t)b;
    if (type == PTX_S64)
        return (int64_t)a < (int64_t)b;
    return a < b;
}

/* --- mbarrier ------------------------------------------------------------------------------------
 * The word: the phase in its last bit, the bytes that it still waits for from bit 40 on (modulo
 * 2^21), the arrivals of each phase from bit 20 on, and those that this one still waits for. */

#define MBARRIER_COUNT 0xFFFFFu
#define MBARRIER_EACH  20
#define MBARRIER_BYTES 0x1FFFFFu
#define MBARRIER_OWED  40
#define MBARRIER_PHASE (1ull << 63)

static uint64_t mbarrier_updated(enum mbarrier_change kind, uint64_t old, uint64_t count,
                                 uint64_t bytes)
{
    uint64_t each = old >> MBARRIER_EACH & MBARRIER_COUNT, phase = old & MBARRIER_PHASE;
    uint64_t pending = (old - count) & MBARRIER_COUNT;
    uint64_t change = kind == MBARRIER_COMPLETE ? 0 - bytes : bytes;
    uint64_t owed = ((old >> MBARRIER_OWED) + change) & MBARRIER_BYTES;
    if (kind == MBARRIER_INVALIDATE)
        return 0;
    if (kind == MBARRIER_INIT)
        return (count & MBARRIER_COUNT) << MBARRIER_EACH | (count & MBARRIER_COUNT);
    if (kind == MBARRIER_DROP)
        each = (each - count) & MBARRIER_COUNT;
    if (!pending && !owed) {
        phase ^= MBARRIER_PHASE;
        pending = each;
    }
    return phase | owed << MBARRIER_OWED | each << MBARRIER_EACH | pending;
}

/* src[0]: the word; src[1]: the state before an arrival, or with op.sub the parity of a phase. */
void lanes_mbarrier_test(const struct inst *inst, struct lane_ctx *ctx, uint32_t mask)
{
    const uint32_t *word = src_row(inst, ctx, 0), *state = src_row(inst, ctx, 1);
    uint32_t over = 0;
    for (uint32_t i = 0; i < WARP_SIZE; i++) {
        uint64_t phase = inst->op.sub ? (uint64_t)state[i] << 63 : wide_at(state, i);
        over |= (wide_at(word, i) ^ phase) & MBARRIER_PHASE ? lane_bit[i] : 0;
    }
    set_pred(ctx, inst->op.pdst[0], mask, over);
}

void lanes_mbarrier_pending(const struct inst *inst, struct lane_ctx *ctx, uint32_t mask)
{
    const uint32_t *state = src_row(inst, ctx, 0);
    uint32_t *d = dst_row(inst, ctx, 0);
    EACH_LANE PUT_32(state[i] & MBARRIER_COUNT)
}

static uint64_t updated(const struct inst *inst, uint64_t old, uint64_t b, uint64_t c)
{
    if (inst->op.sub >= MBARRIER_INIT)
        return mbarrier_updated(inst->op.sub, old, b, c);
    uint8_t type = inst->op.type;
    switch (inst->op.sub + M_and) {
    case M_and:
        return old & b;
    case M_or:
        return old | b;
    case M_xor:
        return old ^ b;
    case M_add:
        return add(type, old, b);
    case M_inc:
        return old >= b ? 0 : old + 1;
    case M_dec:
        return old == 0 || old > b ? b : old - 1;
    case M_min:
        return less(type, old, b) ? old : b;
    case M_max:
        return less(type, old, b) ? b : old;
    case M_cas:
        return old == b ? c : old;
    default:
        return b; /* exch */
    }
}

void isa_atomic_perform(const struct inst *inst, struct lane_ctx *ctx, uint32_t mask,
                        const struct atomic_operands *operands, uint8_t *const at[WARP_SIZE])
{
    for (uint32_t lanes = mask; lanes; lanes &= lanes - 1) {
        uint32_t i = (uint32_t)__builtin_ctz(lanes);
        uint64_t old = 0;
        memcpy(&old, at[i], inst->width);
        uint64_t now = updated(inst, old, operands->b[i], operands->c[i]);
        memcpy(at[i], &now, inst->width);
        if (!(inst->flags & INST_HAS_DST))
            continue;
        uint32_t *d = dst_row(inst, ctx, 0);
        d[i] = (uint32_t)old;
        if (inst->op.mods & OP_DST64)
            d[i + WARP_SIZE] = (uint32_t)(old >> 32);
    }
}

bool isa_exchanges(const struct inst *inst)
{
    return inst->op.sub >= MBARRIER_INIT || inst->op.sub + M_and == M_exch ||
           inst->op.sub + M_and == M_cas;
}
