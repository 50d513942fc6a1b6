/* Victims that wait at a barrier: it is neither released early nor missed (EDGE IV-D). */
#include "event_fixture.h"

/* --- barriers ------------------------------------------------------------------------------------
 */

static bool at_barrier(const struct sm_event_unit_in *in)
{
    return in->vic_barrier;
}

/* The victim waits at a barrier; the event is longer or shorter than the others take to arrive. */
static void borrow_at_barrier(const char *kernel, const char *event, uint32_t k, bool spare)
{
    struct fixture f;
    struct core_config config = rig_config();
    open_fixture(&f, &config, kernel, 2, 128, 4000);
    set_event_k(&f, k);
    rig_launch(&f.rig, &f.grid);
    unit_steps(&f.unit, 300);
    for (uint32_t i = 0; i < 20; i++) {
        watch(&f, i % 8, at_barrier);
        assert_true(unit_start(&f.unit, event, f.event_param, i % 8, false, spare));
        unit_until(&f.unit, &f.unit.completed, f.unit.completed + 1);
    }
    close_fixture(&f);
}

static void test_barrier(void **state)
{
    (void)state;
    for (int spare = 0; spare < 2; spare++) {
        borrow_at_barrier("barrier", "long_event", 1, spare);
        borrow_at_barrier("barrier", "long_event", 500, spare);
        /* What bar.red returns is not lost in registers that belong to the event. */
        borrow_at_barrier("reduce", "event", 3, spare);
    }
}

/* Deterministic: a barrier that completes while its warp is borrowed, and one that does not. Warp 1
 * is held (hold, no i-buffer) so that it cannot arrive. */
static void test_barrier_completes_or_not(void **state)
{
    (void)state;
    for (int completes = 0; completes < 2; completes++) {
        struct fixture f;
        struct core_config config = rig_config();
        open_fixture(&f, &config, "barrier", 1, 64, 100);
        set_event_k(&f, 300);
        rig_launch(&f.rig, &f.grid);
        unit_steps(&f.unit, 300);
        hold(&f, 1, true);
        unit_steps(&f.unit, 200); /* warp 0 waits at its barrier for warp 1 */
        hold(&f, 1, false);
        f.unit.rig->out.vic_valid = 0;
        assert_true(unit_start(&f.unit, "long_event", f.event_param, 0, false, true));
        unit_until(&f.unit, &f.unit.pushed, 1);
        uint64_t before = rig_stats(&f.rig).barriers;
        hold(&f, 1, !completes);
        bool seen = false;
        while (!f.unit.completed) {
            unit_steps(&f.unit, 1);
            f.rig.out.cmd_flush = !completes;
            seen |= f.rig.in.bar_done & 1;
        }
        uint64_t passed = rig_stats(&f.rig).barriers - before;
        assert_int_equal(seen, completes);
        assert_int_equal(f.unit.event[0].at_barrier, !completes);
        if (completes) {
            assert_int_equal(passed, 1); /* the next one needs the victim */
        } else {
            assert_int_equal(passed, 0);
            unit_steps(&f.unit, 200); /* back at the barrier, it goes on waiting */
            assert_int_equal(rig_stats(&f.rig).barriers - before, 0);
        }
        hold(&f, 1, false);
        close_fixture(&f);
    }
}

static void wrong_release(bool early, const char *text)
{
    struct fixture f;
    struct core_config config = rig_config();
    open_fixture(&f, &config, "barrier", 1, 64, 100);
    set_event_k(&f, 300);
    rig_launch(&f.rig, &f.grid);
    unit_steps(&f.unit, 300);
    hold(&f, 1, true);
    unit_steps(&f.unit, 200);
    hold(&f, 1, false);
    assert_true(unit_start(&f.unit, "long_event", f.event_param, 0, false, true));
    unit_until(&f.unit, &f.unit.pushed, 1);
    hold(&f, 1, early);
    bool ok = true;
    for (uint32_t n = 0; ok && n < 20000; n++) {
        f.rig.out.cmd_flush = early;
        f.unit.event[0].at_barrier = !early;
        ok = unit_step(&f.unit);
    }
    assert_false(ok);
    if (!strstr(f.rig.err.text, text))
        fail_msg("%s", f.rig.err.text);
    rig_close(&f.rig);
}

static void test_wrong_release(void **state)
{
    (void)state;
    wrong_release(true, "early");
    wrong_release(false, "has completed");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_barrier),
        cmocka_unit_test(test_barrier_completes_or_not),
        cmocka_unit_test(test_wrong_release),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
