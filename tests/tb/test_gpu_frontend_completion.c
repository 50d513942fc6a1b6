/* Completions of rows whose memory or device does not answer: each waits for cfg_flag_limit edges
 * at most, its row is silent after that, and the rows beside it lose nothing. */
#include "tests/tb/bench/frontend_bench.h"
#include "tests/unit.h"

enum { LIMIT = 40, FOREVER = 5000 };

static void rows(struct bench *b, uint32_t n, uint32_t limit)
{
    for (uint32_t row = 0; row < n; row++)
        bench_register_simple(b, 32, 8, row);
    b->in.cfg_flag_limit = limit;
}

static void ring_and_wait_for_read(struct bench *b, uint32_t row)
{
    b->rsp_chance = 0;
    bench_ring(b, row);
    while (!b->unanswered.count)
        bench_step(b);
}

/* The answer comes when its completion has been in front for so many edges. */
static void answer_after(struct bench *b, uint32_t edges, enum flag_lost why)
{
    uint64_t written = b->flags_written, lost = b->lost[FLAG_LOST_TIMEOUT];
    ring_and_wait_for_read(b, 0);
    while (b->waited < edges)
        bench_step(b);
    b->rsp_chance = BENCH_OFTEN;
    bench_drain(b, 100);
    bool late = why == FLAG_LOST_TIMEOUT;
    assert_int_equal(b->flags_written - written, !late);
    assert_int_equal(b->lost[FLAG_LOST_TIMEOUT] - lost, late);
}

static void test_last_edge_of_an_answer(void **state)
{
    struct bench *b = *state;
    static const uint32_t limits[] = {5, LIMIT, 4099};
    rows(b, 1, LIMIT);
    for (uint32_t i = 0; i < sizeof limits / sizeof *limits; i++) {
        b->in.cfg_flag_limit = limits[i];
        answer_after(b, limits[i] - 1, FLAG_LOST_POINTER); /* in time: its flag is written */
        answer_after(b, limits[i], FLAG_LOST_TIMEOUT);
        assert_int_equal(b->out.err_timeout, i + 1);
        assert_int_equal(b->late_answers, i + 1);
        bench_unregister(b, 0);
        bench_register_simple(b, 32, 8, 0);
    }
}

/* Steps for which the flag stands at the port, which takes it at the last of `until`, or never. */
static uint32_t show_flag(struct bench *b, uint32_t until)
{
    uint32_t shown = 0;
    b->pw_chance = 0;
    bench_ring(b, 0);
    while (!b->out.pw_valid)
        bench_step(b);
    while (b->out.pw_valid) {
        shown++;
        b->pw_chance = shown == until ? BENCH_OFTEN : 0;
        bench_step(b);
    }
    b->pw_chance = BENCH_OFTEN;
    bench_drain(b, 100);
    return shown;
}

static void test_last_edge_of_a_flag(void **state)
{
    struct bench *b = *state;
    rows(b, 1, LIMIT);
    assert_int_equal(show_flag(b, LIMIT), LIMIT);
    assert_int_equal(show_flag(b, LIMIT + 1), LIMIT + 1);
    assert_int_equal(b->flags_written, 2);
    assert_int_equal(show_flag(b, LIMIT + 2), LIMIT + 1);
    assert_int_equal(b->flags_written, 2);
    assert_int_equal(b->out.err_timeout, 1);
    assert_int_equal(b->silent, 1);
}

/* What has no limit waits, and is taken when it can be. */
static void test_no_limit(void **state)
{
    struct bench *b = *state;
    rows(b, 2, 0);
    ring_and_wait_for_read(b, 0);
    bench_steps(b, FOREVER);
    b->rsp_chance = BENCH_OFTEN;
    bench_drain(b, 100);
    assert_int_equal(show_flag(b, FOREVER), FOREVER);
    assert_int_equal(b->flags_written, 2);
    assert_int_equal(b->out.err_timeout, 0);
}

/* The device of row 0 takes no flag any more. The rows beside it wait for one limit, once. */
static void test_a_stuck_device_holds_the_others_once(void **state)
{
    struct bench *b = *state;
    rows(b, 4, LIMIT);
    b->stuck_rows = 1;
    uint64_t start = b->cycle;
    for (uint32_t round = 0; round < 60; round++)
        bench_ring(b, round & 3);
    bench_drain(b, 2000);
    assert_true(b->cycle - start < 60 * 20 + LIMIT); /* a launch takes up to 20 edges */
    assert_int_equal(b->flags_written, 45);
    assert_int_equal(b->lost_of_row[0], 15);
    assert_int_equal(b->lost[FLAG_LOST_TIMEOUT], 1);
    assert_int_equal(b->lost[FLAG_LOST_SILENT], 14);
    assert_int_equal(b->out.err_timeout, 1);
    assert_int_equal(b->out.err_silent, 14);
}

/* Eight flags of the stuck row wait behind each other: they leave together. */
static void test_what_is_inside_leaves_with_it(void **state)
{
    struct bench *b = *state;
    rows(b, 2, LIMIT);
    b->stuck_rows = 1;
    b->run_cycles = 0;
    for (int i = 0; i < 8; i++)
        bench_ring(b, i == 5);
    while (b->running.count < 8)
        bench_step(b);
    bench_complete_all(b);
    while (!b->out.pw_valid)
        bench_step(b);
    uint64_t start = b->cycle;
    bench_drain(b, 2000);
    assert_true(b->cycle - start <= LIMIT + 1 + 40);
    assert_int_equal(b->flags_written, 1);
    assert_int_equal(b->lost_of_row[0], 7);
    assert_int_equal(b->lost_of_row[1], 0);
}

/* Memory takes no read: it is withdrawn, and its row's next ones are not made. */
static void test_memory_takes_no_read(void **state)
{
    struct bench *b = *state;
    rows(b, 2, LIMIT);
    b->mr_chance = 0;
    bench_ring(b, 0);
    while (!b->out.mr_valid)
        bench_step(b);
    bench_steps(b, LIMIT + 2);
    assert_int_equal(b->out.mr_valid, 0);
    b->mr_chance = BENCH_OFTEN;
    bench_ring(b, 0);
    bench_ring(b, 1);
    bench_drain(b, 200);
    assert_int_equal(b->lost_of_row[0], 2);
    assert_int_equal(b->flags_written, 1);
    assert_int_equal(b->late_answers, 0); /* it was never sent */
}

/* A row that was silent has its flags again when it is registered again. */
static void test_registered_again(void **state)
{
    struct bench *b = *state;
    rows(b, 3, LIMIT);
    answer_after(b, LIMIT, FLAG_LOST_TIMEOUT);
    bench_ring(b, 0);
    bench_ring(b, 1);
    bench_drain(b, 200);
    assert_int_equal(b->flags_written, 1);
    bench_unregister(b, 2); /* another row's registration changes nothing */
    bench_register_simple(b, 32, 8, 2);
    bench_ring(b, 0);
    bench_drain(b, 200);
    assert_int_equal(b->lost[FLAG_LOST_SILENT], 2);
    bench_unregister(b, 0);
    bench_register_simple(b, 32, 8, 0);
    for (int i = 0; i < 10; i++)
        bench_ring(b, 0);
    bench_drain(b, 400);
    assert_int_equal(b->flags_written, 11);
    assert_int_equal(b->lost[FLAG_LOST_SILENT], 2);
}

/* Answers to reads that were given up come in the midst of later ones, with pointers of their own.
 */
static void test_late_answers_are_dropped(void **state)
{
    struct bench *b = *state;
    rows(b, 2, LIMIT);
    b->late_chance = BENCH_OFTEN;
    b->late = 10 * LIMIT;
    for (uint32_t round = 0; round < 3; round++) { /* three rounds of eight places */
        for (int i = 0; i < 8; i++)
            bench_ring(b, 0);
        bench_steps(b, 3 * LIMIT);
        bench_unregister(b, 0);
        bench_register_simple(b, 32, 8, 0);
    }
    assert_true(b->unanswered.count >= 3);
    b->late_chance = 0;
    b->shuffle_chance = BENCH_OFTEN;
    uint64_t written = b->flags_written, lost = b->lost_of_row[0];
    for (int i = 0; i < 40; i++) {
        bench_ring(b, 1);
        bench_steps(b, 20);
    }
    bench_drain(b, 20 * LIMIT);
    assert_int_equal(b->flags_written - written, 40);
    assert_int_equal(b->lost_of_row[0], lost);
    assert_int_equal(b->lost_of_row[1], 0);
    assert_true(b->late_answers >= 3);
}

/* All reads of a place are out: what comes there has no flag, and is not held. */
static void test_reads_that_are_never_answered(void **state)
{
    struct bench *b = *state;
    rows(b, 1, LIMIT);
    b->rsp_chance = 0;
    for (uint32_t lost = 0; lost < 1u << EVG_COMPLETION_TAG_BITS; lost++) {
        bench_ring(b, 0);
        bench_steps(b, 3 * LIMIT);
        assert_int_equal(b->out.err_timeout, lost + 1);
        bench_unregister(b, 0);
        bench_register_simple(b, 32, 8, 0);
    }
    bench_ring(b, 0);
    bench_steps(b, 3 * LIMIT);
    assert_int_equal(b->without_read, 1);
    assert_int_equal(b->out.err_answer, 1);
    assert_int_equal(b->completions, (1u << EVG_COMPLETION_TAG_BITS) + 1);
    b->rsp_chance = BENCH_OFTEN; /* they come after all */
    bench_drain(b, 1000);
    for (int i = 0; i < 10; i++)
        bench_ring(b, 0);
    bench_drain(b, 1000);
    assert_int_equal(b->flags_written, 10);
}

/* An error is the end of its own completion only. */
static void test_answers_with_errors(void **state)
{
    struct bench *b = *state;
    rows(b, 2, LIMIT);
    b->error_chance = BENCH_OFTEN;
    for (int i = 0; i < 10; i++)
        bench_ring(b, 0);
    bench_drain(b, 1000);
    assert_int_equal(b->flags_written, 0);
    assert_int_equal(b->out.err_answer, 10);
    b->error_chance = 0;
    bench_ring(b, 0);
    bench_ring(b, 1);
    bench_drain(b, 1000);
    assert_int_equal(b->flags_written, 2);
    b->in.err_clear = 1;
    bench_step(b);
    b->in.err_clear = 0;
    assert_int_equal(b->out.err_answer, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        BENCH_ON_EACH(test_last_edge_of_an_answer),
        BENCH_ON_EACH(test_last_edge_of_a_flag),
        BENCH_ON_EACH(test_no_limit),
        BENCH_ON_EACH(test_a_stuck_device_holds_the_others_once),
        BENCH_ON_EACH(test_what_is_inside_leaves_with_it),
        BENCH_ON_EACH(test_memory_takes_no_read),
        BENCH_ON_EACH(test_registered_again),
        BENCH_ON_EACH(test_late_answers_are_dropped),
        BENCH_ON_EACH(test_reads_that_are_never_answered),
        BENCH_ON_EACH(test_answers_with_errors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
