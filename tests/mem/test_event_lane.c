/* Lanes of events through network, L2 and DRAM (`event.lane_queue`): what they are given, and that
 * nothing is lost or answered twice. */
#include "tests/mem/memsys_fixture.h"

#define PORTS 4u

static struct memsys_config with_lane(uint32_t entries)
{
    struct memsys_config c = base_config();
    c.partitions = 1;
    c.flit_bytes = 256;
    c.event_lane = entries;
    return c;
}

static struct mem_request read_of(uint32_t port, uint64_t line, bool event)
{
    return (struct mem_request){.line = line,
                                .tag = (uint32_t)line,
                                .source = (uint16_t)port,
                                .sectors = 1,
                                .event = event};
}

#define STRIDE (8192u + LINE_BYTES) /* another row and another set */

/* Ticks, takes every reply, and sends reads from these ports wherever there is room; ports from
 * `events` on send for events. */
static void crowd(struct memsys *m, uint32_t ports, uint32_t events, uint64_t *line, uint32_t ticks)
{
    while (ticks--) {
        struct mem_request r;
        memsys_tick(m);
        for (uint32_t p = 0; p < PORTS; p++)
            memsys_reply(m, p, &r);
        for (uint32_t p = 0; p < ports; p++) {
            r = read_of(p, *line, p >= events);
            if (memsys_request(m, &r))
                *line += STRIDE;
        }
    }
}

static uint32_t event_latency(uint32_t lane)
{
    struct memsys_config c = with_lane(lane);
    struct memsys *m = memsys_for(&c);
    struct mem_request reply, event = read_of(PORTS - 1, 1u << 30, true);
    uint64_t line = 0;
    crowd(m, PORTS - 1, PORTS, &line, 2000);
    while (!memsys_request(m, &event))
        memsys_tick(m);
    uint32_t ticks = 0;
    for (bool there = false; !there; there = memsys_reply(m, PORTS - 1, &reply)) {
        for (uint32_t p = 0; p < PORTS - 1; p++) {
            struct mem_request r = read_of(p, line, false);
            memsys_reply(m, p, &reply);
            if (memsys_request(m, &r))
                line += STRIDE;
        }
        memsys_tick(m);
        assert_true(++ticks < 100000);
    }
    assert_int_equal(reply.line, event.line);
    memsys_destroy(m);
    return ticks;
}

static void test_passes_the_others(void **state)
{
    (void)state;
    uint32_t behind = event_latency(0), lane = event_latency(4);
    print_message("event's read: %u ticks behind the others, %u in the lane\n", behind, lane);
    assert_true(lane * 4 < behind);
}

/* Where the port of a core is full for the others, an event has a place. */
static void test_places(void **state)
{
    (void)state;
    for (uint32_t lane = 0; lane < 8; lane += 4) {
        struct memsys_config c = with_lane(lane);
        struct memsys *m = memsys_for(&c);
        uint64_t line = 0;
        for (uint32_t n = 0; n < 100000 && memsys_can_request(m, 0); n++) {
            crowd(m, PORTS, PORTS, &line, 1);
            memsys_tick(m);
        }
        assert_false(memsys_can_request(m, 0));
        assert_int_equal(memsys_box_can_request(m, 0, true, 0), lane != 0);
        memsys_destroy(m);
    }
}

/* MSHRs of a bank and entries of a DRAM queue: at most half of them, whatever the lane. */
static void test_entries(void **state)
{
    (void)state;
    static const uint32_t lanes[] = {0, 2, 6, 32}, left[] = {16, 14, 10, 8};
    for (uint32_t i = 0; i < 4; i++) {
        struct memsys_config c = with_lane(lanes[i]);
        struct memsys *m = memsys_for(&c);
        uint64_t line = 0;
        crowd(m, PORTS, PORTS, &line, 3000);
        assert_int_equal(stats_of(m).l2.mshrs.most, left[i]);
        memsys_destroy(m);
    }
}

/* Bytes of DRAM that events read of 1000, half of the ports being theirs. */
static uint64_t share_of_events(uint32_t lane)
{
    struct memsys_config c = with_lane(lane);
    struct memsys *m = memsys_for(&c);
    uint64_t line = 0;
    crowd(m, PORTS, PORTS / 2, &line, 30000);
    struct memsys_stats s = stats_of(m);
    uint64_t events = s.l2.of[CLASS_EVENT].dram_read, others = s.l2.of[CLASS_GPU].dram_read;
    memsys_destroy(m);
    return events * 1000 / (events + others);
}

/* Events that go first still leave the others their part, the more the smaller the lane; alone
 * they have every MSHR. */
static void test_bound(void **state)
{
    (void)state;
    uint64_t one = share_of_events(1), two = share_of_events(2), eight = share_of_events(8);
    print_message("share of events, per mille: lane of 1 %u, of 2 %u, of 8 %u\n", (unsigned)one,
                  (unsigned)two, (unsigned)eight);
    assert_true(one < 250 && one < two && two < eight);
    struct memsys_config c = with_lane(2);
    struct memsys *m = memsys_for(&c);
    uint64_t line = 0;
    crowd(m, PORTS, 0, &line, 3000);
    assert_int_equal(stats_of(m).l2.mshrs.most, c.l2_mshrs);
    memsys_destroy(m);
}

/* Requests of events are a class of their own with a lane only. */
static void test_counted(void **state)
{
    (void)state;
    for (uint32_t lane = 0; lane < 8; lane += 4) {
        struct memsys_config c = with_lane(lane);
        struct memsys *m = memsys_for(&c);
        for (uint32_t i = 0; i < 8; i++) {
            struct mem_request r = read_of(i % PORTS, 8192 * i, i % 4 == 3);
            assert_true(memsys_request(m, &r));
            memsys_tick(m);
        }
        while (!memsys_idle(m)) {
            struct mem_request reply;
            memsys_tick(m);
            for (uint32_t p = 0; p < PORTS; p++)
                memsys_reply(m, p, &reply);
        }
        assert_int_equal(stats_of(m).l2.of[CLASS_EVENT].requests, lane ? 2 : 0);
        assert_int_equal(stats_of(m).l2.of[CLASS_GPU].requests, lane ? 6 : 8);
        memsys_destroy(m);
    }
}

#define REQUESTS 4000u

/* Reads and writes of both kinds to few lines: each is answered once. */
static void exchange(struct memsys *m, struct rng *rng)
{
    static uint8_t answers[REQUESTS];
    memset(answers, 0, sizeof answers);
    uint32_t sent = 0, answered = 0;
    for (uint32_t ticks = 0; answered < REQUESTS; ticks++) {
        struct mem_request r;
        for (uint32_t p = 0; p < PORTS && sent < REQUESTS; p++) {
            r = read_of(p, (uint64_t)rng_below(rng, 64) * 4096, rng_below(rng, 3) == 0);
            r.kind = (uint8_t)rng_below(rng, 2);
            r.tag = sent;
            r.sectors = (uint8_t)(1 + rng_below(rng, 15));
            sent += memsys_request(m, &r);
        }
        memsys_tick(m);
        for (uint32_t p = 0; p < PORTS; p++) {
            if (!memsys_reply(m, p, &r))
                continue;
            assert_int_equal(answers[r.tag]++, 0);
            answered++;
        }
        assert_true(ticks < 1000000);
    }
    while (!memsys_idle(m))
        memsys_tick(m);
}

static void test_none_lost(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 8; seed++) {
        struct rng rng;
        rng_seed(&rng, seed);
        struct memsys_config c = with_lane(1 + rng_below(&rng, 16));
        c.l2_bytes = 2048;
        c.l2_allocate = rng_below(&rng, 2);
        c.l2_write_miss = rng_below(&rng, 3);
        struct memsys *m = memsys_for(&c);
        exchange(m, &rng);
        memsys_destroy(m);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_passes_the_others),
        cmocka_unit_test(test_places),
        cmocka_unit_test(test_entries),
        cmocka_unit_test(test_counted),
        cmocka_unit_test(test_bound),
        cmocka_unit_test(test_none_lost),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
