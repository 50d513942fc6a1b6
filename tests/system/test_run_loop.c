/* The run loop over a machine that only has times: waits of any length cost nothing and hide
 * neither the limit nor a signal; a machine that does not get on is a hang. */
#include "sim/system/run_loop.h"
#include "tests/unit.h"

struct fake {
    uint64_t cycle, work, ticks, skips;
    uint64_t gap;    /* cycles from one event to the next; 0: there is none */
    uint64_t events; /* left */
    bool idle;       /* its events bring nothing about */
    volatile sig_atomic_t stop;
    uint64_t stop_at; /* the skip during which the signal comes */
    bool cut_short;   /* it comes during the last event, which it ends */
};

static bool tick(void *self, struct error *err)
{
    struct fake *f = self;
    (void)err;
    f->ticks++;
    f->events--;
    f->work += !f->idle;
    f->cycle++;
    if (f->cut_short && f->events == 0)
        f->stop = true;
    return true;
}

static uint64_t cycle(const void *self)
{
    return ((const struct fake *)self)->cycle;
}

static uint64_t next_event(const void *self)
{
    const struct fake *f = self;
    uint64_t period = f->gap ? f->gap : 1;
    return f->gap ? (f->cycle + period - 1) / period * period : UINT64_MAX;
}

static void skip_to(void *self, uint64_t to)
{
    struct fake *f = self;
    assert_true(to > f->cycle && to <= next_event(f));
    f->cycle = to;
    f->stop = ++f->skips == f->stop_at;
}

static bool done(const void *self)
{
    return ((const struct fake *)self)->events == 0;
}

static uint64_t work(const void *self)
{
    return ((const struct fake *)self)->work;
}

static void describe(const void *self, void (*line)(void *user, const char *text), void *user)
{
    (void)self;
    line(user, "the fake waits");
}

static enum run_end run(struct fake *f, uint64_t limit, struct error *err)
{
    struct run_target target = {.self = f,
                                .tick = tick,
                                .cycle = cycle,
                                .next_event = next_event,
                                .skip_to = skip_to,
                                .done = done,
                                .work = work,
                                .describe = describe};
    struct run_control control = {.max_cycles = limit, .stop = &f->stop};
    return run_loop(&target, &control, err);
}

static void long_waits_are_no_hang(void **state)
{
    (void)state;
    struct fake f = {.gap = 10000000000000, .events = 20, .idle = true};
    struct error err = {0};
    assert_int_equal(run(&f, 0, &err), RUN_DONE);
    assert_int_equal(f.ticks, 20);
    assert_true(f.skips < 1000);
}

static void the_limit_lies_within_a_wait(void **state)
{
    (void)state;
    struct fake f = {.gap = 10000000000000, .events = 20};
    struct error err = {0};
    assert_int_equal(run(&f, 25000000000001, &err), RUN_LIMIT);
    assert_true(f.cycle == 25000000000001);
    assert_non_null(strstr(err.text, "cycle limit of 25000000000001 reached"));
    assert_non_null(strstr(err.text, "the fake waits"));
}

static void a_signal_ends_a_wait(void **state)
{
    (void)state;
    struct fake f = {.gap = 1000000000000000, .events = 20, .stop_at = 3};
    struct error err = {0};
    assert_int_equal(run(&f, 0, &err), RUN_STOPPED);
    assert_int_equal(f.skips, 3);
    assert_true(f.cycle < f.gap);
}

static void what_a_signal_ends_is_not_done(void **state)
{
    (void)state;
    struct fake f = {.gap = 1, .events = 20, .cut_short = true};
    struct error err = {0};
    assert_int_equal(run(&f, 0, &err), RUN_STOPPED);
    assert_int_equal(f.ticks, 20);
    assert_string_equal(err.text, "stopped at cycle 20");
}

static void events_that_bring_nothing_are_a_hang(void **state)
{
    (void)state;
    struct fake f = {.gap = 100, .events = 100000000, .idle = true};
    struct error err = {0};
    assert_int_equal(run(&f, 0, &err), RUN_HUNG);
    assert_non_null(strstr(err.text, "hang: no progress for"));
    assert_true(f.cycle < 3 * (uint64_t)DEFAULT_WATCHDOG_CYCLES);
}

static void no_event_at_all_is_a_hang(void **state)
{
    (void)state;
    struct fake f = {.events = 1};
    struct error err = {0};
    assert_int_equal(run(&f, 0, &err), RUN_HUNG);
    assert_non_null(strstr(err.text, "no event is left after cycle 0; the fake waits"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(long_waits_are_no_hang),
        cmocka_unit_test(the_limit_lies_within_a_wait),
        cmocka_unit_test(a_signal_ends_a_wait),
        cmocka_unit_test(what_a_signal_ends_is_not_done),
        cmocka_unit_test(events_that_bring_nothing_are_a_hang),
        cmocka_unit_test(no_event_at_all_is_a_hang),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
