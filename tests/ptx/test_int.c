/* Integer instructions against the definitions of the PTX ISA, at all edges of every width. */
#include "tests/ptx/op.h"

/* clang-format off */
static const uint64_t edges[] = {
    0, 1, 2, 3, 7, 8, 15, 16, 17, 31, 32, 33, 63, 64, 65, 127, 128, 255, 256, 0x7FFF, 0x8000, 0xFFFF,
    0x10000, 0x7FFFFFFF, 0x80000000, 0x80000001, 0xFFFFFFFF, 0x100000000, 0x123456789ABCDEF0,
    0x7FFFFFFFFFFFFFFF, 0x8000000000000000, 0x8000000000000001, 0xFFFFFFFFFFFFFFFE,
    0xFFFFFFFFFFFFFFFF, 0xDEADBEEFCAFEBABE, 0x00FF00FF00FF00FF};
/* clang-format on */
#define N_EDGES (sizeof edges / sizeof *edges)

/* name(type) for each reference; the test is a row of the table below. */
#define REF(name, expression)                                                                      \
    static uint64_t name(uint64_t ra, uint64_t rb, uint64_t rc)                                    \
    {                                                                                              \
        (void)ra;                                                                                  \
        (void)rb;                                                                                  \
        (void)rc;                                                                                  \
        return (uint64_t)(expression);                                                             \
    }
#define REFS(bits)                                                                                 \
    REF(add##bits, (uint##bits##_t)(ra + rb))                                                      \
    REF(sub##bits, (uint##bits##_t)(ra - rb))                                                      \
    REF(mul##bits, (uint##bits##_t)(ra * rb))                                                      \
    REF(mad##bits, (uint##bits##_t)(ra * rb + rc))                                                 \
    REF(divu##bits, (uint##bits##_t)rb == 0 ? UINT64_MAX                                           \
                                            : (uint64_t)((uint##bits##_t)ra / (uint##bits##_t)rb)) \
    REF(remu##bits,                                                                                \
        (uint##bits##_t)rb == 0 ? ra : (uint64_t)((uint##bits##_t)ra % (uint##bits##_t)rb))        \
    REF(divs##bits, (int##bits##_t)rb == 0    ? UINT64_MAX                                         \
                    : (int##bits##_t)rb == -1 ? 0 - ra                                             \
                                              : (uint64_t)((int##bits##_t)ra / (int##bits##_t)rb)) \
    REF(rems##bits, (int##bits##_t)rb == 0    ? ra                                                 \
                    : (int##bits##_t)rb == -1 ? 0                                                  \
                                              : (uint64_t)((int##bits##_t)ra % (int##bits##_t)rb)) \
    REF(minu##bits, (uint##bits##_t)ra < (uint##bits##_t)rb ? ra : rb)                             \
    REF(maxu##bits, (uint##bits##_t)ra > (uint##bits##_t)rb ? ra : rb)                             \
    REF(mins##bits, (int##bits##_t)ra < (int##bits##_t)rb ? ra : rb)                               \
    REF(maxs##bits, (int##bits##_t)ra > (int##bits##_t)rb ? ra : rb)                               \
    REF(abs##bits, (int##bits##_t)ra < 0 ? 0 - ra : ra)                                            \
    REF(neg##bits, 0 - ra)                                                                         \
    REF(not ##bits, ~ra)                                                                           \
    REF(cnot##bits, (uint##bits##_t)ra == 0)                                                       \
    REF(and##bits, ra &rb)                                                                         \
    REF(or ##bits, ra | rb)                                                                        \
    REF(xor##bits, ra ^ rb)                                                                        \
    REF(shl##bits, (uint32_t)rb >= bits ? 0 : (uint64_t)(uint##bits##_t)ra << (rb & 63))           \
    REF(shru##bits, (uint32_t)rb >= bits ? 0 : (uint##bits##_t)ra >> (rb & 63))                    \
    REF(shrs##bits, (int64_t)(int##bits##_t)ra >> ((uint32_t)rb >= bits ? bits - 1 : rb & 63))     \
    REF(hiu##bits, (unsigned __int128)(uint##bits##_t)ra *(uint##bits##_t)rb >> bits)              \
    REF(his##bits, (__int128)(int##bits##_t)ra *(int##bits##_t)rb >> bits)                         \
    REF(madhiu##bits,                                                                              \
        (uint64_t)((unsigned __int128)(uint##bits##_t)ra * (uint##bits##_t)rb >> bits) + rc)       \
    REF(madhis##bits, (uint64_t)((__int128)(int##bits##_t)ra * (int##bits##_t)rb >> bits) + rc)    \
    REF(sadu##bits, rc + ((uint##bits##_t)ra < (uint##bits##_t)rb ? rb - ra : ra - rb))            \
    REF(sads##bits, rc + ((int##bits##_t)ra < (int##bits##_t)rb ? rb - ra : ra - rb))
REFS(16)
REFS(32)
REFS(64)

struct row {
    const char *text;
    reference_fn reference;
    uint32_t d, a, b, c;
};

#define ROWS(bits)                                                                                 \
    {"add.u" #bits " %d, %a, %b;", add##bits, bits, bits, bits, bits},                             \
        {"add.s" #bits " %d, %a, %b;", add##bits, bits, bits, bits, bits},                         \
        {"sub.s" #bits " %d, %a, %b;", sub##bits, bits, bits, bits, bits},                         \
        {"mul.lo.u" #bits " %d, %a, %b;", mul##bits, bits, bits, bits, bits},                      \
        {"mul.lo.s" #bits " %d, %a, %b;", mul##bits, bits, bits, bits, bits},                      \
        {"mul.hi.u" #bits " %d, %a, %b;", hiu##bits, bits, bits, bits, bits},                      \
        {"mul.hi.s" #bits " %d, %a, %b;", his##bits, bits, bits, bits, bits},                      \
        {"mad.lo.s" #bits " %d, %a, %b, %c;", mad##bits, bits, bits, bits, bits},                  \
        {"mad.hi.u" #bits " %d, %a, %b, %c;", madhiu##bits, bits, bits, bits, bits},               \
        {"mad.hi.s" #bits " %d, %a, %b, %c;", madhis##bits, bits, bits, bits, bits},               \
        {"sad.u" #bits " %d, %a, %b, %c;", sadu##bits, bits, bits, bits, bits},                    \
        {"sad.s" #bits " %d, %a, %b, %c;", sads##bits, bits, bits, bits, bits},                    \
        {"div.u" #bits " %d, %a, %b;", divu##bits, bits, bits, bits, bits},                        \
        {"div.s" #bits " %d, %a, %b;", divs##bits, bits, bits, bits, bits},                        \
        {"rem.u" #bits " %d, %a, %b;", remu##bits, bits, bits, bits, bits},                        \
        {"rem.s" #bits " %d, %a, %b;", rems##bits, bits, bits, bits, bits},                        \
        {"min.u" #bits " %d, %a, %b;", minu##bits, bits, bits, bits, bits},                        \
        {"max.u" #bits " %d, %a, %b;", maxu##bits, bits, bits, bits, bits},                        \
        {"min.s" #bits " %d, %a, %b;", mins##bits, bits, bits, bits, bits},                        \
        {"max.s" #bits " %d, %a, %b;", maxs##bits, bits, bits, bits, bits},                        \
        {"abs.s" #bits " %d, %a;", abs##bits, bits, bits, bits, bits},                             \
        {"neg.s" #bits " %d, %a;", neg##bits, bits, bits, bits, bits},                             \
        {"not.b" #bits " %d, %a;", not ##bits, bits, bits, bits, bits},                            \
        {"cnot.b" #bits " %d, %a;", cnot##bits, bits, bits, bits, bits},                           \
        {"and.b" #bits " %d, %a, %b;", and##bits, bits, bits, bits, bits},                         \
        {"or.b" #bits " %d, %a, %b;", or ##bits, bits, bits, bits, bits},                          \
        {"xor.b" #bits " %d, %a, %b;", xor##bits, bits, bits, bits, bits},                         \
        {"shl.b" #bits " %d, %a, %b;", shl##bits, bits, bits, 32, bits},                           \
        {"shr.b" #bits " %d, %a, %b;", shru##bits, bits, bits, 32, bits},                          \
        {"shr.u" #bits " %d, %a, %b;", shru##bits, bits, bits, 32, bits},                          \
    {                                                                                              \
        "shr.s" #bits " %d, %a, %b;", shrs##bits, bits, bits, 32, bits                             \
    }

REF(wide_u16, (uint32_t)(uint16_t)ra *(uint16_t)rb)
REF(wide_s16, (int32_t)(int16_t)ra *(int16_t)rb)
REF(wide_u32, (uint64_t)(uint32_t)ra *(uint32_t)rb)
REF(wide_s32, (int64_t)(int32_t)ra *(int32_t)rb)
REF(madwide_u16, (uint32_t)(uint16_t)ra *(uint16_t)rb + rc)
REF(madwide_s16, (uint64_t)((int32_t)(int16_t)ra *(int16_t)rb) + rc)
REF(madwide_u32, (uint64_t)(uint32_t)ra *(uint32_t)rb + rc)
REF(madwide_s32, (uint64_t)((int64_t)(int32_t)ra *(int32_t)rb) + rc)
static uint64_t clamped(int64_t v)
{
    return (uint64_t)(v > INT32_MAX ? INT32_MAX : v < INT32_MIN ? INT32_MIN : v);
}
REF(addsat, clamped((int64_t)(int32_t)ra + (int32_t)rb))
REF(subsat, clamped((int64_t)(int32_t)ra - (int32_t)rb))
REF(madhisat, clamped(((int64_t)(int32_t)ra * (int32_t)rb >> 32) + (int32_t)rc))
static int64_t low24(uint64_t v)
{
    return (int64_t)(v << 40) >> 40;
}
REF(mul24lou, (ra & 0xFFFFFF) * (rb & 0xFFFFFF))
REF(mul24hiu, (ra & 0xFFFFFF) * (rb & 0xFFFFFF) >> 16)
REF(mul24los, low24(ra) * low24(rb))
REF(mul24his, low24(ra) * low24(rb) >> 16)
REF(mad24los, (uint64_t)(low24(ra) * low24(rb)) + rc)
REF(mad24hisat, clamped((int64_t)(int32_t)(low24(ra) * low24(rb) >> 16) + (int32_t)rc))

static const struct row rows[] = {
    ROWS(16),
    ROWS(32),
    ROWS(64),
    {"mul.wide.u16 %d, %a, %b;", wide_u16, 32, 16, 16, 32},
    {"mul.wide.s16 %d, %a, %b;", wide_s16, 32, 16, 16, 32},
    {"mul.wide.u32 %d, %a, %b;", wide_u32, 64, 32, 32, 64},
    {"mul.wide.s32 %d, %a, %b;", wide_s32, 64, 32, 32, 64},
    {"mad.wide.u16 %d, %a, %b, %c;", madwide_u16, 32, 16, 16, 32},
    {"mad.wide.s16 %d, %a, %b, %c;", madwide_s16, 32, 16, 16, 32},
    {"mad.wide.u32 %d, %a, %b, %c;", madwide_u32, 64, 32, 32, 64},
    {"mad.wide.s32 %d, %a, %b, %c;", madwide_s32, 64, 32, 32, 64},
    {"add.sat.s32 %d, %a, %b;", addsat, 32, 32, 32, 32},
    {"sub.sat.s32 %d, %a, %b;", subsat, 32, 32, 32, 32},
    {"mad.hi.sat.s32 %d, %a, %b, %c;", madhisat, 32, 32, 32, 32},
    {"mul24.lo.u32 %d, %a, %b;", mul24lou, 32, 32, 32, 32},
    {"mul24.hi.u32 %d, %a, %b;", mul24hiu, 32, 32, 32, 32},
    {"mul24.lo.s32 %d, %a, %b;", mul24los, 32, 32, 32, 32},
    {"mul24.hi.s32 %d, %a, %b;", mul24his, 32, 32, 32, 32},
    {"mad24.lo.s32 %d, %a, %b, %c;", mad24los, 32, 32, 32, 32},
    {"mad24.hi.sat.s32 %d, %a, %b, %c;", mad24hisat, 32, 32, 32, 32},
};

static void test_arithmetic(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        uint32_t width[4] = {rows[i].d, rows[i].a, rows[i].b, rows[i].c};
        op_sweep(rows[i].text, width, edges, N_EDGES, rows[i].reference);
    }
}

/* --- bits ----------------------------------------------------------------------------------------
 */

static void test_counts(void **state)
{
    (void)state;
    CHECK(0, "popc.b32 %d, %a;", 32, 32, 0, 0, 0);
    CHECK(32, "popc.b32 %d, %a;", 32, 32, 0xFFFFFFFF, 0, 0);
    CHECK(33, "popc.b64 %d, %a;", 32, 64, 0x80000000FFFFFFFF, 0, 0);
    CHECK(32, "clz.b32 %d, %a;", 32, 32, 0, 0, 0);
    CHECK(0, "clz.b32 %d, %a;", 32, 32, 0x80000000, 0, 0);
    CHECK(31, "clz.b32 %d, %a;", 32, 32, 1, 0, 0);
    CHECK(64, "clz.b64 %d, %a;", 32, 64, 0, 0, 0);
    CHECK(63, "clz.b64 %d, %a;", 32, 64, 1, 0, 0);
    CHECK(0xFFFFFFFF, "bfind.u32 %d, %a;", 32, 32, 0, 0, 0);
    CHECK(31, "bfind.u32 %d, %a;", 32, 32, 0x80000000, 0, 0);
    CHECK(30, "bfind.s32 %d, %a;", 32, 32, 0x80000000, 0, 0);
    CHECK(0xFFFFFFFF, "bfind.s32 %d, %a;", 32, 32, 0xFFFFFFFF, 0, 0);
    CHECK(0, "bfind.shiftamt.u32 %d, %a;", 32, 32, 0x80000000, 0, 0);
    CHECK(0xFFFFFFFF, "bfind.shiftamt.u32 %d, %a;", 32, 32, 0, 0, 0);
    CHECK(62, "bfind.s64 %d, %a;", 32, 64, 0x8000000000000000, 0, 0);
    CHECK(40, "bfind.u64 %d, %a;", 32, 64, 0x1FFFFFFFFFF, 0, 0);
    CHECK(0x80000000, "brev.b32 %d, %a;", 32, 32, 1, 0, 0);
    CHECK(0x1E6A2C48, "brev.b32 %d, %a;", 32, 32, 0x12345678, 0, 0);
    CHECK(0x8000000000000001, "brev.b64 %d, %a;", 64, 64, 0x8000000000000001, 0, 0);
    CHECK(3, "fns.b32 %d, %a, %b, %c;", 32, 32, 0xF8, 0, 1);
    CHECK(5, "fns.b32 %d, %a, %b, %c;", 32, 32, 0xF8, 0, 3);
    CHECK(4, "fns.b32 %d, %a, %b, %c;", 32, 32, 0xF8, 5, -2);
    CHECK(0xFFFFFFFF, "fns.b32 %d, %a, %b, %c;", 32, 32, 0xF8, 0, 9);
    CHECK(31, "fns.b32 %d, %a, %b, %c;", 32, 32, 0x80100010, 20, 2);
    CHECK(20, "fns.b32 %d, %a, %b, %c;", 32, 32, 0x80100010, 31, -2);
    CHECK(20, "fns.b32 %d, %a, %b, %c;", 32, 32, 0x80100010, 20, 0);
    CHECK(0xFFFFFFFF, "fns.b32 %d, %a, %b, %c;", 32, 32, 0xF8, 2, 0);
}

static void test_fields(void **state)
{
    (void)state;
    CHECK(0x5, "bfe.u32 %d, %a, %b, %c;", 32, 32, 0x12345678, 12, 4);
    CHECK(0xFFFFFFFF, "bfe.s32 %d, %a, %b, %c;", 32, 32, 0xF000, 12, 4);
    CHECK(0, "bfe.u32 %d, %a, %b, %c;", 32, 32, 0xFFFFFFFF, 3, 0);
    CHECK(0, "bfe.s32 %d, %a, %b, %c;", 32, 32, 0xFFFFFFFF, 3, 0);
    CHECK(0x3, "bfe.u32 %d, %a, %b, %c;", 32, 32, 0xC0000000, 30, 10);
    CHECK(0xFFFFFFFF, "bfe.s32 %d, %a, %b, %c;", 32, 32, 0xC0000000, 30, 10);
    CHECK(0, "bfe.u32 %d, %a, %b, %c;", 32, 32, 0xFFFFFFFF, 32, 4);
    CHECK(0xFFFFFFFF, "bfe.s32 %d, %a, %b, %c;", 32, 32, 0x80000000, 200, 4);
    CHECK(0x12345678, "bfe.u32 %d, %a, %b, %c;", 32, 32, 0x12345678, 0, 255);
    CHECK(0x12345678, "bfe.u32 %d, %a, %b, %c;", 32, 32, 0x12345678, 0x100, 0x120);
    struct op op = {.text = "bfe.s64 %d, %a, 40, 8;", .width = {64, 64, 64, 64}};
    op.src[0][0] = 0x0000800000000000;
    op_run(&op);
    assert_int_equal(op.out[0], 0xFFFFFFFFFFFFFF80u);

    CHECK(0xFFFF12FF, "bfi.b32 %d, %a, %b, 8, 8;", 32, 32, 0x12, 0xFFFFFFFF, 0);
    CHECK(0x1234, "bfi.b32 %d, %a, %b, 32, 8;", 32, 32, 0xFF, 0x1234, 0);
    CHECK(0x1234, "bfi.b32 %d, %a, %b, 4, 0;", 32, 32, 0xFF, 0x1234, 0);
    CHECK(0xF0000000, "bfi.b32 %d, %a, %b, 28, 200;", 32, 32, 0xFF, 0, 0);
    CHECK(0x1234, "bfi.b64 %d, %a, %b, 64, 8;", 64, 64, 0xFF, 0x1234, 0);
    CHECK(0x00AB000000000000, "bfi.b64 %d, %a, %b, 48, 8;", 64, 64, 0xFFAB, 0, 0);
}

static void test_permute(void **state)
{
    (void)state;
    const uint64_t a = 0x83828180, b = 0x87868584;
    CHECK(0x83828180, "prmt.b32 %d, %a, %b, 0x3210;", 32, 32, a, b, 0);
    CHECK(0x80848387, "prmt.b32 %d, %a, %b, 0x0437;", 32, 32, a, b, 0);
    CHECK(0xFFFFFFFF, "prmt.b32 %d, %a, %b, 0xFEDC;", 32, 32, a, b, 0);
    CHECK(0x00000080, "prmt.b32 %d, %a, %b, 0x9990;", 32, 32, 0x7F80, b, 0);
    CHECK(0x84838281, "prmt.b32.f4e %d, %a, %b, 1;", 32, 32, a, b, 0);
    CHECK(0x86858483, "prmt.b32.f4e %d, %a, %b, 7;", 32, 32, a, b, 0);
    CHECK(0x85868780, "prmt.b32.b4e %d, %a, %b, 0;", 32, 32, a, b, 0);
    CHECK(0x80818283, "prmt.b32.b4e %d, %a, %b, 3;", 32, 32, a, b, 0);
    CHECK(0x82828282, "prmt.b32.rc8 %d, %a, %b, 2;", 32, 32, a, b, 0);
    CHECK(0x81808180, "prmt.b32.rc16 %d, %a, %b, 0;", 32, 32, a, b, 0);
    CHECK(0x83828382, "prmt.b32.rc16 %d, %a, %b, 1;", 32, 32, a, b, 0);
    CHECK(0x83828282, "prmt.b32.ecl %d, %a, %b, 2;", 32, 32, a, b, 0);
    CHECK(0x82828180, "prmt.b32.ecr %d, %a, %b, 2;", 32, 32, a, b, 0);
    CHECK(0x7F7F7F80, "prmt.b32 %d, %a, %b, 0x1110;", 32, 32, 0x7F80, b, 0);
}

static void test_funnel(void **state)
{
    (void)state;
    const uint64_t a = 0x12345678, b = 0x9ABCDEF0;
    CHECK(0xABCDEF01, "shf.l.clamp.b32 %d, %a, %b, 4;", 32, 32, a, b, 0);
    CHECK(0x01234567, "shf.r.clamp.b32 %d, %a, %b, 4;", 32, 32, a, b, 0);
    CHECK(a, "shf.l.clamp.b32 %d, %a, %b, 99;", 32, 32, a, b, 0);
    CHECK(b, "shf.r.clamp.b32 %d, %a, %b, 99;", 32, 32, a, b, 0);
    CHECK(0xABCDEF01, "shf.l.wrap.b32 %d, %a, %b, 36;", 32, 32, a, b, 0);
    CHECK(0x01234567, "shf.r.wrap.b32 %d, %a, %b, 36;", 32, 32, a, b, 0);
    CHECK(b, "shf.l.wrap.b32 %d, %a, %b, 32;", 32, 32, a, b, 0);
    CHECK(a, "shf.r.wrap.b32 %d, %a, %b, 32;", 32, 32, a, b, 0);
}

static void test_lop3_dot(void **state)
{
    (void)state;
    const uint64_t a = 0xF0F0F0F0, b = 0xCCCCCCCC, c = 0xAAAAAAAA;
    CHECK(0x80808080, "lop3.b32 %d, %a, %b, %c, 0x80;", 32, 32, a, b, c);
    CHECK(0xFEFEFEFE, "lop3.b32 %d, %a, %b, %c, 0xFE;", 32, 32, a, b, c);
    CHECK(0x1A1A1A1A, "lop3.b32 %d, %a, %b, %c, 0x1A;", 32, 32, a, b, c);
    CHECK(0, "lop3.b32 %d, %a, %b, %c, 0;", 32, 32, a, b, c);
    struct op op = {.text =
                        "setp.lt.u32 %q, %lane, 4; @%q lop3.or.b32 %d|%p, %a, %b, %c, 0x80, !%q;"
                        "lop3.and.b32 _|%q, %a, %b, %c, 0xFE, %p;"};
    op.src[0][0] = op.src[1][0] = op.src[2][0] = 6; /* lane 0: 6; lanes 1 to 3: 0 */
    op_run(&op);
    assert_int_equal(op.out[0], 6);
    assert_int_equal(op.out[4], 0xCCCCCCCC); /* not of the guard */
    assert_int_equal(op.p, 0xFFFFFFF1);
    assert_int_equal(op.q, 1);
    CHECK(1 * 4 + 2 * 3 + 3 * 2 + 4 * 1 + 100, "dp4a.u32.u32 %d, %a, %b, %c;", 32, 32, 0x04030201,
          0x01020304, 100);
    CHECK(-4 * 127 + 5, "dp4a.s32.s32 %d, %a, %b, %c;", 32, 32, 0xFFFFFFFF, 0x7F7F7F7F,
          5 + 0x100000000);
    CHECK(4 * 255 * 127, "dp4a.u32.s32 %d, %a, %b, %c;", 32, 32, 0xFFFFFFFF, 0x7F7F7F7F, 0);
    CHECK(-3 + 8, "dp2a.lo.s32.u32 %d, %a, %b, %c;", 32, 32, 0x0002FFFF, 0x09090403, 0);
    CHECK(7 * 5 + 2 * 6, "dp2a.hi.u32.u32 %d, %a, %b, %c;", 32, 32, 0x00020007, 0x06050403, 0);
}

/* 128-bit addition, subtraction and multiplication out of carries. */
static void test_carry(void **state)
{
    (void)state;
    CHECK(1, "add.cc.u32 %t, %a, %b; addc.u32 %d, 0, 0;", 32, 32, 0xFFFFFFFF, 1, 0);
    CHECK(0, "add.cc.u32 %t, %a, %b; addc.u32 %d, 0, 0;", 32, 32, 0xFFFFFFFE, 1, 0);
    CHECK(1, "add.cc.u32 %t, %a, %b; addc.cc.u32 %t, %c, 0; addc.u32 %d, 0, 0;", 32, 32, 0xFFFFFFFF,
          1, 0xFFFFFFFF);
    CHECK(0xFFFFFFFF, "sub.cc.u32 %t, %a, %b; subc.u32 %d, 0, 0;", 32, 32, 1, 2, 0);
    CHECK(0, "sub.cc.u32 %t, %a, %b; subc.u32 %d, 0, 0;", 32, 32, 2, 2, 0);
    CHECK(0xFFFFFFFF, "sub.cc.u32 %t, %a, %b; subc.cc.u32 %t, 0, 0; subc.u32 %d, 0, 0;", 32, 32, 1,
          2, 0);
    CHECK(1, "mad.lo.cc.u32 %t, %a, %b, %c; madc.hi.u32 %d, %a, 0, 0;", 32, 32, 0xFFFF, 0x10001, 1);
    CHECK(0xFFFFFFFE + 1, "mad.lo.cc.u32 %t, %a, %b, %c; madc.hi.u32 %d, %a, %b, 0;", 32, 32,
          0xFFFFFFFF, 0xFFFFFFFF, 0xFFFFFFFF);
    CHECK(1, "mad.lo.cc.s32 %t, %a, %b, %c; addc.u32 %d, 0, 0;", 32, 32, 0xFFFFFFFF, 2, 2);
    CHECK(0xFFFFFFFF, "mad.hi.cc.s32 %d, %a, %b, 0;", 32, 32, 0xFFFFFFFF, 2, 0);
    CHECK(1, "mad.hi.cc.u32 %d, %a, %b, 0;", 32, 32, 0xFFFFFFFF, 2, 0);
    CHECK(1, "add.cc.u64 %t, %a, %b; addc.u64 %d, 0, 0;", 64, 64, UINT64_MAX, 1, 0);
    CHECK(0xFFFFFFFFFFFFFFFE, "mad.hi.cc.u64 %d, %a, %b, 0;", 64, 64, UINT64_MAX, UINT64_MAX, 0);
    CHECK(0, "mad.hi.cc.s64 %d, %a, %b, 0;", 64, 64, UINT64_MAX, UINT64_MAX, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_arithmetic), cmocka_unit_test(test_counts),
        cmocka_unit_test(test_fields),     cmocka_unit_test(test_permute),
        cmocka_unit_test(test_funnel),     cmocka_unit_test(test_lop3_dot),
        cmocka_unit_test(test_carry),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
