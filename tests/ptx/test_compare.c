/* setp, set, selp, slct and predicate logic. */
#include <math.h>

#include "tests/ptx/op.h"

static uint64_t f32(double f)
{
    float single = (float)f;
    uint32_t u;
    memcpy(&u, &single, sizeof u);
    return u;
}

static uint64_t f64(double d)
{
    uint64_t u;
    memcpy(&u, &d, sizeof u);
    return u;
}

/* Bits of the expected result for a < b, a == b, a > b, and unordered. */
struct comparison {
    const char *name;
    bool less, equal, greater, unordered;
};

static const struct comparison ordered[] = {
    {"eq", false, true, false, false}, {"ne", true, false, true, false},
    {"lt", true, false, false, false}, {"le", true, true, false, false},
    {"gt", false, false, true, false}, {"ge", false, true, true, false},
    {"equ", false, true, false, true}, {"neu", true, false, true, true},
    {"ltu", true, false, false, true}, {"leu", true, true, false, true},
    {"gtu", false, false, true, true}, {"geu", false, true, true, true},
    {"num", true, true, true, false},  {"nan", false, false, false, true},
};

static bool expected(const struct comparison *op, bool less, bool equal, bool unordered)
{
    return unordered ? op->unordered : less ? op->less : equal ? op->equal : op->greater;
}

static const double floats[] = {0.0, -0.0, 1.0, -1.0, 1e-40, -1e-40, INFINITY, -INFINITY, NAN};
#define N_FLOATS (sizeof floats / sizeof *floats)

static void check_float(const struct comparison *o, bool wide, bool ftz)
{
    char text[64];
    snprintf(text, sizeof text, "setp.%s%s.f%d %%p|%%q, %%a, %%b;", o->name, ftz ? ".ftz" : "",
             wide ? 64 : 32);
    for (size_t x = 0; x < N_FLOATS; x++) {
        uint32_t w = wide ? 64 : 32;
        struct op op = {.text = text, .width = {32, w, w, w}};
        for (uint32_t i = 0; i < N_FLOATS; i++) {
            op.src[0][i] = wide ? f64(floats[x]) : f32(floats[x]);
            op.src[1][i] = wide ? f64(floats[i]) : f32(floats[i]);
        }
        op_run(&op);
        for (uint32_t i = 0; i < N_FLOATS; i++) {
            double a = floats[x], b = floats[i];
            if (ftz) {
                a = fabs(a) < 0x1p-126 ? 0 : a;
                b = fabs(b) < 0x1p-126 ? 0 : b;
            }
            bool want = expected(o, a < b, a == b, isnan(a) || isnan(b));
            if ((op.p >> i & 1) != want || (op.q >> i & 1) == want)
                fail_msg("%s of %g, %g: p %u q %u", text, a, b, op.p >> i & 1, op.q >> i & 1);
        }
    }
}

static void test_float_comparisons(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof ordered / sizeof *ordered; i++) {
        check_float(&ordered[i], false, false);
        check_float(&ordered[i], false, true);
        check_float(&ordered[i], true, false);
    }
}

static const uint64_t ints[] = {0,          1,         0x7F,       0x80,       0x7FFF,
                                0x8000,     0xFFFF,    0x7FFFFFFF, 0x80000000, UINT32_MAX,
                                1ull << 32, INT64_MAX, 1ull << 63, UINT64_MAX};
#define N_INTS (sizeof ints / sizeof *ints)

static void check_int(const char *name, const char *type, uint32_t bits, bool is_signed,
                      const struct comparison *o)
{
    char text[64];
    snprintf(text, sizeof text, "setp.%s.%s%u %%p, %%a, %%b;", name, type, bits);
    for (size_t x = 0; x < N_INTS; x++) {
        struct op op = {.text = text, .width = {32, bits, bits, bits}};
        for (uint32_t i = 0; i < N_INTS; i++) {
            op.src[0][i] = ints[x];
            op.src[1][i] = ints[i];
        }
        op_run(&op);
        for (uint32_t i = 0; i < N_INTS; i++) {
            uint64_t a = ints[x] << (64 - bits), b = ints[i] << (64 - bits);
            bool less = is_signed ? (int64_t)a < (int64_t)b : a < b;
            if ((op.p >> i & 1) != expected(o, less, a == b, false))
                fail_msg("%s of %llx, %llx", text, (unsigned long long)ints[x],
                         (unsigned long long)ints[i]);
        }
    }
}

static void test_int_comparisons(void **state)
{
    (void)state;
    static const char *const unsigned_names[] = {NULL, NULL, "lo", "ls", "hi", "hs"};
    for (uint32_t bits = 16; bits <= 64; bits *= 2)
        for (size_t i = 0; i < 6; i++) {
            check_int(ordered[i].name, "s", bits, true, &ordered[i]);
            check_int(ordered[i].name, "u", bits, false, &ordered[i]);
            if (i < 2)
                check_int(ordered[i].name, "b", bits, false, &ordered[i]);
            else
                check_int(unsigned_names[i], "u", bits, false, &ordered[i]);
        }
}

/* %r: a < b; the third operand comes from lanes: c > 0. */
static void test_combinations(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        uint32_t p, q; /* for lanes (a<b, c) = 00, 01, 10, 11 */
    } cases[] = {
        {"setp.lt.and.s32 %p|%q, %a, %b, r;", 0x8, 0x2},
        {"setp.lt.or.s32 %p|%q, %a, %b, r;", 0xE, 0xB},
        {"setp.lt.xor.s32 %p|%q, %a, %b, r;", 0x6, 0x9},
        {"setp.lt.and.s32 %p|%q, %a, %b, !r;", 0x4, 0x1},
        {"setp.geu.or.f32 %p|%q, %a, %b, r;", 0xB, 0xE},
        {"setp.lt.s32 %p|_, %a, %b;", 0xC, 0},
        {"and.pred %p, s, r; mov.pred %q, !r;", 0x8, 0x5},
        {"or.pred %p, s, !r; not.pred %q, s;", 0xD, 0x3},
        {"xor.pred %p, s, r; mov.pred %q, r;", 0x6, 0xA},
        {"and.pred %p, !s, !r; mov.pred %q, 1;", 0x1, 0xF},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[200];
        snprintf(text, sizeof text,
                 "{ .reg .pred r, s; setp.ne.s32 r, %%c, 0; setp.lt.s32 s, %%a, %%b; %s }",
                 cases[i].text);
        struct op op = {.text = text, .width = {32, 32, 32, 32}};
        for (uint32_t lane = 0; lane < 4; lane++) {
            op.src[0][lane] = 5;
            op.src[1][lane] = lane & 2 ? 6 : 4;
            op.src[2][lane] = lane & 1;
        }
        op_run(&op);
        if ((op.p & 15) != cases[i].p || (op.q & 15) != cases[i].q)
            fail_msg("%s: p %x q %x", cases[i].text, op.p & 15, op.q & 15);
    }
}

static void test_selections(void **state)
{
    (void)state;
    CHECK(UINT32_MAX, "set.lt.u32.s32 %d, %a, %b;", 32, 32, -1, 1, 0);
    CHECK(0, "set.lt.u32.u32 %d, %a, %b;", 32, 32, -1, 1, 0);
    CHECK(f32(1), "set.gt.f32.f32 %d, %a, %b;", 32, 32, f32(2), f32(1), 0);
    CHECK(0, "set.ne.f32.f32 %d, %a, %b;", 32, 32, f32(NAN), f32(1), 0);
    CHECK(UINT32_MAX, "set.neu.s32.f64 %d, %a, %b;", 32, 64, f64((double)NAN), 0, 0);
    CHECK(0, "set.lt.and.u32.s32 %d, %a, %b, %q;", 32, 32, -1, 1, 0);
    CHECK(7, "selp.s32 %d, %a, %b, %p;", 32, 32, 7, 9, 0);
    CHECK(9, "selp.b32 %d, %a, %b, %q;", 32, 32, 7, 9, 0);
    CHECK(1ull << 60, "selp.f64 %d, %a, %b, !%q;", 64, 64, 1ull << 60, 9, 0);
    CHECK(0x1234, "selp.u16 %d, %a, %b, %p;", 16, 16, 0x1234, 9, 0);
    CHECK(7, "slct.s32.s32 %d, %a, %b, %c;", 32, 32, 7, 9, 0);
    CHECK(9, "slct.s32.s32 %d, %a, %b, %c;", 32, 32, 7, 9, 0x80000000);
    CHECK(7, "slct.u32.f32 %d, %a, %b, %c;", 32, 32, 7, 9, 0x80000000);
    CHECK(9, "slct.u32.f32 %d, %a, %b, %c;", 32, 32, 7, 9, f32(NAN));
    CHECK(9, "slct.u32.f32 %d, %a, %b, %c;", 32, 32, 7, 9, 0x80000001);
    CHECK(7, "slct.ftz.u32.f32 %d, %a, %b, %c;", 32, 32, 7, 9, 0x80000001);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_float_comparisons),
        cmocka_unit_test(test_int_comparisons),
        cmocka_unit_test(test_combinations),
        cmocka_unit_test(test_selections),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
