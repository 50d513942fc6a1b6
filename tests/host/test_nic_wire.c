/* The NIC's wire and meter to the byte and the cycle: a buffer that is exactly full, how long the
 * wire was held, what a lost packet's record says, and tokens worked out by hand. */
#include "base/alloc.h"
#include "sim/host/nic/internal.h"
#include "tests/host/nic_bench.h"

#define BATCHED (4u * 32u) /* packets in all entries */

static struct nic_stats stats_of(const struct bench *b)
{
    struct nic_stats s;
    nic_get_stats(b->nic, &s);
    return s;
}

/* Eight frames of 1000 bytes are 8000: they fit, and the ninth is lost. */
static void a_buffer_fills_to_its_last_byte(void **state)
{
    (void)state;
    struct bench *b = bench_create(300, 1000, 1000, 0, 1);
    b->config.rx_buffer_bytes = 8000;
    b->config.flush_ns = 1000000; /* no batch is incomplete */
    b->config.drop = true;
    b->frozen = true;
    bench_start(b, true);
    while (b->cycle < 400000)
        bench_step(b);
    assert_int_equal(stats_of(b).packets_lost, 300 - BATCHED - 8);
    for (uint32_t i = 0; i < 300; i++) {
        const struct nic_record *r = &nic_records(b->nic)[i];
        assert_int_equal(r->fate == NIC_LOST, i >= BATCHED + 8);
        assert_int_equal(r->departure, r->fate == NIC_LOST ? r->arrival : 0);
    }
    bench_destroy(b);
}

/* A wire that is held when the NIC is closed has been held until then. */
static void a_held_wire_is_closed(void **state)
{
    (void)state;
    struct bench *b = bench_create(300, 1000, 1000, 0, 1);
    b->config.rx_buffer_bytes = 8000;
    b->frozen = true;
    bench_start(b, true);
    while (!stats_of(b).pauses)
        bench_step(b);
    uint64_t since = b->cycle - 1;
    while (b->cycle < since + 50000)
        bench_step(b);
    assert_int_equal(stats_of(b).pause_cycles, 0);
    nic_close(b->nic, since + 50000);
    assert_int_equal(stats_of(b).pause_cycles, 50000);
    bench_destroy(b);
}

/* 300 packets per second at 1 kHz: a packet takes 1000 tokens, of which 300 come in a cycle. */
static struct nic *metered(bool drop)
{
    struct nic *n = ALLOC(struct nic);
    n->config =
        (struct nic_config){.core_khz = 1, .drop = drop, .meter = {.rate = 300, .burst = 2}};
    n->capture.count = 16;
    packets_init(n);
    meter_init(n);
    return n;
}

static void free_metered(struct nic *n)
{
    meter_free(n);
    packets_free(n);
    free(n);
}

struct arrival {
    uint64_t cycle, release;
    bool over;
};

static void packets_are_held_for_their_tokens(void **state)
{
    (void)state;
    static const struct arrival rows[] = {
        {0, 0, false},       {0, 0, false},     /* the burst */
        {0, 4, true},                           /* -1000 */
        {4, 7, true},                           /* -1000 + 1200 - 1000 = -800 */
        {9, 10, true},                          /* -800 + 1500 - 1000 = -300 */
        {1000, 1000, false},                    /* full: 1000 are left */
        {1003, 1003, false}, {1003, 1004, true} /* 1900, 900, -100 */
    };
    struct nic *n = metered(false);
    for (uint32_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        assert_true(meter_arrival(n, i, rows[i].cycle));
        assert_int_equal(meter_release(n, i), rows[i].release);
        assert_int_equal(n->packets.record[i].over_rate, rows[i].over);
    }
    assert_int_equal(n->packets.stats.over_rate, 4);
    free_metered(n);
}

/* A packet that is dropped takes no tokens. */
static void packets_are_dropped_without_tokens(void **state)
{
    (void)state;
    static const struct arrival rows[] = {{0, 0, false}, {0, 0, false}, {0, 0, true},
                                          {3, 0, true},  {4, 4, false}, {4, 0, true}};
    struct nic *n = metered(true);
    for (uint32_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        assert_int_equal(meter_arrival(n, i, rows[i].cycle), !rows[i].over);
        assert_int_equal(meter_release(n, i), rows[i].release);
    }
    free_metered(n);
}

/* Nothing else happens when the token comes: 10000 packets per second at 1 GHz. */
static void the_nic_wakes_for_a_token(void **state)
{
    (void)state;
    struct bench *b = bench_create(4, 60, 60, 0, 1);
    b->config.meter = (struct nic_meter){.rate = 10000, .burst = 1};
    b->config.layout.batch = 1;
    bench_start(b, true);
    bench_finish(b);
    uint32_t batches;
    const struct nic_batch *batch = nic_batches(b->nic, &batches);
    assert_int_equal(batches, 4);
    for (uint64_t i = 0; i < 4; i++)
        assert_int_equal(batch[i].signalled, 68 + i * 100000); /* the first one is off the wire */
    bench_destroy(b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_buffer_fills_to_its_last_byte),
        cmocka_unit_test(a_held_wire_is_closed),
        cmocka_unit_test(the_nic_wakes_for_a_token),
        cmocka_unit_test(packets_are_held_for_their_tokens),
        cmocka_unit_test(packets_are_dropped_without_tokens),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
