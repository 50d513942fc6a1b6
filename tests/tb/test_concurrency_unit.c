/* concurrency_unit, directed: one test per sentence of cm_controller's
 * contract, RTL and golden model in lockstep, with monitors and two cores as in
 * a machine. */
#include "tests/tb/bench/concurrency_bench.h"
#include "tests/unit.h"

enum {
    SUM_MAX = (1 << 14) - 1,
    LIMIT = 3000,
    PARTITIONS = 8,
    LATENCY = PARTITIONS + 3, /* from the end of an interval to the tick */
    CORE_LATENCY = 9,         /* from there to the new limit */
};

static int setup(void **state)
{
    static struct cm_bench bench;
    cm_bench_create(&bench);
    *state = &bench;
    return 0;
}

static int teardown(void **state)
{
    cm_bench_destroy(*state);
    return 0;
}

/* A mode in force, all partitions at 0 and answering. */
static void start(struct cm_bench *b, enum cm_mode mode)
{
    assert_true(cm_bench_write(b, CM_REG_PARTITIONS, PARTITIONS));
    assert_true(cm_bench_write(b, CM_REG_MODE, (uint16_t)mode));
    cm_bench_until_set(b, LIMIT);
}

/* The decision on these sums, spread over the partitions: what the monitors
 * hold when they are read. */
static enum cm_decision decision(struct cm_bench *b, uint32_t mc, uint32_t net)
{
    while (!b->unit_out.mon_read)
        cm_bench_edge(b);
    for (uint32_t p = 0; p < PARTITIONS; p++) {
        uint32_t left = PARTITIONS - p;
        b->monitors[p].mc = (uint16_t)(mc / left);
        b->monitors[p].net = (uint16_t)(net / left);
        mc -= mc / left;
        net -= net / left;
    }
    cm_bench_until_tick(b, LIMIT);
    return (enum cm_decision)b->unit_out.cm_decision;
}

/* --- registers */

static void test_registers_after_reset(void **state)
{
    static const uint16_t reset[] = {
        [CM_REG_MODE] = CM_MODE_OFF, [CM_REG_K] = 32,          [CM_REG_T_HIGH] = 1024,
        [CM_REG_T_LOW] = 256,        [CM_REG_INTERVAL] = 1024, [CM_REG_PARTITIONS] = 16,
        [CM_REG_PATIENCE] = 4,       [CM_REG_PIVOT] = 6,       [CM_REG_DECISION] = CM_DECISION_HOLD,
    };
    struct cm_bench *b = *state;
    for (uint32_t r = 0; r < sizeof reset / sizeof *reset; r++)
        assert_int_equal(cm_bench_read(b, (enum cm_reg)r), reset[r]);
    assert_int_equal(b->unit_out.cm_k, 32);
    assert_int_equal(b->unit_out.cm_patience, 4);
    assert_int_equal(b->unit_out.cm_pivot, 6);
    for (uint32_t r = CM_REG_DECISION + 1; r < 16; r++) {
        assert_false(cm_bench_write(b, (enum cm_reg)r, 0));
        assert_int_equal(b->unit_out.reg_rdata, 0);
        b->unit_in.reg_valid = 1;
        b->unit_in.reg_write = 0;
        cm_bench_edge(b);
        assert_true(b->unit_out.reg_error);
    }
}

/* Every register takes its range and nothing else, and answers with what it
 * held before. */
static void test_registers_take_their_range(void **state)
{
    static const struct {
        enum cm_reg reg;
        uint16_t low, high;
    } range[] = {
        {CM_REG_K, 0, 2047},         {CM_REG_T_HIGH, 0, SUM_MAX}, {CM_REG_T_LOW, 0, SUM_MAX},
        {CM_REG_INTERVAL, 32, 1024}, {CM_REG_PARTITIONS, 1, 16},  {CM_REG_PATIENCE, 0, 7},
        {CM_REG_PIVOT, 0, 63},       {CM_REG_SUM_MC, 0, SUM_MAX}, {CM_REG_SUM_NET, 0, SUM_MAX},
        {CM_REG_TIME, 0, 1023},      {CM_REG_DECISION, 0, 2},     {CM_REG_MODE, 0, 3},
    };
    struct cm_bench *b = *state;
    for (size_t i = 0; i < sizeof range / sizeof *range; i++) {
        enum cm_reg reg = range[i].reg;
        uint16_t before = cm_bench_read(b, reg);
        assert_true(cm_bench_write(b, reg, range[i].low));
        assert_int_equal(b->unit_out.reg_rdata, before);
        assert_true(cm_bench_write(b, reg, range[i].high));
        assert_int_equal(b->unit_out.reg_rdata, range[i].low);
        assert_false(cm_bench_write(b, reg, (uint16_t)(range[i].high + 1)));
        assert_false(cm_bench_write(b, reg, 0xffff));
        if (range[i].low)
            assert_false(cm_bench_write(b, reg, (uint16_t)(range[i].low - 1)));
        if (reg != CM_REG_TIME)
            assert_int_equal(cm_bench_read(b, reg), range[i].high);
    }
}

static void test_answer_is_a_pulse(void **state)
{
    struct cm_bench *b = *state;
    assert_false(cm_bench_write(b, CM_REG_MODE, 4));
    assert_true(b->unit_out.reg_error);
    cm_bench_edge(b);
    assert_false(b->unit_out.reg_done);
    cm_bench_read(b, CM_REG_MODE);
    cm_bench_edge(b);
    assert_false(b->unit_out.reg_done);
}

static void test_knobs_reach_the_cores(void **state)
{
    struct cm_bench *b = *state;
    cm_bench_write(b, CM_REG_K, 1234);
    cm_bench_write(b, CM_REG_PATIENCE, 5);
    cm_bench_write(b, CM_REG_PIVOT, 17);
    assert_int_equal(b->unit_out.cm_k, 1234);
    assert_int_equal(b->unit_out.cm_patience, 5);
    assert_int_equal(b->unit_out.cm_pivot, 17);
}

/* --- decisions */

static void test_thresholds(void **state)
{
    static const struct {
        uint32_t mc, net;
        enum cm_decision expected;
    } cases[] = {
        {0, 0, CM_DECISION_UP},        {255, 255, CM_DECISION_UP},     {256, 0, CM_DECISION_HOLD},
        {0, 256, CM_DECISION_HOLD},    {1023, 1023, CM_DECISION_HOLD}, {1024, 0, CM_DECISION_DOWN},
        {0, 1024, CM_DECISION_DOWN},   {8184, 8184, CM_DECISION_DOWN}, {1023, 0, CM_DECISION_HOLD},
        {255, 1024, CM_DECISION_DOWN},
    };
    struct cm_bench *b = *state;
    start(b, CM_MODE_CPU);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assert_int_equal(decision(b, cases[i].mc, cases[i].net), cases[i].expected);
        assert_int_equal(cm_bench_read(b, CM_REG_SUM_MC), cases[i].mc);
        assert_int_equal(cm_bench_read(b, CM_REG_SUM_NET), cases[i].net);
        assert_int_equal(cm_bench_read(b, CM_REG_DECISION), cases[i].expected);
    }
}

static void test_thresholds_are_registers(void **state)
{
    struct cm_bench *b = *state;
    cm_bench_write(b, CM_REG_T_HIGH, 50);
    cm_bench_write(b, CM_REG_T_LOW, 20);
    start(b, CM_MODE_CPU);
    assert_int_equal(decision(b, 19, 19), CM_DECISION_UP);
    assert_int_equal(decision(b, 20, 19), CM_DECISION_HOLD);
    assert_int_equal(decision(b, 19, 49), CM_DECISION_HOLD);
    assert_int_equal(decision(b, 50, 0), CM_DECISION_DOWN);
    cm_bench_write(b, CM_REG_T_LOW, 100); /* above T_HIGH: DOWN wins */
    assert_int_equal(decision(b, 60, 60), CM_DECISION_DOWN);
    assert_int_equal(decision(b, 49, 49), CM_DECISION_UP);
    cm_bench_write(b, CM_REG_T_HIGH, 0); /* always DOWN */
    assert_int_equal(decision(b, 0, 0), CM_DECISION_DOWN);
    cm_bench_write(b, CM_REG_T_HIGH, 50);
    cm_bench_write(b, CM_REG_T_LOW, 0); /* never UP */
    assert_int_equal(decision(b, 0, 0), CM_DECISION_HOLD);
}

/* Sums and thresholds count as they are before the edge that follows the last answer. */
static void test_compared_once(void **state)
{
    struct cm_bench *b = *state;
    start(b, CM_MODE_CPU);
    for (int at_comparison = 0; at_comparison < 2; at_comparison++) {
        cm_bench_write(b, CM_REG_T_HIGH, 1000);
        while (b->unit_out.mon_index != PARTITIONS - 1)
            cm_bench_edge(b);
        b->monitors[PARTITIONS - 1].mc = 400;
        if (at_comparison) {
            cm_bench_edge(b);
            assert_int_equal(b->unit_out.state, CM_STATE_COMPARE);
        }
        cm_bench_write(b, CM_REG_T_HIGH, 100);
        cm_bench_until_tick(b, LIMIT);
        assert_int_equal(b->unit_out.cm_decision,
                         at_comparison ? CM_DECISION_HOLD : CM_DECISION_DOWN);
    }
}

static void test_sums_of_all_partitions(void **state)
{
    struct cm_bench *b = *state;
    for (uint16_t n = 1; n <= EVG_CM_PARTITIONS; n++) {
        cm_bench_write(b, CM_REG_PARTITIONS, n);
        cm_bench_write(b, CM_REG_MODE, CM_MODE_CPU);
        cm_bench_until_set(b, LIMIT);
        for (int p = 0; p < EVG_CM_PARTITIONS; p++)
            b->monitors[p] = (struct cm_monitor){.mc = CM_STALL_MAX, .net = (uint16_t)(1 + p)};
        cm_bench_until_tick(b, LIMIT);
        assert_int_equal(cm_bench_read(b, CM_REG_SUM_MC), n * CM_STALL_MAX);
        assert_int_equal(cm_bench_read(b, CM_REG_SUM_NET), n * (n + 1) / 2);
    }
}

static void test_sums_saturate(void **state)
{
    struct cm_bench *b = *state;
    for (int net = 0; net < 2; net++) {
        start(b, CM_MODE_CPU);
        while (!b->unit_out.mon_read)
            cm_bench_edge(b);
        for (int p = 0; p < PARTITIONS; p++)
            b->monitors[p] = net ? (struct cm_monitor){.net = CM_STALL_MAX}
                                 : (struct cm_monitor){.mc = CM_STALL_MAX};
        /* The write wins over the first partition. */
        cm_bench_write(b, net ? CM_REG_SUM_NET : CM_REG_SUM_MC, SUM_MAX - 1);
        assert_int_equal(b->unit_out.mon_index, 1);
        cm_bench_until_tick(b, LIMIT);
        assert_int_equal(cm_bench_read(b, CM_REG_SUM_MC), net ? 0 : SUM_MAX);
        assert_int_equal(cm_bench_read(b, CM_REG_SUM_NET), net ? SUM_MAX : 0);
    }
}

/* --- intervals */

static void test_interval_of_1024(void **state)
{
    struct cm_bench *b = *state;
    start(b, CM_MODE_BAL);
    for (int i = 0; i < 3; i++)
        assert_int_equal(cm_bench_until_tick(b, LIMIT), 1024);
}

static void test_interval_is_a_register(void **state)
{
    struct cm_bench *b = *state;
    cm_bench_write(b, CM_REG_INTERVAL, 32);
    start(b, CM_MODE_BAL);
    for (int i = 0; i < 5; i++)
        assert_int_equal(cm_bench_until_tick(b, LIMIT), 32);
    cm_bench_write(b, CM_REG_INTERVAL, 777);
    cm_bench_until_tick(b, LIMIT);
    assert_int_equal(cm_bench_until_tick(b, LIMIT), 777);
    cm_bench_write(b, CM_REG_TIME, 700);
    cm_bench_write(b, CM_REG_INTERVAL, 100); /* already longer: ends at the next edge */
    assert_false(b->unit_out.mon_read);
    cm_bench_edges(b, 2);
    assert_true(b->unit_out.mon_read);
}

/* A partition that always stalls is counted once per cycle of the interval, no
 * stall lost at the read, none twice. */
static void test_stalls_over_exactly_an_interval(void **state)
{
    struct cm_bench *b = *state;
    cm_bench_write(b, CM_REG_INTERVAL, 500);
    for (int p = 0; p < EVG_CM_PARTITIONS; p++)
        b->monitors[p].mc_stall = true;
    b->monitors[2].net_stall = true;
    start(b, CM_MODE_CPU);
    for (int i = 0; i < 4; i++) {
        cm_bench_until_tick(b, LIMIT);
        assert_int_equal(cm_bench_read(b, CM_REG_SUM_MC), PARTITIONS * 500);
        assert_int_equal(cm_bench_read(b, CM_REG_SUM_NET), 500);
    }
}

/* Partitions one per edge from 0 on; the tick PARTITIONS + 3 edges after the end. */
static void test_reading(void **state)
{
    struct cm_bench *b = *state;
    start(b, CM_MODE_CPU);
    while (cm_bench_read(b, CM_REG_TIME) != 1022)
        assert_false(b->unit_out.mon_read);
    assert_false(b->unit_out.mon_read); /* the read was at 1022: TIME is 1023 now */
    cm_bench_edge(b);                   /* the end */
    assert_false(b->unit_out.mon_read);
    cm_bench_edge(b);
    for (int p = 0; p < PARTITIONS; p++) {
        assert_true(b->unit_out.mon_read);
        assert_int_equal(b->unit_out.mon_index, p);
        assert_int_equal(b->unit_out.state, CM_STATE_READ);
        cm_bench_edge(b);
    }
    assert_false(b->unit_out.mon_read || b->unit_out.cm_tick);
    assert_int_equal(b->unit_out.state, CM_STATE_COMPARE);
    cm_bench_edge(b);
    assert_false(b->unit_out.mon_read || b->unit_out.cm_tick);
    assert_int_equal(b->unit_out.state, CM_STATE_DECIDE);
    cm_bench_edge(b);
    assert_true(b->unit_out.cm_tick);
    assert_int_equal(b->unit_out.cm_decision, CM_DECISION_UP);
    cm_bench_edge(b);
    assert_false(b->unit_out.cm_tick);
    assert_int_equal(b->unit_out.cm_decision, CM_DECISION_UP);
}

static void test_silent_partition(void **state)
{
    struct cm_bench *b = *state;
    start(b, CM_MODE_CPU);
    while (b->unit_out.mon_index != 3)
        cm_bench_edge(b);
    b->silent = true;
    b->monitors[3].mc = 17;
    for (int i = 0; i < 2500; i++) { /* two ends pass */
        cm_bench_edge(b);
        assert_true(b->unit_out.mon_read && !b->unit_out.cm_tick);
        assert_int_equal(b->unit_out.mon_index, 3);
    }
    b->silent = false;
    assert_int_equal(cm_bench_until_tick(b, LIMIT), PARTITIONS - 3 + 2);
    assert_int_equal(cm_bench_read(b, CM_REG_SUM_MC), 17);
    cm_bench_until_tick(b, LIMIT); /* the ends are where they were */
    assert_int_equal(cm_bench_until_tick(b, LIMIT), 1024);
}

static void test_stray_answer_ignored(void **state)
{
    struct cm_bench *b = *state;
    start(b, CM_MODE_CPU);
    cm_bench_edges(b, 10);
    struct error err = {0};
    for (int i = 0; i < 5; i++) {
        b->unit_in.mon_valid = 1;
        b->unit_in.mon_mc = b->unit_in.mon_net = 1000;
        assert_true(tile_step(b->unit, &b->unit_in, &b->unit_out, &err));
    }
    cm_bench_until_tick(b, LIMIT);
    assert_int_equal(cm_bench_read(b, CM_REG_SUM_MC), 0);
}

/* --- modes */

/* What was counted before a mode begins is forgotten, and its first interval is
 * as long as the rest: set and ticks are the same way behind their ends. */
static void test_mode_begins(void **state)
{
    struct cm_bench *b = *state;
    for (int p = 0; p < EVG_CM_PARTITIONS; p++)
        b->monitors[p] = (struct cm_monitor){.mc = 900, .net = 900};
    assert_true(cm_bench_write(b, CM_REG_PARTITIONS, PARTITIONS));
    assert_true(cm_bench_write(b, CM_REG_MODE, CM_MODE_BAL));
    assert_int_equal(b->unit_out.cm_mode, CM_MODE_BAL);
    assert_int_equal(cm_bench_until_set(b, LIMIT), LATENCY);
    assert_false(b->unit_out.cm_tick);
    assert_int_equal(b->core_in[0].cm_set, 0);
    assert_int_equal(cm_bench_until_tick(b, LIMIT), 1024);
    assert_int_equal(b->unit_out.cm_decision, CM_DECISION_UP);
    assert_int_equal(b->core_out[0].limit, 48);
}

static void test_mode_write_ends_what_goes_on(void **state)
{
    struct cm_bench *b = *state;
    start(b, CM_MODE_CPU);
    while (b->unit_out.mon_index != 5) /* in the middle of a reading */
        cm_bench_edge(b);
    b->monitors[0].mc = 1000;
    assert_true(cm_bench_write(b, CM_REG_MODE, CM_MODE_BAL));
    assert_int_equal(b->unit_out.mon_index, 0);
    assert_int_equal(cm_bench_until_set(b, LIMIT), LATENCY);
    assert_int_equal(b->unit_out.cm_decision, CM_DECISION_HOLD);
    while (b->unit_out.state != CM_STATE_DECIDE) /* at the edge that would decide */
        cm_bench_edge(b);
    assert_true(cm_bench_write(b, CM_REG_MODE, CM_MODE_FIXED));
    assert_false(b->unit_out.cm_tick);
    assert_int_equal(b->unit_out.cm_decision, CM_DECISION_HOLD);
    assert_int_equal(cm_bench_until_set(b, LIMIT), LATENCY);
    assert_int_equal(cm_bench_read(b, CM_REG_TIME), LATENCY);
    assert_int_equal(cm_bench_until_tick(b, LIMIT), 1023); /* FIXED measures and decides */
}

static void test_off(void **state)
{
    struct cm_bench *b = *state;
    start(b, CM_MODE_CPU);
    for (int p = 0; p < PARTITIONS; p++)
        b->monitors[p].mc_stall = true;
    for (int i = 0; i < 4; i++)
        cm_bench_until_tick(b, LIMIT);
    cm_bench_edges(b, 1 + CORE_LATENCY);
    assert_in_range(b->core_out[0].limit, 1, 46);
    assert_true(cm_bench_write(b, CM_REG_MODE, CM_MODE_OFF));
    assert_false(b->unit_out.cm_set);
    cm_bench_edge(b);
    assert_true(b->unit_out.cm_set);
    cm_bench_edge(b);
    assert_int_equal(b->core_out[0].limit, 48);
    assert_int_equal(b->core_out[1].limit, 48);
    for (int i = 0; i < LIMIT; i++) {
        cm_bench_edge(b);
        assert_false(b->unit_out.cm_tick || b->unit_out.mon_read || b->unit_out.cm_set);
        assert_true(i < 2 || b->unit_out.idle);
    }
    assert_int_equal(cm_bench_read(b, CM_REG_TIME), 0);
    assert_false(b->unit_out.idle);
    cm_bench_edges(b, 2);
    assert_true(b->unit_out.idle);
}

/* --- with the cores */

/* CM-CPU under constant congestion: every core steps down together, to one
 * warp; without any, up.
 */
static void test_cm_cpu_in_a_machine(void **state)
{
    struct cm_bench *b = *state;
    cm_bench_write(b, CM_REG_INTERVAL, 64);
    cm_bench_write(b, CM_REG_T_HIGH, 64);
    cm_bench_write(b, CM_REG_T_LOW, 16);
    b->monitors[0].net_stall = true;
    start(b, CM_MODE_CPU);
    uint8_t last = 48;
    for (int i = 0; i < 30; i++) {
        cm_bench_until_tick(b, LIMIT);
        cm_bench_edges(b, CORE_LATENCY);
        assert_int_equal(b->core_out[0].limit, last);
        cm_bench_edge(b);
        last = (uint8_t)(last > 8 ? last - 2 : last > 1 ? last - 1 : 1);
        assert_int_equal(b->core_out[0].limit, last);
        assert_int_equal(b->core_out[1].limit, last);
    }
    assert_int_equal(last, 1);
    b->monitors[0].net_stall = false;
    for (int i = 0; i < 32; i++)
        cm_bench_until_tick(b, LIMIT);
    cm_bench_edges(b, 1 + CORE_LATENCY);
    assert_int_equal(b->core_out[0].limit, 48);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_registers_after_reset, setup, teardown),
        cmocka_unit_test_setup_teardown(test_registers_take_their_range, setup, teardown),
        cmocka_unit_test_setup_teardown(test_answer_is_a_pulse, setup, teardown),
        cmocka_unit_test_setup_teardown(test_knobs_reach_the_cores, setup, teardown),
        cmocka_unit_test_setup_teardown(test_thresholds, setup, teardown),
        cmocka_unit_test_setup_teardown(test_thresholds_are_registers, setup, teardown),
        cmocka_unit_test_setup_teardown(test_compared_once, setup, teardown),
        cmocka_unit_test_setup_teardown(test_sums_of_all_partitions, setup, teardown),
        cmocka_unit_test_setup_teardown(test_sums_saturate, setup, teardown),
        cmocka_unit_test_setup_teardown(test_interval_of_1024, setup, teardown),
        cmocka_unit_test_setup_teardown(test_interval_is_a_register, setup, teardown),
        cmocka_unit_test_setup_teardown(test_stalls_over_exactly_an_interval, setup, teardown),
        cmocka_unit_test_setup_teardown(test_reading, setup, teardown),
        cmocka_unit_test_setup_teardown(test_silent_partition, setup, teardown),
        cmocka_unit_test_setup_teardown(test_stray_answer_ignored, setup, teardown),
        cmocka_unit_test_setup_teardown(test_mode_begins, setup, teardown),
        cmocka_unit_test_setup_teardown(test_mode_write_ends_what_goes_on, setup, teardown),
        cmocka_unit_test_setup_teardown(test_off, setup, teardown),
        cmocka_unit_test_setup_teardown(test_cm_cpu_in_a_machine, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
