/* sm_concurrency_unit, directed: one test per sentence of cm_bal_core's contract, RTL and golden
 * model in lockstep; and the paper's Figures 12 and 14 as scenarios. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "evgpu_defs.h"
#include "sm_concurrency_unit.h"

enum { LEVELS = EVG_CM_LEVELS, K = 32 };

static const uint8_t ladder[LEVELS] = {1, 2, 3, 4, 6, 8, 16, 24, 48}; /* CM-BAL 4.2 */

struct bench {
    struct tile *tile;
    struct sm_concurrency_unit_in in; /* what lasts; pulses are cleared after an edge */
    struct sm_concurrency_unit_out out;
};

static int setup(void **state)
{
    static struct bench bench;
    struct error err = {0};
    memset(&bench, 0, sizeof bench);
    bench.tile = tile_create(&sm_concurrency_unit_kind, TILE_LOCKSTEP, "core", &err);
    tile_reset(bench.tile, &bench.out);
    bench.in.cm_k = K;
    *state = &bench;
    return bench.tile ? 0 : -1;
}

static int teardown(void **state)
{
    struct bench *b = *state;
    tile_destroy(b->tile);
    return 0;
}

static void edge(struct bench *b)
{
    struct error err = {0};
    if (!tile_step(b->tile, &b->in, &b->out, &err))
        fail_msg("%s", err.text);
    b->in.cm_tick = b->in.cm_set = b->in.kernel_begin = b->in.kernel_end = b->in.reg_valid = 0;
}

static void edges(struct bench *b, int n)
{
    while (n--)
        edge(b);
}

static void offer(struct bench *b, bool write, int reg, uint32_t value)
{
    b->in.reg_valid = 1;
    b->in.reg_write = write;
    b->in.reg_addr = (uint8_t)reg;
    b->in.reg_data = (uint16_t)value;
}

static bool put(struct bench *b, int reg, uint32_t value)
{
    offer(b, true, reg, value);
    edge(b);
    assert_true(b->out.reg_done);
    return !b->out.reg_error;
}

static uint16_t get(struct bench *b, int reg)
{
    offer(b, false, reg, 0xffff);
    edge(b);
    assert_true(b->out.reg_done && !b->out.reg_error);
    return b->out.reg_rdata;
}

static void set_mode(struct bench *b, enum cm_mode mode)
{
    b->in.cm_set = 1;
    b->in.cm_mode = (uint8_t)mode;
    edge(b);
}

static void put_average(struct bench *b, int level, uint16_t value)
{
    assert_true(put(b, CM_CORE_REG_AVERAGE_0 + level, value));
}

/* The end of an interval with so many stalls; returns the limit that follows. */
static uint8_t interval(struct bench *b, uint16_t stalls, enum cm_decision decision)
{
    assert_true(put(b, CM_CORE_REG_STALL, stalls));
    uint8_t before = b->out.limit;
    b->in.cm_tick = 1;
    b->in.cm_decision = (uint8_t)decision;
    edge(b);
    b->in.cm_decision = CM_DECISION_HOLD;
    assert_int_equal(b->out.limit, before);
    edge(b);
    assert_int_equal(b->out.limit, before);
    edge(b);
    assert_int_equal(b->out.state, CM_CORE_STATE_IDLE);
    return b->out.limit;
}

/* BAL, on this level, no valid average, the rule of unchanged intervals off. */
static void balance_on(struct bench *b, int level)
{
    set_mode(b, CM_MODE_BAL);
    assert_true(put(b, CM_CORE_REG_LIMIT, ladder[level]));
    assert_true(put(b, CM_CORE_REG_VALID, 0));
    b->in.cm_patience = 0;
}

/* --- limits and modes */

static void test_after_reset(void **state)
{
    struct bench *b = *state;
    assert_int_equal(b->out.limit, 48);
    assert_true(b->out.idle);
    assert_int_equal(get(b, CM_CORE_REG_LIMIT), 48);
    for (int r = CM_CORE_REG_STALL; r <= CM_CORE_REG_AVERAGE_8; r++)
        assert_int_equal(get(b, r), 0);
}

static void test_off(void **state)
{
    struct bench *b = *state;
    b->in.core_active = 1; /* no warp is ready */
    for (int d = 0; d < 4; d++)
        assert_int_equal(interval(b, 100, (enum cm_decision)d), 48);
    assert_int_equal(get(b, CM_CORE_REG_VALID), 0);
    assert_int_equal(get(b, CM_CORE_REG_STALL), 100); /* where interval() put it; nothing counts */
    assert_false(put(b, CM_CORE_REG_LIMIT, 24));
    assert_true(put(b, CM_CORE_REG_LIMIT, 48));
}

/* Steps of 2 from 48 to 8, of 1 from 8 to 1, and back. */
static void test_cpu_steps(void **state)
{
    struct bench *b = *state;
    set_mode(b, CM_MODE_CPU);
    assert_int_equal(interval(b, 0, CM_DECISION_UP), 48);
    for (uint8_t want = 46; want >= 8; want = (uint8_t)(want - 2))
        assert_int_equal(interval(b, 0, CM_DECISION_DOWN), want);
    for (uint8_t want = 7; want >= 1; want--)
        assert_int_equal(interval(b, 0, CM_DECISION_DOWN), want);
    assert_int_equal(interval(b, 0, CM_DECISION_DOWN), 1);
    for (uint8_t want = 2; want <= 8; want++) {
        assert_int_equal(interval(b, 0, CM_DECISION_HOLD), want - 1);
        assert_int_equal(interval(b, 0, CM_DECISION_UP), want);
    }
    for (uint8_t want = 10; want <= 48; want = (uint8_t)(want + 2))
        assert_int_equal(interval(b, 0, CM_DECISION_UP), want);
    assert_int_equal(interval(b, 0, (enum cm_decision)3), 48); /* not a decision: HOLD */
}

/* CM-CPU looks neither at averages nor at unchanged intervals. */
static void test_cpu_ignores_stalls(void **state)
{
    struct bench *b = *state;
    b->in.cm_patience = 4;
    b->in.cm_pivot = 6;
    set_mode(b, CM_MODE_CPU);
    put(b, CM_CORE_REG_LIMIT, 8);
    put_average(b, 4, 2000);
    put_average(b, 5, 1000);
    put_average(b, 6, 0);
    assert_int_equal(interval(b, 1000, CM_DECISION_DOWN), 7);
    for (int i = 0; i < 10; i++)
        assert_int_equal(interval(b, 1000, CM_DECISION_HOLD), 7);
    assert_int_equal(get(b, CM_CORE_REG_SAME), 0);
}

static void test_bal_levels(void **state)
{
    struct bench *b = *state;
    balance_on(b, LEVELS - 1);
    assert_int_equal(interval(b, 0, CM_DECISION_UP), 48);
    for (int n = LEVELS - 2; n >= 0; n--) {
        put(b, CM_CORE_REG_VALID, 0);
        assert_int_equal(interval(b, 0, CM_DECISION_DOWN), ladder[n]);
    }
    assert_int_equal(interval(b, 0, CM_DECISION_DOWN), 1);
    for (int n = 1; n < LEVELS; n++) {
        put(b, CM_CORE_REG_VALID, 0);
        assert_int_equal(interval(b, 0, CM_DECISION_HOLD), ladder[n - 1]);
        assert_int_equal(interval(b, 0, CM_DECISION_UP), ladder[n]);
    }
    assert_int_equal(interval(b, 0, (enum cm_decision)3), 48);
}

/* A mode begins on the highest limit it has that is not above the present one. */
static void test_mode_changes(void **state)
{
    struct bench *b = *state;
    for (uint8_t warps = 1; warps <= 48; warps++) {
        uint8_t level = 0;
        for (int n = 0; n < LEVELS; n++)
            if (ladder[n] <= warps)
                level = ladder[n];
        const struct {
            enum cm_mode mode;
            uint8_t limit;
        } cases[] = {{CM_MODE_FIXED, warps},
                     {CM_MODE_BAL, level},
                     {CM_MODE_CPU, (uint8_t)(warps > 8 ? warps & 0xfe : warps)},
                     {CM_MODE_OFF, 48}};
        for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
            set_mode(b, CM_MODE_FIXED);
            assert_true(put(b, CM_CORE_REG_LIMIT, warps));
            set_mode(b, cases[i].mode);
            assert_int_equal(b->out.limit, cases[i].limit);
        }
    }
}

static void test_fixed(void **state)
{
    struct bench *b = *state;
    set_mode(b, CM_MODE_FIXED);
    put(b, CM_CORE_REG_LIMIT, 16);
    for (int d = 0; d < 3; d++)
        assert_int_equal(interval(b, 400, (enum cm_decision)d), 16);
    assert_int_equal(get(b, CM_CORE_REG_AVERAGE_0 + 6), 400); /* it measures */
}

/* Only limits that the mode in force has. */
static void test_limit_written(void **state)
{
    struct bench *b = *state;
    for (uint32_t mode = 0; mode < 4; mode++) {
        set_mode(b, (enum cm_mode)mode);
        for (uint32_t warps = 0; warps < 200; warps++) {
            bool level = false;
            for (int n = 0; n < LEVELS; n++)
                level |= ladder[n] == warps;
            bool want = mode == CM_MODE_OFF   ? warps == 48
                        : mode == CM_MODE_BAL ? level
                        : mode == CM_MODE_CPU ? (warps >= 1 && warps <= 8) ||
                                                    (warps <= 48 && warps > 8 && warps % 2 == 0)
                                              : warps >= 1 && warps <= 48;
            uint8_t before = b->out.limit;
            assert_int_equal(put(b, CM_CORE_REG_LIMIT, warps), want);
            assert_int_equal(b->out.limit, want ? warps : before);
        }
        assert_false(put(b, CM_CORE_REG_LIMIT, 0x4000 + 48));
    }
}

/* --- stall count */

static void test_stall_condition(void **state)
{
    struct bench *b = *state;
    set_mode(b, CM_MODE_FIXED);
    for (uint8_t bits = 0; bits < 16; bits++) {
        b->in.sched_ready = bits & 3;
        b->in.sched_full = bits >> 2;
        int stalls = !(bits & 1 && !(bits & 4)) + !(bits & 2 && !(bits & 8));
        for (uint8_t active = 0; active < 2; active++) {
            b->in.core_active = 0;
            put(b, CM_CORE_REG_STALL, 0);
            b->in.core_active = active;
            edges(b, 5);
            b->in.core_active = 0;
            assert_int_equal(get(b, CM_CORE_REG_STALL), active ? 5 * stalls : 0);
        }
    }
}

static void test_stall_saturates(void **state)
{
    struct bench *b = *state;
    set_mode(b, CM_MODE_BAL);
    b->in.core_active = 1;
    edges(b, 1023);
    assert_int_equal(get(b, CM_CORE_REG_STALL), 2046);
    assert_int_equal(get(b, CM_CORE_REG_STALL), 2047);
    edges(b, 10);
    assert_int_equal(get(b, CM_CORE_REG_STALL), 2047);
}

/* A stall at the edge of a tick or of a set is the first of the next interval. */
static void test_stall_at_the_boundary(void **state)
{
    struct bench *b = *state;
    b->in.core_active = 1;
    b->in.sched_ready = 2;
    set_mode(b, CM_MODE_FIXED);
    edges(b, 9);
    b->in.cm_tick = 1;
    edge(b);
    assert_int_equal(get(b, CM_CORE_REG_STALL), 1);
    assert_int_equal(get(b, CM_CORE_REG_AVERAGE_8), 10);
    set_mode(b, CM_MODE_OFF);
    assert_int_equal(get(b, CM_CORE_REG_STALL), 0);
}

/* --- averages */

static void test_average_formula(void **state)
{
    static const uint16_t values[] = {0, 1, 2, 3, 4, 5, 100, 1023, 1024, 2046, 2047};
    enum { N = sizeof values / sizeof *values };
    struct bench *b = *state;
    set_mode(b, CM_MODE_FIXED);
    for (int n = 0; n < LEVELS; n++) {
        put(b, CM_CORE_REG_LIMIT, ladder[n]);
        for (int i = 0; i < N; i++)
            for (int j = 0; j < N; j++) {
                put(b, CM_CORE_REG_VALID, 0);
                interval(b, values[i], CM_DECISION_HOLD);
                assert_int_equal(get(b, CM_CORE_REG_VALID), 1 << n);
                assert_int_equal(get(b, CM_CORE_REG_AVERAGE_0 + n), values[i]);
                interval(b, values[j], CM_DECISION_HOLD);
                int want = (values[i] * 25 + values[j] * 75) / 100;
                assert_int_equal(get(b, CM_CORE_REG_AVERAGE_0 + n), want);
            }
    }
}

static void test_average_of_levels_only(void **state)
{
    struct bench *b = *state;
    for (uint8_t warps = 1; warps <= 48; warps++) {
        set_mode(b, CM_MODE_FIXED);
        put(b, CM_CORE_REG_VALID, 0);
        put(b, CM_CORE_REG_LIMIT, warps);
        interval(b, 7, CM_DECISION_HOLD);
        uint16_t want = 0;
        for (int n = 0; n < LEVELS; n++)
            if (ladder[n] == warps)
                want = (uint16_t)(1 << n);
        assert_int_equal(get(b, CM_CORE_REG_VALID), want);
    }
}

static void test_kernel_invalidates(void **state)
{
    struct bench *b = *state;
    for (int end = 0; end < 2; end++)
        for (int with_tick = 0; with_tick < 2; with_tick++) {
            set_mode(b, CM_MODE_FIXED);
            for (int n = 0; n < LEVELS; n++)
                put_average(b, n, 1000);
            assert_int_equal(get(b, CM_CORE_REG_VALID), 0x1ff);
            b->in.cm_tick = (uint8_t)with_tick;
            b->in.kernel_begin = (uint8_t)!end;
            b->in.kernel_end = (uint8_t)end;
            edge(b);
            assert_int_equal(get(b, CM_CORE_REG_VALID), 0);
            assert_int_equal(get(b, CM_CORE_REG_AVERAGE_3), 0);
        }
    put_average(b, 8, 1000);
    put(b, CM_CORE_REG_LIMIT, 48);
    b->in.kernel_begin = 1;
    edge(b);
    interval(b, 44, CM_DECISION_HOLD); /* a new entry, not a step from the old one */
    assert_int_equal(get(b, CM_CORE_REG_AVERAGE_8), 44);
}

/* --- the comparisons with k */

/* Lowered unless the lower level's average is more than k above. */
static void test_lower_kept(void **state)
{
    struct bench *b = *state;
    for (int n = 1; n < LEVELS; n++)
        for (int over = -1; over <= 1; over++) {
            balance_on(b, n);
            put_average(b, n - 1, (uint16_t)(500 + K + over));
            bool kept = over > 0;
            assert_int_equal(interval(b, 500, CM_DECISION_DOWN), ladder[kept ? n : n - 1]);
        }
}

static void test_lower_does_not_hinder_others(void **state)
{
    struct bench *b = *state;
    balance_on(b, 4);
    put_average(b, 3, 2000);
    assert_int_equal(interval(b, 500, CM_DECISION_HOLD), ladder[4]);
    assert_int_equal(interval(b, 500, CM_DECISION_UP), ladder[5]);
}

/* Raised, whatever the decision, if the present average is more than k above the upper level's. */
static void test_raised(void **state)
{
    struct bench *b = *state;
    for (int n = 0; n < LEVELS - 1; n++)
        for (int over = -1; over <= 1; over++)
            for (int d = 0; d < 3; d++) {
                balance_on(b, n);
                put_average(b, n + 1, 500);
                static const int step[] = {0, -1, 1};
                int want = over > 0 ? n + 1 : n + step[d];
                uint8_t limit = ladder[want < 0 ? 0 : want];
                uint16_t stalls = (uint16_t)(500 + K + over);
                assert_int_equal(interval(b, stalls, (enum cm_decision)d), limit);
            }
}

/* The comparison is with the average after this interval's update. */
static void test_compares_the_new_average(void **state)
{
    struct bench *b = *state;
    balance_on(b, 4);
    put_average(b, 4, 0);
    put_average(b, 5, 300 - K - 1);
    assert_int_equal(interval(b, 400, CM_DECISION_HOLD), ladder[5]); /* 0 -> 300 */
    balance_on(b, 4);
    put_average(b, 4, 1000);
    put_average(b, 5, 250 - K);
    assert_int_equal(interval(b, 0, CM_DECISION_HOLD), ladder[4]); /* 1000 -> 250 */
}

static void test_invalid_neighbours(void **state)
{
    struct bench *b = *state;
    balance_on(b, 4);
    put_average(b, 3, 2000);
    put(b, CM_CORE_REG_VALID, 0); /* the values are still there, but not valid */
    assert_int_equal(interval(b, 0, CM_DECISION_DOWN), ladder[3]);
    balance_on(b, 4);
    put_average(b, 5, 0);
    put(b, CM_CORE_REG_VALID, 0);
    assert_int_equal(interval(b, 2000, CM_DECISION_HOLD), ladder[4]);
    /* one invalid neighbour does not stop the other comparison */
    balance_on(b, 4);
    put_average(b, 5, 0);
    assert_int_equal(interval(b, 2000, CM_DECISION_DOWN), ladder[5]);
    balance_on(b, 4);
    put_average(b, 3, 2000);
    assert_int_equal(interval(b, 0, CM_DECISION_DOWN), ladder[4]);
    /* the present level's own average goes with a kernel that begins before the comparison */
    balance_on(b, 4);
    put_average(b, 3, 2000);
    b->in.cm_tick = b->in.kernel_begin = 1;
    b->in.cm_decision = CM_DECISION_DOWN;
    edges(b, 3);
    assert_int_equal(b->out.limit, ladder[3]);
}

/* With the highest k no comparison holds: the decisions are CM-CPU's, in levels. */
static void test_highest_k_is_cm_cpu(void **state)
{
    struct bench *b = *state;
    b->in.cm_k = 2047;
    for (int n = 1; n < LEVELS - 1; n++) {
        balance_on(b, n);
        put_average(b, n - 1, 2047);
        put_average(b, n + 1, 0);
        assert_int_equal(interval(b, 0, CM_DECISION_DOWN), ladder[n - 1]);
        balance_on(b, n);
        put_average(b, n + 1, 0);
        assert_int_equal(interval(b, 2047, CM_DECISION_HOLD), ladder[n]);
    }
}

/* --- four unchanged intervals */

static void test_fourth_unchanged_interval(void **state)
{
    struct bench *b = *state;
    b->in.cm_pivot = 6;
    for (int n = 0; n < LEVELS; n++)
        for (uint8_t patience = 1; patience <= 7; patience++) {
            balance_on(b, n);
            b->in.cm_patience = patience;
            for (uint8_t i = 1; i < patience; i++) {
                assert_int_equal(interval(b, 100, CM_DECISION_HOLD), ladder[n]);
                assert_int_equal(get(b, CM_CORE_REG_SAME), i);
            }
            int want = ladder[n] < 6 ? n + 1 : n - 1;
            assert_int_equal(interval(b, 100, CM_DECISION_HOLD), ladder[want]);
            assert_int_equal(get(b, CM_CORE_REG_SAME), 0);
        }
}

/* Staying counts whatever the reason: at the ends, and where the lower level would cost more than
 * k; neither keeps the fourth interval's move back. */
static void test_unchanged_for_any_reason(void **state)
{
    struct bench *b = *state;
    b->in.cm_pivot = 6;
    balance_on(b, LEVELS - 1);
    b->in.cm_patience = 4;
    for (int i = 0; i < 3; i++)
        assert_int_equal(interval(b, 0, CM_DECISION_UP), 48);
    assert_int_equal(interval(b, 0, CM_DECISION_UP), 24);
    balance_on(b, 0);
    b->in.cm_patience = 4;
    for (int i = 0; i < 3; i++)
        assert_int_equal(interval(b, 0, CM_DECISION_DOWN), 1);
    assert_int_equal(interval(b, 0, CM_DECISION_DOWN), 2);
    balance_on(b, 6);
    b->in.cm_patience = 4;
    put_average(b, 5, 2000);
    for (int i = 0; i < 3; i++)
        assert_int_equal(interval(b, 0, CM_DECISION_DOWN), 16);
    assert_int_equal(interval(b, 0, CM_DECISION_DOWN), 8);
}

static void test_a_move_begins_a_new_count(void **state)
{
    struct bench *b = *state;
    b->in.cm_pivot = 6;
    balance_on(b, 2);
    b->in.cm_patience = 4;
    for (int i = 0; i < 3; i++)
        interval(b, 0, CM_DECISION_HOLD);
    assert_int_equal(interval(b, 0, CM_DECISION_DOWN), 2);
    put(b, CM_CORE_REG_VALID, 0);
    for (int i = 0; i < 3; i++)
        assert_int_equal(interval(b, 0, CM_DECISION_HOLD), 2);
    set_mode(b, CM_MODE_BAL);
    for (int i = 0; i < 3; i++)
        assert_int_equal(interval(b, 0, CM_DECISION_HOLD), 2);
    put(b, CM_CORE_REG_LIMIT, 2);
    for (int i = 0; i < 3; i++)
        assert_int_equal(interval(b, 0, CM_DECISION_HOLD), 2);
    assert_int_equal(interval(b, 0, CM_DECISION_HOLD), 3);
}

static void test_patience_and_pivot_extremes(void **state)
{
    struct bench *b = *state;
    balance_on(b, 5);
    for (int i = 0; i < 20; i++)
        assert_int_equal(interval(b, 0, CM_DECISION_HOLD), 8);
    assert_int_equal(get(b, CM_CORE_REG_SAME), 7);
    b->in.cm_patience = 7;
    b->in.cm_pivot = 9; /* 8 is below */
    assert_int_equal(interval(b, 0, CM_DECISION_HOLD), 16);
    balance_on(b, LEVELS - 1);
    b->in.cm_patience = 1;
    b->in.cm_pivot = 63;
    assert_int_equal(interval(b, 0, CM_DECISION_HOLD), 48); /* nothing above */
    balance_on(b, 0);
    b->in.cm_patience = 1;
    b->in.cm_pivot = 0;
    assert_int_equal(interval(b, 0, CM_DECISION_HOLD), 1); /* nothing below */
}

/* --- registers */

static void test_registers(void **state)
{
    static const struct {
        int reg;
        uint16_t high;
    } cases[] = {{CM_CORE_REG_STALL, 2047},
                 {CM_CORE_REG_SAME, 7},
                 {CM_CORE_REG_AVERAGE_0, 2047},
                 {CM_CORE_REG_AVERAGE_5, 2047},
                 {CM_CORE_REG_AVERAGE_8, 2047}};
    struct bench *b = *state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assert_true(put(b, cases[i].reg, cases[i].high));
        assert_false(put(b, cases[i].reg, cases[i].high + 1U));
        assert_int_equal(b->out.reg_rdata, cases[i].high);
        assert_false(put(b, cases[i].reg, 0xffff));
        assert_int_equal(get(b, cases[i].reg), cases[i].high);
        assert_true(put(b, cases[i].reg, 3));
        assert_int_equal(get(b, cases[i].reg), 3);
        edge(b);
        assert_false(b->out.reg_done);
    }
    for (int reg = CM_CORE_REG_AVERAGE_8 + 1; reg < 16; reg++)
        for (int write = 0; write < 2; write++) {
            offer(b, write, reg, 0);
            edge(b);
            assert_true(b->out.reg_done && b->out.reg_error && b->out.reg_rdata == 0);
        }
}

static void test_valid_register(void **state)
{
    struct bench *b = *state;
    for (int n = 0; n < LEVELS; n++)
        put_average(b, n, (uint16_t)(10 + n));
    assert_false(put(b, CM_CORE_REG_VALID, 0x200));
    assert_true(put(b, CM_CORE_REG_VALID, 0x0aa));
    assert_true(put(b, CM_CORE_REG_VALID, 0x1ff)); /* ones leave it */
    assert_int_equal(get(b, CM_CORE_REG_VALID), 0x0aa);
    assert_int_equal(get(b, CM_CORE_REG_AVERAGE_7), 17);
    assert_int_equal(get(b, CM_CORE_REG_AVERAGE_8), 0);
    offer(b, true, CM_CORE_REG_VALID, 0x1ff); /* a kernel's pulse is not lost */
    b->in.kernel_begin = 1;
    edge(b);
    assert_int_equal(get(b, CM_CORE_REG_VALID), 0);
    offer(b, true, CM_CORE_REG_AVERAGE_2, 5); /* but the entry written at that edge is there */
    b->in.kernel_begin = 1;
    edge(b);
    assert_int_equal(get(b, CM_CORE_REG_VALID), 4);
}

static void test_writes_win(void **state)
{
    struct bench *b = *state;
    balance_on(b, 6);
    b->in.core_active = 1;
    offer(b, true, CM_CORE_REG_STALL, 77); /* against the count, the tick and its average */
    b->in.cm_tick = 1;
    edge(b);
    b->in.core_active = 0;
    assert_int_equal(get(b, CM_CORE_REG_STALL), 77);
    offer(b, true, CM_CORE_REG_AVERAGE_6, 99);
    b->in.cm_tick = 1;
    edge(b);
    assert_int_equal(get(b, CM_CORE_REG_AVERAGE_6), 99);
    edges(b, 3);
    b->in.cm_tick = 1;
    edges(b, 2);
    offer(b, true, CM_CORE_REG_SAME, 6); /* at the edge that decides */
    edge(b);
    assert_int_equal(get(b, CM_CORE_REG_SAME), 6);
    offer(b, true, CM_CORE_REG_SAME, 5);
    set_mode(b, CM_MODE_BAL);
    assert_int_equal(get(b, CM_CORE_REG_SAME), 5);
}

/* A write of LIMIT ends the decision under way, at each of its three edges. */
static void test_limit_write_ends_decision(void **state)
{
    struct bench *b = *state;
    for (int when = 0; when < 3; when++) {
        balance_on(b, 6);
        for (int i = 0; i < 3; i++) {
            b->in.cm_tick = i == 0;
            b->in.cm_decision = CM_DECISION_DOWN;
            if (i == when)
                offer(b, true, CM_CORE_REG_LIMIT, 4);
            edge(b);
        }
        edges(b, 3);
        assert_int_equal(b->out.limit, 4);
        assert_int_equal(get(b, CM_CORE_REG_SAME), 0);
    }
    offer(b, true, CM_CORE_REG_LIMIT, 8); /* with a set: refused, what ever the mode */
    b->in.cm_set = 1;
    b->in.cm_mode = CM_MODE_FIXED;
    edge(b);
    assert_true(b->out.reg_error);
    assert_int_equal(b->out.limit, 4);
}

/* --- ticks out of turn, rest */

static void test_illegal_ticks(void **state)
{
    struct bench *b = *state;
    balance_on(b, 6);
    b->in.cm_tick = b->in.cm_set = 1; /* the tick is ignored */
    b->in.cm_decision = CM_DECISION_DOWN;
    edges(b, 4);
    assert_int_equal(b->out.limit, 16);
    assert_int_equal(get(b, CM_CORE_REG_VALID), 0);
    b->in.cm_tick = 1; /* one after another: one decision, the last */
    edge(b);
    b->in.cm_tick = 1;
    b->in.cm_decision = CM_DECISION_UP;
    edges(b, 4);
    assert_int_equal(b->out.limit, 24);
}

static void test_set_ends_decision(void **state)
{
    struct bench *b = *state;
    for (int when = 1; when < 3; when++) {
        balance_on(b, 6);
        b->in.cm_tick = 1;
        b->in.cm_decision = CM_DECISION_DOWN;
        edges(b, when);
        set_mode(b, CM_MODE_CPU);
        edges(b, 3);
        assert_int_equal(b->out.limit, 16);
    }
}

static void test_idle(void **state)
{
    struct bench *b = *state;
    b->in.core_active = 1;
    edges(b, 2);
    assert_true(b->out.idle); /* OFF */
    set_mode(b, CM_MODE_BAL);
    assert_false(b->out.idle);
    edges(b, 5);
    assert_false(b->out.idle); /* it counts */
    b->in.core_active = 0;
    edges(b, 2);
    assert_true(b->out.idle);
    b->in.cm_tick = 1;
    for (int i = 0; i < 3; i++) {
        edge(b);
        assert_false(b->out.idle);
    }
    edge(b);
    assert_true(b->out.idle);
    b->in.kernel_end = 1;
    edge(b);
    assert_false(b->out.idle);
}

/* --- the paper's figures */

/* stall_GPU over the level, as in Figure 12: R1 up to 6 warps, R2 from there. */
static uint16_t figure_12(uint8_t limit)
{
    static const uint16_t curve[LEVELS] = {1500, 1000, 700, 450, 300, 280, 300, 350, 400};
    for (int n = 0; n < LEVELS; n++)
        if (ladder[n] == limit)
            return curve[n];
    return 0;
}

/* Under lasting congestion CM-CPU goes down to one warp; CM-BAL stays where latency tolerance is
 * enough, and only looks below for single intervals. */
static void test_figure_12(void **state)
{
    struct bench *b = *state;
    set_mode(b, CM_MODE_CPU);
    for (int i = 0; i < 40; i++)
        interval(b, figure_12(b->out.limit), CM_DECISION_DOWN);
    assert_int_equal(b->out.limit, 1);

    balance_on(b, LEVELS - 1);
    b->in.cm_patience = 4;
    b->in.cm_pivot = 6;
    int at[64] = {0}, low_before = 0;
    for (int i = 0; i < 200; i++) {
        interval(b, figure_12(b->out.limit), CM_DECISION_DOWN);
        bool low = b->out.limit < 6;
        assert_false(low && low_before >= 1);
        low_before = low ? low_before + 1 : 0;
        at[b->out.limit]++;
    }
    assert_int_equal(at[1] + at[2] + at[3], 0);
    assert_true(at[6] > 120);
}

/* Figure 14. A: more than k less stall on the upper level: up. B: Part 1 wants down, but the lower
 * level stalls by more than k more: stays. C: the same after four intervals on this level: down. D:
 * neither difference is above k: Part 1 lowers. */
static void test_figure_14(void **state)
{
    struct bench *b = *state;
    balance_on(b, 6);
    b->in.cm_patience = 4;
    b->in.cm_pivot = 6;
    put_average(b, 7, 400);
    assert_int_equal(interval(b, 900, CM_DECISION_DOWN), 24); /* A */
    assert_int_equal(interval(b, 400, CM_DECISION_DOWN), 24); /* B */
    for (int i = 0; i < 2; i++)
        assert_int_equal(interval(b, 400, CM_DECISION_DOWN), 24);
    assert_int_equal(interval(b, 400, CM_DECISION_DOWN), 16); /* C */
    put_average(b, 5, 420);
    assert_int_equal(interval(b, 250, CM_DECISION_DOWN), 8); /* D: (900 + 750) / 4 = 412 */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_after_reset, setup, teardown),
        cmocka_unit_test_setup_teardown(test_off, setup, teardown),
        cmocka_unit_test_setup_teardown(test_cpu_steps, setup, teardown),
        cmocka_unit_test_setup_teardown(test_cpu_ignores_stalls, setup, teardown),
        cmocka_unit_test_setup_teardown(test_bal_levels, setup, teardown),
        cmocka_unit_test_setup_teardown(test_mode_changes, setup, teardown),
        cmocka_unit_test_setup_teardown(test_fixed, setup, teardown),
        cmocka_unit_test_setup_teardown(test_limit_written, setup, teardown),
        cmocka_unit_test_setup_teardown(test_stall_condition, setup, teardown),
        cmocka_unit_test_setup_teardown(test_stall_saturates, setup, teardown),
        cmocka_unit_test_setup_teardown(test_stall_at_the_boundary, setup, teardown),
        cmocka_unit_test_setup_teardown(test_average_formula, setup, teardown),
        cmocka_unit_test_setup_teardown(test_average_of_levels_only, setup, teardown),
        cmocka_unit_test_setup_teardown(test_kernel_invalidates, setup, teardown),
        cmocka_unit_test_setup_teardown(test_lower_kept, setup, teardown),
        cmocka_unit_test_setup_teardown(test_lower_does_not_hinder_others, setup, teardown),
        cmocka_unit_test_setup_teardown(test_raised, setup, teardown),
        cmocka_unit_test_setup_teardown(test_compares_the_new_average, setup, teardown),
        cmocka_unit_test_setup_teardown(test_invalid_neighbours, setup, teardown),
        cmocka_unit_test_setup_teardown(test_highest_k_is_cm_cpu, setup, teardown),
        cmocka_unit_test_setup_teardown(test_fourth_unchanged_interval, setup, teardown),
        cmocka_unit_test_setup_teardown(test_unchanged_for_any_reason, setup, teardown),
        cmocka_unit_test_setup_teardown(test_a_move_begins_a_new_count, setup, teardown),
        cmocka_unit_test_setup_teardown(test_patience_and_pivot_extremes, setup, teardown),
        cmocka_unit_test_setup_teardown(test_registers, setup, teardown),
        cmocka_unit_test_setup_teardown(test_valid_register, setup, teardown),
        cmocka_unit_test_setup_teardown(test_writes_win, setup, teardown),
        cmocka_unit_test_setup_teardown(test_limit_write_ends_decision, setup, teardown),
        cmocka_unit_test_setup_teardown(test_illegal_ticks, setup, teardown),
        cmocka_unit_test_setup_teardown(test_set_ends_decision, setup, teardown),
        cmocka_unit_test_setup_teardown(test_idle, setup, teardown),
        cmocka_unit_test_setup_teardown(test_figure_12, setup, teardown),
        cmocka_unit_test_setup_teardown(test_figure_14, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
