/* Classes in the DRAM channel, and long idle times. */
#include "tests/mem/dram_fixture.h"

#include "base/rng.h"

static struct dram_config with_classes(void)
{
    struct dram_config c = table1();
    set_cap(&c, 8);
    c.queue = 16;
    c.priority = 1u << CLASS_CPU;
    c.reserved = 4;
    return c;
}

static struct dram_request at(const struct dram_config *c, uint64_t row, uint32_t column,
                              uint32_t tag, uint8_t class)
{
    return (struct dram_request){row * c->row_bytes + (uint64_t)column * c->column_bytes,
                                 c->column_bytes, tag, false, class};
}

/* Completions in order, as tags. */
static uint32_t drain(struct dram *d, uint32_t *tags, uint32_t most)
{
    uint32_t n = 0, bank;
    for (uint32_t cycle = 0; cycle < 100000 && !dram_idle(d); cycle++) {
        struct dram_request r;
        dram_tick(d, &bank);
        while (dram_pop(d, &r)) {
            assert_true(n < most);
            tags[n++] = r.tag;
        }
    }
    assert_true(dram_idle(d));
    return n;
}

/* Row hits of the GPU in one bank, then a CPU request for another row of it: it goes before all of
 * them that are not started; with equal classes it waits for the cap. */
static uint32_t passed_by(uint32_t priority)
{
    struct dram_config c = with_classes();
    c.priority = priority;
    c.reserved = priority ? 4 : 0;
    struct dram *d = dram_for(&c);
    for (uint32_t i = 0; i < 12; i++) {
        struct dram_request r = at(&c, 0, i, i, CLASS_GPU);
        assert_true(dram_push(d, &r));
    }
    struct dram_request cpu = at(&c, c.banks, 0, 99, CLASS_CPU);
    assert_true(dram_push(d, &cpu));
    uint32_t tags[16], before = 0;
    assert_int_equal(drain(d, tags, 16), 13);
    while (tags[before] != 99)
        before++;
    dram_destroy(d);
    return before;
}

static void test_priority_goes_first(void **state)
{
    (void)state;
    assert_int_equal(passed_by(1u << CLASS_CPU), 0);
    assert_int_equal(passed_by(0), 12); /* younger than every hit */
}

static void test_between_banks(void **state)
{
    (void)state;
    struct dram_config c = with_classes();
    struct dram *d = dram_for(&c);
    for (uint32_t i = 0; i < 8; i++) {
        struct dram_request r = at(&c, i % c.banks, i, i, CLASS_GPU);
        assert_true(dram_push(d, &r));
    }
    struct dram_request cpu = at(&c, 3, 40, 99, CLASS_CPU);
    assert_true(dram_push(d, &cpu));
    uint32_t tags[16];
    drain(d, tags, 16);
    assert_int_equal(tags[0], 99);
    dram_destroy(d);
}

/* The last entries of the queue are for the class with priority. */
static void test_reserved_entries(void **state)
{
    (void)state;
    struct dram_config c = with_classes();
    struct dram *d = dram_for(&c);
    uint32_t gpu = 0, cpu = 0;
    for (; dram_room(d, CLASS_GPU); gpu++) {
        struct dram_request r = at(&c, gpu, 0, gpu, CLASS_GPU);
        assert_true(dram_push(d, &r));
    }
    assert_int_equal(gpu, c.queue - c.reserved);
    struct dram_request refused = at(&c, 50, 0, 50, CLASS_HOST);
    assert_false(dram_push(d, &refused));
    for (; dram_room(d, CLASS_CPU); cpu++) {
        struct dram_request r = at(&c, 100 + cpu, 0, 100 + cpu, CLASS_CPU);
        assert_true(dram_push(d, &r));
    }
    assert_int_equal(cpu, c.reserved);
    uint32_t tags[32];
    assert_int_equal(drain(d, tags, 32), c.queue);
    dram_destroy(d);
}

/* A CPU read of what a GPU write before it writes waits for it, and the write goes first, too. */
static void test_what_it_waits_for(void **state)
{
    (void)state;
    struct dram_config c = with_classes();
    struct dram *d = dram_for(&c);
    for (uint32_t i = 0; i < 6; i++) {
        struct dram_request r = at(&c, 0, i, i, CLASS_GPU);
        assert_true(dram_push(d, &r));
    }
    struct dram_request write = at(&c, c.banks, 7, 50, CLASS_GPU);
    write.write = true;
    struct dram_request read = at(&c, c.banks, 7, 99, CLASS_CPU);
    assert_true(dram_push(d, &write) && dram_push(d, &read));
    uint32_t tags[16];
    assert_int_equal(drain(d, tags, 16), 8);
    assert_int_equal(tags[0], 50);
    assert_int_equal(tags[1], 99);
    dram_destroy(d);
}

/* An endless stream with priority does not starve the others. */
static void test_no_starvation(void **state)
{
    (void)state;
    struct dram_config c = with_classes();
    struct dram *d = dram_for(&c);
    struct dram_request old = at(&c, c.banks, 0, 1, CLASS_GPU);
    assert_true(dram_push(d, &old));
    uint32_t sent = 0, bank;
    for (uint32_t cycle = 0; cycle < 20000; cycle++) {
        while (dram_room(d, CLASS_CPU)) {
            struct dram_request r = at(&c, sent % 4, sent % 60, 2, CLASS_CPU);
            sent++;
            assert_true(dram_push(d, &r));
        }
        dram_tick(d, &bank);
        struct dram_request r;
        while (dram_pop(d, &r)) {
            if (r.tag == 1) {
                assert_true(sent > 4 * c.hit_cap); /* it was passed */
                dram_destroy(d);
                return;
            }
        }
    }
    fail_msg("starved");
}

static void test_bad_reserve(void **state)
{
    (void)state;
    struct dram_config c = with_classes();
    c.reserved = c.queue;
    struct error err = {0};
    assert_null(dram_create(&c, &err));
    assert_non_null(strstr(err.text, "reserved"));
}

/* Random traffic with classes: nothing lost, every command legal. */
static void test_random(void **state)
{
    (void)state;
    struct dram_config c = with_classes();
    c.refi = 900;
    c.rfc = 60;
    struct dram *d = dram_for(&c);
    struct checker k;
    checker_init(&k, &c);
    struct rng rng;
    rng_seed(&rng, 77);
    uint32_t pushed = 0, popped = 0, bank;
    for (uint32_t cycle = 0; cycle < 200000 || !dram_idle(d); cycle++) {
        uint8_t class = rng_chance(&rng, 1, 4) ? CLASS_CPU : CLASS_GPU;
        struct dram_request r = at(&c, rng_below(&rng, 24), rng_below(&rng, 8), pushed, class);
        r.write = rng_chance(&rng, 1, 3);
        if (cycle < 200000 && rng_chance(&rng, 1, 3))
            pushed += dram_push(d, &r);
        enum dram_command command = dram_tick(d, &bank);
        checker_step(&k, command, bank);
        while (dram_pop(d, &r))
            popped++;
        assert_true(cycle < 300000);
    }
    assert_int_equal(pushed, popped);
    assert_true(pushed > 10000);
    dram_destroy(d);
}

/* Hours of refreshes with nothing else: the same as ticking, at no cost. */
static void test_idle_refreshes(void **state)
{
    (void)state;
    struct dram_config c = table1();
    c.refi = 700;
    c.rfc = 50;
    for (uint32_t n = 1; n < 5000; n += 37) {
        struct dram *a = dram_for(&c), *b = dram_for(&c);
        struct dram_request r = at(&c, 3, 1, 0, CLASS_GPU);
        uint32_t bank;
        assert_true(dram_push(a, &r) && dram_push(b, &r));
        for (uint32_t i = 0; i < 200; i++) {
            dram_tick(a, &bank);
            dram_tick(b, &bank);
        }
        assert_true(dram_pop(a, &r) && dram_pop(b, &r));
        for (uint32_t i = 0; i < n; i++)
            dram_tick(a, &bank);
        dram_skip(b, n);
        assert_memory_equal(dram_get_stats(a), dram_get_stats(b), sizeof(struct dram_stats));
        for (uint32_t at_bank = 0; at_bank < c.banks; at_bank++)
            for (int command = DRAM_ACT; command <= DRAM_REF; command++)
                assert_int_equal(dram_legal(a, (enum dram_command)command, at_bank),
                                 dram_legal(b, (enum dram_command)command, at_bank));
        dram_destroy(a);
        dram_destroy(b);
    }
    struct dram *d = dram_for(&c);
    dram_skip(d, 1000000000000000);
    assert_int_equal(dram_get_stats(d)->refreshes, 1000000000000000 / 700);
    dram_destroy(d);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_priority_goes_first),
        cmocka_unit_test(test_between_banks),
        cmocka_unit_test(test_reserved_entries),
        cmocka_unit_test(test_what_it_waits_for),
        cmocka_unit_test(test_no_starvation),
        cmocka_unit_test(test_bad_reserve),
        cmocka_unit_test(test_random),
        cmocka_unit_test(test_idle_refreshes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
