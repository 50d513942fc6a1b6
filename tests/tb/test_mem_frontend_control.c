/* mem_frontend, directed: registers, range commands, release, time-outs, idle and stall counters;
 * RTL and golden model in lockstep, and the bench's reference over every step. */
#include "tests/tb/bench/mem_frontend_bench.h"
#include "tests/unit.h"

enum {
    ALL = 0xffffffff,
    LIMIT = 10000,
    ROW = 5,
    LINE = FE_BENCH_FIRST + ROW,
    WORDS = FE_BENCH_WORDS,
    REGION_WORDS = EVG_FE_REGION_LINES * FE_BENCH_WORDS,
};

static void range(struct fe_bench *b, uint8_t command, uint32_t first, uint32_t last)
{
    assert_int_equal(fe_command(b, command, first, last), FE_CODE_OK);
    fe_drain(b, LIMIT);
}

/* Every row holds these bits: two requests that pass only then. */
static void expect_bits(struct fe_bench *b, uint32_t row, uint32_t full)
{
    uint64_t left = b->left;
    uint32_t line = FE_BENCH_FIRST + row;
    fe_send(b, line, full, FE_TRIGGER_FULL, FE_ACTION_NONE, FE_SOURCE_GPU);
    fe_send(b, line, ~full, FE_TRIGGER_EMPTY, FE_ACTION_NONE, FE_SOURCE_CPU);
    fe_steps(b, 12);
    assert_true(b->left == left + 2);
}

/* --- registers ---------------------------------------------------------------------------------
 */

static void test_registers(void **state)
{
    struct fe_bench *b = *state;
    static const struct {
        uint8_t address;
        uint32_t written, read;
    } cases[] = {
        {FE_REG_CONTROL, ALL, EVG_FE_CONTROL_OVERRIDE | EVG_FE_CONTROL_CLEAR},
        {FE_REG_CONTROL, EVG_FE_CONTROL_CLEAR, EVG_FE_CONTROL_CLEAR},
        {FE_REG_CONTROL, EVG_FE_CONTROL_OVERRIDE, EVG_FE_CONTROL_OVERRIDE},
        {FE_REG_FIRST, 0x12345678, 0x12345678},
        {FE_REG_LAST, 0x9abcdef0, 0x9abcdef0},
        {FE_REG_TIMEOUT_NON, 0x80000001, 0x80000001},
        {FE_REG_TIMEOUT_CPU, 0x80000002, 0x80000002},
        {FE_REG_TIMEOUT_GPU, 0x80000003, 0x80000003},
        {FE_REG_REPORT_LINE, ALL, 0},
        {FE_REG_REPORT_MASK, ALL, 0},
        {FE_REG_REPORT_AGE, ALL, 0},
        {FE_REG_REPORT_INFO, ALL, 0},
        {FE_REG_ERRORS, ALL, 0},
        {FE_REG_STATUS, ALL, 0},
        {FE_REG_REGION_LINES, 1, EVG_FE_REGION_LINES},
        {FE_REG_GRAIN_BYTES, 1, EVG_FE_GRAIN_BYTES},
        {FE_REG_LOST, ALL, 0},
        {FE_REG_LOOK_AHEAD, 0, EVG_FE_LOOK_AHEAD},
        {FE_REG_LINE_BYTES, 1, EVG_FE_LINE_BYTES},
    };
    enum { N = sizeof cases / sizeof *cases };
    for (int i = 0; i < N; i++) {
        fe_write_register(b, cases[i].address, cases[i].written);
        assert_int_equal(fe_read_register(b, cases[i].address), cases[i].read);
    }
    /* Each by itself: nothing above was overwritten by what came later. */
    for (int i = 2; i < N; i++)
        assert_int_equal(fe_read_register(b, cases[i].address), cases[i].read);
    assert_int_equal(b->out.reg_data, EVG_FE_LINE_BYTES);
    fe_steps(b, 5);
    assert_int_equal(b->out.reg_data, EVG_FE_LINE_BYTES);
}

/* Every bit of a register is written and read both ways, and of no other one. */
static void test_register_bits(void **state)
{
    struct fe_bench *b = *state;
    static const uint8_t whole[] = {FE_REG_FIRST, FE_REG_LAST, FE_REG_TIMEOUT_NON,
                                    FE_REG_TIMEOUT_CPU, FE_REG_TIMEOUT_GPU};
    enum { N = sizeof whole };
    for (uint32_t bit = 0; bit < 32; bit++)
        for (int i = 0; i < N; i++) {
            uint32_t value = 1u << bit;
            fe_write_register(b, whole[i], value);
            for (int j = 0; j < N; j++)
                assert_int_equal(fe_read_register(b, whole[j]), j == i ? value : 0);
            fe_write_register(b, whole[i], 0);
        }
}

static void test_errors_are_counted_and_cleared(void **state)
{
    struct fe_bench *b = *state;
    for (int i = 0; i < 3; i++)
        fe_read_full(b, FE_BENCH_END + (uint32_t)i, FE_SOURCE_GPU);
    fe_drain(b, LIMIT);
    assert_int_equal(fe_read_register(b, FE_REG_ERRORS), 3);
    fe_write_register(b, FE_REG_ERRORS, 0);
    assert_int_equal(fe_read_register(b, FE_REG_ERRORS), 0);
}

/* --- commands ----------------------------------------------------------------------------------
 */

static uint8_t code_of(struct fe_bench *b, uint32_t command)
{
    fe_write_register(b, FE_REG_COMMAND, command);
    return (uint8_t)(fe_read_register(b, FE_REG_STATUS) >> EVG_FE_STATUS_CODE);
}

static void test_commands_are_off_by_default(void **state)
{
    struct fe_bench *b = *state;
    for (uint32_t c = FE_COMMAND_FILL; c <= FE_COMMAND_RELEASE; c++)
        assert_int_equal(code_of(b, c), FE_CODE_OFF);
    fe_write_register(b, FE_REG_CONTROL, EVG_FE_CONTROL_OVERRIDE);
    assert_int_equal(code_of(b, FE_COMMAND_CLEAR), FE_CODE_OFF);
    assert_int_equal(code_of(b, FE_COMMAND_RELEASE), FE_CODE_OK);
    fe_write_register(b, FE_REG_CONTROL, EVG_FE_CONTROL_CLEAR);
    assert_int_equal(code_of(b, FE_COMMAND_EMPTY), FE_CODE_OFF);
    assert_int_equal(code_of(b, FE_COMMAND_RELEASE), FE_CODE_OFF);
    expect_bits(b, 0, ALL);
    assert_int_equal(code_of(b, FE_COMMAND_CLEAR), FE_CODE_OK);
    expect_bits(b, 0, 0);
}

static void test_refused_commands(void **state)
{
    struct fe_bench *b = *state;
    assert_int_equal(fe_command(b, FE_COMMAND_NONE, 0, 0), FE_CODE_BAD_COMMAND);
    assert_int_equal(code_of(b, FE_COMMAND_RELEASE + 1), FE_CODE_BAD_COMMAND);
    for (uint32_t bit = 8; bit != 0; bit <<= 1)
        assert_int_equal(code_of(b, bit + FE_COMMAND_EMPTY), FE_CODE_BAD_COMMAND);
    assert_int_equal(fe_command(b, FE_COMMAND_EMPTY, 1, 0), FE_CODE_BAD_RANGE);
    assert_int_equal(fe_command(b, FE_COMMAND_CLEAR, 0, REGION_WORDS), FE_CODE_BAD_RANGE);
    assert_int_equal(fe_command(b, FE_COMMAND_FILL, ALL, ALL), FE_CODE_BAD_RANGE);
    fe_steps(b, 100);
    expect_bits(b, 0, ALL);
    expect_bits(b, EVG_FE_REGION_LINES - 1, ALL);
    assert_int_equal(fe_command(b, FE_COMMAND_CLEAR, 0, 100 * WORDS), FE_CODE_OK);
    assert_int_equal(fe_command(b, FE_COMMAND_FILL, 0, 1), FE_CODE_BUSY);
    assert_int_equal(fe_read_register(b, FE_REG_STATUS) & EVG_FE_STATUS_RANGE, EVG_FE_STATUS_RANGE);
    fe_drain(b, LIMIT);
    expect_bits(b, 0, 0);
    assert_int_equal(fe_read_register(b, FE_REG_STATUS) & EVG_FE_STATUS_RANGE, 0);
    assert_int_equal(fe_command(b, FE_COMMAND_FILL, REGION_WORDS - 1, REGION_WORDS - 1),
                     FE_CODE_OK);
}

/* FILL and EMPTY change the words of the range and no other. */
static void test_override_by_words(void **state)
{
    struct fe_bench *b = *state;
    range(b, FE_COMMAND_EMPTY, ROW * WORDS + 3, ROW * WORDS + 3);
    expect_bits(b, ROW, ~0x8u);
    range(b, FE_COMMAND_EMPTY, ROW * WORDS + 30, (ROW + 2) * WORDS + 1);
    expect_bits(b, ROW, 0x3ffffff7);
    expect_bits(b, ROW + 1, 0);
    expect_bits(b, ROW + 2, ~0x3u);
    expect_bits(b, ROW + 3, ALL);
    range(b, FE_COMMAND_FILL, ROW * WORDS + 31, (ROW + 1) * WORDS);
    expect_bits(b, ROW, 0xbffffff7);
    expect_bits(b, ROW + 1, 1);
    range(b, FE_COMMAND_EMPTY, (ROW + 3) * WORDS + 31, (ROW + 4) * WORDS + 31);
    expect_bits(b, ROW + 3, 0x7fffffff);
    expect_bits(b, ROW + 4, 0);
    range(b, FE_COMMAND_EMPTY, REGION_WORDS - 1, REGION_WORDS - 1);
    expect_bits(b, EVG_FE_REGION_LINES - 1, 0x7fffffff);
    expect_bits(b, 0, ALL);
}

/* The registers may change as soon as the command has begun. */
static void test_range_keeps_its_command(void **state)
{
    struct fe_bench *b = *state;
    assert_int_equal(fe_command(b, FE_COMMAND_EMPTY, ROW * WORDS + 3, (ROW + 2) * WORDS + 17),
                     FE_CODE_OK);
    assert_int_equal(fe_command(b, FE_COMMAND_CLEAR, 0, REGION_WORDS - 28), FE_CODE_BUSY);
    fe_drain(b, LIMIT);
    expect_bits(b, ROW, 0x7);
    expect_bits(b, ROW + 1, 0);
    expect_bits(b, ROW + 2, ~0x3ffffu);
    assert_int_equal(fe_command(b, FE_COMMAND_FILL, ROW * WORDS + 5, (ROW + 2) * WORDS + 9),
                     FE_CODE_OK);
    assert_int_equal(fe_command(b, FE_COMMAND_EMPTY, 0, REGION_WORDS - 2), FE_CODE_BUSY);
    fe_drain(b, LIMIT);
    expect_bits(b, ROW, ~0x18u);
    expect_bits(b, ROW + 1, ALL);
    expect_bits(b, ROW + 2, 0xfffc03ff);
}

/* ... whichever word of a row it ends or begins at. */
static void test_override_at_every_word(void **state)
{
    struct fe_bench *b = *state;
    for (uint32_t word = 0; word < WORDS; word++) {
        uint32_t from = ALL << word;
        range(b, FE_COMMAND_EMPTY, ROW * WORDS, ROW * WORDS + word);
        expect_bits(b, ROW, from << 1);
        range(b, FE_COMMAND_FILL, ROW * WORDS, ROW * WORDS + word);
        range(b, FE_COMMAND_EMPTY, ROW * WORDS + word, ROW * WORDS + WORDS - 1);
        expect_bits(b, ROW, ~from);
        range(b, FE_COMMAND_FILL, ROW * WORDS + word, ROW * WORDS + WORDS - 1);
        expect_bits(b, ROW, ALL);
    }
}

/* An override releases a blocked head as an action does. */
static void test_override_releases_waiters(void **state)
{
    struct fe_bench *b = *state;
    range(b, FE_COMMAND_EMPTY, ROW * WORDS, ROW * WORDS + 31);
    uint16_t id = fe_read_full(b, LINE, FE_SOURCE_GPU);
    fe_steps(b, 30);
    fe_command(b, FE_COMMAND_FILL, ROW * WORDS, ROW * WORDS + 30);
    fe_steps(b, 30);
    assert_int_equal(b->waiting[FE_QUEUE_GPU].count, 1);
    range(b, FE_COMMAND_FILL, ROW * WORDS + 31, ROW * WORDS + 31);
    fe_steps(b, 10);
    assert_int_equal(b->last_reply_id, id);
    assert_int_equal(b->last_reply_status, FE_STATUS_OK);
}

/* CLEAR: whole rows, one per cycle. */
static void test_clear_one_row_per_cycle(void **state)
{
    struct fe_bench *b = *state;
    enum { ROWS = 700 };
    assert_int_equal(fe_command(b, FE_COMMAND_CLEAR, ROW * WORDS + 9, (ROW + ROWS - 1) * WORDS + 2),
                     FE_CODE_OK);
    uint64_t start = b->cycle - 2; /* of the command; a read of STATUS lies behind it */
    while (b->out.range_state != FE_RANGE_IDLE)
        fe_step(b);
    assert_int_equal(b->cycle - 1 - start, ROWS + 2); /* two steps pass before the first */
    expect_bits(b, ROW - 1, ALL);
    expect_bits(b, ROW, 0);
    expect_bits(b, ROW + 300, 0);
    expect_bits(b, ROW + ROWS - 1, 0);
    expect_bits(b, ROW + ROWS, ALL);
}

/* During a CLEAR requests without trigger and action leave, those with one wait. */
static void test_range_writes_first(void **state)
{
    struct fe_bench *b = *state;
    fe_command(b, FE_COMMAND_CLEAR, 100 * WORDS, 400 * WORDS);
    uint16_t first = fe_plain(b, LINE);
    fe_send(b, LINE, ALL, FE_TRIGGER_NONE, FE_ACTION_EMPTY, FE_SOURCE_GPU);
    fe_read_full(b, LINE + 1, FE_SOURCE_GPU);
    fe_steps(b, 20);
    assert_int_equal(b->last_leave_id, first);
    assert_int_equal(b->waiting[FE_QUEUE_NON].count, 1);
    assert_int_equal(b->waiting[FE_QUEUE_GPU].count, 1);
    fe_drain(b, LIMIT);
    expect_bits(b, ROW, 0);
}

/* An override by words lets everybody through. */
static void test_override_lets_heads_leave(void **state)
{
    struct fe_bench *b = *state;
    enum { MANY = 60 };
    fe_command(b, FE_COMMAND_FILL, 100 * WORDS, 400 * WORDS);
    for (uint32_t i = 0; i < MANY; i++) {
        uint8_t source = i % 2 ? FE_SOURCE_CPU : FE_SOURCE_GPU;
        fe_send(b, LINE + i, ALL, FE_TRIGGER_FULL, FE_ACTION_EMPTY, source);
        fe_send(b, LINE + i, 1, FE_TRIGGER_NONE, FE_ACTION_FILL, source);
    }
    fe_steps(b, 100);
    assert_true(b->range_active);
    assert_int_equal(b->left, 2 * MANY);
    fe_drain(b, LIMIT);
}

/* ... in turn: writes that fill, one after the other, do not keep a ready triggered head waiting,
 * in whatever phase of the override it comes. */
static void test_override_starves_nobody(void **state)
{
    struct fe_bench *b = *state;
    enum { PHASES = 8, BOUND = 4 * (EVG_FE_TURN_LIMIT + 2), ROWS = 2000 };
    for (uint32_t phase = 0; phase < PHASES; phase++) {
        uint8_t source = phase % 2 ? FE_SOURCE_CPU : FE_SOURCE_GPU;
        uint32_t queue = phase % 2 ? FE_QUEUE_CPU : FE_QUEUE_GPU;
        range(b, FE_COMMAND_FILL, 0, WORDS);
        assert_int_equal(fe_command(b, FE_COMMAND_FILL, 0, ROWS * WORDS), FE_CODE_OK);
        fe_steps(b, phase);
        for (int i = 0; i < 2 * EVG_FE_QUEUE_DEPTH; i++)
            fe_send(b, LINE + 5, 1, FE_TRIGGER_NONE, FE_ACTION_FILL, FE_SOURCE_GPU);
        uint64_t mine = b->left_queue[queue];
        fe_send(b, LINE + 9, ALL, FE_TRIGGER_FULL, FE_ACTION_EMPTY, source);
        uint64_t others = b->left;
        while (b->left_queue[queue] == mine) {
            fe_send(b, LINE + 5, 1, FE_TRIGGER_NONE, FE_ACTION_FILL, FE_SOURCE_GPU);
            assert_true(b->left - others <= BOUND);
        }
        assert_true(b->range_active);
        fe_drain(b, 4 * ROWS + LIMIT);
    }
}

/* RELEASE: all that wait leave in order, actions done, and say so; what comes later obeys. */
static void test_release(void **state)
{
    struct fe_bench *b = *state;
    range(b, FE_COMMAND_EMPTY, ROW * WORDS, (ROW + 1) * WORDS + 31);
    fe_send(b, LINE, 0x1, FE_TRIGGER_FULL, FE_ACTION_FILL, FE_SOURCE_CPU);
    fe_send(b, LINE, 0x1, FE_TRIGGER_FULL, FE_ACTION_NONE, FE_SOURCE_CPU); /* holds by then */
    for (int i = 0; i < 3; i++)
        fe_read_full(b, LINE + 1, FE_SOURCE_GPU);
    fe_steps(b, 20);
    b->answers_held = true;
    assert_int_equal(code_of(b, FE_COMMAND_RELEASE), FE_CODE_OK);
    assert_int_equal(fe_read_register(b, FE_REG_STATUS) & EVG_FE_STATUS_RELEASE,
                     EVG_FE_STATUS_RELEASE);
    uint16_t later = fe_read_full(b, LINE + 1, FE_SOURCE_GPU);
    fe_steps(b, 60);
    assert_int_equal(fe_read_register(b, FE_REG_STATUS) & EVG_FE_STATUS_RELEASE, 0);
    assert_int_equal(b->released, 4);
    assert_int_equal(b->waiting[FE_QUEUE_CPU].count, 0);
    assert_int_equal(b->waiting[FE_QUEUE_GPU].count, 1);
    assert_int_equal(b->replies[FE_QUEUE_CPU].items[0].status, FE_STATUS_RELEASED);
    assert_int_equal(b->replies[FE_QUEUE_CPU].items[1].status, FE_STATUS_OK);
    b->answers_held = false;
    fe_steps(b, 60);
    assert_int_equal(b->last_reply_status, FE_STATUS_RELEASED);
    range(b, FE_COMMAND_FILL, (ROW + 1) * WORDS, (ROW + 1) * WORDS + 31);
    assert_int_equal(b->last_reply_id, later);
    assert_int_equal(b->last_reply_status, FE_STATUS_OK);
    expect_bits(b, ROW, 1);
}

/* --- time-outs ---------------------------------------------------------------------------------
 */

static void expect_report(struct fe_bench *b, uint32_t line, uint32_t mask, uint32_t age,
                          uint32_t info)
{
    assert_int_equal(b->out.irq, 1);
    assert_true(fe_read_register(b, FE_REG_STATUS) & EVG_FE_STATUS_REPORT);
    assert_int_equal(fe_read_register(b, FE_REG_REPORT_LINE), line);
    assert_int_equal(fe_read_register(b, FE_REG_REPORT_MASK), mask);
    assert_int_equal(fe_read_register(b, FE_REG_REPORT_AGE), age);
    assert_int_equal(fe_read_register(b, FE_REG_REPORT_INFO), info);
}

static uint32_t info_of(uint32_t id, uint32_t queue, uint32_t source, uint32_t trigger,
                        uint32_t action)
{
    return id | queue << EVG_FE_INFO_QUEUE | source << EVG_FE_INFO_SOURCE |
           (uint32_t)(action == FE_ACTION_FILL) << EVG_FE_INFO_WRITE |
           trigger << EVG_FE_INFO_TRIGGER | action << EVG_FE_INFO_ACTION;
}

static void free_report(struct fe_bench *b)
{
    fe_write_register(b, FE_REG_STATUS, EVG_FE_STATUS_REPORT);
    assert_int_equal(b->out.irq, 0);
}

static void test_time_outs_are_off_by_default(void **state)
{
    struct fe_bench *b = *state;
    range(b, FE_COMMAND_EMPTY, ROW * WORDS, ROW * WORDS + 31);
    fe_read_full(b, LINE, FE_SOURCE_GPU);
    fe_steps(b, 20000);
    assert_int_equal(b->reports, 0);
    fe_write_register(b, FE_REG_TIMEOUT_CPU, 1); /* of another queue */
    fe_steps(b, 100);
    assert_int_equal(b->reports, 0);
}

/* The report comes when the head has waited for exactly so many cycles, once. */
static void test_time_out(void **state)
{
    struct fe_bench *b = *state;
    enum { CYCLES = 50 };
    range(b, FE_COMMAND_EMPTY, ROW * WORDS, ROW * WORDS + 31);
    fe_write_register(b, FE_REG_TIMEOUT_GPU, CYCLES);
    uint16_t id = fe_send(b, LINE, 0x70, FE_TRIGGER_FULL, FE_ACTION_EMPTY, FE_SOURCE_GPU);
    fe_steps(b, CYCLES + 3);
    assert_int_equal(b->out.irq, 0);
    fe_step(b);
    expect_report(b, LINE, 0x70, CYCLES + 1,
                  info_of(id, FE_QUEUE_GPU, FE_SOURCE_GPU, FE_TRIGGER_FULL, FE_ACTION_EMPTY));
    free_report(b);
    fe_steps(b, 4 * CYCLES);
    assert_int_equal(b->out.irq, 0);
    assert_int_equal(fe_read_register(b, FE_REG_REPORT_LINE), 0);
    /* The next head has an age of its own. */
    uint16_t next = fe_read_full(b, LINE, FE_SOURCE_GPU);
    fe_command(b, FE_COMMAND_FILL, ROW * WORDS, ROW * WORDS + 31);
    fe_await_leave(b, id);
    uint64_t start = b->last_leave;
    while (!b->out.irq)
        fe_step(b);
    assert_int_equal(b->cycle - 1 - start, CYCLES + 3);
    expect_report(b, LINE, ALL, CYCLES + 1,
                  info_of(next, FE_QUEUE_GPU, FE_SOURCE_GPU, FE_TRIGGER_FULL, FE_ACTION_NONE));
    range(b, FE_COMMAND_FILL, ROW * WORDS, ROW * WORDS + 31);
    fe_drain(b, LIMIT);
    assert_int_equal(b->out.irq, 1); /* held although the head is gone */
    free_report(b);
}

/* One report at a time, the lowest queue first; the others are not lost, and their age goes on. */
static void test_several_time_outs(void **state)
{
    struct fe_bench *b = *state;
    enum { CYCLES = 20, LATER = 500 };
    range(b, FE_COMMAND_EMPTY, ROW * WORDS, ROW * WORDS + 31);
    b->dram_chance = 0;
    fe_plain(b, LINE);
    uint16_t gpu = fe_read_full(b, LINE, FE_SOURCE_GPU);
    uint16_t cpu = fe_read_full(b, LINE, FE_SOURCE_CPU);
    uint16_t non = fe_plain(b, LINE + 1);
    fe_steps(b, 100);
    fe_write_register(b, FE_REG_TIMEOUT_GPU, CYCLES);
    fe_write_register(b, FE_REG_TIMEOUT_CPU, CYCLES - 1);
    fe_write_register(b, FE_REG_TIMEOUT_NON, CYCLES - 2);
    fe_steps(b, CYCLES);
    expect_report(b, LINE + 1, ALL, CYCLES - 1,
                  info_of(non, FE_QUEUE_NON, FE_SOURCE_GPU, FE_TRIGGER_NONE, FE_ACTION_NONE));
    fe_steps(b, LATER);
    free_report(b);
    fe_step(b);
    assert_true(fe_read_register(b, FE_REG_REPORT_AGE) > LATER);
    assert_int_equal(fe_read_register(b, FE_REG_REPORT_INFO),
                     info_of(cpu, FE_QUEUE_CPU, FE_SOURCE_CPU, FE_TRIGGER_FULL, FE_ACTION_NONE));
    free_report(b);
    fe_step(b);
    assert_int_equal(fe_read_register(b, FE_REG_REPORT_INFO),
                     info_of(gpu, FE_QUEUE_GPU, FE_SOURCE_GPU, FE_TRIGGER_FULL, FE_ACTION_NONE));
    free_report(b);
    fe_steps(b, 100);
    assert_int_equal(b->reports, 3);
}

/* Reports show all bits of line and mask. */
static void test_report_bits(void **state)
{
    struct fe_bench *b = *state;
    static const uint32_t values[] = {ALL, 0, 0xaaaaaaaa, 0x55555555};
    fe_write_register(b, FE_REG_TIMEOUT_NON, 20);
    for (uint32_t i = 0; i < 4; i++) {
        b->dram_chance = 0;
        fe_plain(b, LINE); /* occupies the way to memory */
        fe_send(b, values[i], values[i], FE_TRIGGER_NONE, FE_ACTION_NONE, FE_SOURCE_CPU);
        fe_steps(b, 60);
        assert_int_equal(fe_read_register(b, FE_REG_REPORT_LINE), values[i]);
        assert_int_equal(fe_read_register(b, FE_REG_REPORT_MASK), values[i]);
        free_report(b);
        b->dram_chance = FE_BENCH_OFTEN;
        fe_drain(b, LIMIT);
    }
}

/* A head that leaves in time is not reported. */
static void test_in_time(void **state)
{
    struct fe_bench *b = *state;
    for (uint8_t reg = FE_REG_TIMEOUT_NON; reg <= FE_REG_TIMEOUT_GPU; reg++)
        fe_write_register(b, reg, 8);
    for (int i = 0; i < 200; i++) {
        fe_plain(b, LINE);
        fe_read_full(b, LINE + (uint32_t)i, (uint8_t)(i % 2));
        fe_drain(b, LIMIT);
    }
    assert_int_equal(b->reports, 0);
}

/* --- idle and stalls ---------------------------------------------------------------------------
 */

static void test_idle(void **state)
{
    struct fe_bench *b = *state;
    fe_step(b);
    assert_true(b->out.idle);
    fe_plain(b, LINE);
    assert_false(b->out.idle);
    fe_drain(b, LIMIT);
    range(b, FE_COMMAND_EMPTY, ROW * WORDS, ROW * WORDS + 31);
    fe_read_full(b, LINE, FE_SOURCE_GPU);
    fe_steps(b, 20);
    assert_true(b->out.idle); /* a blocked head stands still ... */
    fe_write_register(b, FE_REG_TIMEOUT_GPU, 1000);
    fe_steps(b, 20);
    assert_false(b->out.idle); /* ... unless its age is counted */
    fe_write_register(b, FE_REG_TIMEOUT_GPU, 0);
    fe_steps(b, 3);
    assert_true(b->out.idle);
    b->in.mc_valid = 1;
    fe_step(b);
    assert_false(b->out.idle);
    b->in.mc_valid = 0;
}

static void test_stall_counters(void **state)
{
    struct fe_bench *b = *state;
    struct mem_frontend_in *in = &b->in;
    in->mc_valid = in->net_valid = 1;
    in->net_ready = 1;
    fe_steps(b, 7);
    in->mc_ready = 1;
    in->net_ready = 0;
    fe_steps(b, 5);
    assert_int_equal(b->out.stall_mc, 7);
    assert_int_equal(b->out.stall_net, 5);
    in->stall_read = 1;
    fe_step(b);
    in->stall_read = 0;
    assert_int_equal(b->out.stall_mc, 0);
    assert_int_equal(b->out.stall_net, 1);
    fe_steps(b, 2000);
    assert_int_equal(b->out.stall_net, 1023);
    in->mc_valid = in->net_valid = 0;
}

int main(void)
{
#define TEST(f) cmocka_unit_test_setup_teardown(f, fe_bench_setup, fe_bench_teardown)
    const struct CMUnitTest tests[] = {
        TEST(test_registers),
        TEST(test_register_bits),
        TEST(test_errors_are_counted_and_cleared),
        TEST(test_commands_are_off_by_default),
        TEST(test_refused_commands),
        TEST(test_override_by_words),
        TEST(test_range_keeps_its_command),
        TEST(test_override_at_every_word),
        TEST(test_override_releases_waiters),
        TEST(test_clear_one_row_per_cycle),
        TEST(test_range_writes_first),
        TEST(test_override_lets_heads_leave),
        TEST(test_override_starves_nobody),
        TEST(test_release),
        TEST(test_time_outs_are_off_by_default),
        TEST(test_time_out),
        TEST(test_several_time_outs),
        TEST(test_report_bits),
        TEST(test_in_time),
        TEST(test_idle),
        TEST(test_stall_counters),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
