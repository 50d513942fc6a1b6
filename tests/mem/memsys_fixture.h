/* A small memory system for tests, with every latency different. */
#ifndef EVGPU_TESTS_MEM_MEMSYS_FIXTURE_H
#define EVGPU_TESTS_MEM_MEMSYS_FIXTURE_H

#include "base/rng.h"
#include "sim/mem/memsys.h"
#include "tests/mem/dram_fixture.h"
#include "tests/unit.h"

#define SECTORS_ALL 15u

static inline enum perform_result ignore(void *user, const struct mem_request *request,
                                         uint32_t *words)
{
    (void)user;
    (void)request;
    *words = 0;
    return PERFORM_DONE;
}

static inline struct memsys_config base_config(void)
{
    struct memsys_config c = {.ports = 4,
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
                              .perform = ignore};
    c.dram = table1();
    set_cap(&c.dram, 8);
    return c;
}

/* GTX480-like: six channels, four clocks. */
static inline struct memsys_config gtx480_like(void)
{
    struct memsys_config c = base_config();
    c.ports = 16;
    c.partitions = 6;
    c.net_khz = 1400000;
    c.dram_khz = 924000;
    c.request_latency = 24;
    c.reply_latency = 24;
    c.port_queue = 8;
    c.l2_bytes = 131072;
    c.l2_ways = 8;
    c.l2_latency = 30;
    c.l2_mshrs = 64;
    c.l2_mshr_merges = 8;
    return c;
}

static inline struct memsys *memsys_for(const struct memsys_config *config)
{
    struct error err = {0};
    struct memsys *m = memsys_create(config, &err);
    if (!m)
        fail_msg("%s", err.text);
    return m;
}

/* Ticks until the reply to this request is there, with nothing else in flight; then lets everything
 * come to rest. */
static inline uint32_t latency(struct memsys *m, const struct mem_request *request)
{
    assert_true(memsys_request(m, request));
    uint32_t ticks = 0;
    struct mem_request reply;
    do {
        memsys_tick(m);
        assert_true(++ticks < 100000);
    } while (!memsys_reply(m, request->source, &reply));
    assert_memory_equal(&reply, request, sizeof reply);
    while (!memsys_idle(m))
        memsys_tick(m);
    memsys_skip(m, 100); /* until the last reply has left its channel */
    return ticks;
}

static inline struct memsys_stats stats_of(const struct memsys *m)
{
    struct memsys_stats s;
    memsys_stats(m, &s);
    return s;
}

#endif
