/* Source lines of instructions, from .file and .loc. */
#include "sim/ptx/module.h"
#include "sim/ptx/source_map.h"
#include "tests/unit.h"

static const char TEXT[] = ".version 7.2\n"
                           ".target sm_50\n"
                           ".address_size 64\n"
                           ".visible .entry a()\n"                                   /* 4 */
                           "{\n"                                                     /* 5 */
                           ".reg .b32 %r<2>;\n"                                      /* 6 */
                           "mov.u32 %r1, 1;\n"                                       /* 7 */
                           ".loc 1 12 3\n"                                           /* 8 */
                           "mov.u32 %r1, 2;\n"                                       /* 9 */
                           ".loc 1 0 3\n"                                            /* 10 */
                           "mov.u32 %r1, 3;\n"                                       /* 11 */
                           ".loc 2 5 1, function_name $L__s0+4, inlined_at 1 14 7\n" /* 12 */
                           "mov.u32 %r1, 4;\n"                                       /* 13 */
                           ".loc 9 1 1\n"                                            /* 14 */
                           "exit;\n"                                                 /* 15 */
                           "}\n"                                                     /* 16 */
                           ".visible .entry b()\n"                                   /* 17 */
                           "{\n"                                                     /* 18 */
                           "exit;\n"                                                 /* 19 */
                           "}\n"
                           ".file 1 \"/src/k.cu\", 1234, 99\n"
                           ".file 2 \"k.cuh\"\n"
                           ".section .debug_str { .b8 0 }\n";

static void expect(const struct kernel *kernel, uint32_t line, const char *place)
{
    char text[100];
    assert_int_equal(source_map_describe(kernel->source, line, text, sizeof text), *place != 0);
    assert_string_equal(text, place);
}

static void lines_are_found(void **state)
{
    (void)state;
    struct error err = {0};
    struct module *module = module_parse("t.ptx", TEXT, strlen(TEXT), &err);
    if (!module)
        fail_msg("%s", err.text);
    const struct kernel *a = module_kernel(module, "a"), *b = module_kernel(module, "b");
    expect(a, 7, "");
    expect(a, 9, "/src/k.cu:12");
    expect(a, 11, "/src/k.cu:12");
    expect(a, 13, "k.cuh:5, inlined at /src/k.cu:14");
    expect(a, 15, "");
    expect(b, 19, "");
    assert_int_equal(a->code[0].line, 7);
    module_free(module);
}

/* Whatever else stands there: line information never keeps a file from loading. */
static void other_forms_are_skipped(void **state)
{
    (void)state;
    static const char *const lines[] = {".loc",
                                        ".loc 1",
                                        ".loc 1 2 3, function_name",
                                        ".loc x y",
                                        ".loc 1 2 3, inlined_at 4",
                                        ".file \"only.cu\"",
                                        ".file 1"};
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        char text[200];
        struct error err = {0};
        snprintf(text, sizeof text,
                 ".version 7.2\n.target sm_50\n.address_size 64\n%s\n.entry a()\n{\n%s\nexit;\n}\n",
                 strncmp(lines[i], ".file", 5) ? "" : lines[i], lines[i]);
        struct module *module = module_parse("t.ptx", text, strlen(text), &err);
        if (!module)
            fail_msg("%s: %s", lines[i], err.text);
        assert_int_equal(module_kernel(module, "a")->n_inst, 1);
        module_free(module);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(lines_are_found),
                                       cmocka_unit_test(other_forms_are_skipped)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
