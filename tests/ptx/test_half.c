/* f16, bf16, pairs of them, and video instructions. */
#include <math.h>

#include "base/rng.h"
#include "tests/ptx/op.h"

#define HALVES 2048u

enum { F16 = 10, BF16 = 7 }; /* bits of the fraction */

static int bias_of(int fraction)
{
    return (1 << (14 - fraction)) - 1;
}

/* Independent of the code under test: by exponent and long double. */
static long double value_of(uint32_t h, int fraction)
{
    int bias = bias_of(fraction), last = 2 * bias + 1, one = 1 << fraction;
    int e = (int)(h >> fraction) & last;
    long double m = (int)h & (one - 1);
    long double v = e == 0      ? ldexpl(m, 1 - bias - fraction)
                    : e == last ? (m != 0 ? (long double)NAN : (long double)INFINITY)
                                : ldexpl(one + m, e - bias - fraction);
    return h >> 15 ? -v : v;
}

/* The half nearest to a value, by trying: ties to even. */
static uint32_t nearest(long double v, int fraction)
{
    uint32_t sign = signbit(v) ? 0x8000 : 0;
    uint32_t infinity = (2 * (uint32_t)bias_of(fraction) + 1) << fraction;
    long double a = fabsl(v);
    if (isnan(v))
        return 0x7FFF;
    if (a >= ldexpl(1 - ldexpl(1, -fraction - 2), bias_of(fraction) + 1))
        return sign | infinity;
    uint32_t low = 0, high = infinity - 1; /* the largest that is not above */
    while (low < high) {
        uint32_t mid = (low + high + 1) / 2;
        if (value_of(mid, fraction) <= a)
            low = mid;
        else
            high = mid - 1;
    }
    if (low == infinity - 1)
        return sign | low;
    long double below = a - value_of(low, fraction), above = value_of(low + 1, fraction) - a;
    return sign | (below < above || (below == above && !(low & 1)) ? low : low + 1);
}

/* Those of bf16 have exponents for which a long double holds all sums exactly. */
static uint32_t random_half(struct rng *rng, int fraction)
{
    static const uint16_t edges[2][12] = {
        {0, 0x8000, 1, 0x8001, 0x3C00, 0xBC00, 0x7BFF, 0x7C00, 0xFC00, 0x7E00, 0x0400, 0x03FF},
        {0, 0x8000, 0x3F80, 0xBF80, 0x7F80, 0xFF80, 0x7FC0, 0x3F81, 0x3FFF, 0xBFFF, 0x3B80,
         0x4380}};
    uint32_t any = rng_below(rng, 65536);
    if (rng_below(rng, 4) == 0)
        return edges[fraction == BF16][rng_below(rng, 12)];
    return fraction == F16 ? any : (any & 0x807F) | (119 + rng_below(rng, 17)) << 7;
}

static void fill(struct op *op, struct rng *rng, int fraction)
{
    for (int s = 0; s < 3; s++)
        for (uint32_t i = 0; i < LANES; i++) {
            uint32_t low = random_half(rng, fraction);
            op->src[s][i] = low | random_half(rng, fraction) << 16;
        }
}

static uint32_t expected(int which, int fraction, const uint32_t v[3])
{
    long double x = value_of(v[0], fraction), y = value_of(v[1], fraction),
                z = value_of(v[2], fraction);
    return nearest(which == 0   ? x + y
                   : which == 1 ? x - y
                   : which == 2 ? x * y
                                : x * y + z,
                   fraction);
}

static void test_arithmetic(void **state)
{
    (void)state;
    static const char *const texts[][4] = {
        {"add.f16 %d, %a, %b;", "add.rn.f16x2 %d, %a, %b;", "add.rn.bf16 %d, %a, %b;",
         "add.bf16x2 %d, %a, %b;"},
        {"sub.f16 %d, %a, %b;", "sub.f16x2 %d, %a, %b;", "sub.bf16 %d, %a, %b;",
         "sub.rn.bf16x2 %d, %a, %b;"},
        {"mul.rn.f16 %d, %a, %b;", "mul.f16x2 %d, %a, %b;", "mul.bf16 %d, %a, %b;",
         "mul.bf16x2 %d, %a, %b;"},
        {"fma.rn.f16 %d, %a, %b, %c;", "fma.rn.f16x2 %d, %a, %b, %c;",
         "fma.rn.bf16 %d, %a, %b, %c;", "fma.rn.bf16x2 %d, %a, %b, %c;"}};
    struct rng rng;
    rng_seed(&rng, 3);
    for (int n = 0; n < 16 * (int)HALVES / LANES; n++) {
        int which = n % 4, form = n / 4 % 4, packed = form % 2, fraction = form < 2 ? F16 : BF16;
        uint32_t width = packed ? 32 : 16;
        struct op op = {.text = texts[which][form], .width = {width, width, width, width}};
        fill(&op, &rng, fraction);
        op_run(&op);
        for (uint32_t i = 0; i < LANES; i++)
            for (int h = 0; h <= packed; h++) {
                uint32_t v[3], got = op.out[i] >> (16 * h) & 0xFFFF;
                for (int s = 0; s < 3; s++)
                    v[s] = op.src[s][i] >> (16 * h) & 0xFFFF;
                if (got != expected(which, fraction, v))
                    fail_msg("%s of %04x, %04x, %04x: %04x, expected %04x", op.text, v[0], v[1],
                             v[2], got, expected(which, fraction, v));
            }
    }
}

static uint64_t run_one(const char *text, uint32_t width, uint64_t a, uint64_t b, uint64_t c)
{
    struct op op = {.text = text, .width = {width, width, width, width}};
    op.src[0][0] = a;
    op.src[1][0] = b;
    op.src[2][0] = c;
    op_run(&op);
    return op.out[0];
}

struct word_case {
    const char *text;
    uint32_t a, b, c, want;
};

static void check_words(const struct word_case *cases, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        const struct word_case *w = &cases[i];
        uint64_t got = run_one(w->text, 32, w->a, w->b, w->c);
        if (got != w->want)
            fail_msg("%s of %08x, %08x, %08x: %08x, expected %08x", w->text, w->a, w->b, w->c,
                     (uint32_t)got, w->want);
    }
}

static void test_forms(void **state)
{
    (void)state;
    assert_int_equal(run_one("add.sat.f16 %d, %a, %b;", 16, 0x4000, 0x3C00, 0), 0x3C00);
    assert_int_equal(run_one("add.sat.f16 %d, %a, %b;", 16, 0xC000, 0x3C00, 0), 0);
    assert_int_equal(run_one("mul.ftz.f16 %d, %a, %b;", 16, 0x0400, 0x3800, 0), 0);
    assert_int_equal(run_one("add.ftz.f16 %d, %a, %b;", 16, 0x8001, 0x8000, 0), 0x8000);
    assert_int_equal(run_one("fma.rn.relu.f16 %d, %a, %b, %c;", 16, 0xBC00, 0x3C00, 0), 0);
    assert_int_equal(run_one("min.f16 %d, %a, %b;", 16, 0x8000, 0, 0), 0x8000);
    assert_int_equal(run_one("max.f16 %d, %a, %b;", 16, 0x8000, 0, 0), 0);
    assert_int_equal(run_one("max.f16 %d, %a, %b;", 16, 0x7E00, 0x3C00, 0), 0x3C00);
    assert_int_equal(run_one("max.NaN.f16 %d, %a, %b;", 16, 0x7E00, 0x3C00, 0), 0x7FFF);
    assert_int_equal(run_one("neg.f16x2 %d, %a;", 32, 0x3C00BC00, 0, 0), 0xBC003C00);
    assert_int_equal(run_one("abs.f16x2 %d, %a;", 32, 0xBC00BC00, 0, 0), 0x3C003C00);
    assert_int_equal(run_one("ex2.approx.f16 %d, %a;", 16, 0x4000, 0, 0), 0x4400);
    assert_int_equal(run_one("tanh.approx.f16x2 %d, %a;", 32, 0x7C000000, 0, 0), 0x3C000000);
    assert_int_equal(run_one("cvt.rn.f16x2.f32 %d, %a, %b;", 32, 0x3F800000, 0xC0000000, 0),
                     0x3C00C000);
    assert_int_equal(run_one("cvt.rn.relu.f16x2.f32 %d, %a, %b;", 32, 0x3F800000, 0xC0000000, 0),
                     0x3C000000);
    assert_int_equal(
        run_one(".reg .b16 %h; cvt.rn.f16.f32 %h, %a; cvt.f32.f16 %d, %h;", 32, 0x40490FDB, 0, 0),
        0x40490000);
}

static void test_compare(void **state)
{
    (void)state;
    struct op op = {.text = "setp.lt.f16x2 %p|%q, %a, %b;"};
    op.src[0][0] = 0x3C004000; /* high 1, low 2 */
    op.src[1][0] = 0x40003C00; /* high 2, low 1 */
    op.src[0][1] = 0x7E003C00;
    op.src[1][1] = 0x40004000;
    op_run(&op);
    assert_int_equal(op.p & 3, 2);
    assert_int_equal(op.q & 3, 1);
    struct op short_float = {.text = "setp.lt.and.bf16x2 %p|%q, %a, %b, %p;"};
    short_float.src[0][0] = 0x3F804000; /* high 1, low 2 */
    short_float.src[1][0] = 0x40003F80;
    short_float.src[0][1] = 0x7FC00001;
    short_float.src[1][1] = 0x40000002; /* subnormal */
    op_run(&short_float);
    assert_int_equal(short_float.p & 3, 2);
    assert_int_equal(short_float.q & 3, 1);
    struct op one = {.text = "setp.gtu.f16 %p, %a, %b;", .width = {16, 16, 16, 16}};
    one.src[0][0] = 0x4000;
    one.src[1][0] = 0x3C00;
    one.src[0][1] = 0x7E00;
    one.src[0][2] = 0x3C00;
    one.src[1][2] = 0x3C00;
    op_run(&one);
    assert_int_equal(one.p & 7, 3);
}

/* PTX ISA: .relu clamps a negative result to 0, and a NaN becomes the canonical NaN. */
static void test_relu(void **state)
{
    (void)state;
#define FMA      "fma.rn.relu.f16x2 %d, %a, %b, %c;"
#define PAIR     "cvt.rn.relu.f16x2.f32 %d, %a, %b;"
#define ONE(how) ".reg .b16 %h; cvt.rn.relu." how ".f32 %h, %a; mov.b32 %d, {%h, %h};"
    static const struct word_case cases[] = {
        {FMA, 0x7E01FE01, 0x3C003C00, 0, 0x7FFF7FFF},          /* NaN of either sign */
        {FMA, 0x7C00BC00, 0x00003C00, 0, 0x7FFF0000},          /* infinity * 0; -1 */
        {FMA, 0x80003C00, 0x3C003C00, 0x80003C00, 0x00004000}, /* -0; 2 */
        {PAIR, 0x7FC00001, 0xFFC00000, 0, 0x7FFF7FFF},
        {PAIR, 0x80000000, 0xBF800000, 0, 0},
        {PAIR, 0x40000000, 0x7F800000, 0, 0x40007C00},
        {PAIR, 0xFF800000, 0xB3000000, 0, 0}, /* -infinity; what rounds to -0 */
        {ONE("f16"), 0xFFC00001, 0, 0, 0x7FFF7FFF},
        {ONE("f16"), 0x80000000, 0, 0, 0},
        {ONE("f16"), 0xC0000000, 0, 0, 0},
        {ONE("f16"), 0x40000000, 0, 0, 0x40004000},
        {ONE("bf16"), 0xFFC00001, 0, 0, 0x7FFF7FFF},
        {ONE("bf16"), 0x80000000, 0, 0, 0},
    };
    check_words(cases, sizeof cases / sizeof *cases);
}

/* bf16 and tf32: an f32 without its last 16 or 13 bits. */
static void test_short_floats(void **state)
{
    (void)state;
#define TO_BF16(how) ".reg .b16 %h; cvt" how ".bf16.f32 %h, %a; mov.b32 %d, {%h, %h};"
    static const struct {
        const char *text;
        uint32_t a, b, want;
    } cases[] = {
        {TO_BF16(".rn"), 0x3F808000, 0, 0x3F803F80}, /* a half of the last bit: to the even one */
        {TO_BF16(".rn"), 0x3F818000, 0, 0x3F823F82},
        {TO_BF16(".rn"), 0x3F808001, 0, 0x3F813F81},
        {TO_BF16(".rz"), 0xBF80FFFF, 0, 0xBF80BF80},
        {TO_BF16(".rn"), 0x7F7FFFFF, 0, 0x7F807F80}, /* too large */
        {TO_BF16(".rn"), 0xFF800001, 0, 0x7FFF7FFF}, /* NaN */
        {TO_BF16(".rn.relu"), 0xC0000000, 0, 0},
        {TO_BF16(".rn.relu"), 0x7FC00000, 0, 0x7FFF7FFF},
        {"cvt.rn.bf16x2.f32 %d, %a, %b;", 0x40490FDB, 0xBF808001, 0x4049BF81},
        {"cvt.rz.relu.bf16x2.f32 %d, %a, %b;", 0xC0490FDB, 0x3F80FFFF, 0x00003F80},
        {"cvt.rna.tf32.f32 %d, %a;", 0x3F801000, 0, 0x3F802000}, /* a half: away from 0 */
        {"cvt.rna.tf32.f32 %d, %a;", 0xBF800FFF, 0, 0xBF800000},
        {"cvt.rn.tf32.f32 %d, %a;", 0x3F801000, 0, 0x3F800000},
        {"cvt.rz.tf32.f32 %d, %a;", 0x3F803FFF, 0, 0x3F802000},
        {".reg .b16 %h; cvt.u16.u32 %h, %a; cvt.f32.bf16 %d, %h;", 0x0000C049, 0, 0xC0490000},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        uint64_t got = run_one(cases[i].text, 32, cases[i].a, cases[i].b, 0);
        if (got != cases[i].want)
            fail_msg("%s: %08x, expected %08x", cases[i].text, (uint32_t)got, cases[i].want);
    }
}

static void test_bf16_forms(void **state)
{
    (void)state;
    static const struct word_case cases[] = {
        {"fma.rn.bf16x2 %d, %a, %b, %c;", 0x3F883F88, 0x3F883F88, 0x00018001, 0x3F913F90},
        {"fma.rn.bf16x2 %d, %a, %b, %c;", 0x00010080, 0x3F003F00, 0x00000001, 0x00000041},
        {"fma.rn.bf16x2 %d, %a, %b, %c;", 0x7F7FFF7F, 0x3F803F80, 0x7A80FB00, 0x7F7FFF80},
        {"fma.rn.relu.bf16x2 %d, %a, %b, %c;", 0xFFC1BF80, 0x3F803F80, 0, 0x7FFF0000},
        {"min.bf16x2 %d, %a, %b;", 0x80007FC0, 0x00003F80, 0, 0x80003F80},
        {"max.bf16x2 %d, %a, %b;", 0x80003F80, 0x0000C000, 0, 0x00003F80},
        {"max.NaN.bf16x2 %d, %a, %b;", 0x7C013F80, 0x3F807F81, 0, 0x7C017FFF},
        {"neg.bf16x2 %d, %a;", 0x3F80BF80, 0, 0, 0xBF803F80},
        {"abs.bf16x2 %d, %a;", 0xBF803F80, 0, 0, 0x3F803F80},
        {"ex2.approx.ftz.bf16x2 %d, %a;", 0x4000C0E0, 0, 0, 0x40803C00},
        {"tanh.approx.bf16x2 %d, %a;", 0x7F80FF80, 0, 0, 0x3F80BF80},
    };
    check_words(cases, sizeof cases / sizeof *cases);
}

static void test_video(void **state)
{
    (void)state;
    static const struct word_case cases[] = {
        {"vadd2.u32.u32.u32 %d, %a, %b, %c;", 0xFFFF0001, 0x00020003, 0, 0x00010004},
        {"vadd2.u32.u32.u32.sat %d, %a, %b, %c;", 0xFFFF0001, 0x00020003, 0, 0xFFFF0004},
        {"vadd4.s32.s32.s32.sat %d, %a, %b, %c;", 0x7F800102, 0x01FF0203, 0, 0x7F800305},
        {"vsub4.u32.u32.u32 %d, %a, %b, %c;", 0x00010203, 0x01010101, 0, 0xFF000102},
        {"vsub2.s32.s32.s32.sat %d, %a, %b, %c;", 0x80007FFF, 0x0001FFFF, 0, 0x80007FFF},
        {"vabsdiff4.u32.u32.u32 %d, %a, %b, %c;", 0x01FF0505, 0xFF010507, 0, 0xFEFE0002},
        {"vabsdiff4.u32.u32.u32.add %d, %a, %b, %c;", 0x01FF0505, 0xFF010507, 10, 520},
        {"vavrg2.u32.u32.u32 %d, %a, %b, %c;", 0xFFFF0001, 0xFFFF0002, 0, 0xFFFF0002},
        /* (a + b + (a + b >= 0)) >> 1: -1 of -1 and 0, 1 of 0 and 1 */
        {"vavrg2.s32.s32.s32 %d, %a, %b, %c;", 0xFFFF0001, 0, 0, 0xFFFF0001},
        {"vavrg4.s32.s32.s32 %d, %a, %b, %c;", 0xFDFE8003, 0x00FF8000, 0, 0xFEFE8002},
        {"vmin4.s32.s32.s32 %d, %a, %b, %c;", 0x80017F00, 0x01020304, 0, 0x80010300},
        {"vmax2.u32.u32.u32 %d, %a, %b, %c;", 0x80010001, 0x00020002, 0, 0x80010002},
        {"vset4.u32.u32.eq %d, %a, %b, %c;", 0x01020304, 0x01FF03FF, 0, 0x01000100},
        {"vset2.s32.s32.gt %d, %a, %b, %c;", 0xFFFF0002, 0x00010001, 0, 0x00000001},
        {"vadd.s32.s32.s32.sat %d, %a, %b;", 0x7FFFFFFF, 1, 0, 0x7FFFFFFF},
        {"vabsdiff.u32.s32.s32 %d, %a, %b;", 0xFFFFFFFF, 1, 0, 2},
        {"vshr.u32.u32.u32.clamp.add %d, %a, %b, %c;", 0x80000010, 4, 5, 0x08000006},
        {"vshr.u32.u32.u32.clamp %d, %a, %b;", 0x80000010, 32, 0, 0},
        {"vshr.u32.u32.u32.wrap %d, %a, %b;", 0x80000010, 36, 0, 0x08000001},
        {"vshr.s32.s32.u32.clamp %d, %a, %b;", 0x80000010, 99, 0, 0xFFFFFFFF},
        {"vshl.u32.u32.u32.wrap %d, %a, %b;", 0xC0000001, 33, 0, 0x80000002},
        {"vshl.u32.u32.u32.clamp %d, %a, %b;", 0xC0000001, 65, 0, 0},
        {"vshl.u32.u32.u32.sat.clamp %d, %a, %b;", 0xFFFFFFFF, 32, 0, 0xFFFFFFFF},
        {"vshl.s32.s32.u32.sat.clamp %d, %a, %b;", 0xFFFFFFF0, 31, 0, 0x80000000},
        {"vshl.s32.s32.u32.sat.clamp %d, %a, %b;", 0xFFFFFFF0, 3, 0, 0xFFFFFF80},
        {"vshl.s32.s32.u32.sat.clamp %d, %a, %b;", 0xFFFFFFFF, 99, 0, 0x80000000},
        {"vshl.s32.s32.u32.sat.clamp %d, %a, %b;", 1, 32, 0, 0x7FFFFFFF},
    };
    check_words(cases, sizeof cases / sizeof *cases);
}

static void test_atomics(void **state)
{
    (void)state;
    static const char text[] =
        ".version 7.0\n.target sm_70\n.address_size 64\n"
        ".entry k(.param .u64 p) {\n"
        ".reg .b64 %p; .reg .b16 %h<4>; .reg .b32 %r<4>; .reg .b16 %e;\n"
        "ld.param.u64 %p, [p]; mov.b16 %h1, 0x3C00; mov.b32 %r1, 0x3C004000;\n"
        "atom.add.noftz.f16 %h2, [%p], %h1;\n"
        "atom.global.add.noftz.f16x2 %r2, [%p+4], %r1;\n"
        "red.add.noftz.f16x2 [%p+8], %r1;\n"
        "mov.b16 %e, 7; mov.b16 %h3, 9;\n"
        "atom.cta.cas.b16 %h2, [%p+12], %e, %h3;\nret; }";
    struct machine m;
    machine_start(&m, text);
    uint64_t at = machine_alloc(&m, 16, 16);
    static const uint16_t before[] = {0x4000, 0, 0x3C00, 0x3C00, 0, 0, 7, 7};
    static const uint16_t after[] = {0x4200, 0, 0x4200, 0x4000, 0x4000, 0x3C00, 9, 7};
    memcpy(m.memory + at, before, sizeof before);
    machine_run(&m, "k", (uint32_t[]){1, 1, 1}, (uint32_t[]){1, 1, 1}, 0, &at);
    assert_memory_equal(m.memory + at, after, sizeof after);
    machine_stop(&m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_arithmetic),   cmocka_unit_test(test_forms),
        cmocka_unit_test(test_compare),      cmocka_unit_test(test_relu),
        cmocka_unit_test(test_short_floats), cmocka_unit_test(test_bf16_forms),
        cmocka_unit_test(test_video),        cmocka_unit_test(test_atomics),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
