/* Kernels that the CPU has prepared: the steps of one event, words that come before the CPU is
 * ready, the rate of a thread, several threads. */
#include "sim/host/armed_launcher.h"
#include "tests/host/fake_gpu.h"

#define ENTRIES 8u
#define WORDS   0x100u
#define FLAGS   0x4000000u
#define KERNEL  300u
#define OP      700u
#define LAUNCH  2000u
#define PREPARE 1500u
#define WIRE    13u /* of a command */
#define LATENCY 350u

struct wait {
    uint64_t address;
    uint32_t value;
    void (*done)(void *user, uint64_t cycle, uint64_t written);
    void *user;
};

struct rig {
    struct fake_gpu *g;
    struct armed_launcher *a;
    struct wait wait[64];
    uint32_t n_waits;
    uint32_t word[ENTRIES], sent[ENTRIES], flags;
    uint64_t ready, flag_at;
    uint32_t last; /* entry of the last flag */
};

static bool on_wait(void *user, uint64_t address, uint32_t value,
                    void (*done)(void *user, uint64_t cycle, uint64_t written), void *done_user)
{
    struct rig *r = user;
    r->wait[r->n_waits++] = (struct wait){address, value, done, done_user};
    return true;
}

static void on_send(void *user, uint64_t address, uint32_t value)
{
    struct rig *r = user;
    r->last = (uint32_t)(address - FLAGS) / 4;
    assert_true(r->last < ENTRIES && value == 2);
    r->flags++;
    r->sent[r->last]++;
    r->flag_at = r->g->cycle;
}

static void on_ready(void *user, uint64_t cycle)
{
    struct rig *r = user;
    assert_int_equal(r->ready, 0);
    r->ready = cycle;
}

/* A timeline names the thread and the stream that the call is of. */
static void on_call(void *user, uint32_t id, const struct driver_call *call,
                    const struct driver_times *times)
{
    (void)user;
    (void)id;
    (void)times;
    assert_int_equal(call->note.thread, call->thread);
    assert_int_equal(call->note.stream, call->stream);
}

static struct rig *setup(uint32_t threads, uint32_t streams)
{
    struct driver_config costs = fe_table2();
    costs.launch_enqueue_ns = LAUNCH;
    costs.launch_prepare_ns = PREPARE;
    costs.op_enqueue_ns = OP;
    costs.threads = threads;
    costs.prepare_units = threads;
    costs.watch = on_call;
    struct rig *r = calloc(1, sizeof *r);
    r->g = fake_create(costs);
    struct driver_kernel kernels[ENTRIES];
    for (uint32_t i = 0; i < ENTRIES; i++)
        kernels[i] = (struct driver_kernel){.user = (void *)(uintptr_t)KERNEL, .parameters = i};
    struct armed_config c = {.core_khz = 1000000,
                             .threads = threads,
                             .streams = streams,
                             .poll_ns = 100,
                             .entries = ENTRIES,
                             .kernel = kernels,
                             .words = WORDS,
                             .completion_base = FLAGS,
                             .done_value = 2,
                             .driver = r->g->driver,
                             .wait = on_wait,
                             .send = on_send,
                             .ready = on_ready,
                             .user = r};
    r->a = armed_create(&c, NULL);
    assert_non_null(r->a);
    armed_start(r->a, 0);
    return r;
}

static void teardown(struct rig *r)
{
    armed_destroy(r->a);
    fake_destroy(r->g);
    free(r);
}

static void step(struct rig *r)
{
    for (uint32_t i = 0; i < r->n_waits; i++) {
        struct wait w = r->wait[i];
        if (r->word[(w.address - WORDS) / 4] < w.value)
            continue;
        r->wait[i--] = r->wait[--r->n_waits];
        w.done(w.user, r->g->cycle, 0);
    }
    if (armed_next_event(r->a) <= r->g->cycle)
        armed_tick(r->a, r->g->cycle);
    fake_step(r->g);
    assert_true(r->g->cycle < 10000000);
}

static void run_to(struct rig *r, uint64_t cycle)
{
    while (r->g->cycle < cycle)
        step(r);
}

/* All are prepared first; then an event takes the word, the kernel and the flag, without a CPU. */
static void one_event(void **state)
{
    struct rig *r = setup(1, 8);
    struct armed_stats s;
    (void)state;
    run_to(r, ENTRIES * (2 * OP + LAUNCH + 100) + PREPARE + 2 * LATENCY);
    assert_in_range(r->ready, ENTRIES * (2 * OP + LAUNCH), ENTRIES * (2 * OP + LAUNCH + 100));
    assert_int_equal(r->n_waits, ENTRIES);
    assert_int_equal(r->g->launches, 0);
    uint64_t at = r->g->cycle;
    r->word[3] = 1;
    run_to(r, at + KERNEL + 10);
    assert_int_equal(r->flags, 1);
    assert_int_equal(r->last, 3);
    assert_in_range(r->flag_at - at, KERNEL, KERNEL + 5);
    armed_get_stats(r->a, &s);
    assert_int_equal(s.triggered, 1);
    assert_int_equal(s.prepared, ENTRIES);
    assert_int_equal(s.least, ENTRIES - 1);
    /* The CPU sees it at one of its polls, and prepares the entry again. */
    at = r->g->cycle;
    while (armed_get_stats(r->a, &s), s.prepared == ENTRIES)
        step(r);
    assert_int_equal((r->g->cycle - 1 - (2 * OP + LAUNCH) - r->ready) % 100, 0);
    run_to(r, at + LATENCY + 100 + 2 * OP + LAUNCH + PREPARE + LATENCY + 100);
    armed_get_stats(r->a, &s);
    assert_int_equal(s.prepared, ENTRIES + 1);
    assert_int_equal(s.calls, 3 * (ENTRIES + 1));
    assert_int_equal(s.busy_cycles, 2 * OP + LAUNCH);
    assert_int_equal(r->n_waits, ENTRIES);
    teardown(r);
}

/* Words are there all the time: the CPU's three calls limit the rate, and nothing is lost. */
static uint64_t cycles_per_event(uint32_t threads)
{
    struct rig *r = setup(threads, 8);
    const uint32_t events = 200;
    while (!r->ready)
        step(r);
    uint64_t from = r->g->cycle;
    while (r->flags < events) {
        for (uint32_t i = 0; i < ENTRIES; i++)
            r->word[i] = r->sent[i] + 1;
        step(r);
    }
    for (uint32_t i = 0; i < ENTRIES; i++)
        assert_in_range(r->sent[i], events / ENTRIES - 2, events / ENTRIES + 2);
    uint64_t result = (r->g->cycle - from) / (events - ENTRIES);
    teardown(r);
    return result;
}

static void the_calls_limit_the_rate(void **state)
{
    (void)state;
    assert_in_range(cycles_per_event(1), 2 * OP + LAUNCH, 2 * OP + LAUNCH + 120);
    assert_in_range(cycles_per_event(2), (2 * OP + LAUNCH) / 2, (2 * OP + LAUNCH) / 2 + 120);
}

static void what_cannot_be(void **state)
{
    (void)state;
    struct error err = {.set = false};
    struct armed_config c = {.core_khz = 1000000, .threads = 0, .poll_ns = 100, .entries = 1};
    assert_null(armed_create(&c, &err));
    c.threads = 2;
    c.streams = 3;
    assert_null(armed_create(&c, &err));
    c.streams = 4;
    c.entries = ARMED_MOST_ENTRIES + 1;
    assert_null(armed_create(&c, &err));
    c.entries = 4;
    c.poll_ns = 0;
    assert_null(armed_create(&c, &err));
    assert_true(err.set);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_event),
        cmocka_unit_test(the_calls_limit_the_rate),
        cmocka_unit_test(what_cannot_be),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
