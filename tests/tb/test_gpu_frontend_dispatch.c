/* Directed cases for every rule of event dispatch and event completion, on each back end. What the
 * bench checks in every cycle (frontend_bench.h) is not repeated here. */
#include "tests/tb/bench/frontend_bench.h"
#include "tests/unit.h"

/* --- dispatch --------------------------------------------------------------------------------- */

static void test_classes(void **state)
{
    struct bench *b = *state;
    static const struct {
        uint32_t dims[6];
        uint16_t shared;
        bool warp;
    } cases[] = {
        {{1, 1, 1, 1, 1, 1}, 0, true},     {{1, 1, 1, 32, 1, 1}, 0, true},
        {{1, 1, 1, 1, 32, 1}, 0, true},    {{1, 1, 1, 1, 1, 32}, 0, true},
        {{1, 1, 1, 4, 4, 2}, 0, true},     {{1, 1, 1, 3, 5, 2}, 0, true},
        {{1, 1, 1, 33, 1, 1}, 0, false},   {{1, 1, 1, 11, 3, 1}, 0, false},
        {{1, 1, 1, 8, 4, 2}, 0, false},    {{1, 1, 1, 1, 64, 1}, 0, false},
        {{1, 1, 1, 1, 1, 1024}, 0, false}, {{2, 1, 1, 32, 1, 1}, 0, false},
        {{1, 2, 1, 1, 1, 1}, 0, false},    {{1, 1, 0x10001, 1, 1, 1}, 0, false},
        {{1, 1, 1, 32, 1, 1}, 1, false},   {{1, 1, 1, 1, 1, 1}, 0x8000, false},
    };
    uint32_t warps = 0, bigs = 0;
    for (uint32_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct gpu_frontend_in c = bench_registration(1, 3);
        memcpy(c.cmd_dims, cases[i].dims, sizeof c.cmd_dims);
        c.cmd_shared = cases[i].shared;
        c.cmd_kernel = (uint64_t)(i * 8) << 56 | (0x123456789abc00 + i);
        bench_register(b, &c, i);
        bench_ring(b, i);
        bench_steps(b, 20);
        warps += cases[i].warp;
        bigs += !cases[i].warp;
        assert_int_equal(b->warp_launches, warps);
        assert_int_equal(b->big_launches, bigs);
    }
}

static void test_classes_do_not_wait_for_each_other(void **state)
{
    struct bench *b = *state;
    bench_register_simple(b, 32, 8, 0);
    bench_register_simple(b, BENCH_BIG, 8, 1);
    b->in.cfg_core_mask = 0; /* no core for warp events */
    bench_ring(b, 0);
    bench_steps(b, 20);
    for (int i = 1; i <= 3; i++) {
        bench_ring(b, 1);
        bench_steps(b, 20);
        assert_int_equal(b->big_launches, i);
    }
    assert_int_equal(b->warp_launches, 0);
    b->in.cfg_core_mask = 0xffff;
    b->big_chance = 0; /* no place for larger kernels */
    bench_ring(b, 1);
    bench_steps(b, 20);
    for (int i = 2; i <= 4; i++) {
        bench_ring(b, 0);
        bench_steps(b, 20);
        assert_int_equal(b->warp_launches, i);
    }
    b->big_chance = BENCH_OFTEN;
    bench_drain(b, 100);
}

struct core_case {
    uint8_t core, occupancy, victims;
    bool busy, is_free, fits, kept;
};

static void expect_core(struct bench *b, const struct core_case *cores, uint32_t n, uint32_t mode,
                        uint32_t best)
{
    for (uint32_t core = 0; core < EVG_MAX_CORES; core++) { /* everybody else is the worst choice */
        b->occupancy[core] = 3;
        b->victims[core] = 4;
        b->busy[core] = true;
        b->is_free[core] = b->fits[core] = b->kept[core] = false;
    }
    for (uint32_t i = 0; i < n; i++) {
        b->occupancy[cores[i].core] = cores[i].occupancy;
        b->victims[cores[i].core] = cores[i].victims;
        b->busy[cores[i].core] = cores[i].busy;
        b->is_free[cores[i].core] = cores[i].is_free;
        b->fits[cores[i].core] = cores[i].fits;
        b->kept[cores[i].core] = cores[i].kept;
    }
    b->in.cfg_mode = (uint8_t)mode;
    b->ack_chance = 0;
    bench_ring(b, 0);
    bench_steps(b, 40);
    assert_int_equal(b->out.ev_valid, 1);
    assert_int_equal(b->out.ev_core, best);
    b->ack_chance = BENCH_OFTEN;
    bench_drain(b, 100);
}

static void test_core_choice(void **state)
{
    struct bench *b = *state;
    bench_register_simple(b, 32, 8, 0);
    b->in.cfg_core_groups = 8;
    b->in.cfg_core_mask = UINT64_MAX;
    const uint32_t preempt = SCHED_MODE_PREEMPT, drain = SCHED_MODE_DRAIN,
                   reserve = SCHED_MODE_RESERVE;
    /* a free context, whatever else; who can serve the event; then victims, table, busy */
    static const struct core_case by_free[] = {{5, 0, 0, false, false, true, true},
                                               {40, 3, 4, true, true, false, false}};
    expect_core(b, by_free, 2, preempt, 40);
    static const struct core_case by_fit[] = {{5, 0, 0, false, false, false, true},
                                              {40, 3, 4, true, false, true, false}};
    expect_core(b, by_fit, 2, preempt, 40);
    for (int is_free = 0; is_free < 2; is_free++) {
        const struct core_case by_victims[] = {{5, 0, 2, false, is_free, true, false},
                                               {40, 3, 1, true, is_free, true, false}};
        expect_core(b, by_victims, 2, preempt, 40);
        const struct core_case by_table[] = {{5, 2, 1, false, is_free, true, false},
                                             {40, 1, 1, true, is_free, true, false}};
        expect_core(b, by_table, 2, preempt, 40);
        const struct core_case by_busy[] = {{5, 1, 1, true, is_free, true, false},
                                            {40, 1, 1, false, is_free, true, false}};
        expect_core(b, by_busy, 2, preempt, 40);
    }
    /* none can serve it: it waits where the fewest do */
    static const struct core_case by_none[] = {{5, 1, 1, false, false, false, false},
                                               {40, 1, 0, false, false, false, false}};
    expect_core(b, by_none, 2, preempt, 40);
    /* without preemption a free context comes first, then table, victims, busy */
    static const struct core_case free_first[] = {{5, 0, 0, false, false, false, false},
                                                  {40, 3, 4, true, true, false, false}};
    expect_core(b, free_first, 2, drain, 40);
    expect_core(b, free_first, 2, reserve, 40);
    expect_core(b, free_first, 2, preempt, 40);
    static const struct core_case drain_table[] = {{5, 2, 0, false, true, false, false},
                                                   {40, 1, 3, true, true, false, false}};
    expect_core(b, drain_table, 2, drain, 40);
    static const struct core_case drain_victims[] = {{5, 1, 2, false, true, false, false},
                                                     {40, 1, 1, true, true, false, false}};
    expect_core(b, drain_victims, 2, reserve, 40);
    static const struct core_case drain_busy[] = {{5, 1, 1, true, true, false, false},
                                                  {40, 1, 1, false, true, false, false}};
    expect_core(b, drain_busy, 2, drain, 40);
    /* dynamic: a kept core with a free context, any free context, a core that can serve the event
     */
    const uint32_t dynamic = SCHED_MODE_DYNAMIC;
    static const struct core_case kept_first[] = {{5, 0, 0, false, true, true, false},
                                                  {40, 3, 4, true, true, false, true}};
    expect_core(b, kept_first, 2, dynamic, 40);
    expect_core(b, kept_first, 2, drain, 5);
    static const struct core_case kept_full[] = {{5, 3, 4, true, true, false, false},
                                                 {40, 0, 0, false, false, true, true}};
    expect_core(b, kept_full, 2, dynamic, 5);
    static const struct core_case fits_first[] = {{5, 0, 0, false, false, false, false},
                                                  {40, 3, 4, true, false, true, false}};
    expect_core(b, fits_first, 2, dynamic, 40);
    expect_core(b, fits_first, 2, drain, 5);
    static const struct core_case dynamic_table[] = {{5, 2, 0, false, false, true, false},
                                                     {40, 1, 3, true, false, true, false}};
    expect_core(b, dynamic_table, 2, dynamic, 40);
    static const struct core_case free_fits[] = {{5, 1, 0, true, true, true, false},
                                                 {40, 1, 0, false, true, false, false}};
    expect_core(b, free_fits, 2, dynamic, 40); /* who has a free context needs no victim */
    /* equal keys: the lowest core, within a group and across groups */
    static const struct core_case equal[] = {{63, 1, 1, false, true, false, false},
                                             {22, 1, 1, false, true, false, false},
                                             {21, 1, 1, false, true, false, false}};
    expect_core(b, equal, 3, preempt, 21);
    expect_core(b, equal, 1, drain, 63);
    expect_core(b, NULL, 0, preempt, 0);
    /* a full table is never chosen, however few victims it has */
    static const struct core_case full[] = {{0, 4, 0, false, true, false, false},
                                            {7, 7, 0, false, true, false, false}};
    expect_core(b, full, 2, preempt, 1);
    /* nor is a core outside the mask or behind the groups looked at */
    static const struct core_case outside[] = {{3, 0, 0, false, true, false, false},
                                               {60, 0, 0, false, true, false, false}};
    b->in.cfg_core_mask = UINT64_MAX & ~((uint64_t)1 << 3);
    b->in.cfg_core_groups = 7;
    expect_core(b, outside, 2, preempt, 0);
    b->in.cfg_core_groups = 8;
    expect_core(b, outside, 2, preempt, 60);
    b->in.cfg_core_mask = (uint64_t)1 << 37;
    expect_core(b, outside, 2, preempt, 37);
    b->in.cfg_core_mask = UINT64_MAX;
    b->in.cfg_core_groups = 15; /* counts as 8 */
    expect_core(b, outside + 1, 1, preempt, 60);
    b->in.cfg_core_groups = 0; /* counts as 1 */
    expect_core(b, outside, 2, preempt, 3);
}

/* One core for every two events under way, three at most; one less after 10 cycles with fewer. */
static void test_kept_cores(void **state)
{
    struct bench *b = *state;
    static const uint8_t kept[] = {1, 1, 2, 2, 3, 3, 3, 3};
    bench_register_simple(b, 32, 20, 0);
    b->in.cfg_mode = SCHED_MODE_DYNAMIC;
    b->in.cfg_keep_most = 3;
    b->in.cfg_keep_shift = 1;
    b->in.cfg_keep_patience = 10;
    b->done_chance = 0;
    for (uint32_t i = 0; i < sizeof kept; i++) {
        bench_ring(b, 0);
        bench_steps(b, 20);
        assert_int_equal(b->out.keep_cores, kept[i]);
    }
    bench_steps(b, 100); /* as long as they are under way */
    assert_int_equal(b->out.keep_cores, 3);
    assert_int_equal(b->out.idle, 1);
    b->done_chance = BENCH_OFTEN;
    bench_drain(b, 200);
    uint32_t last = b->out.keep_cores, steps = 0;
    for (uint64_t since = b->cycle; b->out.keep_cores; last = b->out.keep_cores) {
        bench_steps(b, 1);
        if (b->out.keep_cores == last)
            continue;
        assert_int_equal(b->out.keep_cores, last - 1);
        assert_true(!steps || b->cycle - since == 11);
        since = b->cycle;
        steps++;
    }
    bench_steps(b, 20);
    assert_int_equal(b->out.keep_cores, 0);
    assert_int_equal(b->out.idle, 1);
}

static void test_kept_by_dynamic_only(void **state)
{
    struct bench *b = *state;
    bench_register_simple(b, 32, 20, 0);
    b->in.cfg_keep_most = 63;
    b->in.cfg_keep_shift = 0;
    b->done_chance = 0;
    b->in.cfg_mode = SCHED_MODE_PREEMPT;
    bench_ring(b, 0);
    bench_steps(b, 20);
    assert_int_equal(b->out.keep_cores, 0);
    b->in.cfg_mode = SCHED_MODE_DYNAMIC; /* takes effect with the next event */
    bench_steps(b, 20);
    assert_int_equal(b->out.keep_cores, 0);
    bench_ring(b, 0);
    bench_steps(b, 20);
    assert_int_equal(b->out.keep_cores, 2);
    b->done_chance = BENCH_OFTEN;
    bench_drain(b, 200);
}

/* What is said of a group that was not asked for, or by nobody's wish, chooses no core. */
static void test_stray_answers(void **state)
{
    struct bench *b = *state;
    bench_register_simple(b, 32, 8, 0);
    b->in.cfg_core_groups = 8;
    b->in.cfg_core_mask = UINT64_MAX;
    b->stray_chance = BENCH_OFTEN;
    b->stat_chance = BENCH_OFTEN / 4;
    memset(b->occupancy, EVG_PEWT_ENTRIES, sizeof b->occupancy);
    for (uint32_t core = 0; core < EVG_MAX_CORES; core += 7) {
        b->occupancy[core] = 3;
        bench_ring(b, 0);
        bench_drain(b, 2000);
        b->occupancy[core] = EVG_PEWT_ENTRIES;
    }
    assert_true(b->strays > 100);
}

static void test_waits_for_a_core(void **state)
{
    struct bench *b = *state;
    bench_register_simple(b, 32, 8, 0);
    memset(b->occupancy, EVG_PEWT_ENTRIES, sizeof b->occupancy);
    bench_ring(b, 0);
    bench_steps(b, 200);
    assert_int_equal(b->warp_launches, 0);
    assert_int_equal(b->out.idle, 0);
    b->occupancy[11] = 3;
    bench_steps(b, 20);
    assert_int_equal(b->warp_launches, 1);
    bench_drain(b, 100);
}

/* --- completion ------------------------------------------------------------------------------- */

static void test_completion_flag(void **state)
{
    struct bench *b = *state;
    bench_register_simple(b, 32, 8, 0);
    for (int i = 0; i < 20; i++)
        bench_ring(b, 0);
    bench_drain(b, 1000);
    assert_int_equal(b->flags_written, 20);
    b->null_chance = BENCH_OFTEN; /* nobody waits: counted down all the same */
    for (int i = 0; i < 20; i++)
        bench_ring(b, 0);
    bench_drain(b, 1000);
    assert_int_equal(b->flags_written, 20);
    assert_int_equal(b->completions, 40);
    struct gpu_frontend_in leave = bench_unregistration(0);
    bench_command(b, &leave);
    assert_int_equal(b->out.rsp_code, FRONTEND_CODE_OK);
}

/* One event of the row with this completion pointer: written there, or refused and counted. */
static void complete_at(struct bench *b, uint32_t row, uint64_t pointer, bool good)
{
    uint64_t written = b->flags_written, refused = b->flags_refused, over = b->completions;
    b->pointer_given = true;
    b->pointer = pointer;
    bench_ring(b, row);
    bench_drain(b, 100);
    assert_int_equal(b->flags_written - written, good);
    assert_int_equal(b->flags_refused - refused, !good && pointer);
    assert_int_equal(b->completions - over, 1);
    assert_true(!good || b->last_flag_address == pointer);
}

static void test_completion_windows(void **state)
{
    struct bench *b = *state;
    static const uint64_t windows[][2] = {{0x80001000, 0x800010fc},
                                          {0x1000, 0x1000},
                                          {0, 8},
                                          {0x7ffffffffffffffc, 0x8000000000000004},
                                          {0xfffffffffffffff4, 0xfffffffffffffffc},
                                          {0, 0},
                                          {0, 0xfffffffffffffffc}};
    struct gpu_frontend_in c = bench_registration(32, 4);
    uint32_t refused = 0;
    for (uint32_t row = 0; row < sizeof windows / sizeof *windows; row++) {
        uint64_t first = windows[row][0], last = windows[row][1];
        c.cmd_flag_first = first;
        c.cmd_flag_last = last;
        bench_register(b, &c, row);
        complete_at(b, row, first, first != 0);
        complete_at(b, row, last, last != 0);
        for (uint32_t byte = 1; byte < 4; byte++) {
            complete_at(b, row, first + byte, false);
            complete_at(b, row, last + byte, false);
        }
        complete_at(b, row, first - 4, first == 0 && last == first - 4);
        complete_at(b, row, last + 4, false);
        complete_at(b, row, 0, false); /* nobody waits, wherever the window lies */
        /* Behind the end of the address space comes 0, which is nobody. */
        refused += 6u + !(first == 0 && last == first - 4) + (last + 4 != 0);
        assert_int_equal(b->out.err_pointer, refused);
    }
    b->in.err_clear = 1;
    bench_step(b);
    b->in.err_clear = 0;
    assert_int_equal(b->out.err_pointer, 0);
    for (uint32_t row = 0; row < sizeof windows / sizeof *windows; row++) {
        bench_unregister(b, row); /* none has kept its event */
    }
}

/* Each row has its own window, also when it is registered anew, and while others complete. */
static void test_windows_belong_to_rows(void **state)
{
    struct bench *b = *state;
    struct gpu_frontend_in c = bench_registration(32, 4);
    for (uint32_t row = 0; row < EVG_EKT_ROWS; row++) {
        c.cmd_flag_first = c.cmd_flag_last = 0x100000 + 4 * (uint64_t)row;
        bench_register(b, &c, row);
    }
    for (uint32_t row = 0; row < EVG_EKT_ROWS; row++) {
        complete_at(b, row, 0x100000 + 4 * (uint64_t)row, true);
        complete_at(b, row, 0x100000 + 4 * (uint64_t)(row ^ 1), false);
    }
    bench_unregister(b, 3);
    b->pointer = 0x100010; /* row 4 completes all the time that row 3 is registered */
    b->run_cycles = 9;
    for (uint32_t round = 0; round < 64; round++) {
        c.cmd_flag_first = c.cmd_flag_last = 0x200000 + 4 * (uint64_t)round;
        bench_start_command(b, &c);
        bench_steps(b, round % 8);
        for (uint32_t i = 0; i < 30; i++)
            bench_ring(b, 4);
        bench_drain(b, 1000);
        complete_at(b, 3, c.cmd_flag_first - 4, false);
        complete_at(b, 3, c.cmd_flag_first, true);
        b->pointer = 0x100010;
        bench_unregister(b, 3);
    }
}

static void test_thousands_of_bad_pointers_are_counted(void **state)
{
    struct bench *b = *state;
    enum { ERRORS = 4100 };
    bench_register_simple(b, 32, 64, 0);
    b->pointer_given = true;
    b->pointer = 0x801000; /* one flag behind its window */
    while (b->accepted < ERRORS) {
        if (b->rows[0].in_flight < 40)
            bench_ring(b, 0);
        else
            bench_step(b);
    }
    bench_drain(b, 1000);
    assert_int_equal(b->flags_written, 0);
    assert_true(b->flags_refused >= ERRORS);
    assert_int_equal(b->out.err_pointer, b->flags_refused);
}

/* Good, bad and null pointers that wait behind each other leave in order, each once. */
static void test_bad_pointers_overlap(void **state)
{
    struct bench *b = *state;
    bench_register_simple(b, 32, 64, 0);
    b->null_chance = b->bad_chance = BENCH_OFTEN / 3;
    for (uint32_t round = 0; round < 40; round++) {
        b->rsp_chance = 0;
        for (int i = 0; i < 8; i++)
            bench_ring(b, 0);
        bench_steps(b, 200);
        b->rsp_chance = BENCH_OFTEN;
        b->pw_chance = round % 2 ? BENCH_OFTEN : BENCH_OFTEN / 4;
        bench_drain(b, 1000);
    }
    assert_int_equal(b->completions, 320);
    assert_true(b->flags_written > 20 && b->flags_refused > 20);
}

/* Cycles from a completion to its read, from the answer to the flag. */
static void test_completion_latency(void **state)
{
    struct bench *b = *state;
    bench_register_simple(b, 32, 8, 0);
    bench_ring(b, 0);
    while (!b->in.done_valid)
        bench_step(b);
    assert_int_equal(b->out.mr_valid, 1);
    while (!b->in.mr_rsp_valid)
        bench_step(b);
    assert_int_equal(b->out.pw_valid, 0);
    bench_step(b);
    assert_int_equal(b->out.pw_valid, 1);
    bench_drain(b, 10);
}

static void test_completions_overlap(void **state)
{
    struct bench *b = *state;
    bench_register_simple(b, 32, 8, 0);
    b->rsp_chance = 0;
    for (int i = 0; i < 40; i++)
        bench_ring(b, 0);
    bench_steps(b, 600);
    assert_int_equal(b->unanswered.count, 8); /* so many reads are out at once */
    assert_int_equal(b->out.done_ready, 0);
    b->rsp_chance = BENCH_OFTEN;
    b->pw_chance = 0; /* now the flags wait */
    bench_steps(b, 100);
    assert_int_equal(b->flags_written, 0);
    assert_int_equal(b->out.pw_valid, 1);
    assert_int_equal(b->flags.count, 9); /* one at the port, eight behind it */
    b->pw_chance = BENCH_OFTEN;
    bench_drain(b, 1000);
    assert_int_equal(b->flags_written, 40);
}

static void test_stray_acknowledgements(void **state)
{
    struct bench *b = *state;
    struct error err = {0};
    bench_register_simple(b, 32, 8, 0);
    struct gpu_frontend_in in = b->in;
    in.mr_rsp_valid = in.ev_ack = in.big_ready = in.pw_ready = in.mr_ready = 1;
    in.stat_valid = 1;
    in.mr_rsp_data = 0x800234;
    for (int i = 0; i < 20; i++)
        assert_true(tile_step(b->tile, &in, &b->out, &err));
    assert_int_equal(b->out.pw_valid, 0);
    in.mr_rsp_valid = 0;
    in.done_valid = 1; /* a completion nobody is waiting for */
    assert_true(tile_step(b->tile, &in, &b->out, &err));
    in.done_valid = 0;
    for (int i = 0; i < 10; i++) {
        in.mr_rsp_valid = i == 3;
        in.mr_rsp_tag = b->out.mr_tag;
        assert_true(tile_step(b->tile, &in, &b->out, &err));
    }
    bench_ring(b, 0);
    bench_drain(b, 100);
    assert_int_equal(b->warp_launches, 1);
    struct gpu_frontend_in leave = bench_unregistration(0);
    bench_command(b, &leave);
    assert_int_equal(b->out.rsp_code, FRONTEND_CODE_OK);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        BENCH_ON_EACH(test_classes),
        BENCH_ON_EACH(test_classes_do_not_wait_for_each_other),
        BENCH_ON_EACH(test_core_choice),
        BENCH_ON_EACH(test_kept_cores),
        BENCH_ON_EACH(test_kept_by_dynamic_only),
        BENCH_ON_EACH(test_waits_for_a_core),
        BENCH_ON_EACH(test_stray_answers),
        BENCH_ON_EACH(test_completion_flag),
        BENCH_ON_EACH(test_completion_windows),
        BENCH_ON_EACH(test_windows_belong_to_rows),
        BENCH_ON_EACH(test_thousands_of_bad_pointers_are_counted),
        BENCH_ON_EACH(test_bad_pointers_overlap),
        BENCH_ON_EACH(test_completions_overlap),
        BENCH_ON_EACH(test_stray_acknowledgements),
        BENCH_ON_EACH(test_completion_latency),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
