/* What the watchdog says about warps that cannot go on. */
#include "unit.h"

static const char kernels[] =
    RIG_PTX RIG_KERNEL("half", "setp.gt.u32 %p1, %r1, 31;\n@%p1 bra $spin;\nbar.sync 0;\nret;\n"
                               "$spin:\nld.volatile.global.u32 %r5, [%rd1];\n"
                               "setp.eq.u32 %p2, %r5, 0;\n@%p2 bra $spin;\nbar.sync 0;\nret;")
        RIG_KERNEL("slow", "st.global.u32 [%rd2], %r1;\nmembar.gl;\nret;");

struct lines {
    char text[4096];
    uint32_t count;
};

static void collect(void *user, const char *text)
{
    struct lines *l = user;
    l->count++;
    strncat(l->text, text, sizeof l->text - strlen(l->text) - 2);
    strcat(l->text, "\n");
}

static void expect(const struct lines *l, const char *text)
{
    if (!strstr(l->text, text))
        fail_msg("'%s' lacks '%s'", l->text, text);
}

static void test_barrier(void **state)
{
    (void)state;
    struct rig rig;
    struct core_config config = rig_config();
    rig_open(&rig, &config, kernels);
    struct grid grid = rig_grid(&rig, "half", 1, 64, 2, (uint64_t[]){rig_alloc(&rig, 4096), 0});
    rig_launch(&rig, &grid);
    rig_ticks(&rig, 3000);
    struct lines l = {.count = 0};
    core_describe(rig.core, collect, &l);
    assert_int_equal(l.count, 2);
    expect(&l, "core 0 warp 0: half, pc");
    expect(&l, "PTX line");
    expect(&l, "waits at a barrier");
    expect(&l, "core 0 warp 1: half");
    expect(&l, "1 atomics");
    rig_close(&rig);
}

static void test_fence(void **state)
{
    (void)state;
    struct rig rig;
    struct core_config config = rig_config();
    rig_open(&rig, &config, kernels);
    uint64_t args[] = {rig_alloc(&rig, 4096), 0};
    rig_run(&rig, "slow", 1, 32, 2, args);
    struct grid grid = rig_grid(&rig, "slow", 1, 32, 2, args);
    rig_launch(&rig, &grid);
    bool fence = false;
    while (!core_empty(rig.core)) {
        rig_ticks(&rig, 1);
        struct lines l = {.count = 0};
        core_describe(rig.core, collect, &l);
        fence |= strstr(l.text, "waits at a fence") != NULL;
    }
    assert_true(fence);
    rig_close(&rig);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_barrier),
        cmocka_unit_test(test_fence),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
