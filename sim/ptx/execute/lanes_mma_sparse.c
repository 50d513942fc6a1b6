/* mma.sp: of each chunk of four units in a row of a, two are given, beside their places in the
 * chunk (PTX ISA, sparse matrix storage). A unit has 16 bits, or 8: a tf32 is two of the former,
 * a pair of nibbles one of the latter. */
#include "sim/ptx/execute/vector.h"

/* The places of the two units of each chunk in word w of a lane's row, four bits to a chunk. */
static uint32_t places_of(const struct inst *inst, const uint32_t *indices, uint32_t quad,
                          uint32_t w)
{
    const uint32_t sub = inst->op.sub, selector = sub / SPARSE_SELECTOR;
    const uint32_t lower = sub & SPARSE_LOWER ? 1 : 0, at = w % 4;
    const uint32_t group = sub & SPARSE_LONG ? w / 4 : 0;
    if (sub & SPARSE_BYTES)
        return indices[quad + 2 * (group + selector) + lower] >> 8 * at & 0xFF;
    const uint32_t lane = sub & SPARSE_LONG ? 2 * selector + group : selector;
    return indices[quad + lane] >> (16 * lower + 4 * at) & 0xF;
}

/* One half of the chunk of 16-bit units that `word` holds. */
static uint32_t half_chunk(uint32_t word, uint32_t places, uint32_t half)
{
    uint32_t made = 0;
    for (uint32_t n = 0; n < 2; n++) {
        const uint32_t place = places >> 2 * n & 3;
        if (place / 2 == half)
            made |= (word >> 16 * n & 0xFFFF) << place % 2 * 16;
    }
    return made;
}

/* The chunk of bytes that one half of `word` holds. */
static uint32_t byte_chunk(uint32_t word, uint32_t places, uint32_t half)
{
    uint32_t made = 0;
    for (uint32_t n = 0; n < 2; n++) {
        const uint32_t place = places >> (4 * half + 2 * n) & 3;
        made |= (word >> (16 * half + 8 * n) & 0xFF) << place * 8;
    }
    return made;
}

/* dst: word t of row g of a tile, as lanes_mma.c wants it. src[0]: the same of the packed tile,
 * of whose two words in a row one makes two words here; src[1]: places. */
LANE_FN void lanes_mma_sparse(const struct inst *inst, struct lane_ctx *ctx, uint32_t mask)
{
    const uint32_t *packed = src_row(inst, ctx, 0), *indices = src_row(inst, ctx, 1);
    uint32_t *d = dst_row(inst, ctx, 0), made[WARP_SIZE];
    for (uint32_t i = 0; i < WARP_SIZE; i++) {
        const uint32_t quad = i & ~3u, w = 2 * (inst->op.sub & SPARSE_DEPTH) + (i & 3) / 2;
        const uint32_t word = packed[quad + w % 4], places = places_of(inst, indices, quad, w);
        made[i] = inst->op.sub & SPARSE_BYTES ? byte_chunk(word, places, i & 1)
                                              : half_chunk(word, places, i & 1);
    }
    EACH_LANE PUT_32(made[i])
}
