/* Copies in the driver: those that wait for full/empty bits, copy engines, and the driver's own
 * time for a copy. */
#include "tests/host/driver_watch.h"

#include "base/rng.h"

/* --- full/empty bits, engines, and the driver's time for copies ---------------------------------
 */

static struct driver_call waiting_copy(enum driver_kind kind, uint32_t stream, void *host,
                                       uint64_t bytes, struct watch *w)
{
    struct driver_call c = call_of(kind, stream, w);

    c.host = host;
    c.bytes = bytes;
    c.trigger = 1;
    return c;
}

/* Copies that wait for words hold their streams and nothing else: not the engine, not the link, not
 * the driver; they make no more requests than their window and memory have room for. */
static void waiting_copies_hold_only_their_streams(void **state)
{
    (void)state;
    for (int out = 0; out < 2; out++) {
        struct driver_config config = fe_table2();
        config.copy_alone = true;
        struct fake_gpu *g = fake_create(config);
        enum driver_kind kind = out ? DRIVER_COPY_OUT : DRIVER_COPY_IN;
        struct watch waits[2] = {0}, behind = {0}, beside[2] = {0};
        uint8_t *data = calloc(2, 65536);

        g->places = 60;
        for (uint32_t i = 0; i < 2; i++) {
            struct driver_call c = waiting_copy(kind, i, data + i * 65536, 65536, &waits[i]);
            c.device = i * 65536u;
            call(g, &c);
        }
        launch(g, 0, 10, &behind);
        copy(g, DRIVER_COPY_IN, 2, 300000, data, 65536, &beside[0]);
        copy(g, DRIVER_COPY_OUT, 3, 400000, data, 65536, &beside[1]);
        while (g->cycle < 100000)
            fake_step(g);
        assert_true(beside[0].times.seen && beside[1].times.seen);
        assert_false(waits[0].times.finished || waits[1].times.finished || behind.times.started);
        assert_int_equal(g->most_held, 60);
        g->open = true;
        fake_run_dry(g);
        assert_true(behind.times.started >= waits[0].times.finished);
        free(data);
        fake_destroy(g);
    }
}

/* One of them alone: as many requests as its window. */
static void a_waiting_copy_keeps_to_its_window(void **state)
{
    (void)state;
    for (int out = 0; out < 2; out++) {
        struct fake_gpu *g = fake_create(fe_table2());
        struct watch w = {0};
        uint8_t *data = calloc(1, 65536);
        struct driver_call c =
            waiting_copy(out ? DRIVER_COPY_OUT : DRIVER_COPY_IN, 0, data, 65536, &w);

        c.device = 131072;
        call(g, &c);
        while (g->cycle < 50000)
            fake_step(g);
        assert_int_equal(g->n_held, DRIVER_WAIT_WINDOW / DRIVER_LINE_BYTES);
        /* The rest of it has not asked memory yet, and nothing else knows of it. */
        uint64_t asked = c.device + DRIVER_WAIT_WINDOW;
        assert_int_equal(driver_pending_copies(g->driver, asked - 4, c.action), 0);
        assert_int_equal(driver_pending_copies(g->driver, asked, c.action), 1);
        assert_int_equal(driver_pending_copies(g->driver, asked, (uint8_t)(c.action + 1)), 0);
        assert_int_equal(driver_pending_copies(g->driver, c.device + 65536, c.action), 0);
        g->open = true;
        fake_run_dry(g);
        assert_int_equal(driver_pending_copies(g->driver, asked, c.action), 0);
        free(data);
        fake_destroy(g);
    }
}

static uint64_t both_ways(uint32_t engines, bool bulk)
{
    struct driver_config config = fe_table2();
    config.copy_engines = engines;
    config.copy_prepare_ns = 10;
    struct fake_gpu *g = fake_create(config);
    struct watch in = {0}, out = {0};
    uint8_t *data = calloc(2, 131072);

    copy(g, bulk ? DRIVER_BULK_IN : DRIVER_COPY_IN, 0, 0, data, 131072, &in);
    copy(g, bulk ? DRIVER_BULK_OUT : DRIVER_COPY_OUT, 1, 131072, data + 131072, 131072, &out);
    fake_run_dry(g);
    if (engines == 1)
        assert_true(out.times.seen > in.times.finished + 20480);
    free(data);
    uint64_t time = g->cycle;
    fake_destroy(g);
    return time;
}

/* 131072 bytes take 20480 cycles of the link. */
static void one_engine_serialises_both_directions(void **state)
{
    (void)state;
    for (int bulk = 0; bulk < 2; bulk++) {
        assert_in_range(both_ways(2, bulk), 20480, 20480 + 5000);
        assert_in_range(both_ways(1, bulk), 2 * 20480, 2 * 20480 + 5000);
    }
}

/* Random copies of all kinds on one engine, some of which wait for a while. */
static void one_engine_and_waits_at_random(void **state)
{
    struct driver_config config = fe_table2();
    struct watch w[60];
    uint8_t *data = calloc(1, 65536);
    struct rng rng;

    (void)state;
    config.copy_engines = 1;
    config.copy_alone = true;
    config.copy_prepare_ns = 100;
    config.bulk_memory_ns = 50;
    rng_seed(&rng, 7);
    memset(w, 0, sizeof w);
    struct fake_gpu *g = fake_create(config);
    g->places = 20;
    g->room = 30;
    for (uint32_t i = 0; i < 60; i++) {
        struct driver_call c = call_of((enum driver_kind)rng_below(&rng, 4), i % 8, &w[i]);
        c.host = data;
        c.bytes = 4 + 4 * rng_below(&rng, 5000);
        c.device = 4 * rng_below(&rng, 100000);
        c.trigger = c.kind <= DRIVER_COPY_OUT && rng_chance(&rng, 1, 2);
        call(g, &c);
        for (uint32_t n = rng_below(&rng, 3000); n; n--) {
            g->open = rng_chance(&rng, 1, 50);
            fake_step(g);
        }
    }
    g->open = true;
    fake_run_dry(g);
    for (uint32_t i = 0; i < 60; i++)
        assert_true(w[i].times.seen > 0 && w[i].times.seen < CYCLE_NEVER);
    free(data);
    fake_destroy(g);
}

/* Figure 9: two halves take the driver's time for one call longer than the whole, whatever the
 * size. Where copies are prepared while others are on the link, a long one hides it. */
static uint64_t in_parts(uint32_t parts, uint64_t bytes, bool alone, enum driver_kind kind)
{
    struct driver_config config = fe_table2();
    struct watch w[2] = {0}, s = {0};
    struct driver_call sync = call_of(DRIVER_SYNC, 0, &s);
    uint8_t *data = calloc(1, bytes);

    config.copy_alone = alone;
    config.bulk_memory_ns = 100;
    struct fake_gpu *g = fake_create(config);
    g->ack_delay = 100;
    for (uint32_t i = 0; i < parts; i++)
        copy(g, kind, 0, i * bytes / parts, data, bytes / parts, &w[i]);
    call(g, &sync);
    fake_run_dry(g);
    free(data);
    fake_destroy(g);
    return s.returned;
}

static void two_halves_show_the_driver_s_time(void **state)
{
    (void)state;
    for (uint64_t bytes = 512; bytes <= 524288; bytes *= 4) {
        for (int k = 0; k < 2; k++) {
            enum driver_kind kind = k ? DRIVER_BULK_IN : DRIVER_COPY_IN;
            uint64_t whole = in_parts(1, bytes, true, kind);
            assert_in_range(in_parts(2, bytes, true, kind), whole + 5850, whole + 6100);
            if (bytes > 200000)
                assert_in_range(in_parts(2, bytes, false, kind), whole, whole + 1000);
        }
    }
}

static uint64_t bulk_finished(uint32_t memory_ns)
{
    struct driver_config config = fe_table2();
    struct watch w = {0};
    uint8_t *data = calloc(1, 8192);

    config.bulk_memory_ns = memory_ns;
    struct fake_gpu *g = fake_create(config);
    copy(g, DRIVER_BULK_IN, 0, 0, data, 8192, &w);
    fake_run_dry(g);
    free(data);
    fake_destroy(g);
    return w.times.finished;
}

/* To the cycle. */
static void bulk_copies_settle_in_memory(void **state)
{
    const struct driver_config config = fe_table2();

    (void)state;
    for (uint32_t ns = 100; ns < 110; ns++)
        assert_int_equal(bulk_finished(ns) - bulk_finished(0),
                         rate_ns_to_cycles(ns, config.core_khz));
}

/* The data are there when the last request is done, in either direction; bulk copies follow the
 * same line where the machine says what memory adds. */
static void bulk_copies_take_as_long_as_requests(void **state)
{
    (void)state;
    for (int out = 0; out < 2; out++) {
        uint64_t seen[2];
        for (int bulk = 0; bulk < 2; bulk++) {
            struct driver_config config = fe_table2();
            struct watch w = {0};
            uint8_t *data = calloc(1, 262144);
            config.bulk_memory_ns = 176;
            struct fake_gpu *g = fake_create(config);
            g->ack_delay = g->read_delay = 176;
            copy(g,
                 bulk ? (out ? DRIVER_BULK_OUT : DRIVER_BULK_IN)
                      : (out ? DRIVER_COPY_OUT : DRIVER_COPY_IN),
                 0, 0, data, 262144, &w);
            fake_run_dry(g);
            seen[bulk] = w.times.seen;
            free(data);
            fake_destroy(g);
        }
        assert_in_range(seen[1], seen[0] - 20, seen[0] + 20);
    }
}

/* Pieces end where the device's blocks do: 512 bytes from 4 bytes behind one are three packets. The
 * data move from the first piece that arrives on. */
static void copies_keep_to_blocks(void **state)
{
    (void)state;
    for (int out = 0; out < 2; out++) {
        struct fake_gpu *g = fake_create(fe_table2());
        struct watch w = {0}, large = {0};
        struct pcie_direction_stats before, after;
        uint8_t *data = calloc(1, 262144);
        enum driver_kind kind = out ? DRIVER_COPY_OUT : DRIVER_COPY_IN;

        g->ack_delay = g->read_delay = 100;
        pcie_stats(g->link, !out, &before);
        copy(g, kind, 0, 260, data, 512, &w);
        fake_run_dry(g);
        pcie_stats(g->link, !out, &after);
        assert_int_equal(after.write_bytes - before.write_bytes, 512);
        assert_int_equal(after.writes - before.writes, 3);
        copy(g, kind, 0, 0, data, 262144, &large);
        fake_run_dry(g);
        /* 280 bytes on the link for 256 of the copy, at 7 bytes in a cycle. */
        assert_in_range(large.times.finished - large.times.moving, 262144 / 256 * 40 - 40,
                        262144 / 256 * 40 + 1000);
        free(data);
        fake_destroy(g);
    }
}

static void a_call_that_waits_has_a_prepare_time_of_its_own(void **state)
{
    struct driver_config config = fe_table2();
    struct watch w = {0};
    uint8_t data[4] = {0};

    (void)state;
    config.copy_wait_ns = 5000;
    struct fake_gpu *g = fake_create(config);
    struct driver_call c = call_of(DRIVER_COPY_IN, 0, &w);
    c.host = data;
    c.bytes = 4;
    c.blocking = true;
    call(g, &c);
    fake_run_dry(g);
    assert_int_equal(w.times.prepared, 6200);
    fake_destroy(g);
}

static void threads_share_one_driver(void **state)
{
    (void)state;
    for (int one = 0; one < 2; one++) {
        struct driver_config config = fe_table2();
        struct watch w[2] = {0};
        config.threads = config.prepare_units = 0;
        config.one_unit = one;
        struct fake_gpu *g = fake_create(config);
        for (uint32_t i = 0; i < 2; i++) {
            uint32_t thread = 99;
            assert_true(driver_add_thread(g->driver, &thread, NULL));
            struct driver_call c = call_of(DRIVER_LAUNCH, i, &w[i]);
            c.thread = thread;
            call(g, &c);
        }
        fake_run_dry(g);
        assert_int_equal(w[0].times.prepared, 4500);
        assert_int_equal(w[1].times.prepared, one ? 7500 : 4500);
        fake_destroy(g);
    }
}

/* Sixteen copies of a gigabyte take as long as short ones once they are cut, wherever they have got
 * to; that of the other thread ends, too. */
static void cut_copies_end_soon(void **state)
{
    (void)state;
    for (uint32_t at = 0; at < 40000; at += 997) {
        struct driver_config config = fe_table2();
        config.copy_engines = 1 + at % 2;
        struct watch w[16] = {0}, other = {0};
        struct fake_gpu *g = fake_create(config);
        for (uint32_t i = 0; i < 16; i++) {
            struct driver_call c = call_of((enum driver_kind)(i % 4), i % 8, &w[i]);
            c.bytes = 1u << 30;
            c.device = i << 12;
            call(g, &c);
        }
        struct driver_call c = call_of(DRIVER_BULK_IN, 1, &other);
        c.thread = 1;
        c.bytes = 10000;
        call(g, &c);
        while (g->cycle < at)
            fake_step(g);
        driver_cut_copies(g->driver, 0);
        fake_run_dry(g);
        assert_in_range(g->cycle, 0, at + 150000);
        assert_true(other.times.seen);
        struct driver_stats stats;
        driver_get_stats(g->driver, &stats);
        assert_int_equal(stats.copies_in + stats.copies_out, 17);
        fake_destroy(g);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(waiting_copies_hold_only_their_streams),
        cmocka_unit_test(a_waiting_copy_keeps_to_its_window),
        cmocka_unit_test(one_engine_serialises_both_directions),
        cmocka_unit_test(one_engine_and_waits_at_random),
        cmocka_unit_test(two_halves_show_the_driver_s_time),
        cmocka_unit_test(bulk_copies_settle_in_memory),
        cmocka_unit_test(bulk_copies_take_as_long_as_requests),
        cmocka_unit_test(copies_keep_to_blocks),
        cmocka_unit_test(a_call_that_waits_has_a_prepare_time_of_its_own),
        cmocka_unit_test(threads_share_one_driver),
        cmocka_unit_test(cut_copies_end_soon),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
