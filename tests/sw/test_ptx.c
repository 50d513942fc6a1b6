/* The CUDA header compiles without warnings at every optimisation level, and what clang makes of
 * programs loads. Run from the project's root. */
#include "sim/ptx/module.h"
#include "tests/sw/scratch.h"
#include "tests/unit.h"

static bool clang_there(void)
{
    if (system("command -v clang++-14 >/dev/null 2>&1") == 0)
        return true;
    print_message("skipped: clang++-14 is not installed (package clang-14)\n");
    return false;
}

static void header_compiles_without_warnings(void **state)
{
    if (!clang_there())
        skip();
    struct scratch_path made = scratch_path(state, "made.ptx");
    for (int level = 0; level <= 3; level++) {
        char command[1200];
        snprintf(command, sizeof command,
                 "sw/cu2ptx.sh tests/sw/cuda/cuda_features.cu '%s' -O%d -Wall -Wextra -Werror",
                 made.text, level);
        assert_int_equal(system(command), 0);
    }
}

/* Force-included into something that is not CUDA, it says how to use it. */
static void header_names_the_command(void **state)
{
    if (!clang_there())
        skip();
    struct scratch_path source = scratch_path(state, "x.c"), out = scratch_path(state, "x.txt");
    char command[2000];
    size_t size = 0;
    scratch_write(source.text, "int x;\n", 7);
    snprintf(command, sizeof command,
             "clang++-14 -x c++ -include sw/include/evgpu_cuda.h -fsyntax-only '%s' 2>'%s'",
             source.text, out.text);
    assert_int_not_equal(system(command), 0);
    char *text = scratch_read(out.text, &size);
    assert_non_null(strstr(text, "compile with clang++ -x cuda"));
    free(text);
}

/* The C++ library after the header, in any order; host code in the file means the host's functions.
 */
static void library_headers_go_with_it(void **state)
{
    static const char SOURCE[] =
        "#include <new>\n#include <vector>\n#include <algorithm>\n#include <complex>\n"
        "double host(int n) { std::vector<double> v(4); return pow(2, n) + pow(2.0f, n) + v[0]; }\n"
        "__device__ double device(int n) { return pow(2, n) + pow(2.0f, n) + std::max(n, 2); }\n"
        "__global__ void k(double *x) { *x = exp(*x) + device(3) + abs(-1.5) + max(1, 2u); }\n";
    if (!clang_there())
        skip();
    struct scratch_path source = scratch_path(state, "x.cu");
    char command[2000];
    scratch_write(source.text, SOURCE, sizeof SOURCE - 1);
    snprintf(command, sizeof command, "sw/cu2ptx.sh '%s' /dev/null -Wall -Wextra -Werror",
             source.text);
    assert_int_equal(system(command), 0);
}

/* Whatever clang makes of a program loads, and each of its kernels can run. */
static void what_clang_makes_loads(void **state)
{
    static const char *const SOURCES[] = {"tests/sw/cuda/cuda_language.cu",
                                          "tests/sw/cuda/cuda_intrinsics.cu"};
    static const char *const OPTIONS[] = {"-O0", "-O3 --cuda-gpu-arch=sm_80"};
    if (!clang_there())
        skip();
    for (int i = 0; i < 4; i++) {
        char command[1200];
        struct error err = {0};
        struct scratch_path made = scratch_path(state, "made.ptx");
        snprintf(command, sizeof command, "sw/cu2ptx.sh %s '%s' -std=c++17 -w %s", SOURCES[i / 2],
                 made.text, OPTIONS[i % 2]);
        assert_int_equal(system(command), 0);
        struct module *module = module_load(made.text, &err);
        if (!module)
            fail_msg("%s", err.text);
        for (uint32_t k = 0; k < module_kernel_count(module); k++)
            if (module_kernel_at(module, k)->defect)
                fail_msg("%s", module_kernel_at(module, k)->defect);
        module_free(module);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(header_compiles_without_warnings),
        cmocka_unit_test(header_names_the_command),
        cmocka_unit_test(library_headers_go_with_it),
        cmocka_unit_test(what_clang_makes_loads),
    };
    return cmocka_run_group_tests(tests, scratch_create, scratch_remove);
}
