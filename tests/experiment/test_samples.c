/* Means of samples and half of their 95 % interval, against tables of Student's distribution. */
#include <math.h>

#include "sim/experiment/samples.h"
#include "tests/unit.h"

/* `n` samples, half of them `middle` - 1 and half `middle` + 1; n is even. */
static struct samples around(double middle, uint32_t n)
{
    struct samples s = {.known = 0};
    for (uint32_t i = 0; i < n; i++)
        samples_add(&s, middle + (i % 2 ? 1 : -1));
    return s;
}

static void test_few(void **state)
{
    (void)state;
    struct samples s = {.known = 0};
    assert_true(isnan(samples_mean(&s)) && isnan(samples_spread(&s)));
    samples_add(&s, NAN);
    samples_add(&s, 5);
    assert_true(samples_mean(&s) == 5 && isnan(samples_spread(&s)));
    samples_add(&s, NAN);
    assert_int_equal(s.known, 1);
}

/* Half of the interval is t times sqrt(n / (n - 1) / n) here. */
static void test_interval(void **state)
{
    (void)state;
    static const struct {
        uint32_t n;
        double t;
    } rows[] = {{2, 12.706}, {4, 3.182},  {12, 2.201}, {30, 2.045},
                {32, 2.040}, {62, 2.000}, {122, 1.980}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct samples s = around(1e9, rows[i].n);
        double t = samples_spread(&s) * sqrt(rows[i].n - 1.0);
        assert_true(samples_mean(&s) == 1e9);
        if (fabs(t - rows[i].t) > 0.003)
            fail_msg("%u samples: t is %g instead of %g", rows[i].n, t, rows[i].t);
    }
}

/* 31 samples: the last row of the table, which is not the formula behind it. */
static void test_last_row(void **state)
{
    (void)state;
    struct samples s = around(5, 30);
    samples_add(&s, 5);
    assert_true(fabs(samples_spread(&s) * sqrt(31) - 2.042) < 0.0005);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_few), cmocka_unit_test(test_interval),
                                       cmocka_unit_test(test_last_row)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
