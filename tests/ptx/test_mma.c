/* What the products of tiles make of single numbers: every half, NaN, infinities, limits. Whole
 * products against the host: tests/cuda/programs/wmma and wmma_types. */
#include <math.h>
#include <string.h>

#include "sim/ptx/execute/lanes.h"
#include "tests/ptx/machine.h"

#define ROWS 6

struct warp_rows {
    uint32_t reg[ROWS][WARP_SIZE]; /* a, b, c, c, d, d */
};

static void run(struct warp_rows *w, exec_fn product, uint8_t sum, uint32_t mods)
{
    struct inst inst = {.op = {.src = {0, 1, 2, 3},
                               .dst = {4, 5},
                               .type = sum,
                               .type2 = sum,
                               .sub = TILE_A_SIGNED | TILE_B_SIGNED,
                               .mods = mods}};
    struct lane_ctx ctx = {.reg = w->reg};
    product(&inst, &ctx, FULL_MASK);
}

static float float_of(uint32_t bits)
{
    float f;
    memcpy(&f, &bits, sizeof f);
    return f;
}

/* By the definition of binary16. */
static double half_value(uint32_t half)
{
    double size = half & 0x7C00 ? ldexp(1024 + (half & 0x3FF), (int)(half >> 10 & 31) - 25)
                                : ldexp(half & 0x3FF, -24);
    return half & 0x8000 ? -size : size;
}

/* b is the unit matrix: its word of lane i, the pair 2t and 2t + 1 of column g. */
static uint32_t unit_pair(uint32_t lane, uint32_t one)
{
    uint32_t column = lane / 4, at = lane % 4 * 2;
    return (column == at ? one : 0) | (column == at + 1 ? one << 16 : 0);
}

static void test_every_half(void **state)
{
    (void)state;
    struct warp_rows w = {0};
    for (uint32_t first = 0; first < 0x10000; first += 64) {
        if ((first & 0x7C00) == 0x7C00)
            continue; /* infinite times 0 is NaN */
        for (uint32_t i = 0; i < WARP_SIZE; i++) {
            w.reg[0][i] = (first + 2 * i) | (first + 2 * i + 1) << 16;
            w.reg[1][i] = unit_pair(i, 0x3C00);
        }
        run(&w, lanes_mma_f16, PTX_F32, 0);
        for (uint32_t i = 0; i < WARP_SIZE; i++)
            for (uint32_t n = 0; n < 2; n++)
                assert_true((double)float_of(w.reg[4 + n][i]) == half_value(first + 2 * i + n));
    }
}

static void test_bfloat_and_tf32(void **state)
{
    (void)state;
    struct warp_rows w = {0};
    for (uint32_t i = 0; i < WARP_SIZE; i++) {
        w.reg[0][i] = 0x40490001u + i * 0x10002u; /* pairs, of which the low one is subnormal */
        w.reg[1][i] = unit_pair(i, 0x3F80);
    }
    run(&w, lanes_mma_bf16, PTX_F32, 0);
    for (uint32_t i = 0; i < WARP_SIZE; i++) {
        assert_int_equal(w.reg[4][i], w.reg[0][i] << 16);
        assert_int_equal(w.reg[5][i], w.reg[0][i] & 0xFFFF0000u);
    }
    /* Eight rows of 1.0 by a column of depth 4: 1 + 2^-10, 2^-11 (which does not count), ... */
    for (uint32_t i = 0; i < WARP_SIZE; i++) {
        w.reg[0][i] = 0x3F800000u;
        w.reg[1][i] = i % 4 == 0 ? 0x3F802000u : i % 4 == 1 ? 0x3F801FFFu : 0;
    }
    run(&w, lanes_mma_tf32, PTX_F32, 0);
    for (uint32_t i = 0; i < WARP_SIZE; i++)
        assert_int_equal(w.reg[4][i], 0x40000000u + 0x1000u); /* 2 + 2^-10 */
}

static void test_no_number(void **state)
{
    (void)state;
    struct warp_rows w = {0};
    for (uint32_t i = 0; i < WARP_SIZE; i++) {
        w.reg[0][i] = i < 4 ? 0x7C003C00u : i < 8 ? 0x7E013C00u : 0x3C00FC00u;
        w.reg[1][i] = 0x3C003C00u;
    }
    run(&w, lanes_mma_f16, PTX_F32, 0);
    assert_int_equal(w.reg[4][0], 0x7F800000u); /* infinite */
    assert_int_equal(w.reg[4][4], 0x7FFFFFFFu); /* PTX's NaN */
    assert_int_equal(w.reg[4][8], 0xFF800000u);
    run(&w, lanes_mma_f16, PTX_F16, 0);
    assert_int_equal(w.reg[4][4], 0x7FFF7FFFu);
}

/* 16 products of -128 and -128 are 2^18. */
static void test_integer_limits(void **state)
{
    (void)state;
    struct warp_rows w = {0};
    for (uint32_t i = 0; i < WARP_SIZE; i++) {
        w.reg[0][i] = w.reg[1][i] = 0x80808080u;
        w.reg[2][i] = 0x7FFBFFFFu;
        w.reg[3][i] = 0x7FFC0000u;
    }
    run(&w, lanes_mma_bytes, PTX_S32, 0);
    assert_int_equal(w.reg[4][0], 0x7FFFFFFFu);
    assert_int_equal(w.reg[5][0], 0x80000000u);
    run(&w, lanes_mma_bytes, PTX_S32, OP_SAT);
    assert_int_equal(w.reg[5][0], 0x7FFFFFFFu);
    for (uint32_t i = 0; i < WARP_SIZE; i++) {
        w.reg[0][i] = 0x7F7F7F7Fu;
        w.reg[2][i] = 0x80000000u;
    }
    run(&w, lanes_mma_bytes, PTX_S32, OP_SAT);
    assert_int_equal(w.reg[4][31], 0x80000000u);
}

/* Sums may take the place of c: what c was is read first. */
static void test_in_place(void **state)
{
    (void)state;
    static const exec_fn products[] = {lanes_mma_f16,   lanes_mma_bf16,    lanes_mma_tf32,
                                       lanes_mma_bytes, lanes_mma_nibbles, lanes_mma_bits};
    for (size_t n = 0; n < sizeof products / sizeof *products; n++) {
        struct warp_rows w = {0};
        for (uint32_t i = 0; i < WARP_SIZE; i++) {
            w.reg[2][i] = 0x3F800000u + i;
            w.reg[3][i] = 0x40800000u + i;
        }
        struct inst inst = {
            .op = {.src = {0, 1, 2, 3}, .dst = {3, 2}, .type = PTX_F32, .type2 = PTX_F32}};
        struct lane_ctx ctx = {.reg = w.reg};
        products[n](&inst, &ctx, FULL_MASK);
        for (uint32_t i = 0; i < WARP_SIZE; i++) {
            assert_int_equal(w.reg[3][i], 0x3F800000u + i);
            assert_int_equal(w.reg[2][i], 0x40800000u + i);
        }
    }
}

/* The tiles of a sparse matrix take other lanes' indices, which must have been computed. */
static void test_sparse_waits_for_lanes(void **state)
{
    static const char text[] =
        ".version 7.1\n.target sm_80\n.address_size 64\n.entry k() { .reg .b32 %a<2>, %b<2>, %e;"
        ".reg .f32 %d<4>;\nmma.sp.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 "
        "{%d0, %d1, %d2, %d3}, {%a0, %a1}, {%b0, %b1}, {%d0, %d1, %d2, %d3}, %e, 0; ret; }";
    struct error err = {0};
    struct module *m = module_parse("sparse.ptx", text, strlen(text), &err);
    unsigned tiles = 0;
    (void)state;
    assert_non_null(m);
    const struct kernel *k = module_kernel(m, "k");
    assert_null(k->defect);
    for (uint32_t i = 0; i < k->n_inst; i++) {
        if (k->code[i].exec != lanes_mma_sparse)
            continue;
        assert_true(k->code[i].flags & INST_CONVERGENT);
        tiles++;
    }
    assert_int_equal(tiles, 4); /* two rows of tiles, two deep */
    module_free(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_half), cmocka_unit_test(test_bfloat_and_tf32),
        cmocka_unit_test(test_no_number),  cmocka_unit_test(test_integer_limits),
        cmocka_unit_test(test_in_place),   cmocka_unit_test(test_sparse_waits_for_lanes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
