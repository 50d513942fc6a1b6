/* Products of matrices in tiles of 8 x 8 (PTX ISA, warp-level matrix instructions), on the numbers
 * that have a floating point; lanes_mma_int.c has the integers. Lane l holds, with g = l / 4 and
 * t = l % 4, of a: word t of row g; of b: word t of column g; of c and d: row g, columns 2t and
 * 2t + 1, each in a register, but pairs of halves in one. A word has 32 bits of consecutive
 * elements, or a double.
 *
 * src[0]: a, src[1]: b, src[2] and src[3]: c; op.type and op.type2: types of c and d. */
#include <string.h>

#include "sim/ptx/execute/vector.h"

#define SIDE  8
#define CELLS (SIDE * SIDE)

/* The vectors are written out, since the compiler would rather add within a row, in order. */
typedef double line __attribute__((vector_size(SIDE * sizeof(double))));
typedef float float_line __attribute__((vector_size(SIDE * sizeof(float))));

/* A half as the bits of a float. Those of exponent 0 are what 2^-14 + x leaves without 2^-14.
 * Masks instead of choices, which the compiler would make branches. */
CLONED_PART uint32_t widen_half(uint32_t half)
{
    int32_t shifted = (int32_t)((half & 0x7FFF) << 13);
    uint32_t small = bits_of_f32(f32_of((uint32_t)shifted + (113u << 23)) - 0x1p-14f);
    uint32_t bits = (uint32_t)shifted + (112u << 23);
    uint32_t is_small = -(uint32_t)(shifted < 1 << 23);
    uint32_t is_special = -(uint32_t)(shifted >= 31 << 23); /* infinite, NaN */
    bits = (small & is_small) | (bits & ~is_small);
    return (bits + (is_special & 112u << 23)) | (half & 0x8000) << 16;
}

/* The pairs of the lanes follow each other: a tile by its lines. */
CLONED_PART void take_halves(const uint32_t *row, float tile[CELLS])
{
    uint16_t half[CELLS];
    uint32_t bits[CELLS];
    memcpy(half, row, sizeof half);
    for (uint32_t i = 0; i < CELLS; i++)
        bits[i] = widen_half(half[i]);
    memcpy(tile, bits, sizeof bits);
}

/* bfloat16: the upper half of a float. */
CLONED_PART void take_bf16(const uint32_t *row, float tile[CELLS])
{
    uint16_t half[CELLS];
    uint32_t bits[CELLS];
    memcpy(half, row, sizeof half);
    for (uint32_t i = 0; i < CELLS; i++)
        bits[i] = (uint32_t)half[i] << 16;
    memcpy(tile, bits, sizeof bits);
}

/* tf32: the lower 13 bits of a float do not count. */
CLONED_PART void take_tf32(const uint32_t *row, float tile[CELLS])
{
    uint32_t bits[WARP_SIZE];
    for (uint32_t i = 0; i < WARP_SIZE; i++)
        bits[i] = row[i] & 0xFFFFE000u;
    memcpy(tile, bits, sizeof bits);
}

/* The elements of a depth k of b, which is by columns: the sums of neighbours are neighbours. */
#define ACROSS(b, depth, k)                                                                        \
    {                                                                                              \
        b[k], b[(depth) + k], b[2 * (depth) + k], b[3 * (depth) + k], b[4 * (depth) + k],          \
            b[5 * (depth) + k], b[6 * (depth) + k], b[7 * (depth) + k]                             \
    }

/* c = a b + c. The products are exact, and their sum with c is rounded once more, by the caller. */
CLONED_PART void multiply(const float *a, const float *b, uint32_t depth, double c[CELLS])
{
    line across[SIDE];
    double wide[CELLS];
    for (uint32_t k = 0; k < depth; k++)
        across[k] = __builtin_convertvector(((float_line)ACROSS(b, depth, k)), line);
    for (uint32_t i = 0; i < SIDE * depth; i++)
        wide[i] = (double)a[i];
    for (uint32_t row = 0; row < SIDE; row++) {
        line sum = {0}, of;
        for (uint32_t k = 0; k < depth; k++)
            sum += wide[row * depth + k] * across[k];
        memcpy(&of, &c[row * SIDE], sizeof of);
        sum += of;
        memcpy(&c[row * SIDE], &sum, sizeof sum);
    }
}

CLONED_PART void take_sums(const struct inst *inst, const struct lane_ctx *ctx, double c[CELLS])
{
    if (inst->op.type == PTX_F16) {
        float half[CELLS];
        take_halves(src_row(inst, ctx, 2), half);
        for (uint32_t i = 0; i < CELLS; i++)
            c[i] = (double)half[i];
        return;
    }
    const uint32_t *even = src_row(inst, ctx, 2), *odd = src_row(inst, ctx, 3);
    EACH_LANE
    {
        c[2 * i] = (double)f32_of(even[i]);
        c[2 * i + 1] = (double)f32_of(odd[i]);
    }
}

CLONED_PART void put_sums(const struct inst *inst, struct lane_ctx *ctx, uint32_t mask,
                          const double sum[CELLS])
{
    uint32_t *d = dst_row(inst, ctx, 0);
    if (inst->op.type2 == PTX_F16) {
        for (uint32_t i = 0; i < WARP_SIZE; i++)
            PUT_32(half_from_double(sum[2 * i], ROUND_NEAREST) |
                   half_from_double(sum[2 * i + 1], ROUND_NEAREST) << 16)
        return;
    }
    EACH_LANE PUT_f32((float)sum[2 * i]) d = dst_row(inst, ctx, 1);
    EACH_LANE PUT_f32((float)sum[2 * i + 1])
}

#define PRODUCT(name, take, depth)                                                                 \
    LANE_FN void name(const struct inst *inst, struct lane_ctx *ctx, uint32_t mask)                \
    {                                                                                              \
        float a[CELLS], b[CELLS];                                                                  \
        double sum[CELLS];                                                                         \
        take(src_row(inst, ctx, 0), a);                                                            \
        take(src_row(inst, ctx, 1), b);                                                            \
        take_sums(inst, ctx, sum);                                                                 \
        multiply(a, b, depth, sum);                                                                \
        put_sums(inst, ctx, mask, sum);                                                            \
    }
PRODUCT(lanes_mma_f16, take_halves, 8)
PRODUCT(lanes_mma_bf16, take_bf16, 8)
PRODUCT(lanes_mma_tf32, take_tf32, 4)

/* Doubles: each product is added as by fma.rn.f64, the first one of the depth first. */
LANE_FN void lanes_mma_f64(const struct inst *inst, struct lane_ctx *ctx, uint32_t mask)
{
    enum { DEPTH = 4 };
    double a[SIDE * DEPTH], b[SIDE * DEPTH], sum[CELLS];
    line across[DEPTH];
    const uint32_t *row[4];
    for (int n = 0; n < 4; n++)
        row[n] = src_row(inst, ctx, n);
    EACH_LANE
    {
        a[i] = f64_of(wide_at(row[0], i));
        b[i] = f64_of(wide_at(row[1], i));
        sum[2 * i] = f64_of(wide_at(row[2], i));
        sum[2 * i + 1] = f64_of(wide_at(row[3], i));
    }
    for (uint32_t k = 0; k < DEPTH; k++)
        across[k] = (line)ACROSS(b, DEPTH, k);
    for (uint32_t n = 0; n < SIDE * DEPTH; n++) {
        double *to = &sum[n / DEPTH * SIDE];
        double of[SIDE];
        memcpy(of, &across[n % DEPTH], sizeof of);
        for (uint32_t j = 0; j < SIDE; j++)
            to[j] = fma(a[n], of[j], to[j]);
    }
    uint32_t *d = dst_row(inst, ctx, 0);
    EACH_LANE PUT_f64(sum[2 * i]) d = dst_row(inst, ctx, 1);
    EACH_LANE PUT_f64(sum[2 * i + 1])
}
