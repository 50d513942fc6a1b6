/* Lane functions for what is too rare or too irregular to vectorise. */
#include "sim/ptx/execute/vector.h"

static const scalar_fn table[SCALAR_COUNT] = {
#define X(name) scalar_##name,
    SCALAR_FUNCTIONS(X)
#undef X
};

static uint64_t value(const uint32_t *row, bool wide, uint32_t lane)
{
    return wide ? wide_at(row, lane) : row[lane];
}

void lanes_scalar(const struct inst *inst, struct lane_ctx *ctx, uint32_t mask)
{
    scalar_fn function = table[inst->op.sub];
    uint32_t mods = inst->op.mods, *d = dst_row(inst, ctx, 0);
    const uint32_t *rows[3] = {NULL, NULL, NULL};
    for (int n = 0; n < 3; n++)
        if (inst->op.src[n] != NO_ROW)
            rows[n] = src_row(inst, ctx, n);
    for (uint32_t lanes = mask; lanes; lanes &= lanes - 1) {
        uint32_t i = (uint32_t)__builtin_ctz(lanes);
        uint64_t a = value(rows[0], mods & OP_SRC64, i);
        uint64_t b = rows[1] ? value(rows[1], mods & OP_SRC64 << 1, i) : 0;
        uint64_t c = rows[2] ? value(rows[2], mods & OP_SRC64 << 2, i) : 0;
        uint64_t result = function(inst, a, b, c);
        d[i] = mods & OP_DST16 ? (uint16_t)result : (uint32_t)result;
        if (mods & OP_DST64)
            d[i + WARP_SIZE] = (uint32_t)(result >> 32);
    }
}
