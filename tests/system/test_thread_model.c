/* The load of threads from the times of cores, by hand. */
#include "sim/gpu/turns/thread_model.h"

#include "tests/unit.h"

static struct core_run_time run(uint32_t core, uint64_t ns, bool port, bool stores)
{
    return (struct core_run_time){core, 100, 100 + ns, port, stores};
}

/* Six cores: of two threads the first has 0 to 2, of four they have 0 and 1, 2, 3 and 4, 5. */
static void two_cycles_of_six_cores(void **state)
{
    struct thread_model m = {.core_ns = 0};
    const struct core_run_time first[] = {run(0, 10, true, false), run(1, 20, false, true),
                                          run(2, 30, true, true), run(3, 7, true, false),
                                          run(5, 40, true, true)};
    const struct core_run_time second[] = {run(1, 5, false, false), run(2, 6, false, false)};
    (void)state;
    thread_model_cycle(&m, first, 5, 6);
    thread_model_cycle(&m, second, 2, 6);
    assert_int_equal(m.core_ns, 118);
    assert_int_equal(m.runs, 7);

    assert_int_equal(thread_model_threads(0), 1);
    assert_int_equal(m.with[0].longest_ns, 118);
    assert_int_equal(m.with[0].its_runs, 7);
    assert_int_equal(m.with[0].meetings, 0);
    assert_int_equal(m.with[0].ports, 0);

    assert_int_equal(thread_model_threads(1), 2);
    assert_int_equal(m.with[1].longest_ns, 60 + 11);
    assert_int_equal(m.with[1].its_runs, 3 + 2);
    assert_int_equal(m.with[1].meetings, 1);
    assert_int_equal(m.with[1].others, 1);
    assert_int_equal(m.with[1].ports, 2);
    assert_int_equal(m.with[1].stores, 1);

    assert_int_equal(m.with[2].longest_ns, 40 + 6); /* 5; 2 */
    assert_int_equal(m.with[2].its_runs, 1 + 1);
    assert_int_equal(m.with[2].meetings, 2);
    assert_int_equal(m.with[2].others, 3 + 1);
    assert_int_equal(m.with[2].ports, 3);
    assert_int_equal(m.with[2].stores, 2);

    assert_int_equal(m.with[3].longest_ns, 40 + 6); /* a thread for each core, here and beyond */
    assert_memory_equal(&m.with[3], &m.with[5], sizeof m.with[3]);
}

/* A time of milliseconds is not the core's: it counts as the mean of those before. */
static void a_suspended_core(void **state)
{
    struct thread_model m = {.core_ns = 0};
    const struct core_run_time first[] = {run(0, 100, false, false), run(1, 200, false, false)};
    const struct core_run_time second[] = {run(0, 3000000, false, false)};
    (void)state;
    thread_model_cycle(&m, first, 2, 2);
    thread_model_cycle(&m, second, 1, 2);
    assert_int_equal(m.core_ns, 450);
    assert_int_equal(m.with[1].longest_ns, 350);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(two_cycles_of_six_cores),
        cmocka_unit_test(a_suspended_core),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
