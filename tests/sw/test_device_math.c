/* CUDA's mathematical functions as the headers make them, measured against the host's long double:
 * the maximum ulp error of each must stay within that of the CUDA C++ Programming Guide. */
#include <math.h>
#include <stdio.h>

#include "base/rng.h"
#include "tests/sw/scratch.h"
#include "tests/sw/warp_vm.h"

#define SAMPLES 2048u

struct rig {
    struct vm vm;
    struct module *module;
    struct rng rng;
};

typedef long double (*reference)(long double x, long double y);

enum spread { LINEAR, POWERS }; /* POWERS: the exponent is what is uniform */

struct range {
    double low, high;
    enum spread spread;
};

struct function {
    const char *name;
    reference value;
    double ulp_double, ulp_float;
    struct range x, y;
    double float_low, float_high; /* of x for float, where it differs: 0, 0 if not */
};

#define REFERENCE(name, expression)                                                                \
    static long double ref_##name(long double x, long double y)                                    \
    {                                                                                              \
        (void)y;                                                                                   \
        return expression;                                                                         \
    }
#define PI_L 3.14159265358979323846264338327950288L
REFERENCE(sin, sinl(x))
REFERENCE(cos, cosl(x))
REFERENCE(tan, tanl(x))
static long double turn(long double x)
{
    return remainderl(x, 2);
}
REFERENCE(sinpi, fabsl(turn(x)) > 0.5L ? sinl(PI_L * (copysignl(1, turn(x)) - turn(x)))
                                       : sinl(PI_L * turn(x)))
REFERENCE(cospi, sinl(PI_L *(0.5L - fabsl(turn(x)))))
REFERENCE(asin, asinl(x))
REFERENCE(acos, acosl(x))
REFERENCE(atan, atanl(x))
REFERENCE(sinh, sinhl(x))
REFERENCE(cosh, coshl(x))
REFERENCE(tanh, tanhl(x))
REFERENCE(asinh, asinhl(x))
REFERENCE(acosh, acoshl(x))
REFERENCE(atanh, atanhl(x))
REFERENCE(exp, expl(x))
REFERENCE(exp2, exp2l(x))
REFERENCE(exp10, powl(10, x))
REFERENCE(expm1, expm1l(x))
REFERENCE(log, logl(x))
REFERENCE(log2, log2l(x))
REFERENCE(log10, log10l(x))
REFERENCE(log1p, log1pl(x))
REFERENCE(sqrt, sqrtl(x))
REFERENCE(rsqrt, 1 / sqrtl(x))
REFERENCE(cbrt, cbrtl(x))
REFERENCE(rcbrt, 1 / cbrtl(x))
REFERENCE(erf, erfl(x))
REFERENCE(erfc, erfcl(x))
REFERENCE(erfcx, x > 100 ? (1 - 0.5L / (x * x)) / (x * sqrtl(PI_L)) : expl(x * x) * erfcl(x))
REFERENCE(normcdf, 0.5L * erfcl(-x / sqrtl(2)))
REFERENCE(tgamma, tgammal(x))
REFERENCE(lgamma, lgammal(x))
REFERENCE(j0, j0l(x))
REFERENCE(j1, j1l(x))
REFERENCE(y0, y0l(x))
REFERENCE(y1, y1l(x))
REFERENCE(floor, floorl(x))
REFERENCE(ceil, ceill(x))
REFERENCE(trunc, truncl(x))
REFERENCE(round, roundl(x))
REFERENCE(rint, rintl(x))
REFERENCE(nearbyint, rintl(x))
REFERENCE(logb, logbl(x))
REFERENCE(fabs, fabsl(x))
REFERENCE(pow, powl(x, y))
REFERENCE(atan2, atan2l(x, y))
REFERENCE(hypot, hypotl(x, y))
REFERENCE(rhypot, 1 / hypotl(x, y))
REFERENCE(fmod, fmodl(x, y))
REFERENCE(remainder, remainderl(x, y))
REFERENCE(fdim, fdiml(x, y))
REFERENCE(fmin, fminl(x, y))
REFERENCE(fmax, fmaxl(x, y))
REFERENCE(copysign, copysignl(x, y))

/* Newton's method on the host's function; the start is good to a few digits. */
static long double inverse_erfc(long double tail)
{
    if (tail <= 0)
        return tail < 0 ? NAN : INFINITY;
    long double ln = logl(tail * (2 - tail)), b = 4.3307467508L + 0.5L * ln;
    long double x = sqrtl(sqrtl(b * b - ln / 0.147L) - b);
    for (int i = 0; i < 6; i++) {
        long double rest = (erfcl(x) - tail) / (2 / sqrtl(PI_L) * expl(-x * x));
        x += rest / (1 - x * rest);
    }
    return x;
}
static long double inverse_erf(long double y)
{
    long double a = fabsl(y), x = a * 0.886L;
    if (a > 0.5L)
        return copysignl(inverse_erfc(1 - a), y);
    for (int i = 0; i < 8; i++)
        x -= (erfl(x) - a) / (2 / sqrtl(PI_L) * expl(-x * x));
    return copysignl(x, y);
}
REFERENCE(erfinv, inverse_erf(x))
REFERENCE(erfcinv, x<0.5L ? inverse_erfc(x) : x> 1.5L ? -inverse_erfc(2 - x) : inverse_erf(1 - x))
REFERENCE(normcdfinv, -sqrtl(2) * ref_erfcinv(2 * x, 0))

#define F(name) #name, ref_##name
#define X(...)                                                                                     \
    {                                                                                              \
        __VA_ARGS__, LINEAR                                                                        \
    }
#define P(...)                                                                                     \
    {                                                                                              \
        __VA_ARGS__, POWERS                                                                        \
    }
#define NO_Y                                                                                       \
    {                                                                                              \
        0, 0, LINEAR                                                                               \
    }
static const struct function functions[] = {
    {F(sin), 2, 2, X(-7, 7), NO_Y, 0, 0},
    {F(sin), 2, 2, P(1e-10, 1e300), NO_Y, 1e-10, 1e38},
    {F(cos), 2, 2, X(-7, 7), NO_Y, 0, 0},
    {F(cos), 2, 2, P(1e-10, 1e300), NO_Y, 1e-10, 1e38},
    {F(tan), 2, 4, X(-7, 7), NO_Y, 0, 0},
    {F(tan), 2, 4, P(1e-10, 1e300), NO_Y, 1e-10, 1e38},
    {F(sinpi), 2, 2, X(-9, 9), NO_Y, 0, 0},
    {F(cospi), 2, 2, X(-9, 9), NO_Y, 0, 0},
    {F(asin), 2, 4, X(-1, 1), NO_Y, 0, 0},
    {F(acos), 2, 3, X(-1, 1), NO_Y, 0, 0},
    {F(atan), 2, 2, X(-9, 9), NO_Y, 0, 0},
    {F(atan), 2, 2, P(1e-8, 1e30), NO_Y, 0, 0},
    {F(sinh), 2, 3, X(-12, 12), NO_Y, 0, 0},
    {F(sinh), 2, 3, X(-709, 709), NO_Y, -89, 89},
    {F(cosh), 1, 2, X(-12, 12), NO_Y, 0, 0},
    {F(tanh), 2, 2, X(-10, 10), NO_Y, 0, 0},
    {F(tanh), 2, 2, P(1e-9, 1), NO_Y, 0, 0},
    {F(asinh), 3, 3, X(-9, 9), NO_Y, 0, 0},
    {F(asinh), 3, 3, P(1e-9, 1e30), NO_Y, 0, 0},
    {F(acosh), 3, 4, X(1, 9), NO_Y, 0, 0},
    {F(acosh), 3, 4, P(1, 1e30), NO_Y, 0, 0},
    {F(atanh), 2, 3, X(-1, 1), NO_Y, 0, 0},
    {F(exp), 1, 2, X(-745, 709), NO_Y, -103, 88.7},
    {F(exp), 1, 2, X(-2, 2), NO_Y, 0, 0},
    {F(exp2), 1, 2, X(-1070, 1023), NO_Y, -148, 127.9},
    {F(exp10), 1, 2, X(-322, 308), NO_Y, -44.8, 38.5},
    {F(expm1), 1, 1, X(-5, 9), NO_Y, 0, 0},
    {F(expm1), 1, 1, P(1e-9, 1), NO_Y, 0, 0},
    {F(log), 1, 1, P(1e-320, 1e308), NO_Y, 1e-44, 1e38},
    {F(log), 1, 1, X(0.5, 2), NO_Y, 0, 0},
    {F(log2), 1, 1, P(1e-320, 1e308), NO_Y, 1e-44, 1e38},
    {F(log2), 1, 1, X(0.5, 2), NO_Y, 0, 0},
    {F(log10), 1, 2, P(1e-320, 1e308), NO_Y, 1e-44, 1e38},
    {F(log10), 1, 2, X(0.5, 2), NO_Y, 0, 0},
    {F(log1p), 1, 1, X(-0.99, 3), NO_Y, 0, 0},
    {F(log1p), 1, 1, P(1e-12, 1e30), NO_Y, 0, 0},
    {F(sqrt), 0.5, 0.5, P(1e-320, 1e308), NO_Y, 1e-44, 1e38},
    {F(rsqrt), 1, 2, P(1e-320, 1e308), NO_Y, 1e-44, 1e38},
    {F(cbrt), 1, 1, P(1e-320, 1e308), NO_Y, 1e-44, 1e38},
    {F(rcbrt), 1, 1, P(1e-320, 1e308), NO_Y, 1e-44, 1e38},
    {F(erf), 2, 2, X(-6, 6), NO_Y, 0, 0},
    {F(erf), 2, 2, P(1e-9, 1), NO_Y, 0, 0},
    {F(erfc), 5, 4, X(-4, 26), NO_Y, -4, 10},
    {F(erfcx), 4, 4, X(-5, 30), NO_Y, 0, 0},
    {F(erfinv), 5, 3, X(-1, 1), NO_Y, 0, 0},
    {F(erfcinv), 6, 4, P(1e-300, 2), NO_Y, 1e-37, 2},
    {F(normcdf), 5, 5, X(-37, 8), NO_Y, -13, 6},
    {F(normcdfinv), 8, 5, X(0, 1), NO_Y, 0, 0},
    {F(normcdfinv), 8, 5, P(1e-300, 1), NO_Y, 1e-37, 1},
    {F(tgamma), 10, 5, X(0.01, 171), NO_Y, 0.01, 35},
    {F(tgamma), 10, 5, X(-20.5, 5), NO_Y, 0, 0},
    {F(lgamma), 4, 6, X(0.01, 20), NO_Y, 0, 0},
    {F(lgamma), 4, 6, P(1e-9, 1e300), NO_Y, 1e-9, 1e30},
    {F(j0), 7, 9, X(-8, 8), NO_Y, 0, 0},
    {F(j1), 7, 9, X(-8, 8), NO_Y, 0, 0},
    {F(y0), 7, 9, X(0.001, 8), NO_Y, 0, 0},
    {F(y1), 7, 9, X(0.001, 8), NO_Y, 0, 0},
    {F(floor), 0, 0, P(0.1, 1e20), NO_Y, 0, 0},
    {F(ceil), 0, 0, P(0.1, 1e20), NO_Y, 0, 0},
    {F(trunc), 0, 0, X(-9, 9), NO_Y, 0, 0},
    {F(round), 0, 0, X(-9, 9), NO_Y, 0, 0},
    {F(rint), 0, 0, X(-9, 9), NO_Y, 0, 0},
    {F(nearbyint), 0, 0, X(-9, 9), NO_Y, 0, 0},
    {F(logb), 0, 0, P(1e-320, 1e308), NO_Y, 1e-44, 1e38},
    {F(fabs), 0, 0, X(-9, 9), NO_Y, 0, 0},
    {F(pow), 2, 8, P(1e-3, 1e3), X(-30, 30), 1e-1, 1e1},
    {F(pow), 2, 8, X(0.9, 1.1), X(-5000, 5000), 0.9, 1.1},
    {F(atan2), 2, 3, X(-3, 3), X(-3, 3), 0, 0},
    {F(atan2), 2, 3, P(1e-9, 1e9), P(1e-9, 1e9), 0, 0},
    {F(hypot), 2, 3, P(1e-300, 1e300), P(1e-9, 1e9), 1e-35, 1e35},
    {F(rhypot), 1, 2, X(0.1, 9), X(-9, 9), 0, 0},
    {F(fmod), 0, 0, P(1e-9, 1e30), P(1e-9, 1e9), 0, 0},
    {F(remainder), 0, 0, P(1e-9, 1e30), P(1e-9, 1e9), 0, 0},
    {F(fdim), 0.5, 0.5, X(-3, 3), X(-3, 3), 0, 0},
    {F(fmin), 0, 0, X(-3, 3), X(-3, 3), 0, 0},
    {F(fmax), 0, 0, X(-3, 3), X(-3, 3), 0, 0},
    {F(copysign), 0, 0, X(-3, 3), X(-3, 3), 0, 0},
};

static double draw(struct rig *r, struct range range)
{
    double u = (double)(rng_u64(&r->rng) >> 11) * 0x1p-53;
    if (range.spread == LINEAR)
        return range.low + u * (range.high - range.low);
    return exp(log(range.low) + u * (log(range.high) - log(range.low)));
}

static void launch(struct rig *r, const char *name, uint64_t x, uint64_t y, uint64_t out,
                   uint32_t blocks)
{
    struct vm_params p = {.kernel = module_kernel(r->module, name)};
    if (!p.kernel || p.kernel->defect)
        fail_msg("%s: %s", name, p.kernel ? p.kernel->defect : "no such kernel");
    vm_set(&p, 0, x);
    vm_set(&p, 1, y);
    vm_set(&p, 2, out);
    struct vm_launch l = {p.kernel, {blocks, 1, 1}, {WARP_SIZE, 1, 1}, 0, p.bytes};
    vm_run(&r->vm, &l);
}

/* Distance in units in the last place of the reference. */
static double ulps(long double got, long double want, bool single)
{
    int e;
    if (isnan(want) || isnan(got))
        return isnan(want) && isnan(got) ? 0 : INFINITY;
    if (got == want)
        return 0;
    long double limit = single ? 0x1.ffffffp127L : 0x1.fffffffffffff8p1023L;
    if (fabsl(want) >= limit)
        return isinf(got) && (got > 0) == (want > 0) ? 0 : INFINITY;
    (void)frexpl(want, &e);
    int least = single ? -149 : -1074, last = e - (single ? 24 : 53);
    return (double)fabsl(ldexpl(got - want, -(last < least ? least : last)));
}

static bool check(struct rig *r, const struct function *f, bool single)
{
    uint32_t bytes = single ? 4 : 8;
    uint64_t x = vm_alloc(&r->vm, SAMPLES * bytes, 256), y = vm_alloc(&r->vm, SAMPLES * bytes, 256),
             out = vm_alloc(&r->vm, SAMPLES * bytes, 256);
    struct range range = f->x;
    if (single && f->float_high != 0) {
        range.low = f->float_low;
        range.high = f->float_high;
    }
    for (uint32_t i = 0; i < SAMPLES; i++) {
        double a = draw(r, range), b = f->y.high != 0 ? draw(r, f->y) : 0;
        float fa = (float)a, fb = (float)b;
        memcpy(r->vm.memory + x + i * bytes, single ? (void *)&fa : (void *)&a, bytes);
        memcpy(r->vm.memory + y + i * bytes, single ? (void *)&fb : (void *)&b, bytes);
    }
    char name[32];
    snprintf(name, sizeof name, "%c_%s", single ? 'f' : 'd', f->name);
    launch(r, name, x, y, out, SAMPLES / WARP_SIZE);
    double worst = 0, at = 0, at_y = 0;
    for (uint32_t i = 0; i < SAMPLES; i++) {
        const uint8_t *m = r->vm.memory;
        float s[3];
        double d[3];
        for (int k = 0; k < 3; k++) {
            memcpy(&s[k], m + (k == 0 ? x : k == 1 ? y : out) + i * 4, 4);
            memcpy(&d[k], m + (k == 0 ? x : k == 1 ? y : out) + (single ? 0 : i * 8), 8);
            if (single)
                d[k] = s[k];
        }
        double error = ulps(d[2], f->value(d[0], d[1]), single);
        if (error > worst) {
            worst = error;
            at = d[0];
            at_y = d[1];
        }
    }
    double most = single ? f->ulp_float : f->ulp_double;
    if (getenv("EVGPU_SHOW_ULPS"))
        print_message("%-14s %.3f of %g at %a\n", name, worst, most, at);
    if (worst > most)
        print_error("%s: %.3f ulp, at most %g; at %a (%.9g), %a\n", name, worst, most, at, at,
                    at_y);
    return worst <= most;
}

static void start(struct rig *r, void **state, const char *options)
{
    struct scratch_path ptx = scratch_path(state, *options ? "fast.ptx" : "math.ptx");
    char command[1200];
    if (system("command -v clang++-14 >/dev/null 2>&1") != 0) {
        print_message("skipped: clang++-14 is not installed (package clang-14)\n");
        skip();
    }
    snprintf(command, sizeof command, "sw/cu2ptx.sh tests/sw/cuda/device_math.cu '%s' %s", ptx.text,
             options);
    if (access(ptx.text, R_OK) != 0)
        assert_int_equal(system(command), 0);
    r->vm = vm_create(64u << 20);
    r->module = vm_load(&r->vm, ptx.text);
    rng_seed(&r->rng, 10);
}

static void stop(struct rig *r)
{
    module_free(r->module);
    free(r->vm.memory);
}

static void test_accuracy(void **state)
{
    struct rig r;
    bool ok = true;
    start(&r, state, "");
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++) {
        uint64_t top = r.vm.brk;
        ok &= check(&r, &functions[i], false);
        ok &= check(&r, &functions[i], true);
        r.vm.brk = top;
    }
    stop(&r);
    assert_true(ok);
}

/* Infinities, NaN, zeros, subnormals: the same class and sign as the host's. */
static void test_special_values(void **state)
{
    static const double values[] = {0.0,  -0.0, INFINITY, -INFINITY, NAN,    1,    -1, 5e-324,
                                    -0.5, 2,    -2,       1e308,     -1e308, 1e-5, 3,  -7.5};
    struct rig r;
    bool ok = true;
    start(&r, state, "");
    uint64_t x = vm_alloc(&r.vm, 256 * 8, 256), y = vm_alloc(&r.vm, 256 * 8, 256),
             out = vm_alloc(&r.vm, 256 * 8, 256);
    for (uint32_t i = 0; i < 256; i++) {
        memcpy(r.vm.memory + x + i * 8, &values[i % 16], 8);
        memcpy(r.vm.memory + y + i * 8, &values[i / 16], 8);
    }
    for (size_t f = 0; f < sizeof functions / sizeof *functions; f++) {
        char name[32];
        if (f && functions[f].value == functions[f - 1].value)
            continue;
        snprintf(name, sizeof name, "d_%s", functions[f].name);
        launch(&r, name, x, y, out, 8);
        uint32_t pairs = functions[f].y.high != 0 ? 256 : 16;
        for (uint32_t i = 0; i < pairs; i++) {
            double got, a = values[i % 16], b = functions[f].y.high != 0 ? values[i / 16] : 0;
            memcpy(&got, r.vm.memory + out + i * 8, 8);
            double want = (double)functions[f].value(a, b);
            bool same = isnan(want) ? isnan(got)
                                    : signbit(got) == signbit(want) &&
                                          ulps(got, want, false) <= functions[f].ulp_double + 0.5;
            bool zero = want == 0 && got == 0 && strstr("cospi sinpi fmin fmax", functions[f].name);
            bool loose = fabs(a) > 1e300 && strstr("sinpi cospi y0 y1 j0 j1", functions[f].name);
            if (same || zero || loose)
                continue;
            print_error("%s(%g, %g) = %a, host: %a\n", functions[f].name, a, b, got, want);
            ok = false;
        }
    }
    stop(&r);
    assert_true(ok);
}

#define PARTS_OF(T, single)                                                                        \
    for (uint32_t i = 0; i < 256; i++) {                                                           \
        T a, b, o[16];                                                                             \
        int e, q;                                                                                  \
        memcpy(&a, r.vm.memory + x + i * sizeof(T), sizeof(T));                                    \
        memcpy(&b, r.vm.memory + y + i * sizeof(T), sizeof(T));                                    \
        memcpy(o, r.vm.memory + out + i * sizeof o, sizeof o);                                     \
        long double whole, m = frexpl(a, &e), f = modfl(a, &whole), rest = remquol(a, b, &q);      \
        assert_true(o[0] == m && (o[1] == e) && o[2] == f && o[3] == whole && o[4] == rest);       \
        assert_int_equal((int)o[5], q & 7);                                                        \
        assert_true(ulps(o[6], sinl(a), single) <= 2 && ulps(o[7], cosl(a), single) <= 2);         \
        assert_true(o[8] == (T)ldexpl(a, (int)b) && o[9] == ilogbl(a));                            \
        if (fabsl(a) < 1e18L)                                                                      \
            assert_true(o[10] == (T)llrintl(a) && o[11] == (T)llroundl(a));                        \
        assert_int_equal((int)o[12], 4 + (a < 0 ? 8 : 0));                                         \
        long double bessel = single ? 2.2e-6L : 5e-12L;                                            \
        assert_true(fabsl(o[14] - jnl(3, a)) < bessel);                                            \
        if (fabsl(a) > 1)                                                                          \
            assert_true(fabsl(o[15] - ynl(3, fabsl(a))) < 8 * bessel);                             \
        assert_true(o[13] == (single ? (T)fmaf((float)a, (float)b, (float)a)                       \
                                     : (T)fma((double)a, (double)b, (double)a)));                  \
    }

static void test_parts(void **state)
{
    struct rig r;
    start(&r, state, "");
    uint64_t x = vm_alloc(&r.vm, 256 * 8, 256), y = vm_alloc(&r.vm, 256 * 8, 256),
             out = vm_alloc(&r.vm, 256 * 16 * 8, 256);
    for (int single = 0; single < 2; single++) {
        for (uint32_t i = 0; i < 256; i++) {
            double a = draw(&r, (struct range){1e-6, 1e6, POWERS}),
                   b = draw(&r, (struct range)X(-60, 60));
            a = i & 1 ? -a : a;
            float fa = (float)a, fb = (float)b;
            if (single) {
                memcpy(r.vm.memory + x + i * 4, &fa, 4);
                memcpy(r.vm.memory + y + i * 4, &fb, 4);
            } else {
                memcpy(r.vm.memory + x + i * 8, &a, 8);
                memcpy(r.vm.memory + y + i * 8, &b, 8);
            }
        }
        launch(&r, single ? "f_parts" : "d_parts", x, y, out, 8);
        if (single)
            PARTS_OF(float, true)
        else
            PARTS_OF(double, false)
    }
    stop(&r);
}

/* The fast forms: the hardware's functions, within the guide's absolute and relative errors. */
static void test_fast_forms(void **state)
{
    struct rig r;
    start(&r, state, "-Xclang -fcuda-approx-transcendentals");
    uint64_t x = vm_alloc(&r.vm, 256 * 4, 256), out = vm_alloc(&r.vm, 256 * 4, 256);
    static const char *const names[] = {"f_sin", "f_cos", "f_exp", "f_log", "f_log2", "f_log10"};
    static const reference values[] = {ref_sin, ref_cos, ref_exp, ref_log, ref_log2, ref_log10};
    for (uint32_t i = 0; i < 256; i++) {
        float a = (float)draw(&r, (struct range)X(0.1, 3));
        memcpy(r.vm.memory + x + i * 4, &a, 4);
    }
    for (int f = 0; f < 6; f++) {
        launch(&r, names[f], x, x, out, 8);
        for (uint32_t i = 0; i < 256; i++) {
            float a, got;
            memcpy(&a, r.vm.memory + x + i * 4, 4);
            memcpy(&got, r.vm.memory + out + i * 4, 4);
            long double want = values[f](a, 0);
            assert_true(fabsl(got - want) < 0x1p-20L * (1 + fabsl(want)));
        }
        assert_true(module_kernel(r.module, names[f])->n_inst < 24);
    }
    stop(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_accuracy),
        cmocka_unit_test(test_special_values),
        cmocka_unit_test(test_parts),
        cmocka_unit_test(test_fast_forms),
    };
    return cmocka_run_group_tests(tests, scratch_create, scratch_remove);
}
