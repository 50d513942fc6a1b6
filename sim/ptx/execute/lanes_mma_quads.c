/* mma.m8n8k4 of halves (PTX ISA): four products of 8 x 4 by 4 x 8, one for each pair of quads. A
 * pair has the lanes 4q to 4q + 3 and, for rows or columns from 4 on, 16 + 4q to 16 + 4q + 3. */
#include "sim/ptx/execute/vector.h"

#define DEPTH 4

/* The lane that has line r of the pair of quads to which `lane` belongs. */
static inline uint32_t holder(uint32_t lane, uint32_t r)
{
    return (lane & 12) | (r & 3) | (r & 4) << 2;
}

/* src[0] and src[1]: four halves of a lane. dst[0], 64 bits: the four of its row of a, or of its
 * column of b, by their depth. With op.sub a lane has those of one depth, so that the four lanes of
 * a quad exchange them. */
LANE_FN void lanes_mma_gather(const struct inst *inst, struct lane_ctx *ctx, uint32_t mask)
{
    uint32_t *d = dst_row(inst, ctx, 0);
    const uint32_t *low = src_row(inst, ctx, 0), *high = src_row(inst, ctx, 1);
    uint64_t held[WARP_SIZE], line[WARP_SIZE];
    EACH_LANE held[i] = low[i] | (uint64_t)high[i] << 32;
    for (uint32_t i = 0; i < WARP_SIZE; i++) {
        line[i] = inst->op.sub ? 0 : held[i];
        for (uint32_t k = 0; inst->op.sub && k < DEPTH; k++)
            line[i] |= (held[(i & ~3u) + k] >> 16 * (i & 3) & 0xFFFF) << 16 * k;
    }
    EACH_LANE PUT_64(line[i])
}

/* A row of a by a column of b, which the two lanes hold. The products and their sum with c are
 * exact, but for the rounding of the whole. */
static double line_product(const struct inst *inst, const struct lane_ctx *ctx, uint32_t row,
                           uint32_t column)
{
    uint64_t a = wide_at(src_row(inst, ctx, 0), row), b = wide_at(src_row(inst, ctx, 1), column);
    double sum = 0;
    for (uint32_t k = 0; k < DEPTH; k++)
        sum += half_to_double(a >> 16 * k & 0xFFFF) * half_to_double(b >> 16 * k & 0xFFFF);
    return sum;
}

/* Where elements 2p and 2p + 1 of a lane's c and d are: halves by rows, floats in squares of two.
 */
struct cell {
    uint32_t row, column;
};
static struct cell cell_of(uint8_t type, uint32_t lane, uint32_t p)
{
    uint32_t lower = (lane & 16) >> 2;
    if (type == PTX_F16)
        return (struct cell){(lane & 3) + lower, 2 * p};
    return (struct cell){(lane & 1) + (2 * p & 2) + lower, (2 * p & 4) + (lane & 2)};
}

static double sum_at(const struct inst *inst, const struct lane_ctx *ctx, uint32_t lane,
                     struct cell at, uint32_t n)
{
    if (inst->op.type != PTX_F16)
        return (double)f32_of(src_row(inst, ctx, 2 + (int)n)[lane]);
    /* Of the two registers of halves that a pair of floats may want, the one with its columns. */
    int which = inst->op.type2 == PTX_F16 ? 2 : 2 + (int)(at.column >> 1 & 1);
    uint32_t pair = src_row(inst, ctx, which)[holder(lane, at.row)];
    return half_to_double(pair >> 16 * n & 0xFFFF);
}

/* src[0] and src[1]: lines of a and b, as lanes_mma_gather leaves them. dst: the elements 2p and
 * 2p + 1 of d, where p is op.sub; src[2] and src[3]: the same of c, but of halves in one register,
 * and for a d of floats the two registers of halves 2 (p & 2) and on. */
void lanes_mma_quads(const struct inst *inst, struct lane_ctx *ctx, uint32_t mask)
{
    double sum[WARP_SIZE][2];
    for (uint32_t lane = 0; lane < WARP_SIZE; lane++) {
        struct cell at = cell_of(inst->op.type2, lane, inst->op.sub);
        for (uint32_t n = 0; n < 2; n++)
            sum[lane][n] =
                line_product(inst, ctx, holder(lane, at.row), holder(lane, at.column + n)) +
                sum_at(inst, ctx, lane, at, n);
    }
    uint32_t *d = dst_row(inst, ctx, 0);
    if (inst->op.type2 == PTX_F16) {
        for (uint32_t i = 0; i < WARP_SIZE; i++)
            PUT_32(half_from_double(sum[i][0], ROUND_NEAREST) |
                   half_from_double(sum[i][1], ROUND_NEAREST) << 16)
        return;
    }
    EACH_LANE PUT_f32((float)sum[i][0]) d = dst_row(inst, ctx, 1);
    EACH_LANE PUT_f32((float)sum[i][1])
}
