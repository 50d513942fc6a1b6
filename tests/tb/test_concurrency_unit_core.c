/* sm_concurrency_unit, directed: limits, modes, stall count, averages and
 * registers, one test per sentence of cm_bal_core's contract, RTL and golden
 * model in lockstep. */
#include "tests/tb/core_bench.h"
#include "tests/unit.h"

enum { STORE_EDGE = 2 }; /* after that of the tick: the average */

/* --- limits and modes */

static void test_after_reset(void **state)
{
    struct core_bench *b = *state;
    assert_int_equal(b->out.limit, 48);
    assert_true(b->out.idle);
    assert_int_equal(core_bench_get(b, CM_CORE_REG_LIMIT), 48);
    for (int r = CM_CORE_REG_STALL; r <= CM_CORE_REG_AVERAGE_8; r++)
        assert_int_equal(core_bench_get(b, r), 0);
}

static void test_off(void **state)
{
    struct core_bench *b = *state;
    b->in.core_active = 1; /* no warp is ready */
    for (int d = 0; d < 4; d++)
        assert_int_equal(core_bench_interval(b, 100, (enum cm_decision)d), 48);
    assert_int_equal(core_bench_get(b, CM_CORE_REG_VALID), 0);
    assert_int_equal(core_bench_get(b, CM_CORE_REG_STALL),
                     100); /* where interval() put it; nothing counts */
    assert_false(core_bench_put(b, CM_CORE_REG_LIMIT, 24));
    assert_true(core_bench_put(b, CM_CORE_REG_LIMIT, 48));
}

/* Steps of 2 from 48 to 8, of 1 from 8 to 1, and back. */
static void test_cpu_steps(void **state)
{
    struct core_bench *b = *state;
    core_bench_set_mode(b, CM_MODE_CPU);
    assert_int_equal(core_bench_interval(b, 0, CM_DECISION_UP), 48);
    for (uint8_t want = 46; want >= 8; want = (uint8_t)(want - 2))
        assert_int_equal(core_bench_interval(b, 0, CM_DECISION_DOWN), want);
    for (uint8_t want = 7; want >= 1; want--)
        assert_int_equal(core_bench_interval(b, 0, CM_DECISION_DOWN), want);
    assert_int_equal(core_bench_interval(b, 0, CM_DECISION_DOWN), 1);
    for (uint8_t want = 2; want <= 8; want++) {
        assert_int_equal(core_bench_interval(b, 0, CM_DECISION_HOLD), want - 1);
        assert_int_equal(core_bench_interval(b, 0, CM_DECISION_UP), want);
    }
    for (uint8_t want = 10; want <= 48; want = (uint8_t)(want + 2))
        assert_int_equal(core_bench_interval(b, 0, CM_DECISION_UP), want);
    assert_int_equal(core_bench_interval(b, 0, (enum cm_decision)3), 48); /* not a decision: HOLD */
}

/* CM-CPU looks neither at averages nor at unchanged intervals. */
static void test_cpu_ignores_stalls(void **state)
{
    struct core_bench *b = *state;
    b->in.cm_patience = 4;
    b->in.cm_pivot = 6;
    core_bench_set_mode(b, CM_MODE_CPU);
    core_bench_put(b, CM_CORE_REG_LIMIT, 8);
    core_bench_put_average(b, 4, 2000);
    core_bench_put_average(b, 5, 1000);
    core_bench_put_average(b, 6, 0);
    assert_int_equal(core_bench_interval(b, 1000, CM_DECISION_DOWN), 7);
    for (int i = 0; i < 10; i++)
        assert_int_equal(core_bench_interval(b, 1000, CM_DECISION_HOLD), 7);
    assert_int_equal(core_bench_get(b, CM_CORE_REG_SAME), 0);
}

static void test_bal_levels(void **state)
{
    struct core_bench *b = *state;
    core_bench_balance_on(b, EVG_CM_LEVELS - 1);
    assert_int_equal(core_bench_interval(b, 0, CM_DECISION_UP), 48);
    for (int n = EVG_CM_LEVELS - 2; n >= 0; n--) {
        core_bench_put(b, CM_CORE_REG_VALID, 0);
        assert_int_equal(core_bench_interval(b, 0, CM_DECISION_DOWN), core_bench_ladder[n]);
    }
    assert_int_equal(core_bench_interval(b, 0, CM_DECISION_DOWN), 1);
    for (int n = 1; n < EVG_CM_LEVELS; n++) {
        core_bench_put(b, CM_CORE_REG_VALID, 0);
        assert_int_equal(core_bench_interval(b, 0, CM_DECISION_HOLD), core_bench_ladder[n - 1]);
        assert_int_equal(core_bench_interval(b, 0, CM_DECISION_UP), core_bench_ladder[n]);
    }
    assert_int_equal(core_bench_interval(b, 0, (enum cm_decision)3), 48);
}

/* A mode begins on the highest limit it has that is not above the present one.
 */
static void test_mode_changes(void **state)
{
    struct core_bench *b = *state;
    for (uint8_t warps = 1; warps <= 48; warps++) {
        uint8_t level = 0;
        for (int n = 0; n < EVG_CM_LEVELS; n++)
            if (core_bench_ladder[n] <= warps)
                level = core_bench_ladder[n];
        const struct {
            enum cm_mode mode;
            uint8_t limit;
        } cases[] = {{CM_MODE_FIXED, warps},
                     {CM_MODE_BAL, level},
                     {CM_MODE_CPU, (uint8_t)(warps > 8 ? warps & 0xfe : warps)},
                     {CM_MODE_OFF, 48}};
        for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
            core_bench_set_mode(b, CM_MODE_FIXED);
            assert_true(core_bench_put(b, CM_CORE_REG_LIMIT, warps));
            core_bench_set_mode(b, cases[i].mode);
            assert_int_equal(b->out.limit, cases[i].limit);
        }
    }
}

static void test_fixed(void **state)
{
    struct core_bench *b = *state;
    core_bench_set_mode(b, CM_MODE_FIXED);
    core_bench_put(b, CM_CORE_REG_LIMIT, 16);
    for (int d = 0; d < 3; d++)
        assert_int_equal(core_bench_interval(b, 400, (enum cm_decision)d), 16);
    assert_int_equal(core_bench_get(b, CM_CORE_REG_AVERAGE_0 + 6), 400); /* it measures */
}

/* Only limits that the mode in force has. */
static void test_limit_written(void **state)
{
    struct core_bench *b = *state;
    for (uint32_t mode = 0; mode < 4; mode++) {
        core_bench_set_mode(b, (enum cm_mode)mode);
        for (uint32_t warps = 0; warps < 200; warps++) {
            bool level = false;
            for (int n = 0; n < EVG_CM_LEVELS; n++)
                level |= core_bench_ladder[n] == warps;
            bool want = mode == CM_MODE_OFF   ? warps == 48
                        : mode == CM_MODE_BAL ? level
                        : mode == CM_MODE_CPU ? (warps >= 1 && warps <= 8) ||
                                                    (warps <= 48 && warps > 8 && warps % 2 == 0)
                                              : warps >= 1 && warps <= 48;
            uint8_t before = b->out.limit;
            assert_int_equal(core_bench_put(b, CM_CORE_REG_LIMIT, warps), want);
            assert_int_equal(b->out.limit, want ? warps : before);
        }
        assert_false(core_bench_put(b, CM_CORE_REG_LIMIT, 0x4000 + 48));
    }
}

/* --- stall count */

static void test_stall_condition(void **state)
{
    struct core_bench *b = *state;
    core_bench_set_mode(b, CM_MODE_FIXED);
    for (uint8_t bits = 0; bits < 16; bits++) {
        b->in.sched_ready = bits & 3;
        b->in.sched_full = bits >> 2;
        int stalls = !(bits & 1 && !(bits & 4)) + !(bits & 2 && !(bits & 8));
        for (uint8_t active = 0; active < 2; active++) {
            b->in.core_active = 0;
            core_bench_put(b, CM_CORE_REG_STALL, 0);
            b->in.core_active = active;
            core_bench_edges(b, 5);
            b->in.core_active = 0;
            assert_int_equal(core_bench_get(b, CM_CORE_REG_STALL), active ? 5 * stalls : 0);
        }
    }
}

static void test_stall_saturates(void **state)
{
    struct core_bench *b = *state;
    core_bench_set_mode(b, CM_MODE_BAL);
    b->in.core_active = 1;
    core_bench_edges(b, 1023);
    assert_int_equal(core_bench_get(b, CM_CORE_REG_STALL), 2046);
    assert_int_equal(core_bench_get(b, CM_CORE_REG_STALL), 2047);
    core_bench_edges(b, 10);
    assert_int_equal(core_bench_get(b, CM_CORE_REG_STALL), 2047);
}

/* A stall at the edge of a tick or of a set is the first of the next interval.
 */
static void test_stall_at_the_boundary(void **state)
{
    struct core_bench *b = *state;
    b->in.core_active = 1;
    b->in.sched_ready = 2;
    core_bench_set_mode(b, CM_MODE_FIXED);
    core_bench_edges(b, 9);
    b->in.cm_tick = 1;
    core_bench_edge(b);
    assert_int_equal(core_bench_get(b, CM_CORE_REG_STALL), 1);
    core_bench_edge(b);
    assert_int_equal(core_bench_get(b, CM_CORE_REG_AVERAGE_8), 10);
    core_bench_set_mode(b, CM_MODE_OFF);
    assert_int_equal(core_bench_get(b, CM_CORE_REG_STALL), 0);
}

/* --- averages */

static void test_average_formula(void **state)
{
    static const uint16_t values[] = {0, 1, 2, 3, 4, 5, 100, 1023, 1024, 2046, 2047};
    enum { N = sizeof values / sizeof *values };
    struct core_bench *b = *state;
    core_bench_set_mode(b, CM_MODE_FIXED);
    for (int n = 0; n < EVG_CM_LEVELS; n++) {
        core_bench_put(b, CM_CORE_REG_LIMIT, core_bench_ladder[n]);
        for (int i = 0; i < N; i++)
            for (int j = 0; j < N; j++) {
                core_bench_put(b, CM_CORE_REG_VALID, 0);
                core_bench_interval(b, values[i], CM_DECISION_HOLD);
                assert_int_equal(core_bench_get(b, CM_CORE_REG_VALID), 1 << n);
                assert_int_equal(core_bench_get(b, CM_CORE_REG_AVERAGE_0 + n), values[i]);
                core_bench_interval(b, values[j], CM_DECISION_HOLD);
                int want = (values[i] * 25 + values[j] * 75) / 100;
                assert_int_equal(core_bench_get(b, CM_CORE_REG_AVERAGE_0 + n), want);
            }
    }
}

static void test_average_of_levels_only(void **state)
{
    struct core_bench *b = *state;
    for (uint8_t warps = 1; warps <= 48; warps++) {
        core_bench_set_mode(b, CM_MODE_FIXED);
        core_bench_put(b, CM_CORE_REG_VALID, 0);
        core_bench_put(b, CM_CORE_REG_LIMIT, warps);
        core_bench_interval(b, 7, CM_DECISION_HOLD);
        uint16_t want = 0;
        for (int n = 0; n < EVG_CM_LEVELS; n++)
            if (core_bench_ladder[n] == warps)
                want = (uint16_t)(1 << n);
        assert_int_equal(core_bench_get(b, CM_CORE_REG_VALID), want);
    }
}

static void test_kernel_invalidates(void **state)
{
    struct core_bench *b = *state;
    for (int end = 0; end < 2; end++)
        for (int with_tick = 0; with_tick < 2; with_tick++) {
            core_bench_set_mode(b, CM_MODE_FIXED);
            for (int n = 0; n < EVG_CM_LEVELS; n++)
                core_bench_put_average(b, n, 1000);
            assert_int_equal(core_bench_get(b, CM_CORE_REG_VALID), 0x1ff);
            b->in.cm_tick = (uint8_t)with_tick;
            b->in.kernel_begin = (uint8_t)!end;
            b->in.kernel_end = (uint8_t)end;
            core_bench_edge(b);
            assert_int_equal(core_bench_get(b, CM_CORE_REG_VALID), 0);
            assert_int_equal(core_bench_get(b, CM_CORE_REG_AVERAGE_3), 0);
            core_bench_edges(b, CORE_BENCH_LATENCY);
            assert_int_equal(core_bench_get(b, CM_CORE_REG_VALID), 0);
        }
    for (int when = 1; when <= STORE_EDGE + 1; when++) { /* until the interval's own is stored */
        b->in.cm_tick = 1;
        core_bench_edges(b, when);
        b->in.kernel_begin = 1;
        core_bench_edges(b, 1 + CORE_BENCH_LATENCY);
        assert_int_equal(core_bench_get(b, CM_CORE_REG_VALID), 0);
    }
    core_bench_put_average(b, 8, 1000);
    core_bench_put(b, CM_CORE_REG_LIMIT, 48);
    b->in.kernel_begin = 1;
    core_bench_edge(b);
    core_bench_interval(b, 44, CM_DECISION_HOLD); /* a new entry, not a step from the old one */
    assert_int_equal(core_bench_get(b, CM_CORE_REG_AVERAGE_8), 44);
}

/* --- registers */

static void test_registers(void **state)
{
    struct core_bench *b = *state;
    for (int reg = CM_CORE_REG_STALL; reg <= CM_CORE_REG_AVERAGE_8; reg++) {
        if (reg == CM_CORE_REG_VALID)
            continue; /* below */
        uint16_t high = reg == CM_CORE_REG_SAME ? 7 : 2047;
        assert_true(core_bench_put(b, reg, high));
        for (uint32_t bit = (uint32_t)high + 1; bit < 0x10000; bit *= 2)
            assert_false(core_bench_put(b, reg, bit));
        assert_int_equal(b->out.reg_rdata, high);
        assert_false(core_bench_put(b, reg, 0xffff));
        assert_int_equal(core_bench_get(b, reg), high);
        assert_true(core_bench_put(b, reg, 3));
        assert_int_equal(core_bench_get(b, reg), 3);
        core_bench_edge(b);
        assert_false(b->out.reg_done);
    }
    for (int reg = CM_CORE_REG_AVERAGE_8 + 1; reg < 16; reg++)
        for (int write = 0; write < 2; write++) {
            core_bench_offer(b, write, reg, 0);
            core_bench_edge(b);
            assert_true(b->out.reg_done && b->out.reg_error && b->out.reg_rdata == 0);
        }
}

static void test_valid_register(void **state)
{
    struct core_bench *b = *state;
    for (int n = 0; n < EVG_CM_LEVELS; n++)
        core_bench_put_average(b, n, (uint16_t)(10 + n));
    assert_false(core_bench_put(b, CM_CORE_REG_VALID, 0x200));
    assert_true(core_bench_put(b, CM_CORE_REG_VALID, 0x0aa));
    assert_true(core_bench_put(b, CM_CORE_REG_VALID, 0x1ff)); /* ones leave it */
    assert_int_equal(core_bench_get(b, CM_CORE_REG_VALID), 0x0aa);
    assert_int_equal(core_bench_get(b, CM_CORE_REG_AVERAGE_7), 17);
    assert_int_equal(core_bench_get(b, CM_CORE_REG_AVERAGE_8), 0);
    core_bench_offer(b, true, CM_CORE_REG_VALID, 0x1ff); /* a kernel's pulse is not lost */
    b->in.kernel_begin = 1;
    core_bench_edge(b);
    assert_int_equal(core_bench_get(b, CM_CORE_REG_VALID), 0);
    core_bench_offer(b, true, CM_CORE_REG_AVERAGE_2,
                     5); /* but the entry written at that edge is there */
    b->in.kernel_begin = 1;
    core_bench_edge(b);
    assert_int_equal(core_bench_get(b, CM_CORE_REG_VALID), 4);
}

static void test_writes_win(void **state)
{
    struct core_bench *b = *state;
    core_bench_balance_on(b, 6);
    b->in.core_active = 1;
    core_bench_offer(b, true, CM_CORE_REG_STALL,
                     77); /* against the count, the tick and its average */
    b->in.cm_tick = 1;
    core_bench_edge(b);
    b->in.core_active = 0;
    assert_int_equal(core_bench_get(b, CM_CORE_REG_STALL), 77);
    core_bench_edges(b, CORE_BENCH_LATENCY);
    b->in.cm_tick = 1;
    core_bench_edges(b, STORE_EDGE);
    core_bench_offer(b, true, CM_CORE_REG_AVERAGE_6, 99);
    core_bench_edge(b);
    assert_int_equal(core_bench_get(b, CM_CORE_REG_AVERAGE_6), 99);
    core_bench_edges(b, CORE_BENCH_LATENCY);
    b->in.cm_tick = 1;
    core_bench_edges(b, CORE_BENCH_LATENCY);
    core_bench_offer(b, true, CM_CORE_REG_SAME, 6); /* at the edge that decides */
    core_bench_edge(b);
    assert_int_equal(core_bench_get(b, CM_CORE_REG_SAME), 6);
    core_bench_offer(b, true, CM_CORE_REG_SAME, 5);
    core_bench_set_mode(b, CM_MODE_BAL);
    assert_int_equal(core_bench_get(b, CM_CORE_REG_SAME), 5);
}

/* A write of LIMIT ends the decision under way, at each of its edges. */
static void test_limit_write_ends_decision(void **state)
{
    struct core_bench *b = *state;
    for (int when = 0; when <= CORE_BENCH_LATENCY; when++) {
        core_bench_balance_on(b, 6);
        for (int i = 0; i <= CORE_BENCH_LATENCY; i++) {
            b->in.cm_tick = i == 0;
            b->in.cm_decision = CM_DECISION_DOWN;
            if (i == when)
                core_bench_offer(b, true, CM_CORE_REG_LIMIT, 4);
            core_bench_edge(b);
        }
        core_bench_edges(b, CORE_BENCH_LATENCY);
        assert_int_equal(b->out.limit, 4);
        assert_int_equal(core_bench_get(b, CM_CORE_REG_SAME), 0);
        assert_int_equal(core_bench_get(b, CM_CORE_REG_VALID), when < STORE_EDGE ? 0 : 1 << 6);
    }
    core_bench_offer(b, true, CM_CORE_REG_LIMIT, 8); /* with a set: refused, what ever the mode */
    b->in.cm_set = 1;
    b->in.cm_mode = CM_MODE_FIXED;
    core_bench_edge(b);
    assert_true(b->out.reg_error);
    assert_int_equal(b->out.limit, 4);
}

/* --- ticks out of turn, rest */

static void test_illegal_ticks(void **state)
{
    struct core_bench *b = *state;
    core_bench_balance_on(b, 6);
    b->in.cm_tick = b->in.cm_set = 1; /* the tick is ignored */
    b->in.cm_decision = CM_DECISION_DOWN;
    core_bench_edges(b, 1 + CORE_BENCH_LATENCY);
    assert_int_equal(b->out.limit, 16);
    assert_int_equal(core_bench_get(b, CM_CORE_REG_VALID), 0);
    for (int late = 1; late <= 1 + CORE_BENCH_LATENCY; late++) { /* decision under way: ignored */
        core_bench_balance_on(b, 6);
        b->in.cm_tick = 1;
        b->in.cm_decision = CM_DECISION_DOWN;
        core_bench_edges(b, late);
        b->in.cm_tick = 1;
        b->in.cm_decision = CM_DECISION_UP;
        core_bench_edges(b, 1 + CORE_BENCH_LATENCY);
        assert_int_equal(b->out.limit, late <= CORE_BENCH_LATENCY ? 8 : 16);
    }
}

static void test_set_ends_decision(void **state)
{
    struct core_bench *b = *state;
    for (int when = 1; when <= CORE_BENCH_LATENCY; when++) {
        core_bench_balance_on(b, 6);
        b->in.cm_tick = 1;
        b->in.cm_decision = CM_DECISION_DOWN;
        core_bench_edges(b, when);
        core_bench_set_mode(b, CM_MODE_CPU);
        core_bench_edges(b, 1 + CORE_BENCH_LATENCY);
        assert_int_equal(b->out.limit, 16);
    }
}

static void test_idle(void **state)
{
    struct core_bench *b = *state;
    b->in.core_active = 1;
    core_bench_edges(b, 2);
    assert_true(b->out.idle); /* OFF */
    core_bench_set_mode(b, CM_MODE_BAL);
    assert_false(b->out.idle);
    core_bench_edges(b, 5);
    assert_false(b->out.idle); /* it counts */
    b->in.core_active = 0;
    core_bench_edges(b, 2);
    assert_true(b->out.idle);
    b->in.cm_tick = 1;
    for (int i = 0; i <= CORE_BENCH_LATENCY; i++) {
        core_bench_edge(b);
        assert_false(b->out.idle);
    }
    core_bench_edge(b);
    assert_true(b->out.idle);
    b->in.kernel_end = 1;
    core_bench_edge(b);
    assert_false(b->out.idle);
}

/* A write wins over the step at its edge, and the later steps go on from it. */
static void test_write_at_each_step(void **state)
{
    struct core_bench *b = *state;
    for (int when = 0; when <= CORE_BENCH_LATENCY; when++) {
        core_bench_balance_on(b, 4);
        b->in.cm_decision = CM_DECISION_HOLD;
        for (int i = 0; i <= CORE_BENCH_LATENCY; i++) {
            b->in.cm_tick = i == 0;
            if (i == when)
                core_bench_offer(b, true, CM_CORE_REG_SAME, 5);
            core_bench_edge(b);
        }
        assert_int_equal(core_bench_get(b, CM_CORE_REG_SAME), when == CORE_BENCH_LATENCY ? 5 : 6);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_write_at_each_step, core_bench_setup,
                                        core_bench_teardown),
        cmocka_unit_test_setup_teardown(test_after_reset, core_bench_setup, core_bench_teardown),
        cmocka_unit_test_setup_teardown(test_off, core_bench_setup, core_bench_teardown),
        cmocka_unit_test_setup_teardown(test_cpu_steps, core_bench_setup, core_bench_teardown),
        cmocka_unit_test_setup_teardown(test_cpu_ignores_stalls, core_bench_setup,
                                        core_bench_teardown),
        cmocka_unit_test_setup_teardown(test_bal_levels, core_bench_setup, core_bench_teardown),
        cmocka_unit_test_setup_teardown(test_mode_changes, core_bench_setup, core_bench_teardown),
        cmocka_unit_test_setup_teardown(test_fixed, core_bench_setup, core_bench_teardown),
        cmocka_unit_test_setup_teardown(test_limit_written, core_bench_setup, core_bench_teardown),
        cmocka_unit_test_setup_teardown(test_stall_condition, core_bench_setup,
                                        core_bench_teardown),
        cmocka_unit_test_setup_teardown(test_stall_saturates, core_bench_setup,
                                        core_bench_teardown),
        cmocka_unit_test_setup_teardown(test_stall_at_the_boundary, core_bench_setup,
                                        core_bench_teardown),
        cmocka_unit_test_setup_teardown(test_average_formula, core_bench_setup,
                                        core_bench_teardown),
        cmocka_unit_test_setup_teardown(test_average_of_levels_only, core_bench_setup,
                                        core_bench_teardown),
        cmocka_unit_test_setup_teardown(test_kernel_invalidates, core_bench_setup,
                                        core_bench_teardown),
        cmocka_unit_test_setup_teardown(test_registers, core_bench_setup, core_bench_teardown),
        cmocka_unit_test_setup_teardown(test_valid_register, core_bench_setup, core_bench_teardown),
        cmocka_unit_test_setup_teardown(test_writes_win, core_bench_setup, core_bench_teardown),
        cmocka_unit_test_setup_teardown(test_limit_write_ends_decision, core_bench_setup,
                                        core_bench_teardown),
        cmocka_unit_test_setup_teardown(test_illegal_ticks, core_bench_setup, core_bench_teardown),
        cmocka_unit_test_setup_teardown(test_set_ends_decision, core_bench_setup,
                                        core_bench_teardown),
        cmocka_unit_test_setup_teardown(test_idle, core_bench_setup, core_bench_teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
