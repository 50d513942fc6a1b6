/* Products of matrices in tiles of 8 x 8 (PTX ISA, warp-level matrix instructions): each lane holds
 * a pair of neighbours of each tile. Lane l has, with g = l / 4 and t = l % 4, of a: row g, columns
 * 2t and 2t + 1;  of b: rows 2t and 2t + 1, column g; of c and d: row g, columns 2t and 2t + 1.
 * Pairs of halves share a register; floats of c and d have one each. */
#include <string.h>

#include "sim/ptx/execute/vector.h"

#define SIDE 8

static void take_halves(const uint32_t *row, double tile[SIDE][SIDE])
{
    for (uint32_t i = 0; i < WARP_SIZE; i++) {
        tile[i / 4][i % 4 * 2] = half_to_double(row[i] & 0xFFFF);
        tile[i / 4][i % 4 * 2 + 1] = half_to_double(row[i] >> 16);
    }
}

/* d = a b + c. src[0]: a, src[1]: b, src[2] and src[3]: c; op.type and op.type2: types of c and d.
 * The products are exact, and their sum with c is rounded once. */
void lanes_mma(const struct inst *inst, struct lane_ctx *ctx, uint32_t mask)
{
    double a[SIDE][SIDE], b[SIDE][SIDE], c[SIDE][SIDE]; /* b by columns */
    bool c_half = inst->op.type == PTX_F16, d_half = inst->op.type2 == PTX_F16;
    take_halves(src_row(inst, ctx, 0), a);
    take_halves(src_row(inst, ctx, 1), b);
    if (c_half)
        take_halves(src_row(inst, ctx, 2), c);
    for (uint32_t i = 0; i < WARP_SIZE && !c_half; i++) {
        c[i / 4][i % 4 * 2] = (double)f32_of(src_row(inst, ctx, 2)[i]);
        c[i / 4][i % 4 * 2 + 1] = (double)f32_of(src_row(inst, ctx, 3)[i]);
    }
    for (uint32_t i = 0; i < WARP_SIZE; i++) {
        double sum[2];
        if (!(mask >> i & 1))
            continue;
        for (uint32_t n = 0; n < 2; n++) {
            uint32_t row = i / 4, column = i % 4 * 2 + n;
            sum[n] = 0;
            for (uint32_t k = 0; k < SIDE; k++)
                sum[n] += a[row][k] * b[column][k];
            sum[n] += c[row][column];
        }
        if (d_half) {
            dst_row(inst, ctx, 0)[i] = half_from_double(sum[0], ROUND_NEAREST) |
                                       half_from_double(sum[1], ROUND_NEAREST) << 16;
            continue;
        }
        dst_row(inst, ctx, 0)[i] = bits_of_f32((float)sum[0]);
        dst_row(inst, ctx, 1)[i] = bits_of_f32((float)sum[1]);
    }
}

/* The address of a lane's pair, or of its second element. src[0]: the matrix, 64 bits, or 32 with
 * OP_BASE32; src[1]: elements from line to line; op.imm: offset in bytes; op.sub: enum tile_flag;
 * op.type: bytes of an element; op.round and op.type2: the tile's first row and column / 8. */
void lanes_tile_address(const struct inst *inst, struct lane_ctx *ctx, uint32_t mask)
{
    const uint32_t *base = src_row(inst, ctx, 0), *stride = src_row(inst, ctx, 1);
    uint32_t *d = dst_row(inst, ctx, 0);
    bool narrow = inst->op.mods & OP_BASE32;
    uint64_t address[WARP_SIZE];
    for (uint32_t i = 0; i < WARP_SIZE; i++) {
        uint64_t line = i / 4, along = i % 4 * 2 + (inst->op.sub & TILE_SECOND ? 1 : 0);
        uint64_t row = inst->op.sub & TILE_B ? along : line;
        uint64_t column = inst->op.sub & TILE_B ? line : along;
        row += 8ull * inst->op.round;
        column += 8ull * inst->op.type2;
        uint64_t element =
            inst->op.sub & TILE_COLUMNS ? column * stride[i] + row : row * stride[i] + column;
        address[i] = (narrow ? base[i] : wide_at(base, i)) + (uint64_t)inst->op.imm +
                     element * inst->op.type;
    }
    for (uint32_t lanes = mask; lanes; lanes &= lanes - 1) {
        uint32_t i = (uint32_t)__builtin_ctz(lanes);
        d[i] = (uint32_t)address[i];
        d[i + WARP_SIZE] = (uint32_t)(address[i] >> 32);
    }
}

/* Two halves in one register, and the second one out of it. */
void lanes_pack_halves(const struct inst *inst, struct lane_ctx *ctx, uint32_t mask)
{
    const uint32_t *low = src_row(inst, ctx, 0), *high = src_row(inst, ctx, 1);
    uint32_t *d = dst_row(inst, ctx, 0);
    for (uint32_t lanes = mask; lanes; lanes &= lanes - 1) {
        uint32_t i = (uint32_t)__builtin_ctz(lanes);
        d[i] = (low[i] & 0xFFFF) | high[i] << 16;
    }
}

void lanes_high_half(const struct inst *inst, struct lane_ctx *ctx, uint32_t mask)
{
    const uint32_t *from = src_row(inst, ctx, 0);
    uint32_t *d = dst_row(inst, ctx, 0);
    for (uint32_t lanes = mask; lanes; lanes &= lanes - 1) {
        uint32_t i = (uint32_t)__builtin_ctz(lanes);
        d[i] = from[i] >> 16;
    }
}
