/* Products of matrices in tiles of 8 x 8 of integers with 8, 4 and 1 bits; the lanes' words and
 * the operands are those of lanes_mma.c. Sums have 32 bits and wrap around, or with OP_SAT end at
 * the greatest and the least (PTX ISA, wmma.mma and mma). */
#include "sim/ptx/execute/vector.h"

#define SIDE  8
#define CELLS (SIDE * SIDE)
#define WORDS 4 /* of a line */
#define DEEP  32

/* Line by line, as the lanes follow each other. */
CLONED_PART void take_bytes(const uint32_t *row, bool is_signed, int32_t *tile)
{
    EACH_LANE
    {
        for (uint32_t n = 0; n < 4; n++) {
            uint32_t byte = row[i] >> 8 * n & 0xFF;
            tile[4 * i + n] = is_signed ? (int32_t)(int8_t)byte : (int32_t)byte;
        }
    }
}

CLONED_PART void take_nibbles(const uint32_t *row, bool is_signed, int32_t *tile)
{
    EACH_LANE
    {
        for (uint32_t n = 0; n < 8; n++) {
            int32_t nibble = (int32_t)(row[i] >> 4 * n & 0xF);
            tile[8 * i + n] = is_signed ? (nibble ^ 8) - 8 : nibble;
        }
    }
}

/* The exact sums of at most 32 products, which have 22 bits. */
CLONED_PART void multiply(const int32_t *a, const int32_t *b, uint32_t depth, int32_t sum[CELLS])
{
    int32_t turned[SIDE * DEEP];
    for (uint32_t k = 0; k < depth; k++)
        for (uint32_t j = 0; j < SIDE; j++)
            turned[k * SIDE + j] = b[j * depth + k];
    for (uint32_t row = 0; row < SIDE; row++) {
        int32_t of[SIDE] = {0};
        for (uint32_t k = 0; k < depth; k++)
            for (uint32_t j = 0; j < SIDE; j++)
                of[j] += a[row * depth + k] * turned[k * SIDE + j];
        for (uint32_t j = 0; j < SIDE; j++)
            sum[row * SIDE + j] = of[j];
    }
}

CLONED_PART uint32_t add(uint32_t c, int32_t sum, bool saturates)
{
    int64_t exact = (int64_t)(int32_t)c + sum;
    int64_t most = exact > INT32_MAX ? INT32_MAX : exact;
    return saturates ? (uint32_t)(most < INT32_MIN ? INT32_MIN : most) : c + (uint32_t)sum;
}

/* d may be where c was. */
CLONED_PART void add_sums(const struct inst *inst, struct lane_ctx *ctx, uint32_t mask,
                          const int32_t sum[CELLS])
{
    const uint32_t *even = src_row(inst, ctx, 2), *odd = src_row(inst, ctx, 3);
    uint32_t *d = dst_row(inst, ctx, 0), to[2][WARP_SIZE];
    bool saturates = inst->op.mods & OP_SAT;
    EACH_LANE
    {
        to[0][i] = add(even[i], sum[2 * i], saturates);
        to[1][i] = add(odd[i], sum[2 * i + 1], saturates);
    }
    EACH_LANE PUT_32(to[0][i]) d = dst_row(inst, ctx, 1);
    EACH_LANE PUT_32(to[1][i])
}

/* op.sub: enum tile_sign. */
#define PRODUCT(name, take, depth)                                                                 \
    LANE_FN void name(const struct inst *inst, struct lane_ctx *ctx, uint32_t mask)                \
    {                                                                                              \
        int32_t a[SIDE * DEEP], b[SIDE * DEEP], sum[CELLS];                                        \
        take(src_row(inst, ctx, 0), inst->op.sub &TILE_A_SIGNED, a);                               \
        take(src_row(inst, ctx, 1), inst->op.sub &TILE_B_SIGNED, b);                               \
        multiply(a, b, depth, sum);                                                                \
        add_sums(inst, ctx, mask, sum);                                                            \
    }
PRODUCT(lanes_mma_bytes, take_bytes, 16)
PRODUCT(lanes_mma_nibbles, take_nibbles, DEEP)

/* Bits: how many of the line's 128 are 1 in both (op.sub), or in one of them. */
LANE_FN void lanes_mma_bits(const struct inst *inst, struct lane_ctx *ctx, uint32_t mask)
{
    const uint32_t *a = src_row(inst, ctx, 0), *b = src_row(inst, ctx, 1);
    bool both = inst->op.sub;
    int32_t sum[CELLS];
    for (uint32_t cell = 0; cell < CELLS; cell++) {
        const uint32_t *row = &a[cell / SIDE * WORDS], *column = &b[cell % SIDE * WORDS];
        int32_t n = 0;
        for (uint32_t k = 0; k < WORDS; k++)
            n += __builtin_popcount(both ? row[k] & column[k] : row[k] ^ column[k]);
        sum[cell] = n;
    }
    add_sums(inst, ctx, mask, sum);
}

/* src[0] + src[1], within the 32 bits. */
LANE_FN void lanes_add_saturated(const struct inst *inst, struct lane_ctx *ctx, uint32_t mask)
{
    const uint32_t *a = src_row(inst, ctx, 0), *b = src_row(inst, ctx, 1);
    uint32_t *d = dst_row(inst, ctx, 0);
    EACH_LANE PUT_32(add(a[i], (int32_t)b[i], true))
}
