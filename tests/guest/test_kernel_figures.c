/* Kernels by name: first and later launches, alone and beside services, and the slow-down worked
 * out by hand. */
#include <math.h>

#include "sim/guest/kernel_figures.h"
#include "sim/simt/core_env.h"
#include "tests/unit.h"

static void add(struct kernel_figures_table *t, const char *name, uint64_t cycles, bool beside)
{
    struct kernel kernel = {.name = (char *)(uintptr_t)name};
    struct grid grid = {
        .kernel = &kernel, .block = {32, 1, 1}, .start_cycle = 1000, .end_cycle = 1000 + cycles};
    kernel_figures_add(t, &grid, beside);
}

/* Alone: 900 at first, then 100 and 140. Beside: 1000, 180, 240; alone three launches take
 * 900 + 2 * 120. What only one of the tables has does not count, nor what ended without services.
 */
static void slowdown_by_hand(void **state)
{
    (void)state;
    struct kernel_figures_table alone = {.count = 0}, with = {.count = 0};
    add(&alone, "k", 900, false);
    add(&alone, "k", 100, false);
    add(&alone, "k", 140, false);
    add(&alone, "only alone", 7, false);
    assert_true(kernel_figures_slowdown(&with, &alone) == 0);
    add(&with, "k", 1000, true);
    add(&with, "k", 180, true);
    add(&with, "k", 240, true);
    add(&with, "k", 5000, false);
    add(&with, "only beside", 9, true);
    double slowdown = kernel_figures_slowdown(&with, &alone);
    assert_true(fabs(slowdown - 1420.0 / 1140.0) < 1e-12);
    kernel_figures_free(&alone);
    kernel_figures_free(&with);
}

/* Of a single launch, the later ones are taken to be like it. */
static void one_launch(void **state)
{
    (void)state;
    struct kernel_figures_table alone = {.count = 0}, with = {.count = 0};
    add(&alone, "k", 500, false);
    add(&with, "k", 600, true);
    add(&with, "k", 600, true);
    assert_true(fabs(kernel_figures_slowdown(&with, &alone) - 1.2) < 1e-12);
    kernel_figures_free(&alone);
    kernel_figures_free(&with);
}

/* A name is shown as in the source, and does not touch the number behind it. */
static void names_are_shown(void **state)
{
    (void)state;
    struct kernel_figures_table table = {.count = 0};
    char text[256] = "";
    add(&table, "_Z15transpose_naivePKfPfi", 500, false);
    add(&table, "_Z26transpose_of_many_matricesPf", 600, false);
    add(&table, "k", 700, false);
    add(&table, "k", 900, false);
    FILE *to = fmemopen(text, sizeof text, "w");
    kernel_figures_print(&table, NULL, to);
    fclose(to);
    assert_string_equal(text, "  transpose_naive     1 launch, 500 cycles each\n"
                              "  transpose_of_many_matrices 1 launch, 600 cycles each\n"
                              "  k                   2 launches, 800 cycles each\n");
    kernel_figures_free(&table);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(slowdown_by_hand),
                                       cmocka_unit_test(one_launch),
                                       cmocka_unit_test(names_are_shown)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
