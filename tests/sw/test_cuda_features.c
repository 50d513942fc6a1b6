/* What sw/include/evgpu_cuda.h promises: tests/sw/cuda/cuda_features.cu compiled at each optimisation
 * level and run by the isa layer's lane functions, against the same in C. Run from the project's
 * root. */
#include "tests/sw/warp_vm.h"

#include <math.h>
#include <stdio.h>

#include "tests/sw/scratch.h"

#define LEVELS 4

struct features {
    void *directory;
    struct vm vm;
    struct module *module;
};

static bool compile(struct features *f, int level)
{
    char command[1200];
    struct scratch_path ptx = scratch_path(&f->directory, "features.ptx");
    snprintf(command, sizeof command, "sw/cu2ptx.sh tests/sw/cuda/cuda_features.cu '%s' -O%d", ptx.text,
             level);
    if (system(command) != 0)
        return false;
    f->vm = vm_create(1 << 20);
    f->module = vm_load(&f->vm, ptx.text);
    return true;
}

/* Runs one block of a kernel whose arguments are device addresses. */
static void run(struct features *f, const char *name, uint32_t threads, uint32_t dynamic_shared,
                const uint64_t *arguments)
{
    struct vm_params p = {.kernel = module_kernel(f->module, name)};
    assert_non_null(p.kernel);
    if (p.kernel->defect)
        fail_msg("%s", p.kernel->defect);
    for (uint32_t i = 0; i < p.kernel->n_params; i++)
        vm_set(&p, i, arguments[i]);
    struct vm_launch launch = {p.kernel, {1, 1, 1}, {threads, 1, 1}, dynamic_shared, p.bytes};
    vm_run(&f->vm, &launch);
}

static void *at(struct features *f, uint64_t address)
{
    return f->vm.memory + address;
}

static void check_votes(struct features *f)
{
    uint64_t out = vm_alloc(&f->vm, 32 * 8 * 4, 16);
    run(f, "f_votes", 32, 0, &out);
    for (uint32_t i = 0; i < 32; i++) {
        const uint32_t expected[8] = {
            0xAAAAAAAA, 0xAA, i < 8 ? 0xFF : 0, 2, 2, 1, i, (uint32_t)((UINT64_C(1) << i) - 1)};
        assert_memory_equal(at(f, out + i * 32), expected, 32);
    }
}

static void check_shuffles(struct features *f)
{
    uint64_t out = vm_alloc(&f->vm, 32 * 8 * 4, 16);
    run(f, "f_shuffles", 32, 0, &out);
    for (uint32_t i = 0; i < 32; i++) {
        uint32_t other = i ^ 16;
        const uint32_t expected[8] = {30,
                                      i < 2 ? i * 10 : (i - 2) * 10,
                                      i > 29 ? i * 10 : (i + 2) * 10,
                                      (i ^ 1) * 10,
                                      ((i & 24) + 1) * 10,
                                      i % 4 ? i - 1 : i,
                                      other * 100 + other + 1,
                                      (uint32_t)((i == 31 ? 31 : i + 1) * 0.5 + 14)};
        assert_memory_equal(at(f, out + i * 32), expected, 32);
    }
}

static void check_barriers(struct features *f)
{
    uint64_t out = vm_alloc(&f->vm, 64 * 8 * 4, 16);
    run(f, "f_barriers", 64, 256, &out);
    for (uint32_t i = 0; i < 64; i++) {
        const uint32_t expected[8] = {(i + 33) & 63, 2 * (63 - i), 22, 0, 1, 1, 64100, 32};
        assert_memory_equal(at(f, out + i * 32), expected, 32);
    }
}

static void check_atomics(struct features *f)
{
    uint32_t words[80] = {5, 1000, 3, 2, 0, 0, UINT32_MAX};
    uint64_t wide[8] = {0, UINT64_MAX}, arguments[4], seen = 0;
    for (int i = 0; i < 4; i++)
        arguments[i] = vm_alloc(&f->vm, 512, 16);
    memcpy(at(f, arguments[0]), words, sizeof words);
    memcpy(at(f, arguments[1]), wide, sizeof wide);
    run(f, "f_atomics", 32, 0, arguments);
    const uint32_t expected[11] = {501, 504, (uint32_t)-16, 31, 2, 8, 0, UINT32_MAX, 1, 77, 32};
    const uint64_t expected_wide[5] = {UINT64_C(32) << 33, UINT64_C(1) << 40, UINT64_C(31) << 40,
                                       32, UINT64_C(1) << 63};
    const float expected_reals[2] = {16.0f, 2.5f};
    const double expected_double = 8.0;
    assert_memory_equal(at(f, arguments[0]), expected, sizeof expected);
    assert_memory_equal(at(f, arguments[1]), expected_wide, sizeof expected_wide);
    assert_memory_equal(at(f, arguments[2]), expected_reals, sizeof expected_reals);
    assert_memory_equal(at(f, arguments[3]), &expected_double, sizeof expected_double);
    memcpy(words, at(f, arguments[0]), sizeof words);
    for (uint32_t i = 0; i < 32; i++) {
        seen |= UINT64_C(1) << (words[16 + i] & 63);
        assert_int_equal(words[48 + i], 496);
    }
    assert_int_equal(seen, UINT32_MAX); /* 0..31, each once */
}

static uint32_t reverse(uint32_t x)
{
    uint32_t r = 0;
    for (int i = 0; i < 32; i++)
        r |= (x >> i & 1) << (31 - i);
    return r;
}

static void check_integers(struct features *f)
{
    int32_t in[32];
    uint64_t arguments[2] = {vm_alloc(&f->vm, sizeof in, 16), vm_alloc(&f->vm, 32 * 64, 16)};
    for (uint32_t i = 0; i < 32; i++)
        in[i] = (int32_t)(i * 0x9E3779B9u);
    in[1] = INT32_MIN, in[2] = INT32_MAX, in[3] = -1, in[4] = 1, in[5] = 7;
    memcpy(at(f, arguments[0]), in, sizeof in);
    run(f, "f_integers", 32, 0, arguments);
    for (uint32_t i = 0; i < 32; i++) {
        int32_t x = in[i];
        uint32_t u = (uint32_t)x, low24 = u & 0xFFFFFF;
        int64_t signed24 = (int32_t)(low24 << 8) >> 8;
        uint64_t pair = UINT64_C(0xABCDEF01) << 32 | u, wide = (uint64_t)(int64_t)x;
        uint64_t high = (uint64_t)u << 32;
        uint32_t sad = (x < 7 ? 7 - u : u - 7) + 1;
        const uint32_t expected[16] = {
            (uint32_t)__builtin_popcount(u),
            u ? (uint32_t)__builtin_clz(u) : 32,
            (uint32_t)__builtin_ffs(x),
            reverse(u),
            (u & 0xFF) | 0x44u << 8 | (u >> 16 & 0xFF) << 16 | 0x22u << 24,
            (uint32_t)((int64_t)x * 0x12345678 >> 32),
            (uint32_t)((uint64_t)u * 0x12345678 >> 32),
            (uint32_t)(x < 5 ? x : 5) + (uint32_t)(x > -5 ? x : -5),
            x < 0 ? 0 - u : u,
            (uint32_t)((pair << (i & 31)) >> 32),
            (uint32_t)(pair >> (i & 31)),
            (uint32_t)__builtin_popcountll(wide) + (wide ? (uint32_t)__builtin_clzll(wide) : 64),
            (uint32_t)(signed24 * 3) + low24 * 3,
            u * 3 + 1,
            sad,
            (uint32_t)((high >> 24) + ((uint64_t)reverse(u) << 32)),
        };
        assert_memory_equal(at(f, arguments[1] + i * 64), expected, 64);
    }
}

static void check_floats(struct features *f)
{
    float in[32];
    static const float table[4] = {1, 2, 4, 8};
    uint64_t arguments[2] = {vm_alloc(&f->vm, sizeof in, 16), vm_alloc(&f->vm, 32 * 128, 16)};
    for (int i = 0; i < 32; i++)
        in[i] = ((float)i - 15.5f) * 0.25f;
    in[0] = 0.0f, in[1] = -0.0f, in[2] = 2.5f, in[3] = -3.5f;
    memcpy(at(f, arguments[0]), in, sizeof in);
    run(f, "f_floats", 32, 0, arguments);
    for (uint32_t i = 0; i < 32; i++) {
        double x = (double)in[i], size = fabs(x);
        const double expected[32] = {sqrt(size),
                                     1 / sqrt(size + 1),
                                     exp(x),
                                     log(size + 1),
                                     sin(x),
                                     cos(x),
                                     pow(size + 0.5, 1.5),
                                     tanh(x),
                                     floor(x),
                                     ceil(x),
                                     trunc(x),
                                     rint(x),
                                     round(x),
                                     fmin(x, 0.5),
                                     fmax(x, 0.5),
                                     x * 2 + 1,
                                     x / 3,
                                     1 / (x + 10),
                                     x < 0 || i == 1 ? -3 : 3,
                                     fmin(fmax(x, 0), 1),
                                     exp(x * 0.1),
                                     log(size + 1),
                                     1,
                                     pow(2, x * 0.25),
                                     rint(x) + trunc(x) * 100,
                                     sqrt(size) + 2 * x + 1 + size,
                                     -x,
                                     exp2(x) + log2(size + 2) + log10(size + 2),
                                     tan(x * 0.1),
                                     -4,
                                     (double)table[i & 3],
                                     fmin(1.5, x) + fmax(x, 2)};
        float actual[32];
        memcpy(actual, at(f, arguments[1] + i * 128), sizeof actual);
        for (uint32_t k = 0; k < 32; k++)
            if (!(fabs((double)actual[k] - expected[k]) <= 4e-6 * (1 + fabs(expected[k]))))
                fail_msg("f_floats result %u of %g: %.9g, expected %.9g", k, x, (double)actual[k],
                         expected[k]);
    }
}

static void check_vectors(struct features *f)
{
    float in[32][4], out[32][4];
    uint32_t words[32][4];
    for (uint32_t i = 0; i < 32; i++)
        for (uint32_t k = 0; k < 4; k++) {
            in[i][k] = (float)(i * 4 + k);
            words[i][k] = i * 3 + k;
        }
    uint64_t arguments[3] = {vm_alloc(&f->vm, sizeof in, 16), vm_alloc(&f->vm, sizeof words, 16),
                             vm_alloc(&f->vm, sizeof out, 16)};
    memcpy(at(f, arguments[0]), in, sizeof in);
    memcpy(at(f, arguments[1]), words, sizeof words);
    run(f, "f_vectors", 32, 0, arguments);
    for (uint32_t i = 0; i < 32; i++) {
        const float expected[4] = {in[i][0] + in[i][1], in[i][2] * in[i][3],
                                   (float)(words[i][0] + 4),
                                   (float)(words[i][1] + words[i][2] + words[i][3])};
        assert_memory_equal(at(f, arguments[2] + i * 16), expected, 16);
    }
}

static void at_every_optimisation_level(void **state)
{
    struct features f = {.directory = *state};
    if (system("command -v clang++-14 >/dev/null 2>&1") != 0) {
        print_message("skipped: clang++-14 is not installed (package clang-14)\n");
        skip();
    }
    for (int level = 0; level < LEVELS; level++) {
        assert_true(compile(&f, level));
        check_votes(&f);
        check_shuffles(&f);
        check_barriers(&f);
        check_atomics(&f);
        check_integers(&f);
        check_floats(&f);
        check_vectors(&f);
        module_free(f.module);
        free(f.vm.memory);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(at_every_optimisation_level)};
    return cmocka_run_group_tests(tests, scratch_create, scratch_remove);
}
