/* Driver calls: stage times against closed forms, order within streams, overlap between them, data.
 */
#include "tests/host/driver_watch.h"

#include "base/rng.h"

/* 2 cycles per nanosecond would hide a factor; 1 GHz keeps the paper's numbers readable. */
#define COMMAND_WIRE 13u /* (64 + 24) bytes at 7 GB/s */
#define WORD_WIRE    4u  /* (4 + 24) bytes */
#define LATENCY      350u

static void copy_in_takes_its_stages(void **state)
{
    struct fake_gpu *g = fake_create(fe_table2());
    struct watch w = {0};
    uint8_t *data = malloc(131072);

    (void)state;
    for (uint32_t i = 0; i < 131072; i++)
        data[i] = (uint8_t)(i * 13 >> 3);
    g->ack_delay = 100;
    copy(g, DRIVER_COPY_IN, 0, 4096, data, 131072, &w);
    fake_run_dry(g);
    assert_int_equal(w.returned, 1200);
    assert_int_equal(w.times.enqueued, 1200);
    assert_int_equal(w.times.prepared, 7200);
    assert_int_equal(w.times.started, 7200);
    /* 512 TLPs of 280 bytes at 7 GB/s: 20,480 cycles. */
    assert_int_equal(w.times.finished, 7200 + 20480 + LATENCY + 100);
    assert_int_equal(w.times.seen, w.times.finished + WORD_WIRE + LATENCY);
    assert_memory_equal(g->memory + 4096, data, 131072);
    free(data);
    fake_destroy(g);
}

static void copy_out_takes_its_stages(void **state)
{
    struct fake_gpu *g = fake_create(fe_table2());
    struct watch w = {0};
    uint8_t *data = calloc(1, 100000);

    (void)state;
    for (uint32_t i = 0; i < 100000; i++)
        g->memory[i] = (uint8_t)(i * 7 >> 2);
    copy(g, DRIVER_COPY_OUT, 3, 5, data, 99990, &w);
    fake_run_dry(g);
    assert_int_equal(w.times.started, 7200 + COMMAND_WIRE + LATENCY);
    /* The first line is there alone, one cycle later; its 123 bytes share no packet. The others
     * come faster than the link takes them: 256 bytes in a packet, as the blocks of the address
     * say. */
    assert_in_range(w.times.seen - w.times.started, (99990 + 391 * 24) / 7 + LATENCY,
                    (99990 + 391 * 24) / 7 + LATENCY + 40);
    assert_memory_equal(data, g->memory + 5, 99990);
    free(data);
    fake_destroy(g);
}

/* Slow memory: as many requests as the window has, then none until the data have left. */
static void copy_out_keeps_to_its_window(void **state)
{
    struct fake_gpu *g = fake_create(fe_table2());
    struct watch w = {0};
    uint8_t *data = calloc(1, 131072);

    (void)state;
    for (uint32_t i = 0; i < 131072; i++)
        g->memory[i] = (uint8_t)(i * 5 >> 1);
    g->read_delay = 50000;
    copy(g, DRIVER_COPY_OUT, 0, 0, data, 131072, &w);
    while (g->cycle < 50000)
        fake_step(g);
    assert_int_equal(g->requests_count, DRIVER_COPY_WINDOW / DRIVER_LINE_BYTES);
    fake_run_dry(g);
    assert_in_range(w.times.seen - w.times.started, 4 * 50000, 4 * 50000 + 21000);
    assert_memory_equal(data, g->memory, 131072);
    free(data);
    fake_destroy(g);
}

struct steps {
    uint64_t started, finished;
    uint32_t id;
    struct fake_gpu *gpu;
    struct watch watch;
};

static void step_started(void *user, uint64_t cycle, uint32_t id)
{
    ((struct steps *)user)->started = cycle;
    ((struct steps *)user)->id = id;
}

static void step_finished(void *user, uint64_t cycle)
{
    ((struct steps *)user)->finished = cycle;
}

static void step_done(void *user, uint64_t cycle, const struct driver_times *times)
{
    on_done(&((struct steps *)user)->watch, cycle, times);
}

static struct driver_call steps_of(enum driver_kind kind, struct steps *steps)
{
    return (struct driver_call){.kind = kind,
                                .started = step_started,
                                .finished = step_finished,
                                .done = step_done,
                                .user = steps};
}

/* A bulk copy takes the time of the link, in both directions, and none of the memory's. */
static void bulk_copies_take_the_link_s_time(void **state)
{
    (void)state;
    for (int out = 0; out < 2; out++) {
        struct fake_gpu *g = fake_create(fe_table2());
        struct steps s = {0};
        struct driver_call c = steps_of(out ? DRIVER_BULK_OUT : DRIVER_BULK_IN, &s);

        c.bytes = 131072;
        g->ack_delay = 100000;
        call(g, &c);
        fake_run_dry(g);
        assert_int_equal(s.started, 7200);
        assert_int_equal(s.finished, 7200 + 20480 + LATENCY);
        assert_int_equal(s.watch.times.seen, s.finished + (out ? 0 : WORD_WIRE + LATENCY));
        fake_destroy(g);
    }
}

/* Work of the caller's holds its stream until it is done, and no other. */
static void work_holds_its_stream(void **state)
{
    struct fake_gpu *g = fake_create(fe_table2());
    struct steps work = {0}, behind = {0}, beside = {0};
    struct driver_call c = steps_of(DRIVER_WORK, &work);

    (void)state;
    c.immediate = true;
    call(g, &c);
    c = steps_of(DRIVER_BULK_IN, &behind);
    c.bytes = 4096;
    call(g, &c);
    c = steps_of(DRIVER_BULK_OUT, &beside);
    c.bytes = 4096;
    c.stream = 1;
    call(g, &c);
    while (g->cycle < 100000)
        fake_step(g);
    assert_true(work.started <= 1 && work.id && !work.finished);
    assert_int_equal(behind.started, 0);
    assert_true(beside.finished != 0);
    driver_work_done(g->driver, g->cycle, work.id);
    assert_int_equal(work.finished, 100000);
    fake_run_dry(g);
    assert_true(behind.started >= 100000 && behind.finished > behind.started);
    assert_true(work.watch.times.seen > 100000);
    fake_destroy(g);
}

static void launch_takes_its_stages(void **state)
{
    struct fake_gpu *g = fake_create(fe_table2());
    struct watch w = {0}, s = {0};
    struct driver_call sync = call_of(DRIVER_SYNC, 2, &s);

    (void)state;
    launch(g, 2, 777, &w);
    call(g, &sync);
    fake_run_dry(g);
    assert_int_equal(w.returned, 1500);
    assert_int_equal(w.times.prepared, 4500);
    assert_int_equal(w.times.started, 4500 + COMMAND_WIRE + LATENCY);
    assert_int_equal(w.times.finished, w.times.started + 777);
    assert_int_equal(w.times.seen, w.times.finished + WORD_WIRE + LATENCY);
    /* The synchronisation was called at 1500, found the stream busy at 2500, and returned 1 us
     * after the CPU saw the end. */
    assert_int_equal(s.times.called, 1500);
    assert_int_equal(s.times.enqueued, 2500);
    assert_int_equal(s.returned, w.times.seen + 1000);
    fake_destroy(g);
}

static void sync_of_an_empty_stream(void **state)
{
    struct fake_gpu *g = fake_create(fe_table2());
    struct watch w = {0}, s = {0};
    struct driver_call sync = call_of(DRIVER_SYNC, 1, &s);

    (void)state;
    launch(g, 0, 50000, &w); /* another stream does not hold it */
    call(g, &sync);
    fake_run_dry(g);
    assert_int_equal(s.returned, 1500 + 2000);
    fake_destroy(g);
}

/* The driver prepares one command at a time; streams run side by side once prepared. */
static void prepare_is_serial_and_streams_overlap(void **state)
{
    struct fake_gpu *g = fake_create(fe_table2());
    struct watch w[4] = {0};

    (void)state;
    for (uint32_t i = 0; i < 4; i++)
        launch(g, i, 100000, &w[i]);
    fake_run_dry(g);
    for (uint32_t i = 0; i < 4; i++) {
        assert_int_equal(w[i].times.enqueued, 1500 * (i + 1));
        assert_int_equal(w[i].times.prepared, 1500 + 3000 * (i + 1));
        assert_int_equal(w[i].times.finished, w[i].times.started + 100000);
    }
    assert_int_equal(g->most_running, 4);
    fake_destroy(g);
}

/* Copy in, kernel, copy out in one stream: each starts when the one before is complete, the kernel
 * although its command arrived long before. */
static uint8_t seen_by_kernel;

static void look(struct fake_gpu *g, const struct driver_kernel *kernel)
{
    (void)kernel;
    seen_by_kernel = g->memory[200000];
    g->memory[300000] = 99;
}

static void a_stream_runs_in_order(void **state)
{
    struct fake_gpu *g = fake_create(fe_table2());
    struct watch w[3] = {0};
    uint8_t *in = calloc(1, 200001), out[8] = {0};

    (void)state;
    in[200000] = 55;
    g->ack_delay = 500;
    g->on_start = look;
    copy(g, DRIVER_COPY_IN, 0, 0, in, 200001, &w[0]);
    launch(g, 0, 1000, &w[1]);
    copy(g, DRIVER_COPY_OUT, 0, 300000, out, 8, &w[2]);
    fake_run_dry(g);
    assert_true(g->last_command < w[0].times.finished);
    assert_int_equal(w[1].times.started, w[0].times.finished);
    assert_int_equal(w[2].times.started, w[1].times.finished);
    assert_int_equal(seen_by_kernel, 55);
    assert_int_equal(out[0], 99);
    free(in);
    fake_destroy(g);
}

/* Copies in opposite directions overlap; copies in the same direction share one engine. */
static void copy_engines(void **state)
{
    struct driver_config c = fe_table2();
    uint8_t *a = calloc(1, 262144), *b = calloc(1, 262144);

    (void)state;
    c.copy_prepare_ns = 0;
    c.copy_enqueue_ns = 10;
    struct fake_gpu *g = fake_create(c);
    struct watch in = {0}, out = {0}, more = {0};
    copy(g, DRIVER_COPY_IN, 0, 0, a, 262144, &in);
    copy(g, DRIVER_COPY_OUT, 1, 500000, b, 262144, &out);
    copy(g, DRIVER_COPY_IN, 2, 700000, b, 262144, &more);
    fake_run_dry(g);
    /* 262,144 bytes are 1024 TLPs of 280 bytes: 40,960 cycles. Alone either way takes that and the
     * latencies; requests of 24 bytes for the other copy share the way in. */
    uint64_t alone = 40960 + LATENCY;
    uint64_t requests = 512 * 24 / 7 + 2;
    assert_in_range(in.times.finished - in.times.started, alone, alone + requests);
    assert_in_range(out.times.seen - out.times.started, alone, alone + LATENCY + 1500);
    assert_in_range(more.times.finished - in.times.finished, 40960, 40960 + requests);
    free(a);
    free(b);
    fake_destroy(g);
}

/* Two copies that are ready in the same cycle: the engine goes from one to the next without a gap.
 */
static void a_copy_engine_does_not_pause(void **state)
{
    struct driver_config c = fe_table2();
    uint8_t data[256] = {0};
    struct watch w[2] = {0};

    (void)state;
    c.prepare_units = 2;
    struct fake_gpu *g = fake_create(c);
    for (uint32_t i = 0; i < 2; i++) {
        struct driver_call k = call_of(DRIVER_COPY_IN, i, &w[i]);
        k.thread = i;
        k.host = data;
        k.bytes = 256;
        call(g, &k);
    }
    fake_run_dry(g);
    /* Memory answers in the cycle after the request. */
    assert_int_equal(w[0].times.finished, 7200 + 40 + LATENCY + 1);
    assert_int_equal(w[1].times.finished, 7200 + 80 + LATENCY + 1);
    fake_destroy(g);
}

static void blocking_calls_hold_their_thread(void **state)
{
    struct fake_gpu *g = fake_create(fe_table2());
    struct watch w[2] = {0}, other = {0};
    uint8_t data[256] = {0};
    struct driver_call c = call_of(DRIVER_COPY_IN, 0, &w[0]);

    (void)state;
    c.host = data;
    c.bytes = 256;
    c.blocking = true;
    call(g, &c);
    launch(g, 1, 10, &w[1]);
    struct driver_call d = call_of(DRIVER_LAUNCH, 2, &other);
    d.thread = 1;
    call(g, &d);
    fake_run_dry(g);
    assert_true(w[0].times.seen > 7200);
    assert_int_equal(w[0].returned, w[0].times.seen);
    assert_int_equal(w[1].times.called, w[0].times.seen);
    assert_int_equal(other.times.called, 0);
    fake_destroy(g);
}

static void a_full_gpu_delays_launches(void **state)
{
    struct fake_gpu *g = fake_create(fe_table2());
    struct watch w[3] = {0};

    (void)state;
    g->max_running = 1;
    for (uint32_t i = 0; i < 3; i++)
        launch(g, i, 20000, &w[i]);
    fake_run_dry(g);
    assert_true(g->refusals > 0);
    assert_int_equal(w[1].times.started, w[0].times.finished);
    assert_int_equal(w[2].times.started, w[1].times.finished);
    fake_destroy(g);
}

/* Room on the GPU may appear without a kernel of the driver ending: the launch is offered again. */
static void a_refused_launch_is_offered_every_cycle(void **state)
{
    struct fake_gpu *g = fake_create(fe_table2());
    struct watch w = {0};

    (void)state;
    g->max_running = 0;
    launch(g, 0, 10, &w);
    while (g->cycle < 9000)
        fake_step(g);
    assert_int_equal(g->refusals, 9000 - (4500 + COMMAND_WIRE + LATENCY));
    g->max_running = 1;
    fake_run_dry(g);
    assert_int_equal(w.times.started, 9000);
    fake_destroy(g);
}

static void units_prepare_side_by_side(void **state)
{
    struct driver_config c = fe_table2();
    struct watch w[2] = {0};

    (void)state;
    c.prepare_units = 2;
    struct fake_gpu *g = fake_create(c);
    for (uint32_t i = 0; i < 2; i++) {
        struct driver_call l = call_of(DRIVER_LAUNCH, i, &w[i]);
        l.thread = i;
        call(g, &l);
    }
    fake_run_dry(g);
    assert_int_equal(w[0].times.prepared, 4500);
    assert_int_equal(w[1].times.prepared, 4500);
    fake_destroy(g);
}

/* End of the last copy of `parts` that together have so many bytes. */
static uint64_t time_of_parts(uint64_t bytes, uint32_t parts)
{
    struct driver_config c = fe_table2();
    struct watch w[2] = {0};
    uint8_t *data = calloc(1, bytes);

    c.in_turn = true;
    struct fake_gpu *g = fake_create(c);
    g->ack_delay = 200;
    for (uint32_t i = 0; i < parts; i++)
        copy(g, DRIVER_COPY_IN, 0, i * (bytes / parts), data, bytes / parts, &w[i]);
    fake_run_dry(g);
    uint64_t end = w[parts - 1].times.seen;
    fake_destroy(g);
    free(data);
    return end;
}

/* Figure 9 of the full/empty-bits paper: a copy in two halves takes the driver's time once more,
 * whatever its size. */
static void two_halves_take_one_preparation_more(void **state)
{
    (void)state;
    for (uint64_t bytes = 8192; bytes <= 524288; bytes *= 4)
        assert_in_range(time_of_parts(bytes, 2) - time_of_parts(bytes, 1), 5850, 6000);
}

static void calls_are_prepared_in_their_turn(void **state)
{
    struct driver_config c = fe_table2();
    struct watch in = {0}, kernel = {0}, out = {0}, other = {0};
    uint8_t data[65536] = {0};

    (void)state;
    c.in_turn = true;
    struct fake_gpu *g = fake_create(c);
    copy(g, DRIVER_COPY_IN, 0, 0, data, sizeof data, &in);
    launch(g, 0, 20000, &kernel);
    copy(g, DRIVER_COPY_OUT, 0, 0, data, sizeof data, &out);
    launch(g, 1, 10, &other);
    fake_run_dry(g);
    assert_int_equal(in.times.prepared, 7200);
    /* The other stream's launch is called at 3900 and need not wait for this stream. */
    assert_int_equal(other.times.prepared, 10200);
    /* The kernel is prepared once the link has the last bytes in its queue: 256 packets of 280
     * bytes at 7 GB/s. */
    assert_in_range(kernel.times.prepared, 7200 + 10240 + 3000 - 150, 7200 + 10240 + 3000);
    assert_int_equal(out.times.prepared, kernel.times.finished + 6000);
    fake_destroy(g);
}

static void malformed_calls_are_refused(void **state)
{
    struct fake_gpu *g = fake_create(fe_table2());
    struct watch w = {0};
    struct driver_call c = call_of(DRIVER_LAUNCH, 8, &w);
    uint8_t data[4];

    (void)state;
    assert_false(driver_call(g->driver, 0, &c)); /* stream */
    c.stream = 0;
    c.thread = 2;
    assert_false(driver_call(g->driver, 0, &c));
    c.thread = 0;
    c.kind = DRIVER_COPY_IN;
    c.host = data;
    assert_false(driver_call(g->driver, 0, &c)); /* no bytes */
    c.kind = DRIVER_LAUNCH;
    for (int i = 0; i < 64; i++)
        assert_true(driver_call(g->driver, 0, &c));
    assert_false(driver_call(g->driver, 0, &c)); /* max_calls */
    fake_run_dry(g);
    assert_int_equal(g->launches, 64);
    assert_true(driver_next_event(g->driver) == CYCLE_NEVER);

    struct driver_config bad = fe_table2();
    struct error err = {0};
    bad.streams = 65;
    assert_null(driver_create(&bad, &err));
    assert_non_null(strstr(err.text, "streams"));
    fake_destroy(g);
}

/* Random commands on random streams and threads: per stream they start after the one before has
 * finished and are seen in the order in which they were enqueued; copied bytes are right. */
struct soak_item {
    struct watch watch;
    uint32_t stream;
    uint8_t *host, *expect;
    uint64_t bytes;
};

/* Frees what the items hold. */
static void check_items(struct soak_item *items, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        for (uint32_t j = i + 1; j < count; j++) {
            if (items[j].stream != items[i].stream)
                continue;
            assert_true(items[j].watch.times.started >= items[i].watch.times.finished);
            assert_true(items[j].watch.order > items[i].watch.order);
            break;
        }
        if (items[i].expect)
            assert_memory_equal(items[i].host, items[i].expect, items[i].bytes);
        free(items[i].host);
        free(items[i].expect);
    }
}

static void soak(uint64_t seed)
{
    enum { ITEMS = 400 };
    struct driver_config c = fe_table2();
    struct rng rng;
    uint32_t counter = 0;
    struct soak_item *items = calloc(ITEMS, sizeof *items);

    rng_seed(&rng, seed);
    c.prepare_units = 1 + rng_below(&rng, 2);
    c.copy_prepare_ns = 600;
    c.launch_prepare_ns = 300;
    struct fake_gpu *g = fake_create(c);
    g->ack_delay = rng_below(&rng, 400);
    g->max_running = 2;
    for (uint32_t i = 0; i < ITEMS;) {
        struct soak_item *it = &items[i];
        struct driver_call k = call_of(DRIVER_LAUNCH, rng_below(&rng, 8), &it->watch);

        /* A stream belongs to one thread, so that the order of calls is the order of enqueueing. */
        k.thread = k.stream % 2;
        k.blocking = rng_chance(&rng, 1, 8);
        k.kernel.user = (void *)(uintptr_t)rng_below(&rng, 3000);
        it->watch.counter = &counter;
        it->stream = k.stream;
        if (rng_chance(&rng, 2, 3)) {
            /* A region per stream, so that what a copy out must find is known. */
            k.kind = rng_chance(&rng, 1, 2) ? DRIVER_COPY_IN : DRIVER_COPY_OUT;
            it->bytes = k.bytes = 1 + rng_below(&rng, 20000);
            k.device = k.stream * 65536u + rng_below(&rng, 40000);
            it->host = k.host = malloc(k.bytes);
            for (uint64_t b = 0; b < k.bytes; b++)
                it->host[b] = (uint8_t)rng_u64(&rng);
        }
        if (driver_call(g->driver, g->cycle, &k)) {
            static uint8_t shadow[DEVICE_BYTES];
            if (i == 0)
                memset(shadow, 0, sizeof shadow);
            if (k.kind == DRIVER_COPY_IN)
                memcpy(shadow + k.device, k.host, k.bytes);
            if (k.kind == DRIVER_COPY_OUT) {
                it->expect = malloc(k.bytes);
                memcpy(it->expect, shadow + k.device, k.bytes);
            }
            i++;
        } else {
            free(it->host);
            *it = (struct soak_item){0};
        }
        for (uint32_t n = rng_below(&rng, 2000); n; n--)
            fake_step(g);
    }
    fake_run_dry(g);
    assert_int_equal(counter, ITEMS);
    check_items(items, ITEMS);
    free(items);
    fake_destroy(g);
}

static void random_streams(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 20; seed++)
        soak(seed);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(copy_in_takes_its_stages),
        cmocka_unit_test(copy_out_takes_its_stages),
        cmocka_unit_test(copy_out_keeps_to_its_window),
        cmocka_unit_test(bulk_copies_take_the_link_s_time),
        cmocka_unit_test(work_holds_its_stream),
        cmocka_unit_test(launch_takes_its_stages),
        cmocka_unit_test(sync_of_an_empty_stream),
        cmocka_unit_test(prepare_is_serial_and_streams_overlap),
        cmocka_unit_test(a_stream_runs_in_order),
        cmocka_unit_test(copy_engines),
        cmocka_unit_test(a_copy_engine_does_not_pause),
        cmocka_unit_test(blocking_calls_hold_their_thread),
        cmocka_unit_test(a_full_gpu_delays_launches),
        cmocka_unit_test(a_refused_launch_is_offered_every_cycle),
        cmocka_unit_test(units_prepare_side_by_side),
        cmocka_unit_test(two_halves_take_one_preparation_more),
        cmocka_unit_test(calls_are_prepared_in_their_turn),
        cmocka_unit_test(malformed_calls_are_refused),
        cmocka_unit_test(random_streams),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
