/* sm_concurrency_unit, directed: the decisions of CM-BAL, one test per sentence
 * of cm_bal_core's contract, RTL and golden model in lockstep; and the paper's
 * Figures 12 and 14 as scenarios. */
#include "tests/tb/core_bench.h"
#include "tests/unit.h"

/* --- the comparisons with k */

/* Lowered unless the lower level's average is more than k above. */
static void test_lower_kept(void **state)
{
    struct core_bench *b = *state;
    for (int n = 1; n < EVG_CM_LEVELS; n++)
        for (int over = -1; over <= 1; over++) {
            core_bench_balance_on(b, n);
            core_bench_put_average(b, n - 1, (uint16_t)(500 + CORE_BENCH_K + over));
            bool kept = over > 0;
            assert_int_equal(core_bench_interval(b, 500, CM_DECISION_DOWN),
                             core_bench_ladder[kept ? n : n - 1]);
        }
}

static void test_lower_does_not_hinder_others(void **state)
{
    struct core_bench *b = *state;
    core_bench_balance_on(b, 4);
    core_bench_put_average(b, 3, 2000);
    assert_int_equal(core_bench_interval(b, 500, CM_DECISION_HOLD), core_bench_ladder[4]);
    assert_int_equal(core_bench_interval(b, 500, CM_DECISION_UP), core_bench_ladder[5]);
}

/* Raised, whatever the decision, if the present average is more than k above
 * the upper level's. */
static void test_raised(void **state)
{
    struct core_bench *b = *state;
    for (int n = 0; n < EVG_CM_LEVELS - 1; n++)
        for (int over = -1; over <= 1; over++)
            for (int d = 0; d < 3; d++) {
                core_bench_balance_on(b, n);
                core_bench_put_average(b, n + 1, 500);
                static const int step[] = {0, -1, 1};
                int want = over > 0 ? n + 1 : n + step[d];
                uint8_t limit = core_bench_ladder[want < 0 ? 0 : want];
                uint16_t stalls = (uint16_t)(500 + CORE_BENCH_K + over);
                assert_int_equal(core_bench_interval(b, stalls, (enum cm_decision)d), limit);
            }
}

/* The comparison is with the average after this interval's update. */
static void test_compares_the_new_average(void **state)
{
    struct core_bench *b = *state;
    core_bench_balance_on(b, 4);
    core_bench_put_average(b, 4, 0);
    core_bench_put_average(b, 5, 300 - CORE_BENCH_K - 1);
    assert_int_equal(core_bench_interval(b, 400, CM_DECISION_HOLD),
                     core_bench_ladder[5]); /* 0 -> 300 */
    core_bench_balance_on(b, 4);
    core_bench_put_average(b, 4, 1000);
    core_bench_put_average(b, 5, 250 - CORE_BENCH_K);
    assert_int_equal(core_bench_interval(b, 0, CM_DECISION_HOLD),
                     core_bench_ladder[4]); /* 1000 -> 250 */
}

static void test_invalid_neighbours(void **state)
{
    struct core_bench *b = *state;
    core_bench_balance_on(b, 4);
    core_bench_put_average(b, 3, 2000);
    core_bench_put(b, CM_CORE_REG_VALID, 0); /* the values are still there, but not valid */
    assert_int_equal(core_bench_interval(b, 0, CM_DECISION_DOWN), core_bench_ladder[3]);
    core_bench_balance_on(b, 4);
    core_bench_put_average(b, 5, 0);
    core_bench_put(b, CM_CORE_REG_VALID, 0);
    assert_int_equal(core_bench_interval(b, 2000, CM_DECISION_HOLD), core_bench_ladder[4]);
    /* one invalid neighbour does not stop the other comparison */
    core_bench_balance_on(b, 4);
    core_bench_put_average(b, 5, 0);
    assert_int_equal(core_bench_interval(b, 2000, CM_DECISION_DOWN), core_bench_ladder[5]);
    core_bench_balance_on(b, 4);
    core_bench_put_average(b, 3, 2000);
    assert_int_equal(core_bench_interval(b, 0, CM_DECISION_DOWN), core_bench_ladder[4]);
    /* the present level's own average goes with a kernel that begins before the
     * comparison */
    core_bench_balance_on(b, 4);
    core_bench_put_average(b, 3, 2000);
    b->in.cm_tick = b->in.kernel_begin = 1;
    b->in.cm_decision = CM_DECISION_DOWN;
    core_bench_edges(b, 1 + CORE_BENCH_LATENCY);
    assert_int_equal(b->out.limit, core_bench_ladder[3]);
}

/* Edges of a decision, counted from that of the tick. */
enum { STORE = 2, OWN = 3, LOWER_AND_K = 4, UPPER = 5, OWN_AND_K = 6, CHOICE = 8 };

/* What software or the core does at each of the edges of a decision. */
typedef void (*at_edge)(struct core_bench *b, int edge, int chosen);

static uint8_t decision_with(struct core_bench *b, enum cm_decision decision, at_edge act,
                             int chosen)
{
    core_bench_put(b, CM_CORE_REG_STALL, 0);
    b->in.cm_tick = 1;
    b->in.cm_decision = (uint8_t)decision;
    for (int edge = 0; edge <= CORE_BENCH_LATENCY; edge++) {
        act(b, edge, chosen);
        core_bench_edge(b);
    }
    b->in.cm_k = CORE_BENCH_K;
    b->in.cm_patience = 0;
    return b->out.limit;
}

static void small_k(struct core_bench *b, int edge, int chosen)
{
    b->in.cm_k = edge == chosen ? CORE_BENCH_K : 2047;
}

static void patience(struct core_bench *b, int edge, int chosen)
{
    b->in.cm_patience = edge == chosen ? 1 : 0;
}

static void high_pivot(struct core_bench *b, int edge, int chosen)
{
    b->in.cm_patience = 1;
    b->in.cm_pivot = edge == chosen ? 63 : 0;
}

static void lower_written(struct core_bench *b, int edge, int chosen)
{
    if (edge == chosen)
        core_bench_offer(b, true, CM_CORE_REG_AVERAGE_0 + 3, 2000);
}

static void own_written(struct core_bench *b, int edge, int chosen)
{
    if (edge == chosen)
        core_bench_offer(b, true, CM_CORE_REG_AVERAGE_0 + 4, 2000);
}

static void upper_written(struct core_bench *b, int edge, int chosen)
{
    if (edge == chosen)
        core_bench_offer(b, true, CM_CORE_REG_AVERAGE_0 + 5, 0);
}

static void invalidated(struct core_bench *b, int edge, int chosen)
{
    if (edge == chosen)
        core_bench_offer(b, true, CM_CORE_REG_VALID, 0);
}

static void kernel(struct core_bench *b, int edge, int chosen)
{
    b->in.kernel_begin = edge == chosen;
}

/* Every knob and every average counts at one edge. */
static void test_edges_that_count(void **state)
{
    struct core_bench *b = *state;
    const uint8_t *ladder = core_bench_ladder;
    for (int edge = 0; edge <= CORE_BENCH_LATENCY; edge++) {
        core_bench_balance_on(b, 4);
        core_bench_put_average(b, 3, 2000);
        uint8_t limit = decision_with(b, CM_DECISION_DOWN, small_k, edge);
        assert_int_equal(limit, ladder[edge == LOWER_AND_K ? 4 : 3]);

        core_bench_balance_on(b, 4);
        core_bench_put_average(b, 4, 2000); /* 500 with this interval */
        core_bench_put_average(b, 5, 0);
        limit = decision_with(b, CM_DECISION_HOLD, small_k, edge);
        assert_int_equal(limit, ladder[edge == OWN_AND_K ? 5 : 4]);

        core_bench_balance_on(b, 4);
        limit = decision_with(b, CM_DECISION_HOLD, patience, edge);
        assert_int_equal(limit, ladder[edge == CHOICE ? 3 : 4]); /* the pivot is 0 */
        core_bench_balance_on(b, 4);
        limit = decision_with(b, CM_DECISION_HOLD, high_pivot, edge);
        assert_int_equal(limit, ladder[edge == CHOICE ? 5 : 3]);
        b->in.cm_pivot = 0;

        core_bench_balance_on(b, 4);
        limit = decision_with(b, CM_DECISION_DOWN, lower_written, edge);
        assert_int_equal(limit, ladder[edge < LOWER_AND_K ? 4 : 3]);

        core_bench_balance_on(b, 4);
        core_bench_put_average(b, 4, 0);
        core_bench_put_average(b, 5, 600);
        limit = decision_with(b, CM_DECISION_HOLD, own_written, edge);
        assert_int_equal(limit, ladder[edge >= STORE && edge < OWN_AND_K ? 5 : 4]);

        core_bench_balance_on(b, 4);
        core_bench_put_average(b, 4, 1000);
        limit = decision_with(b, CM_DECISION_HOLD, upper_written, edge);
        assert_int_equal(limit, ladder[edge < UPPER ? 5 : 4]);

        core_bench_balance_on(b, 4);
        core_bench_put_average(b, 3, 2000);
        limit = decision_with(b, CM_DECISION_DOWN, invalidated, edge);
        assert_int_equal(limit, ladder[edge < LOWER_AND_K ? 3 : 4]);
        core_bench_balance_on(b, 4);
        core_bench_put_average(b, 3, 2000);
        limit = decision_with(b, CM_DECISION_DOWN, kernel, edge);
        assert_int_equal(limit, ladder[edge < LOWER_AND_K ? 3 : 4]);
    }
    /* The level's own average of the first comparison is that of an edge before. */
    core_bench_balance_on(b, 4);
    core_bench_put_average(b, 3, 1000);
    assert_int_equal(decision_with(b, CM_DECISION_DOWN, own_written, STORE), ladder[3]);
    core_bench_balance_on(b, 4);
    core_bench_put_average(b, 3, 1000);
    assert_int_equal(decision_with(b, CM_DECISION_DOWN, own_written, OWN), ladder[4]);
}

/* With the highest k no comparison holds: the decisions are CM-CPU's, in
 * levels. */
static void test_highest_k_is_cm_cpu(void **state)
{
    struct core_bench *b = *state;
    b->in.cm_k = 2047;
    for (int n = 1; n < EVG_CM_LEVELS - 1; n++) {
        core_bench_balance_on(b, n);
        core_bench_put_average(b, n - 1, 2047);
        core_bench_put_average(b, n + 1, 0);
        assert_int_equal(core_bench_interval(b, 0, CM_DECISION_DOWN), core_bench_ladder[n - 1]);
        core_bench_balance_on(b, n);
        core_bench_put_average(b, n + 1, 0);
        assert_int_equal(core_bench_interval(b, 2047, CM_DECISION_HOLD), core_bench_ladder[n]);
    }
}

/* --- four unchanged intervals */

static void test_fourth_unchanged_interval(void **state)
{
    struct core_bench *b = *state;
    b->in.cm_pivot = 6;
    for (int n = 0; n < EVG_CM_LEVELS; n++)
        for (uint8_t patience = 1; patience <= 7; patience++) {
            core_bench_balance_on(b, n);
            b->in.cm_patience = patience;
            for (uint8_t i = 1; i < patience; i++) {
                assert_int_equal(core_bench_interval(b, 100, CM_DECISION_HOLD),
                                 core_bench_ladder[n]);
                assert_int_equal(core_bench_get(b, CM_CORE_REG_SAME), i);
            }
            int want = core_bench_ladder[n] < 6 ? n + 1 : n - 1;
            assert_int_equal(core_bench_interval(b, 100, CM_DECISION_HOLD),
                             core_bench_ladder[want]);
            assert_int_equal(core_bench_get(b, CM_CORE_REG_SAME), 0);
        }
}

/* Staying counts whatever the reason: at the ends, and where the lower level
 * would cost more than k; neither keeps the fourth interval's move back. */
static void test_unchanged_for_any_reason(void **state)
{
    struct core_bench *b = *state;
    b->in.cm_pivot = 6;
    core_bench_balance_on(b, EVG_CM_LEVELS - 1);
    b->in.cm_patience = 4;
    for (int i = 0; i < 3; i++)
        assert_int_equal(core_bench_interval(b, 0, CM_DECISION_UP), 48);
    assert_int_equal(core_bench_interval(b, 0, CM_DECISION_UP), 24);
    core_bench_balance_on(b, 0);
    b->in.cm_patience = 4;
    for (int i = 0; i < 3; i++)
        assert_int_equal(core_bench_interval(b, 0, CM_DECISION_DOWN), 1);
    assert_int_equal(core_bench_interval(b, 0, CM_DECISION_DOWN), 2);
    core_bench_balance_on(b, 6);
    b->in.cm_patience = 4;
    core_bench_put_average(b, 5, 2000);
    for (int i = 0; i < 3; i++)
        assert_int_equal(core_bench_interval(b, 0, CM_DECISION_DOWN), 16);
    assert_int_equal(core_bench_interval(b, 0, CM_DECISION_DOWN), 8);
}

static void test_a_move_begins_a_new_count(void **state)
{
    struct core_bench *b = *state;
    b->in.cm_pivot = 6;
    core_bench_balance_on(b, 2);
    b->in.cm_patience = 4;
    for (int i = 0; i < 3; i++)
        core_bench_interval(b, 0, CM_DECISION_HOLD);
    assert_int_equal(core_bench_interval(b, 0, CM_DECISION_DOWN), 2);
    core_bench_put(b, CM_CORE_REG_VALID, 0);
    for (int i = 0; i < 3; i++)
        assert_int_equal(core_bench_interval(b, 0, CM_DECISION_HOLD), 2);
    core_bench_set_mode(b, CM_MODE_BAL);
    for (int i = 0; i < 3; i++)
        assert_int_equal(core_bench_interval(b, 0, CM_DECISION_HOLD), 2);
    core_bench_put(b, CM_CORE_REG_LIMIT, 2);
    for (int i = 0; i < 3; i++)
        assert_int_equal(core_bench_interval(b, 0, CM_DECISION_HOLD), 2);
    assert_int_equal(core_bench_interval(b, 0, CM_DECISION_HOLD), 3);
}

static void test_patience_and_pivot_extremes(void **state)
{
    struct core_bench *b = *state;
    core_bench_balance_on(b, 5);
    for (int i = 0; i < 20; i++)
        assert_int_equal(core_bench_interval(b, 0, CM_DECISION_HOLD), 8);
    assert_int_equal(core_bench_get(b, CM_CORE_REG_SAME), 7);
    b->in.cm_patience = 7;
    b->in.cm_pivot = 9; /* 8 is below */
    assert_int_equal(core_bench_interval(b, 0, CM_DECISION_HOLD), 16);
    core_bench_balance_on(b, EVG_CM_LEVELS - 1);
    b->in.cm_patience = 1;
    b->in.cm_pivot = 63;
    assert_int_equal(core_bench_interval(b, 0, CM_DECISION_HOLD), 48); /* nothing above */
    core_bench_balance_on(b, 0);
    b->in.cm_patience = 1;
    b->in.cm_pivot = 0;
    assert_int_equal(core_bench_interval(b, 0, CM_DECISION_HOLD), 1); /* nothing below */
}

/* --- the paper's figures */

/* stall_GPU over the level, as in Figure 12: R1 up to 6 warps, R2 from there.
 */
static uint16_t figure_12(uint8_t limit)
{
    static const uint16_t curve[EVG_CM_LEVELS] = {1500, 1000, 700, 450, 300, 280, 300, 350, 400};
    for (int n = 0; n < EVG_CM_LEVELS; n++)
        if (core_bench_ladder[n] == limit)
            return curve[n];
    return 0;
}

/* Under lasting congestion CM-CPU goes down to one warp; CM-BAL stays where
 * latency tolerance is enough, and only looks below for single intervals. */
static void test_figure_12(void **state)
{
    struct core_bench *b = *state;
    core_bench_set_mode(b, CM_MODE_CPU);
    for (int i = 0; i < 40; i++)
        core_bench_interval(b, figure_12(b->out.limit), CM_DECISION_DOWN);
    assert_int_equal(b->out.limit, 1);

    core_bench_balance_on(b, EVG_CM_LEVELS - 1);
    b->in.cm_patience = 4;
    b->in.cm_pivot = 6;
    int at[64] = {0}, low_before = 0;
    for (int i = 0; i < 200; i++) {
        core_bench_interval(b, figure_12(b->out.limit), CM_DECISION_DOWN);
        bool low = b->out.limit < 6;
        assert_false(low && low_before >= 1);
        low_before = low ? low_before + 1 : 0;
        at[b->out.limit]++;
    }
    assert_int_equal(at[1] + at[2] + at[3], 0);
    assert_true(at[6] > 120);
}

/* Figure 14. A: more than k less stall on the upper level: up. B: Part 1 wants
 * down, but the lower level stalls by more than k more: stays. C: the same
 * after four intervals on this level: down. D: neither difference is above k:
 * Part 1 lowers. */
static void test_figure_14(void **state)
{
    struct core_bench *b = *state;
    core_bench_balance_on(b, 6);
    b->in.cm_patience = 4;
    b->in.cm_pivot = 6;
    core_bench_put_average(b, 7, 400);
    assert_int_equal(core_bench_interval(b, 900, CM_DECISION_DOWN), 24); /* A */
    assert_int_equal(core_bench_interval(b, 400, CM_DECISION_DOWN), 24); /* B */
    for (int i = 0; i < 2; i++)
        assert_int_equal(core_bench_interval(b, 400, CM_DECISION_DOWN), 24);
    assert_int_equal(core_bench_interval(b, 400, CM_DECISION_DOWN), 16); /* C */
    core_bench_put_average(b, 5, 420);
    assert_int_equal(core_bench_interval(b, 250, CM_DECISION_DOWN),
                     8); /* D: (900 + 750) / 4 = 412 */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_lower_kept, core_bench_setup, core_bench_teardown),
        cmocka_unit_test_setup_teardown(test_lower_does_not_hinder_others, core_bench_setup,
                                        core_bench_teardown),
        cmocka_unit_test_setup_teardown(test_raised, core_bench_setup, core_bench_teardown),
        cmocka_unit_test_setup_teardown(test_compares_the_new_average, core_bench_setup,
                                        core_bench_teardown),
        cmocka_unit_test_setup_teardown(test_invalid_neighbours, core_bench_setup,
                                        core_bench_teardown),
        cmocka_unit_test_setup_teardown(test_edges_that_count, core_bench_setup,
                                        core_bench_teardown),
        cmocka_unit_test_setup_teardown(test_highest_k_is_cm_cpu, core_bench_setup,
                                        core_bench_teardown),
        cmocka_unit_test_setup_teardown(test_fourth_unchanged_interval, core_bench_setup,
                                        core_bench_teardown),
        cmocka_unit_test_setup_teardown(test_unchanged_for_any_reason, core_bench_setup,
                                        core_bench_teardown),
        cmocka_unit_test_setup_teardown(test_a_move_begins_a_new_count, core_bench_setup,
                                        core_bench_teardown),
        cmocka_unit_test_setup_teardown(test_patience_and_pivot_extremes, core_bench_setup,
                                        core_bench_teardown),
        cmocka_unit_test_setup_teardown(test_figure_12, core_bench_setup, core_bench_teardown),
        cmocka_unit_test_setup_teardown(test_figure_14, core_bench_setup, core_bench_teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
