/* Doorbells before their data: order on the link, empty slots, and the same packets in the end. */
#include "sw/edge/edge_device.h"
#include "tests/host/nic_bench.h"

#define FLUSH 20000u /* plain() */

/* Events last so long that all of their packets are there in the end, as full/empty bits would have
 * it. */
static struct bench *early(uint32_t count, uint64_t gap_ns, enum nic_signal_time when)
{
    struct bench *b = bench_create(count, 60, 300, gap_ns, 11);

    b->config.when = when;
    b->late = true;
    b->service_min = b->service_max = FLUSH + 10000;
    return b;
}

static const struct nic_batch *batch_of(struct bench *b, uint32_t number)
{
    uint32_t n;
    const struct nic_batch *batches = nic_batches(b->nic, &n);

    assert_true(number < n);
    return &batches[number];
}

/* 100 ns apart: the signal goes with the first packet, 31 packets before the last one. */
static void the_first_packet_rings(void **state)
{
    struct bench *b = early(32, 100, NIC_SIGNAL_FIRST);

    (void)state;
    bench_start(b, true);
    bench_finish(b);
    bench_check(b);
    assert_int_equal(batch_of(b, 0)->signalled, batch_of(b, 0)->first_arrival);
    assert_int_equal(batch_of(b, 0)->filled, nic_records(b->nic)[31].arrival);
    assert_int_equal(b->counts[0], 32);
    bench_destroy(b);
}

/* The batch stays incomplete: its count was promised, and the other slots have packets of length 0.
 */
static void slots_without_packets_are_filled(void **state)
{
    struct bench *b = early(5, 100, NIC_SIGNAL_FIRST);
    const struct nic_layout *l = &b->config.layout;
    struct nic_stats stats;

    (void)state;
    bench_start(b, true);
    memset(b->memory + b->entry[0].input, 0xEE, (size_t)l->batch * l->slot_stride);
    bench_finish(b);
    bench_check(b);
    assert_int_equal(b->counts[0], 32);
    assert_int_equal(batch_of(b, 0)->count, 5);
    assert_int_equal(batch_of(b, 0)->filled, batch_of(b, 0)->first_arrival + FLUSH);
    for (uint32_t i = 5; i < 32; i++) {
        const uint8_t *slot = b->memory + b->entry[0].input + i * l->slot_stride;
        for (uint32_t k = 0; k < 64; k++)
            assert_int_equal(slot[k], 0);
        assert_int_equal(slot[64], 0xEE);
    }
    nic_get_stats(b->nic, &stats);
    assert_int_equal(stats.partial_batches, 1);
    bench_destroy(b);
}

/* All have come while the queue had no free entry: one signal before 32 packets. */
static void a_decided_batch_rings_before_its_packets(void **state)
{
    struct bench *b = early(64, 0, NIC_SIGNAL_DECIDED);

    (void)state;
    b->config.entries = 1;
    bench_start(b, true);
    bench_finish(b);
    bench_check(b);
    assert_int_equal(batch_of(b, 1)->signalled, batch_of(b, 0)->freed);
    /* Count and doorbell, 28 bytes each at 7 GB/s, and no data before them. */
    assert_int_equal(b->doorbell_at[1], batch_of(b, 1)->signalled + (28 + 28 + 6) / 7 + 350);
    bench_destroy(b);
}

/* A batch that time decides says how many there are. */
static void a_partial_batch_is_decided_by_time(void **state)
{
    struct bench *b = early(5, 100, NIC_SIGNAL_DECIDED);

    (void)state;
    bench_start(b, true);
    bench_finish(b);
    bench_check(b);
    assert_int_equal(b->counts[0], 5);
    assert_int_equal(batch_of(b, 0)->signalled, batch_of(b, 0)->first_arrival + FLUSH);
    bench_destroy(b);
}

static void random_traffic_comes_through(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 8; seed++) {
        struct bench *b = early(700, 0, seed & 1 ? NIC_SIGNAL_FIRST : NIC_SIGNAL_DECIDED);
        uint64_t at = 0;

        for (uint32_t i = 0; i < 700; i++) {
            at += rng_below(&b->rng, 8) ? rng_below(&b->rng, 300) : rng_below(&b->rng, 30000);
            b->packets[i].timestamp_ns = at;
        }
        b->config.entries = 1 + (uint32_t)seed;
        b->refuse_percent = 20;
        bench_start(b, true);
        bench_finish(b);
        bench_check(b);
        bench_destroy(b);
    }
}

/* An event that ends before its packets have come (an abort) is not taken for complete. */
static void an_early_end_waits_for_the_packets(void **state)
{
    struct bench *b = early(32, 300, NIC_SIGNAL_FIRST);

    (void)state;
    b->service_min = b->service_max = 2000;
    b->frozen = true;
    bench_start(b, true);
    while (b->cycle < 3000)
        bench_step(b);
    assert_true(gpu_tell(b, FLAGS, EDGE_ABORTED, 4));
    while (b->cycle < 8000)
        bench_step(b);
    assert_false(nic_finished(b->nic));
    bench_finish(b);
    assert_int_equal(nic_records(b->nic)[31].fate, NIC_ABORTED);
    assert_int_equal(batch_of(b, 0)->count, 32);
    bench_destroy(b);
}

static void only_doorbells_come_before_their_data(void **state)
{
    struct bench *b = early(1, 0, NIC_SIGNAL_FIRST);
    struct error err = {0};

    (void)state;
    bench_start(b, true);
    b->config.meter = (struct nic_meter){.rate = 1000, .burst = 1};
    assert_null(nic_create(&b->config, &b->capture, &err));
    assert_non_null(strstr(err.text, "before its data"));
    bench_destroy(b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_first_packet_rings),
        cmocka_unit_test(slots_without_packets_are_filled),
        cmocka_unit_test(a_decided_batch_rings_before_its_packets),
        cmocka_unit_test(a_partial_batch_is_decided_by_time),
        cmocka_unit_test(random_traffic_comes_through),
        cmocka_unit_test(an_early_end_waits_for_the_packets),
        cmocka_unit_test(only_doorbells_come_before_their_data),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
