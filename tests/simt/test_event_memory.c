/* Victims with memory accesses in flight: loads dropped and replayed, or not; atomics, fences and
 * stores (EDGE IV-D). */
#include "event_fixture.h"

/* --- loads --------------------------------------------------------------------------------------
 */

static bool two_loads(const struct sm_event_unit_in *in)
{
    return in->vic_loads && !in->vic_younger && !in->vic_pipe;
}

/* Loads dropped and replayed; their replies come while the event runs, or after it. */
static void drop_loads(bool spare, uint32_t wait)
{
    struct fixture f;
    struct core_config config = rig_config();
    open_fixture(&f, &config, "load", 1, 64, 60);
    rig_launch(&f.rig, &f.grid);
    unit_steps(&f.unit, 400 + wait);
    for (uint32_t i = 0; i < 12; i++) {
        watch(&f, i & 1, two_loads);
        unit_steps(&f.unit, i * 5);
        if (!unit_start(&f.unit, "event", f.event_param, i & 1, false, spare))
            break;
        unit_until(&f.unit, &f.unit.completed, i + 1);
        check_event(&f, 32);
    }
    assert_true(rig_stats(&f.rig).loads_dropped >= 6);
    close_fixture(&f);
}

static void test_drop_loads(void **state)
{
    (void)state;
    for (uint32_t wait = 0; wait < 24; wait += 3) {
        drop_loads(true, wait);
        drop_loads(false, wait);
    }
}

/* Flushed by a drop at once; without it the loads' time passes. */
static void test_drop_is_fast(void **state)
{
    (void)state;
    uint64_t cycles[2];
    for (int drop = 0; drop < 2; drop++) {
        struct fixture f;
        struct core_config config = rig_config();
        open_fixture(&f, &config, "load", 1, 32, 60);
        if (!drop)
            f.unit.opts &= ~(uint32_t)EVG_OPT_DROP_LOADS;
        rig_launch(&f.rig, &f.grid);
        unit_steps(&f.unit, 400);
        watch(&f, 0, two_loads);
        assert_true(unit_start(&f.unit, "event", f.event_param, 0, false, true));
        unit_until(&f.unit, &f.unit.pushed, 1);
        cycles[drop] = f.unit.flush_cycles;
        assert_int_equal(rig_stats(&f.rig).loads_dropped != 0, drop);
        close_fixture(&f);
    }
    assert_true(cycles[1] <= 3);
    assert_true(cycles[0] > 40);
}

static bool younger(const struct sm_event_unit_in *in)
{
    return in->vic_loads && in->vic_younger && !in->vic_pipe;
}

/* An independent instruction behind the load has completed: the load must not be dropped. */
static void keep_loads(const char *kernel)
{
    struct fixture f;
    struct core_config config = rig_config();
    open_fixture(&f, &config, kernel, 1, 64, 60);
    rig_launch(&f.rig, &f.grid);
    unit_steps(&f.unit, 400);
    for (uint32_t i = 0; i < 8; i++) {
        watch(&f, i & 1, younger);
        assert_true(unit_start(&f.unit, "event", f.event_param, i & 1, false, i & 2));
        unit_until(&f.unit, &f.unit.completed, i + 1);
        check_event(&f, 32);
    }
    assert_int_equal(rig_stats(&f.rig).loads_dropped, 0);
    close_fixture(&f);
}

static void test_younger(void **state)
{
    (void)state;
    keep_loads("younger");
    keep_loads("younger_hit"); /* the instruction is a load that has returned */
}

/* Told to drop them all the same, the core says so. */
static void test_drop_younger(void **state)
{
    (void)state;
    struct fixture f;
    struct core_config config = rig_config();
    open_fixture(&f, &config, "younger", 1, 64, 60);
    rig_launch(&f.rig, &f.grid);
    unit_steps(&f.unit, 400);
    watch(&f, 0, younger);
    f.rig.out.vic_valid = 1;
    f.rig.out.cmd_drop = 1;
    core_event_commands(f.rig.core, &f.rig.out);
    assert_false(rig_tick(&f.rig));
    assert_non_null(strstr(f.rig.err.text, "younger"));
    rig_close(&f.rig);
}

/* The rule of EDGE's artifact: dropped all the same, counted, and no value is wrong. */
static void test_drop_unsafe(void **state)
{
    (void)state;
    struct fixture f;
    struct core_config config = rig_config();
    config.drop_unsafe = true;
    open_fixture(&f, &config, "younger", 1, 64, 60);
    rig_launch(&f.rig, &f.grid);
    unit_steps(&f.unit, 400);
    for (uint32_t i = 0; i < 8; i++) {
        watch(&f, i & 1, two_loads);
        assert_true(unit_start(&f.unit, "event", f.event_param, i & 1, false, i & 2));
        unit_until(&f.unit, &f.unit.completed, i + 1);
        check_event(&f, 32);
    }
    assert_true(rig_stats(&f.rig).loads_dropped >= 8);
    assert_true(rig_stats(&f.rig).wrong_replays >= 4);
    assert_true(rig_stats(&f.rig).wrong_replays <= 8);
    close_fixture(&f);
}

/* --- atomics and fences
 * --------------------------------------------------------------------------- */

static bool atomics(const struct sm_event_unit_in *in)
{
    return in->vic_atomic;
}

static void wait_for_atomics(const char *kernel)
{
    struct fixture f;
    struct core_config config = rig_config();
    open_fixture(&f, &config, kernel, 1, 64, 60);
    rig_launch(&f.rig, &f.grid);
    unit_steps(&f.unit, 300);
    for (uint32_t i = 0; i < 8; i++) {
        watch(&f, i & 1, atomics);
        assert_true(unit_start(&f.unit, "event", f.event_param, i & 1, false, i & 2));
        unit_until(&f.unit, &f.unit.completed, i + 1);
        check_event(&f, 32);
    }
    assert_true(f.unit.flush_cycles > 8 * 5);
    assert_true(rig_stats(&f.rig).flush_cycles[CAUSE_FENCE] > 8 * 5);
    close_fixture(&f);
}

static void test_atomics(void **state)
{
    (void)state;
    wait_for_atomics("atomic");
    wait_for_atomics("fence");
}

/* A victim's stores may be on their way while the event runs and after it has ended: each
 * acknowledgement counts for whom it belongs to. */
static void borrow_storing(uint32_t events)
{
    struct fixture f;
    struct core_config config = rig_config();
    const struct background bg = {"store", 1, 64, 400, 300};
    open_background(&f, &config, &bg);
    rig_launch(&f.rig, &f.grid);
    unit_steps(&f.unit, 1000);
    for (uint32_t i = 0; i < events; i++) {
        assert_true(
            unit_start(&f.unit, i % 5 == 4 ? "event" : "tiny", f.event_param, i & 1, false, true));
        unit_until(&f.unit, &f.unit.completed, i + 1);
        unit_steps(&f.unit, i % 7);
    }
    unit_finish(&f.unit, &f.grid);
    assert_true(memsys_idle(f.rig.memsys)); /* the end waits for every store */
    close_fixture(&f);
}

static void test_stores_in_flight(void **state)
{
    (void)state;
    borrow_storing(2); /* the first one fetches its code, the second one is over at once */
    borrow_storing(20);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_drop_loads),       cmocka_unit_test(test_drop_is_fast),
        cmocka_unit_test(test_younger),          cmocka_unit_test(test_drop_younger),
        cmocka_unit_test(test_drop_unsafe),      cmocka_unit_test(test_atomics),
        cmocka_unit_test(test_stores_in_flight),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
