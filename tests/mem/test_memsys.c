/* The memory system as a whole: latencies, bandwidth, L2 against a reference, order of atomics. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "sim/base/rng.h"
#include "sim/mem/system.h"

#define SECTORS_ALL 15u

struct performed {
    struct mem_request list[4096];
    uint32_t count;
};

static void record(void *user, const struct mem_request *request)
{
    struct performed *p = user;
    p->list[p->count++ % 4096] = *request;
}

static struct memsys_config base_config(void)
{
    return (struct memsys_config){.ports = 4,
                                  .partitions = 2,
                                  .interleave_bytes = 256,
                                  .core_khz = 700000,
                                  .net_khz = 700000,
                                  .l2_khz = 700000,
                                  .dram_khz = 700000,
                                  .request_latency = 7,
                                  .reply_latency = 9,
                                  .flit_bytes = 32,
                                  .port_queue = 4,
                                  .l2_bytes = 16384,
                                  .l2_ways = 4,
                                  .l2_latency = 5,
                                  .l2_mshrs = 16,
                                  .l2_mshr_merges = 4,
                                  .dram = {.banks = 8,
                                           .row_bytes = 2048,
                                           .column_bytes = 32,
                                           .burst = 2,
                                           .queue = 32,
                                           .hit_cap = 8,
                                           .cl = 12,
                                           .rp = 12,
                                           .rc = 40,
                                           .ras = 28,
                                           .ccd = 2,
                                           .rcd = 12,
                                           .rrd = 6,
                                           .cdlr = 5,
                                           .wr = 12,
                                           .wl = 4,
                                           .rtw = 14,
                                           .rtp = 2},
                                  .perform = record};
}

static struct memsys *create(const struct memsys_config *config)
{
    struct error err = {0};
    struct memsys *m = memsys_create(config, &err);
    if (!m)
        fail_msg("%s", err.text);
    return m;
}

/* Ticks until the reply to this request is there, with nothing else in flight. */
static uint32_t latency(struct memsys *m, const struct mem_request *request)
{
    assert_true(memsys_request(m, request));
    for (uint32_t t = 1; t < 100000; t++) {
        memsys_tick(m);
        struct mem_request reply;
        if (!memsys_reply(m, request->source, &reply))
            continue;
        assert_int_equal(reply.tag, request->tag);
        assert_int_equal(reply.line, request->line);
        assert_int_equal(reply.kind, request->kind);
        while (!memsys_idle(m))
            memsys_tick(m);
        return t;
    }
    fail_msg("no reply");
    return 0;
}

static void test_unloaded_latency(void **state)
{
    (void)state;
    struct performed performed = {.count = 0};
    struct memsys_config c = base_config();
    c.user = &performed;
    struct memsys *m = create(&c);
    uint32_t path = c.request_latency + c.l2_latency + c.reply_latency;
    uint32_t dram = c.dram.rcd + c.dram.cl + c.dram.burst;
    struct mem_request r = {.line = 0x1000, .tag = 77, .source = 3, .sectors = 1};
    assert_int_equal(latency(m, &r), path + dram);
    assert_int_equal(latency(m, &r), path);
    r.sectors = 4; /* another sector of the line: row open, column only */
    assert_int_equal(latency(m, &r), path + c.dram.cl + c.dram.burst);
    r.line = 0x2000; /* all four sectors are one burst of four columns */
    r.sectors = SECTORS_ALL;
    memsys_tick(m);
    uint32_t four = latency(m, &r);
    assert_int_equal(four, path + dram + 3 * c.dram.ccd);
    r.kind = REQUEST_ATOMIC;
    assert_int_equal(latency(m, &r), path);
    r.kind = REQUEST_POLL;
    r.line = 0x4000;
    r.sectors = 2;
    assert_int_equal(latency(m, &r), path + dram);
    assert_int_equal(performed.count, 2);
    r.kind = REQUEST_WRITE;
    r.line = 0x8000;
    assert_int_equal(latency(m, &r), path);
    memsys_destroy(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_unloaded_latency),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
