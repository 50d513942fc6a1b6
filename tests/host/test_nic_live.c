/* The NIC on a live wire: packets come while it works, and the run is that of their capture. */
#include "tests/host/nic_bench.h"

#define LOOK 700u /* cycles between two looks at the wire */

/* Random stamps and bursts; every packet's is a whole nanosecond, which is a cycle here. */
static struct bench *traffic(uint64_t seed, uint32_t count)
{
    struct bench *b = bench_create(count, 60, 600, 0, seed);
    uint64_t at = 0;

    for (uint32_t i = 0; i < count; i++) {
        at += rng_below(&b->rng, 4) ? rng_below(&b->rng, 50) : rng_below(&b->rng, 30000);
        b->packets[i].timestamp_ns = at;
    }
    b->config.pace = NIC_PACE_START;
    return b;
}

static void replay(struct bench *b, uint64_t open_ns)
{
    b->config.open_ns = open_ns;
    bench_start(b, true);
    bench_finish(b);
    bench_check(b);
}

static void departs(void *user, uint32_t packet)
{
    ++*(uint32_t *)user;
    (void)packet;
}

/* What is there by the next look comes in by this one, at its stamp; the last one closes the wire,
 * or the time does. */
static void live(struct bench *b, uint64_t open_ns)
{
    uint32_t count = b->capture.count, departed = 0, known = 0;
    struct nic_stats stats;

    b->capture.packet_room = count;
    b->capture.byte_room = b->capture.size;
    b->capture.count = 0;
    b->capture.size = 0;
    b->config.departs = departs;
    b->config.user = &departed;
    bench_start(b, true);
    b->capture.count = count;
    b->capture.size = b->capture.byte_room;
    assert_int_equal(nic_wire_start(b->nic), 0);
    while (!nic_finished(b->nic)) {
        bool look = b->cycle % LOOK == 0 && known < count;

        while (look && known < count && b->packets[known].timestamp_ns < b->cycle + LOOK) {
            assert_true(nic_arrives(b->nic));
            known++;
        }
        if (look && known == count)
            nic_close_wire(b->nic, open_ns ? open_ns : b->packets[count - 1].timestamp_ns);
        bench_step(b);
    }
    bench_check(b);
    nic_get_stats(b->nic, &stats);
    assert_int_equal(departed, stats.forwarded);
}

static void a_live_wire_is_its_capture(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 6; seed++) {
        struct bench *a = traffic(seed, 300), *b = traffic(seed, 300);
        uint64_t open_ns = seed & 1 ? 0 : a->packets[299].timestamp_ns + 100000 * seed;

        a->config.rx_buffer_bytes = b->config.rx_buffer_bytes = seed > 4 ? 2000 : 65536;
        replay(a, open_ns);
        live(b, open_ns);
        assert_memory_equal(nic_records(a->nic), nic_records(b->nic),
                            300 * sizeof(struct nic_record));
        assert_int_equal(a->cycle, b->cycle);
        bench_destroy(a);
        bench_destroy(b);
    }
}

static void an_open_wire_is_not_finished(void **state)
{
    struct bench *b = traffic(7, 10);

    (void)state;
    replay(b, 500000);
    assert_int_equal(b->cycle, 500001);
    bench_destroy(b);
}

static void a_live_wire_without_packets_ends(void **state)
{
    struct bench *b = traffic(8, 1);

    (void)state;
    b->capture = (struct nic_capture){
        .packets = b->packets, .bytes = b->bytes, .packet_room = 1, .byte_room = 600};
    bench_start(b, true);
    for (int i = 0; i < 1000; i++)
        bench_step(b);
    assert_false(nic_finished(b->nic));
    nic_close_wire(b->nic, b->cycle);
    bench_finish(b);
    assert_int_equal(b->cycle, 1001);
    bench_destroy(b);
}

static void waits_for(const struct bench *b, const char *what)
{
    char text[64];
    nic_describe(b->nic, text, sizeof text);
    assert_string_equal(text, what);
}

static void it_says_what_it_waits_for(void **state)
{
    (void)state;
    for (int live = 0; live < 2; live++) {
        struct bench *b = bench_create(2, 60, 60, 0, 3);
        b->packets[1].timestamp_ns = 100000;
        b->config.pace = NIC_PACE_START;
        b->config.layout.batch = 2;
        b->config.open_ns = live ? 0 : 200000;
        b->capture.packet_room = live ? 3 : 0;
        b->capture.byte_room = b->capture.size + 60;
        bench_start(b, true);
        waits_for(b, live ? "waits for packet 1" : "waits for packet 1 of 2");
        while (b->cycle < 10000)
            bench_step(b);
        waits_for(b, "waits for the rest of a batch");
        while (b->cycle < 26000)
            bench_step(b);
        waits_for(b, "waits for completions");
        while (b->cycle < 99000)
            bench_step(b);
        waits_for(b, live ? "waits for packet 2" : "waits for packet 2 of 2");
        while (b->cycle < 150000)
            bench_step(b);
        waits_for(b, live ? "waits for packet 3" : "waits for its wire to close");
        if (live)
            nic_close_wire(b->nic, b->cycle);
        bench_finish(b);
        waits_for(b, "finished");
        bench_destroy(b);
    }
}

static void a_closed_queue_takes_nothing(void **state)
{
    struct bench *b = traffic(9, 1);

    (void)state;
    b->capture.count = 0;
    b->capture.packet_room = 1;
    b->capture.byte_room = b->capture.size;
    bench_start(b, true);
    nic_close(b->nic, b->cycle);
    assert_false(nic_arrives(b->nic));
    bench_finish(b);
    bench_destroy(b);
}

static void a_live_wire_has_stamps(void **state)
{
    struct bench *b = traffic(10, 1);
    struct error err = {0};

    (void)state;
    bench_start(b, true);
    b->config.pace = NIC_PACE_TIMESTAMPS;
    b->capture.packet_room = 1;
    assert_null(nic_create(&b->config, &b->capture, &err));
    assert_non_null(strstr(err.text, "live wire"));
    bench_destroy(b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_live_wire_is_its_capture),
        cmocka_unit_test(an_open_wire_is_not_finished),
        cmocka_unit_test(a_live_wire_without_packets_ends),
        cmocka_unit_test(it_says_what_it_waits_for),
        cmocka_unit_test(a_closed_queue_takes_nothing),
        cmocka_unit_test(a_live_wire_has_stamps),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
