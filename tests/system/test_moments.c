/* Moments of a series: few of them however long the run, in order, at distances of at least the
 * interval; a jump of the clock gives one moment. */
#include "sim/system/moments.h"

#include "evgpu_defs.h"
#include "sim/system/gpu_settings.h"
#include "tests/system/gpu_rig.h"
#include "tests/unit.h"

static struct gpu *gpu(struct gpu_rig *rig)
{
    static const char *const overrides[] = {"gpu.cores=1", NULL};
    struct machine_config machine;
    struct gpu_callbacks calls = {.user = NULL};
    gpu_rig_machine(&machine, overrides);
    struct gpu_config config = gpu_settings(&machine, TILE_MODEL, SCHED_MODE_PREEMPT);
    gpu_rig_create(rig, &config, &calls);
    return rig->gpu;
}

static void check_order(const struct moments *s, uint64_t end)
{
    uint64_t least = UINT64_MAX;
    uint32_t n = moments_count(s);
    assert_in_range(n, 2, MOMENTS);
    assert_int_equal(moments_cycle(s, 0), 0);
    assert_int_equal(moments_cycle(s, n - 1), end);
    for (uint32_t i = 1; i + 1 < n; i++) {
        uint64_t span = moments_cycle(s, i) - moments_cycle(s, i - 1);
        least = span < least ? span : least;
    }
    assert_true(least >= 256);
}

static void moments_are_bounded(void **state)
{
    (void)state;
    for (uint64_t end = 100; end < 3000000; end *= 7) {
        struct gpu_rig rig = {.gpu = NULL};
        struct moments *s = moments_create(gpu(&rig));
        for (uint64_t cycle = 0; cycle < end; cycle += 1 + cycle % 3)
            moments_tick(s, cycle);
        moments_end(s, end);
        moments_end(s, end); /* asked twice, there is one last moment */
        check_order(s, end);
        assert_true(end < 256 * 128 || moments_count(s) > MOMENTS / 3);
        moments_destroy(s);
        gpu_destroy(rig.gpu);
    }
}

static void a_jump_is_one_moment(void **state)
{
    (void)state;
    struct gpu_rig rig = {.gpu = NULL};
    struct moments *s = moments_create(gpu(&rig));
    for (uint64_t cycle = 0; cycle < 1000; cycle++)
        moments_tick(s, cycle);
    uint32_t n = moments_count(s);
    moments_tick(s, 50000000);
    assert_int_equal(moments_count(s), n + 1);
    moments_end(s, 50000001);
    check_order(s, 50000001);
    moments_destroy(s);
    gpu_destroy(rig.gpu);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(moments_are_bounded),
        cmocka_unit_test(a_jump_is_one_moment),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
