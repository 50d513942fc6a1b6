/* cvt in all its rounding and saturating forms, mov and cvta. */
#include <math.h>

#include "tests/ptx/op.h"

static uint64_t f32(float f)
{
    uint32_t u;
    memcpy(&u, &f, sizeof u);
    return u;
}

static uint64_t f64(double d)
{
    uint64_t u;
    memcpy(&u, &d, sizeof u);
    return u;
}

#define NAN32  0x7FC00000u
#define INF32  0x7F800000u
#define NINF32 0xFF800000u

/* PTX ISA, "cvt.pack": a stands in front of b, c in front of both. */
static void test_pack(void **state)
{
    (void)state;
    CHECK(0x7FFF8000, "cvt.pack.sat.s16.s32 %d, %a, %b;", 32, 32, 0x12345, 0x80000000, 0);
    CHECK(0x0000FFFF, "cvt.pack.sat.u16.s32 %d, %a, %b;", 32, 32, 0xFFFFFFFF, 0x10000, 0);
    CHECK(0xCDEF7F80, "cvt.pack.sat.s8.s32.b32 %d, %a, %b, %c;", 32, 32, 128, -129, 0x89ABCDEF);
    CHECK(0xCDEFFF00, "cvt.pack.sat.u8.s32.b32 %d, %a, %b, %c;", 32, 32, 256, -1, 0x89ABCDEF);
    CHECK(0xABCDEF7F, "cvt.pack.sat.s4.s32.b32 %d, %a, %b, %c;", 32, 32, 9, -1, 0x89ABCDEF);
    CHECK(0xABCDEFF3, "cvt.pack.sat.u4.s32.b32 %d, %a, %b, %c;", 32, 32, 99, 3, 0x89ABCDEF);
    CHECK(0x9ABCDEF9, "cvt.pack.sat.s2.s32.b32 %d, %a, %b, %c;", 32, 32, -2, 1, 0x89ABCDEF);
    CHECK(0x9ABCDEFD, "cvt.pack.sat.u2.s32.b32 %d, %a, %b, %c;", 32, 32, 5, 1, 0x89ABCDEF);
}

static void test_between_integers(void **state)
{
    (void)state;
    CHECK(0xFFFFFF80, "cvt.s32.s8 %d, %a;", 32, 32, 0x12345680, 0, 0);
    CHECK(0x80, "cvt.u32.u8 %d, %a;", 32, 32, 0x12345680, 0, 0);
    CHECK(0xFFFFFF80, "cvt.s8.s32 %d, %a;", 32, 32, 0x12345680, 0, 0);
    CHECK(0x80, "cvt.u8.s32 %d, %a;", 32, 32, 0x12345680, 0, 0);
    CHECK(0xFF80, "cvt.s8.s32 %d, %a;", 16, 32, 0x12345680, 0, 0);
    CHECK(0xFFFF8000, "cvt.s32.s16 %d, %a;", 32, 16, 0x8000, 0, 0);
    CHECK(0x8000, "cvt.u32.u16 %d, %a;", 32, 16, 0x8000, 0, 0);
    CHECK(0xFFFFFFFFFFFF8000, "cvt.s64.s16 %d, %a;", 64, 16, 0x8000, 0, 0);
    CHECK(0xFFFFFFFF80000000, "cvt.s64.s32 %d, %a;", 64, 32, 0x80000000, 0, 0);
    CHECK(0x80000000, "cvt.u64.u32 %d, %a;", 64, 32, 0x80000000, 0, 0);
    CHECK(0x80000000, "cvt.s64.u32 %d, %a;", 64, 32, 0x80000000, 0, 0);
    CHECK(0xFFFFFFFF80000000, "cvt.u64.s32 %d, %a;", 64, 32, 0x80000000, 0, 0);
    CHECK(0x9ABCDEF0, "cvt.u32.u64 %d, %a;", 32, 64, 0x123456789ABCDEF0, 0, 0);
    CHECK(0xDEF0, "cvt.u16.u64 %d, %a;", 16, 64, 0x123456789ABCDEF0, 0, 0);
    /* The destination register may be wider than the type: its upper part follows the sign. */
    CHECK(0xFFFFFFFFFFFFFFF0, "cvt.s8.s32 %d, %a;", 64, 32, 0xF0, 0, 0);
    CHECK(0xFFFF, "cvt.u16.s8 %d, %a;", 32, 32, 0xFF, 0, 0);
    CHECK(0x7F, "cvt.sat.s8.s32 %d, %a;", 32, 32, 300, 0, 0);
    CHECK(0xFFFFFF80, "cvt.sat.s8.s32 %d, %a;", 32, 32, -300, 0, 0);
    CHECK(0xFF, "cvt.sat.u8.s32 %d, %a;", 32, 32, 256, 0, 0);
    CHECK(0, "cvt.sat.u8.s32 %d, %a;", 32, 32, -1, 0, 0);
    CHECK(0x7FFFFFFF, "cvt.sat.s32.u32 %d, %a;", 32, 32, 0xFFFFFFFF, 0, 0);
    CHECK(0x80000000, "cvt.sat.s32.s64 %d, %a;", 32, 64, INT64_MIN, 0, 0);
    CHECK(0xFFFFFFFF, "cvt.sat.u32.u64 %d, %a;", 32, 64, 1ull << 32, 0, 0);
    CHECK(0, "cvt.sat.u64.s32 %d, %a;", 64, 32, -5, 0, 0);
}

struct rounded {
    double value;
    int64_t rni, rzi, rmi, rpi;
};

static const struct rounded halves[] = {
    {0.5, 0, 0, 0, 1},
    {1.5, 2, 1, 1, 2},
    {2.5, 2, 2, 2, 3},
    {-0.5, 0, 0, -1, 0},
    {-1.5, -2, -1, -2, -1},
    {-2.5, -2, -2, -3, -2},
    {0.25, 0, 0, 0, 1},
    {-0.75, -1, 0, -1, 0},
    {7, 7, 7, 7, 7},
    {-7, -7, -7, -7, -7},
    {1e6 + .5, 1000000, 1000000, 1000000, 1000001},
};

static void test_float_to_int(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof halves / sizeof *halves; i++) {
        const struct rounded *h = &halves[i];
        uint64_t s = f32((float)h->value), d = f64(h->value);
        CHECK(h->rni, "cvt.rni.s32.f32 %d, %a;", 32, 32, s, 0, 0);
        CHECK(h->rzi, "cvt.rzi.s32.f32 %d, %a;", 32, 32, s, 0, 0);
        CHECK(h->rmi, "cvt.rmi.s32.f32 %d, %a;", 32, 32, s, 0, 0);
        CHECK(h->rpi, "cvt.rpi.s32.f32 %d, %a;", 32, 32, s, 0, 0);
        CHECK(h->rni, "cvt.rni.s64.f64 %d, %a;", 64, 64, d, 0, 0);
        CHECK(h->rzi, "cvt.rzi.s64.f64 %d, %a;", 64, 64, d, 0, 0);
        CHECK(h->rmi, "cvt.rmi.s64.f64 %d, %a;", 64, 64, d, 0, 0);
        CHECK(h->rpi, "cvt.rpi.s64.f64 %d, %a;", 64, 64, d, 0, 0);
        CHECK(h->rzi, "cvt.rzi.s32.f64 %d, %a;", 32, 64, d, 0, 0);
        /* Integral floats keep the sign of zero. */
        CHECK(f32(copysignf((float)h->rni, (float)h->value)), "cvt.rni.f32.f32 %d, %a;", 32, 32, s,
              0, 0);
        CHECK(f64(copysign((double)h->rpi, h->value)), "cvt.rpi.f64.f64 %d, %a;", 64, 64, d, 0, 0);
        CHECK(f64(copysign((double)h->rmi, h->value)), "cvt.rmi.f64.f64 %d, %a;", 64, 64, d, 0, 0);
    }
}

/* Out of range clamps, NaN gives 0, for every integer type. */
static void test_float_to_int_limits(void **state)
{
    (void)state;
    static const struct {
        const char *type;
        uint32_t bits;
        uint64_t low, high;
    } types[] = {
        {"s8", 16, 0xFF80, 0x7F},           {"u8", 16, 0, 0xFF},
        {"s16", 16, 0x8000, 0x7FFF},        {"u16", 16, 0, 0xFFFF},
        {"s32", 32, 0x80000000, INT32_MAX}, {"u32", 32, 0, UINT32_MAX},
        {"s64", 64, 1ull << 63, INT64_MAX}, {"u64", 64, 0, UINT64_MAX},
    };
    for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
        char single[48], wide[48];
        uint32_t bits = types[i].bits;
        snprintf(single, sizeof single, "cvt.rzi.%s.f32 %%d, %%a;", types[i].type);
        snprintf(wide, sizeof wide, "cvt.rni.%s.f64 %%d, %%a;", types[i].type);
        CHECK(types[i].high, single, bits, 32, f32(1e30f), 0, 0);
        CHECK(types[i].low, single, bits, 32, f32(-1e30f), 0, 0);
        CHECK(types[i].high, single, bits, 32, INF32, 0, 0);
        CHECK(types[i].low, single, bits, 32, NINF32, 0, 0);
        CHECK(0, single, bits, 32, NAN32, 0, 0);
        CHECK(0, wide, bits, 64, f64((double)NAN), 0, 0);
        CHECK(types[i].high, wide, bits, 64, f64(1e300), 0, 0);
        CHECK(types[i].low, wide, bits, 64, f64(-1e300), 0, 0);
    }
    CHECK(0x7FFFFFFF, "cvt.rzi.s32.f64 %d, %a;", 32, 64, f64(2147483647.9), 0, 0);
    CHECK(0x7FFFFFFE, "cvt.rzi.s32.f64 %d, %a;", 32, 64, f64(2147483646.9), 0, 0);
    CHECK(0x80000000, "cvt.rzi.s32.f64 %d, %a;", 32, 64, f64(-2147483648.9), 0, 0);
    CHECK(0x80000001, "cvt.rzi.s32.f64 %d, %a;", 32, 64, f64(-2147483647.9), 0, 0);
    CHECK(0x80000000, "cvt.rzi.u32.f32 %d, %a;", 32, 32, f32(0x1p31f), 0, 0);
    CHECK(0, "cvt.rzi.ftz.s32.f32 %d, %a;", 32, 32, 0x80000001, 0, 0);
    CHECK(0xFFFFFFFF, "cvt.rmi.s32.f32 %d, %a;", 32, 32, 0x80000001, 0, 0);
    CHECK(0, "cvt.rmi.ftz.s32.f32 %d, %a;", 32, 32, 0x80000001, 0, 0);
}

static void test_int_to_float(void **state)
{
    (void)state;
    CHECK(f32(-1), "cvt.rn.f32.s32 %d, %a;", 32, 32, -1, 0, 0);
    CHECK(f32(4294967296.0f), "cvt.rn.f32.u32 %d, %a;", 32, 32, 0xFFFFFFFF, 0, 0);
    CHECK(f32(4294967040.0f), "cvt.rz.f32.u32 %d, %a;", 32, 32, 0xFFFFFFFF, 0, 0);
    CHECK(f32(16777216), "cvt.rn.f32.s32 %d, %a;", 32, 32, 16777217, 0, 0);
    CHECK(f32(16777220), "cvt.rn.f32.s32 %d, %a;", 32, 32, 16777219, 0, 0);
    CHECK(f32(16777218), "cvt.rp.f32.s32 %d, %a;", 32, 32, 16777217, 0, 0);
    CHECK(f32(-16777218), "cvt.rm.f32.s32 %d, %a;", 32, 32, -16777217, 0, 0);
    CHECK(f32(-16777216), "cvt.rp.f32.s32 %d, %a;", 32, 32, -16777217, 0, 0);
    CHECK(f32(-16777216), "cvt.rz.f32.s32 %d, %a;", 32, 32, -16777217, 0, 0);
    CHECK(f32(16777216), "cvt.rn.f32.u64 %d, %a;", 32, 64, 16777217, 0, 0);
    CHECK(f32(-16777220), "cvt.rn.f32.s64 %d, %a;", 32, 64, -16777219, 0, 0);
    CHECK(f32(0x1p64f), "cvt.rn.f32.u64 %d, %a;", 32, 64, UINT64_MAX, 0, 0);
    CHECK(f32(-0x1p63f), "cvt.rn.f32.s64 %d, %a;", 32, 64, INT64_MIN, 0, 0);
    CHECK(f32(0x1.000002p40f), "cvt.rn.f32.u64 %d, %a;", 32, 64, 0x10000010001, 0, 0);
    CHECK(f64(0x1p64), "cvt.rn.f64.u64 %d, %a;", 64, 64, UINT64_MAX, 0, 0);
    CHECK(f64(0x1.fffffffffffffp63), "cvt.rz.f64.u64 %d, %a;", 64, 64, UINT64_MAX, 0, 0);
    CHECK(f64(-9007199254740992.0), "cvt.rn.f64.s64 %d, %a;", 64, 64, -9007199254740993, 0, 0);
    CHECK(f64(-9007199254740994.0), "cvt.rm.f64.s64 %d, %a;", 64, 64, -9007199254740993, 0, 0);
    CHECK(f64(-5), "cvt.rn.f64.s32 %d, %a;", 64, 32, -5, 0, 0);
    CHECK(f64(4294967291.0), "cvt.rn.f64.u32 %d, %a;", 64, 32, -5, 0, 0);
    CHECK(f32(-128), "cvt.rn.f32.s8 %d, %a;", 32, 32, 0x80, 0, 0);
    CHECK(f32(128), "cvt.rn.f32.u8 %d, %a;", 32, 32, 0x180, 0, 0);
    CHECK(f32(-32768), "cvt.rn.f32.s16 %d, %a;", 32, 16, 0x8000, 0, 0);
    CHECK(f32(65535), "cvt.rn.f32.u16 %d, %a;", 32, 16, 0xFFFF, 0, 0);
    CHECK(0, "cvt.rn.f32.s64 %d, %a;", 32, 64, 0, 0, 0);
}

static void test_between_floats(void **state)
{
    (void)state;
    CHECK(f64(1.5), "cvt.f64.f32 %d, %a;", 64, 32, f32(1.5f), 0, 0);
    CHECK(f64(0x1p-149), "cvt.f64.f32 %d, %a;", 64, 32, 1, 0, 0);
    CHECK(0, "cvt.ftz.f64.f32 %d, %a;", 64, 32, 1, 0, 0);
    CHECK(0x7FF8000000000000, "cvt.f64.f32 %d, %a;", 64, 32, 0xFFC12345, 0, 0);
    CHECK(0x7FFFFFFF, "cvt.rn.f32.f64 %d, %a;", 32, 64, 0xFFF8000000000001, 0, 0);
    CHECK(f32(1), "cvt.rn.f32.f64 %d, %a;", 32, 64, f64(1 + 0x1p-24), 0, 0);
    CHECK(f32(1 + 0x1p-22f), "cvt.rn.f32.f64 %d, %a;", 32, 64, f64(1 + 0x1p-23 + 0x1p-24), 0, 0);
    CHECK(f32(1), "cvt.rz.f32.f64 %d, %a;", 32, 64, f64(1 + 0x1.8p-24), 0, 0);
    CHECK(f32(1 + 0x1p-23f), "cvt.rp.f32.f64 %d, %a;", 32, 64, f64(1 + 0x1p-50), 0, 0);
    CHECK(f32(-1 - 0x1p-23f), "cvt.rm.f32.f64 %d, %a;", 32, 64, f64(-1 - 0x1p-50), 0, 0);
    CHECK(f32(-1), "cvt.rp.f32.f64 %d, %a;", 32, 64, f64(-1 - 0x1p-24), 0, 0);
    CHECK(INF32, "cvt.rn.f32.f64 %d, %a;", 32, 64, f64(1e300), 0, 0);
    CHECK(0x7F7FFFFF, "cvt.rz.f32.f64 %d, %a;", 32, 64, f64(1e300), 0, 0);
    CHECK(0xFF7FFFFF, "cvt.rp.f32.f64 %d, %a;", 32, 64, f64(-1e300), 0, 0);
    CHECK(1, "cvt.rp.f32.f64 %d, %a;", 32, 64, f64(1e-300), 0, 0);
    CHECK(0, "cvt.rm.f32.f64 %d, %a;", 32, 64, f64(1e-300), 0, 0);
    CHECK(0x80000001, "cvt.rm.f32.f64 %d, %a;", 32, 64, f64(-1e-300), 0, 0);
    CHECK(INF32, "cvt.rm.f32.f64 %d, %a;", 32, 64, f64((double)INFINITY), 0, 0);
    CHECK(1, "cvt.rn.f32.f64 %d, %a;", 32, 64, f64(0x1p-149), 0, 0);
    CHECK(0, "cvt.rn.ftz.f32.f64 %d, %a;", 32, 64, f64(0x1p-149), 0, 0);
    CHECK(f32(1), "cvt.sat.f32.f32 %d, %a;", 32, 32, f32(7), 0, 0);
    CHECK(0, "cvt.sat.f32.f32 %d, %a;", 32, 32, NAN32, 0, 0);
    CHECK(0, "cvt.rn.sat.f32.s32 %d, %a;", 32, 32, -5, 0, 0);
    CHECK(f32(1), "cvt.rn.sat.f32.s32 %d, %a;", 32, 32, 5, 0, 0);
    CHECK(f32(1), "cvt.rn.sat.f32.u32 %d, %a;", 32, 32, -5, 0, 0);
    CHECK(0, "cvt.rn.sat.f32.u32 %d, %a;", 32, 32, 0, 0, 0);
    CHECK(0, "cvt.sat.f32.f32 %d, %a;", 32, 32, f32(-7), 0, 0);
    CHECK(f32(0.5f), "cvt.rn.sat.f32.f64 %d, %a;", 32, 64, f64(0.5), 0, 0);
}

static void test_half(void **state)
{
    (void)state;
    CHECK(0x3C00, "cvt.rn.f16.f32 %d, %a;", 16, 32, f32(1), 0, 0);
    CHECK(0xC000, "cvt.rn.f16.f32 %d, %a;", 16, 32, f32(-2), 0, 0);
    CHECK(0x7BFF, "cvt.rn.f16.f32 %d, %a;", 16, 32, f32(65519), 0, 0);
    CHECK(0x7C00, "cvt.rn.f16.f32 %d, %a;", 16, 32, f32(65520), 0, 0);
    CHECK(0x7BFF, "cvt.rz.f16.f32 %d, %a;", 16, 32, f32(1e30f), 0, 0);
    CHECK(0x7C00, "cvt.rp.f16.f32 %d, %a;", 16, 32, f32(65505), 0, 0);
    CHECK(1, "cvt.rn.f16.f32 %d, %a;", 16, 32, f32(0x1p-24f), 0, 0);
    CHECK(0, "cvt.rn.f16.f32 %d, %a;", 16, 32, f32(0x1p-25f), 0, 0);
    CHECK(0x8001, "cvt.rm.f16.f32 %d, %a;", 16, 32, f32(-0x1p-30f), 0, 0);
    CHECK(0x0400, "cvt.rn.f16.f32 %d, %a;", 16, 32, f32(0x1.ffffp-15f), 0, 0);
    CHECK(0x3C02, "cvt.rn.f16.f32 %d, %a;", 16, 32, f32(1 + 3 * 0x1p-11f), 0, 0);
    CHECK(0x7FFF, "cvt.rn.f16.f32 %d, %a;", 16, 32, NAN32, 0, 0);
    CHECK(f32(-2), "cvt.f32.f16 %d, %a;", 32, 16, 0xC000, 0, 0);
    CHECK(f32(0x1p-24f), "cvt.f32.f16 %d, %a;", 32, 16, 1, 0, 0);
    CHECK(INF32, "cvt.f32.f16 %d, %a;", 32, 16, 0x7C00, 0, 0);
    CHECK(f32(65504), "cvt.f32.f16 %d, %a;", 32, 16, 0x7BFF, 0, 0);
    CHECK(0x6800, "cvt.rn.f16.s32 %d, %a;", 16, 32, 2049, 0, 0);
    CHECK((uint32_t)-2, "cvt.rzi.s32.f16 %d, %a;", 32, 16, 0xC1FF, 0, 0);
}

static void test_mov(void **state)
{
    (void)state;
    CHECK(0x9ABCDEF012345678, "mov.b64 %d, {%a, %b};", 64, 32, 0x12345678, 0x9ABCDEF0, 0);
    CHECK(0x56781234, "mov.b32 %d, {%a, %b};", 32, 16, 0x1234, 0x5678, 0);
    CHECK(0x9ABC, "{ .reg .b32 x; mov.b64 {x, %d}, %a; }", 32, 64, 0x9ABC00000001, 0, 0);
    CHECK(0x9ABC, "{ .reg .b16 x; mov.b32 {_, x}, %a; cvt.u32.u16 %d, x; }", 32, 32, 0x9ABC0001, 0,
          0);
    CHECK(0x4444333322221111,
          "{ .reg .b16 w<4>; mov.b64 {w0, w1, w2, w3}, %a; mov.b64 %d, {w3, w2, w1, w0}; }", 64, 64,
          0x1111222233334444, 0, 0);
    CHECK(0x9ABCDEF012345678,
          "{ .reg .v2 .b32 v, w; mov.v2.b32 v, {%a, %b}; mov.v2.b32 w, v; mov.b64 %d, w; }", 64, 32,
          0x12345678, 0x9ABCDEF0, 0);
    CHECK(0x4444333322221111,
          "{ .reg .v4 .b16 v; mov.b64 v, %a; mov.b64 %d, {v.w, v.b, v.y, v.r}; }", 64, 64,
          0x1111222233334444, 0, 0);
    CHECK(7, "{ .reg .v2 .u32 v; mov.v2.u32 v, {%a, 7}; mov.v2.u32 {_, %d}, v; }", 32, 32, 5, 0, 0);
    CHECK(0x123456789ABCDEF0,
          "{ .reg .v2 .b32 v; mov.v2.b32 v, {%a, %b}; mov.v2.b32 {v.x, v.y}, {v.y, v.x};"
          " mov.b64 %d, v; }",
          64, 32, 0x12345678, 0x9ABCDEF0, 0);
    CHECK(0x1111444433332222,
          "{ .reg .b16 w<4>; mov.b64 {w0, w1, w2, w3}, %a;"
          " mov.v4.b16 {w3, w0, w1, w2}, {w0, w1, w2, w3}; mov.b64 %d, {w0, w1, w2, w3}; }",
          64, 64, 0x4444333322221111, 0, 0);
    CHECK(11, "{ .reg .b64 x; mov.v2.b64 {x, %d}, {%a, 11}; mov.v2.b64 {_, %d}, {x, %d}; }", 64, 64,
          5, 0, 0);
    CHECK(f32(1.5f), "mov.f32 %d, 0f3FC00000;", 32, 32, 0, 0, 0);
    CHECK(f64(0.1), "mov.f64 %d, 0.1;", 64, 32, 0, 0, 0);
    CHECK(f32(-1.5f), "mov.f32 %d, -1.5;", 32, 32, 0, 0, 0);
    CHECK(-42, "mov.s32 %d, -42;", 32, 32, 0, 0, 0);
    CHECK(0xFFFFFFFFFFFFFFD6, "mov.s64 %d, -42;", 64, 32, 0, 0, 0);
    CHECK(0xFF, "mov.u16 %d, 0xFFU;", 16, 32, 0, 0, 0);
    CHECK(8 + 5, "mov.u32 %d, 010 + 0b101;", 32, 32, 0, 0, 0);
    CHECK(7, "mov.u32 %d, (1 + 2) * 3 - 4 / 2;", 32, 32, 0, 0, 0);
    CHECK(32, "mov.u32 %d, WARP_SZ;", 32, 32, 0, 0, 0);
    CHECK(0xCCCCCCCC, "@%q mov.u32 %d, 1;", 32, 32, 0, 0, 0);
    CHECK(1, "@!%q mov.u32 %d, 1;", 32, 32, 0, 0, 0);
}

/* A guard keeps the old value of the lanes that it leaves out, for all kinds of lane functions. */
static void test_partial_masks(void **state)
{
    (void)state;
    static const char *const texts[] = {"@%q add.s32 %d, %a, 1;",
                                        "@%q div.u32 %d, %a, 3;",
                                        "@%q mov.u32 %d, %laneid;",
                                        "@%q mov.b32 %d, {1, 2};",
                                        "@%q fma.rn.f32 %d, %a, %a, %a;",
                                        "@%q sin.approx.f32 %d, %a;",
                                        "@%q selp.b32 %d, 1, 2, %p;",
                                        "@%q mov.u32 %d, %ntid.x;",
                                        "@%q add.cc.u32 %d, %a, 1;",
                                        "@%q shfl.sync.idx.b32 %d, %a, 0, 31, -1;",
                                        "@%q activemask.b32 %d;",
                                        "@%q ld.global.u32 %d, [%m];",
                                        "@%q ld.global.u8 %d, [%m];",
                                        "@%q atom.global.add.u32 %d, [%m], 0;",
                                        "@%q vote.sync.ballot.b32 %d, %p, -1;",
                                        "@%q cvt.rn.f32.s32 %d, %a;",
                                        "@%q mov.u32 %d, %lanemask_lt;"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        char text[200];
        snprintf(text, sizeof text, "setp.gt.u32 %%q, %%laneid, 19; %s", texts[i]);
        struct op op = {.text = text, .width = {32, 32, 32, 32}};
        for (uint32_t lane = 0; lane < LANES; lane++)
            op.src[0][lane] = f32((float)lane + 100);
        op_run(&op);
        for (uint32_t lane = 0; lane < LANES; lane++)
            if ((op.out[lane] == 0xCCCCCCCC) != (lane <= 19))
                fail_msg("%s, lane %u: %llx", texts[i], lane, (unsigned long long)op.out[lane]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_pack),          cmocka_unit_test(test_between_integers),
        cmocka_unit_test(test_float_to_int),  cmocka_unit_test(test_float_to_int_limits),
        cmocka_unit_test(test_int_to_float),  cmocka_unit_test(test_between_floats),
        cmocka_unit_test(test_half),          cmocka_unit_test(test_mov),
        cmocka_unit_test(test_partial_masks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
