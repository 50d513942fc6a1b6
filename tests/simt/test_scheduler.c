/* Policies of the warp schedulers: which ready warp each picks, and that the choice changes the
 * order of a kernel's warps only. */
#include <string.h>

#include "rig.h"
#include "sim/simt/pipeline/scheduler.h"
#include "unit.h"

static const struct warp_scheduler *policy(const char *name)
{
    for (uint32_t i = 0; warp_scheduler_at(i); i++) {
        if (!strcmp(core_scheduler_name(i), name))
            return warp_scheduler_at(i);
    }
    return NULL;
}

static void names(void **state)
{
    (void)state;
    assert_string_equal(core_scheduler_name(0), "gto");
    assert_non_null(policy("two-level"));
    uint32_t n = 0;
    while (core_scheduler_name(n))
        n++;
    assert_null(warp_scheduler_at(n));
}

/* Slots 0, 1, ... of `warps` started in the order of `started`. */
static struct warps started(const uint32_t *order, uint32_t n)
{
    struct warps warps = {.slots = UINT64_MAX};
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t k = 0; k < i; k++)
            warps.older[order[i]] |= BIT(order[k]);
    return warps;
}

static void greedy_then_oldest(void **state)
{
    (void)state;
    const struct warp_scheduler *gto = policy("gto");
    struct warps warps = started((const uint32_t[]){2, 0, 3, 1}, 4);
    struct scheduler s = {.slots = 0xF, .stride = 1, .last = 3};
    assert_int_equal(gto->pick(&s, &warps, 0xF), 3); /* issued from last */
    assert_int_equal(gto->pick(&s, &warps, 0x7), 2); /* the oldest */
    assert_int_equal(gto->pick(&s, &warps, 0x3), 0);
    assert_int_equal(gto->pick(&s, &warps, 0x2), 1);
}

/* One scheduler of one: groups are slots 0 to 7, 8 to 15, ... */
static void two_levels(void **state)
{
    (void)state;
    const struct warp_scheduler *two = policy("two-level");
    struct warps warps = started(NULL, 0);
    struct scheduler s = {.slots = UINT64_MAX, .stride = 1, .last = 2};
    assert_int_equal(two->pick(&s, &warps, 0xFF), 3); /* the next one's turn */
    s.last = 7;
    assert_int_equal(two->pick(&s, &warps, 0xFFFF), 0);          /* around, within the group */
    assert_int_equal(two->pick(&s, &warps, BIT(7) | 0xFF00), 7); /* still the group's turn */
    assert_int_equal(two->pick(&s, &warps, 0xFF00), 8);          /* none of it is ready */
    assert_int_equal(two->pick(&s, &warps, BIT(17) | BIT(40)), 17);
    s.last = 17;
    assert_int_equal(two->pick(&s, &warps, BIT(3) | BIT(30)), 30); /* the group after, ... */
    assert_int_equal(two->pick(&s, &warps, BIT(3) | BIT(9)), 3);   /* from the first again */
    s.last = 63;
    assert_int_equal(two->pick(&s, &warps, BIT(57) | BIT(2)), 57);
    assert_int_equal(two->pick(&s, &warps, BIT(2)), 2);
}

/* Two schedulers: eight warps of each make a group of 16 slots. */
static void groups_of_two_schedulers(void **state)
{
    (void)state;
    const struct warp_scheduler *two = policy("two-level");
    const uint64_t odd = 0xAAAAAAAAAAAAAAAAull;
    struct warps warps = started(NULL, 0);
    struct scheduler s = {.slots = odd, .stride = 2, .last = 9};
    assert_int_equal(two->pick(&s, &warps, odd), 11);
    s.last = 15;
    assert_int_equal(two->pick(&s, &warps, odd), 1);
    assert_int_equal(two->pick(&s, &warps, odd & ~0xFFFFull), 17);
}

#define REPEAT4(x)  x x x x
#define REPEAT16(x) REPEAT4(x) REPEAT4(x) REPEAT4(x) REPEAT4(x)
#define WARPS       16u

/* Cycles between the ends of the first and the last warp of the first group, whose results are
 * right.
 */
static uint32_t spread(uint32_t scheduler)
{
    static const char ptx[] =
        RIG_PTX RIG_KERNEL("go", "mov.u32 %r5, %r1;\n" REPEAT16(
                                     "add.u32 %r6, %r1, %r0;\n") "add.u32 %r7, %r5, %r6;\n"
                                                                 "mov.u32 %r8, %clock;\n"
                                                                 "st.global.u32 [%rd2], %r8;\n"
                                                                 "st.global.u32 [%rd2+4096], %r7;\n"
                                                                 "ret;");
    static struct rig rig;
    struct core_config config = rig_config();
    config.schedulers = 1;
    config.scheduler = scheduler;
    config.fetch_width = 4;
    rig_open(&rig, &config, ptx);
    uint64_t args[] = {rig_alloc(&rig, 8192), 7};
    rig_run(&rig, "go", 1, WARPS * WARP_SIZE, 2, args);
    rig_run(&rig, "go", 1, WARPS * WARP_SIZE, 2, args);
    const uint32_t *out = (const uint32_t *)(const void *)(rig.image.base + args[0]);
    uint32_t first = UINT32_MAX, last = 0;
    for (uint32_t w = 0; w < WARPS; w++) {
        uint32_t end = out[w * WARP_SIZE];
        assert_int_equal(out[1024 + w * WARP_SIZE], 2 * w * WARP_SIZE + 7);
        if (w >= 8)
            continue;
        first = end < first ? end : first;
        last = end > last ? end : last;
    }
    rig_close(&rig);
    return last - first;
}

/* Taking turns brings the warps of a group to the same place at about the same time. */
static void order_of_warps(void **state)
{
    (void)state;
    uint32_t gto = spread(0), two_level = spread(1);
    assert_true(2 * two_level < gto);
}

static void unknown_policy(void **state)
{
    (void)state;
    struct core_config config = rig_config();
    struct core_env env = {0};
    struct error err = {0};
    config.scheduler = 99;
    assert_null(core_create(&config, &env, &err));
    assert_non_null(strstr(err.text, "core.scheduler"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names),          cmocka_unit_test(greedy_then_oldest),
        cmocka_unit_test(two_levels),     cmocka_unit_test(groups_of_two_schedulers),
        cmocka_unit_test(order_of_warps), cmocka_unit_test(unknown_policy),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
