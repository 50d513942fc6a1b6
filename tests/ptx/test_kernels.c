/* Whole kernels as clang makes them, at several optimisation levels, against the same C code on the
 * host; the quality of their register allocation; loading time of large ones. */
#include <time.h>

#include "base/rng.h"
#include "tests/ptx/machine.h"

#define DEVICE   static
#define NOINLINE __attribute__((noinline))
#define TABLE    static const
#include "tests/ptx/data/work.h"

#define N 100

static const char *const files[] = {"tests/ptx/data/work_O0.ptx", "tests/ptx/data/work_O1.ptx",
                                    "tests/ptx/data/work_O3.ptx"};

/* Neither clang nor the host may lose a sign of integer overflow: -fwrapv there, UBSan here. */
static void test_work(void **state)
{
    (void)state;
    unsigned long long in[N], want[4 * N];
    struct rng rng;
    rng_seed(&rng, 3);
    for (uint32_t i = 0; i < N; i++)
        in[i] = rng_u64(&rng) >> rng_below(&rng, 50);
    for (uint32_t i = 0; i < N; i++)
        work(i, in, want);
    for (size_t f = 0; f < sizeof files / sizeof *files; f++) {
        struct machine m;
        size_t bytes;
        char *text = machine_file(files[f], &bytes);
        machine_start(&m, text);
        struct {
            uint64_t in, out;
            uint32_t n;
        } params = {machine_alloc(&m, sizeof in, 8), machine_alloc(&m, sizeof want, 8), N};
        memcpy(m.memory + params.in, in, sizeof in);
        machine_run(&m, "work_kernel", (const uint32_t[3]){2, 1, 1}, (const uint32_t[3]){64, 1, 1},
                    0, &params);
        for (uint32_t i = 0; i < 4 * N; i++) {
            unsigned long long got;
            memcpy(&got, m.memory + params.out + 8 * i, 8);
            if (got != want[i])
                fail_msg("%s, thread %u, result %u: %llx, expected %llx", files[f], i / 4, i % 4,
                         got, want[i]);
        }
        free(text);
        machine_stop(&m);
    }
}

static void test_matmul(void **state)
{
    (void)state;
    enum { SIZE = 48 };
    float a[SIZE * SIZE], b[SIZE * SIZE];
    for (int i = 0; i < SIZE * SIZE; i++) {
        a[i] = (float)(i % 17) - 8.25f;
        b[i] = (float)(i % 23) * 0.375f;
    }
    for (size_t f = 0; f < sizeof files / sizeof *files; f++) {
        struct machine m;
        size_t bytes;
        char *text = machine_file(files[f], &bytes);
        machine_start(&m, text);
        struct {
            uint64_t a, b, c;
            int32_t n;
        } p = {machine_alloc(&m, sizeof a, 4), machine_alloc(&m, sizeof a, 4),
               machine_alloc(&m, sizeof a, 4), SIZE};
        memcpy(m.memory + p.a, a, sizeof a);
        memcpy(m.memory + p.b, b, sizeof b);
        machine_run(&m, "matmul", (const uint32_t[3]){3, 3, 1}, (const uint32_t[3]){16, 16, 1}, 0,
                    &p);
        for (int y = 0; y < SIZE; y++)
            for (int x = 0; x < SIZE; x++) {
                float sum = 0, got;
                for (int k = 0; k < SIZE; k++)
                    sum += a[y * SIZE + k] * b[k * SIZE + x];
                memcpy(&got, m.memory + p.c + 4 * (size_t)(y * SIZE + x), 4);
                assert_memory_equal(&got, &sum, 4);
            }
        assert_true(module_kernel(m.module, "matmul")->regs <= 40);
        assert_int_equal(module_kernel(m.module, "matmul")->regs % 4, 0);
        assert_int_equal(module_kernel(m.module, "matmul")->shared_bytes, 2048);
        free(text);
        machine_stop(&m);
    }
}

/* 60,000 instructions with branches and a register each. The bound is generous: quadratic
 * algorithms would need minutes. */
static void test_large_kernel(void **state)
{
    (void)state;
    enum { INSTRUCTIONS = 60000 };
    char *text = alloc_array(INSTRUCTIONS, 64), *at = text;
    at += sprintf(at,
                  ".version 7.0\n.target sm_70\n.address_size 64\n.entry k(.param .u64 out) {\n"
                  ".reg .b32 %%r<%d>; .reg .b64 %%a; .reg .pred %%p<%d>;"
                  "ld.param.u64 %%a, [out]; mov.u32 %%r0, %%tid.x;\n",
                  INSTRUCTIONS, INSTRUCTIONS);
    for (int i = 1; i < INSTRUCTIONS; i++) {
        at += sprintf(at, "add.s32 %%r%d, %%r%d, %d;\n", i, i - 1, i);
        if (i % 10 == 0)
            at += sprintf(at, "setp.lt.s32 %%p%d, %%r%d, %d; @%%p%d bra L%d;\nL%d:\n", i, i, i, i,
                          i, i);
    }
    at += sprintf(at, "st.global.u32 [%%a], %%r%d; ret; }\n", INSTRUCTIONS - 1);
    clock_t start = clock();
    struct error err = {0};
    struct module *m = module_parse("large.ptx", text, (size_t)(at - text), &err);
    if (!m)
        fail_msg("%s", err.text);
    assert_true((double)(clock() - start) / CLOCKS_PER_SEC < 5.0);
    assert_int_equal(module_kernel(m, "k")->n_inst, INSTRUCTIONS - 1 + 2 * 5999 + 4);
    assert_true(module_kernel(m, "k")->regs <= 8);
    module_free(m);
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_work),
        cmocka_unit_test(test_matmul),
        cmocka_unit_test(test_large_kernel),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
