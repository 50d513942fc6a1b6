/* The polling CPU: cost of one launch against the closed form, the event rate of a thread, several
 * threads, signals and completions. */
#include "tests/host/fake_gpu.h"

#include "base/rng.h"

#define ENTRIES    32u
#define LATENCY    350u
#define NIC_WIRE   4u  /* (4 + 24) bytes at 7 GB/s */
#define CMD_WIRE   13u /* (64 + 24) bytes */
#define SIGNALS    0x1000u
#define FLAGS      0x8000u
#define DONE_VALUE 2u

struct nic_side {
    uint64_t done_at[ENTRIES];
    uint32_t done_count, order[4096], bad;
    uint32_t outstanding;
};

struct bench {
    struct fake_gpu *g;
    struct nic_side nic;
};

static bool nic_write(void *user, uint64_t cycle, const struct pcie_write *w)
{
    struct nic_side *n = user;
    uint32_t entry = (uint32_t)(w->address - FLAGS) / 4;

    assert_int_equal(w->bytes, 4);
    assert_int_equal(w->data[0], DONE_VALUE);
    assert_true(w->address >= FLAGS && entry < ENTRIES);
    n->done_at[entry] = cycle;
    n->order[n->done_count++] = entry;
    n->outstanding--;
    return true;
}

static struct launcher_config plain(void)
{
    return (struct launcher_config){.core_khz = 1000000,
                                    .threads = 1,
                                    .streams = 4,
                                    .kernels = 1,
                                    .then_streams = 4,
                                    .first_stream = 1,
                                    .poll_ns = 100,
                                    .notify_ns = 150,
                                    .entries = ENTRIES,
                                    .signal_base = SIGNALS,
                                    .completion_base = FLAGS,
                                    .done_value = DONE_VALUE};
}

/* EDGE VI-A: 2 us for the asynchronous call, 5 us in all for an empty kernel. */
static struct driver_config edge_costs(void)
{
    struct driver_config c = fe_table2();

    c.launch_enqueue_ns = 2000;
    c.launch_prepare_ns = 1500;
    c.threads = 5;
    c.prepare_units = 4;
    c.streams = 16;
    return c;
}

static struct bench *setup(struct launcher_config config, uint64_t kernel_cycles,
                           uint32_t max_calls)
{
    static const struct pcie_config link = {.core_khz = 1000000,
                                            .bytes_per_second = {7000000000, 7000000000},
                                            .latency_ns = 350,
                                            .max_payload = 256,
                                            .header_bytes = 24,
                                            .send_queue = 32,
                                            .credits = 64,
                                            .read_tags = 1,
                                            .max_read = 64};
    struct bench *b = calloc(1, sizeof *b);
    struct pcie_endpoint nic = {
        .name = "nic", .side = 0, .user = &b->nic, .deliver_write = nic_write};
    struct pcie_endpoint host = {.name = "host", .side = 1};
    struct driver_kernel kernels[2 * ENTRIES] = {0};

    struct driver_config costs = edge_costs();

    costs.max_calls = max_calls;
    b->g = fake_create(costs);
    b->g->nic_link = pcie_create(&link, NULL);
    launcher_endpoint(&host, &b->g->launcher);
    config.nic = (uint8_t)pcie_attach(b->g->nic_link, &nic, NULL);
    config.host = (uint8_t)pcie_attach(b->g->nic_link, &host, NULL);
    config.nic_link = b->g->nic_link;
    config.driver = b->g->driver;
    config.kernel = kernels;
    for (uint32_t i = 0; i < 2 * ENTRIES; i++)
        kernels[i] =
            (struct driver_kernel){.user = (void *)(uintptr_t)kernel_cycles, .parameters = i};
    b->g->launcher = launcher_create(&config, NULL);
    assert_non_null(b->g->launcher);
    return b;
}

static void teardown(struct bench *b)
{
    launcher_destroy(b->g->launcher);
    pcie_destroy(b->g->nic_link);
    fake_destroy(b->g);
    free(b);
}

static void signal_entry(struct bench *b, uint64_t address, uint32_t bytes)
{
    uint8_t data[8] = {32};
    struct pcie_write w = {.address = address, .data = data, .bytes = bytes, .from = 0, .to = 1};

    assert_true(pcie_write(b->g->nic_link, b->g->cycle, &w));
    b->nic.outstanding++;
}

static void run_until_done(struct bench *b)
{
    while (b->nic.outstanding) {
        fake_step(b->g);
        assert_true(b->g->cycle < 100000000);
    }
}

/* The next poll of a thread that polls every 100 cycles since `since`. */
static uint64_t poll_after(uint64_t cycle, uint64_t since)
{
    return since + (cycle - since + 99) / 100 * 100;
}

static void one_event_costs_the_closed_form(void **state)
{
    struct bench *b = setup(plain(), 300, 64);
    struct launcher_stats s;
    uint64_t noticed, returned, started, seen, told;

    (void)state;
    b->g->cycle = 37;
    signal_entry(b, SIGNALS, 4);
    run_until_done(b);
    noticed = poll_after(37 + NIC_WIRE + LATENCY, 0);
    returned = noticed + 2000;
    started = returned + 1500 + CMD_WIRE + LATENCY;
    seen = started + 300 + NIC_WIRE + LATENCY;
    told = poll_after(seen, returned);
    assert_int_equal(b->nic.done_at[0], told + 150 + NIC_WIRE + LATENCY);
    launcher_get_stats(b->g->launcher, &s);
    assert_int_equal(s.launches, 1);
    assert_int_equal(s.completions, 1);
    assert_int_equal(s.busy_cycles, 2000 + 150);
    assert_int_equal(s.notice->sum, noticed - (37 + NIC_WIRE + LATENCY));
    assert_int_equal(s.launch->sum, started - noticed);
    assert_int_equal(s.total->sum, told - noticed);
    /* The paper's 5 us, with 0.3 us for dispatch on the GPU and up to one poll. */
    assert_in_range(s.total->sum, 4500, 5000);
    assert_true(launcher_idle(b->g->launcher));
    assert_true(launcher_next_event(b->g->launcher) == CYCLE_NEVER);
    teardown(b);
}

/* The NIC always has work: cycles per event of `threads` threads. */
static uint64_t cycles_per_event(uint32_t threads, uint32_t notify_ns)
{
    struct launcher_config c = plain();
    const uint32_t events = 400;
    uint32_t signalled = 0;
    uint64_t at_100 = 0;

    c.threads = threads;
    c.streams = 8;
    c.notify_ns = notify_ns;
    struct bench *b = setup(c, 100, 64);
    while (b->nic.done_count < events) {
        /* An entry is signalled again as soon as the one before in its place is done. */
        while (signalled < events && signalled - b->nic.done_count < ENTRIES - 8) {
            signal_entry(b, SIGNALS + signalled % ENTRIES * 4, 4);
            signalled++;
        }
        fake_step(b->g);
        if (b->nic.done_count == 100 && !at_100)
            at_100 = b->g->cycle;
        assert_true(b->g->cycle < 100000000);
    }
    uint64_t result = (b->g->cycle - at_100) / (events - 100);
    struct launcher_stats s;
    launcher_get_stats(b->g->launcher, &s);
    assert_int_equal(s.bad_signals, 0);
    teardown(b);
    return result;
}

static void a_thread_launches_once_per_call(void **state)
{
    (void)state;
    assert_in_range(cycles_per_event(1, 0), 1990, 2010);
    assert_in_range(cycles_per_event(1, 150), 2140, 2160);
    assert_in_range(cycles_per_event(2, 150), 1065, 1085);
    assert_in_range(cycles_per_event(4, 150), 530, 545);
}

static void launches_rotate_over_streams(void **state)
{
    struct bench *b = setup(plain(), 9000, 64);

    (void)state;
    for (uint32_t i = 0; i < 4; i++)
        signal_entry(b, SIGNALS + 4 * i, 4);
    run_until_done(b);
    assert_int_equal(b->g->most_running, 4); /* four streams: nobody waits for the one before */
    for (uint32_t i = 0; i < 4; i++)
        signal_entry(b, SIGNALS + 4 * i, 4);
    run_until_done(b);
    teardown(b);

    struct launcher_config one = plain();
    one.streams = 1;
    b = setup(one, 9000, 64);
    for (uint32_t i = 0; i < 4; i++)
        signal_entry(b, SIGNALS + 4 * i, 4);
    run_until_done(b);
    assert_int_equal(b->g->most_running, 1);
    teardown(b);
}

/* Two kernels of an entry, of 300 cycles each. */
static uint64_t two_kernels(bool together, uint64_t *second_call)
{
    struct launcher_config c = plain();
    struct launcher_stats s;

    c.kernels = 2;
    c.together = together;
    struct bench *b = setup(c, 300, 64);
    b->g->cycle = 37;
    signal_entry(b, SIGNALS, 4);
    run_until_done(b);
    launcher_get_stats(b->g->launcher, &s);
    assert_int_equal(s.launches, 2);
    assert_int_equal(s.completions, 1);
    assert_int_equal(s.busy_cycles, 2 * 2000 + 150);
    assert_int_equal(launcher_called(b->g->launcher, 0, 0), poll_after(37 + NIC_WIRE + LATENCY, 0));
    *second_call = launcher_called(b->g->launcher, 0, 1);
    assert_true(launcher_idle(b->g->launcher));
    uint64_t done = b->nic.done_at[0];
    teardown(b);
    return done;
}

static void a_second_kernel_follows_the_first(void **state)
{
    uint64_t called = poll_after(37 + NIC_WIRE + LATENCY, 0), second;
    uint64_t kernel = 1500 + CMD_WIRE + LATENCY + 300 + NIC_WIRE + LATENCY;
    uint64_t done = two_kernels(false, &second);

    (void)state;
    /* Behind the notice of the first one's end. */
    assert_int_equal(second, poll_after(called + 2000 + kernel, called + 2000));
    assert_int_equal(done,
                     poll_after(second + 2000 + kernel, second + 2000) + 150 + NIC_WIRE + LATENCY);
    /* Directly behind the first call. */
    done = two_kernels(true, &second);
    assert_int_equal(second, called + 2000);
    assert_int_equal(done,
                     poll_after(second + 2000 + kernel, second + 2000) + 150 + NIC_WIRE + LATENCY);
}

/* A second kernel never stands in front of a first one: with one stream for each, and ends in any
 * order, every entry comes to its end. */
static void second_kernels_have_streams_of_their_own(void **state)
{
    struct launcher_config c = plain();
    struct launcher_stats s;

    (void)state;
    c.kernels = 2;
    c.together = true;
    c.streams = c.then_streams = 1;
    struct bench *b = setup(c, 9000, 64);
    for (uint32_t i = 0; i < 4; i++)
        signal_entry(b, SIGNALS + 4 * i, 4);
    run_until_done(b);
    assert_int_equal(b->g->most_running, 2);
    launcher_get_stats(b->g->launcher, &s);
    assert_int_equal(s.launches, 8);
    teardown(b);
}

static void bad_signals_are_counted(void **state)
{
    struct bench *b = setup(plain(), 100, 64);
    struct launcher_stats s;

    (void)state;
    signal_entry(b, SIGNALS + 4 * ENTRIES, 4); /* outside */
    signal_entry(b, SIGNALS - 4, 4);
    signal_entry(b, SIGNALS + 2, 4); /* misaligned */
    signal_entry(b, SIGNALS, 8);     /* wrong size */
    signal_entry(b, SIGNALS, 4);
    signal_entry(b, SIGNALS, 4); /* not free */
    b->nic.outstanding = 1;
    run_until_done(b);
    for (int i = 0; i < 10000; i++)
        fake_step(b->g);
    launcher_get_stats(b->g->launcher, &s);
    assert_int_equal(s.bad_signals, 5);
    assert_int_equal(s.launches, 1);
    assert_int_equal(b->nic.done_count, 1);
    teardown(b);
}

/* Random signals: every one is launched and passed on once, whatever the number of threads, and
 * however small the driver's room for calls. */
static void random_signals(void **state)
{
    struct rng rng;

    (void)state;
    rng_seed(&rng, 3);
    for (uint32_t round = 0; round < 12; round++) {
        struct launcher_config c = plain();
        uint32_t threads = 1 + round % 4;
        uint32_t sent = 0;
        uint64_t busy_until_count[ENTRIES] = {0};
        struct launcher_stats s;

        c.threads = threads;
        c.streams = 4 + threads;
        c.kernels = round < 4 ? 1 : 2;
        c.together = round >= 8;
        struct bench *b = setup(c, 2500, 3);
        b->g->max_running = 3;
        while (sent < 300) {
            uint32_t entry = rng_below(&rng, ENTRIES);
            if (rng_chance(&rng, 1, 400) && busy_until_count[entry] == 0) {
                signal_entry(b, SIGNALS + entry * 4, 4);
                busy_until_count[entry] = 1;
                b->nic.done_at[entry] = 0;
                sent++;
            }
            fake_step(b->g);
            if (b->nic.done_at[entry])
                busy_until_count[entry] = 0;
        }
        run_until_done(b);
        launcher_get_stats(b->g->launcher, &s);
        assert_int_equal(s.launches, 300 * c.kernels);
        assert_int_equal(s.completions, 300);
        assert_int_equal(b->nic.done_count, 300);
        assert_int_equal(b->g->launches, 300 * c.kernels);
        assert_int_equal(s.bad_signals, 0);
        teardown(b);
    }
}

static void bad_configurations_are_named(void **state)
{
    struct error err = {0};
    struct launcher_config c = plain();

    (void)state;
    c.threads = 0;
    assert_null(launcher_create(&c, &err));
    assert_non_null(strstr(err.text, "threads"));
    c = plain();
    c.threads = 5;
    err.set = false;
    assert_null(launcher_create(&c, &err));
    assert_non_null(strstr(err.text, "streams"));
    c = plain();
    c.poll_ns = 0;
    err.set = false;
    assert_null(launcher_create(&c, &err));
    assert_non_null(strstr(err.text, "polling"));
    c = plain();
    c.kernels = 3;
    err.set = false;
    assert_null(launcher_create(&c, &err));
    assert_non_null(strstr(err.text, "3 kernels"));
    c = plain();
    c.kernels = 2;
    c.then_streams = 0;
    err.set = false;
    assert_null(launcher_create(&c, &err));
    assert_non_null(strstr(err.text, "second kernels"));
    c = plain();
    c.entries = 0;
    err.set = false;
    assert_null(launcher_create(&c, &err));
    assert_non_null(strstr(err.text, "entries"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_event_costs_the_closed_form),
        cmocka_unit_test(a_thread_launches_once_per_call),
        cmocka_unit_test(launches_rotate_over_streams),
        cmocka_unit_test(a_second_kernel_follows_the_first),
        cmocka_unit_test(second_kernels_have_streams_of_their_own),
        cmocka_unit_test(bad_signals_are_counted),
        cmocka_unit_test(random_signals),
        cmocka_unit_test(bad_configurations_are_named),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
