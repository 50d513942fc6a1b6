/* A core that waits for room in the request network, or for an execution unit, is not ticked. It
 * must then be as if it had been: in each cycle in which somebody looks at it, and at the end. */
#include "rig.h"

#include "base/alloc.h"
#include "sim/mem/memsys_stats.h"
#include "sim/simt/core_internal.h"

#define LOOP(body)                                                                                 \
    "mov.u32 %r6, 0;\n$loop:\n" body                                                               \
    "add.u32 %r6, %r6, 1;\nsetp.lt.u32 %p1, %r6, %r0;\n@%p1 bra $loop;\nret;\n"

/* Each lane in a line of its own, and a store as well. */
#define SCATTER                                                                                    \
    RIG_KERNEL("scatter", "mul.wide.u32 %rd4, %r4, 256;\nadd.s64 %rd5, %rd1, %rd4;\n" LOOP(        \
                              "ld.global.u32 %r7, [%rd5];\nadd.u32 %r7, %r7, 1;\n"                 \
                              "st.global.u32 [%rd5+128], %r7;\nadd.s64 %rd5, %rd5, 4;\n"))
/* Atomics of many lines; registers for the results. */
#define ATOMICS                                                                                    \
    RIG_KERNEL("atomics", "mul.wide.u32 %rd4, %r4, 128;\nadd.s64 %rd5, %rd1, %rd4;\n" LOOP(        \
                              "atom.global.add.u32 %r7, [%rd5], 1;\nadd.u32 %r8, %r8, %r7;\n"))
/* A unit that takes a warp every 64 cycles. */
#define UNIT RIG_KERNEL("unit", LOOP("sin.approx.f32 %f1, %f2;\nsin.approx.f32 %f3, %f2;\n"))
/* Bank conflicts keep the load-store unit busy; barriers. */
#define SHARED                                                                                     \
    ".shared .align 4 .b8 area[8192];\n" RIG_KERNEL(                                               \
        "shared", "mov.u32 %r7, area;\nshl.b32 %r8, %r1, 7;\nand.b32 %r8, %r8, 8191;\n"            \
                  "add.u32 %r7, %r7, %r8;\n" LOOP("st.shared.u32 [%r7], %r6;\n"                    \
                                                  "ld.shared.u32 %r9, [%r7];\nbar.sync 0;\n"))

#define NET_KHZ     100000u /* a seventh of the core's: it is soon full */
#define LOOKS_EVERY 13u
#define MOST_LOOKS  20000u

/* What can be seen of a core in one cycle. */
struct seen {
    struct core_stats stats;
    struct core_signals signals;
    uint64_t refused;
};

struct run {
    struct seen *look; /* every LOOKS_EVERY cycles */
    struct core_counters counters;
    struct core_stats stats;
    struct traffic traffic;
    uint64_t cycles, refused, ticks;
};

static struct seen look_at(struct rig *rig, struct core_signals signals)
{
    struct seen seen;
    struct memsys_stats memory;
    memset(&seen, 0, sizeof seen);
    core_stats(rig->core, &seen.stats);
    memsys_stats(rig->memsys, &memory);
    seen.refused = memory.refused;
    seen.signals.ready = signals.ready;
    seen.signals.full = signals.full;
    seen.signals.active = signals.active;
    seen.signals.memory = signals.memory;
    return seen;
}

/* Of the run that skips, the looks at a core that dozes must be those of the other run. */
static uint32_t go(struct rig *rig, struct grid *grid, struct run *run, const struct run *other)
{
    uint32_t compared = 0;
    while (grid->blocks_done < grid->total_blocks) {
        uint64_t cycle = rig->cycle, before = rig->core->slots.clock.cycle;
        rig_launch(rig, grid);
        if (!rig_tick(rig))
            fail_msg("%s", rig->err.text);
        bool dozes = rig->skip && rig->core->dozes && rig->core->slots.clock.cycle == before &&
                     before != cycle;
        run->ticks += !dozes;
        if (cycle % LOOKS_EVERY || cycle / LOOKS_EVERY >= MOST_LOOKS)
            continue;
        struct core_signals signals =
            dozes ? core_signals_at_rest(rig->core) : core_signals(rig->core);
        if (other && !dozes)
            continue;
        struct seen seen = look_at(rig, signals);
        if (!other)
            run->look[cycle / LOOKS_EVERY] = seen;
        else
            assert_memory_equal(&seen, &other->look[cycle / LOOKS_EVERY], sizeof seen);
        compared += other != NULL;
    }
    return compared;
}

static void compare(const char *ptx, const char *name, const struct core_config *config,
                    uint32_t rounds, uint32_t least)
{
    struct run run[2] = {{.look = ALLOC_ARRAY(struct seen, MOST_LOOKS)}};
    uint32_t compared = 0;
    for (int skip = 0; skip < 2; skip++) {
        struct rig rig;
        struct run *r = &run[skip];
        rig_open_net(&rig, config, ptx, 20, NET_KHZ);
        rig.skip = skip;
        core_watch_signals(rig.core, true);
        uint64_t args[] = {rig_alloc(&rig, 1u << 20), rounds};
        struct grid grid = rig_grid(&rig, name, 6, 96, 2, args);
        grid.owner = 1;
        compared = go(&rig, &grid, r, skip ? &run[0] : NULL);
        core_take_counters(rig.core, 1, &r->counters);
        /* Samples of idle cycles, in which the core does not doze either, depend on its ticks. */
        memset(r->counters.state, 0, sizeof r->counters.state);
        r->counters.schedulers = r->counters.schedulers_empty = 0;
        struct seen last = look_at(&rig, core_signals(rig.core));
        r->stats = last.stats;
        r->refused = last.refused;
        r->traffic = memsys_traffic(rig.memsys, 1);
        r->cycles = rig.cycle;
        rig_close(&rig);
    }
    free(run[0].look);
    assert_int_equal(run[0].cycles, run[1].cycles);
    assert_int_equal(run[0].refused, run[1].refused);
    assert_memory_equal(&run[0].stats, &run[1].stats, sizeof run[0].stats);
    assert_memory_equal(&run[0].counters, &run[1].counters, sizeof run[0].counters);
    assert_memory_equal(&run[0].traffic, &run[1].traffic, sizeof run[0].traffic);
    assert_in_range(compared, least, MOST_LOOKS);
    assert_true(run[1].ticks < run[0].ticks);
}

static void test_full_network(void **state)
{
    (void)state;
    struct core_config config = rig_config();
    compare(RIG_PTX SCATTER, "scatter", &config, 20, 50);
    config.warp_limit = 3;
    compare(RIG_PTX SCATTER, "scatter", &config, 20, 50);
}

static void test_atomics(void **state)
{
    (void)state;
    struct core_config config = rig_config();
    compare(RIG_PTX ATOMICS, "atomics", &config, 10, 50);
}

static void test_execution_unit(void **state)
{
    (void)state;
    struct core_config config = rig_config();
    config.interval[TIMING_SFU] = 64;
    compare(RIG_PTX UNIT, "unit", &config, 10, 50);
    config.units[UNIT_SFU] = 1;
    compare(RIG_PTX UNIT, "unit", &config, 10, 50);
}

static void test_load_store_unit(void **state)
{
    (void)state;
    struct core_config config = rig_config();
    compare(RIG_PTX SHARED, "shared", &config, 20, 50);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_full_network),
        cmocka_unit_test(test_atomics),
        cmocka_unit_test(test_execution_unit),
        cmocka_unit_test(test_load_store_unit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
