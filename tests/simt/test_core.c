/* Kernels on one core give the results that their text says: grids, divergence, loops, local and
 * generic memory, partial warps. Each runs twice, ticked every cycle and skipping as
 * core_next_event allows, which must not change a single cycle. */
#include "rig.h"

#define VECTOR_ADD                                                                                 \
    ".visible .entry add(.param .u64 a, .param .u64 b, .param .u64 c, .param .u32 n)\n{\n"         \
    ".reg .pred %p<2>;\n.reg .b32 %r<8>;\n.reg .b64 %rd<12>;\n.reg .f32 %f<4>;\n"                  \
    "ld.param.u64 %rd1, [a];\nld.param.u64 %rd2, [b];\nld.param.u64 %rd3, [c];\n"                  \
    "ld.param.u32 %r1, [n];\nmov.u32 %r2, %ctaid.x;\nmov.u32 %r3, %ntid.x;\n"                      \
    "mov.u32 %r4, %tid.x;\nmad.lo.s32 %r5, %r2, %r3, %r4;\nsetp.ge.s32 %p1, %r5, %r1;\n"           \
    "@%p1 bra $done;\nmul.wide.s32 %rd4, %r5, 4;\nadd.s64 %rd5, %rd1, %rd4;\n"                     \
    "add.s64 %rd6, %rd2, %rd4;\nadd.s64 %rd7, %rd3, %rd4;\nld.global.f32 %f1, [%rd5];\n"           \
    "ld.global.f32 %f2, [%rd6];\nadd.f32 %f3, %f1, %f2;\nst.global.f32 [%rd7], %f3;\n"             \
    "$done:\nret;\n}\n"

static void vector_add(struct rig *rig, uint32_t n)
{
    uint64_t a = rig_alloc(rig, n * 4), b = rig_alloc(rig, n * 4), c = rig_alloc(rig, n * 4 + 4);
    float *fa = (float *)(void *)rig_words(rig, a), *fb = (float *)(void *)rig_words(rig, b);
    for (uint32_t i = 0; i < n; i++) {
        fa[i] = (float)i * 0.5f;
        fb[i] = (float)(n - i);
    }
    uint64_t args[] = {a, b, c, n};
    struct grid grid = rig_run(rig, "add", (n + 95) / 96, 96, 4, args);
    float *fc = (float *)(void *)rig_words(rig, c);
    for (uint32_t i = 0; i < n; i++)
        assert_true(fc[i] == fa[i] + fb[i]);
    assert_int_equal(rig_words(rig, c)[n], 0);
    assert_int_equal(grid.blocks_done, grid.total_blocks);
    struct core_stats s = rig_stats(rig);
    assert_int_equal(grid.warp_instructions, s.warp_instructions);
    assert_int_equal(grid.thread_instructions, s.thread_instructions);
    assert_true(core_empty(rig->core));
}

/* The same kernel with and without skipping of idle cycles. */
static void both_ways(const char *ptx, void (*run)(struct rig *, uint32_t), uint32_t n)
{
    uint64_t cycles[2];
    struct core_stats stats[2];
    for (int skip = 0; skip < 2; skip++) {
        struct rig rig;
        struct core_config config = rig_config();
        rig_open(&rig, &config, ptx);
        rig.skip = skip;
        run(&rig, n);
        cycles[skip] = rig.cycle;
        stats[skip] = rig_stats(&rig);
        rig_close(&rig);
    }
    assert_int_equal(cycles[0], cycles[1]);
    assert_memory_equal(&stats[0], &stats[1], sizeof stats[0]);
}

static void test_vector_add(void **state)
{
    (void)state;
    both_ways(RIG_PTX VECTOR_ADD, vector_add, 1);
    both_ways(RIG_PTX VECTOR_ADD, vector_add, 1000);
    both_ways(RIG_PTX VECTOR_ADD, vector_add, 10007);
}

/* Lanes loop tid % 7 times, with a nested if in the loop and an early exit. */
#define DIVERGE                                                                                    \
    RIG_KERNEL("diverge", "mov.u32 %r5, 0;\nmov.u32 %r6, 0;\nrem.u32 %r7, %r4, 7;\n"               \
                          "setp.eq.u32 %p4, %r7, 6;\n@%p4 bra $early;\n"                           \
                          "$loop:\nsetp.ge.u32 %p1, %r5, %r7;\n@%p1 bra $after;\n"                 \
                          "and.b32 %r8, %r4, 1;\nsetp.eq.u32 %p2, %r8, 0;\n@%p2 bra $even;\n"      \
                          "add.u32 %r6, %r6, 3;\nsetp.gt.u32 %p3, %r6, 11;\n@%p3 bra $after;\n"    \
                          "bra $next;\n$even:\nadd.u32 %r6, %r6, 100;\n"                           \
                          "$next:\nadd.u32 %r5, %r5, 1;\nbra $loop;\n"                             \
                          "$after:\nshl.b32 %r9, %r5, 16;\nadd.u32 %r6, %r6, %r9;\n"               \
                          "st.global.u32 [%rd2], %r6;\nret;\n"                                     \
                          "$early:\nst.global.u32 [%rd2], 7777;\nexit;")

static uint32_t diverge_expect(uint32_t t)
{
    uint32_t i = 0, sum = 0, n = t % 7;
    if (n == 6)
        return 7777;
    for (; i < n; i++) {
        if (t & 1) {
            sum += 3;
            if (sum > 11)
                break;
        } else {
            sum += 100;
        }
    }
    return sum + (i << 16);
}

static void diverge(struct rig *rig, uint32_t threads)
{
    uint64_t out = rig_alloc(rig, threads * 3 * 4 + 4);
    uint64_t args[] = {out, 0};
    struct grid grid = rig_run(rig, "diverge", 3, threads, 2, args);
    for (uint32_t t = 0; t < threads * 3; t++)
        assert_int_equal(rig_words(rig, out)[t], diverge_expect(t));
    assert_int_equal(rig_words(rig, out)[threads * 3], 0);
    assert_true(grid.thread_instructions < grid.warp_instructions * 32);
}

static void test_divergence(void **state)
{
    (void)state;
    both_ways(RIG_PTX DIVERGE, diverge, 64);
    both_ways(RIG_PTX DIVERGE, diverge, 45); /* a partial last warp */
    both_ways(RIG_PTX DIVERGE, diverge, 1);
}

/* Lanes that diverge join again: the instructions after an if-else are issued once per warp. */
static void test_reconvergence(void **state)
{
    (void)state;
    struct rig rig;
    struct core_config config = rig_config();
    rig_open(&rig, &config,
             RIG_PTX RIG_KERNEL("join",
                                "and.b32 %r5, %r1, 1;\nsetp.eq.u32 %p1, %r5, 0;\n"
                                "@%p1 bra $a;\nmov.u32 %r6, 5;\nbra $b;\n"
                                "$a:\nmov.u32 %r6, 9;\n$b:\nadd.u32 %r6, %r6, 1;\n"
                                "add.u32 %r6, %r6, %r1;\nst.global.u32 [%rd2], %r6;\nret;"));
    uint64_t out = rig_alloc(&rig, 128);
    struct grid grid = rig_run(&rig, "join", 1, 32, 2, (uint64_t[]){out, 0});
    for (uint32_t t = 0; t < 32; t++)
        assert_int_equal(rig_words(&rig, out)[t], (t & 1 ? 6 : 10) + t);
    /* 16 lanes miss 3 instructions each at most: else branch 2, then branch 1. */
    uint64_t missing = grid.warp_instructions * 32 - grid.thread_instructions;
    assert_true(missing <= 3 * 32);
    rig_close(&rig);
}

/* Local memory with a dynamic index, and generic addresses of every space in one instruction. */
#define SPACES                                                                                     \
    ".visible .entry spaces(.param .u64 out, .param .u32 n)\n{\n"                                  \
    ".local .align 8 .b8 frame[64];\n.shared .align 4 .b8 tile[128];\n"                            \
    ".reg .pred %p<4>;\n.reg .b32 %r<20>;\n.reg .b64 %rd<20>;\n"                                   \
    "ld.param.u64 %rd1, [out];\nmov.u32 %r1, %tid.x;\nmul.wide.u32 %rd3, %r1, 4;\n"                \
    "add.s64 %rd2, %rd1, %rd3;\n"                                                                  \
    "mov.u64 %rd4, frame;\ncvta.local.u64 %rd5, %rd4;\nmov.u64 %rd6, tile;\n"                      \
    "cvta.shared.u64 %rd7, %rd6;\nadd.s64 %rd7, %rd7, %rd3;\n"                                     \
    "and.b32 %r2, %r1, 15;\nmul.wide.u32 %rd8, %r2, 4;\nadd.s64 %rd9, %rd4, %rd8;\n"               \
    "add.u32 %r3, %r1, 1000;\nst.local.u32 [%rd9], %r3;\n"                                         \
    "add.u32 %r4, %r1, 2000;\nst.u32 [%rd7], %r4;\n"                                               \
    "add.u32 %r5, %r1, 3000;\nst.global.u32 [%rd2+128], %r5;\n"                                    \
    "rem.u32 %r6, %r1, 3;\nadd.s64 %rd10, %rd5, %rd8;\nsetp.eq.u32 %p1, %r6, 1;\n"                 \
    "selp.b64 %rd10, %rd7, %rd10, %p1;\nsetp.eq.u32 %p2, %r6, 2;\nadd.s64 %rd11, %rd2, 128;\n"     \
    "selp.b64 %rd10, %rd11, %rd10, %p2;\nld.u32 %r7, [%rd10];\nadd.u32 %r7, %r7, 1;\n"             \
    "st.u32 [%rd10], %r7;\nld.u32 %r8, [%rd10];\nst.global.u32 [%rd2], %r8;\nret;\n}\n"

static void spaces(struct rig *rig, uint32_t threads)
{
    uint64_t out = rig_alloc(rig, 512);
    rig_run(rig, "spaces", 1, threads, 2, (uint64_t[]){out, 0});
    for (uint32_t t = 0; t < threads; t++)
        assert_int_equal(rig_words(rig, out)[t], 1001 + t % 3 * 1000 + t);
}

static void test_spaces(void **state)
{
    (void)state;
    both_ways(RIG_PTX SPACES, spaces, 32);
    both_ways(RIG_PTX SPACES, spaces, 20);
}

/* The thread's own local words stay apart: 8- and 16-byte elements, dynamic index, many warps. */
#define LOCAL_WIDE                                                                                 \
    ".visible .entry wide(.param .u64 out, .param .u32 n)\n{\n"                                    \
    ".local .align 16 .b8 frame[160];\n.reg .pred %p<4>;\n.reg .b32 %r<20>;\n.reg .b64 %rd<20>;\n" \
    "ld.param.u64 %rd1, [out];\nmov.u32 %r1, %tid.x;\nmov.u32 %r2, %ctaid.x;\n"                    \
    "mov.u32 %r3, %ntid.x;\nmad.lo.s32 %r4, %r2, %r3, %r1;\nmul.wide.u32 %rd2, %r4, 8;\n"          \
    "add.s64 %rd3, %rd1, %rd2;\nmov.u64 %rd4, frame;\nmov.u32 %r5, 0;\ncvt.u64.u32 %rd6, %r4;\n"   \
    "$fill:\nmul.wide.u32 %rd7, %r5, 16;\nadd.s64 %rd8, %rd4, %rd7;\n"                             \
    "st.local.v2.u64 [%rd8], {%rd6, %rd7};\nadd.u32 %r5, %r5, 1;\nsetp.lt.u32 %p1, %r5, 10;\n"     \
    "@%p1 bra $fill;\nrem.u32 %r6, %r4, 10;\nmul.wide.u32 %rd9, %r6, 16;\n"                        \
    "add.s64 %rd10, %rd4, %rd9;\nld.local.u64 %rd11, [%rd10];\nld.local.u64 %rd12, [%rd10+8];\n"   \
    "shl.b64 %rd12, %rd12, 32;\nadd.s64 %rd11, %rd11, %rd12;\nst.global.u64 [%rd3], %rd11;\n"      \
    "ret;\n}\n"

static void local_wide(struct rig *rig, uint32_t threads)
{
    uint32_t total = threads * 5;
    uint64_t out = rig_alloc(rig, total * 8);
    rig_run(rig, "wide", 5, threads, 2, (uint64_t[]){out, 0});
    for (uint32_t t = 0; t < total; t++) {
        assert_int_equal(rig_words(rig, out)[2 * t], t);
        assert_int_equal(rig_words(rig, out)[2 * t + 1], t % 10 * 16);
    }
}

static void test_local_wide(void **state)
{
    (void)state;
    both_ways(RIG_PTX LOCAL_WIDE, local_wide, 96);
    both_ways(RIG_PTX LOCAL_WIDE, local_wide, 33);
}

/* A kernel longer than the instruction cache still runs, through it. */
static void test_long_kernel(void **state)
{
    (void)state;
    enum { ADDS = 1500 };
    static char text[ADDS * 24 + 4096];
    /* The kernel's text around the mark, and the additions in its place. */
    const char *frame = RIG_PTX RIG_KERNEL("long", "@");
    const char *mark = strchr(frame, '@');
    size_t at = (size_t)(mark - frame);
    memcpy(text, frame, at);
    for (int i = 0; i < ADDS; i++)
        at += (size_t)sprintf(text + at, "add.u32 %%r1, %%r1, %d;\n", i & 7);
    sprintf(text + at, "st.global.u32 [%%rd2], %%r1;\nret;%s", mark + 1);
    struct rig rig;
    struct core_config config = rig_config();
    config.icache_bytes = 2048;
    rig_open(&rig, &config, text);
    uint64_t out = rig_alloc(&rig, 256);
    rig_run(&rig, "long", 1, 64, 2, (uint64_t[]){out, 0});
    uint32_t sum = 0;
    for (uint32_t i = 0; i < ADDS; i++)
        sum += i & 7;
    for (uint32_t t = 0; t < 64; t++)
        assert_int_equal(rig_words(&rig, out)[t], sum + t);
    assert_true(rig_stats(&rig).icache_misses >= ADDS * 8 / 128);
    rig_close(&rig);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_vector_add),    cmocka_unit_test(test_divergence),
        cmocka_unit_test(test_reconvergence), cmocka_unit_test(test_spaces),
        cmocka_unit_test(test_local_wide),    cmocka_unit_test(test_long_kernel),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
