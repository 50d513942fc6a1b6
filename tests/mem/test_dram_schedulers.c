/* The schedulers of a DRAM channel on the same short queues: order of the requests by hand, cycles
 * of the column commands by hand from the timings. */
#include "sim/mem/request.h"
#include "tests/mem/dram_fixture.h"

#define MOST 16u

static struct dram_config scheduled(const char *scheduler)
{
    struct dram_config c = table1();
    c.act_first = 0;
    c.hit_cap = 2;
    c.scheduler = policy_number(dram_scheduler_name, scheduler);
    assert_non_null(dram_scheduler_at(c.scheduler));
    return c;
}

/* One column of a row of a bank. */
static struct dram_request at(const struct dram_config *c, uint32_t bank, uint32_t row,
                              uint32_t column)
{
    uint64_t number = (uint64_t)row * c->banks + bank;
    return (struct dram_request){.address =
                                     number * c->row_bytes + (uint64_t)column * c->column_bytes,
                                 .bytes = c->column_bytes,
                                 .class = CLASS_GPU};
}

/* The cycles of the reads, in the order of the requests' tags; legal in every cycle. */
struct served {
    uint32_t order[MOST];
    uint64_t read[MOST];
    uint32_t count, activates;
};

static struct served serve(const struct dram_config *c, const struct dram_request *requests,
                           uint32_t n)
{
    struct served s = {.count = 0};
    struct dram *d = dram_for(c);
    struct checker k;
    checker_init(&k, c);
    for (uint32_t i = 0; i < n; i++) {
        struct dram_request r = requests[i];
        r.tag = i;
        assert_true(dram_push(d, &r));
    }
    uint32_t reads = 0, bank;
    while (!dram_idle(d)) {
        enum dram_command command = dram_tick(d, &bank);
        if (command == DRAM_RD)
            s.read[reads++] = k.now;
        s.activates += command == DRAM_ACT;
        checker_step(&k, command, bank);
        struct dram_request done;
        while (dram_pop(d, &done))
            s.order[s.count++] = done.tag;
        assert_true(k.now < 10000);
    }
    dram_destroy(d);
    assert_int_equal(s.count, n);
    return s;
}

static void check_order(const char *scheduler, const struct dram_request *requests, uint32_t n,
                        const uint32_t *order)
{
    struct dram_config c = scheduled(scheduler);
    struct served s = serve(&c, requests, n);
    for (uint32_t i = 0; i < n; i++)
        if (s.order[i] != order[i])
            fail_msg("%s: request %u is number %u, must be %u", scheduler, s.order[i], i, order[i]);
}

/* A row hit, a miss of that bank, then three hits: a cap of 2 lets two of them pass the miss. */
static void test_hits_past_a_miss(void **state)
{
    (void)state;
    struct dram_config c = table1();
    const struct dram_request requests[] = {at(&c, 0, 0, 0), at(&c, 0, 1, 0), at(&c, 0, 0, 1),
                                            at(&c, 0, 0, 2), at(&c, 0, 0, 3)};
    check_order("fr-fcfs", requests, 5, (const uint32_t[]){0, 2, 3, 4, 1});
    check_order("fr-fcfs-cap", requests, 5, (const uint32_t[]){0, 2, 3, 1, 4});
    check_order("fcfs", requests, 5, (const uint32_t[]){0, 1, 2, 3, 4});
}

/* Two banks: the second one's hits go on while the first opens another row, but for FCFS. */
static void test_other_banks(void **state)
{
    (void)state;
    struct dram_config c = table1();
    const struct dram_request requests[] = {at(&c, 0, 0, 0), at(&c, 0, 1, 0), at(&c, 1, 0, 0),
                                            at(&c, 1, 0, 1)};
    check_order("fr-fcfs", requests, 4, (const uint32_t[]){0, 2, 3, 1});
    check_order("fr-fcfs-cap", requests, 4, (const uint32_t[]){0, 2, 3, 1});
    check_order("fcfs", requests, 4, (const uint32_t[]){0, 1, 2, 3});
}

/* FCFS to the cycle: ACT of bank 0 in cycle 0, of bank 1 tRRD later, meanwhile; the read of the
 * second row of bank 0 waits for tRAS, tRP (tRC is as long) and tRCD, and the others for it. */
static void test_fcfs_cycles(void **state)
{
    (void)state;
    struct dram_config c = scheduled("fcfs");
    const struct dram_request requests[] = {at(&c, 0, 0, 0), at(&c, 0, 1, 0), at(&c, 1, 0, 0),
                                            at(&c, 1, 0, 1)};
    struct served s = serve(&c, requests, 4);
    uint64_t second = c.ras + c.rp + c.rcd;
    assert_int_equal(s.activates, 3); /* bank 1 once: its row stays open while it waits */
    assert_int_equal(s.read[0], c.rcd);
    assert_int_equal(s.read[1], second);
    assert_int_equal(s.read[2], second + c.ccd);
    assert_int_equal(s.read[3], second + 2 * c.ccd);
}

/* A class with priority goes before the others in FCFS, too, in order among its own. */
static void test_fcfs_classes(void **state)
{
    (void)state;
    struct dram_config c = scheduled("fcfs");
    c.priority = 1u << CLASS_CPU;
    struct dram_request requests[] = {at(&c, 0, 0, 0), at(&c, 0, 0, 1), at(&c, 1, 5, 0),
                                      at(&c, 0, 2, 0)};
    requests[2].class = requests[3].class = CLASS_CPU;
    struct served s = serve(&c, requests, 4);
    const uint32_t order[] = {2, 3, 0, 1};
    assert_memory_equal(s.order, order, sizeof order);
}

/* A cap of 0 would stop every row hit: an error that says what has none. */
static void test_cap_of_nothing(void **state)
{
    (void)state;
    struct dram_config c = scheduled("fr-fcfs-cap");
    c.hit_cap = 0;
    struct error err = {0};
    assert_null(dram_create(&c, &err));
    assert_non_null(strstr(err.text, "hit_cap = 0"));
    assert_non_null(strstr(err.text, "fr-fcfs has no cap"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_hits_past_a_miss), cmocka_unit_test(test_other_banks),
        cmocka_unit_test(test_fcfs_cycles),      cmocka_unit_test(test_fcfs_classes),
        cmocka_unit_test(test_cap_of_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
