/* Sampling of launches: strata, what is timed, estimates by hand, and how often the interval holds
 * the true value. */
#include <math.h>
#include <string.h>

#include "base/alloc.h"
#include "base/rng.h"
#include "sim/simt/core_env.h"
#include "sim/system/sampling.h"
#include "tests/unit.h"

/* A launch of kernel `name` with so many blocks, instructions and loads among them. */
struct made {
    const char *name;
    uint32_t blocks;
    uint64_t instructions, loads, cycles;
};

/* As the GPU fills a log: what the plan has timed, or all; NULL: without time. */
static void fill(struct launch_log *log, const struct launch_log *plan, const struct made *made,
                 uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        struct kernel kernel = {.name = (char *)(uintptr_t)made[i].name};
        struct grid grid = {.kernel = &kernel,
                            .dims = {made[i].blocks, 1, 1},
                            .block = {64, 1, 1},
                            .warp_instructions = made[i].instructions,
                            .start_cycle = 1000,
                            .end_cycle = 1000 + made[i].cycles};
        uint32_t record = launch_log_start(log, &grid);
        grid.untimed = !plan || !launch_plan_times(plan, log, record);
        launch_log_end(log, record, &grid);
        log->record[record].mix[WORK_LOAD] = made[i].loads;
        log->record[record].mix[WORK_SIMPLE] = made[i].instructions - made[i].loads;
    }
}

struct runs {
    struct launch_log first, second;
    struct sampling *sampling;
};

static void make_runs(struct runs *r, const struct made *made, uint32_t n)
{
    *r = (struct runs){.sampling = NULL};
    fill(&r->first, NULL, made, n);
    r->sampling = sampling_create(&r->first, 1);
    fill(&r->second, &r->first, made, n);
}

static void free_runs(struct runs *r)
{
    sampling_destroy(r->sampling);
    launch_log_free(&r->first);
    launch_log_free(&r->second);
}

/* Different kernels, sizes, instruction counts and mixes are different strata. */
static void test_strata(void **state)
{
    (void)state;
    const struct made made[] = {
        {"a", 1, 100, 10, 50}, {"a", 1, 100, 10, 40}, {"a", 1, 105, 10, 41}, {"a", 2, 100, 10, 30},
        {"a", 1, 120, 10, 44}, {"a", 1, 100, 40, 60}, {"b", 1, 100, 10, 50}, {"b", 1, 100, 10, 40},
    };
    struct runs r;
    make_runs(&r, made, 8);
    /* a: first; 100 and 105; two blocks; 120; other mix. b: first; second. */
    assert_int_equal(sampling_strata(r.sampling), 7);
    struct estimate e = sampling_estimate(r.sampling, &r.second, NULL);
    assert_int_equal(e.launches, 8);
    assert_int_equal(e.timed, 8);
    assert_int_equal(e.alone, 8);
    assert_int_equal(lround(e.cycles), 50 + 40 + 41 + 30 + 44 + 60 + 50 + 40);
    assert_true(e.within == 0);
    e = sampling_estimate(r.sampling, &r.second, "b");
    assert_int_equal(lround(e.cycles), 90);
    free_runs(&r);
}

/* 1 + 8 launches: the first and numbers 1, 3, 5, 7 of the others are timed. */
static void test_by_hand(void **state)
{
    (void)state;
    struct made made[9];
    static const uint64_t cycles[] = {900, 1, 110, 1, 120, 1, 130, 1, 140};
    struct runs r;
    for (uint32_t i = 0; i < 9; i++)
        made[i] = (struct made){"k", 4, i % 2 ? 1000 : 1040, 100, cycles[i]};
    make_runs(&r, made, 9);
    for (uint32_t i = 0; i < 9; i++)
        assert_int_equal(r.second.record[i].timed, i % 2 == 0);
    struct estimate e = sampling_estimate(r.sampling, &r.second, NULL);
    /* Ratio 500 / 4160 for 8160 instructions; (110 - 125)^2 + ... = 500 / 3, times 8^2 / 4 / 2. */
    assert_true(fabs(e.cycles - (900 + 500.0 / 4160 * 8160)) < 1e-6);
    double variance = 64 * 0.5 / 4 * 500 / 3;
    assert_true(fabs(e.within / (3.182 * sqrt(variance)) - 1) < 0.01);
    assert_int_equal(e.timed_instructions, 5 * 1040);
    free_runs(&r);
}

/* Short launches are all timed if they leave a core idle. */
static void test_short(void **state)
{
    (void)state;
    static const struct {
        uint32_t blocks;
        uint64_t instructions;
        uint32_t timed;
    } rows[] = {{1, 19999, 41}, {14, 19999, 41}, {15, 19999, 5}, {14, 20000, 5}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct made made[41];
        struct runs r = {.sampling = NULL};
        for (uint32_t n = 0; n < 41; n++)
            made[n] = (struct made){"k", rows[i].blocks, rows[i].instructions, 100, 300 + n};
        fill(&r.first, NULL, made, 41);
        r.sampling = sampling_create(&r.first, 15);
        fill(&r.second, &r.first, made, 41);
        struct estimate e = sampling_estimate(r.sampling, &r.second, NULL);
        assert_int_equal(e.timed, rows[i].timed);
        assert_int_equal(e.within == 0, rows[i].timed == 41);
        free_runs(&r);
    }
}

/* A tenth of many is timed, rounded up; so few as four stand for themselves. */
static void test_sizes(void **state)
{
    (void)state;
    static const struct {
        uint32_t launches, timed, alone;
    } rows[] = {{4, 4, 4}, {5, 4, 0}, {40, 4, 0}, {41, 5, 0}, {50, 5, 0}, {51, 6, 0}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct made made[52];
        struct runs r;
        for (uint32_t k = 0; k <= rows[i].launches; k++)
            made[k] = (struct made){"k", 4, 1000, 100, 500};
        make_runs(&r, made, 1 + rows[i].launches); /* the first launch stands for itself, too */
        struct estimate e = sampling_estimate(r.sampling, &r.second, NULL);
        assert_int_equal(e.timed, 1 + rows[i].timed);
        assert_int_equal(e.alone, 1 + rows[i].alone);
        free_runs(&r);
    }
}

/* Launches without instructions are estimated by their number. */
static void test_empty(void **state)
{
    (void)state;
    struct made made[9] = {{"k", 4, 0, 0, 900}};
    struct runs r;
    for (uint32_t i = 1; i < 9; i++)
        made[i] = (struct made){"k", 4, 0, 0, 50};
    make_runs(&r, made, 9);
    struct estimate e = sampling_estimate(r.sampling, &r.second, NULL);
    assert_int_equal(e.timed, 5);
    assert_int_equal(lround(e.cycles), 900 + 8 * 50);
    free_runs(&r);
}

static uint32_t start(struct launch_log *log, uint32_t owner, uint32_t fixed, uint32_t dynamic)
{
    struct kernel kernel = {.name = (char *)(uintptr_t) "k", .owner = owner, .shared_bytes = fixed};
    struct grid grid = {.kernel = &kernel,
                        .dims = {1, 1, 1},
                        .block = {64, 1, 1},
                        .dynamic_shared = dynamic,
                        .warp_instructions = 100};
    uint32_t record = launch_log_start(log, &grid);
    launch_log_end(log, record, &grid);
    return record;
}

/* A kernel of two programs has a first launch in each; shared memory of either kind tells launches
 * apart by their sum. */
static void test_groups(void **state)
{
    (void)state;
    struct launch_log log = {.records = 0};
    for (uint32_t i = 0; i < 2; i++) {
        start(&log, 1, 0, 0);
        start(&log, 2, 0, 0);
    }
    struct sampling *s = sampling_create(&log, 1);
    assert_int_equal(log.groups, 2);
    assert_int_equal(sampling_strata(s), 4);
    sampling_destroy(s);
    uint32_t fixed = start(&log, 1, 256, 0), dynamic = start(&log, 1, 0, 512);
    uint32_t both = start(&log, 1, 256, 256);
    assert_int_equal(log.groups, 4);
    assert_true(log.record[fixed].group != log.record[dynamic].group);
    assert_int_equal(log.record[both].group, log.record[dynamic].group);
    launch_log_free(&log);
}

/* What instructions count as, each executed once more than the one before. */
static void test_mix(void **state)
{
    (void)state;
    static const struct {
        struct inst inst;
        enum launch_mix mix;
    } rows[] = {{{.class = INST_ALU, .timing = TIMING_INT_MUL}, WORK_SIMPLE},
                {{.class = INST_ALU, .timing = TIMING_FP}, WORK_SIMPLE},
                {{.class = INST_ALU, .timing = TIMING_SFU}, WORK_SLOW},
                {{.class = INST_LOAD, .space = SPACE_GLOBAL}, WORK_LOAD},
                {{.class = INST_LOAD, .space = SPACE_CONST}, WORK_SHARED},
                {{.class = INST_STORE, .space = SPACE_SHARED}, WORK_SHARED},
                {{.class = INST_STORE, .space = SPACE_LOCAL}, WORK_STORE},
                {{.class = INST_COPY, .space = SPACE_SHARED}, WORK_LOAD},
                {{.class = INST_ATOMIC, .space = SPACE_SHARED}, WORK_ATOMIC},
                {{.class = INST_EXIT}, WORK_CONTROL}};
    enum { ROWS = sizeof rows / sizeof *rows };
    struct inst code[ROWS];
    uint64_t executed[ROWS + 1], wanted[WORK_KINDS] = {0};
    struct launch_log log = {.records = 0};
    for (uint32_t i = 0; i < ROWS; i++) {
        code[i] = rows[i].inst;
        executed[i] = 1;
        wanted[rows[i].mix] += i + 1;
    }
    struct kernel kernel = {.name = (char *)(uintptr_t) "k", .code = code, .n_inst = ROWS};
    struct grid grid = {.kernel = &kernel, .executed = executed, .untimed = true};
    uint32_t record = launch_log_start(&log, &grid);
    launch_log_end(&log, record, &grid);
    for (uint32_t k = 0; k < WORK_KINDS; k++)
        assert_int_equal(log.record[record].mix[k], wanted[k]);
    launch_log_free(&log);
}

/* What the first run did not have is timed, and is in the estimate. */
static void test_unforeseen(void **state)
{
    (void)state;
    struct made made[31];
    struct runs r = {.sampling = NULL};
    for (uint32_t i = 0; i < 30; i++)
        made[i] = (struct made){"k", 4, 1000, 100, 500};
    made[30] = (struct made){"new", 1, 10, 0, 77};
    fill(&r.first, NULL, made, 30);
    r.sampling = sampling_create(&r.first, 1);
    fill(&r.second, &r.first, made, 31);
    assert_int_equal(sampling_unforeseen(r.sampling, &r.second), 1);
    struct estimate e = sampling_estimate(r.sampling, &r.second, NULL);
    assert_int_equal(e.timed, 1 + 4 + 1);
    assert_int_equal(lround(e.cycles), 30 * 500 + 77);
    free_runs(&r);
}

/* 400 runs of 200 launches whose cycles vary: the interval holds the truth in about 95 %. */
static void test_interval(void **state)
{
    (void)state;
    struct rng rng;
    uint32_t held = 0, runs = 400;
    rng_seed(&rng, 7);
    for (uint32_t n = 0; n < runs; n++) {
        struct made made[200];
        struct runs r;
        double truth = 0;
        for (uint32_t i = 0; i < 200; i++) {
            uint64_t size = 10000 + rng_below(&rng, 900), some = 0;
            for (uint32_t k = 0; k < 8; k++)
                some += rng_below(&rng, 200);
            made[i] = (struct made){"k", 4, size, 0, size / 2 + some};
            truth += (double)made[i].cycles;
        }
        make_runs(&r, made, 200);
        struct estimate e = sampling_estimate(r.sampling, &r.second, NULL);
        held += fabs(e.cycles - truth) <= e.within;
        assert_true(e.timed < 30);
        free_runs(&r);
    }
    assert_true(held > runs * 90 / 100 && held < runs * 99 / 100);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_strata),  cmocka_unit_test(test_by_hand),
        cmocka_unit_test(test_short),   cmocka_unit_test(test_sizes),
        cmocka_unit_test(test_empty),   cmocka_unit_test(test_groups),
        cmocka_unit_test(test_mix),     cmocka_unit_test(test_unforeseen),
        cmocka_unit_test(test_interval)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
