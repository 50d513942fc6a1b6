/* The memory system, one property at a time: latencies, clocks, bandwidth, L2's rules, errors. */
#include "tests/mem/memsys_fixture.h"

static enum perform_result count(void *user, const struct mem_request *request, uint32_t *words)
{
    (void)request;
    ++*(uint32_t *)user;
    *words = 0;
    return PERFORM_DONE;
}

/* The sum of the configured latencies, exactly. */
static void check_latencies(const struct memsys_config *config)
{
    struct memsys_config c = *config;
    uint32_t performed = 0;
    c.perform = count;
    c.user = &performed;
    struct memsys *m = memsys_for(&c);
    uint32_t path = c.request_latency + c.l2_latency + c.reply_latency;
    uint32_t dram = c.dram.rcd + c.dram.cl + c.dram.burst;
    struct mem_request r = {.line = 0x1000, .tag = 77, .source = 3, .sectors = 1};
    assert_int_equal(latency(m, &r), path + dram);
    assert_int_equal(latency(m, &r), path);
    r.sectors = 4; /* another sector of the line: the row is open */
    assert_int_equal(latency(m, &r), path + c.dram.cl + c.dram.burst);
    r.line = 0x100000;
    r.sectors = SECTORS_ALL; /* four column commands */
    memsys_destroy(m);

    m = memsys_for(&c);
    assert_int_equal(latency(m, &r), path + dram + 3 * c.dram.ccd);
    r.kind = REQUEST_ATOMIC;
    assert_int_equal(latency(m, &r), path);
    assert_int_equal(performed, 1);
    r.kind = REQUEST_POLL;
    assert_int_equal(latency(m, &r), path);
    assert_int_equal(performed, 2);
    r.kind = REQUEST_WRITE;
    r.line = 0x200000;
    assert_int_equal(latency(m, &r), path);
    memsys_destroy(m);
}

static void test_unloaded_latency(void **state)
{
    (void)state;
    struct memsys_config c = base_config();
    check_latencies(&c);
    c.request_latency = c.reply_latency = c.l2_latency = 1;
    check_latencies(&c);
    c.request_latency = c.reply_latency = 180;
    c.l2_latency = 40;
    c.partitions = 1;
    check_latencies(&c);
    c.flit_bytes = 8; /* a reply of 17 flits: latency is that of the whole message */
    check_latencies(&c);
}

/* Edges of a clock in the first n core cycles. */
static uint64_t edges(uint64_t n, uint32_t khz, uint32_t core_khz)
{
    return n * khz / core_khz;
}

/* Core cycles gone by when a stage entered after `n` of them has had `cycles` of its own. */
static uint64_t stage(uint64_t n, uint32_t khz, uint32_t core_khz, uint32_t cycles)
{
    uint64_t end = n;
    while (edges(end, khz, core_khz) < edges(n, khz, core_khz) + cycles)
        end++;
    return end;
}

static uint64_t expected_latency(const struct memsys_config *c, uint64_t start, bool miss)
{
    uint64_t n = stage(start, c->net_khz, c->core_khz, c->request_latency);
    n = stage(n, c->l2_khz, c->core_khz, c->l2_latency);
    if (miss) {
        n = stage(n, c->dram_khz, c->core_khz, c->dram.rcd + c->dram.cl + c->dram.burst);
        n = stage(n - 1, c->l2_khz, c->core_khz, 1); /* L2 takes it in the same core cycle */
    }
    return stage(n, c->net_khz, c->core_khz, c->reply_latency) - start;
}

/* Exactly the edges of each clock that its stage needs, from any phase. */
static void test_latency_in_other_clocks(void **state)
{
    (void)state;
    struct rng rng;
    rng_seed(&rng, 8);
    for (uint32_t i = 0; i < 2000; i++) {
        struct memsys_config c = base_config();
        c.core_khz = 1 + rng_below(&rng, 1000);
        c.net_khz = 1 + c.core_khz / 4 + rng_below(&rng, 1000);
        c.l2_khz = 1 + c.core_khz / 4 + rng_below(&rng, 1000);
        c.dram_khz = 1 + c.core_khz / 4 + rng_below(&rng, 1000);
        struct memsys *m = memsys_for(&c);
        struct mem_request r = {.line = 0x1000, .source = 1, .sectors = 1};
        uint64_t now = rng_below(&rng, 5000);
        memsys_skip(m, now);
        for (int hit = 0; hit < 2; hit++) {
            assert_true(memsys_request(m, &r));
            uint64_t l = 0;
            struct mem_request reply;
            while (!memsys_reply(m, 1, &reply)) {
                memsys_tick(m);
                l++;
            }
            assert_int_equal(l, expected_latency(&c, now, !hit));
            memsys_skip(m, 1000);
            now += l + 1000;
        }
        memsys_destroy(m);
    }
}

/* Edges of the DRAM clock over long runs: floor(cycles * dram / core), however time passes. */
static void test_clock_ratios_exact(void **state)
{
    (void)state;
    struct memsys_config c = base_config();
    c.partitions = 3;
    c.core_khz = 700001;
    c.dram_khz = 924007;
    struct memsys *m = memsys_for(&c);
    struct rng rng;
    rng_seed(&rng, 5);
    uint64_t cycles = 0;
    for (uint32_t i = 0; i < 20000; i++) {
        struct mem_request r = {.line = rng_below(&rng, 1000) * 128u, .tag = i, .sectors = 1};
        struct mem_request reply;
        memsys_request(m, &r);
        memsys_reply(m, 0, &reply);
        uint64_t n = rng_below(&rng, 60);
        if (rng_chance(&rng, 1, 100)) { /* far ahead, with nothing that waits to be taken */
            for (; !memsys_idle(m); cycles++) {
                memsys_reply(m, 0, &reply);
                memsys_tick(m);
            }
            n = rng_u64(&rng) >> 28;
        }
        if (n < 10)
            memsys_tick(m);
        else
            memsys_skip(m, n);
        cycles += n < 10 ? 1 : n;
        unsigned __int128 edges = (unsigned __int128)cycles * c.dram_khz / c.core_khz;
        assert_int_equal(stats_of(m).dram.cycles, 3 * (uint64_t)edges);
    }
    memsys_destroy(m);
}

struct flow {
    uint32_t ports; /* ports 0..ports-1 send */
    uint64_t step;  /* address stride over all requests */
    uint64_t wrap;  /* bytes */
    struct mem_request request;
};

/* Core cycles for `n` replies after a warm-up, with every port always willing. */
static uint64_t cycles_for(struct memsys *m, const struct flow *flow, uint32_t n)
{
    uint64_t next = 0;
    uint32_t replies = 0;
    uint64_t from = 0;
    uint32_t warm = n / 4 + 200;
    for (uint64_t cycle = 0;; cycle++) {
        for (uint32_t p = 0; p < flow->ports; p++) {
            struct mem_request r = flow->request;
            r.source = (uint16_t)p;
            r.line = next % flow->wrap;
            if (memsys_request(m, &r))
                next += flow->step;
        }
        for (uint64_t b = memsys_reply_ports(m, 0); b; b &= b - 1) {
            struct mem_request r;
            assert_true(memsys_reply(m, (uint32_t)__builtin_ctzll(b), &r));
            if (++replies == warm)
                from = cycle;
            if (replies == warm + n)
                return cycle - from;
        }
        memsys_tick(m);
        assert_true(cycle < 10000000);
    }
}

static void check_rate(const struct memsys_config *c, const struct flow *flow, uint32_t n,
                       uint64_t expected)
{
    struct memsys *m = memsys_for(c);
    uint64_t cycles = cycles_for(m, flow, n);
    memsys_destroy(m);
    if (cycles < expected * 995 / 1000 || cycles > expected * 1005 / 1000 + 2)
        fail_msg("%u replies in %u cycles, expected %u", n, (unsigned)cycles, (unsigned)expected);
}

static void test_bandwidth(void **state)
{
    (void)state;
    struct memsys_config c = base_config();
    c.reply_latency = 100; /* more in flight than queues hold: the pipeline has to carry it */
    c.port_queue = 4;
    /* whole-line hits in one partition: the reply port, 8 + 128 bytes in 5 flits of 32 */
    struct flow flow = {3, 0, 128, {.sectors = SECTORS_ALL}};
    check_rate(&c, &flow, 2000, 5 * 2000);
    /* one-sector hits: 40 bytes, 2 flits */
    flow.request.sectors = 2;
    check_rate(&c, &flow, 2000, 2 * 2000);
    c.flit_bytes = 40; /* one flit: the L2 pipeline's one per cycle */
    check_rate(&c, &flow, 2000, 2000);
    c.flit_bytes = 32;
    /* two partitions, one receiving port: its reply channel */
    flow = (struct flow){1, 256, 512, {.sectors = SECTORS_ALL}};
    check_rate(&c, &flow, 2000, 5 * 2000);
    /* two partitions, four ports: both reply channels */
    flow.ports = 4;
    flow.step = 128;
    check_rate(&c, &flow, 4000, 5 * 2000);
    /* writes of whole lines: the request channel, 5 flits per partition */
    flow =
        (struct flow){4, 128, 4096, {.kind = REQUEST_WRITE, .sectors = SECTORS_ALL, .words = ~0u}};
    check_rate(&c, &flow, 4000, 5 * 2000);
}

/* A sequential read stream larger than L2 runs at DRAM's peak: four columns of two cycles a line in
 * each of two channels, where the network is fast enough. */
static void test_dram_bandwidth(void **state)
{
    (void)state;
    struct memsys_config c = base_config();
    c.flit_bytes = 256;
    c.l2_mshrs = 64;
    struct flow flow = {4, 128, 1ull << 30, {.sectors = SECTORS_ALL}};
    check_rate(&c, &flow, 8000, 8 * 4000);
}

static void test_merging(void **state)
{
    (void)state;
    struct memsys_config c = base_config();
    struct memsys *m = memsys_for(&c);
    for (uint32_t p = 0; p < 4; p++) {
        struct mem_request r = {.line = 0x4000, .tag = p, .source = (uint16_t)p, .sectors = 3};
        r.sectors = p == 3 ? 6 : 3;
        assert_true(memsys_request(m, &r));
    }
    uint32_t replies = 0;
    while (!memsys_idle(m)) {
        memsys_tick(m);
        for (uint32_t p = 0; p < 4; p++) {
            struct mem_request r;
            if (memsys_reply(m, p, &r)) {
                assert_int_equal(r.tag, p);
                replies++;
            }
        }
    }
    assert_int_equal(replies, 4);
    assert_int_equal(stats_of(m).dram.reads, 3); /* sectors 0, 1, 2 once each */
    assert_int_equal(stats_of(m).l2.misses, 4);
    memsys_destroy(m);
}

static void test_write_rules(void **state)
{
    (void)state;
    struct memsys_config c = base_config();
    struct memsys *m = memsys_for(&c);
    struct mem_request w = {.line = 0, .kind = REQUEST_WRITE, .sectors = 1, .words = 0x0f};
    struct mem_request r = {.line = 0, .sectors = 1};
    latency(m, &w); /* half a sector, whole words: no fetch */
    assert_int_equal(stats_of(m).dram.reads, 0);
    w.words = 0xf0;
    latency(m, &w); /* the other half: the sector is valid */
    latency(m, &r);
    assert_int_equal(stats_of(m).dram.reads, 0);
    w.sectors = 2;
    w.words = 0x100;
    latency(m, &w); /* one word of sector 1; reading the sector fetches it */
    r.sectors = 2;
    latency(m, &r);
    assert_int_equal(stats_of(m).dram.reads, 1);
    w.partial = 1;
    latency(m, &w); /* part of a valid word: no fetch */
    assert_int_equal(stats_of(m).dram.reads, 1);
    w.sectors = 4;
    w.words = 0x10000;
    uint32_t path = c.request_latency + c.l2_latency + c.reply_latency;
    assert_int_equal(latency(m, &w), path); /* acknowledged although its sector is fetched */
    assert_int_equal(stats_of(m).dram.reads, 2);
    r.sectors = 4;
    latency(m, &r);
    assert_int_equal(stats_of(m).dram.reads, 2);
    assert_int_equal(stats_of(m).dram.writes, 0);
    memsys_destroy(m);
}

/* Only dirty sectors go back, whole columns at a time. */
static void check_writeback(uint32_t column_bytes, uint32_t sectors, uint32_t commands)
{
    struct memsys_config c = base_config();
    c.partitions = 1;
    c.dram.column_bytes = column_bytes;
    struct memsys *m = memsys_for(&c);
    struct mem_request w = {.kind = REQUEST_WRITE, .sectors = (uint8_t)sectors};
    latency(m, &w);
    uint64_t way = c.l2_bytes / c.l2_ways;
    for (uint32_t i = 1; i <= c.l2_ways; i++) {
        struct mem_request r = {.line = i * way, .sectors = 1};
        assert_int_equal(stats_of(m).l2.writebacks, 0);
        latency(m, &r);
    }
    assert_int_equal(stats_of(m).l2.writebacks, 1);
    assert_int_equal(stats_of(m).dram.writes, commands);
    memsys_destroy(m);
}

static void test_writeback(void **state)
{
    (void)state;
    check_writeback(32, 0xf, 4);
    check_writeback(32, 0x5, 2);
    check_writeback(32, 0x8, 1);
    check_writeback(16, 0x9, 4);
    check_writeback(64, 0x1, 1);
    check_writeback(64, 0x6, 2);
    check_writeback(128, 0x2, 1);
    check_writeback(256, 0x2, 1);
}

static void test_forget(void **state)
{
    (void)state;
    struct memsys_config c = base_config();
    c.partitions = 2;
    struct memsys *m = memsys_for(&c);
    struct mem_request r = {.sectors = 1};
    for (r.line = 0; r.line < 4096; r.line += 128)
        latency(m, &r);
    uint64_t before = stats_of(m).l2.misses;
    memsys_forget(m, 1000, 100); /* bytes 1000..1099: lines 896 and 1024 */
    for (r.line = 0; r.line < 4096; r.line += 128) {
        latency(m, &r);
        before += r.line == 896 || r.line == 1024;
        assert_int_equal(stats_of(m).l2.misses, before);
    }
    memsys_destroy(m);
}

/* One request and one reply per port and cycle; a full queue refuses and counts. */
static void test_port_rules(void **state)
{
    (void)state;
    struct memsys_config c = base_config();
    struct memsys *m = memsys_for(&c);
    struct mem_request w = {.kind = REQUEST_WRITE, .sectors = SECTORS_ALL};
    assert_true(memsys_can_request(m, 0));
    assert_true(memsys_request(m, &w));
    assert_false(memsys_can_request(m, 0));
    assert_false(memsys_request(m, &w));
    assert_true(memsys_can_request(m, 1));
    uint32_t accepted = 1;
    while (memsys_tick(m), memsys_request(m, &w))
        assert_true(++accepted < 100);
    assert_int_equal(stats_of(m).refused, 1);
    assert_false(memsys_can_request(m, 0));
    assert_int_equal(stats_of(m).refused, 2);
    assert_int_equal(stats_of(m).requests[REQUEST_WRITE], accepted);
    for (uint32_t i = 0; i < 1000; i++)
        memsys_tick(m);
    for (uint32_t i = 0; i < accepted; i++) {
        struct mem_request r;
        assert_int_equal(memsys_reply_ports(m, 0), 1);
        assert_true(memsys_reply(m, 0, &r));
        assert_int_equal(memsys_reply_ports(m, 0), 0);
        assert_false(memsys_reply(m, 0, &r));
        assert_int_equal(memsys_idle(m), i == accepted - 1);
        memsys_tick(m);
    }
    memsys_destroy(m);
}

static void test_bad_config(void **state)
{
    (void)state;
#define BAD(f, v)                                                                                  \
    {                                                                                              \
        offsetof(struct memsys_config, f), v, #f                                                   \
    }
    const struct {
        size_t field;
        uint32_t value;
        const char *name;
    } bad[] = {BAD(ports, 0),          BAD(ports, 257),           BAD(partitions, 0),
               BAD(partitions, 17),    BAD(interleave_bytes, 64), BAD(interleave_bytes, 384),
               BAD(core_khz, 0),       BAD(net_khz, 0),           BAD(l2_khz, 0),
               BAD(dram_khz, 0),       BAD(request_latency, 0),   BAD(reply_latency, 0),
               BAD(l2_latency, 0),     BAD(flit_bytes, 0),        BAD(port_queue, 0),
               BAD(dram.row_bytes, 64)};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        struct memsys_config c = base_config();
        memcpy((char *)&c + bad[i].field, &bad[i].value, sizeof bad[i].value);
        struct error err = {0};
        assert_null(memsys_create(&c, &err));
        const char *dot = strchr(bad[i].name, '.');
        assert_non_null(strstr(err.text, dot ? dot + 1 : bad[i].name));
    }
    struct memsys_config c = base_config();
    c.l2_bytes = 1000;
    struct error err = {0};
    assert_null(memsys_create(&c, &err));
    assert_non_null(strstr(err.text, "L2"));
    c = base_config();
    c.l2_mshrs = 0;
    err.set = false;
    assert_null(memsys_create(&c, &err));
    assert_non_null(strstr(err.text, "MSHR"));
    c = base_config();
    c.dram.banks = 3;
    err.set = false;
    assert_null(memsys_create(&c, &err));
    assert_non_null(strstr(err.text, "banks"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_unloaded_latency),
        cmocka_unit_test(test_latency_in_other_clocks),
        cmocka_unit_test(test_clock_ratios_exact),
        cmocka_unit_test(test_bandwidth),
        cmocka_unit_test(test_dram_bandwidth),
        cmocka_unit_test(test_merging),
        cmocka_unit_test(test_write_rules),
        cmocka_unit_test(test_writeback),
        cmocka_unit_test(test_forget),
        cmocka_unit_test(test_port_rules),
        cmocka_unit_test(test_bad_config),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
