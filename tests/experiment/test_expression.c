/* Expressions of experiment files: values, missing values, folds, crossings, errors. */
#include <math.h>

#include "sim/experiment/expression.h"
#include "tests/unit.h"

/* Variables size (8, 1K, big) and mode (a, b); figure t of both, u of size alone. */
static const double t_values[3][2] = {{8, 4}, {10, 20}, {3, 1}};
static const char *const sizes[] = {"8", "1K", "big"}, *const modes[] = {"a", "b"};
static struct expression *half;

static int32_t variable(void *user, const char *name)
{
    (void)user;
    return !strcmp(name, "size") ? 0 : !strcmp(name, "mode") ? 1 : -1;
}

static int32_t label(void *user, uint32_t v, const char *name)
{
    (void)user;
    for (int32_t i = 0; i < (v ? 2 : 3); i++) {
        if (!strcmp(v ? modes[i] : sizes[i], name))
            return i;
    }
    return -1;
}

static uint32_t label_count(void *user, uint32_t v)
{
    (void)user;
    return v ? 2 : 3;
}

static double label_number(void *user, uint32_t v, uint32_t i)
{
    (void)user;
    static const double numbers[] = {8, 1024, 4096};
    return v ? NAN : numbers[i];
}

static int32_t figure(void *user, const char *name)
{
    (void)user;
    return !strcmp(name, "t") ? 0 : !strcmp(name, "u") ? 1 : -1;
}

static uint32_t figure_needs(void *user, uint32_t f)
{
    (void)user;
    return f ? 1 : 3;
}

static double figure_value(void *user, uint32_t f, const struct binding *at)
{
    (void)user;
    assert_true(at->label[0] >= 0 && (f || at->label[1] >= 0));
    if (f)
        return at->label[0] == 1 ? (double)NAN : at->label[0] + 1.0;
    return t_values[at->label[0]][at->label[1]];
}

static const struct expression *definition(void *user, const char *name)
{
    (void)user;
    return !strcmp(name, "half") ? half : NULL;
}

static const struct names names = {.variable = variable,
                                   .label = label,
                                   .label_count = label_count,
                                   .label_number = label_number,
                                   .figure = figure,
                                   .figure_needs = figure_needs,
                                   .figure_value = figure_value,
                                   .definition = definition};

static double value(const char *text, int32_t size, int32_t mode)
{
    struct error err = {0};
    struct expression *e = expression_parse(text, &names, &err);
    if (!e)
        fail_msg("%s", err.text);
    struct binding at = {.label = {size, mode, -1, -1, -1, -1, -1, -1}};
    double result = expression_value(e, &at);
    expression_free(e);
    return result;
}

static void near(double a, double b)
{
    if (!(fabs(a - b) < 1e-9))
        fail_msg("%g is not %g", a, b);
}

static void test_arithmetic(void **state)
{
    (void)state;
    near(value("1 + 2 * 3 - 4 / 8", -1, -1), 6.5);
    near(value("-(1 - 4) ^ 2 * 2", -1, -1), 18); /* the sign belongs to the base */
    near(value("2 - 3 - 4", -1, -1), -5);
    near(value("log2(8) + sqrt(16) + abs(-2) + ln(1)", -1, -1), 9);
}

static void test_references(void **state)
{
    (void)state;
    near(value("t", 1, 0), 10);
    near(value("t[mode=b]", 1, 0), 20);
    near(value("t[size=big, mode = a ]", -1, -1), 3);
    near(value("size", 1, -1), 1024);
    assert_true(isnan(value("u", 1, -1)));
    assert_true(isnan(value("u + 1", 1, -1)));
}

static void test_definitions(void **state)
{
    (void)state;
    half = expression_parse("t / 2", &names, NULL);
    near(value("half[mode=b]", 0, 0), 2);
    near(value("half * t", 0, 0), 32);
    expression_free(half);
    half = NULL;
}

static void test_folds(void **state)
{
    (void)state;
    near(value("mean(size: t)", -1, 0), 7);
    near(value("sum(size: sum(mode: t))", -1, -1), 46);
    near(value("geomean(mode: t[size=8])", -1, -1), sqrt(32));
    near(value("hmean(mode: t[size=8])", -1, -1), 2 / (1.0 / 8 + 1.0 / 4));
    near(value("argmax(size: t[mode=b])", -1, -1), 1024);
    near(value("argmax(size: 1)", -1, -1), 8);
    near(value("min(size: t / t[mode=b])", -1, 0), 0.5);
    near(value("max(size: t)", -1, 1), 20);
    assert_true(isnan(value("mean(size: u)", -1, -1))); /* one is missing */
    assert_true(isnan(value("max(size: u)", -1, -1)));
}

static void test_crossing(void **state)
{
    (void)state;
    /* a - b: 2 times, half, 3 times: above again at the end. */
    assert_true(isnan(value("cross(size: t[mode=a], t[mode=b])", -1, -1)));
    /* Below from halfway (on the logarithmic scale) between 1K and 4K: ratios 2, 1/2. */
    near(value("cross(size: t[mode=b] / t[mode=a], 2 / t[mode=a] * 5 * size / size)", -1, -1),
         exp(log(1024) + log(4) * log(2) / log(20)));
    near(value("cross(size: 1, 2)", -1, -1), 8);
    assert_true(isnan(value("cross(size: 2, 1)", -1, -1)));
}

static void test_needs(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        uint32_t needs;
    } cases[] = {{"t", 3},
                 {"t[mode=a]", 1},
                 {"u", 1},
                 {"mean(size: t)", 2},
                 {"sum(mode: t[size=8])", 0},
                 {"size + t[size=8]", 3},
                 {"1", 0}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct expression *e = expression_parse(cases[i].text, &names, NULL);
        assert_non_null(e);
        assert_int_equal(expression_needs(e), cases[i].needs);
        expression_free(e);
    }
}

static void test_errors(void **state)
{
    (void)state;
    static const char *const wrong[] = {"",
                                        "1 +",
                                        "(1",
                                        "1)",
                                        "x",
                                        "t[",
                                        "t[mode=c]",
                                        "t[mode]",
                                        "t[x=a]",
                                        "mean(t)",
                                        "mean(x: t)",
                                        "median(size: t)",
                                        "sqrt(1",
                                        "1 2",
                                        "2 ^",
                                        "cross(size: t)",
                                        "mean(size: t"};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        struct error err = {0};
        struct expression *e = expression_parse(wrong[i], &names, &err);
        if (e || !err.set)
            fail_msg("'%s' was taken", wrong[i]);
        expression_free(e);
    }
    char deep[300];
    memset(deep, '(', sizeof deep - 1);
    deep[sizeof deep - 1] = '\0';
    struct error err = {0};
    assert_null(expression_parse(deep, &names, &err));
    assert_non_null(strstr(err.text, "deep"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_arithmetic),  cmocka_unit_test(test_references),
        cmocka_unit_test(test_definitions), cmocka_unit_test(test_folds),
        cmocka_unit_test(test_crossing),    cmocka_unit_test(test_needs),
        cmocka_unit_test(test_errors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
