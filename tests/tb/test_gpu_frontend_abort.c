/* The driver ends an event: what ABORT answers and when, and what the event's flag says. */
#include "tests/tb/frontend_bench.h"
#include "tests/unit.h"

/* The answer to an abort, made again until the bench has answered it as wanted. */
static uint8_t abort_with(struct bench *b, uint32_t row, uint64_t entry, bool hit)
{
    struct gpu_frontend_in c = bench_abort(row, entry);
    for (uint64_t answers = b->answers;; answers = b->answers) {
        bench_start_command(b, &c);
        assert_int_equal(b->out.ab_valid, 1);
        assert_int_equal(b->out.ab_row, row);
        assert_true(b->out.ab_param == entry);
        bench_step(b);
        assert_int_equal(b->out.ab_valid, 0);
        bench_step(b);
        assert_int_equal(b->answers, answers);
        bench_step(b); /* t+4 */
        assert_int_equal(b->answers, answers + 1);
        assert_int_equal(b->out.rsp_row, row);
        if (b->hit == hit)
            return b->out.rsp_code;
    }
}

static void test_answers(void **state)
{
    struct bench *b = *state;
    bench_register_simple(b, 32, 8, 0);
    bench_register_simple(b, 32, 8, 1);
    assert_int_equal(abort_with(b, 1, 0x4000, true), FRONTEND_CODE_OK);
    assert_int_equal(abort_with(b, 1, 0x4000, false), FRONTEND_CODE_NOT_RUNNING);
    assert_int_equal(abort_with(b, 7, 0x4000, false), FRONTEND_CODE_NOT_REGISTERED);
    assert_int_equal(abort_with(b, 7, 0x4000, true), FRONTEND_CODE_NOT_REGISTERED);
    bench_register_simple(b, 32, 8, 2); /* none of these has taken a row */
}

/* A row that drains for an event that hangs is the one that an abort is for. */
static void test_a_draining_row(void **state)
{
    struct bench *b = *state;
    bench_register_simple(b, 32, 8, 0);
    b->run_cycles = 0;
    bench_ring(b, 0);
    bench_steps(b, 100);
    struct gpu_frontend_in leave = bench_unregistration(0);
    bench_command(b, &leave);
    assert_int_equal(abort_with(b, 0, b->last_warp_param, true), FRONTEND_CODE_OK);
    assert_int_equal(b->freed, 0);
    bench_complete_all(b);
    bench_drain(b, 200);
    bench_steps(b, 4);
    assert_int_equal(b->freed, 1);
    assert_int_equal(abort_with(b, 0, b->last_warp_param, true), FRONTEND_CODE_NOT_REGISTERED);
}

/* Flags of both kinds, in the order of the completions; the bench compares each. */
static void test_flags(void **state)
{
    struct bench *b = *state;
    uint32_t aborted = 0;
    b->null_chance = b->bad_chance = 0;
    bench_register_simple(b, 32, 64, 0);
    for (uint32_t i = 0; i < 60; i++) {
        bench_ring(b, 0);
        for (uint32_t k = 0; k < 40; k++) {
            bool sent = b->out.pw_valid;
            bench_step(b);
            aborted += sent && !b->out.pw_valid && b->out.pw_data == EVG_COMPLETION_ABORTED;
        }
    }
    bench_drain(b, 1 << 20);
    assert_int_equal(b->flags_written, 60);
    assert_in_range(aborted, 3, 40);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        BENCH_ON_EACH(test_answers),
        BENCH_ON_EACH(test_a_draining_row),
        BENCH_ON_EACH(test_flags),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
