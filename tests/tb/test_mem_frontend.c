/* mem_frontend, directed: one test per sentence of its contract, RTL and golden model in lockstep,
 * and the bench's reference over every step. Bits, registers and commands are in
 * test_mem_frontend_control.c, resets in test_mem_frontend_reset.c. */
#include "tests/tb/mem_frontend_bench.h"
#include "tests/unit.h"

enum {
    ALL = 0xffffffff,
    LIMIT = 1000,
    /* Steps from being taken to leaving, from the contract. */
    PLAIN_LEAVES = 3,
    ACTION_LEAVES = 4,
    TRIGGER_LEAVES = 5,
    RELEASED_AFTER = 3, /* a fill leaves, its waiter leaves */
    REPLY_EVERY = 2,    /* steps, of one queue */
    LINE = FE_BENCH_FIRST + 5,
    OTHER = FE_BENCH_FIRST + 6,
};

static uint16_t act(struct fe_bench *b, uint32_t line, uint32_t mask, uint8_t action)
{
    return fe_send(b, line, mask, FE_TRIGGER_NONE, action, FE_SOURCE_CPU);
}

static void empty(struct fe_bench *b, uint32_t line)
{
    act(b, line, ALL, FE_ACTION_EMPTY);
    fe_drain(b, LIMIT);
}

static void stays(struct fe_bench *b, uint32_t queue, uint32_t steps)
{
    uint64_t left = b->left_queue[queue];
    fe_steps(b, steps);
    assert_true(b->left_queue[queue] == left);
    assert_true(b->waiting[queue].count > 0);
}

/* --- latency -----------------------------------------------------------------------------------
 */

static void expect_latency(struct fe_bench *b, uint8_t trigger, uint8_t action, uint64_t steps)
{
    uint16_t id = fe_send(b, LINE, ALL, trigger, action, FE_SOURCE_CPU);
    uint64_t taken = b->cycle - 1;
    fe_await_leave(b, id);
    assert_int_equal(b->last_leave - taken, steps);
    fe_drain(b, LIMIT);
}

static void test_latency(void **state)
{
    struct fe_bench *b = *state;
    expect_latency(b, FE_TRIGGER_NONE, FE_ACTION_NONE, PLAIN_LEAVES);
    expect_latency(b, FE_TRIGGER_NONE, FE_ACTION_FILL, ACTION_LEAVES);
    expect_latency(b, FE_TRIGGER_FULL, FE_ACTION_NONE, TRIGGER_LEAVES);
    expect_latency(b, FE_TRIGGER_FULL, FE_ACTION_EMPTY, TRIGGER_LEAVES);
    expect_latency(b, FE_TRIGGER_EMPTY, FE_ACTION_FILL, TRIGGER_LEAVES);
}

static void test_reply_latency(void **state)
{
    struct fe_bench *b = *state;
    b->answers_held = true;
    uint16_t id = fe_plain(b, LINE);
    fe_await_leave(b, id);
    fe_steps(b, 10);
    assert_true(b->replied == 0 && b->out.idle);
    b->answers_held = false;
    uint64_t answer = 0;
    while (!b->replied) {
        if (!answer && b->replies[FE_QUEUE_NON].items[0].answered)
            answer = b->cycle - 1;
        fe_step(b);
    }
    assert_int_equal(b->last_reply_cycle - answer, 2); /* shown by the second edge after it */
    assert_int_equal(b->last_reply_id, id);
}

/* --- triggers ----------------------------------------------------------------------------------
 */

static void test_waits_for_full(void **state)
{
    struct fe_bench *b = *state;
    empty(b, LINE);
    uint16_t reader = fe_gpu_read(b, LINE);
    stays(b, FE_QUEUE_GPU, 100);
    assert_int_equal(fe_head_state(b, FE_QUEUE_GPU), FE_HEAD_BLOCKED);
    uint16_t writer = act(b, LINE, ALL, FE_ACTION_FILL);
    fe_await_leave(b, writer);
    uint64_t filled = b->last_leave;
    fe_await_leave(b, reader);
    assert_int_equal(b->last_leave - filled, RELEASED_AFTER);
    fe_drain(b, LIMIT);
    assert_int_equal(b->last_reply_status, FE_STATUS_OK);
}

static void test_waits_for_empty(void **state)
{
    struct fe_bench *b = *state;
    uint16_t writer = fe_send(b, LINE, 0xf0, FE_TRIGGER_EMPTY, FE_ACTION_FILL, FE_SOURCE_CPU);
    stays(b, FE_QUEUE_CPU, 100);
    uint16_t reader = fe_send(b, LINE, 0xf0, FE_TRIGGER_FULL, FE_ACTION_EMPTY, FE_SOURCE_GPU);
    fe_await_leave(b, reader);
    uint64_t emptied = b->last_leave;
    fe_await_leave(b, writer);
    assert_int_equal(b->last_leave - emptied, RELEASED_AFTER);
    fe_drain(b, LIMIT);
    assert_int_equal(b->bits[LINE - FE_BENCH_FIRST], ALL);
}

/* All masked words must agree, and only those. */
static void test_several_words_agree(void **state)
{
    struct fe_bench *b = *state;
    empty(b, LINE);
    uint16_t reader = fe_send(b, LINE, 0x80010100, FE_TRIGGER_FULL, FE_ACTION_NONE, FE_SOURCE_GPU);
    act(b, LINE, 0x00000100, FE_ACTION_FILL);
    stays(b, FE_QUEUE_GPU, 30);
    act(b, LINE, 0x7ffeffff, FE_ACTION_FILL);
    stays(b, FE_QUEUE_GPU, 30);
    act(b, LINE, 0x80000000, FE_ACTION_FILL);
    stays(b, FE_QUEUE_GPU, 30);
    act(b, LINE, 0x00010000, FE_ACTION_FILL);
    fe_await_leave(b, reader);
    reader = fe_send(b, LINE, 0x3, FE_TRIGGER_EMPTY, FE_ACTION_NONE, FE_SOURCE_GPU);
    act(b, LINE, 0x1, FE_ACTION_EMPTY);
    stays(b, FE_QUEUE_GPU, 30);
    act(b, LINE, 0x2, FE_ACTION_EMPTY);
    fe_await_leave(b, reader);
}

static void test_empty_mask_always_agrees(void **state)
{
    struct fe_bench *b = *state;
    fe_await_leave(b, fe_send(b, LINE, 0, FE_TRIGGER_EMPTY, FE_ACTION_EMPTY, FE_SOURCE_GPU));
    empty(b, LINE);
    fe_await_leave(b, fe_send(b, LINE, 0, FE_TRIGGER_FULL, FE_ACTION_FILL, FE_SOURCE_CPU));
    fe_gpu_read(b, LINE);
    stays(b, FE_QUEUE_GPU, 30); /* no bit was filled */
    act(b, LINE, ALL, FE_ACTION_FILL);
    fe_drain(b, LIMIT);
}

/* A blocked head is judged again after an action on its line, and only then. */
static void test_judged_again_only_when_touched(void **state)
{
    struct fe_bench *b = *state;
    empty(b, LINE);
    fe_gpu_read(b, LINE);
    fe_steps(b, 10);
    for (int i = 0; i < 3; i++) {
        uint16_t id = act(b, OTHER, ALL, i % 2 ? FE_ACTION_EMPTY : FE_ACTION_FILL);
        while (b->last_leave_id != id) {
            assert_int_equal(fe_head_state(b, FE_QUEUE_GPU), FE_HEAD_BLOCKED);
            fe_step(b);
        }
        fe_plain(b, LINE); /* touches no bit */
        for (int step = 0; step < 20; step++) {
            assert_int_equal(fe_head_state(b, FE_QUEUE_GPU), FE_HEAD_BLOCKED);
            fe_step(b);
        }
    }
    uint16_t id = act(b, LINE, 0xff, FE_ACTION_FILL);
    fe_await_leave(b, id);
    fe_step(b); /* its action */
    assert_int_equal(fe_head_state(b, FE_QUEUE_GPU), FE_HEAD_JUDGE);
    fe_step(b);
    assert_int_equal(fe_head_state(b, FE_QUEUE_GPU), FE_HEAD_BLOCKED);
    id = act(b, LINE, ALL, FE_ACTION_FILL);
    fe_await_leave(b, id);
    fe_step(b); /* its action */
    assert_int_equal(fe_head_state(b, FE_QUEUE_GPU), FE_HEAD_JUDGE);
    fe_step(b);
    assert_int_equal(fe_head_state(b, FE_QUEUE_GPU), FE_HEAD_READY);
    fe_drain(b, LIMIT);
}

/* A head that may leave but cannot, because memory takes nothing, loses the right again. */
static void test_emptied_before_it_could_leave(void **state)
{
    struct fe_bench *b = *state;
    b->dram_chance = 0;
    fe_plain(b, OTHER); /* occupies the way to memory */
    fe_gpu_read(b, LINE);
    fe_steps(b, 10);
    assert_int_equal(fe_head_state(b, FE_QUEUE_GPU), FE_HEAD_READY);
    assert_int_equal(
        fe_command(b, FE_COMMAND_EMPTY, 5 * FE_BENCH_WORDS + 7, 5 * FE_BENCH_WORDS + 7),
        FE_CODE_OK);
    fe_steps(b, 10);
    b->dram_chance = FE_BENCH_OFTEN;
    stays(b, FE_QUEUE_GPU, 50);
    act(b, LINE, 1u << 7, FE_ACTION_FILL);
    fe_drain(b, LIMIT);
}

/* The action is done when the request leaves: not while it waits in its queue. */
static void test_action_when_it_leaves(void **state)
{
    struct fe_bench *b = *state;
    empty(b, LINE);
    uint16_t reader = fe_gpu_read(b, LINE);
    b->dram_chance = 0;
    fe_plain(b, OTHER);
    act(b, LINE, ALL, FE_ACTION_FILL); /* behind it */
    stays(b, FE_QUEUE_GPU, 50);
    assert_int_equal(fe_head_state(b, FE_QUEUE_GPU), FE_HEAD_BLOCKED);
    b->dram_chance = FE_BENCH_OFTEN;
    fe_await_leave(b, reader);
    fe_drain(b, LIMIT);
}

/* --- queues ------------------------------------------------------------------------------------
 */

/* The paper's example: the three commands of a full overlap do not block one another. */
static void test_queues_do_not_block_each_other(void **state)
{
    struct fe_bench *b = *state;
    empty(b, LINE);
    empty(b, OTHER);
    fe_read_full(b, LINE, FE_SOURCE_CPU); /* copy back, waits for the kernel's result */
    stays(b, FE_QUEUE_CPU, 20);
    fe_await_leave(b, fe_gpu_read(b, LINE + 100)); /* passes it */
    fe_gpu_read(b, OTHER);                         /* kernel, waits for its input */
    stays(b, FE_QUEUE_GPU, 20);
    fe_await_leave(b, fe_plain(b, LINE));
    act(b, OTHER, ALL, FE_ACTION_FILL); /* copy in */
    fe_steps(b, 20);
    assert_int_equal(b->waiting[FE_QUEUE_GPU].count, 0);
    act(b, LINE, ALL, FE_ACTION_FILL); /* the kernel's write */
    fe_drain(b, LIMIT);
}

static void test_each_queue_is_strictly_ordered(void **state)
{
    struct fe_bench *b = *state;
    empty(b, LINE);
    for (uint8_t source = FE_SOURCE_CPU; source <= FE_SOURCE_GPU; source++) {
        uint32_t queue = source == FE_SOURCE_CPU ? FE_QUEUE_CPU : FE_QUEUE_GPU;
        fe_read_full(b, LINE, source);
        fe_read_full(b, OTHER, source); /* could go, but is not the head */
        stays(b, queue, 50);
        assert_int_equal(b->waiting[queue].count, 2);
    }
    act(b, LINE, ALL, FE_ACTION_FILL);
    fe_drain(b, LIMIT);
}

/* Each queue holds its depth and is then the only one that is not ready. */
static void test_full_queues(void **state)
{
    struct fe_bench *b = *state;
    empty(b, LINE);
    for (uint32_t i = 0; i < EVG_FE_QUEUE_DEPTH; i++) {
        assert_int_equal(b->out.req_ready, 7);
        fe_gpu_read(b, LINE);
    }
    assert_int_equal(b->out.req_ready, 3);
    for (uint32_t i = 0; i < EVG_FE_QUEUE_DEPTH; i++)
        fe_read_full(b, LINE, FE_SOURCE_CPU);
    assert_int_equal(b->out.req_ready, 1);
    fe_await_leave(b, fe_plain(b, LINE));
    fe_step(b);
    b->dram_chance = 0;
    for (uint32_t i = 0; i < EVG_FE_QUEUE_DEPTH + 1; i++) /* one is on its way to memory */
        fe_plain(b, OTHER);
    assert_int_equal(b->out.req_ready, 0);
    fe_offer(b, OTHER, ALL, FE_TRIGGER_NONE, FE_ACTION_NONE, FE_SOURCE_GPU);
    for (int i = 0; i < 20; i++)
        assert_false(fe_step(b));
    b->in.req_valid = 0;
    b->dram_chance = FE_BENCH_OFTEN;
    act(b, LINE, ALL, FE_ACTION_FILL);
    fe_drain(b, LIMIT);
    assert_int_equal(b->out.req_ready, 7);
}

static void test_priority(void **state)
{
    struct fe_bench *b = *state;
    b->dram_chance = 0;
    fe_plain(b, OTHER);
    uint16_t gpu = fe_gpu_read(b, LINE);
    uint16_t cpu = fe_read_full(b, LINE, FE_SOURCE_CPU);
    uint16_t non = act(b, LINE, 1, FE_ACTION_FILL);
    uint16_t more = fe_plain(b, OTHER);
    fe_steps(b, 20);
    b->dram_chance = FE_BENCH_OFTEN;
    const uint16_t order[] = {non, more, cpu, gpu};
    for (int i = 0; i < 4; i++) {
        uint64_t left = b->left;
        while (b->left == left)
            fe_step(b);
        assert_int_equal(b->last_leave_id, order[i]);
    }
}

/* Keeps NON busy; returns how many others have left before one of `queue` does. */
static uint32_t passed_until(struct fe_bench *b, uint32_t queue)
{
    uint64_t left = b->left, mine = b->left_queue[queue];
    while (b->left_queue[queue] == mine) {
        if (!b->in.req_valid)
            fe_offer(b, OTHER, ALL, FE_TRIGGER_NONE, FE_ACTION_NONE, FE_SOURCE_GPU);
        /* NON can leave in every second cycle: memory takes no more, so that nothing is left. */
        b->dram_chance = b->dram_chance ? 0 : FE_BENCH_OFTEN;
        if (fe_step(b))
            b->in.req_valid = 0;
        assert_true(b->left - left < LIMIT);
    }
    b->dram_chance = FE_BENCH_OFTEN;
    return (uint32_t)(b->left - left - 1);
}

static void fill_up(struct fe_bench *b, bool cpu, bool gpu)
{
    b->dram_chance = 0;
    for (uint32_t i = 0; i < EVG_FE_QUEUE_DEPTH; i++) {
        fe_plain(b, OTHER);
        if (cpu && i < 3)
            fe_read_full(b, LINE, FE_SOURCE_CPU);
        if (gpu && i < 3)
            fe_gpu_read(b, LINE);
    }
    fe_steps(b, 20);
    b->dram_chance = FE_BENCH_OFTEN;
}

/* The stated bound on being passed is kept, and is exact. */
static void test_ready_heads_do_not_starve(void **state)
{
    struct fe_bench *b = *state;
    fill_up(b, false, true);
    assert_int_equal(passed_until(b, FE_QUEUE_GPU), EVG_FE_TURN_LIMIT);
    b->in.req_valid = 0;
    fe_drain(b, LIMIT);
    fill_up(b, true, false);
    assert_int_equal(passed_until(b, FE_QUEUE_CPU), EVG_FE_TURN_LIMIT);
    b->in.req_valid = 0;
    fe_drain(b, LIMIT);
    /* Both at once; the CPU went first the last time, so it is the GPU's turn. */
    fill_up(b, true, true);
    assert_int_equal(passed_until(b, FE_QUEUE_GPU), EVG_FE_TURN_LIMIT);
    assert_int_equal(passed_until(b, FE_QUEUE_CPU), 0);
    b->in.req_valid = 0;
    fe_drain(b, LIMIT);
    fill_up(b, false, true);
    passed_until(b, FE_QUEUE_GPU);
    b->in.req_valid = 0;
    fe_drain(b, LIMIT);
    fill_up(b, true, true);
    assert_int_equal(passed_until(b, FE_QUEUE_GPU), EVG_FE_TURN_LIMIT + 1);
    b->in.req_valid = 0;
    fe_drain(b, LIMIT);
}

/* --- region ------------------------------------------------------------------------------------
 */

static void expect_error(struct fe_bench *b, uint32_t line, uint8_t trigger, uint8_t action,
                         uint8_t source)
{
    uint64_t left = b->left;
    uint32_t errors = fe_read_register(b, FE_REG_ERRORS);
    uint16_t id = fe_send(b, line, ALL, trigger, action, source);
    fe_drain(b, LIMIT);
    assert_int_equal(b->last_reply_id, id);
    assert_int_equal(b->last_reply_status, FE_STATUS_ERROR);
    assert_true(b->left == left); /* memory never saw it */
    assert_int_equal(fe_read_register(b, FE_REG_ERRORS), errors + 1);
}

static void test_trigger_outside_is_an_error(void **state)
{
    struct fe_bench *b = *state;
    static const uint32_t outside[] = {0, FE_BENCH_FIRST - 1, FE_BENCH_END, UINT32_MAX};
    for (int i = 0; i < 4; i++)
        for (uint8_t source = 0; source < 2; source++) {
            expect_error(b, outside[i], FE_TRIGGER_FULL, FE_ACTION_NONE, source);
            expect_error(b, outside[i], FE_TRIGGER_EMPTY, FE_ACTION_FILL, source);
        }
    fe_await_leave(b, fe_gpu_read(b, FE_BENCH_FIRST));
    fe_await_leave(b, fe_gpu_read(b, FE_BENCH_END - 1));
}

static void test_meaningless_codes_are_errors(void **state)
{
    struct fe_bench *b = *state;
    expect_error(b, LINE, 3, FE_ACTION_NONE, FE_SOURCE_CPU);
    expect_error(b, LINE, 3, FE_ACTION_EMPTY, FE_SOURCE_GPU);
    expect_error(b, LINE, FE_TRIGGER_NONE, 3, FE_SOURCE_CPU);
    expect_error(b, LINE, FE_TRIGGER_FULL, 3, FE_SOURCE_GPU);
    expect_error(b, 0, FE_TRIGGER_NONE, 3, FE_SOURCE_CPU);
    fe_await_leave(b, fe_gpu_read(b, LINE)); /* no bit was changed */
}

/* Blocked triggered heads do not hold an error reply back, and neither does memory. */
static void test_errors_never_hang(void **state)
{
    struct fe_bench *b = *state;
    empty(b, LINE);
    fe_gpu_read(b, LINE);
    b->dram_chance = 0;
    fe_read_full(b, OTHER, FE_SOURCE_CPU); /* memory does not take it */
    fe_read_full(b, LINE, FE_SOURCE_CPU);
    fe_steps(b, 10);
    uint16_t id = fe_gpu_read(b, 0);
    fe_steps(b, 6);
    assert_int_equal(b->last_reply_id, id);
    assert_int_equal(b->last_reply_status, FE_STATUS_ERROR);
    b->dram_chance = FE_BENCH_OFTEN;
    act(b, LINE, ALL, FE_ACTION_FILL);
    fe_drain(b, LIMIT);
}

/* Without trigger, requests outside pass, and their actions touch no bit of the region. */
static void test_outside_is_not_triggered(void **state)
{
    struct fe_bench *b = *state;
    static const uint32_t outside[] = {FE_BENCH_FIRST - 1, FE_BENCH_END, 0, 5, UINT32_MAX};
    for (int i = 0; i < 5; i++) {
        uint64_t taken = b->cycle;
        fe_await_leave(b, act(b, outside[i], ALL, FE_ACTION_EMPTY));
        assert_int_equal(b->last_leave - taken, PLAIN_LEAVES);
    }
    fe_drain(b, LIMIT);
    static const uint32_t inside[] = {0, 5, EVG_FE_REGION_LINES - 1};
    for (int i = 0; i < 3; i++)
        fe_await_leave(b, fe_gpu_read(b, FE_BENCH_FIRST + inside[i]));
}

/* --- replies -----------------------------------------------------------------------------------
 */

/* Answers that come backwards wait for the first; those of another queue do not. */
/* Memory answers in the cycle in which it takes the request: while its reply's place is written. */
static void test_answer_at_the_earliest(void **state)
{
    struct fe_bench *b = *state;
    b->answers_held = true;
    for (int i = 0; i < 3; i++) {
        uint16_t id = fe_plain(b, LINE);
        fe_await_leave(b, id);
        assert_true(b->out.dram_valid);
        fe_answer(b, FE_QUEUE_NON, 0);
        fe_steps(b, 4);
        assert_int_equal(b->last_reply_id, id);
        assert_int_equal(b->replied, i + 1);
    }
}

static void test_replies_in_order_per_queue(void **state)
{
    struct fe_bench *b = *state;
    b->answers_held = true;
    uint16_t first = fe_plain(b, LINE);
    for (int i = 0; i < 3; i++)
        fe_plain(b, LINE);
    uint16_t cpu = fe_read_full(b, LINE, FE_SOURCE_CPU);
    fe_await_leave(b, cpu);
    fe_step(b);
    for (uint32_t i = 3; i >= 1; i--)
        fe_answer(b, FE_QUEUE_NON, i);
    fe_steps(b, 10);
    assert_int_equal(b->replied, 0);
    fe_answer(b, FE_QUEUE_CPU, 0);
    fe_steps(b, 3);
    assert_int_equal(b->last_reply_id, cpu);
    fe_answer(b, FE_QUEUE_NON, 0);
    for (uint16_t i = 0; i < 4; i++) {
        fe_steps(b, REPLY_EVERY);
        assert_int_equal(b->last_reply_id, first + i);
    }
    assert_int_equal(b->replied, 5);
}

/* A queue whose places are all in memory stops; the others go on. */
static void test_places_of_replies(void **state)
{
    struct fe_bench *b = *state;
    b->answers_held = true;
    for (uint32_t i = 0; i < EVG_FE_REPLY_DEPTH + 2; i++)
        fe_plain(b, LINE);
    fe_steps(b, 2 * EVG_FE_QUEUE_DEPTH);
    stays(b, FE_QUEUE_NON, 50);
    assert_int_equal(b->left, EVG_FE_REPLY_DEPTH);
    fe_await_leave(b, fe_read_full(b, LINE, FE_SOURCE_CPU));
    fe_await_leave(b, fe_gpu_read(b, LINE));
    b->answers_held = false;
    fe_drain(b, LIMIT);
}

static void test_reply_waits_for_its_taker(void **state)
{
    struct fe_bench *b = *state;
    b->rsp_chance = 0;
    uint16_t first = fe_plain(b, LINE);
    fe_plain(b, OTHER);
    fe_steps(b, 50);
    assert_true(b->out.rsp_valid && b->out.rsp_id == first);
    assert_int_equal(b->replied, 1);
    b->rsp_chance = FE_BENCH_OFTEN;
    fe_drain(b, LIMIT);
    assert_int_equal(b->replied, 2);
}

int main(void)
{
#define TEST(f) cmocka_unit_test_setup_teardown(f, fe_bench_setup, fe_bench_teardown)
    const struct CMUnitTest tests[] = {
        TEST(test_latency),
        TEST(test_reply_latency),
        TEST(test_answer_at_the_earliest),
        TEST(test_waits_for_full),
        TEST(test_waits_for_empty),
        TEST(test_several_words_agree),
        TEST(test_empty_mask_always_agrees),
        TEST(test_judged_again_only_when_touched),
        TEST(test_emptied_before_it_could_leave),
        TEST(test_action_when_it_leaves),
        TEST(test_queues_do_not_block_each_other),
        TEST(test_each_queue_is_strictly_ordered),
        TEST(test_full_queues),
        TEST(test_priority),
        TEST(test_ready_heads_do_not_starve),
        TEST(test_trigger_outside_is_an_error),
        TEST(test_meaningless_codes_are_errors),
        TEST(test_errors_never_hang),
        TEST(test_outside_is_not_triggered),
        TEST(test_replies_in_order_per_queue),
        TEST(test_places_of_replies),
        TEST(test_reply_waits_for_its_taker),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
