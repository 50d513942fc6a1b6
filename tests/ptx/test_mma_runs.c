/* Products of tiles in the version for each processor, alone and in runs, against sums that are
 * made one product after the other (lanes_mma.c says in which order). */
#include <math.h>
#include <string.h>

#include "base/rng.h"
#include "sim/ptx/execute/mma.h"
#include "tests/ptx/machine.h"

#define SIDE   8
#define ROWS   32
#define ROUNDS 200
#define RUN    9

enum kind { F16, BF16, TF32, F64, KINDS };

struct rows {
    uint32_t reg[ROWS][WARP_SIZE];
};

struct version {
    const char *name;
    const struct mma_runs *runs;
};

/* Those that this processor has; the last one has no name. */
static void find_versions(struct version v[4])
{
    size_t n = 0;
    v[n++] = (struct version){"any", &mma_plain};
#ifdef CPU_VERSIONS
    if (__builtin_cpu_supports("x86-64-v3"))
        v[n++] = (struct version){"x86-64-v3", &mma_v3};
    if (__builtin_cpu_supports("x86-64-v4"))
        v[n++] = (struct version){"x86-64-v4", &mma_v4};
#endif
    v[n] = (struct version){NULL, NULL};
}

static mma_run run_of(const struct mma_runs *runs, enum kind kind)
{
    return kind == F16    ? runs->f16
           : kind == BF16 ? runs->bf16
           : kind == TF32 ? runs->tf32
                          : runs->f64;
}

static exec_fn exec_of(enum kind kind)
{
    static exec_fn const of[KINDS] = {lanes_mma_f16, lanes_mma_bf16, lanes_mma_tf32, lanes_mma_f64};
    return of[kind];
}

/* --- by the definition ---------------------------------------------------------------------------
 */

static double float_value(uint32_t bits)
{
    float f;
    memcpy(&f, &bits, sizeof f);
    return (double)f;
}

static double double_value(const struct rows *r, uint32_t row, uint32_t lane)
{
    const uint64_t bits = r->reg[row][lane] | (uint64_t)r->reg[row + 1][lane] << 32;
    double d;
    memcpy(&d, &bits, sizeof d);
    return d;
}

/* Element k of line `line` of a, or of b by its columns. */
static double element(const struct rows *r, enum kind kind, uint32_t row, uint32_t line, uint32_t k)
{
    const uint32_t *words = &r->reg[row][4 * line];
    const uint32_t half = words[k / 2 % 4] >> 16 * (k % 2) & 0xFFFF;
    switch (kind) {
    case F16:
        return half_to_double(half);
    case BF16:
        return float_value(half << 16);
    case TF32:
        return float_value(words[k] & ~0x1FFFu);
    default:
        return double_value(r, row, 4 * line + k);
    }
}

static double sum_before(const struct rows *r, enum kind kind, const struct inst *inst,
                         uint32_t lane, uint32_t n)
{
    if (kind == F64)
        return double_value(r, inst->op.src[2 + n], lane);
    if (inst->op.type == PTX_F16)
        return half_to_double(r->reg[inst->op.src[2]][lane] >> 16 * n & 0xFFFF);
    return float_value(r->reg[inst->op.src[2 + n]][lane]);
}

static void put_sum(struct rows *r, enum kind kind, const struct inst *inst, uint32_t lane,
                    const double sum[2])
{
    for (uint32_t n = 0; n < 2; n++) {
        uint32_t *d = r->reg[inst->op.dst[n]];
        const float f = (float)sum[n];
        uint64_t wide = 0x7FF8000000000000u;
        if (kind == F64) {
            if (!isnan(sum[n]))
                memcpy(&wide, &sum[n], sizeof wide);
            d[lane] = (uint32_t)wide;
            r->reg[inst->op.dst[n] + 1][lane] = (uint32_t)(wide >> 32);
        } else if (inst->op.type2 != PTX_F16) {
            d[lane] = 0x7FFFFFFF;
            if (!isnan(f))
                memcpy(&d[lane], &f, sizeof f);
        }
    }
    if (inst->op.type2 == PTX_F16)
        r->reg[inst->op.dst[0]][lane] =
            half_from_double(sum[0], ROUND_NEAREST) | half_from_double(sum[1], ROUND_NEAREST) << 16;
}

static void product(struct rows *r, enum kind kind, const struct inst *inst, uint32_t mask)
{
    const struct rows old = *r;
    const uint32_t depth = kind == F16 || kind == BF16 ? 8 : 4;
    for (uint32_t lane = 0; lane < WARP_SIZE; lane++) {
        double sum[2];
        for (uint32_t n = 0; n < 2; n++) {
            const uint32_t row = lane / 4, column = lane % 4 * 2 + n;
            const double c = sum_before(&old, kind, inst, lane, n);
            double of = kind == F64 ? c : 0;
            for (uint32_t k = 0; k < depth; k++)
                of = fma(element(&old, kind, inst->op.src[0], row, k),
                         element(&old, kind, inst->op.src[1], column, k), of);
            sum[n] = kind == F64 ? of : of + c;
        }
        if (mask >> lane & 1)
            put_sum(r, kind, inst, lane, sum);
    }
}

/* --- random rows
 * ---------------------------------------------------------------------------------- */

static uint32_t random_half(struct rng *rng)
{
    static const uint16_t rare[] = {0x0000, 0x8000, 0x0001, 0x83FF, 0x0400, 0x7BFF,
                                    0xFBFF, 0x7C00, 0xFC00, 0x7E00, 0x7C01, 0xFFFF};
    if (rng_chance(rng, 1, 40))
        return rare[rng_below(rng, sizeof rare / sizeof *rare)];
    return 0x2000 + rng_below(rng, 0x2400) + (rng_chance(rng, 1, 2) ? 0x8000 : 0);
}

static uint32_t random_float(struct rng *rng, uint32_t spread)
{
    static const uint32_t rare[] = {0,          0x80000000, 1,          0x007FFFFF, 0x7F7FFFFF,
                                    0x7F800000, 0xFF800000, 0x7F800001, 0xFFC00000};
    if (rng_chance(rng, 1, 60))
        return rare[rng_below(rng, sizeof rare / sizeof *rare)];
    return (127 - spread / 2 + rng_below(rng, spread)) << 23 |
           ((uint32_t)rng_u64(rng) & 0x807FFFFF);
}

static uint32_t random_word(struct rng *rng, enum kind kind, bool halves, uint32_t row)
{
    if (kind == F16 && (row < 8 || halves))
        return random_half(rng) | random_half(rng) << 16;
    if (kind == BF16 && row < 8)
        return random_float(rng, 20) >> 16 | (random_float(rng, 20) & 0xFFFF0000);
    if (kind == F64)
        return row % 2
                   ? 0x3FE00000 + rng_below(rng, 0x400000) + (rng_chance(rng, 1, 2) ? 1u << 31 : 0)
                   : (uint32_t)rng_u64(rng);
    return random_float(rng, 40);
}

static void fill(struct rows *r, struct rng *rng, enum kind kind, bool halves)
{
    for (uint32_t row = 0; row < ROWS; row++)
        for (uint32_t lane = 0; lane < WARP_SIZE; lane++)
            r->reg[row][lane] = random_word(rng, kind, halves, row);
}

/* a in rows 0 to 3, b in 4 to 7, sums behind; seldom a sum takes the place of a or b,
 * or of halves of two of them. */
static void random_run(struct inst inst[RUN], struct rng *rng, enum kind kind, bool halves)
{
    const uint32_t wide = kind == F64 ? 2 : 1, pairs = kind == F64 ? 6 : 12;
    memset(inst, 0, RUN * sizeof *inst);
    for (uint32_t i = 0; i < RUN; i++) {
        const uint32_t a = rng_below(rng, 4 / wide) * wide, b = 4 + rng_below(rng, 4 / wide) * wide;
        const uint32_t c = 8 + 2 * wide * rng_below(rng, pairs),
                       d = 8 + 2 * wide * rng_below(rng, pairs);
        const bool over = rng_chance(rng, 1, 6);
        inst[i] = (struct inst){.exec = exec_of(kind), .unit = UNIT_TENSOR, .guard = NO_GUARD};
        inst[i].op.type = inst[i].op.type2 = kind == F64 ? PTX_F64 : halves ? PTX_F16 : PTX_F32;
        inst[i].op.src[0] = a;
        inst[i].op.src[1] = b;
        inst[i].op.src[2] = c;
        inst[i].op.src[3] = c + wide;
        inst[i].op.dst[0] = (uint16_t)(over ? rng_below(rng, 8) : d);
        inst[i].op.dst[1] = (uint16_t)(d + wide);
    }
}

static void assert_rows(const struct rows *got, const struct rows *want, const char *version,
                        enum kind kind)
{
    for (uint32_t row = 0; row < ROWS; row++)
        for (uint32_t lane = 0; lane < WARP_SIZE; lane++)
            if (got->reg[row][lane] != want->reg[row][lane])
                fail_msg("%s, kind %d: row %u, lane %u: %08X, not %08X", version, (int)kind, row,
                         lane, got->reg[row][lane], want->reg[row][lane]);
}

/* --- tests
 * ---------------------------------------------------------------------------------------- */

static void check(struct rng *rng, enum kind kind, bool halves, uint32_t mask)
{
    struct version version[4];
    struct inst inst[RUN];
    struct rows start, want;
    fill(&start, rng, kind, halves);
    random_run(inst, rng, kind, halves);
    want = start;
    for (uint32_t i = 0; i < RUN; i++)
        product(&want, kind, &inst[i], mask);
    find_versions(version);
    for (size_t v = 0; version[v].name; v++) {
        struct rows got = start;
        struct lane_ctx ctx = {.reg = got.reg};
        assert_int_equal(run_of(version[v].runs, kind)(inst, RUN, &ctx, mask), RUN);
        assert_rows(&got, &want, version[v].name, kind);
    }
}

static void test_versions(void **state)
{
    (void)state;
    struct rng rng;
    rng_seed(&rng, 25);
    for (int round = 0; round < ROUNDS; round++)
        for (enum kind kind = 0; kind < KINDS; kind++) {
            check(&rng, kind, false, FULL_MASK);
            check(&rng, kind, false, (uint32_t)rng_u64(&rng));
            if (kind == F16)
                check(&rng, kind, true, round % 2 ? FULL_MASK : (uint32_t)rng_u64(&rng));
        }
}

/* Sums near the limits of halves: ties, subnormals, what rounds to infinity. */
static void test_rounding_to_halves(void **state)
{
    (void)state;
    struct version version[4];
    find_versions(version);
    struct inst inst = {.exec = lanes_mma_f16, .guard = NO_GUARD};
    inst.op.type = PTX_F32;
    inst.op.type2 = PTX_F16;
    inst.op.src[1] = 1;
    inst.op.src[2] = 2;
    inst.op.src[3] = 3;
    inst.op.dst[0] = 4;
    static const uint32_t near[] = {0x33000000, 0x33000001, 0x32FFFFFF, 0x387FC000, 0x387FE000,
                                    0x387FF000, 0x38800000, 0x477FEFFF, 0x477FF000, 0x477FF001,
                                    0x3F801000, 0x3F803000, 0x3F801001, 0x33800000, 0x33C00000};
    for (uint32_t i = 0; i < sizeof near / sizeof *near; i++) {
        struct rows start = {0}, want;
        for (uint32_t lane = 0; lane < WARP_SIZE; lane++) {
            start.reg[2][lane] = near[i];
            start.reg[3][lane] = near[i] | 0x80000000;
            start.reg[0][lane] =
                lane % 4 ? 0 : 0x0001; /* 2^-24 by 2^-24, or by -2^-24: not a tie */
            start.reg[1][lane] = lane % 4 ? 0 : lane < 8 ? 0x0001 : lane < 16 ? 0x8001 : 0;
        }
        want = start;
        product(&want, F16, &inst, FULL_MASK);
        for (size_t v = 0; version[v].name; v++) {
            struct rows got = start;
            struct lane_ctx ctx = {.reg = got.reg};
            (void)version[v].runs->f16(&inst, 1, &ctx, FULL_MASK);
            assert_rows(&got, &want, version[v].name, F16);
        }
    }
}

/* A run ends where the operation or the guard changes, and where it may. */
static void test_ends_of_runs(void **state)
{
    (void)state;
    struct rng rng;
    struct rows r;
    struct inst inst[RUN];
    struct lane_ctx ctx = {.reg = r.reg};
    rng_seed(&rng, 1);
    fill(&r, &rng, F16, false);
    random_run(inst, &rng, F16, false);
    assert_int_equal(isa_products(inst, RUN, &ctx), RUN);
    assert_int_equal(isa_products(inst, 3, &ctx), 3);
    inst[5].guard = 1;
    assert_int_equal(isa_products(inst, RUN, &ctx), 5);
    inst[4].exec = lanes_mma_bf16;
    assert_int_equal(isa_products(inst, RUN, &ctx), 4);
    inst[0].exec = inst[1].exec = lanes_mma_bytes;
    assert_int_equal(isa_products(inst, RUN, &ctx), 1);
    inst[2].guard_negated = true;
    assert_int_equal(isa_products(inst + 2, RUN - 2, &ctx), 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_versions),
        cmocka_unit_test(test_rounding_to_halves),
        cmocka_unit_test(test_ends_of_runs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
