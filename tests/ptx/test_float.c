/* Floating-point arithmetic against exact values and the special cases of the PTX ISA. */
#include <math.h>

#include "base/rng.h"
#include "tests/ptx/op.h"

#define NAN32  0x7FFFFFFFu
#define NAN64  0x7FF8000000000000u
#define INF32  0x7F800000u
#define NINF32 0xFF800000u
#define INF64  0x7FF0000000000000u

static uint32_t bits32(float f)
{
    uint32_t u;
    memcpy(&u, &f, sizeof u);
    return u;
}

static float float32(uint64_t bits)
{
    uint32_t u = (uint32_t)bits;
    float f;
    memcpy(&f, &u, sizeof f);
    return f;
}

static double float64(uint64_t bits)
{
    double d;
    memcpy(&d, &bits, sizeof d);
    return d;
}

static uint64_t bits64(double d)
{
    uint64_t u;
    memcpy(&u, &d, sizeof u);
    return u;
}

/* --- round to nearest, special values ------------------------------------------------------------
 */

static void test_special_values(void **state)
{
    (void)state;
    CHECK(NAN32, "add.f32 %d, %a, %b;", 32, 32, INF32, NINF32, 0);
    CHECK(NAN32, "add.f32 %d, %a, %b;", 32, 32, 0x7FC12345, bits32(1), 0);
    CHECK(NAN32, "mul.f32 %d, %a, %b;", 32, 32, INF32, 0, 0);
    CHECK(NAN32, "fma.rn.f32 %d, %a, %b, %c;", 32, 32, INF32, 0, 0x7FC00001);
    CHECK(NAN32, "div.rn.f32 %d, %a, %b;", 32, 32, 0, 0, 0);
    CHECK(NINF32, "div.rn.f32 %d, %a, %b;", 32, 32, bits32(-1), 0, 0);
    CHECK(NAN32, "sqrt.rn.f32 %d, %a;", 32, 32, bits32(-1), 0, 0);
    CHECK(0x80000000, "sqrt.rn.f32 %d, %a;", 32, 32, 0x80000000, 0, 0);
    CHECK(INF32, "rcp.rn.f32 %d, %a;", 32, 32, 0, 0, 0);
    CHECK(NAN64, "add.f64 %d, %a, %b;", 64, 64, INF64, bits64(-(double)INFINITY), 0);
    CHECK(NAN64, "sqrt.rn.f64 %d, %a;", 64, 64, bits64(-1), 0, 0);
    CHECK(INF64, "rcp.rn.f64 %d, %a;", 64, 64, 0, 0, 0);
    CHECK(0x80000000, "neg.f32 %d, %a;", 32, 32, 0, 0, 0);
    CHECK(bits64(2.5), "abs.f64 %d, %a;", 64, 64, bits64(-2.5), 0, 0);
    CHECK(bits32(-3), "copysign.f32 %d, %a, %b;", 32, 32, bits32(-1), bits32(3), 0);
    CHECK(bits64(3), "copysign.f64 %d, %a, %b;", 64, 64, bits64(1), bits64(-3), 0);
    /* One rounding, not two. */
    CHECK(bits32(fmaf(1.0000001f, 1.0000001f, -1.0000002f)), "fma.rn.f32 %d, %a, %b, %c;", 32, 32,
          bits32(1.0000001f), bits32(1.0000001f), bits32(-1.0000002f));
    volatile float product = 1.0000001f * 1.0000001f;
    CHECK(bits32(product - 1.0000002f), "mul.rn.f32 %t, %a, %b; add.rn.f32 %d, %t, %c;", 32, 32,
          bits32(1.0000001f), bits32(1.0000001f), bits32(-1.0000002f));
}

static void test_min_max(void **state)
{
    (void)state;
    CHECK(bits32(1), "min.f32 %d, %a, %b;", 32, 32, 0x7FC00000, bits32(1), 0);
    CHECK(bits32(1), "max.f32 %d, %a, %b;", 32, 32, bits32(1), 0x7F800001, 0);
    CHECK(NAN32, "min.f32 %d, %a, %b;", 32, 32, 0x7FC00000, 0xFFC00000, 0);
    CHECK(0x80000000, "min.f32 %d, %a, %b;", 32, 32, 0, 0x80000000, 0);
    CHECK(0x80000000, "min.f32 %d, %a, %b;", 32, 32, 0x80000000, 0, 0);
    CHECK(0, "max.f32 %d, %a, %b;", 32, 32, 0x80000000, 0, 0);
    CHECK(0, "max.f32 %d, %a, %b;", 32, 32, 0, 0x80000000, 0);
    CHECK(NINF32, "min.f32 %d, %a, %b;", 32, 32, NINF32, bits32(-5), 0);
    CHECK(0, "max.ftz.f32 %d, %a, %b;", 32, 32, 1, 0x80000001, 0);
    CHECK(NAN32, "min.NaN.f32 %d, %a, %b;", 32, 32, 0x7FC00000, bits32(1), 0);
    CHECK(bits32(-2), "min.NaN.f32 %d, %a, %b;", 32, 32, bits32(-2), bits32(1), 0);
    CHECK(bits32(1), "max.NaN.f32 %d, %a, %b;", 32, 32, bits32(-2), bits32(1), 0);
    CHECK(bits64(1), "max.f64 %d, %a, %b;", 64, 64, bits64((double)NAN), bits64(1), 0);
    CHECK(1ull << 63, "min.f64 %d, %a, %b;", 64, 64, 0, 1ull << 63, 0);
    CHECK(NAN64, "max.f64 %d, %a, %b;", 64, 64, NAN64, NAN64 | 5, 0);
}

static void test_flush_and_saturate(void **state)
{
    (void)state;
    CHECK(1, "add.f32 %d, %a, %b;", 32, 32, 1, 0, 0);
    CHECK(0, "add.ftz.f32 %d, %a, %b;", 32, 32, 1, 0, 0);
    CHECK(0x80000000, "mul.ftz.f32 %d, %a, %b;", 32, 32, 0x80000001, bits32(1), 0);
    CHECK(0, "mul.ftz.f32 %d, %a, %b;", 32, 32, bits32(0x1p-100f), bits32(0x1p-30f), 0);
    CHECK(bits32(0x1p-130f), "mul.f32 %d, %a, %b;", 32, 32, bits32(0x1p-100f), bits32(0x1p-30f), 0);
    CHECK(bits32(2), "fma.rn.ftz.f32 %d, %a, %b, %c;", 32, 32, 0x007FFFFF, bits32(0x1p127f),
          bits32(2));
    CHECK(bits32(1), "add.sat.f32 %d, %a, %b;", 32, 32, bits32(1), bits32(2), 0);
    CHECK(0, "add.sat.f32 %d, %a, %b;", 32, 32, bits32(-1), bits32(0.5f), 0);
    CHECK(0, "mul.sat.f32 %d, %a, %b;", 32, 32, INF32, 0, 0);
    CHECK(bits32(0.5f), "sub.sat.f32 %d, %a, %b;", 32, 32, bits32(1), bits32(0.5f), 0);
    CHECK(0, "fma.rn.sat.f32 %d, %a, %b, %c;", 32, 32, 0x80000000, bits32(1), 0x80000000);
    CHECK(INF32, "rcp.approx.ftz.f32 %d, %a;", 32, 32, 1, 0, 0);
    CHECK(bits32(0x1p-126f), "sub.ftz.f32 %d, %a, %b;", 32, 32, bits32(0x1p-126f), 5, 0);
}

/* --- directed rounding ---------------------------------------------------------------------------
 */

/* The rounded result of an exact quad value: each bound is checked with its neighbour. */
static bool rounds_f32(float r, __float128 exact, char mode)
{
    __float128 v = r;
    if (mode == 'z')
        mode = exact < 0 ? 'p' : 'm';
    if (mode == 'm')
        return v <= exact && (__float128)nextafterf(r, INFINITY) > exact;
    return v >= exact && (__float128)nextafterf(r, -INFINITY) < exact;
}

static bool rounds_f64(double r, __float128 exact, char mode)
{
    __float128 v = r;
    if (mode == 'z')
        mode = exact < 0 ? 'p' : 'm';
    if (mode == 'm')
        return v <= exact && (__float128)nextafter(r, (double)INFINITY) > exact;
    return v >= exact && (__float128)nextafter(r, -(double)INFINITY) < exact;
}

enum { ADD, SUB, MUL, FMA, DIV, SQRT, KINDS };

/* Division and roots are not exact in quad either, but 113 bits decide between 53-bit neighbours
 * wherever the quotient or root is not itself a 53-bit number, and are exact where it is. */
static __float128 exact_of(int kind, __float128 a, __float128 b, __float128 c)
{
    switch (kind) {
    case ADD:
        return a + b;
    case SUB:
        return a - b;
    case MUL:
        return a * b;
    case FMA:
        return a * b + c;
    default:
        return a / b;
    }
}

static void directed(int kind, char mode, bool wide, struct rng *rng)
{
    static const char *const forms[] = {
        "add.r%c.f%d %%d, %%a, %%b;", "sub.r%c.f%d %%d, %%a, %%b;", "mul.r%c.f%d %%d, %%a, %%b;",
        "fma.r%c.f%d %%d, %%a, %%b, %%c;", "div.r%c.f%d %%d, %%a, %%b;"};
    char text[64];
    uint32_t w = wide ? 64 : 32;
    snprintf(text, sizeof text, forms[kind], mode, (int)w);
    struct op op = {.text = text, .width = {w, w, w, w}};
    for (uint32_t n = 0; n < 3; n++)
        for (uint32_t i = 0; i < LANES; i++) {
            /* Exponents within 2^-10 .. 2^10, so that sums are exact in quad. */
            uint64_t r = rng_u64(rng), sign = r >> 63, e = rng_below(rng, 21);
            op.src[n][i] = wide ? sign << 63 | (1013 + e) << 52 | (r & 0xFFFFFFFFFFFFFull)
                                : sign << 31 | (117 + e) << 23 | (r & 0x7FFFFF);
        }
    op_run(&op);
    for (uint32_t i = 0; i < LANES; i++) {
        uint64_t a = op.src[0][i], b = op.src[1][i], c = op.src[2][i];
        bool ok = wide ? rounds_f64(float64(op.out[i]),
                                    exact_of(kind, float64(a), float64(b), float64(c)), mode)
                       : rounds_f32(float32(op.out[i]),
                                    exact_of(kind, float32(a), float32(b), float32(c)), mode);
        if (!ok)
            fail_msg("%s of %llx, %llx, %llx: %llx", text, (unsigned long long)a,
                     (unsigned long long)b, (unsigned long long)c, (unsigned long long)op.out[i]);
    }
}

static void test_directed_rounding(void **state)
{
    (void)state;
    struct rng rng;
    rng_seed(&rng, 11);
    for (int kind = ADD; kind <= DIV; kind++)
        for (const char *mode = "zmp"; *mode; mode++)
            for (int round = 0; round < 8; round++)
                directed(kind, *mode, round & 1, &rng);
    CHECK(0x80000000, "sub.rm.f32 %d, %a, %b;", 32, 32, bits32(1), bits32(1), 0);
    CHECK(0, "sub.rp.f32 %d, %a, %b;", 32, 32, bits32(1), bits32(1), 0);
    CHECK(0x7F7FFFFF, "mul.rz.f32 %d, %a, %b;", 32, 32, bits32(0x1p100f), bits32(0x1p100f), 0);
    CHECK(0x7F7FFFFF, "mul.rm.f32 %d, %a, %b;", 32, 32, bits32(0x1p100f), bits32(0x1p100f), 0);
    CHECK(INF32, "mul.rp.f32 %d, %a, %b;", 32, 32, bits32(0x1p100f), bits32(0x1p100f), 0);
    CHECK(1, "mul.rp.f32 %d, %a, %b;", 32, 32, bits32(0x1p-100f), bits32(0x1p-100f), 0);
    CHECK(0, "mul.rm.f32 %d, %a, %b;", 32, 32, bits32(0x1p-100f), bits32(0x1p-100f), 0);
    CHECK(bits32(1) + 1, "add.rp.f32 %d, %a, %b;", 32, 32, bits32(1), bits32(0x1p-149f), 0);
    CHECK(bits32(1) - 1, "add.rz.f32 %d, %a, %b;", 32, 32, bits32(1), bits32(-0x1p-149f), 0);
    CHECK(bits32(1.41421354f), "sqrt.rm.f32 %d, %a;", 32, 32, bits32(2), 0, 0);
    CHECK(bits32(1.41421354f) + 1, "sqrt.rp.f32 %d, %a;", 32, 32, bits32(2), 0, 0);
    CHECK(bits32(0.333333313f), "rcp.rz.f32 %d, %a;", 32, 32, bits32(3), 0, 0);
    CHECK(bits64(1.0 / 3) + 1, "rcp.rp.f64 %d, %a;", 64, 64, bits64(3), 0, 0);
    CHECK(bits64(1) + 1, "fma.rp.f64 %d, %a, %b, %c;", 64, 64, bits64(1), bits64(1),
          bits64(0x1p-1000));
}

/* The host's rounding mode is as before afterwards. */
static void test_rounding_mode_restored(void **state)
{
    (void)state;
    (void)op_one("add.rp.f32 %d, %a, %b;", 32, 32, bits32(1), bits32(0x1p-149f), 0);
    volatile float one = 1, tiny = 0x1p-149f;
    assert_true(one + tiny == 1.0f && one - tiny == 1.0f);
}

/* --- approximate functions -----------------------------------------------------------------------
 */

static double rsqrt_of(double x)
{
    return 1 / sqrt(x);
}
static double rcp_of(double x)
{
    return 1 / x;
}
static double same(double x)
{
    return x;
}

/* `ulps` of f32 around the host's value; the ISA's bounds are looser. */
static void sweep(const char *text, double (*reference)(double), double (*map)(double), double from,
                  double to, double ulps)
{
    struct rng rng;
    rng_seed(&rng, 5);
    for (int round = 0; round < 40; round++) {
        struct op op = {.text = text, .width = {32, 32, 32, 32}};
        for (uint32_t i = 0; i < LANES; i++) {
            double u = (double)(rng_u64(&rng) >> 11) * 0x1p-53;
            op.src[0][i] = bits32((float)map(from + (to - from) * u));
        }
        op_run(&op);
        for (uint32_t i = 0; i < LANES; i++) {
            double want = reference((double)float32(op.src[0][i])), got = float32(op.out[i]);
            float near = (float)want;
            double ulp = (double)nextafterf(fabsf(near), INFINITY) - (double)fabsf(near);
            if (fabs(got - want) > ulps * ulp)
                fail_msg("%s of %.9g: %.9g, expected %.9g", text, (double)float32(op.src[0][i]),
                         got, want);
        }
    }
}

static void test_approximations(void **state)
{
    (void)state;
    sweep("sin.approx.f32 %d, %a;", sin, same, -7, 7, 1);
    sweep("cos.approx.f32 %d, %a;", cos, same, -7, 7, 1);
    sweep("sin.approx.f32 %d, %a;", sin, exp2, 3, 127, 1);
    sweep("cos.approx.f32 %d, %a;", cos, exp2, 3, 127, 1);
    sweep("sin.approx.f32 %d, %a;", sin, exp2, -140, -3, 1);
    /* Around the number from which they are computed another way, into their own operand. */
    sweep("mov.b32 %d, %a; sin.approx.f32 %d, %d;", sin, same, -0x1p22, 0x1p22, 0.51);
    sweep("mov.b32 %d, %a; cos.approx.f32 %d, %d;", cos, exp2, 18, 24, 0.51);
    sweep("ex2.approx.f32 %d, %a;", exp2, same, -149, 128, 1);
    sweep("ex2.approx.f32 %d, %a;", exp2, exp2, -60, 0, 1);
    sweep("lg2.approx.f32 %d, %a;", log2, exp2, -149, 127, 1);
    sweep("lg2.approx.f32 %d, %a;", log2, same, 0.9, 1.1, 1);
    sweep("rsqrt.approx.f32 %d, %a;", rsqrt_of, exp2, -149, 127, 1);
    sweep("rcp.approx.f32 %d, %a;", rcp_of, exp2, -126, 126, 1);
    sweep("sqrt.approx.f32 %d, %a;", sqrt, exp2, -149, 127, 1);
    sweep("tanh.approx.f32 %d, %a;", tanh, same, -12, 12, 1);
    sweep("tanh.approx.f32 %d, %a;", tanh, exp2, -140, -2, 1);
}

static void test_approximation_specials(void **state)
{
    (void)state;
    CHECK(NAN32, "sin.approx.f32 %d, %a;", 32, 32, INF32, 0, 0);
    CHECK(0x80000000, "sin.approx.f32 %d, %a;", 32, 32, 0x80000000, 0, 0);
    CHECK(0x80000000, "sin.approx.ftz.f32 %d, %a;", 32, 32, 0x80000001, 0, 0);
    CHECK(bits32(1), "cos.approx.f32 %d, %a;", 32, 32, 1, 0, 0);
    CHECK(NAN32, "cos.approx.f32 %d, %a;", 32, 32, NINF32, 0, 0);
    CHECK(0, "ex2.approx.f32 %d, %a;", 32, 32, NINF32, 0, 0);
    CHECK(INF32, "ex2.approx.f32 %d, %a;", 32, 32, INF32, 0, 0);
    CHECK(bits32(1), "ex2.approx.f32 %d, %a;", 32, 32, 0x80000001, 0, 0);
    CHECK(0, "ex2.approx.ftz.f32 %d, %a;", 32, 32, bits32(-130), 0, 0);
    CHECK(bits32(0x1p-130f), "ex2.approx.f32 %d, %a;", 32, 32, bits32(-130), 0, 0);
    CHECK(NINF32, "lg2.approx.f32 %d, %a;", 32, 32, 0x80000000, 0, 0);
    CHECK(NAN32, "lg2.approx.f32 %d, %a;", 32, 32, bits32(-1), 0, 0);
    CHECK(INF32, "lg2.approx.f32 %d, %a;", 32, 32, INF32, 0, 0);
    CHECK(NINF32, "lg2.approx.ftz.f32 %d, %a;", 32, 32, 7, 0, 0);
    CHECK(bits32(-149), "lg2.approx.f32 %d, %a;", 32, 32, 1, 0, 0);
    CHECK(0, "lg2.approx.f32 %d, %a;", 32, 32, bits32(1), 0, 0);
    CHECK(NINF32, "rcp.approx.f32 %d, %a;", 32, 32, 0x80000000, 0, 0);
    CHECK(0x80000000, "rcp.approx.f32 %d, %a;", 32, 32, NINF32, 0, 0);
    CHECK(NAN32, "rsqrt.approx.f32 %d, %a;", 32, 32, bits32(-1), 0, 0);
    CHECK(NINF32, "rsqrt.approx.f32 %d, %a;", 32, 32, 0x80000000, 0, 0);
    CHECK(0, "rsqrt.approx.f32 %d, %a;", 32, 32, INF32, 0, 0);
    CHECK(INF32, "rsqrt.approx.ftz.f32 %d, %a;", 32, 32, 9, 0, 0);
    CHECK(bits32(-1), "tanh.approx.f32 %d, %a;", 32, 32, NINF32, 0, 0);
    CHECK(bits32(2.5f), "div.full.f32 %d, %a, %b;", 32, 32, bits32(5), bits32(2), 0);
    CHECK(bits32(2.5f), "div.approx.f32 %d, %a, %b;", 32, 32, bits32(5), bits32(2), 0);
    CHECK(0, "div.approx.f32 %d, %a, %b;", 32, 32, bits32(0x1p127f), bits32(0x1.8p126f), 0);
    CHECK(0x80000000, "div.approx.f32 %d, %a, %b;", 32, 32, bits32(1), bits32(-0x1p127f), 0);
    CHECK(NAN32, "div.approx.f32 %d, %a, %b;", 32, 32, INF32, bits32(0x1p127f), 0);
    CHECK(bits64(0.25), "rcp.approx.ftz.f64 %d, %a;", 64, 64, bits64(4), 0, 0);
    CHECK(INF64, "rcp.approx.ftz.f64 %d, %a;", 64, 64, 1, 0, 0);
    CHECK(bits64(0.5), "rsqrt.approx.f64 %d, %a;", 64, 64, bits64(4), 0, 0);
    CHECK(NAN64, "rsqrt.approx.f64 %d, %a;", 64, 64, bits64(-4), 0, 0);
    /* All bits without .ftz, the upper 32 of them with it; 1 / sqrt(3) is 0x3fe279a74590331c. */
    CHECK(0x3fe279a74590331cu, "rsqrt.approx.f64 %d, %a;", 64, 64, bits64(3), 0, 0);
    CHECK(0x3fe279a700000000u, "rsqrt.approx.ftz.f64 %d, %a;", 64, 64, bits64(3), 0, 0);
    CHECK(bits64(0x1p537), "rsqrt.approx.f64 %d, %a;", 64, 64, 1, 0, 0);
    CHECK(INF64, "rsqrt.approx.ftz.f64 %d, %a;", 64, 64, 1, 0, 0);
    CHECK(0, "rsqrt.approx.f64 %d, %a;", 64, 64, INF64, 0, 0);
    CHECK(INF64 | 1ull << 63, "rsqrt.approx.f64 %d, %a;", 64, 64, 1ull << 63, 0, 0);
}

static void test_testp(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        uint32_t value;
        uint32_t expected;
    } cases[] = {
        {"testp.finite.f32 %q, %a;", 0x7F7FFFFF, 1},
        {"testp.finite.f32 %q, %a;", INF32, 0},
        {"testp.infinite.f32 %q, %a;", NINF32, 1},
        {"testp.infinite.f32 %q, %a;", NAN32, 0},
        {"testp.number.f32 %q, %a;", INF32, 1},
        {"testp.number.f32 %q, %a;", 0xFF800001, 0},
        {"testp.notanumber.f32 %q, %a;", 0x7F800001, 1},
        {"testp.notanumber.f32 %q, %a;", 0, 0},
        {"testp.normal.f32 %q, %a;", 0x00800000, 1},
        {"testp.normal.f32 %q, %a;", 0, 0},
        {"testp.subnormal.f32 %q, %a;", 0x807FFFFF, 1},
        {"testp.subnormal.f32 %q, %a;", 0, 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct op op = {.text = cases[i].text, .width = {32, 32, 32, 32}};
        op.src[0][4] = cases[i].value;
        op_run(&op);
        assert_int_equal(op.q >> 4 & 1, cases[i].expected);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_special_values),         cmocka_unit_test(test_min_max),
        cmocka_unit_test(test_flush_and_saturate),     cmocka_unit_test(test_directed_rounding),
        cmocka_unit_test(test_rounding_mode_restored), cmocka_unit_test(test_approximations),
        cmocka_unit_test(test_approximation_specials), cmocka_unit_test(test_testp),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
