/* Where the parts of matrices that a lane holds (lanes_mma.c) are in memory, and parts of words. */
#include "sim/ptx/execute/vector.h"

/* The address of a lane's word, or of an element in it. src[0]: the matrix, 64 bits, or 32 with
 * OP_BASE32; src[1]: elements from line to line in memory; op.imm: offset in bytes; op.sub: enum
 * tile_flag, and the element's number from TILE_ELEMENT on; op.type: enum tile_size; op.round and
 * op.type2: the tile's number in its column and row of tiles. */
LANE_FN void lanes_tile_address(const struct inst *inst, struct lane_ctx *ctx, uint32_t mask)
{
    const uint32_t *base = src_row(inst, ctx, 0), *stride = src_row(inst, ctx, 1);
    uint32_t *d = dst_row(inst, ctx, 0);
    const bool narrow = inst->op.mods & OP_BASE32, b = inst->op.sub & TILE_B;
    const bool columns = inst->op.sub & TILE_COLUMNS;
    const uint32_t bits = inst->op.type % TILE_WORD, word = inst->op.type / TILE_WORD;
    const uint32_t element = inst->op.sub / TILE_ELEMENT;
    const uint32_t line = 8u * (b ? inst->op.type2 : inst->op.round);
    const uint32_t along = (4u * (b ? inst->op.round : inst->op.type2) << word) + element;
    EACH_LANE
    {
        uint32_t of_line = line + i / 4, of_word = along + (i % 4 << word);
        uint32_t major = b == columns ? of_line : of_word, minor = b == columns ? of_word : of_line;
        uint64_t at = (((uint64_t)major * stride[i] + minor) << bits) / 8;
        PUT_64((narrow ? base[i] : wide_at(base, i)) + (uint64_t)inst->op.imm + at)
    }
}

/* ldmatrix: the lane's word in its row of a matrix of 8 x 8 halves, of which a lane each has the
 * address; transposed, its half of a row. src[0]: the addresses, 64 bits, or 32 with OP_BASE32;
 * op.imm: offset in bytes; op.round: the matrix; op.sub: 0, or 1 + the half's number. */
void lanes_row_address(const struct inst *inst, struct lane_ctx *ctx, uint32_t mask)
{
    const uint32_t *base = src_row(inst, ctx, 0);
    uint32_t *d = dst_row(inst, ctx, 0), first = 8u * inst->op.round, half = inst->op.sub;
    const bool narrow = inst->op.mods & OP_BASE32;
    uint64_t address[WARP_SIZE]; /* other lanes' rows may be where the result goes */
    for (uint32_t i = 0; i < WARP_SIZE; i++) {
        uint32_t row = first + (half ? i % 4 * 2 + half - 1 : i / 4);
        address[i] = (narrow ? base[row] : wide_at(base, row)) + (uint64_t)inst->op.imm +
                     (half ? i / 4 * 2 : i % 4 * 4);
    }
    EACH_LANE PUT_64(address[i])
}

/* Two halves in one register, and the second one out of it. */
LANE_FN void lanes_pack_halves(const struct inst *inst, struct lane_ctx *ctx, uint32_t mask)
{
    const uint32_t *low = src_row(inst, ctx, 0), *high = src_row(inst, ctx, 1);
    uint32_t *d = dst_row(inst, ctx, 0);
    EACH_LANE PUT_32((low[i] & 0xFFFF) | high[i] << 16)
}

LANE_FN void lanes_high_half(const struct inst *inst, struct lane_ctx *ctx, uint32_t mask)
{
    const uint32_t *from = src_row(inst, ctx, 0);
    uint32_t *d = dst_row(inst, ctx, 0);
    EACH_LANE PUT_32(from[i] >> 16)
}

/* Four bytes in one register. */
LANE_FN void lanes_pack_bytes(const struct inst *inst, struct lane_ctx *ctx, uint32_t mask)
{
    const uint32_t *byte[4];
    for (int n = 0; n < 4; n++)
        byte[n] = src_row(inst, ctx, n);
    uint32_t *d = dst_row(inst, ctx, 0);
    EACH_LANE PUT_32((byte[0][i] & 0xFF) | (byte[1][i] & 0xFF) << 8 | (byte[2][i] & 0xFF) << 16 |
                     byte[3][i] << 24)
}
