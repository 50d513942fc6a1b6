/* One cache bank through one partition: each choice, hold and latency by its counts. */
#include "tests/mem/memsys_fixture.h"

static enum perform_result block(void *user, const struct mem_request *request, uint32_t *words)
{
    (void)user;
    if (request->trigger == TRIGGER_NONE)
        *words = 0;
    return *words ? PERFORM_BLOCKED : PERFORM_DONE;
}

static struct memsys_config one_bank(void)
{
    struct memsys_config c = base_config();
    c.partitions = c.banks = 1;
    c.perform = block;
    return c;
}

static struct mem_request read_of(uint32_t port, uint32_t tag, uint64_t line, uint8_t sectors)
{
    return (struct mem_request){
        .line = line, .tag = tag, .source = (uint16_t)port, .sectors = sectors};
}

/* Sends as soon as there is room. */
static void send(struct memsys *m, const struct mem_request *r)
{
    while (!memsys_request(m, r))
        memsys_tick(m);
}

/* Ticks until so many replies have come. */
static uint32_t await(struct memsys *m, uint32_t replies)
{
    uint32_t ticks = 0;
    while (replies) {
        memsys_tick(m);
        struct mem_request r;
        for (uint32_t p = 0; p < 4; p++)
            replies -= memsys_reply(m, p, &r);
        assert_true(++ticks < 10000);
    }
    return ticks;
}

static void test_memory_latency(void **state)
{
    (void)state;
    uint32_t ticks[2];
    for (uint32_t i = 0; i < 2; i++) {
        struct memsys_config c = one_bank();
        c.memory_latency = i * 40;
        struct memsys *m = memsys_for(&c);
        struct mem_request r = read_of(0, 0, 4096, 1);
        ticks[i] = latency(m, &r);
        memsys_destroy(m);
    }
    assert_int_equal(ticks[1] - ticks[0], 40);
}

/* Lanes on one word keep the bank. */
static void test_collisions(void **state)
{
    (void)state;
    uint32_t ticks[2];
    for (uint32_t i = 0; i < 2; i++) {
        struct memsys_config c = one_bank();
        c.flit_bytes = 64; /* the two arrive in ticks that follow each other */
        struct memsys *m = memsys_for(&c);
        struct mem_request r = read_of(0, 0, 4096, SECTORS_ALL);
        latency(m, &r);
        for (uint32_t port = 0; port < 2; port++) {
            r.kind = REQUEST_ATOMIC;
            r.source = (uint16_t)port;
            r.words = 1;
            r.sectors = 1;
            r.collisions = i ? 32 : 1;
            send(m, &r);
        }
        ticks[i] = await(m, 2);
        memsys_destroy(m);
    }
    assert_int_equal(ticks[1] - ticks[0], 31);
}

static void test_fetch(void **state)
{
    (void)state;
    for (uint32_t fetch = 0; fetch < 2; fetch++) {
        struct memsys_config c = one_bank();
        c.l2_fetch = fetch;
        struct memsys *m = memsys_for(&c);
        struct mem_request first = read_of(0, 0, 4096, 1), last = read_of(0, 1, 4096, 8);
        latency(m, &first);
        latency(m, &last);
        assert_int_equal(stats_of(m).l2.hits, fetch == FETCH_LINE);
        memsys_destroy(m);
    }
}

/* Around: DRAM has the write, and L2 no line. */
static void test_write_around(void **state)
{
    (void)state;
    for (uint32_t around = 0; around < 2; around++) {
        struct memsys_config c = one_bank();
        c.l2_write_miss = around ? WRITE_MISS_AROUND : WRITE_MISS_LAZY;
        struct memsys *m = memsys_for(&c);
        struct mem_request w = read_of(0, 0, 4096, SECTORS_ALL);
        w.kind = REQUEST_WRITE;
        struct mem_request r = read_of(0, 1, 4096, 1);
        latency(m, &w);
        assert_int_equal(stats_of(m).dram_queue.entered, around);
        latency(m, &r);
        assert_int_equal(stats_of(m).l2.hits, !around);
        memsys_destroy(m);
    }
}

static void test_merge_limit(void **state)
{
    (void)state;
    for (uint32_t reads = 2; reads < 4; reads++) {
        struct memsys_config c = one_bank();
        c.l2_mshr_merges = 2;
        struct memsys *m = memsys_for(&c);
        for (uint32_t port = 0; port < reads; port++) {
            struct mem_request r = read_of(port, port, 4096, 1);
            send(m, &r);
        }
        await(m, reads);
        assert_int_equal(stats_of(m).l2.held[HOLD_MERGE] > 0, reads > 2);
        memsys_destroy(m);
    }
}

/* The GPU leaves MSHRs for the CPU. */
static void test_reserved_mshrs(void **state)
{
    (void)state;
    struct endpoint who[4] = {{.kind = ENDPOINT_CORE},
                              {.kind = ENDPOINT_CORE, .index = 1},
                              {.kind = ENDPOINT_CORE, .index = 2},
                              {.kind = ENDPOINT_CPU, .class = CLASS_CPU}};
    for (uint32_t port = 0; port < 4; port += 3) {
        struct memsys_config c = one_bank();
        c.requesters = who;
        c.class_queues = 1;
        c.l2_mshrs = 4;
        c.reserved_mshrs = 2;
        struct memsys *m = memsys_for(&c);
        for (uint32_t i = 0; i < 8; i++) {
            struct mem_request r = read_of(port, i, 4096 * (i + 1), 1);
            send(m, &r);
        }
        await(m, 8);
        assert_int_equal(stats_of(m).l2.mshrs.most, port ? 4 : 2);
        memsys_destroy(m);
    }
}

/* A head that is held: no more are parked than there are places, and nothing enters the delay line
 * behind it. */
static void test_held_head(void **state)
{
    (void)state;
    struct memsys_config c = one_bank();
    c.parked = 2;
    c.l2_latency = 10;
    c.l2_queue = 4;
    struct memsys *m = memsys_for(&c);
    for (uint32_t i = 0; i < 20; i++) {
        struct mem_request r = read_of(i % 4, i, 4096, 1);
        r.kind = REQUEST_POLL;
        r.words = 1;
        r.trigger = TRIGGER_FULL;
        memsys_request(m, &r);
        memsys_skip(m, 100);
    }
    struct memsys_stats s = stats_of(m);
    assert_int_equal(s.l2.parked, 2);
    assert_true(s.l2.held[HOLD_PARKED] > 100);
    assert_int_equal(s.l2.ingress.entered, 2 + 1 + c.l2_queue);
    memsys_destroy(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_memory_latency), cmocka_unit_test(test_collisions),
        cmocka_unit_test(test_fetch),          cmocka_unit_test(test_write_around),
        cmocka_unit_test(test_merge_limit),    cmocka_unit_test(test_reserved_mshrs),
        cmocka_unit_test(test_held_head),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
