/* The core's side of the event unit: the ways an event gets its warp and registers, priorities,
 * victims that go, and the scan of candidates (EDGE IV-D). The background kernels' results must be
 * what they are without events. */
#include "event_fixture.h"

/* --- the paths of an event ----------------------------------------------------------------------
 */

static void test_fresh(void **state)
{
    (void)state;
    struct fixture f;
    struct core_config config = rig_config();
    config.blocks = 1;
    open_fixture(&f, &config, "compute", 1, 96, 400);
    rig_launch(&f.rig, &f.grid);
    unit_steps(&f.unit, 100);
    core_event_inputs(f.rig.core, &f.rig.in);
    assert_int_equal(f.rig.in.core_free_slot, 3);
    uint16_t before = f.rig.in.core_free_regs;
    assert_true(unit_start(&f.unit, "event", f.event_param, 3, true, false));
    f.unit.event[0].dims = 8 | 4 << 6 | 1 << 12;
    unit_until(&f.unit, &f.unit.pushed, 1);
    core_event_inputs(f.rig.core, &f.rig.in);
    assert_int_equal(f.rig.in.core_free_slot, 4);
    assert_int_equal(before - f.rig.in.core_free_regs, unit_regs(rig_kernel(&f.rig, "event")));
    unit_until(&f.unit, &f.unit.completed, 1);
    check_event(&f, 8);
    assert_int_equal(f.rig.started, 1);
    assert_int_equal(f.rig.started_tag, 1000);
    assert_true(rig_stats(&f.rig).event_warp_instructions > 20);
    close_fixture(&f);
}

/* A context is free when its warp has gone, and with EVENT_CONTEXT_CORE only beside no block. */
static void test_free_contexts(void **state)
{
    (void)state;
    for (uint32_t rule = EVENT_CONTEXT_WARP; rule <= EVENT_CONTEXT_CORE; rule++) {
        struct fixture f;
        struct core_config config = rig_config();
        config.event_context = rule;
        open_fixture(&f, &config, "compute", 1, 96, 400);
        core_event_inputs(f.rig.core, &f.rig.in);
        assert_true(f.rig.in.core_free_warp && f.rig.in.core_free_slot == 0);
        rig_launch(&f.rig, &f.grid);
        unit_steps(&f.unit, 100);
        core_event_inputs(f.rig.core, &f.rig.in);
        assert_int_equal(f.rig.in.core_free_warp, rule != EVENT_CONTEXT_CORE);
        unit_finish(&f.unit, &f.grid);
        core_event_inputs(f.rig.core, &f.rig.in);
        assert_true(f.rig.in.core_free_warp);
        close_fixture(&f);
    }
}

/* A victim in the middle of computing: saved and restored through memory, or beside it in spare
 * registers. */
static void take_computing(bool spare)
{
    struct fixture f;
    struct core_config config = rig_config();
    open_fixture(&f, &config, "compute", 2, 64, 400);
    rig_launch(&f.rig, &f.grid);
    unit_steps(&f.unit, 300);
    struct memsys_stats before, after;
    memsys_stats(f.rig.memsys, &before);
    core_event_inputs(f.rig.core, &f.rig.in);
    uint16_t free_regs = f.rig.in.core_free_regs;
    assert_true(unit_start(&f.unit, "event", f.event_param, 1, false, spare));
    unit_until(&f.unit, &f.unit.pushed, 1);
    core_event_inputs(f.rig.core, &f.rig.in);
    uint32_t regs = rig_kernel(&f.rig, "event")->regs;
    assert_int_equal(free_regs - f.rig.in.core_free_regs, spare ? regs / EVG_REG_UNIT : 0);
    unit_until(&f.unit, &f.unit.completed, 1);
    unit_steps(&f.unit, 2);
    check_event(&f, 32);
    memsys_stats(f.rig.memsys, &after);
    struct core_stats s = rig_stats(&f.rig);
    assert_int_equal(s.registers_saved, spare ? 0 : regs);
    assert_int_equal(s.registers_restored, spare ? 0 : regs);
    /* The event stores two lines; every saved register is a write, every restored one a read. */
    assert_int_equal(after.requests[REQUEST_WRITE] - before.requests[REQUEST_WRITE],
                     2 + (spare ? 0 : regs));
    assert_true(after.requests[REQUEST_READ] - before.requests[REQUEST_READ] >= (spare ? 0 : regs));
    close_fixture(&f);
}

static void test_computing(void **state)
{
    (void)state;
    take_computing(false);
    take_computing(true);
}

/* While borrowed, the victim stands still and the others of its block go on; the event has the
 * highest priority although it is the youngest. */
static void test_long_event(void **state)
{
    (void)state;
    struct fixture f;
    struct core_config config = rig_config();
    open_fixture(&f, &config, "compute", 1, 128, 2000);
    set_event_k(&f, 3000);
    rig_launch(&f.rig, &f.grid);
    unit_steps(&f.unit, 300);
    assert_true(unit_start(&f.unit, "long_event", f.event_param, 2, false, false));
    unit_until(&f.unit, &f.unit.pushed, 1);
    struct core_stats before = rig_stats(&f.rig);
    uint64_t start = f.rig.cycle;
    unit_until(&f.unit, &f.unit.completed, 1);
    struct core_stats after = rig_stats(&f.rig);
    uint64_t own = after.event_warp_instructions - before.event_warp_instructions;
    assert_true(own >= 9000);
    /* Three instructions per round, each waiting for the one before: 2 latencies and the branch. */
    uint64_t round = 2 * f.rig.config.latency[TIMING_INT] + 4;
    assert_true(f.rig.cycle - start < 3000 * round + 1000);
    assert_true(after.warp_instructions - before.warp_instructions - own > 3 * own / 2);
    assert_int_equal(rig_words(&f.rig, f.event_out)[0], 3000);
    close_fixture(&f);
}

/* One scheduler and one unit, kept busy by older warps: the event and the victim to be flushed go
 * first, or else the event would wait for them all. */
static uint64_t busy_flush(uint32_t opts)
{
    struct fixture f;
    struct core_config config = rig_config();
    config.schedulers = config.units[UNIT_SP] = 1;
    open_fixture(&f, &config, "busy", 1, 256, 300);
    f.unit.opts = opts;
    set_event_k(&f, 300);
    rig_launch(&f.rig, &f.grid);
    unit_steps(&f.unit, 1000);
    uint64_t cycles = 0;
    for (uint32_t i = 0; i < 8; i++) {
        assert_true(unit_start(&f.unit, "long_event", f.event_param, 7, false, true));
        unit_until(&f.unit, &f.unit.pushed, i + 1);
        cycles += f.unit.flush_cycles;
        uint64_t start = f.rig.cycle;
        unit_until(&f.unit, &f.unit.completed, i + 1);
        /* Two latencies and the branch with its fetch per round, and its few memory accesses. */
        assert_true(f.rig.cycle - start < 300 * (2 * config.latency[TIMING_INT] + 4) + 1000);
        unit_steps(&f.unit, 97);
    }
    close_fixture(&f);
    return cycles;
}

static void test_priority(void **state)
{
    (void)state;
    uint64_t with = busy_flush(EVG_OPT_PRIORITY), without = busy_flush(0);
    assert_true(with < 8 * 8 * 20);
    assert_true(without > 3 * with);
}

static void test_several_events(void **state)
{
    (void)state;
    struct fixture f;
    struct core_config config = rig_config();
    open_fixture(&f, &config, "compute", 1, 128, 3000);
    set_event_k(&f, 500);
    rig_launch(&f.rig, &f.grid);
    unit_steps(&f.unit, 100);
    for (uint32_t i = 0; i < EVG_PEWT_ENTRIES; i++) {
        assert_true(unit_start(&f.unit, "long_event", f.event_param, i, false, i & 1));
        unit_until(&f.unit, &f.unit.pushed, i + 1);
    }
    assert_false(unit_start(&f.unit, "long_event", f.event_param, 0, false, false));
    /* All four warps of the block are borrowed at once. */
    uint64_t before = rig_stats(&f.rig).warp_instructions;
    uint64_t own = rig_stats(&f.rig).event_warp_instructions;
    unit_steps(&f.unit, 200);
    assert_int_equal(rig_stats(&f.rig).warp_instructions - before,
                     rig_stats(&f.rig).event_warp_instructions - own);
    unit_until(&f.unit, &f.unit.completed, EVG_PEWT_ENTRIES);
    assert_int_equal(f.rig.started, EVG_PEWT_ENTRIES);
    close_fixture(&f);
}

/* --- victims that go, and resources that are gone
 * -------------------------------------------------- */

/* The held victim executes exit out of its i-buffer. */
static void test_victim_exits(void **state)
{
    (void)state;
    struct fixture f;
    struct core_config config = rig_config();
    open_fixture(&f, &config, "quick", 200, 64, 0);
    f.unit.opts = 0; /* the i-buffer is issued, not flushed */
    uint32_t start = 0;
    while (f.grid.blocks_done < f.grid.total_blocks) {
        rig_launch(&f.rig, &f.grid);
        start = (start * 5 + 3) % 8;
        unit_start(&f.unit, "event", f.event_param, start, false, true);
        unit_steps(&f.unit, 1);
    }
    assert_true(f.unit.gone > 3);
    close_fixture(&f);
}

/* The slot of a victim that exited is launched again before the next edge: still seen as gone. */
static void test_relaunched_slot(void **state)
{
    (void)state;
    struct fixture f;
    struct core_config config = rig_config();
    config.blocks = 1;
    open_fixture(&f, &config, "tiny", 2, 32, 0);
    rig_launch(&f.rig, &f.grid);
    f.rig.out.vic_valid = 1;
    core_event_inputs(f.rig.core, &f.rig.in);
    core_event_commands(f.rig.core, &f.rig.out);
    core_event_inputs(f.rig.core, &f.rig.in);
    assert_int_equal(f.rig.in.vic_alive, 1);
    while (f.grid.blocks_done == 0)
        assert_true(rig_tick(&f.rig));
    rig_launch(&f.rig, &f.grid);
    assert_int_equal(f.grid.next_block, 2);
    core_event_inputs(f.rig.core, &f.rig.in);
    assert_int_equal(f.rig.in.vic_alive, 0);
    core_event_commands(f.rig.core, &f.rig.out);
    core_event_inputs(f.rig.core, &f.rig.in);
    assert_int_equal(f.rig.in.vic_alive, 1);
    f.rig.out.vic_valid = 0;
    close_fixture(&f);
}

static void expect_push_fail(struct fixture *f, const char *kernel, uint32_t warp, bool fresh,
                             bool spare)
{
    uint32_t failed = f->unit.failed;
    assert_true(unit_start(&f->unit, kernel, f->event_param, warp, fresh, spare));
    unit_until(&f->unit, &f->unit.failed, failed + 1);
    assert_int_equal(f->unit.pushed, 0);
}

static void test_push_fails(void **state)
{
    (void)state;
    struct fixture f;
    struct core_config config = rig_config();
    struct error ignored = {0};
    struct module *m = module_parse("test.ptx", all_kernels(), strlen(all_kernels()), &ignored);
    assert_non_null(m);
    config.registers = module_kernel(m, "compute")->regs * 32 * 4;
    module_free(m);
    open_fixture(&f, &config, "compute", 1, 128, 400);
    rig_launch(&f.rig, &f.grid);
    unit_steps(&f.unit, 300);
    expect_push_fail(&f, "event", 2, true, false); /* the context is taken */
    expect_push_fail(&f, "event", 9, true, false); /* free, but no registers */
    expect_push_fail(&f, "event", 2, false, true); /* no spare registers */
    close_fixture(&f);
    /* The register rule: the victim has fewer registers than the event. */
    config = rig_config();
    open_fixture(&f, &config, "tiny", 1, 32, 0);
    hold(&f, 0, true);
    core_event_commands(f.rig.core, &f.rig.out);
    rig_launch(&f.rig, &f.grid);
    expect_push_fail(&f, "event", 0, false, false);
    /* With registers of its own, it may be smaller (EDGE VI-C). */
    set_event_k(&f, 7);
    assert_true(unit_start(&f.unit, "event", f.event_param, 0, false, true));
    unit_until(&f.unit, &f.unit.completed, 1);
    assert_int_equal(rig_words(&f.rig, f.event_out)[31], 31 * 7 + 1);
    assert_int_equal(rig_stats(&f.rig).registers_restored, 0);
    hold(&f, 0, false);
    f.rig.out.cmd_flush = 0;
    close_fixture(&f);
}

static void test_push_unflushed(void **state)
{
    (void)state;
    struct fixture f;
    struct core_config config = rig_config();
    open_fixture(&f, &config, "compute", 1, 64, 400);
    rig_launch(&f.rig, &f.grid);
    unit_steps(&f.unit, 300);
    f.unit.event[0] = (struct unit_event){
        .kernel = rig_kernel(&f.rig, "event"), .mask = FULL_MASK, .dims = 32, .spare = true};
    unit_push(&f.unit);
    core_event_commands(f.rig.core, &f.rig.out);
    assert_false(rig_tick(&f.rig));
    assert_non_null(strstr(f.rig.err.text, "not flushed"));
    rig_close(&f.rig);
}

/* --- the scan of candidates
 * ------------------------------------------------------------------------ */

static uint32_t bits(const uint32_t *words, uint32_t at, uint32_t width)
{
    uint64_t two = words[at / 32] | (at % 32 + width > 32 ? (uint64_t)words[at / 32 + 1] << 32 : 0);
    return (uint32_t)(two >> at % 32) & ((1u << width) - 1);
}

static void test_candidates(void **state)
{
    (void)state;
    struct fixture f;
    struct core_config config = rig_config();
    open_fixture(&f, &config, "compute", 1, 32 * 11, 400);
    rig_launch(&f.rig, &f.grid);
    unit_steps(&f.unit, 200);
    assert_true(unit_start(&f.unit, "long_event", f.event_param, 9, false, true));
    unit_until(&f.unit, &f.unit.pushed, 1);
    assert_true(unit_start(&f.unit, "long_event", f.event_param, 12, true, false));
    unit_until(&f.unit, &f.unit.pushed, 2);
    struct sm_event_unit_in *in = &f.rig.in;
    core_event_inputs(f.rig.core, in);
    assert_int_equal(in->cand_valid, 0);
    f.rig.out.cand_req = 1;
    f.rig.out.cand_req_group = 1;
    core_event_commands(f.rig.core, &f.rig.out);
    core_event_inputs(f.rig.core, in);
    assert_int_equal(in->cand_valid, 1);
    assert_int_equal(in->cand_group, 1);
    assert_int_equal(in->cand_ok, 0x05); /* 8 and 10; 9 is borrowed, 11 free, 12 an event */
    assert_int_equal(in->core_now, 12);
    assert_int_equal(bits(in->cand_stamp, 0, 16), 8);
    assert_int_equal(bits(in->cand_stamp, 32, 16), 10);
    uint32_t units = f.grid.kernel->regs / EVG_REG_UNIT;
    assert_int_equal(in->cand_regs, units | (uint64_t)units << 14);
    uint32_t pipe = bits(in->cand_pipe, 0, 9);
    assert_in_range(pipe, 0, f.rig.config.latency[TIMING_INT]);
    f.rig.out.cand_req = 0;
    core_event_commands(f.rig.core, &f.rig.out);
    core_event_inputs(f.rig.core, in);
    assert_int_equal(in->cand_valid, 0);
    close_fixture(&f);
}

/* A constant access that waits for memory: nobody knows when it ends. */
static void test_candidate_missing_constant(void **state)
{
    (void)state;
    struct fixture f;
    struct core_config config = rig_config();
    open_fixture(&f, &config, "compute", 1, 32, 40);
    rig_launch(&f.rig, &f.grid);
    f.rig.out.cand_req = 1;
    f.rig.out.cand_req_group = 0;
    bool unknown = false;
    for (uint32_t n = 0; n < 300; n++) {
        unit_steps(&f.unit, 1);
        unknown |= bits(f.rig.in.cand_pipe, 0, 9) == 511;
    }
    assert_true(unknown);
    assert_true(bits(f.rig.in.cand_pipe, 0, 9) < 511);
    f.rig.out.cand_req = 0;
    close_fixture(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_fresh),        cmocka_unit_test(test_free_contexts),
        cmocka_unit_test(test_computing),    cmocka_unit_test(test_long_event),
        cmocka_unit_test(test_priority),     cmocka_unit_test(test_several_events),
        cmocka_unit_test(test_victim_exits), cmocka_unit_test(test_relaunched_slot),
        cmocka_unit_test(test_push_fails),   cmocka_unit_test(test_push_unflushed),
        cmocka_unit_test(test_candidates),   cmocka_unit_test(test_candidate_missing_constant),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
