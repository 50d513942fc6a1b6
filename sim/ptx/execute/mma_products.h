/* Products of matrices in tiles of 8 x 8 (lanes_mma.c). mma_plain.c, mma_v3.c and mma_v4.c include
 * this text, each for one kind of processor. It uses vectors and not clones.h, because gcc splits
 * vectors longer than two doubles before it makes clones. All versions give the same results: a
 * product is exact, so adding it by fma changes nothing (mk/build.mk allows that). */
#include "sim/ptx/execute/mma.h"
#include "sim/ptx/execute/vector.h"

#ifdef __AVX__
#include <immintrin.h>
#endif

#define SIDE 8
#define QUAD (SIDE / 2)
#ifdef __AVX512F__
#define LINES 2 /* of floats in a register */
#else
#define LINES 1
#endif

/* Vectors, because gcc left alone adds within a row, element after element. A line of b, c or d has
 * the four even columns before the four odd ones: the order of c's and d's registers. Where
 * registers are shorter than a line of doubles, gcc still adds and multiplies lines well, but
 * shuffles them element by element; so only the versions with long registers shuffle them. */
typedef double line __attribute__((vector_size(SIDE * sizeof(double))));
typedef double double_quad __attribute__((vector_size(QUAD * sizeof(double))));
typedef float float_quad __attribute__((vector_size(QUAD * sizeof(float))));
typedef uint32_t word_quad __attribute__((vector_size(QUAD * sizeof(uint32_t))));
typedef int32_t int_quad __attribute__((vector_size(QUAD * sizeof(int32_t))));
typedef int64_t long_quad __attribute__((vector_size(QUAD * sizeof(int64_t))));
typedef uint16_t half_line __attribute__((vector_size(SIDE * sizeof(uint16_t))));
typedef uint16_t half_lines __attribute__((vector_size(LINES * SIDE * sizeof(uint16_t))));
typedef int32_t int_lines __attribute__((vector_size(LINES * SIDE * sizeof(int32_t))));
typedef float float_lines __attribute__((vector_size(LINES * SIDE * sizeof(float))));
static const uint8_t column_of[SIDE] = {0, 2, 4, 6, 1, 3, 5, 7};

/* --- tiles of a and b --------------------------------------------------------------------------
 */

#define FIRST  0, 1, 2, 3, 4, 5, 6, 7
#define SECOND 8, 9, 10, 11, 12, 13, 14, 15
#if LINES == 2
/* The floats of even and of odd columns. */
CLONED_PART void widen_quads(const float_quad *even, const float_quad *odd, line *to)
{
    *to = (line)_mm512_cvtps_pd(_mm256_set_m128((__m128)*odd, (__m128)*even));
}

CLONED_PART void join_halves(const half_line *from, half_lines *to)
{
    *to = __builtin_shufflevector(from[0], from[1], FIRST, SECOND);
}

CLONED_PART void widen_floats(const float_lines *f, line *to)
{
    to[0] = (line)_mm512_cvtps_pd(_mm512_castps512_ps256((__m512)*f));
    to[1] = (line)_mm512_cvtps_pd(_mm512_extractf32x8_ps((__m512)*f, 1));
}

CLONED_PART void narrow_line(const line *from, word_quad to[2])
{
    const __m256 f = _mm512_cvtpd_ps((__m512d)*from);
    const __m256 nan = (__m256)_mm256_set1_epi32((int32_t)NAN_F32);
    const __m256 x = _mm256_mask_mov_ps(f, _mm256_cmp_ps_mask(f, f, _CMP_UNORD_Q), nan);
    to[0] = (word_quad)_mm256_castps256_ps128(x);
    to[1] = (word_quad)_mm256_extractf128_ps(x, 1);
}
#else
/* gcc alone widens and narrows a vector of four by halves. */
#ifdef __AVX__
CLONED_PART void widen_quad(const float_quad *x, double *to)
{
    const __m256d wide = _mm256_cvtps_pd((__m128)*x);
    memcpy(to, &wide, sizeof wide);
}

CLONED_PART void narrow_quad(const double *from, float_quad *to)
{
    __m256d wide;
    memcpy(&wide, from, sizeof wide);
    *to = (float_quad)_mm256_cvtpd_ps(wide);
}
#else
CLONED_PART void widen_quad(const float_quad *x, double *to)
{
    const double_quad wide = __builtin_convertvector(*x, double_quad);
    memcpy(to, &wide, sizeof wide);
}

CLONED_PART void narrow_quad(const double *from, float_quad *to)
{
    double_quad wide;
    memcpy(&wide, from, sizeof wide);
    *to = __builtin_convertvector(wide, float_quad);
}
#endif

CLONED_PART void widen_quads(const float_quad *even, const float_quad *odd, line *to)
{
    widen_quad(even, (double *)to);
    widen_quad(odd, (double *)to + QUAD);
}

CLONED_PART void join_halves(const half_line *from, half_lines *to)
{
    *to = *from;
}

CLONED_PART void widen_floats(const float_lines *f, line *to)
{
    const float_quad low = __builtin_shufflevector(*f, *f, 0, 1, 2, 3);
    const float_quad high = __builtin_shufflevector(*f, *f, 4, 5, 6, 7);
    widen_quads(&low, &high, to);
}

CLONED_PART void narrow_line(const line *from, word_quad to[2])
{
    for (uint32_t n = 0; n < 2; n++) {
        float_quad f;
        narrow_quad((const double *)from + QUAD * n, &f);
        const word_quad is_nan = (word_quad)(f != f);
        to[n] = ((word_quad)f & ~is_nan) | (is_nan & NAN_F32);
    }
}
#endif

#if defined(__AVX512F__)
CLONED_PART void widen_f16(const half_lines *half, line *to)
{
    const float_lines f = (float_lines)_mm512_cvtph_ps((__m256i)*half);
    widen_floats(&f, to);
}
#elif defined(__F16C__)
CLONED_PART void widen_f16(const half_lines *half, line *to)
{
    const float_lines f = (float_lines)_mm256_cvtph_ps((__m128i)*half);
    widen_floats(&f, to);
}
#else
/* Halves as the bits of floats. Those of exponent 0 are what 2^-14 + x leaves without 2^-14. */
CLONED_PART void widen_f16(const half_lines *half, line *to)
{
    const int_lines h = __builtin_convertvector(*half, int_lines), shifted = (h & 0x7FFF) << 13;
    const int_lines small = (int_lines)((float_lines)(shifted + (113 << 23)) - 0x1p-14f);
    const int_lines is_small = shifted < 1 << 23;
    const int_lines is_special = shifted >= 31 << 23; /* infinite, NaN */
    const int_lines bits = (small & is_small) | ((shifted + (112 << 23)) & ~is_small);
    const float_lines f = (float_lines)((bits + (is_special & 112 << 23)) | (h & 0x8000) << 16);
    widen_floats(&f, to);
}
#endif

/* bfloat16: the upper half of a float. */
CLONED_PART void widen_bf16(const half_lines *half, line *to)
{
    const float_lines f = (float_lines)(__builtin_convertvector(*half, int_lines) << 16);
    widen_floats(&f, to);
}

/* The rows of b's lines become its columns: interleaved three times with those four lines away. */
CLONED_PART void turn_halves(half_line m[SIDE])
{
    half_line n[SIDE];
    for (uint32_t round = 0; round < 3; round++) {
        for (uint32_t i = 0; i < QUAD; i++) {
            const half_line x = m[i], y = m[i + QUAD];
            n[2 * i] = __builtin_shufflevector(x, y, 0, 8, 1, 9, 2, 10, 3, 11);
            n[2 * i + 1] = __builtin_shufflevector(x, y, 4, 12, 5, 13, 6, 14, 7, 15);
        }
        for (uint32_t i = 0; i < SIDE; i++)
            m[i] = n[i];
    }
}

/* a by its rows, b by its depths. */
#define TAKE_HALVES(name, widen)                                                                   \
    CLONED_PART void name##_a(const uint32_t *row, line tile[SIDE])                                \
    {                                                                                              \
        for (uint32_t i = 0; i < SIDE; i += LINES) {                                               \
            half_lines half;                                                                       \
            memcpy(&half, row + QUAD * i, sizeof half);                                            \
            widen(&half, &tile[i]);                                                                \
        }                                                                                          \
    }                                                                                              \
    CLONED_PART void name##_b(const uint32_t *row, line tile[SIDE])                                \
    {                                                                                              \
        half_line half[SIDE];                                                                      \
        for (uint32_t i = 0; i < SIDE; i++)                                                        \
            memcpy(&half[i], row + QUAD * column_of[i], sizeof *half);                             \
        turn_halves(half);                                                                         \
        for (uint32_t k = 0; k < SIDE; k += LINES) {                                               \
            half_lines joined;                                                                     \
            join_halves(&half[k], &joined);                                                        \
            widen(&joined, &tile[k]);                                                              \
        }                                                                                          \
    }
TAKE_HALVES(take_f16, widen_f16)
TAKE_HALVES(take_bf16, widen_bf16)

/* tf32: the lower 13 bits of a float do not count. */
CLONED_PART void widen_tf32(const word_quad *x, const word_quad *y, line *to)
{
    const float_quad low = (float_quad)(*x & 0xFFFFE000u), high = (float_quad)(*y & 0xFFFFE000u);
    widen_quads(&low, &high, to);
}

CLONED_PART void take_tf32_a(const uint32_t *row, line tile[SIDE])
{
    word_quad two[2];
    for (uint32_t i = 0; i < QUAD; i++) {
        memcpy(two, row + SIDE * i, sizeof two);
        widen_tf32(&two[0], &two[1], &tile[i]);
    }
}

/* Of four quads the first words, the second ones, and so on. */
CLONED_PART void turn_words(word_quad m[QUAD])
{
    word_quad n[QUAD];
    for (uint32_t round = 0; round < 2; round++) {
        for (uint32_t i = 0; i < QUAD / 2; i++) {
            const word_quad x = m[i], y = m[i + QUAD / 2];
            n[2 * i] = __builtin_shufflevector(x, y, 0, 4, 1, 5);
            n[2 * i + 1] = __builtin_shufflevector(x, y, 2, 6, 3, 7);
        }
        for (uint32_t i = 0; i < QUAD; i++)
            m[i] = n[i];
    }
}

/* A word of each lane, as the lines of b: the even columns, the odd ones. */
CLONED_PART void take_columns(const uint32_t *row, word_quad even[QUAD], word_quad odd[QUAD])
{
    for (uint32_t i = 0; i < QUAD; i++) {
        memcpy(&even[i], row + QUAD * column_of[i], sizeof *even);
        memcpy(&odd[i], row + QUAD * column_of[QUAD + i], sizeof *odd);
    }
    turn_words(even);
    turn_words(odd);
}

CLONED_PART void take_tf32_b(const uint32_t *row, line tile[SIDE])
{
    word_quad even[QUAD], odd[QUAD];
    take_columns(row, even, odd);
    for (uint32_t k = 0; k < QUAD; k++)
        widen_tf32(&even[k], &odd[k], &tile[k]);
}

/* --- sums ---------------------------------------------------------------------------------------
 */

/* Adds c. */
CLONED_PART void add_floats(const uint32_t *even, const uint32_t *odd, line sum[SIDE])
{
    for (uint32_t g = 0; g < SIDE; g++) {
        float_quad x, y;
        line c;
        memcpy(&x, even + QUAD * g, sizeof x);
        memcpy(&y, odd + QUAD * g, sizeof y);
        widen_quads(&x, &y, &c);
        sum[g] += c;
    }
}

/* A row's pairs in one register of its lanes. */
CLONED_PART void add_halves(const uint32_t *row, line sum[SIDE])
{
    for (uint32_t g = 0; g < SIDE; g += LINES) {
        half_line half[LINES];
        half_lines joined;
        line c[LINES];
        for (uint32_t i = 0; i < LINES; i++) {
            memcpy(&half[i], row + QUAD * (g + i), sizeof *half);
            half[i] = __builtin_shufflevector(half[i], half[i], 0, 2, 4, 6, 1, 3, 5, 7);
        }
        join_halves(half, &joined);
        widen_f16(&joined, c);
        for (uint32_t i = 0; i < LINES; i++)
            sum[g + i] += c[i];
    }
}

CLONED_PART void put_floats(const line sum[SIDE], uint32_t *even, uint32_t *odd)
{
    for (uint32_t g = 0; g < SIDE; g++) {
        word_quad words[2];
        narrow_line(&sum[g], words);
        memcpy(even + QUAD * g, &words[0], sizeof *words);
        memcpy(odd + QUAD * g, &words[1], sizeof *words);
    }
}

/* Doubles as halves, rounded once: to a float whose last bit says that there was more, and this to
 * the nearest half. Below 2^-14 the last bit of a half is that of a float at 1/2. */
CLONED_PART void narrow_half(const double *sum, word_quad *to)
{
    double_quad exact;
    memcpy(&exact, sum, sizeof exact);
    const float_quad near = __builtin_convertvector(exact, float_quad);
    const double_quad back = __builtin_convertvector(near, double_quad);
    const int_quad bits = (int_quad)near & 0x7FFFFFFF, sign = ((int_quad)near >> 16) & 0x8000;
    const int_quad more = __builtin_convertvector(back != exact, int_quad);
    const long_quad greater = ((long_quad)back & INT64_MAX) > ((long_quad)exact & INT64_MAX);
    const int_quad odd = (bits + __builtin_convertvector(greater, int_quad)) | (more & 1);
    const int_quad small = (int_quad)((float_quad)odd + 0.5f) - (126 << 23);
    const int_quad usual = (odd - (112 << 23) + 0xFFF + (odd >> 13 & 1)) >> 13;
    const int_quad is_small = odd < 113 << 23, is_great = odd >= 143 << 23;
    const int_quad is_nan = bits > 255 << 23;
    int_quad half = (small & is_small) | (usual & ~is_small);
    half = (half & ~is_great) | (is_great & 0x7C00) | sign;
    *to = (word_quad)((half & ~is_nan) | (is_nan & 0x7FFF));
}

CLONED_PART void put_halves(const line sum[SIDE], uint32_t *row)
{
    for (uint32_t g = 0; g < SIDE; g++) {
        const double *from = (const double *)&sum[g];
        word_quad low, high;
        narrow_half(from, &low);
        narrow_half(from + QUAD, &high);
        const word_quad pairs = low | high << 16;
        memcpy(row + QUAD * g, &pairs, sizeof pairs);
    }
}

/* --- products -----------------------------------------------------------------------------------
 */

/* A row of a b; its products are exact. */
CLONED_PART void sum_row(const double *a, const line *b, uint32_t depth, line *sum)
{
    *sum = a[0] * b[0];
    for (uint32_t k = 1; k < depth; k++)
        *sum += a[k] * b[k];
}

/* c and d of floats: row after row, so that sums stay in registers. */
CLONED_PART void multiply_floats(const struct inst *inst, const struct lane_ctx *ctx,
                                 uint32_t *const d[2], const line *a, const line *b, uint32_t depth)
{
    const uint32_t *even = src_row(inst, ctx, 2), *odd = src_row(inst, ctx, 3);
    for (uint32_t g = 0; g < SIDE; g++) {
        float_quad x, y;
        word_quad words[2];
        line sum, c;
        sum_row((const double *)a + depth * g, b, depth, &sum);
        memcpy(&x, even + QUAD * g, sizeof x);
        memcpy(&y, odd + QUAD * g, sizeof y);
        widen_quads(&x, &y, &c);
        sum += c;
        narrow_line(&sum, words);
        memcpy(d[0] + QUAD * g, &words[0], sizeof *words);
        memcpy(d[1] + QUAD * g, &words[1], sizeof *words);
    }
}

/* d = a b + c, rounded once more. */
CLONED_PART void multiply(const struct inst *inst, const struct lane_ctx *ctx, uint32_t *const d[2],
                          const line *a, const line *b, uint32_t depth)
{
    line sum[SIDE];
    if (inst->op.type != PTX_F16 && inst->op.type2 != PTX_F16) {
        multiply_floats(inst, ctx, d, a, b, depth);
        return;
    }
    for (uint32_t g = 0; g < SIDE; g++)
        sum_row((const double *)a + depth * g, b, depth, &sum[g]);
    if (inst->op.type == PTX_F16)
        add_halves(src_row(inst, ctx, 2), sum);
    else
        add_floats(src_row(inst, ctx, 2), src_row(inst, ctx, 3), sum);
    if (inst->op.type2 == PTX_F16)
        put_halves(sum, d[0]);
    else
        put_floats(sum, d[0], d[1]);
}

#include "sim/ptx/execute/mma_doubles.h"

/* --- runs ---------------------------------------------------------------------------------------
 */

/* Tiles of a or of b that a run has taken, by the rows of their registers. */
#define KEPT 4
struct kept {
    line tile[KEPT][2 * SIDE]; /* a of doubles fills one */
    uint32_t row[KEPT], next;
};

CLONED_PART void keep_none(struct kept *k)
{
    k->next = 0;
    for (uint32_t i = 0; i < KEPT; i++)
        k->row[i] = NO_ROW;
}

CLONED_PART line *kept_tile(struct kept *k, uint32_t row)
{
    for (uint32_t i = 0; i < KEPT; i++)
        if (k->row[i] == row)
            return k->tile[i];
    return NULL;
}

CLONED_PART line *keep_tile(struct kept *k, uint32_t row)
{
    uint32_t at = k->next++ % KEPT;
    k->row[at] = row;
    return k->tile[at];
}

/* Of those that a product has written over, each in so many rows. */
CLONED_PART void forget_tiles(struct kept *k, const struct inst *inst, uint32_t rows)
{
    for (uint32_t i = 0; i < KEPT; i++)
        for (int n = 0; n < 2; n++)
            if (k->row[i] + rows - 1 - inst->op.dst[n] < 2 * rows - 1)
                k->row[i] = NO_ROW;
}

/* The next instruction of a run is of the same kind and for the same lanes. */
CLONED_PART bool goes_on(const struct inst *inst, uint32_t n)
{
    return inst[n].exec == inst->exec && inst[n].guard == inst->guard &&
           inst[n].guard_negated == inst->guard_negated;
}

/* Where sums go: to their registers, or aside if they are not those of all lanes. */
CLONED_PART void find_sums(const struct inst *inst, struct lane_ctx *ctx, uint32_t mask,
                           uint32_t aside[2][2 * WARP_SIZE], uint32_t *d[2])
{
    for (int n = 0; n < 2; n++)
        d[n] = mask == FULL_MASK ? dst_row(inst, ctx, n) : aside[n];
}

CLONED_PART void put_some(const struct inst *inst, struct lane_ctx *ctx, uint32_t mask,
                          uint32_t rows, const uint32_t aside[2][2 * WARP_SIZE])
{
    for (int n = 0; n < (inst->op.type2 == PTX_F16 ? 1 : 2); n++)
        for (uint32_t row = 0; row < rows; row++) {
            uint32_t *d = dst_row(inst, ctx, n) + row * WARP_SIZE;
            EACH_LANE PUT_32(aside[n][row * WARP_SIZE + i])
        }
}

/* A run of products: mma.h. */
#define RUN(name, take, depth, product, rows)                                                      \
    static uint32_t name(const struct inst *inst, uint32_t most, struct lane_ctx *ctx,             \
                         uint32_t mask)                                                            \
    {                                                                                              \
        struct kept a, b;                                                                          \
        uint32_t aside[2][2 * WARP_SIZE], *d[2], n = 0;                                            \
        keep_none(&a);                                                                             \
        keep_none(&b);                                                                             \
        do {                                                                                       \
            const struct inst *each = &inst[n];                                                    \
            line *down = kept_tile(&a, each->op.src[0]), *across = kept_tile(&b, each->op.src[1]); \
            if (!down)                                                                             \
                take##_a(src_row(each, ctx, 0), down = keep_tile(&a, each->op.src[0]));            \
            if (!across)                                                                           \
                take##_b(src_row(each, ctx, 1), across = keep_tile(&b, each->op.src[1]));          \
            find_sums(each, ctx, mask, aside, d);                                                  \
            product(each, ctx, d, down, across, depth);                                            \
            if (mask != FULL_MASK)                                                                 \
                put_some(each, ctx, mask, rows, aside);                                            \
            forget_tiles(&a, each, rows);                                                          \
            forget_tiles(&b, each, rows);                                                          \
        } while (++n < most && goes_on(inst, n));                                                  \
        return n;                                                                                  \
    }
RUN(run_f16, take_f16, 8, multiply, 1)
RUN(run_bf16, take_bf16, 8, multiply, 1)
RUN(run_tf32, take_tf32, 4, multiply, 1)
RUN(run_f64, take_f64, 4, multiply_f64, 2)

const struct mma_runs MMA_RUNS = {
    .f16 = run_f16, .bf16 = run_bf16, .tf32 = run_tf32, .f64 = run_f64};
