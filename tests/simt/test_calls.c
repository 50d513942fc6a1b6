/* Calls with frames in local memory: recursion, calls by address with lanes that go to different
 * functions, results in registers, and what goes wrong in them. */
#include "rig.h"

#define THREADS 40

/* f(n) = n < 2 ? n : f(n - 1) + f(n - 2), parameters and result in .param. */
#define FIB                                                                                        \
    ".func (.param .b32 r) fib(.param .b32 n);\n"                                                  \
    ".func (.param .b32 r) fib(.param .b32 n)\n{\n.reg .b32 %a<8>;\n.reg .pred %q;\n"              \
    "ld.param.u32 %a1, [n];\nsetp.lt.u32 %q, %a1, 2;\n@%q bra $small;\nsub.u32 %a2, %a1, 1;\n"     \
    "{ .param .b32 p; .param .b32 s; st.param.b32 [p], %a2;\ncall.uni (s), fib, (p);\n"            \
    "ld.param.b32 %a3, [s]; }\nsub.u32 %a4, %a1, 2;\n"                                             \
    "{ .param .b32 p; .param .b32 s; st.param.b32 [p], %a4;\ncall.uni (s), fib, (p);\n"            \
    "ld.param.b32 %a5, [s]; }\nadd.u32 %a6, %a3, %a5;\nst.param.b32 [r], %a6;\nret;\n"             \
    "$small:\nst.param.b32 [r], %a1;\nret;\n}\n"

static void run(const char *ptx, const char *name, uint32_t *result)
{
    uint64_t cycles[2];
    for (int skip = 0; skip < 2; skip++) {
        struct rig rig;
        struct core_config config = rig_config();
        rig_open(&rig, &config, ptx);
        rig.skip = skip;
        uint64_t out = rig_alloc(&rig, THREADS * 4);
        struct grid grid = rig_run(&rig, name, 1, THREADS, 2, (uint64_t[]){out, 0});
        assert_int_equal(grid.blocks_done, 1);
        memcpy(result, rig_words(&rig, out), THREADS * 4);
        cycles[skip] = rig.cycle;
        rig_close(&rig);
    }
    assert_int_equal(cycles[0], cycles[1]);
}

static uint32_t fib(uint32_t n)
{
    return n < 2 ? n : fib(n - 1) + fib(n - 2);
}

static void test_recursion(void **state)
{
    (void)state;
    uint32_t result[THREADS];
    run(RIG_PTX FIB RIG_KERNEL("k", "rem.u32 %r5, %r1, 9;\n{ .param .b32 p; .param .b32 s;\n"
                                    "st.param.b32 [p], %r5;\ncall.uni (s), fib, (p);\n"
                                    "ld.param.b32 %r6, [s]; }\nst.global.u32 [%rd2], %r6;\nret;"),
        "k", result);
    for (uint32_t t = 0; t < THREADS; t++)
        assert_int_equal(result[t], fib(t % 9));
}

/* Three functions, chosen by lane from a table in memory; one returns early in some lanes. */
#define TABLE                                                                                      \
    ".func (.reg .b32 r) f0(.reg .b32 a) { add.u32 r, a, 100; ret; }\n"                            \
    ".func (.reg .b32 r) f1(.reg .b32 a) { .reg .pred %q; mul.lo.u32 r, a, 3;\n"                   \
    "setp.gt.u32 %q, a, 20; @%q ret; add.u32 r, r, 1; ret; }\n"                                    \
    ".func (.reg .b32 r) f2(.reg .b32 a) { .local .align 4 .b8 x[16]; .reg .b64 %w;\n"             \
    "mov.u64 %w, x; cvta.local.u64 %w, %w; st.u32 [%w+4], a; st.local.u32 [x+8], a;\n"             \
    "ld.local.u32 r, [x+4]; .reg .b32 %y; ld.u32 %y, [%w+8]; add.u32 r, r, %y; ret; }\n"           \
    ".global .align 8 .u64 table[3] = {f0, f1, f2};\n"

static void test_by_address(void **state)
{
    (void)state;
    uint32_t result[THREADS];
    run(RIG_PTX TABLE RIG_KERNEL(
            "k",
            "rem.u32 %r5, %r1, 3;\nmul.wide.u32 %rd5, %r5, 8;\nmov.u64 %rd6, table;\n"
            "add.s64 %rd6, %rd6, %rd5;\nld.global.u64 %rd7, [%rd6];\nsetp.lt.u32 %p1, %r1, 9;\n"
            "proto: .callprototype (.reg .b32 _) _ (.reg .b32 _);\nmov.u32 %r6, 7;\n"
            "@!%p1 call (%r6), %rd7, (%r1), proto;\nst.global.u32 [%rd2], %r6;\nret;"),
        "k", result);
    for (uint32_t t = 0; t < THREADS; t++) {
        uint32_t got[] = {t + 100, t > 20 ? 3 * t : 3 * t + 1, 2 * t};
        assert_int_equal(result[t], t < 9 ? 7 : got[t % 3]);
    }
}

static void expect_error(const char *ptx, const char *text)
{
    struct rig rig;
    struct core_config config = rig_config();
    rig_open(&rig, &config, ptx);
    uint64_t out = rig_alloc(&rig, THREADS * 4);
    struct grid grid = rig_grid(&rig, "k", 1, THREADS, 2, (uint64_t[]){out, 0});
    assert_false(rig_finish(&rig, &grid));
    if (!strstr(rig.err.text, text))
        fail_msg("%s", rig.err.text);
    rig_close(&rig);
}

static void test_errors(void **state)
{
    (void)state;
    expect_error(RIG_PTX ".func deep() { call deep; ret; }\n" RIG_KERNEL("k", "call deep;\nret;"),
                 "stack overflow: function deep");
    expect_error(RIG_PTX TABLE RIG_KERNEL("k", "mov.u64 %rd5, 16;\np: .callprototype ()_();\n"
                                               "call %rd5, (), p;\nret;"),
                 "address that is no function");
    expect_error(RIG_PTX ".func bad() { setmaxnreg.inc.sync.aligned.u32 64; ret; }\n"
                         ".func good() { ret; }\n" RIG_KERNEL(
                             "k", "mov.u64 %rd5, good;\nmov.u64 %rd6, bad;\n"
                                  "p: .callprototype ()_();\ncall %rd6, (), p;\nret;"),
                 "function bad cannot run");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_recursion),
        cmocka_unit_test(test_by_address),
        cmocka_unit_test(test_errors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
