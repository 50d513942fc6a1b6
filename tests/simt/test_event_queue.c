/* The load-store unit's queue for events (`event.lane_queue`): an event's accesses do not wait for
 * those of the background, and nobody's result changes. */
#include "unit.h"

#define ROUNDS 48u
#define EVENTS 3u
#define WARPS  8u
#define ROW    (WARPS * WARP_SIZE * LINE_BYTES) /* bytes that a round of all threads reads */

/* Every thread a line of its own in every round, so that a load is 32 transactions. */
static const char scatter[] =
    RIG_KERNEL("scatter", "mov.u32 %r5, 0;\nmov.u32 %r6, 0;\nmul.wide.u32 %rd4, %r4, 128;\n"
                          "add.s64 %rd4, %rd1, %rd4;\n$again:\nld.global.u32 %r8, [%rd4+4096];\n"
                          "add.u32 %r6, %r6, %r8;\nadd.s64 %rd4, %rd4, 32768;\n"
                          "add.u32 %r5, %r5, 1;\nsetp.lt.u32 %p1, %r5, %r0;\n@%p1 bra $again;\n"
                          "st.global.u32 [%rd2], %r6;\nret;");

/* Adds up k words, each of a line of its own, one after the other. */
static const char chase[] =
    RIG_KERNEL("chase", "mov.u32 %r5, 0;\nmov.u32 %r6, 0;\nmov.u64 %rd4, %rd1;\n$again:\n"
                        "ld.global.u32 %r8, [%rd4+128];\nadd.u32 %r6, %r6, %r8;\n"
                        "cvt.u64.u32 %rd5, %r8;\nadd.s64 %rd4, %rd4, %rd5;\n"
                        "add.s64 %rd4, %rd4, 128;\n"
                        "add.u32 %r5, %r5, 1;\nsetp.lt.u32 %p1, %r5, %r0;\n@%p1 bra $again;\n"
                        "st.global.u32 [%rd2], %r6;\nret;");

struct outcome {
    uint64_t cycles; /* of all events, from push to completion */
    uint32_t sum[WARPS * WARP_SIZE];
};

static uint64_t event_arguments(struct rig *rig, uint64_t out)
{
    uint64_t param = rig_alloc(rig, 256);
    uint32_t k = 4;
    memcpy(rig->image.base + param + PARAM_HEADER_BYTES, &out, 8);
    memcpy(rig->image.base + param + PARAM_HEADER_BYTES + 8, &k, 4);
    return param;
}

static struct outcome run(uint32_t event_queue)
{
    static char text[8192];
    struct rig rig;
    struct unit unit = {.rig = &rig};
    struct core_config config = rig_config();
    struct outcome o = {0};
    config.event_queue = event_queue;
    snprintf(text, sizeof text, "%s%s%s", RIG_PTX, scatter, chase);
    rig_open(&rig, &config, text);
    uint64_t data = rig_alloc(&rig, 4096 + (ROUNDS + 1) * ROW), out = rig_alloc(&rig, 4096);
    for (uint32_t i = 0; i < (4096 + ROUNDS * ROW) / LINE_BYTES; i++)
        rig_words(&rig, data + (uint64_t)i * LINE_BYTES)[0] = i;
    uint64_t param = event_arguments(&rig, out);
    struct grid grid =
        rig_grid(&rig, "scatter", 1, WARPS * WARP_SIZE, 2, (uint64_t[]){data, ROUNDS});
    rig_launch(&rig, &grid);
    unit_steps(&unit, 600);
    for (uint32_t i = 0; i < EVENTS; i++) {
        assert_true(unit_start(&unit, "chase", param, WARPS + i, true, false));
        unit_until(&unit, &unit.pushed, i + 1);
        uint64_t since = rig.cycle;
        unit_until(&unit, &unit.completed, i + 1);
        o.cycles += rig.cycle - since;
        assert_true(grid.blocks_done == 0); /* all of it beside the background */
    }
    unit_finish(&unit, &grid);
    memcpy(o.sum, rig_words(&rig, data), sizeof o.sum);
    assert_true(core_empty(rig.core));
    rig_close(&rig);
    return o;
}

static void test_events_pass(void **state)
{
    (void)state;
    struct outcome behind = run(0), own = run(8);
    assert_memory_equal(own.sum, behind.sum, sizeof own.sum);
    for (uint32_t t = 0; t < WARPS * WARP_SIZE; t++) {
        uint32_t sum = 0;
        for (uint32_t r = 0; r < ROUNDS; r++)
            sum += (4096 + r * ROW) / LINE_BYTES + t;
        assert_int_equal(own.sum[t], sum);
    }
    print_message("events: %u cycles behind the others, %u in a queue of their own\n",
                  (unsigned)(behind.cycles / EVENTS), (unsigned)(own.cycles / EVENTS));
    assert_true(own.cycles * 3 < behind.cycles * 2);
}

/* A short queue is a queue as well. */
static void test_one_place(void **state)
{
    (void)state;
    struct outcome one = run(1), eight = run(8);
    assert_memory_equal(one.sum, eight.sum, sizeof one.sum);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_events_pass),
        cmocka_unit_test(test_one_place),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
