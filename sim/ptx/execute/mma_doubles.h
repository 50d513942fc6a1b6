/* Products of doubles in tiles of 8 x 4 by 4 x 8: a part of mma_products.h. A vector has what lanes
 * next to each other hold: of a, rows; of c and d, the even or the odd columns of rows. So nothing
 * changes its place but the low and high words of doubles. */

#define MANY (LINES * QUAD) /* doubles in a register: the lanes of LINES rows */
typedef double doubles __attribute__((vector_size(MANY * sizeof(double)), may_alias));
typedef int64_t longs __attribute__((vector_size(MANY * sizeof(int64_t))));
typedef uint32_t lane_words __attribute__((vector_size(2 * MANY * sizeof(uint32_t))));
#define BUNDLES (SIDE / LINES) /* of rows */

#if LINES == 2
#define OF_FIRST_LANES 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23
#define OF_LAST_LANES  8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31
#define LOW_WORDS      0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30
#define HIGH_WORDS     1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23, 25, 27, 29, 31
#define IN_EACH_ROW(k) k, k, k, k, 4 + k, 4 + k, 4 + k, 4 + k
#else
#define OF_FIRST_LANES 0, 8, 1, 9, 2, 10, 3, 11
#define OF_LAST_LANES  4, 12, 5, 13, 6, 14, 7, 15
#define LOW_WORDS      0, 2, 4, 6, 8, 10, 12, 14
#define HIGH_WORDS     1, 3, 5, 7, 9, 11, 13, 15
#define IN_EACH_ROW(k) k, k, k, k
#endif

/* The doubles of lanes next to each other, from their low and high words. */
CLONED_PART void get_lanes(const uint32_t *row, doubles to[2])
{
    lane_words low, high;
    memcpy(&low, row, sizeof low);
    memcpy(&high, row + WARP_SIZE, sizeof high);
    to[0] = (doubles)__builtin_shufflevector(low, high, OF_FIRST_LANES);
    to[1] = (doubles)__builtin_shufflevector(low, high, OF_LAST_LANES);
}

CLONED_PART void put_lanes(const doubles from[2], uint32_t *row)
{
    const lane_words x = (lane_words)from[0], y = (lane_words)from[1];
    const lane_words low = __builtin_shufflevector(x, y, LOW_WORDS);
    const lane_words high = __builtin_shufflevector(x, y, HIGH_WORDS);
    memcpy(row, &low, sizeof low);
    memcpy(row + WARP_SIZE, &high, sizeof high);
}

/* tile: element k of a row, in the place of each of the row's lanes, by bundles and k. */
CLONED_PART void take_f64_a(const uint32_t *row, line *tile)
{
    doubles held[BUNDLES], *to = (doubles *)tile;
    for (uint32_t i = 0; i < BUNDLES; i += 2)
        get_lanes(row + MANY * i, &held[i]);
    for (uint32_t i = 0; i < BUNDLES; i++) {
        to[QUAD * i] = __builtin_shufflevector(held[i], held[i], IN_EACH_ROW(0));
        to[QUAD * i + 1] = __builtin_shufflevector(held[i], held[i], IN_EACH_ROW(1));
        to[QUAD * i + 2] = __builtin_shufflevector(held[i], held[i], IN_EACH_ROW(2));
        to[QUAD * i + 3] = __builtin_shufflevector(held[i], held[i], IN_EACH_ROW(3));
    }
}

/* Of four columns, of which each has its elements in a row, element k of each; twice where a
 * register has two rows. */
#if LINES == 2
#define TURN(to, q0, q1, q2, q3, first)                                                            \
    {                                                                                              \
        const doubles x = __builtin_shufflevector(q0, q1, first, 8 + first, 1 + first, 9 + first,  \
                                                  2 + first, 10 + first, 3 + first, 11 + first);   \
        const doubles y = __builtin_shufflevector(q2, q3, first, 8 + first, 1 + first, 9 + first,  \
                                                  2 + first, 10 + first, 3 + first, 11 + first);   \
        (to)[0] = __builtin_shufflevector(x, y, 0, 1, 8, 9, 0, 1, 8, 9);                           \
        (to)[1] = __builtin_shufflevector(x, y, 2, 3, 10, 11, 2, 3, 10, 11);                       \
        (to)[2] = __builtin_shufflevector(x, y, 4, 5, 12, 13, 4, 5, 12, 13);                       \
        (to)[3] = __builtin_shufflevector(x, y, 6, 7, 14, 15, 6, 7, 14, 15);                       \
    }
#else
#define TURN(to, q0, q1, q2, q3)                                                                   \
    {                                                                                              \
        const doubles x = __builtin_shufflevector(q0, q1, 0, 4, 2, 6);                             \
        const doubles y = __builtin_shufflevector(q2, q3, 0, 4, 2, 6);                             \
        const doubles z = __builtin_shufflevector(q0, q1, 1, 5, 3, 7);                             \
        const doubles w = __builtin_shufflevector(q2, q3, 1, 5, 3, 7);                             \
        (to)[0] = __builtin_shufflevector(x, y, 0, 1, 4, 5);                                       \
        (to)[1] = __builtin_shufflevector(z, w, 0, 1, 4, 5);                                       \
        (to)[2] = __builtin_shufflevector(x, y, 2, 3, 6, 7);                                       \
        (to)[3] = __builtin_shufflevector(z, w, 2, 3, 6, 7);                                       \
    }
#endif

/* tile: element k of the even columns, by k, and of the odd ones. */
CLONED_PART void take_f64_b(const uint32_t *row, line *tile)
{
    doubles held[BUNDLES], *to = (doubles *)tile;
    for (uint32_t i = 0; i < BUNDLES; i += 2)
        get_lanes(row + MANY * i, &held[i]);
#if LINES == 2
    TURN(to, held[0], held[1], held[2], held[3], 0)
    TURN(to + QUAD, held[0], held[1], held[2], held[3], 4)
#else
    TURN(to, held[0], held[2], held[4], held[6])
    TURN(to + QUAD, held[1], held[3], held[5], held[7])
#endif
}

/* sum = a b + sum, rounded once. */
CLONED_PART void fuse(const doubles *a, const doubles *b, doubles *sum)
{
#ifdef __AVX512F__
    *sum = (doubles)_mm512_fmadd_pd((__m512d)*a, (__m512d)*b, (__m512d)*sum);
#elif defined(__FMA__)
    *sum = (doubles)_mm256_fmadd_pd((__m256d)*a, (__m256d)*b, (__m256d)*sum);
#else
    for (uint32_t i = 0; i < MANY; i++)
        (*sum)[i] = fma((*a)[i], (*b)[i], (*sum)[i]);
#endif
}

CLONED_PART void canonical_doubles(doubles *x)
{
#ifdef __AVX512F__
    const __m512d v = (__m512d)*x, nan = (__m512d)_mm512_set1_epi64((int64_t)NAN_F64);
    *x = (doubles)_mm512_mask_mov_pd(v, _mm512_cmp_pd_mask(v, v, _CMP_UNORD_Q), nan);
#else
    const longs is_nan = *x != *x;
    *x = (doubles)(((longs)*x & ~is_nan) | (is_nan & (int64_t)NAN_F64));
#endif
}

/* Each product is added as by fma.rn.f64, the first one of the depth first. */
CLONED_PART void multiply_f64(const struct inst *inst, const struct lane_ctx *ctx,
                              uint32_t *const d[2], const line *a, const line *b, uint32_t depth)
{
    const doubles *down = (const doubles *)a, *across = (const doubles *)b;
    doubles sum[2][BUNDLES];
    for (uint32_t n = 0; n < 2; n++)
        for (uint32_t i = 0; i < BUNDLES; i += 2)
            get_lanes(src_row(inst, ctx, 2 + (int)n) + MANY * i, &sum[n][i]);
    for (uint32_t i = 0; i < BUNDLES; i++)
        for (uint32_t n = 0; n < 2; n++) {
            for (uint32_t k = 0; k < depth; k++)
                fuse(&down[QUAD * i + k], &across[QUAD * n + k], &sum[n][i]);
            canonical_doubles(&sum[n][i]);
        }
    for (uint32_t n = 0; n < 2; n++)
        for (uint32_t i = 0; i < BUNDLES; i += 2)
            put_lanes(&sum[n][i], d[n] + MANY * i);
}
