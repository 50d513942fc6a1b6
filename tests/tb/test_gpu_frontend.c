/* Directed cases for every rule of the doorbell decoder and the event kernel table, on each back
 * end. What the bench checks in every cycle (frontend_bench.h) is not repeated here. */
#include "tests/tb/bench/frontend_bench.h"
#include "tests/unit.h"

enum { PAGE = EVG_DOORBELL_PAGE };

/* --- launch ----------------------------------------------------------------------------------- */

static void test_launch_latency(void **state)
{
    struct bench *b = *state;
    for (uint32_t groups = 1; groups <= 8; groups++) {
        b->in.cfg_core_groups = (uint8_t)groups;
        bench_register_simple(b, 32, 4, 2 * (groups - 1));
        bench_register_simple(b, BENCH_BIG, 4, 2 * groups - 1);
        bench_steps(b, 4);
        bench_ring(b, 2 * (groups - 1));
        uint64_t written = b->cycle - 1;
        bench_steps(b, 40);
        assert_int_equal(b->warp_launches, groups);
        assert_int_equal(b->warp_valid_cycle - written, 7 + groups);
        bench_ring(b, 2 * groups - 1);
        written = b->cycle - 1;
        bench_steps(b, 40);
        assert_int_equal(b->big_launches, groups);
        assert_int_equal(b->big_valid_cycle - written, 5);
    }
}

static void test_launch_interval(void **state)
{
    struct bench *b = *state;
    bench_register_simple(b, BENCH_BIG, 7, 0);
    uint64_t last = 0, launches = 0;
    b->in.wr_valid = 1;
    b->in.wr_size = EVG_DOORBELL_BYTES;
    b->in.wr_rid = b->rows[0].rid;
    while (b->big_launches < 1000) {
        bench_step(b);
        if (b->big_launches == launches)
            continue;
        launches = b->big_launches;
        if (launches > 1)
            assert_int_equal(b->big_valid_cycle - last, 5);
        last = b->big_valid_cycle;
    }
    b->in.wr_valid = 0;
    bench_drain(b, 20000);
}

static void expect_heads(struct bench *b, uint32_t row, const uint64_t *heads, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        bench_ring(b, row);
        bench_steps(b, 20);
        assert_true(b->last_warp_param == heads[i]);
    }
}

static void test_heads_go_round(void **state)
{
    struct bench *b = *state;
    bench_register_simple(b, 32, 3, 0);
    expect_heads(b, 0, (uint64_t[]){0x10000, 0x10040, 0x10080, 0x10000, 0x10040, 0x10080, 0x10000},
                 7);
    bench_register_simple(b, 1, 1, 1); /* a single entry */
    expect_heads(b, 1, (uint64_t[]){0x10000, 0x10000, 0x10000}, 3);
    expect_heads(b, 0, (uint64_t[]){0x10040}, 1); /* rows do not share heads */
    struct gpu_frontend_in c = bench_registration(2, 1);
    c.cmd_size = 16; /* the last entry ends at 2^64: head + size wraps in the adder */
    c.cmd_base = UINT64_MAX - 31;
    c.cmd_last = UINT64_MAX - 15;
    bench_register(b, &c, 2);
    expect_heads(b, 2, (uint64_t[]){UINT64_MAX - 31, UINT64_MAX - 15, UINT64_MAX - 31}, 3);
    c.cmd_base = 0x1000; /* last is no whole number of entries away: never past it */
    c.cmd_size = 48;
    c.cmd_last = 0x1000 + 100;
    bench_register(b, &c, 3);
    expect_heads(b, 3, (uint64_t[]){0x1000, 0x1030, 0x1060, 0x1000}, 4);
    c.cmd_base = 0xffffff00; /* the carry runs through bit 32 */
    c.cmd_size = 0x100;
    c.cmd_last = 0x100000000;
    bench_register(b, &c, 4);
    expect_heads(b, 4, (uint64_t[]){0xffffff00, 0x100000000, 0xffffff00}, 3);
}

static void drive_write(struct bench *b, uint32_t row)
{
    b->in.wr_valid = 1;
    b->in.wr_addr = row * PAGE;
    b->in.wr_size = EVG_DOORBELL_BYTES;
    b->in.wr_rid = b->rows[row].rid;
}

static void test_burst_loses_none(void **state)
{
    struct bench *b = *state;
    bench_register_simple(b, 32, 1000, 0);
    bench_register_simple(b, BENCH_BIG, 31, 1);
    b->run_cycles = 50;
    for (uint32_t sent = 0; sent < 10000; bench_step(b)) {
        uint32_t row = sent % 3 ? 0 : 1;
        b->in.wr_valid = 0;
        if (b->rows[row].in_flight + 4 < b->rows[row].entries) { /* as a device would */
            drive_write(b, row);
            sent++;
        }
    }
    b->in.wr_valid = 0;
    bench_drain(b, 100000);
    assert_int_equal(b->accepted, 10000);
    assert_int_equal(b->warp_launches + b->big_launches, 10000);
    assert_int_equal(b->completions, 10000);
}

/* What waits is remembered as a number: a row that rings without end, and whose events find no
 * core, holds back neither another's doorbell nor a bad write. */
static void test_writes_are_never_held(void **state)
{
    struct bench *b = *state;
    bench_register_simple(b, 32, 100, 0);
    bench_register_simple(b, BENCH_BIG, 4, 1);
    b->ack_chance = 0;
    for (uint32_t i = 0; i < EVG_ROW_EVENTS; i++)
        bench_ring(b, 0);
    bench_ring(b, 1);
    bench_write(b, 5 * PAGE, 4, 0);
    bench_step(b);
    assert_int_equal(b->accepted, EVG_ROW_EVENTS + 1);
    assert_int_equal(b->out.err_unregistered, 1);
    assert_int_equal(b->warp_launches, 1); /* offered in vain */
    b->ack_chance = BENCH_OFTEN;
    bench_drain(b, 100000);
    assert_int_equal(b->warp_launches, EVG_ROW_EVENTS);
    assert_int_equal(b->big_launches, 1);
}

/* Each row has its own share of events in flight, so that tags differ; what is beyond is dropped
 * and counted, whatever other rows do. */
static void test_events_in_flight_are_limited(void **state)
{
    struct bench *b = *state;
    bench_register_simple(b, BENCH_BIG, 100, 0);
    bench_register_simple(b, BENCH_BIG, 100, 1);
    b->run_cycles = 0;
    for (uint32_t i = 0; i < EVG_ROW_EVENTS + 10; i++)
        bench_ring(b, 0);
    bench_steps(b, 2);
    assert_int_equal(b->out.err_overrun, 10);
    assert_int_equal(b->accepted, EVG_ROW_EVENTS);
    for (uint32_t i = 0; i < EVG_ROW_EVENTS; i++)
        bench_ring(b, 1); /* nothing of its share is gone */
    bench_steps(b, 5 * 2 * EVG_ROW_EVENTS + 100);
    assert_int_equal(b->big_launches, 2 * EVG_ROW_EVENTS);
    assert_int_equal(b->out.err_overrun, 10);
    b->running.items[b->running.head].due = 0;
    bench_steps(b, 20);
    bench_ring(b, 0);
    bench_ring(b, 0);
    bench_steps(b, 2);
    assert_int_equal(b->accepted, 2 * EVG_ROW_EVENTS + 1);
    assert_int_equal(b->out.err_overrun, 11);
    for (uint32_t i = 0; i < 2; i++) { /* room for two */
        b->running.items[b->running.head].due = 0;
        bench_steps(b, 20);
    }
    for (uint32_t i = 0; i < 3; i++)
        bench_ring(b, 0);
    bench_steps(b, 2);
    assert_int_equal(b->accepted, 2 * EVG_ROW_EVENTS + 3);
    assert_int_equal(b->out.err_overrun, 12);
    b->run_cycles = 1;
    bench_complete_all(b);
    bench_drain(b, 100000);
}

/* Every row counts all its events, so that none is beyond its share, and it is given up only after
 * the last of many. */
static void test_rows_count_their_events(void **state)
{
    struct bench *b = *state;
    b->run_cycles = 0;
    for (uint32_t row = 0; row < EVG_EKT_ROWS; row++)
        bench_register_simple(b, BENCH_BIG, 100, row);
    for (uint32_t row = 0; row < EVG_EKT_ROWS; row++) {
        for (uint32_t i = 0; i < EVG_ROW_EVENTS + 1; i++)
            bench_ring(b, row);
        bench_steps(b, 5 * EVG_ROW_EVENTS);
        assert_int_equal(b->out.err_overrun, row + 1);
        struct gpu_frontend_in leave = bench_unregistration(row);
        uint64_t freed = b->freed;
        bench_start_command(b, &leave);
        bench_complete_all(b);
        uint64_t limit = b->cycle + 100000;
        while (b->freed == freed && b->cycle < limit)
            bench_steps(b, 1);
        assert_int_equal(b->accepted, EVG_ROW_EVENTS * (row + 1));
        assert_int_equal(b->completions, b->accepted);
    }
}

/* --- doorbell errors -------------------------------------------------------------------------- */

static void test_refused_writes(void **state)
{
    struct bench *b = *state;
    bench_register_simple(b, 32, 4, 0);
    bench_register_simple(b, 32, 4, 1);
    const uint16_t mine = 0x0100, other = 0x0101;
    static const struct {
        uint32_t addr, size;
        bool foreign;
        int cause; /* unregistered, foreign, misaligned, size; -1: accepted */
    } cases[] = {
        {0, 4, false, -1},
        {PAGE, 4, false, -1},
        {2 * PAGE, 4, false, 0},
        {31 * PAGE, 4, false, 0},
        {32 * PAGE, 4, false, 0}, /* outside the table, though row 0 is open */
        {0x80000000, 4, false, 0},
        {2 * PAGE + 1, 8, true, 0}, /* the first cause counts */
        {0, 4, true, 1},
        {4, 4, true, 1},
        {4, 8, true, 1},
        {4, 4, false, 2},
        {1, 4, false, 2},
        {PAGE - 4, 4, false, 2},
        {PAGE + 0x800, 2, false, 2},
        {0, 1, false, 3},
        {0, 2, false, 3},
        {0, 8, false, 3},
        {PAGE, 0, false, 3},
        {PAGE, 12, false, 3},
    };
    uint32_t expected[4] = {0}, good = 0;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        bench_write(b, cases[i].addr, cases[i].size, cases[i].foreign ? other : mine);
        if (cases[i].cause >= 0)
            expected[cases[i].cause]++;
        else
            good++;
        bench_steps(b, 30);
        assert_int_equal(b->out.err_unregistered, expected[0]);
        assert_int_equal(b->out.err_foreign, expected[1]);
        assert_int_equal(b->out.err_misaligned, expected[2]);
        assert_int_equal(b->out.err_size, expected[3]);
        assert_int_equal(b->warp_launches, good);
        assert_int_equal(b->accepted, good);
    }
    b->in.err_clear = 1;
    bench_step(b);
    b->in.err_clear = 0;
    assert_int_equal(b->out.err_unregistered + b->out.err_foreign + b->out.err_misaligned +
                         b->out.err_size + b->out.err_overrun,
                     0);
    bench_write(b, 9 * PAGE, 4, mine);
    b->in.err_clear = 1; /* an error in the same cycle is counted after the clearing */
    bench_step(b);
    assert_int_equal(b->out.err_unregistered, 1);
    bench_step(b);
    assert_int_equal(b->out.err_unregistered, 0);
    b->in.err_clear = 0;
}

/* Each cause has a counter of its own that takes one error per cycle. */
static void test_thousands_of_errors_are_counted(void **state)
{
    struct bench *b = *state;
    enum { ERRORS = 33000 }; /* each bit of 16 has been 1 */
    bench_register_simple(b, 32, 4, 0);
    const struct {
        uint32_t addr;
        uint8_t size;
        uint16_t foreign;
    } causes[] = {{PAGE, 4, 0}, {0, 4, 1}, {8, 4, 0}, {0, 8, 0}};
    b->in.wr_valid = 1;
    for (uint32_t i = 0; i < 4 * ERRORS; i++) {
        b->in.wr_addr = causes[i % 4].addr;
        b->in.wr_size = causes[i % 4].size;
        b->in.wr_rid = b->rows[0].rid ^ causes[i % 4].foreign;
        bench_step(b);
    }
    b->in.wr_valid = 0;
    bench_step(b);
    assert_int_equal(b->out.err_unregistered, ERRORS);
    assert_int_equal(b->out.err_foreign, ERRORS);
    assert_int_equal(b->out.err_misaligned, ERRORS);
    assert_int_equal(b->out.err_size, ERRORS);
}

/* ... and so has the row's share, which any of its doorbells may exceed. */
static void test_thousands_of_overruns_are_counted(void **state)
{
    struct bench *b = *state;
    enum { ERRORS = 4100 };
    bench_register_simple(b, 32, 4, 0);
    b->run_cycles = 0;
    for (uint32_t i = 0; i < EVG_ROW_EVENTS + ERRORS; i++)
        bench_ring(b, 0);
    bench_steps(b, 2);
    assert_int_equal(b->out.err_overrun, ERRORS);
}

static void test_requester_belongs_to_the_row(void **state)
{
    struct bench *b = *state;
    struct gpu_frontend_in c = bench_registration(32, 4);
    for (uint32_t row = 0; row < EVG_EKT_ROWS; row++) {
        c.cmd_rid = (uint16_t)(0x1000 + row);
        bench_register(b, &c, row);
    }
    for (uint32_t row = 0; row < EVG_EKT_ROWS; row++) {
        bench_write(b, row * PAGE, 4, (uint16_t)(0x1000 + row));
        bench_write(b, row * PAGE, 4, (uint16_t)(0x1000 + (row ^ 1)));
    }
    bench_drain(b, 2000);
    assert_int_equal(b->accepted, EVG_EKT_ROWS);
    assert_int_equal(b->out.err_foreign, EVG_EKT_ROWS);
}

/* --- registration ----------------------------------------------------------------------------- */

static void test_bad_arguments(void **state)
{
    struct bench *b = *state;
    const struct gpu_frontend_in good = bench_registration(32, 4);
    struct gpu_frontend_in bad[40];
    size_t n = 0;
    for (int i = 0; i < 6; i++) {
        bad[n] = good;
        bad[n++].cmd_dims[i] = 0;
    }
    static const uint32_t blocks[][3] = {{1025, 1, 1},          {1, 1025, 1},   {1, 1, 1025},
                                         {513, 2, 1},           {32, 33, 1},    {16, 8, 9},
                                         {1024, 1024, 1},       {1024, 1, 2},   {0x80000001, 1, 1},
                                         {0x10000, 0x10000, 1}, {1, 2048, 1024}};
    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++, n++) {
        bad[n] = good;
        memcpy(&bad[n].cmd_dims[3], blocks[i], sizeof blocks[i]);
    }
    static const uint64_t sizes[] = {0, 1, 8, 24, 0x100000008};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++, n++) {
        bad[n] = good;
        bad[n].cmd_size = sizes[i];
    }
    static const uint64_t windows[][2] = {
        {0x1002, 0x1010}, {0x1001, 0x1010}, {0x1000, 0x1013},        {0x1000, 0x1012},
        {0x1004, 0x1000}, {4, 0},           {UINT64_MAX - 3, 0x1000}};
    for (size_t i = 0; i < sizeof windows / sizeof *windows; i++, n++) {
        bad[n] = good;
        bad[n].cmd_flag_first = windows[i][0];
        bad[n].cmd_flag_last = windows[i][1];
    }
    bad[n] = good;
    bad[n++].cmd_base += 8;
    bad[n] = good;
    bad[n++].cmd_last = good.cmd_base - 64;
    bad[n] = good;
    bad[n++].cmd_kernel &= (uint64_t)0xff << 56;
    bad[n] = good;
    bad[n++].cmd_kernel |= (uint64_t)1 << 63;
    bad[n] = good;
    bad[n++].cmd_op = FRONTEND_CMD_NONE;
    for (size_t i = 0; i < n; i++) {
        bench_command(b, &bad[i]);
        assert_int_equal(b->out.rsp_code, FRONTEND_CODE_BAD_ARGUMENT);
    }
    bench_write(b, 0, 4, good.cmd_rid); /* none of them opened a doorbell or took a row */
    bench_step(b);
    assert_int_equal(b->out.err_unregistered, 1);
    static const uint32_t fine[][3] = {{1024, 1, 1}, {1, 1024, 1}, {1, 1, 1024},
                                       {32, 32, 1},  {8, 16, 8},   {341, 3, 1}};
    for (uint32_t i = 0; i < sizeof fine / sizeof *fine; i++) {
        struct gpu_frontend_in c = good;
        memcpy(&c.cmd_dims[3], fine[i], sizeof fine[i]);
        c.cmd_dims[0] = UINT32_MAX; /* the grid has no such limit */
        bench_register(b, &c, i);
        bench_ring(b, i);
    }
    bench_drain(b, 1000);
    assert_int_equal(b->big_launches, sizeof fine / sizeof *fine);
}

static void test_table_full(void **state)
{
    struct bench *b = *state;
    for (uint32_t row = 0; row < EVG_EKT_ROWS; row++)
        bench_register_simple(b, 32, row + 1, row);
    struct gpu_frontend_in c = bench_registration(32, 4);
    bench_command(b, &c);
    assert_int_equal(b->out.rsp_code, FRONTEND_CODE_FULL);
    for (uint32_t i = 0; i < 40; i++) /* nothing was overwritten */
        for (uint32_t row = 0; row < EVG_EKT_ROWS; row += 7)
            bench_ring(b, row);
    bench_drain(b, 10000);
    bench_unregister(b, 7);
    bench_unregister(b, 30);
    bench_register_simple(b, 1, 2, 7);
    bench_register_simple(b, 2, 2, 30);
    bench_command(b, &c);
    assert_int_equal(b->out.rsp_code, FRONTEND_CODE_FULL);
}

static void test_answer_times(void **state)
{
    struct bench *b = *state;
    struct gpu_frontend_in c = bench_registration(32, 4);
    for (int i = 0; i < 2; i++) {
        bench_start_command(b, &c);
        bench_steps(b, 24);
        assert_int_equal(b->answers, 2 * i);
        bench_step(b);
        assert_int_equal(b->answers, 2 * i + 1);
        assert_int_equal(b->out.rsp_code, FRONTEND_CODE_OK);
        bench_write(b, 0, 4, c.cmd_rid); /* open from the cycle after the answer on */
        bench_step(b);
        assert_int_equal(b->out.acc_valid, 1);
        bench_drain(b, 100);
        struct gpu_frontend_in leave = bench_unregistration(0);
        bench_start_command(b, &leave);
        bench_step(b);
        assert_int_equal(b->answers, 2 * i + 1);
        bench_step(b);
        assert_int_equal(b->answers, 2 * i + 2);
        assert_int_equal(b->out.freed_valid, 0);
        bench_step(b);
        assert_int_equal(b->out.freed_valid, 1);
        assert_int_equal(b->out.freed_row, 0);
    }
}

/* A completion that no event can have sent leaves its row's count alone. */
static void test_completions_of_nothing_are_ignored(void **state)
{
    struct bench *b = *state;
    for (uint32_t row = 0; row < EVG_EKT_ROWS; row++)
        bench_register_simple(b, 32, 8, row);
    struct error err = {0};
    for (uint32_t i = 0; i < 20 * EVG_EKT_ROWS; i++) {
        struct gpu_frontend_in in = {.cfg_core_groups = 1, .cfg_core_mask = 1};
        in.done_valid = i % 20 == 0;
        in.done_row = (uint8_t)(i / 20);
        in.mr_ready = 1;
        in.mr_rsp_valid = i % 20 == 10; /* without a pointer: no flag is written */
        in.mr_rsp_tag = b->out.mr_tag;
        assert_true(tile_step(b->tile, &in, &b->out, &err));
    }
    for (uint32_t row = 0; row < EVG_EKT_ROWS; row++) {
        struct gpu_frontend_in leave = bench_unregistration(row);
        bench_command(b, &leave);
        assert_int_equal(b->out.rsp_code, FRONTEND_CODE_OK);
    }
}

/* Neither a stream of doorbells nor of commands shuts the other out. */
static void test_commands_and_launches_take_turns(void **state)
{
    struct bench *b = *state;
    bench_register_simple(b, BENCH_BIG, 8, 0);
    b->in.wr_valid = 1;
    b->in.wr_size = EVG_DOORBELL_BYTES;
    b->in.wr_rid = b->rows[0].rid;
    bench_steps(b, 100);
    uint64_t start = b->cycle, launches = b->big_launches, answers = b->answers;
    b->in.cmd_valid = 1;
    b->in.cmd_op = FRONTEND_CMD_UNREGISTER;
    b->in.cmd_row = 9;
    while (b->cycle < start + 1000) /* as many commands as it takes */
        bench_step(b);
    assert_true(b->big_launches - launches > 100);
    assert_true(b->answers - answers > 100);
    b->in.cmd_valid = 0;
    b->in.wr_valid = 0;
    bench_drain(b, 20000);
}

static void test_reset_empties_the_machine(void **state)
{
    struct bench *b = *state;
    bench_register_simple(b, 32, 8, 0);
    b->ack_chance = 0;
    for (int i = 0; i < 10; i++)
        bench_ring(b, 0);
    bench_write(b, 5 * PAGE, 4, 0);
    struct gpu_frontend_out out = {0};
    tile_reset(b->tile, &out);
    assert_int_equal(out.idle && out.cmd_ready && out.done_ready, 1);
    assert_int_equal(out.ev_valid || out.acc_valid || out.rsp_valid || out.err_unregistered, 0);
    struct error err = {0};
    struct gpu_frontend_in in = {.cfg_core_groups = 1, .cfg_core_mask = 1, .stat_valid = 1};
    for (int i = 0; i < 100; i++) {
        in.wr_valid = i == 50;
        in.wr_size = 4;
        in.wr_rid = 0x0100;
        assert_true(tile_step(b->tile, &in, &out, &err));
        assert_int_equal(out.ev_valid || out.acc_valid, 0);
    }
    assert_int_equal(out.err_unregistered, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        BENCH_ON_EACH(test_launch_latency),
        BENCH_ON_EACH(test_launch_interval),
        BENCH_ON_EACH(test_heads_go_round),
        BENCH_ON_EACH(test_burst_loses_none),
        BENCH_ON_EACH(test_writes_are_never_held),
        BENCH_ON_EACH(test_events_in_flight_are_limited),
        BENCH_ON_EACH(test_refused_writes),
        BENCH_ON_EACH(test_requester_belongs_to_the_row),
        BENCH_ON_EACH(test_bad_arguments),
        BENCH_ON_EACH(test_table_full),
        BENCH_ON_EACH(test_answer_times),
        BENCH_ON_EACH(test_completions_of_nothing_are_ignored),
        BENCH_ON_EACH(test_commands_and_launches_take_turns),
        BENCH_ON_EACH(test_reset_empties_the_machine),
        /* The longest last: of a broken tile the others often tell sooner. */
        BENCH_ON_EACH(test_rows_count_their_events),
        BENCH_ON_EACH(test_thousands_of_errors_are_counted),
        BENCH_ON_EACH(test_thousands_of_overruns_are_counted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
