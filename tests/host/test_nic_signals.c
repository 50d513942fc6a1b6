/* The NIC's signals that are no doorbells of events: words that count up, and packets of a
 * user-level queue. */
#include "tests/host/nic_bench.h"

static void words_count_rounds(void **state)
{
    struct bench *b = bench_create(2000, 60, 300, 0, 4);

    (void)state;
    b->config.signal.kind = NIC_SIGNAL_ROUND;
    b->service_max = 9000;
    bench_start(b, false);
    bench_finish(b);
    bench_check(b);
    assert_true(b->doorbells > 10 * b->config.entries);
    bench_destroy(b);
}

/* Behind each doorbell a second one with the same value, also where the GPU refuses some. */
static void a_second_doorbell_follows_each(void **state)
{
    struct bench *b = bench_create(2000, 60, 300, 0, 5);
    struct error err = {.set = false};

    (void)state;
    b->twice = true;
    b->refuse_percent = 30;
    b->service_max = 9000;
    bench_start(b, false);
    bench_finish(b);
    bench_check(b);
    assert_int_equal(b->also, b->doorbells);
    b->config.when = NIC_SIGNAL_FIRST;
    assert_null(nic_create(&b->config, &b->capture, &err));
    assert_non_null(strstr(err.text, "second signal"));
    bench_destroy(b);
}

/* A packet for each entry, with its number. */
static struct bench *queue_bench(uint8_t *packets, uint32_t ring, uint64_t seed)
{
    struct bench *b = bench_create(1500, 60, 300, 0, seed);

    for (uint32_t i = 0; i < b->config.entries * AQL_PACKET_BYTES; i++)
        packets[i] = (uint8_t)(7 * i + i / AQL_PACKET_BYTES);
    b->config.signal.kind = NIC_SIGNAL_QUEUE;
    b->config.queue = (struct nic_queue){.ring = RING, .packets = ring, .packet = packets};
    b->service_max = 9000;
    return b;
}

/* The GPU takes each packet 200 cycles after its doorbell. */
static void run_queue(struct bench *b)
{
    uint32_t told = 0;

    while (!nic_finished(b->nic)) {
        bench_step(b);
        if (told < b->doorbells && b->doorbell_at[told] + 200 <= b->cycle &&
            gpu_tell(b, FLAGS + 8 * b->config.entries, told + 1, 8))
            told++;
    }
}

static void packets_go_round_the_ring(void **state)
{
    uint8_t packets[4 * AQL_PACKET_BYTES];

    (void)state;
    for (uint32_t ring = 1; ring <= 16; ring *= 2) {
        struct bench *b = queue_bench(packets, ring, ring);
        struct nic_stats s;

        bench_start(b, true);
        run_queue(b);
        bench_check(b);
        nic_get_stats(b->nic, &s);
        assert_int_equal(s.bad_completions, 0);
        bench_destroy(b);
    }
}

/* Without read indices the ring stays full, whatever has ended. */
static void a_full_ring_is_waited_for(void **state)
{
    uint8_t packets[4 * AQL_PACKET_BYTES];
    struct bench *b = queue_bench(packets, 2, 9);

    (void)state;
    bench_start(b, true);
    while (b->cycle < 300000)
        bench_step(b);
    assert_int_equal(b->doorbells, 2);
    assert_true(gpu_tell(b, FLAGS + 8 * b->config.entries, 1, 8));
    while (b->cycle < 400000)
        bench_step(b);
    assert_int_equal(b->doorbells, 3);
    assert_true(gpu_tell(b, FLAGS + 8 * b->config.entries, 3, 8));
    while (b->doorbells < 5)
        bench_step(b);
    bench_destroy(b);
}

static void other_writes_change_nothing(void **state)
{
    uint8_t packets[4 * AQL_PACKET_BYTES];
    struct bench *b = queue_bench(packets, 4, 10);
    const uint64_t index = FLAGS + 8 * b->config.entries;
    struct nic_stats s;

    (void)state;
    b->frozen = true;
    bench_start(b, true);
    while (b->doorbells < 2)
        bench_step(b);
    assert_true(gpu_tell(b, FLAGS + 8 * 3, 0, 8)); /* was not signalled */
    assert_true(gpu_tell(b, FLAGS, 5, 8));         /* no end */
    assert_true(gpu_tell(b, FLAGS + 4, 0, 4));     /* half a signal */
    assert_true(gpu_tell(b, FLAGS + 4, 0, 8));     /* misaligned */
    assert_true(gpu_tell(b, index, 99, 8));        /* more than has been written */
    assert_true(gpu_tell(b, index + 8, 1, 8));     /* behind it */
    for (uint32_t i = 0; i < 2000; i++)
        bench_step(b);
    nic_get_stats(b->nic, &s);
    assert_int_equal(s.bad_completions, 6);
    b->frozen = false;
    run_queue(b);
    bench_check(b);
    bench_destroy(b);
}

static void a_ring_is_a_power_of_two(void **state)
{
    uint8_t packets[4 * AQL_PACKET_BYTES] = {0};
    struct bench *b = queue_bench(packets, 4, 1);
    struct error err = {.set = false};

    (void)state;
    bench_start(b, true);
    b->config.queue.packets = 3;
    assert_null(nic_create(&b->config, &b->capture, &err));
    assert_non_null(strstr(err.text, "power of two"));
    bench_destroy(b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_second_doorbell_follows_each),
        cmocka_unit_test(words_count_rounds),
        cmocka_unit_test(packets_go_round_the_ring),
        cmocka_unit_test(a_full_ring_is_waited_for),
        cmocka_unit_test(other_writes_change_nothing),
        cmocka_unit_test(a_ring_is_a_power_of_two),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
